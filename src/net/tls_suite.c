/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which protocol versions and ciphers are offered, in ab's and OpenSSL's notation. OpenSSL drops a
 * name it does not know from a list without a word, and a list for TLS 1.2 says nothing about 1.3:
 * both change what is measured, so unknown names are told, and both kinds can stand in one list.
 */
#include "lather/net/tls_suite.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stddef.h>

#include "lather/base/str.h"

/* A name, and the versions it stands for; 0 is OpenSSL's least and greatest. */
struct protocol_row {
    struct str name;
    int least;
    int most;
};

static bool tls_suite_is_name_end(struct str rest)
{
    return rest.len == 0 || !(rest.data[0] == '.' || (rest.data[0] >= '0' && rest.data[0] <= '9'));
}

static const struct protocol_row *tls_suite_find_protocol(struct str name)
{
    static const struct protocol_row rows[] = {
        {{"ALL", 3}, 0, 0},
        {{"TLS1.3", 6}, TLS1_3_VERSION, TLS1_3_VERSION},
        {{"TLS1.2", 6}, TLS1_2_VERSION, TLS1_2_VERSION},
        {{"TLS1.1", 6}, TLS1_1_VERSION, TLS1_1_VERSION},
        {{"TLS1.0", 6}, TLS1_VERSION, TLS1_VERSION},
        {{"TLS1", 4}, TLS1_VERSION, TLS1_VERSION},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (str_starts_with_nocase(name, rows[i].name) &&
            tls_suite_is_name_end(str_slice(name, rows[i].name.len, SIZE_MAX))) {
            return &rows[i];
        }
    }
    return NULL;
}

/* "TLSv1.2" as OpenSSL and nginx write it is "TLS1.2" for ab. */
static struct str tls_suite_plain_name(const char *name, struct buf *plain)
{
    buf_append_str(plain, str_from(name));
    if (str_starts_with_nocase(buf_view(plain), STR("TLSv"))) {
        buf_reset(plain);
        buf_append_str(plain, STR("TLS"));
        buf_append_str(plain, str_slice(str_from(name), 4, SIZE_MAX));
    }
    return buf_view(plain);
}

static bool tls_suite_refuse_protocol(const char *name, struct err *err)
{
    if (str_starts_with_nocase(str_from(name), STR("SSL"))) {
        return err_set(
            err, ERR_USAGE,
            "\"%.40s\": OpenSSL 3 speaks no SSL 2 and SSL 3 any more: TLS1 is the oldest", name);
    }
    return err_set(err, ERR_USAGE, "\"%.40s\" is no protocol: TLS1, TLS1.1, TLS1.2, TLS1.3 or ALL",
                   name);
}

bool tls_suite_set_protocol(struct ssl_ctx_st *handle, const char *name, struct buf *notes,
                            struct err *err)
{
    struct protocol_row chosen = {.least = TLS1_2_VERSION, .most = 0};
    if (name != NULL) {
        struct buf plain;
        buf_init(&plain);
        const struct protocol_row *row =
            tls_suite_find_protocol(tls_suite_plain_name(name, &plain));
        buf_deinit(&plain);
        if (row == NULL) {
            return tls_suite_refuse_protocol(name, err);
        }
        chosen = *row;
    }
    if (chosen.least < TLS1_2_VERSION) {
        SSL_CTX_set_security_level(handle, 0);
        buf_printf(
            notes,
            "-f %.40s sets OpenSSL's security level to 0, without which TLS before 1.2 cannot "
            "be spoken\n",
            name);
    }
    if (SSL_CTX_set_min_proto_version(handle, chosen.least) != 1 ||
        SSL_CTX_set_max_proto_version(handle, chosen.most) != 1) {
        ERR_clear_error();
        return err_set(err, ERR_USAGE, "\"%.40s\": this OpenSSL does not speak it", name);
    }
    return true;
}

/* --- ciphers -------------------------------------------------------------------------------- */

