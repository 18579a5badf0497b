/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a tester gives for TLS: good files and names are taken, each wrong one is refused before the
 * first connection with a sentence that says what to do.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <openssl/pkcs12.h>
#include <openssl/provider.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lather/base/file.h"
#include "lather/net/tls_context.h"
#include "pki.h"

enum { DAY_S = 24 * 3600, PATH_SIZE = 96 };

struct world {
    char folder[64];
    struct pki authority;
    struct pki client;
    struct pki other;
    struct pki expired;
};

static struct pki issue(const struct world *world, const char *name, long from_s, long to_s)
{
    return pki_make(&(struct pki_order){
        .common_name = name, .issuer = &world->authority, .from_s = from_s, .to_s = to_s});
}

static int make_world(void **state)
{
    struct world *world = check_calloc(1, sizeof *world);
    (void)snprintf(world->folder, sizeof world->folder, "/tmp/lather-tls-XXXXXX");
    CHECK(mkdtemp(world->folder) != NULL);
    world->authority = pki_make(&(struct pki_order){
        .common_name = "Test CA", .from_s = -DAY_S, .to_s = DAY_S, .is_authority = 1});
    world->client = issue(world, "alice", -DAY_S, DAY_S);
    world->other = issue(world, "bob", -DAY_S, DAY_S);
    world->expired = issue(world, "carol", -2 * DAY_S, -DAY_S);
    *state = world;
    return 0;
}

static int free_world(void **state)
{
    struct world *world = *state;
    pki_free(&world->authority);
    pki_free(&world->client);
    pki_free(&world->other);
    pki_free(&world->expired);
    CHECK(rmdir(world->folder) == 0);
    free(world);
    return 0;
}

/* A file that is gone when the test is over. */
struct given_file {
    char path[PATH_SIZE];
};

static struct given_file give(const struct world *world, const char *name)
{
    struct given_file file;
    (void)snprintf(file.path, sizeof file.path, "%s/%s", world->folder, name);
    return file;
}

static struct given_file give_text(const struct world *world, const char *name, const char *text)
{
    struct given_file file = give(world, name);
    struct err err;
    CHECK(file_write(file.path, str_from(text), &err));
    return file;
}

static struct given_file give_pem(const struct world *world, const char *name, X509 *certificate,
                                  EVP_PKEY *key, const char *password)
{
    struct given_file file = give(world, name);
    pki_write(file.path, certificate, key, password);
    return file;
}

static void take_away(const struct given_file *file)
{
    CHECK(unlink(file->path) == 0);
}

/* The options are taken; returns the notes, the caller's to free. */
static char *assert_taken(const struct tls_options *options)
{
    struct buf notes;
    struct err err;
    buf_init(&notes);
    struct tls_context *context = tls_context_new(options, &notes, &err);
    if (context == NULL) {
        fail_msg("%s", err.text);
    }
    tls_context_free(context);
    return buf_take(&notes);
}

static void assert_quietly_taken(const struct tls_options *options)
{
    char *notes = assert_taken(options);
    assert_string_equal(notes, "");
    free(notes);
}

static void assert_noted(const struct tls_options *options, const char *words)
{
    char *notes = assert_taken(options);
    if (strstr(notes, words) == NULL) {
        fail_msg("\"%s\" does not say \"%s\"", notes, words);
    }
    free(notes);
}

static void assert_refused(const struct tls_options *options, const char *option, const char *words)
{
    struct buf notes;
    struct err err;
    buf_init(&notes);
    assert_null(tls_context_new(options, &notes, &err));
    if (strstr(err.text, words) == NULL || strncmp(err.text, option, strlen(option)) != 0) {
        fail_msg("\"%s\" does not begin with \"%s\" and say \"%s\"", err.text, option, words);
    }
    buf_deinit(&notes);
}

static struct tls_options insecure(void)
{
    return (struct tls_options){.host = "localhost", .insecure = true};
}

