/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_MEASURE_DIAGNOSE_ANSWERS_H
#define LATHER_MEASURE_DIAGNOSE_ANSWERS_H

#include "lather/measure/summary.h"

/*
 * Notes on what the answers show. Each looks at the summary and adds one note, or none; for
 * diagnose.c, which knows the order. The books are closed.
 */

/* No request succeeded; names the commonest failure. */
void diagnose_answers_nothing_succeeded(struct summary *summary);

/* B005, B006: every answer was 415. */
void diagnose_answers_415(struct summary *summary);

/* B061: 413 to a message larger than what servers keep while they ask for a certificate. */
void diagnose_answers_413(struct summary *summary);

/* GETs of the page of a service, as when -p was forgotten. */
void diagnose_answers_no_message(struct summary *summary);

/* B122: why p95 is below the mean. */
void diagnose_answers_mean_above_p95(struct summary *summary);

/* The server's clock is off by 30 s or more. */
void diagnose_answers_clock(struct summary *summary);

#endif
