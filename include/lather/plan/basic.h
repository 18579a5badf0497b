/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_PLAN_BASIC_H
#define LATHER_PLAN_BASIC_H

#include "lather/base/buf.h"
#include "lather/base/str.h"

/* Appends "Basic " and the credentials in base64 (RFC 7617 2, RFC 4648 4), of any length. */
void basic_format(struct buf *text, struct str credentials);

/* What was typed for -A, without the blanks that ab drops in front; borrowed. */
struct str basic_credentials(const char *typed);

#endif
