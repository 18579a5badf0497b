/* SPDX-License-Identifier: Apache-2.0 */
/*
 * HOST:PORT as options write it, where colons also stand inside IPv6 addresses and between pairs.
 * It takes no scheme, path or user: URLs have their own reader (base/url).
 */
#include "lather/base/host_port.h"

/* What names and IPv6 addresses (zone included) are written with. */
static bool is_host_byte(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') || byte == '-' || byte == '.' || byte == '_' ||
           (unsigned char)byte >= 0x80;
}

static bool is_host(struct str host, bool in_brackets)
{
    for (size_t i = 0; i < host.len; i++) {
        bool is_of_ipv6 = host.data[i] == ':' || host.data[i] == '%';
        if (!is_host_byte(host.data[i]) && !(in_brackets && is_of_ipv6)) {
            return false;
        }
    }
    return true;
}

/* The host off the front of *text; what is left begins with ':' or is empty. */
static bool take_host(struct str *text, struct str *host)
{
    if (str_starts_with(*text, STR("["))) {
        size_t end = str_find_byte(*text, ']');
        if (end == SIZE_MAX || end < 2) {
            return false;
        }
        *host = str_slice(*text, 1, end);
        *text = str_slice(*text, end + 1, text->len);
        return is_host(*host, true) && (text->len == 0 || text->data[0] == ':');
    }
    size_t end = str_find_byte(*text, ':');
    *host = str_slice(*text, 0, end == SIZE_MAX ? text->len : end);
    *text = str_slice(*text, host->len, text->len);
    return is_host(*host, false);
}

bool host_port_take(struct str *text, struct str *host, uint16_t *port)
{
    *port = 0;
    if (!take_host(text, host)) {
        return false;
    }
    if (text->len == 0) {
        return true;
    }
    struct str behind_colon = str_slice(*text, 1, text->len);
    size_t end = str_find_byte(behind_colon, ':');
    struct str digits = str_slice(behind_colon, 0, end == SIZE_MAX ? behind_colon.len : end);
    *text = str_slice(behind_colon, digits.len, behind_colon.len);
    uint64_t number = 0;
    if (digits.len == 0) {
        return true;
    }
    if (!str_to_u64(digits, &number) || number == 0 || number > UINT16_MAX) {
        return false;
    }
    *port = (uint16_t)number;
    return true;
}
