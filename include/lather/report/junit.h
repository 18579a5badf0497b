/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_REPORT_JUNIT_H
#define LATHER_REPORT_JUNIT_H

#include "lather/base/buf.h"
#include "lather/measure/summary.h"

/*
 * Appends the run as a JUnit test report, as build servers take it: a suite with the figures as
 * properties and a test case for each condition of --fail-if (failed when it holds); without
 * conditions one case, failed when a request failed. One more case says whether the run can be
 * trusted at all: an error when it was interrupted, could reach nothing, lacked something here or
 * has books that do not balance.
 */
void junit_write(struct buf *out, const struct summary *summary);

#endif
