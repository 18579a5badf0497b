/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sockets made for a library: bound, without blocking, looked into without reading. In calls that
 * POSIX and Winsock share (libuv's header brings either), so that both implementations are tested.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <uv.h>

#include "lather/base/platform.h"

static struct sockaddr_in loopback(const char *address)
{
    struct sockaddr_in name;
    assert_int_equal(uv_ip4_addr(address, 0, &name), 0);
    return name;
}

static intptr_t open_at(const char *address, uint64_t buffer_bytes)
{
    struct sockaddr_in name = loopback(address);
    int error = -1;
    const intptr_t made =
        platform_socket_open(AF_INET, (const struct sockaddr *)&name, buffer_bytes, &error);
    assert_true(made >= 0);
    assert_int_equal(error, 0);
    return made;
}

static struct sockaddr_in name_of(intptr_t socket)
{
    struct sockaddr_in name;
    socklen_t size = sizeof name;
    assert_int_equal(getsockname((uv_os_sock_t)socket, (struct sockaddr *)&name, &size), 0);
    return name;
}

static intptr_t accept_one(intptr_t listener)
{
    return (intptr_t)accept((uv_os_sock_t)listener, NULL, NULL);
}

/* Two ends of one connection. */
static void pair(intptr_t ends[2])
{
    const intptr_t listener = open_at("127.0.0.1", 0);
    assert_int_equal(listen((uv_os_sock_t)listener, 1), 0);
    const struct sockaddr_in name = name_of(listener);
    ends[0] = open_at("127.0.0.1", 0);
    (void)connect((uv_os_sock_t)ends[0], (const struct sockaddr *)&name, sizeof name);
    while ((ends[1] = accept_one(listener)) < 0) {
        uv_sleep(1);
    }
    platform_socket_close(listener);
}

static void write_abc(intptr_t end)
{
    assert_int_equal(send((uv_os_sock_t)end, "abc", 3, 0), 3);
}

static void read_abc(intptr_t end)
{
    char bytes[8];
    assert_int_equal(recv((uv_os_sock_t)end, bytes, sizeof bytes, 0), 3);
}

static ptrdiff_t peek_when_something_came(intptr_t end)
{
    ptrdiff_t seen = platform_socket_peek(end);
    while (seen < 0) {
        uv_sleep(1);
        seen = platform_socket_peek(end);
    }
    return seen;
}

static void a_socket_is_bound(void **state)
{
    (void)state;
    const intptr_t made = open_at("127.0.0.3", 64 * 1024);
    assert_int_equal(name_of(made).sin_addr.s_addr, loopback("127.0.0.3").sin_addr.s_addr);
    int bytes = 0;
    socklen_t size = sizeof bytes;
    assert_int_equal(getsockopt((uv_os_sock_t)made, SOL_SOCKET, SO_SNDBUF, (void *)&bytes, &size),
                     0);
    assert_true(bytes >= 64 * 1024);
    platform_socket_close(made);
}

/* Nobody calls it: a socket that blocks would keep the test from ending. */
static void a_socket_does_not_block(void **state)
{
    (void)state;
    const intptr_t made = open_at("127.0.0.1", 0);
    assert_int_equal(listen((uv_os_sock_t)made, 1), 0);
    assert_true(accept_one(made) < 0);
    platform_socket_close(made);
}

static void an_address_of_another_machine_is_an_error(void **state)
{
    (void)state;
    struct sockaddr_in name = loopback("203.0.113.7");
    int error = 0;
    assert_int_equal(platform_socket_open(AF_INET, (const struct sockaddr *)&name, 0, &error), -1);
    assert_int_equal(uv_translate_sys_error(error), UV_EADDRNOTAVAIL);
}

static void what_waits_is_seen_and_stays(void **state)
{
    (void)state;
    intptr_t ends[2];
    pair(ends);
    assert_int_equal(platform_socket_peek(ends[0]), -1);
    write_abc(ends[1]);
    assert_int_equal(peek_when_something_came(ends[0]), 3);
    assert_int_equal(platform_socket_peek(ends[0]), 3);
    read_abc(ends[0]);
    platform_socket_close(ends[1]);
    assert_int_equal(peek_when_something_came(ends[0]), 0);
    platform_socket_close(ends[0]);
}

static void an_ended_socket_is_found_closed(void **state)
{
    (void)state;
    intptr_t ends[2];
    pair(ends);
    write_abc(ends[1]);
    assert_int_equal(peek_when_something_came(ends[0]), 3);
    platform_socket_end(ends[0]);
    assert_int_equal(platform_socket_peek(ends[0]), 0);
    platform_socket_close(ends[0]);
    platform_socket_close(ends[1]);
}

static void received_bytes_are_counted_read_or_not(void **state)
{
    (void)state;
    intptr_t ends[2];
    uint64_t bytes = 77;
    pair(ends);
    if (!platform_socket_received(ends[0], &bytes)) {
        skip();
    }
    assert_int_equal(bytes, 0);
    write_abc(ends[1]);
    assert_int_equal(peek_when_something_came(ends[0]), 3);
    assert_true(platform_socket_received(ends[0], &bytes));
    assert_int_equal(bytes, 3);
    read_abc(ends[0]);
    /* the end of the stream is no byte of it */
    platform_socket_close(ends[1]);
    assert_int_equal(peek_when_something_came(ends[0]), 0);
    assert_true(platform_socket_received(ends[0], &bytes));
    assert_int_equal(bytes, 3);
    platform_socket_close(ends[0]);
    assert_false(platform_socket_received(-1, &bytes));
}

static int start_sockets(void **state) /* Winsock is started by libuv's first loop */
{
    (void)state;
    return uv_default_loop() == NULL;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_socket_is_bound),
        cmocka_unit_test(a_socket_does_not_block),
        cmocka_unit_test(an_address_of_another_machine_is_an_error),
        cmocka_unit_test(what_waits_is_seen_and_stays),
        cmocka_unit_test(an_ended_socket_is_found_closed),
        cmocka_unit_test(received_bytes_are_counted_read_or_not),
    };
    return cmocka_run_group_tests(tests, start_sockets, NULL);
}