/* What a list is taken apart into, as OpenSSL separates it. */
struct tls_suite_lists {
    struct buf suites; /* of TLS 1.3 */
    struct buf older;
};

static void tls_suite_append(struct buf *list, struct str name)
{
    if (list->len > 0) {
        buf_append_byte(list, ':');
    }
    buf_append_str(list, name);
}

static size_t tls_suite_name_length(struct str list)
{
    size_t len = 0;
    while (len < list.len && str_find_byte(STR(": ,;"), list.data[len]) == SIZE_MAX) {
        len++;
    }
    return len;
}

/* Whether OpenSSL finds a cipher under the name; tried on a context of its own. */
static bool tls_suite_is_known(struct str name)
{
    const bool is_suite = str_starts_with(name, STR("TLS_"));
    SSL_CTX *trial = SSL_CTX_new(TLS_client_method());
    CHECK(trial != NULL);
    SSL_CTX_set_security_level(trial, 0);
    char *text = str_dup(name);
    bool known = false;
    if (!is_suite) {
        known = SSL_CTX_set_cipher_list(trial, text) == 1;
    } else if (SSL_CTX_set_ciphersuites(trial, text) == 1) {
        /* An unknown suite is no error to OpenSSL: it only is not there afterwards. */
        const STACK_OF(SSL_CIPHER) *ciphers = SSL_CTX_get_ciphers(trial);
        for (int i = 0; i < sk_SSL_CIPHER_num(ciphers) && !known; i++) {
            known =
                str_equals(str_from(SSL_CIPHER_get_name(sk_SSL_CIPHER_value(ciphers, i))), name);
        }
    }
    free(text);
    SSL_CTX_free(trial);
    ERR_clear_error();
    return known;
}

/* Commands ("@SECLEVEL=0", "!RC4", "-SHA1", "+3DES") change a list; only names add to it. */
static bool tls_suite_is_command(struct str name)
{
    return str_find_byte(STR("@!-+"), name.data[0]) != SIZE_MAX;
}

static void tls_suite_split(struct str list, struct tls_suite_lists *lists, struct buf *unknown)
{
    while (list.len > 0) {
        const struct str name = str_slice(list, 0, tls_suite_name_length(list));
        list = str_slice(list, name.len + 1, SIZE_MAX);
        if (name.len == 0) {
            continue;
        }
        if (!tls_suite_is_command(name) && !tls_suite_is_known(name)) {
            tls_suite_append(unknown, name);
        } else if (str_starts_with(name, STR("TLS_"))) {
            tls_suite_append(&lists->suites, name);
        } else {
            tls_suite_append(&lists->older, name);
        }
    }
}

static bool tls_suite_apply(SSL_CTX *handle, const struct tls_suite_lists *lists)
{
    const bool applied =
        (lists->suites.len == 0 || SSL_CTX_set_ciphersuites(handle, lists->suites.data) == 1) &&
        (lists->older.len == 0 || SSL_CTX_set_cipher_list(handle, lists->older.data) == 1);
    ERR_clear_error();
    return applied;
}

bool tls_suite_set_ciphers(struct ssl_ctx_st *handle, const char *list, struct buf *notes,
                           struct err *err)
{
    struct tls_suite_lists lists;
    struct buf unknown;
    buf_init(&lists.suites);
    buf_init(&lists.older);
    buf_init(&unknown);
    tls_suite_split(str_from(list), &lists, &unknown);
    const bool some = lists.suites.len + lists.older.len > 0;
    bool is_good = some && tls_suite_apply(handle, &lists);
    if (!is_good) {
        is_good =
            err_set(err, ERR_USAGE,
                    "\"%.200s\" selects no cipher of this OpenSSL (`openssl ciphers -v` lists "
                    "them)",
                    list);
    } else if (unknown.len > 0) {
        buf_printf(notes, "-Z: left out, as this OpenSSL does not know it: %.200s\n", unknown.data);
    }
    buf_deinit(&lists.suites);
    buf_deinit(&lists.older);
    buf_deinit(&unknown);
    return is_good;
}