static struct tls_options with_certificate(const struct given_file *file)
{
    struct tls_options options = insecure();
    options.certificate_file = file->path;
    return options;
}

/* --- authorities ---------------------------------------------------------------------------- */

static void a_bundle_that_is_none_is_refused(void **state)
{
    const struct world *world = *state;
    struct tls_options options = {.host = "localhost", .authority_file = "/nonexistent/ca.pem"};
    assert_refused(&options, "--cacert: /nonexistent/ca.pem", "No such file");
    options.authority_file = "/";
    assert_refused(&options, "--cacert: ", "directory");
    const struct given_file text = give_text(world, "text", "-----BEGIN nothing-----\n");
    options.authority_file = text.path;
    assert_refused(&options, "--cacert: ", "no certificate in it");
    const struct given_file empty = give_text(world, "empty", "");
    options.authority_file = empty.path;
    assert_refused(&options, "--cacert: ", "no certificate in it");
    take_away(&text);
    take_away(&empty);
}

static void a_bundle_is_taken(void **state)
{
    const struct world *world = *state;
    const struct given_file file = give_pem(world, "ca", world->authority.certificate, NULL, NULL);
    assert_quietly_taken(&(struct tls_options){.host = "localhost", .authority_file = file.path});
    assert_quietly_taken(&(struct tls_options){.host = "::1", .authority_file = file.path});
    take_away(&file);
}

/* --- B060: the client's certificate ---------------------------------------------------------- */

static void a_certificate_and_its_key_are_taken_from_one_file_or_two(void **state)
{
    const struct world *world = *state;
    const struct pki *client = &world->client;
    const struct given_file both = give_pem(world, "both", client->certificate, client->key, NULL);
    const struct given_file half = give_pem(world, "half", client->certificate, NULL, NULL);
    const struct given_file key = give_pem(world, "key", NULL, client->key, NULL);
    struct tls_options options = with_certificate(&both);
    assert_quietly_taken(&options);
    options = with_certificate(&half);
    options.key_file = key.path;
    assert_quietly_taken(&options);
    options.key_file = NULL;
    assert_refused(&options, "-E: ", "no private key in it: name its file with --key");
    options.key_file = half.path;
    assert_refused(&options, "-E: ", "no private key in it");
    options.key_file = "/nonexistent/key.pem";
    assert_refused(&options, "-E: --key: /nonexistent/key.pem", "No such file");
    options = with_certificate(&key);
    assert_refused(&options, "-E: ", "no certificate in it");
    options = insecure();
    options.key_file = key.path;
    assert_refused(&options, "--key without -E", "-E");
    take_away(&both);
    take_away(&half);
    take_away(&key);
}

static void a_certificate_that_is_none_is_refused(void **state)
{
    const struct world *world = *state;
    struct tls_options options = insecure();
    options.certificate_file = "/nonexistent/client.pem";
    assert_refused(&options, "-E: /nonexistent/client.pem", "No such file");
    static const char *const texts[] = {"", "hello", "0\x82\x01", "-----BEGIN CERTIFICATE-----\n",
                                        /* in brackets: clang takes two in a row for a lost comma */
                                        ("-----BEGIN CERTIFICATE-----\nAAAA\n"
                                         "-----END CERTIFICATE-----\n")};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const struct given_file file = give_text(world, "bad", texts[i]);
        options.certificate_file = file.path;
        assert_refused(&options, "-E: ", "no certificate in it");
        take_away(&file);
    }
}

static void the_key_of_another_certificate_is_refused(void **state)
{
    const struct world *world = *state;
    const struct given_file file =
        give_pem(world, "mixed", world->client.certificate, world->other.key, NULL);
    const struct tls_options options = with_certificate(&file);
    assert_refused(&options, "-E: ", "the private key is not that of the certificate");
    take_away(&file);
}

static void an_expired_client_certificate_is_noted(void **state)
{
    const struct world *world = *state;
    const struct given_file file =
        give_pem(world, "expired", world->expired.certificate, world->expired.key, NULL);
    const struct tls_options options = with_certificate(&file);
    assert_noted(&options, "has expired");
    take_away(&file);
}

