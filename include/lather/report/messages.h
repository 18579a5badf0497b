/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_REPORT_MESSAGES_H
#define LATHER_REPORT_MESSAGES_H

#include "lather/base/buf.h"
#include "lather/measure/summary.h"
#include "lather/report/figure.h"

/* The figures of a message, in the order in which every table has them. */
enum messages_column {
    MESSAGES_REQUESTS = 0, /* started */
    MESSAGES_OK,
    MESSAGES_FAILED,
    MESSAGES_SENT, /* KB */
    MESSAGES_RECEIVED,
    MESSAGES_MEAN, /* ms, as the rest */
    MESSAGES_P50,
    MESSAGES_P95,
    MESSAGES_P99,
    MESSAGES_COUNT
};

/* What the columns are called; never NULL. */
const char *messages_head(enum messages_column column);

/* The figures of one message as text; "-" for the times of one without an answer. */
void messages_format(const struct message_tally *tally, char cells[MESSAGES_COUNT][FIGURE_SIZE]);

/* Appends the block of the text report, a line each message; nothing when there was only one. */
void messages_write(struct buf *out, const struct summary *summary);

/* The same as a table of the page. */
void messages_write_html(struct buf *out, const struct summary *summary);

#endif
