/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A connection whose peer resets it at the worst of moments: between the connect, or an answer, and
 * the write that follows. The peer is a listening socket in the same thread, so that the reset is
 * there for certain when the write is tried, which no server beside us could promise.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lather/net/connection.h"

struct peer {
    uv_loop_t loop;
    struct connector *connector;
    struct connection *connection;
    int listener;
    int accepted;
    bool resets_first; /* before anything is sent; else after the first answer */
    int sent_calls;
    int ended_calls;
    int write_error;
    size_t sent_bytes;
};

static void peer_reset(struct peer *peer)
{
    const struct linger at_once = {.l_onoff = 1, .l_linger = 0};
    assert_int_equal(setsockopt(peer->accepted, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once)),
                     0);
    assert_int_equal(close(peer->accepted), 0);
}

static void peer_send_request(struct peer *peer)
{
    const struct str request = STR("POST / HTTP/1.1\r\n\r\n");
    int error = 0;
    if (connection_send(peer->connection, &request, 1, &error) == CONNECTION_SENT_ALL) {
        peer->sent_bytes += request.len;
    }
}

static void on_opened(void *owner, uint64_t now_ns, int error)
{
    struct peer *peer = owner;
    (void)now_ns;
    assert_int_equal(error, 0);
    peer->accepted = accept(peer->listener, NULL, NULL);
    assert_true(peer->accepted >= 0);
    if (peer->resets_first) {
        peer_reset(peer);
    } else {
        assert_int_equal(write(peer->accepted, "an answer", 9), 9);
    }
    peer_send_request(peer);
}

static void on_sent(void *owner, uint64_t now_ns, int error)
{
    (void)now_ns;
    (void)error;
    ((struct peer *)owner)->sent_calls++;
}

static void on_received(void *owner, uint64_t now_ns, const char *data, size_t len)
{
    struct peer *peer = owner;
    (void)now_ns;
    (void)data;
    (void)len;
    peer_reset(peer);
    peer_send_request(peer);
}

static void on_ended(void *owner, uint64_t now_ns, int error)
{
    struct peer *peer = owner;
    (void)now_ns;
    (void)error;
    peer->ended_calls++;
    peer->write_error = connection_write_error(peer->connection);
    connection_close(peer->connection);
    uv_stop(&peer->loop);
}

static void peer_run(struct peer *peer)
{
    struct sockaddr_storage address = {.ss_family = AF_INET};
    ((struct sockaddr_in *)&address)->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t len = sizeof(struct sockaddr_in);
    peer->listener = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(peer->listener, (struct sockaddr *)&address, len), 0);
    assert_int_equal(listen(peer->listener, 4), 0);
    assert_int_equal(getsockname(peer->listener, (struct sockaddr *)&address, &len), 0);
    assert_int_equal(uv_loop_init(&peer->loop), 0);
    const struct connection_events events = {
        .opened = on_opened, .sent = on_sent, .received = on_received, .ended = on_ended};
    peer->connector = connector_new(&peer->loop, &events, &(struct connector_options){0});
    int error = 0;
    peer->connection = connection_open(peer->connector, peer, &address, NULL, &error);
    assert_non_null(peer->connection);
    (void)uv_run(&peer->loop, UV_RUN_DEFAULT);
    (void)uv_run(&peer->loop, UV_RUN_DEFAULT);
    connector_free(peer->connector);
    assert_int_equal(uv_loop_close(&peer->loop), 0);
    assert_int_equal(close(peer->listener), 0);
}

/* The owner that waited for `sent` only, or for both, would wait for ever. */
static void a_reset_before_the_first_write_ends_the_connection(void **state)
{
    (void)state;
    struct peer peer = {.resets_first = true};
    peer_run(&peer);
    assert_int_equal(peer.ended_calls, 1);
    assert_int_equal(peer.sent_calls, 0);
    assert_int_equal(peer.sent_bytes, 0);
    assert_true(peer.write_error == UV_ECONNRESET || peer.write_error == UV_EPIPE);
}

static void a_reset_before_a_later_write_ends_the_connection(void **state)
{
    (void)state;
    struct peer peer = {.resets_first = false};
    peer_run(&peer);
    assert_int_equal(peer.ended_calls, 1);
    assert_int_equal(peer.sent_calls, 0);
    assert_true(peer.write_error == UV_ECONNRESET || peer.write_error == UV_EPIPE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reset_before_the_first_write_ends_the_connection),
        cmocka_unit_test(a_reset_before_a_later_write_ends_the_connection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