static void an_encrypted_key_needs_its_password(void **state)
{
    const struct world *world = *state;
    const struct given_file file =
        give_pem(world, "locked", world->client.certificate, world->client.key, "changeit");
    struct tls_options options = with_certificate(&file);
    assert_refused(&options, "-E: ", "--key-password-file");
    options.key_password = "wrong";
    assert_refused(&options, "-E: ", "is it the right password?");
    options.key_password = "";
    assert_refused(&options, "-E: ", "is empty");
    options.key_password = "changeit";
    assert_quietly_taken(&options);
    take_away(&file);
}

/* --- PFX ------------------------------------------------------------------------------------ */

static struct given_file give_pfx(const struct world *world, const char *name, PKCS12 *pfx)
{
    struct given_file file = give(world, name);
    FILE *stream = fopen(file.path, "wb");
    CHECK(pfx != NULL && stream != NULL && i2d_PKCS12_fp(stream, pfx) == 1);
    CHECK(fclose(stream) == 0);
    PKCS12_free(pfx);
    return file;
}

static PKCS12 *make_pfx(const struct pki *who, const char *password)
{
    return PKCS12_create(password, "alice", who->key, who->certificate, NULL, 0, 0, 0, 0, 0);
}

static void a_pfx_is_recognised_by_its_content(void **state)
{
    const struct world *world = *state;
    const struct given_file file =
        give_pfx(world, "client.pem", make_pfx(&world->client, "changeit"));
    struct tls_options options = with_certificate(&file);
    assert_refused(&options, "-E: ", "the PFX has a password");
    options.key_password = "wrong";
    assert_refused(&options, "-E: ", "wrong password for this PFX");
    options.key_password = "changeit";
    assert_quietly_taken(&options);
    options.key_file = file.path;
    assert_refused(&options, "-E: --key: ", "leave --key out");
    take_away(&file);
}

static void a_pfx_without_password_needs_none(void **state)
{
    const struct world *world = *state;
    const struct given_file file = give_pfx(world, "open.pfx", make_pfx(&world->client, ""));
    const struct tls_options options = with_certificate(&file);
    assert_quietly_taken(&options);
    take_away(&file);
}

static void a_pfx_without_key_is_refused(void **state)
{
    const struct world *world = *state;
    const struct given_file file = give_pfx(
        world, "bare.pfx",
        PKCS12_create("changeit", "alice", NULL, world->client.certificate, NULL, 0, 0, 0, 0, 0));
    struct tls_options options = with_certificate(&file);
    options.key_password = "changeit";
    assert_refused(&options, "-E: ", "export it with its private key");
    take_away(&file);
}

/* Cut anywhere it is a broken file, and no more than that. */
static void a_cut_off_pfx_is_refused(void **state)
{
    const struct world *world = *state;
    const struct given_file file =
        give_pfx(world, "whole.pfx", make_pfx(&world->client, "changeit"));
    struct buf content;
    struct err err;
    buf_init(&content);
    assert_true(file_read(file.path, 65536, &content, &err));
    for (size_t len = 0; len < content.len; len += 13) {
        assert_true(file_write(file.path, str_slice(buf_view(&content), 0, len), &err));
        struct tls_options options = with_certificate(&file);
        options.key_password = "changeit";
        assert_refused(&options, "-E: ", "no certificate in it");
    }
    buf_deinit(&content);
    take_away(&file);
}

/* As Windows exported it until 2019: RC2-40. Made in a world of its own, so that the default one
   has never seen the old algorithms. */
