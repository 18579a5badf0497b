/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_REPORT_RESULT_TIMES_H
#define LATHER_REPORT_RESULT_TIMES_H

#include <stdbool.h>

#include <jansson.h>

#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/measure/histogram.h"
#include "lather/measure/timeline.h"

/* Parts of result_json_read. The JSON is untrusted; on failure what was filled is to be freed. */

/* The member `key` into an empty histogram. */
bool result_times_histogram(const json_t *times, const char *key, struct histogram *histogram,
                            struct err *err) MUST_USE;

/* The same into an empty timeline; results of before there was one have no such member. */
bool result_times_timeline(const json_t *root, const char *key, struct timeline *timeline,
                           struct err *err) MUST_USE;

#endif
