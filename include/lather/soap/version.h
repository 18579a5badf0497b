/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_VERSION_H
#define LATHER_SOAP_VERSION_H

#include <stdbool.h>

#include "lather/base/str.h"

enum soap_version {
    SOAP_VERSION_NONE = 0, /* not an envelope */
    SOAP_VERSION_11,
    SOAP_VERSION_12,
    SOAP_VERSION_COUNT
};

#define SOAP_11_NAMESPACE "http://schemas.xmlsoap.org/soap/envelope/"
#define SOAP_12_NAMESPACE "http://www.w3.org/2003/05/soap-envelope"

/* "1.1", "1.2"; "" for none. */
const char *soap_version_name(enum soap_version version);

/* The version a namespace stands for; SOAP_VERSION_NONE for any other, drafts included. */
enum soap_version soap_version_of_namespace(struct str uri);

/* Whether the namespace is that of a working draft of SOAP 1.2, which nobody reads any more. */
bool soap_version_is_draft(struct str uri);

#endif
