/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_REPORT_COMPARE_MESSAGES_H
#define LATHER_REPORT_COMPARE_MESSAGES_H

#include "lather/base/buf.h"
#include "lather/measure/summary.h"

/*
 * Appends what changed in each message that both results have, by name: requests, share of
 * failures, p50 and p95, old beside new; then the names that only one has. Nothing when neither is
 * of several messages.
 */
void compare_messages_write(struct buf *out, const struct summary *old_result,
                            const struct summary *new_result);

#endif
