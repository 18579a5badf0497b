/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names to addresses, once and before the run, so that no request ever waits for a resolver.
 * All addresses are kept: `localhost` is often ::1 and 127.0.0.1 while the service listens on one.
 */
#include "lather/net/address.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lather/base/str.h"

const char *address_format_ip(const struct sockaddr_storage *address, char text[ADDRESS_TEXT_SIZE])
{
    (void)snprintf(text, ADDRESS_TEXT_SIZE, "?");
    if (address->ss_family == AF_INET6) {
        (void)uv_ip6_name((const struct sockaddr_in6 *)address, text, ADDRESS_TEXT_SIZE);
    } else {
        (void)uv_ip4_name((const struct sockaddr_in *)address, text, ADDRESS_TEXT_SIZE);
    }
    return text;
}

bool address_parse_literal(struct sockaddr_storage *address, const char *text, struct err *err)
{
    memset(address, 0, sizeof(*address));
    if (uv_ip4_addr(text, 0, (struct sockaddr_in *)address) == 0 ||
        uv_ip6_addr(text, 0, (struct sockaddr_in6 *)address) == 0) {
        return true;
    }
    return err_set(err, ERR_USAGE,
                   "-B %s is not an IP address: give a local address such as 127.0.0.1", text);
}

bool address_check_local(const struct sockaddr_storage *address, struct err *err)
{
    uv_loop_t loop;
    uv_tcp_t probe;
    int error = uv_loop_init(&loop);
    if (error != 0) {
        return err_set(err, ERR_SYSTEM, "cannot start an event loop: %s", uv_strerror(error));
    }
    error = uv_tcp_init(&loop, &probe);
    if (error == 0) {
        error = uv_tcp_bind(&probe, (const struct sockaddr *)address, 0);
        uv_close((uv_handle_t *)&probe, NULL);
        (void)uv_run(&loop, UV_RUN_DEFAULT);
    }
    (void)uv_loop_close(&loop);
    if (error == 0) {
        return true;
    }
    char text[ADDRESS_TEXT_SIZE];
    return err_set(err, ERR_USAGE, "-B %s is no address of this machine (%s): see `ip address`",
                   address_format_ip(address, text), uv_strerror(error));
}

static void address_set_port(struct sockaddr_storage *address, uint16_t port)
{
    if (address->ss_family == AF_INET6) {
        ((struct sockaddr_in6 *)address)->sin6_port = htons(port);
    } else {
        ((struct sockaddr_in *)address)->sin_port = htons(port);
    }
}

static size_t address_size(const struct sockaddr *address)
{
    return address->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6)
                                          : sizeof(struct sockaddr_in);
}

static void address_list_add(struct address_list *list, const struct sockaddr *found, uint16_t port)
{
    struct sockaddr_storage address;
    memset(&address, 0, sizeof(address));
    memcpy(&address, found, address_size(found));
    address_set_port(&address, port);
    for (size_t i = 0; i < list->count; i++) {
        if (memcmp(&list->items[i], &address, sizeof(address)) == 0) {
            return;
        }
    }
    if (list->count < ADDRESS_CEILING) {
        list->items[list->count++] = address;
    }
}

bool address_list_parse(struct address_list *list, const char *text, struct err *err)
{
    struct str rest = str_from(text);
    list->count = 0;
    do {
        struct str part;
        struct sockaddr_storage address;
        (void)str_split(rest, ',', &part, &rest);
        if (list->count == ADDRESS_CEILING) {
            return err_set(err, ERR_USAGE, "-B: %d addresses are the most that can be given",
                           ADDRESS_CEILING);
        }
        char *literal = str_dup(str_trim(part));
        const bool is_good = address_parse_literal(&address, literal, err);
        free(literal);
        if (!is_good) {
            return false;
        }
        address_list_add(list, (const struct sockaddr *)&address, 0);
    } while (rest.len > 0);
    return true;
}

bool address_error_is_no_port(int error)
{
    return error == UV_EADDRNOTAVAIL || error == UV_EADDRINUSE;
}

const struct sockaddr_storage *address_list_take(const struct address_list *list, size_t *turn,
                                                 int family)
{
    for (size_t i = 0; list != NULL && i < list->count; i++) {
        const struct sockaddr_storage *address = &list->items[(*turn)++ % list->count];
        if (address->ss_family == family) {
            return address;
        }
    }
    return NULL;
}

bool address_resolve(struct address_list *list, const char *host, uint16_t port,
                     const struct sockaddr_storage *bind_to, struct err *err)
{
    list->count = 0;
    uv_loop_t loop;
    int error = uv_loop_init(&loop);
    if (error != 0) {
        return err_set(err, ERR_SYSTEM, "cannot start an event loop: %s", uv_strerror(error));
    }
    uv_getaddrinfo_t request;
    const struct addrinfo hints = {
        .ai_family = bind_to != NULL ? bind_to->ss_family : AF_UNSPEC,
        .ai_socktype = SOCK_STREAM,
    };
    error = uv_getaddrinfo(&loop, &request, NULL, host, NULL, &hints);
    if (error == 0) {
        for (const struct addrinfo *info = request.addrinfo; info != NULL; info = info->ai_next) {
            if (info->ai_family == AF_INET || info->ai_family == AF_INET6) {
                address_list_add(list, info->ai_addr, port);
            }
        }
        uv_freeaddrinfo(request.addrinfo);
    }
    (void)uv_loop_close(&loop);
    if (list->count > 0) {
        return true;
    }
    return err_set(err, ERR_RESOLVE,
                   "cannot resolve host '%s' (%s): check the name, or give the address", host,
                   error != 0 ? uv_strerror(error) : "no IPv4 or IPv6 address");
}

const char *address_format(const struct sockaddr_storage *address, char text[ADDRESS_TEXT_SIZE])
{
    char ip[ADDRESS_TEXT_SIZE];
    const bool v6 = address->ss_family == AF_INET6;
    (void)address_format_ip(address, ip);
    const uint16_t port = ntohs(v6 ? ((const struct sockaddr_in6 *)address)->sin6_port
                                   : ((const struct sockaddr_in *)address)->sin_port);
    (void)snprintf(text, ADDRESS_TEXT_SIZE, v6 ? "[%s]:%u" : "%s:%u", ip, (unsigned)port);
    return text;
}
