/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_ADDRESSING_H
#define LATHER_SOAP_ADDRESSING_H

#include <stdbool.h>

#include "lather/base/str.h"

/* The versions of WS-Addressing, the newest first. */
enum addressing_version {
    ADDRESSING_ABSENT = 0,
    ADDRESSING_10,      /* 2005/08: WCF's, and nearly everybody's */
    ADDRESSING_2004_08, /* WSE 3, WS-Management */
    ADDRESSING_2004_03, /* WSE 2 */
    ADDRESSING_2003_03,
    ADDRESSING_VERSION_COUNT
};

/* The version a namespace stands for; ADDRESSING_ABSENT for any other. */
enum addressing_version addressing_version_of_namespace(struct str uri);

/* "1.0", "2004/08", "2004/03", "2003/03"; "" for none. */
const char *addressing_version_name(enum addressing_version version);

/* Whether a namespace is WS-Addressing, of any version. */
bool addressing_is_namespace(struct str uri);

/* WCF's namespace for messages without addressing, which must never be on the wire. */
bool addressing_is_none_namespace(struct str uri);

/* Whether an address says "answer on this connection" (anonymous, of any of the versions). */
bool addressing_is_anonymous(struct str address);

#endif
