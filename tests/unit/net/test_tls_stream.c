/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The client's side of TLS against OpenSSL's server side, both in memory: what travels between them
 * is cut, held back and spoilt here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lather/net/tls_stream.h"
#include "pki.h"

enum { DAY_S = 24 * 3600 };

/* Who there is in every test. */
struct world {
    char folder[64];
    char authority_path[96];
    char client_path[96];
    struct pki authority;
    struct pki server; /* localhost, 127.0.0.1 */
    struct pki client;
};

/* Both ends of a connection. */
struct pair {
    struct tls_context *context;
    struct tls_stream *client;
    struct buf out; /* what the client sends */
    SSL_CTX *handle;
    SSL *server;
    BIO *to_server;
    BIO *from_server;
};

/* How the two ends are set up. */
struct pair_order {
    struct tls_options options;
    int server_version; /* 0: the newest */
    const char *groups; /* for the key exchange; NULL: the library's own */
    const struct pki *server;
    int server_wants; /* SSL_VERIFY_... */
    bool stateful_tickets;
};

static const char *in_folder(const struct world *world, char path[96], const char *name)
{
    (void)snprintf(path, 96, "%s/%s", world->folder, name);
    return path;
}

static int make_world(void **state)
{
    struct world *world = check_calloc(1, sizeof *world);
    (void)snprintf(world->folder, sizeof world->folder, "/tmp/lather-tls-XXXXXX");
    CHECK(mkdtemp(world->folder) != NULL);
    world->authority = pki_make(&(struct pki_order){
        .common_name = "Test CA", .from_s = -DAY_S, .to_s = DAY_S, .is_authority = 1});
    world->server = pki_make(&(struct pki_order){.common_name = "localhost",
                                                 .names = "DNS:localhost,IP:127.0.0.1",
                                                 .issuer = &world->authority,
                                                 .from_s = -DAY_S,
                                                 .to_s = DAY_S});
    world->client = pki_make(&(struct pki_order){
        .common_name = "alice", .issuer = &world->authority, .from_s = -DAY_S, .to_s = DAY_S});
    pki_write(in_folder(world, world->authority_path, "ca.pem"), world->authority.certificate, NULL,
              NULL);
    pki_write(in_folder(world, world->client_path, "client.pem"), world->client.certificate,
              world->client.key, NULL);
    *state = world;
    return 0;
}

static int free_world(void **state)
{
    struct world *world = *state;
    pki_free(&world->authority);
    pki_free(&world->server);
    pki_free(&world->client);
    (void)unlink(world->authority_path);
    (void)unlink(world->client_path);
    (void)rmdir(world->folder);
    free(world);
    return 0;
}

static struct tls_options trusting(const struct world *world)
{
    return (struct tls_options){.host = "localhost", .authority_file = world->authority_path};
}

static struct tls_context *context_of(const struct tls_options *options)
{
    struct buf notes;
    struct err err;
    buf_init(&notes);
    struct tls_context *context = tls_context_new(options, &notes, &err);
    if (context == NULL) {
        fail_msg("%s", err.text);
    }
    buf_deinit(&notes);
    return context;
}

static SSL_CTX *server_handle(const struct world *world, const struct pair_order *order)
{
    SSL_CTX *handle = SSL_CTX_new(TLS_server_method());
    const struct pki *server = order->server == NULL ? &world->server : order->server;
    assert_int_equal(SSL_CTX_use_certificate(handle, server->certificate), 1);
    assert_int_equal(SSL_CTX_use_PrivateKey(handle, server->key), 1);
    X509_STORE_add_cert(SSL_CTX_get_cert_store(handle), world->authority.certificate);
    SSL_CTX_set_min_proto_version(handle, order->server_version);
    SSL_CTX_set_max_proto_version(handle, order->server_version);
    if (order->groups != NULL) {
        assert_int_equal(SSL_CTX_set1_groups_list(handle, order->groups), 1);
    }
    SSL_CTX_set_verify(handle, order->server_wants, NULL);
    SSL_CTX_set_options(handle, SSL_OP_NO_SESSION_RESUMPTION_ON_RENEGOTIATION);
    SSL_CTX_set_session_id_context(handle, (const unsigned char *)"t", 1);
    if (order->stateful_tickets) {
        SSL_CTX_set_options(handle, SSL_OP_NO_TICKET);
    }
    return handle;
}

static void connect_pair(struct pair *pair, struct tls_ticket *ticket)
{
    buf_init(&pair->out);
    pair->client = tls_stream_new(pair->context, ticket, &pair->out);
    pair->server = SSL_new(pair->handle);
    pair->to_server = BIO_new(BIO_s_mem());
    pair->from_server = BIO_new(BIO_s_mem());
    BIO_set_mem_eof_return(pair->to_server, -1);
    SSL_set_bio(pair->server, pair->to_server, pair->from_server);
    SSL_set_accept_state(pair->server);
}