static PKCS12 *make_old_pfx(const struct pki *who)
{
    OSSL_LIB_CTX *apart = OSSL_LIB_CTX_new();
    OSSL_PROVIDER *modern = OSSL_PROVIDER_load(apart, "default");
    OSSL_PROVIDER *legacy = OSSL_PROVIDER_load(apart, "legacy");
    PKCS12 *pfx = NULL;
    if (modern != NULL && legacy != NULL) {
        pfx = PKCS12_create_ex("changeit", "alice", who->key, who->certificate, NULL,
                               NID_pbe_WithSHA1And3_Key_TripleDES_CBC,
                               NID_pbe_WithSHA1And40BitRC2_CBC, 0, 0, 0, apart, NULL);
    }
    OSSL_PROVIDER_unload(legacy);
    OSSL_PROVIDER_unload(modern);
    OSSL_LIB_CTX_free(apart);
    return pfx;
}

/* The self-contained builds have it inside the library; elsewhere it is a file that can be missing.
 */
static bool legacy_is_built_in(void)
{
    OSSL_LIB_CTX *apart = OSSL_LIB_CTX_new();
    OSSL_PROVIDER *legacy = OSSL_PROVIDER_load(apart, "legacy");
    OSSL_PROVIDER_unload(legacy);
    OSSL_LIB_CTX_free(apart);
    return legacy != NULL;
}

static void an_old_pfx_needs_the_legacy_provider_and_says_so(void **state)
{
    const struct world *world = *state;
    PKCS12 *pfx = make_old_pfx(&world->client);
    if (pfx == NULL) {
        skip(); /* an OpenSSL without legacy provider cannot make one */
    }
    const struct given_file file = give_pfx(world, "old.pfx", pfx);
    struct tls_options options = with_certificate(&file);
    options.key_password = "changeit";
    assert_int_equal(setenv("OPENSSL_MODULES", "/nonexistent", 1), 0);
    if (legacy_is_built_in()) {
        assert_quietly_taken(&options);
    } else {
        assert_refused(&options, "-E: ", "legacy");
    }
    assert_int_equal(unsetenv("OPENSSL_MODULES"), 0);
    assert_quietly_taken(&options);
    options.key_password = "wrong";
    assert_refused(&options, "-E: ", "wrong password");
    take_away(&file);
}

/* --- B060: versions and ciphers -------------------------------------------------------------- */

struct version_case {
    const char *name;
    int least;
    int most;
};

static void protocols_are_named_as_ab_names_them(void **state)
{
    (void)state;
    static const struct version_case cases[] = {
        {"TLS1.2", TLS1_2_VERSION, TLS1_2_VERSION},
        {"tls1.3", TLS1_3_VERSION, TLS1_3_VERSION},
        {"TLSv1.2", TLS1_2_VERSION, TLS1_2_VERSION},
        {"TLS1", TLS1_VERSION, TLS1_VERSION},
        {"TLS1.0", TLS1_VERSION, TLS1_VERSION},
        {"Tls1.1", TLS1_1_VERSION, TLS1_1_VERSION},
        {"all", 0, 0},
        {NULL, TLS1_2_VERSION, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tls_options options = insecure();
        struct buf notes;
        struct err err;
        buf_init(&notes);
        options.protocol = cases[i].name;
        struct tls_context *context = tls_context_new(&options, &notes, &err);
        assert_non_null(context);
        SSL_CTX *handle = tls_context_handle(context);
        assert_int_equal(SSL_CTX_get_min_proto_version(handle), cases[i].least);
        assert_int_equal(SSL_CTX_get_max_proto_version(handle), cases[i].most);
        const bool old = cases[i].least < TLS1_2_VERSION;
        assert_int_equal(strstr(notes.len > 0 ? notes.data : "", "security level to 0") != NULL,
                         old);
        assert_int_equal(SSL_CTX_get_security_level(handle) == 0, old);
        tls_context_free(context);
        buf_deinit(&notes);
    }
}

static void an_unknown_protocol_is_refused(void **state)
{
    (void)state;
    static const char *const names[] = {"", "TLS", "TLS2", "TLS1.4", "TLS1.25", "1.2", "foo"};
    struct tls_options options = insecure();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        options.protocol = names[i];
        assert_refused(&options, "-f: ", "TLS1.3 or ALL");
    }
    options.protocol = "SSL3";
    assert_refused(&options, "-f: ", "no SSL 2 and SSL 3");
}

