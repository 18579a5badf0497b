/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_MEASURE_PERCENTILES_H
#define LATHER_MEASURE_PERCENTILES_H

#include <stdbool.h>
#include <stddef.h>

#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/base/str.h"

enum { PERCENTILES_CEILING = 32, PERCENTILES_LABEL_SIZE = 16 };

/* Percentiles that somebody wants to see, in the order given. */
struct percentiles {
    size_t count;
    struct {
        double percent;
        char label[PERCENTILES_LABEL_SIZE]; /* as given, with a p in front: "p99.9" */
    } at[PERCENTILES_CEILING];
};

/*
 * Reads "50,95,99.9": above 0, up to 100, at most six decimals, parted by commas, blanks around
 * them ignored, each at most once. False, with what is wrong in err, on anything else.
 */
bool percentiles_parse(struct str text, struct percentiles *percentiles, struct err *err) MUST_USE;

/* One of them; *percent is exact to six decimals. False when it is none. */
bool percentiles_parse_one(struct str text, double *percent) MUST_USE;

#endif