static void open_pair(struct pair *pair, const struct world *world, const struct pair_order *order,
                      struct tls_ticket *ticket)
{
    pair->context = context_of(&order->options);
    pair->handle = server_handle(world, order);
    connect_pair(pair, ticket);
}

static void disconnect_pair(struct pair *pair)
{
    tls_stream_free(pair->client);
    /* Or OpenSSL drops the session from the server's cache, as after an accident. */
    SSL_set_shutdown(pair->server, SSL_SENT_SHUTDOWN);
    SSL_free(pair->server);
    buf_deinit(&pair->out);
}

static void close_pair(struct pair *pair)
{
    disconnect_pair(pair);
    SSL_CTX_free(pair->handle);
    tls_context_free(pair->context);
}

/* What the client sent goes to the server. */
static void carry_to_server(struct pair *pair)
{
    if (pair->out.len > 0) {
        assert_int_equal(BIO_write(pair->to_server, pair->out.data, (int)pair->out.len),
                         (int)pair->out.len);
        buf_reset(&pair->out);
    }
}

/* What the server sent, for the client. */
static struct str take_from_server(struct pair *pair, struct buf *bytes)
{
    buf_reset(bytes);
    const size_t len = BIO_ctrl_pending(pair->from_server);
    char *place = buf_reserve(bytes, len);
    if (len > 0) {
        assert_int_equal(BIO_read(pair->from_server, place, (int)len), (int)len);
        bytes->len += len;
    }
    return buf_view(bytes);
}

/* Runs the handshake; the server's bytes come in pieces of `piece` bytes. */
static enum tls_step shake_hands(struct pair *pair, size_t piece)
{
    struct buf bytes;
    buf_init(&bytes);
    enum tls_step step = tls_stream_handshake(pair->client);
    for (int turn = 0; turn < 10 && step == TLS_STEP_MORE; turn++) {
        carry_to_server(pair);
        (void)SSL_do_handshake(pair->server);
        struct str flight = take_from_server(pair, &bytes);
        while (flight.len > 0 && step == TLS_STEP_MORE) {
            tls_stream_feed(pair->client, str_slice(flight, 0, piece));
            flight = str_slice(flight, piece, SIZE_MAX);
            step = tls_stream_handshake(pair->client);
        }
        /* What is behind the handshake, tickets, goes to the first read. */
        char plain[16];
        size_t len = 0;
        while (step == TLS_STEP_DONE && flight.len > 0) {
            assert_int_equal(tls_stream_read(pair->client, plain, sizeof plain, &len),
                             TLS_STEP_MORE);
            tls_stream_feed(pair->client, str_slice(flight, 0, piece));
            flight = str_slice(flight, piece, SIZE_MAX);
        }
    }
    if (step == TLS_STEP_DONE) {
        carry_to_server(pair);
        (void)SSL_do_handshake(pair->server);
    }
    buf_deinit(&bytes);
    return step;
}

/* Feeds what the server sent and reads; `text` gets the plaintext, ended by NUL. */
static enum tls_step client_reads(struct pair *pair, char *text, size_t size)
{
    struct buf bytes;
    buf_init(&bytes);
    size_t len = 0;
    enum tls_step step = TLS_STEP_MORE;
    const struct str flight = take_from_server(pair, &bytes);
    if (flight.len > 0) {
        tls_stream_feed(pair->client, flight);
    }
    step = tls_stream_read(pair->client, text, size - 1, &len);
    text[len] = '\0';
    buf_deinit(&bytes);
    return step;
}

static void assert_echo(struct pair *pair)
{
    char text[256];
    assert_int_equal(tls_stream_write(pair->client, STR("question")), TLS_STEP_DONE);
    carry_to_server(pair);
    assert_int_equal(SSL_read(pair->server, text, sizeof text), 8);
    assert_memory_equal(text, "question", 8);
    assert_int_equal(SSL_write(pair->server, "answer", 6), 6);
    assert_int_equal(client_reads(pair, text, sizeof text), TLS_STEP_MORE);
    assert_string_equal(text, "answer");
}

static const int versions[] = {TLS1_2_VERSION, TLS1_3_VERSION};

/* --- the handshake -------------------------------------------------------------------------- */

