/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_NET_ADDRESS_H
#define LATHER_NET_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

#include "lather/base/check.h"
#include "lather/base/err.h"

enum { ADDRESS_CEILING = 16 }; /* addresses of one name that are tried */

/* The addresses of a host, in the order the system prefers them. */
struct address_list {
    struct sockaddr_storage items[ADDRESS_CEILING];
    size_t count;
};

/* Whether an error (of libuv) says that a local address has no port free for this. */
bool address_error_is_no_port(int error);

/*
 * Resolves host (a name, or an IPv4 or IPv6 literal) once, blocking, on a loop of its own. With
 * `bind_to` only addresses of its family are kept. Fails with ERR_RESOLVE and a sentence that
 * names the host.
 */
bool address_resolve(struct address_list *list, const char *host, uint16_t port,
                     const struct sockaddr_storage *bind_to, struct err *err) MUST_USE;

/* Reads an IPv4 or IPv6 literal, for -B. */
bool address_parse_literal(struct sockaddr_storage *address, const char *text,
                           struct err *err) MUST_USE;

/*
 * Reads literals separated by commas, for -B with several local addresses. At most ADDRESS_CEILING,
 * each once.
 */
bool address_list_parse(struct address_list *list, const char *text, struct err *err) MUST_USE;

/*
 * The next address of that family in turn; *turn is where it goes on. NULL when the list, which may
 * be NULL, has none of the family.
 */
const struct sockaddr_storage *address_list_take(const struct address_list *list, size_t *turn,
                                                 int family);

/* Whether connections can come from this address: false, naming -B, when it is not this machine's.
 */
bool address_check_local(const struct sockaddr_storage *address, struct err *err) MUST_USE;

enum { ADDRESS_TEXT_SIZE = 64 };

/* "127.0.0.1", "::1". Returns text. */
const char *address_format_ip(const struct sockaddr_storage *address, char text[ADDRESS_TEXT_SIZE]);

/* "127.0.0.1:80", "[::1]:80". Returns text. */
const char *address_format(const struct sockaddr_storage *address, char text[ADDRESS_TEXT_SIZE]);

#endif
