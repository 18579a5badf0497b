/* SPDX-License-Identifier: Apache-2.0 */
/* Sockets made for a library: bound, without blocking, looked into without reading. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <arpa/inet.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lather/base/platform.h"

static struct sockaddr_in loopback(const char *address)
{
    struct sockaddr_in name = {.sin_family = AF_INET};
    assert_int_equal(inet_pton(AF_INET, address, &name.sin_addr), 1);
    return name;
}

static void a_socket_is_bound_and_does_not_block(void **state)
{
    (void)state;
    struct sockaddr_in name = loopback("127.0.0.3");
    int error = -1;
    intptr_t made =
        platform_socket_open(AF_INET, (const struct sockaddr *)&name, 64 * 1024, &error);
    assert_true(made >= 0);
    assert_int_equal(error, 0);
    assert_true((fcntl((int)made, F_GETFL) & O_NONBLOCK) != 0);
    struct sockaddr_in got;
    socklen_t size = sizeof got;
    assert_int_equal(getsockname((int)made, (struct sockaddr *)&got, &size), 0);
    assert_int_equal(got.sin_addr.s_addr, name.sin_addr.s_addr);
    int bytes = 0;
    size = sizeof bytes;
    assert_int_equal(getsockopt((int)made, SOL_SOCKET, SO_SNDBUF, &bytes, &size), 0);
    assert_true(bytes >= 64 * 1024);
    platform_socket_close(made);
}

static void an_address_of_another_machine_is_an_error(void **state)
{
    (void)state;
    struct sockaddr_in name = loopback("203.0.113.7");
    int error = 0;
    assert_int_equal(platform_socket_open(AF_INET, (const struct sockaddr *)&name, 0, &error), -1);
    assert_int_equal(error, EADDRNOTAVAIL);
}

static void what_waits_is_seen_and_stays(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    assert_int_equal(platform_socket_peek(ends[0]), -1);
    assert_int_equal(write(ends[1], "abc", 3), 3);
    assert_int_equal(platform_socket_peek(ends[0]), 3);
    assert_int_equal(platform_socket_peek(ends[0]), 3);
    char bytes[8];
    assert_int_equal(read(ends[0], bytes, sizeof bytes), 3);
    assert_int_equal(close(ends[1]), 0);
    assert_int_equal(platform_socket_peek(ends[0]), 0);
    platform_socket_close(ends[0]);
}

static void an_ended_socket_is_found_closed(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    assert_int_equal(write(ends[1], "abc", 3), 3);
    platform_socket_end(ends[0]);
    assert_int_equal(platform_socket_peek(ends[0]), 0);
    platform_socket_close(ends[0]);
    assert_int_equal(close(ends[1]), 0);
}

/* A pair of connected TCP sockets: ends[0] connected, ends[1] accepted. */
static void connect_pair(int ends[2])
{
    struct sockaddr_in name = loopback("127.0.0.1");
    socklen_t size = sizeof name;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(listener, (const struct sockaddr *)&name, sizeof name), 0);
    assert_int_equal(listen(listener, 1), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&name, &size), 0);
    ends[0] = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(connect(ends[0], (const struct sockaddr *)&name, sizeof name), 0);
    ends[1] = accept(listener, NULL, NULL);
    assert_true(ends[1] >= 0);
    assert_int_equal(close(listener), 0);
}

static void received_bytes_are_counted_read_or_not(void **state)
{
    (void)state;
    int ends[2];
    uint64_t bytes = 77;
    connect_pair(ends);
    if (!platform_socket_received(ends[0], &bytes)) {
        skip();
    }
    assert_int_equal(bytes, 0);
    assert_int_equal(write(ends[1], "abc", 3), 3);
    while (platform_socket_peek(ends[0]) != 3) {
    }
    assert_true(platform_socket_received(ends[0], &bytes));
    assert_int_equal(bytes, 3);
    char text[3];
    assert_int_equal(read(ends[0], text, sizeof text), 3);
    /* the end of the stream is no byte of it */
    assert_int_equal(close(ends[1]), 0);
    while (platform_socket_peek(ends[0]) != 0) {
    }
    assert_true(platform_socket_received(ends[0], &bytes));
    assert_int_equal(bytes, 3);
    assert_int_equal(close(ends[0]), 0);
    assert_false(platform_socket_received(-1, &bytes));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_socket_is_bound_and_does_not_block),
        cmocka_unit_test(an_address_of_another_machine_is_an_error),
        cmocka_unit_test(what_waits_is_seen_and_stays),
        cmocka_unit_test(an_ended_socket_is_found_closed),
        cmocka_unit_test(received_bytes_are_counted_read_or_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
