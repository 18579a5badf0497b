/* SPDX-License-Identifier: Apache-2.0 */
/*
 * platform.h for Linux and other POSIX systems: sockets for a library that is given them. What only
 * Linux tells (bytes received, acknowledgements at once) is answered with false elsewhere. Errors
 * are errno's, for uv_translate_sys_error; win32/sockets.c is the same for Windows.
 */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* TCP_CLOSE_WAIT and its kin, MSG_DONTWAIT */
#endif

#include "lather/base/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

bool platform_quickack(intptr_t socket)
{
#if defined(TCP_QUICKACK)
    int on = 1;
    return setsockopt((int)socket, IPPROTO_TCP, TCP_QUICKACK, &on, sizeof on) == 0;
#else
    (void)socket;
    return false;
#endif
}

static bool set_buffers(int descriptor, uint64_t bytes)
{
    int size = bytes < INT_MAX ? (int)bytes : INT_MAX;
    return bytes == 0 || (setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, sizeof size) == 0 &&
                          setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, sizeof size) == 0);
}

static bool bind_socket(int descriptor, const struct sockaddr *address)
{
    if (address == NULL) {
        return true;
    }
    socklen_t size =
        address->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
    return bind(descriptor, address, size) == 0;
}

intptr_t platform_socket_open(int family, const struct sockaddr *bind_to, uint64_t buffer_bytes,
                              int *system_error)
{
    int descriptor = socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP);
    if (descriptor >= 0 && set_buffers(descriptor, buffer_bytes) &&
        bind_socket(descriptor, bind_to)) {
        *system_error = 0;
        return descriptor;
    }
    *system_error = errno;
    if (descriptor >= 0) {
        (void)close(descriptor);
    }
    return -1;
}

static bool listen_on(int descriptor, uint16_t *port, int backlog)
{
    int on = 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(*port)};
    socklen_t size = sizeof address;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    /* Without it the port of a service that ended a moment ago could not be had again. */
    if (setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
        bind(descriptor, (const struct sockaddr *)&address, size) != 0 ||
        listen(descriptor, backlog) != 0 ||
        getsockname(descriptor, (struct sockaddr *)&address, &size) != 0) {
        return false;
    }
    *port = ntohs(address.sin_port);
    return true;
}

intptr_t platform_listen(uint16_t *port, int backlog, int *system_error)
{
    int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP);
    if (descriptor >= 0 && listen_on(descriptor, port, backlog)) {
        *system_error = 0;
        return descriptor;
    }
    *system_error = errno;
    if (descriptor >= 0) {
        (void)close(descriptor);
    }
    return -1;
}

intptr_t platform_accept(intptr_t listener, int *system_error)
{
    int descriptor;
    do {
        descriptor = accept((int)listener, NULL, NULL);
        /* A client that left before it was accepted is none. */
    } while (descriptor < 0 && (errno == EINTR || errno == ECONNABORTED));
    if (descriptor >= 0) {
        (void)fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    }
    *system_error = descriptor >= 0 || errno == EAGAIN || errno == EWOULDBLOCK ? 0 : errno;
    return descriptor;
}

void platform_socket_close(intptr_t socket)
{
    (void)close((int)socket);
}

enum { PEEK_SIZE = 64 * 1024 };

#if defined(__linux__)
/* struct tcp_info of linux/tcp.h, which only grows; glibc's ends before what is wanted here. */
enum { TCP_INFO_STATE = 0, TCP_INFO_BYTES_RECEIVED = 128, TCP_INFO_WANTED = 136 };

static bool read_tcp_info(int descriptor, unsigned char info[TCP_INFO_WANTED])
{
    socklen_t size = TCP_INFO_WANTED;
    return getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, info, &size) == 0 &&
           size == TCP_INFO_WANTED;
}
#endif

bool platform_socket_received(intptr_t socket, uint64_t *bytes)
{
#if defined(__linux__)
    unsigned char info[TCP_INFO_WANTED] = {0};
    int state = -1;
    uint64_t before = UINT64_MAX;
    *bytes = 0;
    /* The state is read first, the count last: until neither changed in between. */
    while (before != *bytes || state != info[TCP_INFO_STATE]) {
        before = *bytes;
        state = info[TCP_INFO_STATE];
        if (!read_tcp_info((int)socket, info)) {
            return false;
        }
        memcpy(bytes, info + TCP_INFO_BYTES_RECEIVED, sizeof *bytes);
    }
    /* The peer's FIN is counted as a byte (RFC 9293 3.4). */
    const bool has_fin = state == TCP_CLOSE_WAIT || state == TCP_LAST_ACK || state == TCP_CLOSING ||
                         state == TCP_CLOSE;
    *bytes -= has_fin && *bytes > 0 ? 1 : 0;
    return true;
#else
    (void)socket;
    (void)bytes;
    return false;
#endif
}

void platform_socket_end(intptr_t socket)
{
    char bytes[PEEK_SIZE];
    (void)recv((int)socket, bytes, sizeof bytes, MSG_DONTWAIT);
    (void)shutdown((int)socket, SHUT_RDWR);
}

static ptrdiff_t receive(intptr_t socket, char *bytes, size_t size, int flags)
{
    ssize_t count = recv((int)socket, bytes, size, flags | MSG_DONTWAIT);
    if (count >= 0) {
        return count;
    }
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? -1 : 0;
}

ptrdiff_t platform_socket_peek(intptr_t socket)
{
    char bytes[PEEK_SIZE];
    return receive(socket, bytes, sizeof bytes, MSG_PEEK);
}

ptrdiff_t platform_socket_drain(intptr_t socket)
{
    char bytes[PEEK_SIZE];
    return receive(socket, bytes, sizeof bytes, 0);
}

ptrdiff_t platform_socket_read(intptr_t socket, char *bytes, size_t size)
{
    return receive(socket, bytes, size, 0);
}

bool platform_has_quickack(void)
{
#if defined(TCP_QUICKACK)
    return true;
#else
    return false;
#endif
}