static void a_verified_server_is_talked_to(void **state)
{
    const struct world *world = *state;
    for (size_t i = 0; i < 2; i++) {
        struct pair pair;
        struct tls_ticket ticket = {0};
        open_pair(&pair, world,
                  &(struct pair_order){.options = trusting(world),
                                       .server_version = versions[i],
                                       .groups = "X25519"},
                  &ticket);
        assert_int_equal(shake_hands(&pair, SIZE_MAX), TLS_STEP_DONE);
        assert_int_equal(SSL_get_verify_result(pair.server), X509_V_OK);
        assert_echo(&pair);
        struct tls_facts facts;
        tls_stream_describe(pair.client, &facts);
        assert_string_equal(facts.protocol, i == 0 ? "TLSv1.2" : "TLSv1.3");
        assert_int_equal(facts.key_bits, 256);
        assert_int_equal(facts.cipher_bits, 256);
        assert_string_equal(facts.subject, "CN=localhost,O=lather tests");
        assert_string_equal(facts.temp_key, "X25519 253 bits");
        tls_ticket_drop(&ticket);
        close_pair(&pair);
    }
}

/* Its server sends no key, but a secret that only our key opens. */
static void a_sealed_secret_is_told_by_the_groups_name(void **state)
{
    static const char sealed[] = "X25519MLKEM768";
    SSL_CTX *probe = SSL_CTX_new(TLS_client_method());
    const bool is_known = SSL_CTX_set1_groups_list(probe, sealed) == 1;
    SSL_CTX_free(probe);
    if (!is_known) {
        skip(); /* before OpenSSL 3.5, or built without */
    }
    struct pair pair;
    struct tls_ticket ticket = {0};
    struct tls_facts facts;
    open_pair(&pair, *state, &(struct pair_order){.options = trusting(*state), .groups = sealed},
              &ticket);
    assert_int_equal(shake_hands(&pair, SIZE_MAX), TLS_STEP_DONE);
    tls_stream_describe(pair.client, &facts);
    assert_string_equal(facts.temp_key, sealed);
    tls_ticket_drop(&ticket);
    close_pair(&pair);
}

/* However the network cuts the server's bytes, the handshake comes to its end. */
static void the_handshake_may_be_cut_at_each_byte(void **state)
{
    const struct world *world = *state;
    for (size_t i = 0; i < 2; i++) {
        struct pair pair;
        struct tls_ticket ticket = {0};
        open_pair(&pair, world,
                  &(struct pair_order){.options = trusting(world), .server_version = versions[i]},
                  &ticket);
        for (size_t piece = 1; piece < 1500; piece = piece < 40 ? piece + 1 : piece + 61) {
            disconnect_pair(&pair);
            tls_ticket_drop(&ticket);
            connect_pair(&pair, &ticket);
            assert_int_equal(shake_hands(&pair, piece), TLS_STEP_DONE);
            assert_echo(&pair);
        }
        tls_ticket_drop(&ticket);
        close_pair(&pair);
    }
}

/* A connection that ends in the middle of the handshake says so, wherever it was. */
static void a_handshake_that_stops_at_any_byte_waits_for_more(void **state)
{
    const struct world *world = *state;
    struct pair pair;
    struct tls_ticket ticket = {0};
    struct buf bytes;
    buf_init(&bytes);
    open_pair(&pair, world, &(struct pair_order){.options = trusting(world)}, &ticket);
    size_t flight_len = 8;
    /* The flights differ by some bytes, as their signatures do. */
    for (size_t cut = 0; cut < flight_len - 7; cut += 7) {
        disconnect_pair(&pair);
        connect_pair(&pair, &ticket);
        assert_int_equal(tls_stream_handshake(pair.client), TLS_STEP_MORE);
        carry_to_server(&pair);
        (void)SSL_do_handshake(pair.server);
        const struct str flight = take_from_server(&pair, &bytes);
        flight_len = flight.len;
        tls_stream_feed(pair.client, str_slice(flight, 0, cut));
        assert_int_equal(tls_stream_handshake(pair.client), TLS_STEP_MORE);
        tls_stream_break(pair.client, TLS_END_CLOSED);
        assert_non_null(
            strstr(tls_stream_reason(pair.client), "connection closed during the handshake"));
    }
    assert_true(flight_len > 500);
    buf_deinit(&bytes);
    close_pair(&pair);
}

/* Bytes spoilt on the way never make a connection, and never more than a failure. */
/* Whether the byte is of a record's version, which is not looked at (RFC 8446 5.1). */
static bool is_record_version(struct str flight, size_t at)
{
    size_t record = 0;
    while (record + 5 <= flight.len && record + 2 < at) {
        const size_t high = (unsigned char)flight.data[record + 3];
        const size_t next = record + 5 + (high << 8 | (unsigned char)flight.data[record + 4]);
        if (next > at) {
            break;
        }
        record = next;
    }
    return at == record + 1 || at == record + 2;
}

