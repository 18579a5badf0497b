/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The names of WS-Addressing in its four versions. Nothing is parsed here. The versions differ in
 * namespaces and in the word for "answer on this connection"; services of all four are alive.
 */
#include "lather/soap/addressing.h"

static bool is_among(struct str text, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (str_equals(text, str_from(list[i]))) {
            return true;
        }
    }
    return false;
}

bool addressing_is_namespace(struct str uri)
{
    static const char *const namespaces[] = {
        "http://www.w3.org/2005/08/addressing",
        "http://schemas.xmlsoap.org/ws/2004/08/addressing",
        "http://schemas.xmlsoap.org/ws/2004/03/addressing",
        "http://schemas.xmlsoap.org/ws/2003/03/addressing",
    };
    return is_among(uri, namespaces, sizeof(namespaces) / sizeof(namespaces[0]));
}

bool addressing_is_none_namespace(struct str uri)
{
    return str_equals(uri, STR("http://schemas.microsoft.com/ws/2005/05/addressing/none"));
}

bool addressing_is_anonymous(struct str address)
{
    static const char *const addresses[] = {
        "http://www.w3.org/2005/08/addressing/anonymous",
        "http://schemas.xmlsoap.org/ws/2004/08/addressing/role/anonymous",
        "http://schemas.xmlsoap.org/ws/2004/03/addressing/role/anonymous",
        "http://schemas.xmlsoap.org/ws/2003/03/addressing/role/anonymous",
    };
    return is_among(address, addresses, sizeof(addresses) / sizeof(addresses[0]));
}
