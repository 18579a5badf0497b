/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two versions of SOAP and their words for people. A version is known by the namespace of the
 * root alone; media types and prefixes say nothing certain about it.
 */
#include "lather/soap/version.h"

const char *soap_version_name(enum soap_version version)
{
    static const char *const names[SOAP_VERSION_COUNT] = {
        [SOAP_VERSION_NONE] = "", [SOAP_VERSION_11] = "1.1", [SOAP_VERSION_12] = "1.2"};
    return version < SOAP_VERSION_COUNT ? names[version] : "";
}

enum soap_version soap_version_of_namespace(struct str uri)
{
    if (str_equals(uri, STR(SOAP_11_NAMESPACE))) {
        return SOAP_VERSION_11;
    }
    return str_equals(uri, STR(SOAP_12_NAMESPACE)) ? SOAP_VERSION_12 : SOAP_VERSION_NONE;
}

bool soap_version_is_draft(struct str uri)
{
    return str_equals(uri, STR("http://www.w3.org/2001/06/soap-envelope")) ||
           str_equals(uri, STR("http://www.w3.org/2001/09/soap-envelope")) ||
           str_equals(uri, STR("http://www.w3.org/2001/12/soap-envelope")) ||
           str_equals(uri, STR("http://www.w3.org/2002/06/soap-envelope")) ||
           str_equals(uri, STR("http://www.w3.org/2002/12/soap-envelope"));
}
