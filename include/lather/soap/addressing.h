/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_ADDRESSING_H
#define LATHER_SOAP_ADDRESSING_H

#include <stdbool.h>

#include "lather/base/str.h"

/* Whether a namespace is WS-Addressing: 1.0 (2005/08) or the older 2004/08, 2004/03, 2003/03. */
bool addressing_is_namespace(struct str uri);

/* WCF's namespace for messages without addressing, which must never be on the wire. */
bool addressing_is_none_namespace(struct str uri);

/* Whether an address says "answer on this connection" (anonymous, of any of the versions). */
bool addressing_is_anonymous(struct str address);

#endif