static bool offers(const char *list, const char *cipher)
{
    struct tls_options options = insecure();
    struct buf notes;
    struct err err;
    buf_init(&notes);
    options.ciphers = list;
    struct tls_context *context = tls_context_new(&options, &notes, &err);
    assert_non_null(context);
    const STACK_OF(SSL_CIPHER) *ciphers = SSL_CTX_get_ciphers(tls_context_handle(context));
    bool found = false;
    for (int i = 0; i < sk_SSL_CIPHER_num(ciphers); i++) {
        found = found || strcmp(SSL_CIPHER_get_name(sk_SSL_CIPHER_value(ciphers, i)), cipher) == 0;
    }
    tls_context_free(context);
    buf_deinit(&notes);
    return found;
}

static void ciphers_of_both_kinds_stand_in_one_list(void **state)
{
    (void)state;
    const char *both = "TLS_AES_128_GCM_SHA256:ECDHE-RSA-AES128-GCM-SHA256";
    assert_true(offers(both, "TLS_AES_128_GCM_SHA256"));
    assert_true(offers(both, "ECDHE-RSA-AES128-GCM-SHA256"));
    assert_false(offers(both, "TLS_AES_256_GCM_SHA384"));
    assert_false(offers(both, "ECDHE-RSA-AES256-GCM-SHA384"));
    /* What a list does not speak of stays. */
    assert_true(offers("AES128-SHA", "TLS_AES_256_GCM_SHA384"));
    assert_true(offers("TLS_AES_128_GCM_SHA256", "ECDHE-RSA-AES256-GCM-SHA384"));
    assert_true(offers("DEFAULT:!AES128:@SECLEVEL=0", "ECDHE-RSA-AES256-GCM-SHA384"));
    assert_false(offers("DEFAULT:!AES128:@SECLEVEL=0", "ECDHE-RSA-AES128-GCM-SHA256"));
}

static void an_unknown_cipher_is_never_dropped_in_silence(void **state)
{
    (void)state;
    struct tls_options options = insecure();
    static const char *const nothing[] = {"", ":", "NOSUCH", "TLS_NOSUCH", "!ALL", "@SECLEVEL=99"};
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++) {
        options.ciphers = nothing[i];
        assert_refused(&options, "-Z: ", "selects no cipher");
    }
    options.ciphers = "AES128-SHA:NOSUCH TLS_AES_128_GCM_SHA256,TLS_NOSUCH";
    assert_noted(&options, "NOSUCH:TLS_NOSUCH");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bundle_that_is_none_is_refused),
        cmocka_unit_test(a_bundle_is_taken),
        cmocka_unit_test(a_certificate_and_its_key_are_taken_from_one_file_or_two),
        cmocka_unit_test(a_certificate_that_is_none_is_refused),
        cmocka_unit_test(the_key_of_another_certificate_is_refused),
        cmocka_unit_test(an_expired_client_certificate_is_noted),
        cmocka_unit_test(an_encrypted_key_needs_its_password),
        cmocka_unit_test(a_pfx_is_recognised_by_its_content),
        cmocka_unit_test(a_pfx_without_password_needs_none),
        cmocka_unit_test(a_pfx_without_key_is_refused),
        cmocka_unit_test(a_cut_off_pfx_is_refused),
        cmocka_unit_test(an_old_pfx_needs_the_legacy_provider_and_says_so),
        cmocka_unit_test(protocols_are_named_as_ab_names_them),
        cmocka_unit_test(an_unknown_protocol_is_refused),
        cmocka_unit_test(ciphers_of_both_kinds_stand_in_one_list),
        cmocka_unit_test(an_unknown_cipher_is_never_dropped_in_silence),
    };
    return cmocka_run_group_tests(tests, make_world, free_world);
}
