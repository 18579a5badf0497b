/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_REPORT_RESULT_JSON_READ_H
#define LATHER_REPORT_RESULT_JSON_READ_H

#include <stdbool.h>

#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/base/str.h"
#include "lather/measure/summary.h"

/*
 * Reads what result_json_write wrote: any report of the result is then the same as of the summary.
 * *summary is the caller's to free. Members that are not known are ignored; derived figures are
 * worked out again, not read. False, with the member that is wrong in err, when the text is no
 * JSON, of another schema, has a member of the wrong kind or size, or its books do not balance and
 * it does not say so itself. The text is untrusted: it can be anything.
 */
bool result_json_read(struct str text, struct summary **summary, struct err *err) MUST_USE;

#endif
