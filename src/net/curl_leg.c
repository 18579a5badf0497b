/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The books of one leg. A head can go out in several pieces, so its end is looked for across them.
 * It decides nothing: what a leg was (the request itself, one of a handshake, one sent in vain)
 * shows only when the next begins or the transfer ends.
 */
#include "lather/net/curl_leg.h"

#include <string.h>

void curl_leg_begin(struct curl_leg *leg, size_t body_expected)
{
    *leg = (struct curl_leg){.body_expected = body_expected};
}

static void curl_leg_shift_tail(struct curl_leg *leg, struct str bytes)
{
    const size_t size = sizeof leg->tail;
    const size_t fresh = bytes.len < size ? bytes.len : size;
    memmove(leg->tail, leg->tail + fresh, size - fresh);
    memcpy(leg->tail + size - fresh, bytes.data + bytes.len - fresh, fresh);
    leg->head_is_whole = memcmp(leg->tail, "\r\n\r\n", size) == 0;
}

/* Only who authenticates leaves the body out; the others need no search in each head. */
static bool curl_leg_announces_nothing(const struct curl_leg *leg, struct str head,
                                       enum auth_scheme scheme)
{
    return scheme != AUTH_SCHEME_NONE && leg->body_expected > 0 &&
           str_find_nocase(head, STR("\r\nContent-Length: 0\r\n")) != SIZE_MAX;
}

/* NTLM and Negotiate make a token for each handshake; Digest's field is in every request. */
static bool curl_leg_find_token(struct str head, enum auth_scheme scheme)
{
    switch (scheme) {
    case AUTH_SCHEME_NTLM:
        return str_find_nocase(head, STR("\r\nAuthorization: NTLM ")) != SIZE_MAX;
    case AUTH_SCHEME_NEGOTIATE:
        return str_find_nocase(head, STR("\r\nAuthorization: Negotiate ")) != SIZE_MAX;
    default:
        return false;
    }
}

void curl_leg_add_head(struct curl_leg *leg, struct str bytes, enum auth_scheme scheme,
                       uint64_t now_ns)
{
    if (bytes.len == 0) {
        return;
    }
    if (leg->start_ns == 0) {
        leg->start_ns = now_ns;
    }
    leg->bytes_out += bytes.len;
    leg->is_bare = leg->is_bare || curl_leg_announces_nothing(leg, bytes, scheme);
    leg->has_field =
        leg->has_field || (scheme != AUTH_SCHEME_NONE &&
                           str_find_nocase(bytes, STR("\r\nAuthorization: ")) != SIZE_MAX);
    leg->has_token = leg->has_token || curl_leg_find_token(bytes, scheme);
    curl_leg_shift_tail(leg, bytes);
}

void curl_leg_add_body(struct curl_leg *leg, size_t bytes)
{
    leg->bytes_out += bytes;
    leg->body_out += bytes;
}

bool curl_leg_is_sent(const struct curl_leg *leg)
{
    return leg->head_is_whole && leg->body_out >= leg->body_expected;
}

bool curl_leg_is_bare(const struct curl_leg *leg)
{
    return leg->head_is_whole && leg->is_bare;
}

uint64_t curl_leg_stray_bytes(const struct curl_leg *leg)
{
    return leg->body_in > leg->body_used ? leg->body_in - leg->body_used : 0;
}
