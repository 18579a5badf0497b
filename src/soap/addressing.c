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

static const struct {
    const char *uri;
    const char *name;
} versions[ADDRESSING_VERSION_COUNT] = {
    [ADDRESSING_ABSENT] = {"", ""},
    [ADDRESSING_10] = {"http://www.w3.org/2005/08/addressing", "1.0"},
    [ADDRESSING_2004_08] = {"http://schemas.xmlsoap.org/ws/2004/08/addressing", "2004/08"},
    [ADDRESSING_2004_03] = {"http://schemas.xmlsoap.org/ws/2004/03/addressing", "2004/03"},
    [ADDRESSING_2003_03] = {"http://schemas.xmlsoap.org/ws/2003/03/addressing", "2003/03"},
};

enum addressing_version addressing_version_of_namespace(struct str uri)
{
    for (int i = ADDRESSING_10; i < ADDRESSING_VERSION_COUNT; i++) {
        if (str_equals(uri, str_from(versions[i].uri))) {
            return (enum addressing_version)i;
        }
    }
    return ADDRESSING_ABSENT;
}

const char *addressing_version_name(enum addressing_version version)
{
    return versions[version].name;
}

bool addressing_is_namespace(struct str uri)
{
    return addressing_version_of_namespace(uri) != ADDRESSING_ABSENT;
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