static void a_spoilt_handshake_fails(void **state)
{
    const struct world *world = *state;
    struct pair pair;
    struct tls_ticket ticket = {0};
    struct buf bytes;
    buf_init(&bytes);
    open_pair(&pair, world, &(struct pair_order){.options = trusting(world)}, &ticket);
    size_t flight_len = 1;
    for (size_t at = 0; at < flight_len; at += 5) {
        disconnect_pair(&pair);
        connect_pair(&pair, &ticket);
        assert_int_equal(tls_stream_handshake(pair.client), TLS_STEP_MORE);
        carry_to_server(&pair);
        (void)SSL_do_handshake(pair.server);
        const struct str flight = take_from_server(&pair, &bytes);
        flight_len = flight.len;
        /* A flight may be a byte shorter than the one before, by its signature. */
        if (at >= flight.len || is_record_version(flight, at)) {
            continue;
        }
        bytes.data[at] = (char)(bytes.data[at] ^ 0x55);
        tls_stream_feed(pair.client, flight);
        const enum tls_step step = tls_stream_handshake(pair.client);
        assert_true(step == TLS_STEP_FAILED || step == TLS_STEP_MORE);
        if (step == TLS_STEP_FAILED) {
            assert_true(strlen(tls_stream_reason(pair.client)) > 0);
            assert_int_equal(tls_stream_write(pair.client, STR("x")), TLS_STEP_FAILED);
        }
    }
    buf_deinit(&bytes);
    close_pair(&pair);
}

/* --- who is refused, and in which words ----------------------------------------------------- */

static void assert_refused(const struct world *world, const struct pair_order *order,
                           const char *words, const char *hint)
{
    struct pair pair;
    struct tls_ticket ticket = {0};
    open_pair(&pair, world, order, &ticket);
    assert_int_equal(shake_hands(&pair, SIZE_MAX), TLS_STEP_FAILED);
    const char *reason = tls_stream_reason(pair.client);
    if (strstr(reason, words) == NULL || strstr(reason, hint) == NULL) {
        fail_msg("\"%s\" does not say \"%s\" and \"%s\"", reason, words, hint);
    }
    assert_null(ticket.session);
    close_pair(&pair);
}

static void an_expired_certificate_is_refused(void **state)
{
    const struct world *world = *state;
    struct pki expired = pki_make(&(struct pki_order){.common_name = "localhost",
                                                      .names = "DNS:localhost",
                                                      .issuer = &world->authority,
                                                      .from_s = -2 * DAY_S,
                                                      .to_s = -DAY_S});
    struct pki early = pki_make(&(struct pki_order){.common_name = "localhost",
                                                    .names = "DNS:localhost",
                                                    .issuer = &world->authority,
                                                    .from_s = DAY_S,
                                                    .to_s = 2 * DAY_S});
    assert_refused(world, &(struct pair_order){.options = trusting(world), .server = &expired},
                   "certificate has expired", "--insecure");
    assert_refused(world, &(struct pair_order){.options = trusting(world), .server = &early},
                   "certificate is not yet valid", "clock");
    pki_free(&expired);
    pki_free(&early);
}

static void a_certificate_for_another_name_is_refused(void **state)
{
    const struct world *world = *state;
    struct pair_order order = {.options = trusting(world)};
    order.options.host = "web.example.test";
    assert_refused(world, &order, "certificate is for localhost, not for web.example.test",
                   "--insecure");
    order.options.host = "127.0.0.2";
    assert_refused(world, &order, "certificate is for localhost, not for 127.0.0.2", "--insecure");
    struct pki common = pki_make(&(struct pki_order){.common_name = "old.example.test",
                                                     .issuer = &world->authority,
                                                     .from_s = -DAY_S,
                                                     .to_s = DAY_S});
    order.server = &common;
    assert_refused(world, &order, "certificate is for old.example.test", "--insecure");
    pki_free(&common);
}

static void an_unknown_issuer_is_refused(void **state)
{
    const struct world *world = *state;
    struct pki self = pki_make(&(struct pki_order){
        .common_name = "localhost", .names = "DNS:localhost", .from_s = -DAY_S, .to_s = DAY_S});
    struct pair_order order = {.options = trusting(world), .server = &self};
    assert_refused(world, &order, "self-signed certificate", "--cacert");
    struct pki stranger = pki_make(&(struct pki_order){
        .common_name = "Other CA", .from_s = -DAY_S, .to_s = DAY_S, .is_authority = 1});
    struct pki other = pki_make(&(struct pki_order){.common_name = "localhost",
                                                    .names = "DNS:localhost",
                                                    .issuer = &stranger,
                                                    .from_s = -DAY_S,
                                                    .to_s = DAY_S});
    order.server = &other;
    assert_refused(world, &order, "unknown issuer", "--cacert");
    pki_free(&self);
    pki_free(&other);
    pki_free(&stranger);
}

