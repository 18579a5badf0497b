/* SPDX-License-Identifier: Apache-2.0 */
/*
 * platform.h for Windows: sockets for a library that is given them, and how long their ports rest.
 * A SOCKET is a handle, and fits an intptr_t; errors are Winsock's own, for uv_translate_sys_error.
 */
#include "lather/base/platform.h"

#include <winsock2.h>
#include <ws2tcpip.h>

#include <limits.h>
#include <winreg.h>

enum { PEEK_SIZE = 64 * 1024 };

static bool set_buffers(SOCKET handle, uint64_t bytes)
{
    int size = bytes < INT_MAX ? (int)bytes : INT_MAX;
    return bytes == 0 ||
           (setsockopt(handle, SOL_SOCKET, SO_SNDBUF, (const char *)&size, sizeof size) == 0 &&
            setsockopt(handle, SOL_SOCKET, SO_RCVBUF, (const char *)&size, sizeof size) == 0);
}

static bool bind_socket(SOCKET handle, const struct sockaddr *address)
{
    if (address == NULL) {
        return true;
    }
    int size = address->sa_family == AF_INET6 ? (int)sizeof(struct sockaddr_in6)
                                              : (int)sizeof(struct sockaddr_in);
    return bind(handle, address, size) == 0;
}

intptr_t platform_socket_open(int family, const struct sockaddr *bind_to, uint64_t buffer_bytes,
                              int *system_error)
{
    u_long on = 1;
    SOCKET handle = WSASocketW(family, SOCK_STREAM, IPPROTO_TCP, NULL, 0,
                               WSA_FLAG_OVERLAPPED | WSA_FLAG_NO_HANDLE_INHERIT);
    if (handle != INVALID_SOCKET && ioctlsocket(handle, (long)FIONBIO, &on) == 0 &&
        set_buffers(handle, buffer_bytes) && bind_socket(handle, bind_to)) {
        *system_error = 0;
        return (intptr_t)handle;
    }
    *system_error = WSAGetLastError();
    if (handle != INVALID_SOCKET) {
        (void)closesocket(handle);
    }
    return -1;
}

static bool listen_on(SOCKET handle, uint16_t *port, int backlog)
{
    u_long on = 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(*port)};
    int size = sizeof address;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (ioctlsocket(handle, (long)FIONBIO, &on) != 0 ||
        bind(handle, (const struct sockaddr *)&address, size) != 0 ||
        listen(handle, backlog) != 0 ||
        getsockname(handle, (struct sockaddr *)&address, &size) != 0) {
        return false;
    }
    *port = ntohs(address.sin_port);
    return true;
}

intptr_t platform_listen(uint16_t *port, int backlog, int *system_error)
{
    SOCKET handle = WSASocketW(AF_INET, SOCK_STREAM, IPPROTO_TCP, NULL, 0,
                               WSA_FLAG_OVERLAPPED | WSA_FLAG_NO_HANDLE_INHERIT);
    if (handle != INVALID_SOCKET && listen_on(handle, port, backlog)) {
        *system_error = 0;
        return (intptr_t)handle;
    }
    *system_error = WSAGetLastError();
    if (handle != INVALID_SOCKET) {
        (void)closesocket(handle);
    }
    return -1;
}

intptr_t platform_accept(intptr_t listener, int *system_error)
{
    SOCKET handle;
    do {
        handle = accept((SOCKET)listener, NULL, NULL);
        /* A client that left before it was accepted is none. */
    } while (handle == INVALID_SOCKET && WSAGetLastError() == WSAECONNRESET);
    if (handle != INVALID_SOCKET) {
        *system_error = 0;
        return (intptr_t)handle;
    }
    *system_error = WSAGetLastError() == WSAEWOULDBLOCK ? 0 : WSAGetLastError();
    return -1;
}

void platform_socket_close(intptr_t socket)
{
    (void)closesocket((SOCKET)socket);
}

/* Windows 10 tells (SIO_TCP_INFO), but not what MinGW's headers of now know of. */
bool platform_socket_received(intptr_t socket, uint64_t *bytes)
{
    (void)socket;
    (void)bytes;
    return false;
}

void platform_socket_end(intptr_t socket)
{
    char bytes[PEEK_SIZE];
    (void)recv((SOCKET)socket, bytes, sizeof bytes, 0);
    (void)shutdown((SOCKET)socket, SD_BOTH);
}

static ptrdiff_t receive(intptr_t socket, char *bytes, size_t size, int flags)
{
    int count = recv((SOCKET)socket, bytes, (int)size, flags);
    if (count >= 0) {
        return count;
    }
    switch (WSAGetLastError()) {
    case WSAEWOULDBLOCK:
    case WSAEINTR:
        return -1;
    case WSAEMSGSIZE: /* more than fits waits */
        return (ptrdiff_t)size;
    default:
        return 0;
    }
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

uint32_t platform_port_rest_s(void)
{
    DWORD seconds = 0;
    DWORD size = sizeof seconds;
    return RegGetValueW(
               HKEY_LOCAL_MACHINE, L"SYSTEM\\CurrentControlSet\\Services\\Tcpip\\Parameters",
               L"TcpTimedWaitDelay", RRF_RT_REG_DWORD, NULL, &seconds, &size) == ERROR_SUCCESS
               ? (uint32_t)seconds
               : 0; /* not set: the default differs between versions of Windows */
}
