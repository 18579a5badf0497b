/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_HINT_H
#define LATHER_SOAP_HINT_H

#include <stdbool.h>
#include <stdint.h>

#include "lather/base/buf.h"
#include "lather/base/str.h"

/* What is known of a group of failures; texts as the judge gave them, empty when absent. */
struct hint_facts {
    uint16_t status;
    struct str code;     /* of a Fault: "{namespace}name" */
    struct str subcodes; /* "{ns}a/{ns}b" */
    struct str reason;   /* masked or not; for a status: "415 reason phrase" */

    /* Of the message that was sent, where it is known. */
    struct str sent_type; /* its Content-Type; empty: unknown */
    bool sent_utf16;      /* its body is in UTF-16 */
};

/*
 * Appends one sentence on what such a failure usually comes from and what to try, and returns true;
 * appends nothing and returns false when nothing is known. A guess from experience with WCF,
 * BizTalk, IIS and Java services, to be printed as such.
 */
bool hint_append(const struct hint_facts *facts, struct buf *sentence);

#endif
