/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_REPORT_COMPARE_TEXT_H
#define LATHER_REPORT_COMPARE_TEXT_H

#include "lather/base/buf.h"
#include "lather/measure/compare.h"

/* What is compared, and how it came out. */
struct compare_text {
    const char *old_name;
    const char *new_name;
    const struct summary *old_result;
    const struct summary *new_result;
    const struct compare_row *rows; /* COMPARE_COUNT of them */
};

/*
 * Appends the comparison: a line a figure with both values, the change, its interval and "same",
 * "faster", "slower", "fewer", "more" or "too little to tell"; then what else differs between the
 * two runs and would explain a change.
 */
void compare_text_write(struct buf *out, const struct compare_text *text);

#endif