static void insecure_takes_any_certificate(void **state)
{
    const struct world *world = *state;
    struct pki self = pki_make(
        &(struct pki_order){.common_name = "nobody", .from_s = -2 * DAY_S, .to_s = -DAY_S});
    struct pair pair;
    struct tls_ticket ticket = {0};
    open_pair(
        &pair, world,
        &(struct pair_order){.options = {.host = "localhost", .insecure = true}, .server = &self},
        &ticket);
    assert_int_equal(shake_hands(&pair, SIZE_MAX), TLS_STEP_DONE);
    assert_echo(&pair);
    tls_ticket_drop(&ticket);
    close_pair(&pair);
    pki_free(&self);
}

/* Trusting the server's own certificate is enough, whoever signed it. */
static void a_leaf_certificate_can_be_trusted_itself(void **state)
{
    const struct world *world = *state;
    char path[96];
    pki_write(in_folder(world, path, "leaf.pem"), world->server.certificate, NULL, NULL);
    struct pair pair;
    struct tls_ticket ticket = {0};
    open_pair(&pair, world,
              &(struct pair_order){.options = {.host = "127.0.0.1", .authority_file = path}},
              &ticket);
    assert_int_equal(shake_hands(&pair, SIZE_MAX), TLS_STEP_DONE);
    tls_ticket_drop(&ticket);
    close_pair(&pair);
    (void)unlink(path);
}

static void no_version_in_common_names_the_option(void **state)
{
    const struct world *world = *state;
    struct pair_order order = {.options = trusting(world), .server_version = TLS1_3_VERSION};
    order.options.protocol = "TLS1.2";
    assert_refused(world, &order, "protocol version", "-f");
}

static void no_cipher_in_common_names_the_option(void **state)
{
    const struct world *world = *state;
    struct pair_order order = {.options = trusting(world), .server_version = TLS1_2_VERSION};
    order.options.ciphers = "AES128-SHA"; /* RSA only; the server's key is elliptic */
    assert_refused(world, &order, "handshake failure", "-Z");
}

static void assert_not_tls(const struct world *world, struct str answer)
{
    struct pair pair;
    struct tls_ticket ticket = {0};
    open_pair(&pair, world, &(struct pair_order){.options = trusting(world)}, &ticket);
    assert_int_equal(tls_stream_handshake(pair.client), TLS_STEP_MORE);
    tls_stream_feed(pair.client, answer);
    if (tls_stream_handshake(pair.client) == TLS_STEP_MORE) {
        tls_stream_break(pair.client, TLS_END_CLOSED);
    }
    assert_non_null(strstr(tls_stream_reason(pair.client), "use http://"));
    close_pair(&pair);
}

static void a_port_without_tls_says_use_http(void **state)
{
    const struct world *world = *state;
    assert_not_tls(world, STR("HTTP/1.1 400 Bad Request\r\n\r\n"));
    assert_not_tls(world, STR("<!DOCTYPE html>"));
    assert_not_tls(world, STR("H"));
    assert_not_tls(world, STR("220 mail.example.test ESMTP\r\n"));
}

/* --- client certificates -------------------------------------------------------------------- */

/* TLS 1.2 refuses in the handshake, 1.3 only when the first bytes are read. */
static void a_client_certificate_wanted_names_the_option(void **state)
{
    const struct world *world = *state;
    struct pair_order order = {
        .options = trusting(world),
        .server_version = TLS1_2_VERSION,
        .server_wants = SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT,
    };
    assert_refused(world, &order, "handshake failure", "-E FILE");

    struct pair pair;
    struct tls_ticket ticket = {0};
    char text[64];
    order.server_version = TLS1_3_VERSION;
    open_pair(&pair, world, &order, &ticket);
    assert_int_equal(shake_hands(&pair, SIZE_MAX), TLS_STEP_DONE);
    assert_int_equal(tls_stream_write(pair.client, STR("question")), TLS_STEP_DONE);
    carry_to_server(&pair);
    assert_true(SSL_read(pair.server, text, sizeof text) <= 0);
    assert_int_equal(client_reads(&pair, text, sizeof text), TLS_STEP_FAILED);
    assert_non_null(strstr(tls_stream_reason(pair.client), "certificate required"));
    assert_non_null(strstr(tls_stream_reason(pair.client), "-E FILE"));
    close_pair(&pair);
}

