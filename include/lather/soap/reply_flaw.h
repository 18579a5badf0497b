/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_REPLY_FLAW_H
#define LATHER_SOAP_REPLY_FLAW_H

#include <stdbool.h>

#include "lather/base/buf.h"
#include "lather/soap/reply.h"

/*
 * Appends why a reply is no SOAP message in one sentence ("no Body", "not well-formed: line 3:
 * ..."), and returns true; appends nothing and returns false when it is one (SOAP 1.1 section 4,
 * SOAP 1.2 part 1 section 5). Of several flaws the first. Looks at the facts alone; any thread.
 */
bool reply_flaw(const struct reply_facts *facts, struct buf *sentence);

#endif