static void a_client_certificate_is_shown_when_asked_for(void **state)
{
    const struct world *world = *state;
    for (size_t i = 0; i < 2; i++) {
        struct pair_order order = {
            .options = trusting(world),
            .server_version = versions[i],
            .server_wants = SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT,
        };
        order.options.certificate_file = world->client_path;
        struct pair pair;
        struct tls_ticket ticket = {0};
        open_pair(&pair, world, &order, &ticket);
        assert_int_equal(shake_hands(&pair, SIZE_MAX), TLS_STEP_DONE);
        assert_echo(&pair);
        assert_int_equal(
            X509_cmp(SSL_get0_peer_certificate(pair.server), world->client.certificate), 0);
        tls_ticket_drop(&ticket);
        close_pair(&pair);
    }
}

/* IIS with TLS 1.3: the certificate is asked for when the request has been read. */
static void a_certificate_can_be_asked_for_after_the_handshake(void **state)
{
    const struct world *world = *state;
    struct pair_order order = {.options = trusting(world), .server_version = TLS1_3_VERSION};
    order.options.certificate_file = world->client_path;
    struct pair pair;
    struct tls_ticket ticket = {0};
    char text[64];
    open_pair(&pair, world, &order, &ticket);
    assert_int_equal(shake_hands(&pair, SIZE_MAX), TLS_STEP_DONE);
    assert_echo(&pair);
    SSL_set_verify(pair.server, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
    assert_int_equal(SSL_verify_client_post_handshake(pair.server), 1);
    assert_int_equal(SSL_do_handshake(pair.server), 1);
    assert_int_equal(client_reads(&pair, text, sizeof text), TLS_STEP_MORE);
    assert_string_equal(text, "");
    assert_true(pair.out.len > 0);
    carry_to_server(&pair);
    assert_true(SSL_read(pair.server, text, sizeof text) <= 0);
    assert_int_equal(X509_cmp(SSL_get0_peer_certificate(pair.server), world->client.certificate),
                     0);
    assert_echo(&pair);
    tls_ticket_drop(&ticket);
    close_pair(&pair);
}

/* --- B058: a handshake or a key update in the middle of things ------------------------------- */

/* Reads all that the server has; returns how many bytes were as they should be. */
static size_t server_reads(struct pair *pair, struct str body, size_t done)
{
    static char plain[TLS_STREAM_WRITE_MOST];
    int got;
    while ((got = SSL_read(pair->server, plain, sizeof plain)) > 0) {
        assert_true(done + (size_t)got <= body.len);
        assert_memory_equal(plain, body.data + done, (size_t)got);
        done += (size_t)got;
    }
    return done;
}

static char *big_body(size_t len)
{
    char *bytes = check_malloc(len);
    for (size_t i = 0; i < len; i++) {
        bytes[i] = (char)(i * 2654435761U >> 16);
    }
    return bytes;
}

static void key_updates_in_the_middle_of_a_big_post_are_answered(void **state)
{
    const struct world *world = *state;
    struct pair pair;
    struct tls_ticket ticket = {0};
    const size_t len = 1000000;
    char *bytes = big_body(len);
    const struct str body = str_of(bytes, len);
    open_pair(&pair, world,
              &(struct pair_order){.options = trusting(world), .server_version = TLS1_3_VERSION},
              &ticket);
    assert_int_equal(shake_hands(&pair, SIZE_MAX), TLS_STEP_DONE);
    size_t read = 0;
    for (size_t at = 0; at < len; at += TLS_STREAM_WRITE_MOST) {
        char text[8];
        assert_int_equal(
            tls_stream_write(pair.client, str_slice(body, at, at + TLS_STREAM_WRITE_MOST)),
            TLS_STEP_DONE);
        carry_to_server(&pair);
        read = server_reads(&pair, body, read);
        assert_int_equal(SSL_key_update(pair.server, SSL_KEY_UPDATE_REQUESTED), 1);
        assert_int_equal(SSL_do_handshake(pair.server), 1);
        assert_int_equal(client_reads(&pair, text, sizeof text), TLS_STEP_MORE);
    }
    carry_to_server(&pair);
    assert_int_equal(server_reads(&pair, body, read), len);
    assert_echo(&pair);
    tls_ticket_drop(&ticket);
    close_pair(&pair);
    free(bytes);
}

/* As IIS does it to ask for a certificate: the write waits for bytes and is repeated as it was. */
static void a_renegotiation_in_the_middle_of_a_big_post_holds_the_write(void **state)
{
    const struct world *world = *state;
    struct pair_order order = {.options = trusting(world), .server_version = TLS1_2_VERSION};
    order.options.certificate_file = world->client_path;
    struct pair pair;
    struct tls_ticket ticket = {0};
    char text[8];
    const size_t len = 3 * TLS_STREAM_WRITE_MOST;
    char *bytes = big_body(len);
    const struct str body = str_of(bytes, len);
    open_pair(&pair, world, &order, &ticket);
    assert_int_equal(shake_hands(&pair, SIZE_MAX), TLS_STEP_DONE);
    assert_int_equal(tls_stream_write(pair.client, str_slice(body, 0, TLS_STREAM_WRITE_MOST)),
                     TLS_STEP_DONE);
    carry_to_server(&pair);
    size_t read = server_reads(&pair, body, 0);
    SSL_set_verify(pair.server, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
    assert_int_equal(SSL_renegotiate(pair.server), 1);
    assert_int_equal(SSL_do_handshake(pair.server), 1);
    assert_int_equal(client_reads(&pair, text, sizeof text), TLS_STEP_MORE);
    int waits = 0;
    const struct str next = str_slice(body, TLS_STREAM_WRITE_MOST, 2 * TLS_STREAM_WRITE_MOST);
    enum tls_step step;
    while ((step = tls_stream_write(pair.client, next)) == TLS_STEP_MORE && waits < 10) {
        waits++;
        carry_to_server(&pair);
        (void)SSL_do_handshake(pair.server);
        read = server_reads(&pair, body, read);
        assert_int_equal(client_reads(&pair, text, sizeof text), TLS_STEP_MORE);
    }
    assert_int_equal(step, TLS_STEP_DONE);
    assert_true(waits > 0);
    assert_int_equal(tls_stream_write(pair.client, str_slice(body, 2 * TLS_STREAM_WRITE_MOST, len)),
                     TLS_STEP_DONE);
    carry_to_server(&pair);
    assert_int_equal(server_reads(&pair, body, read), len);
    assert_int_equal(X509_cmp(SSL_get0_peer_certificate(pair.server), world->client.certificate),
                     0);
    assert_echo(&pair);
    tls_ticket_drop(&ticket);
    close_pair(&pair);
    free(bytes);
}

/* --- reading and the end -------------------------------------------------------------------- */

static void a_full_buffer_is_no_end(void **state)
{
    const struct world *world = *state;
    struct pair pair;
    struct tls_ticket ticket = {0};
    struct buf bytes;
    buf_init(&bytes);
    open_pair(&pair, world, &(struct pair_order){.options = trusting(world)}, &ticket);
    assert_int_equal(shake_hands(&pair, SIZE_MAX), TLS_STEP_DONE);
    assert_echo(&pair);
    assert_int_equal(SSL_write(pair.server, "0123456789", 10), 10);
    assert_int_equal(SSL_write(pair.server, "abcde", 5), 5);
    assert_int_equal(SSL_shutdown(pair.server), 0);
    char plain[4];
    size_t len = 0;
    tls_stream_feed(pair.client, take_from_server(&pair, &bytes));
    char gathered[16] = "";
    enum tls_step step;
    while ((step = tls_stream_read(pair.client, plain, sizeof plain, &len)) == TLS_STEP_DONE) {
        assert_int_equal(len, 4);
        strncat(gathered, plain, len);
    }
    strncat(gathered, plain, len);
    assert_int_equal(step, TLS_STEP_CLOSED); /* behind the bytes that came before it */
    assert_string_equal(gathered, "0123456789abcde");
    buf_deinit(&bytes);
    tls_ticket_drop(&ticket);
    close_pair(&pair);
}

static void finishing_says_so_to_the_server(void **state)
{
    const struct world *world = *state;
    struct pair pair;
    struct tls_ticket ticket = {0};
    char text[8];
    open_pair(&pair, world, &(struct pair_order){.options = trusting(world)}, &ticket);
    tls_stream_finish(pair.client);
    assert_int_equal(pair.out.len, 0); /* before the handshake there is nothing to end */
    assert_int_equal(shake_hands(&pair, SIZE_MAX), TLS_STEP_DONE);
    tls_stream_finish(pair.client);
    carry_to_server(&pair);
    const int got = SSL_read(pair.server, text, sizeof text);
    assert_int_equal(SSL_get_error(pair.server, got), SSL_ERROR_ZERO_RETURN);
    tls_ticket_drop(&ticket);
    close_pair(&pair);
}

/* --- resumption ----------------------------------------------------------------------------- */

static void a_ticket_resumes_the_next_connection(void **state)
{
    const struct world *world = *state;
    for (int i = 0; i < 4; i++) {
        struct pair pair;
        struct tls_ticket ticket = {0};
        open_pair(&pair, world,
                  &(struct pair_order){.options = trusting(world),
                                       .server_version = versions[i / 2],
                                       .stateful_tickets = i % 2 == 1},
                  &ticket);
        for (int k = 0; k < 5; k++) {
            assert_int_equal(shake_hands(&pair, SIZE_MAX), TLS_STEP_DONE);
            assert_int_equal(tls_stream_is_resumed(pair.client), k > 0);
            assert_echo(&pair);
            assert_non_null(ticket.session);
            disconnect_pair(&pair);
            connect_pair(&pair, &ticket);
        }
        tls_ticket_drop(&ticket);
        close_pair(&pair);
    }
}

static void no_resume_makes_each_handshake_a_full_one(void **state)
{
    const struct world *world = *state;
    for (size_t i = 0; i < 2; i++) {
        struct pair pair;
        struct tls_ticket ticket = {0};
        struct pair_order order = {.options = trusting(world), .server_version = versions[i]};
        order.options.no_resume = true;
        open_pair(&pair, world, &order, &ticket);
        for (int k = 0; k < 3; k++) {
            assert_int_equal(shake_hands(&pair, SIZE_MAX), TLS_STEP_DONE);
            assert_false(tls_stream_is_resumed(pair.client));
            assert_echo(&pair);
            assert_null(ticket.session);
            disconnect_pair(&pair);
            connect_pair(&pair, &ticket);
        }
        close_pair(&pair);
    }
}

/* --- B059: the server name ------------------------------------------------------------------ */

static void assert_server_name(const struct world *world, struct tls_options options,
                               const char *expected)
{
    struct pair pair;
    struct tls_ticket ticket = {0};
    options.insecure = true;
    open_pair(&pair, world, &(struct pair_order){.options = options}, &ticket);
    assert_int_equal(shake_hands(&pair, SIZE_MAX), TLS_STEP_DONE);
    const char *name = SSL_get_servername(pair.server, TLSEXT_NAMETYPE_host_name);
    if (expected == NULL) {
        assert_null(name);
    } else {
        assert_string_equal(name, expected);
    }
    tls_ticket_drop(&ticket);
    close_pair(&pair);
}

static void the_server_name_is_sent_unless_it_is_an_address(void **state)
{
    const struct world *world = *state;
    assert_server_name(world, (struct tls_options){.host = "web.example.test"}, "web.example.test");
    assert_server_name(world, (struct tls_options){.host = "web.example.test."},
                       "web.example.test");
    assert_server_name(world, (struct tls_options){.host = "127.0.0.1"}, NULL);
    assert_server_name(world, (struct tls_options){.host = "::1"}, NULL);
    assert_server_name(
        world, (struct tls_options){.host = "web.example.test", .omit_server_name = true}, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_verified_server_is_talked_to),
        cmocka_unit_test(a_sealed_secret_is_told_by_the_groups_name),
        cmocka_unit_test(the_handshake_may_be_cut_at_each_byte),
        cmocka_unit_test(a_handshake_that_stops_at_any_byte_waits_for_more),
        cmocka_unit_test(a_spoilt_handshake_fails),
        cmocka_unit_test(an_expired_certificate_is_refused),
        cmocka_unit_test(a_certificate_for_another_name_is_refused),
        cmocka_unit_test(an_unknown_issuer_is_refused),
        cmocka_unit_test(insecure_takes_any_certificate),
        cmocka_unit_test(a_leaf_certificate_can_be_trusted_itself),
        cmocka_unit_test(no_version_in_common_names_the_option),
        cmocka_unit_test(no_cipher_in_common_names_the_option),
        cmocka_unit_test(a_port_without_tls_says_use_http),
        cmocka_unit_test(a_client_certificate_wanted_names_the_option),
        cmocka_unit_test(a_client_certificate_is_shown_when_asked_for),
        cmocka_unit_test(a_certificate_can_be_asked_for_after_the_handshake),
        cmocka_unit_test(key_updates_in_the_middle_of_a_big_post_are_answered),
        cmocka_unit_test(a_renegotiation_in_the_middle_of_a_big_post_holds_the_write),
        cmocka_unit_test(a_full_buffer_is_no_end),
        cmocka_unit_test(finishing_says_so_to_the_server),
        cmocka_unit_test(a_ticket_resumes_the_next_connection),
        cmocka_unit_test(no_resume_makes_each_handshake_a_full_one),
        cmocka_unit_test(the_server_name_is_sent_unless_it_is_an_address),
    };
    return cmocka_run_group_tests(tests, make_world, free_world);
}
