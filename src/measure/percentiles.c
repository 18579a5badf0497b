/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists of percentiles as users type them. Digits are kept as typed for the labels, so that who
 * asks for 99.90 finds it under that name. It knows no histogram; ranks are worked out in rank.c,
 * to the same six decimals.
 */
#include "lather/measure/percentiles.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { DECIMALS = 6, MILLION = 1000000 };

bool percentiles_parse_one(struct str text, double *percent)
{
    struct str whole;
    struct str decimals;
    uint64_t units;
    bool has_point = str_split(text, '.', &whole, &decimals);
    if (!str_to_u64(whole, &units) || units > 100 || decimals.len > DECIMALS ||
        (has_point && decimals.len == 0)) {
        return false;
    }
    uint64_t fraction = 0;
    uint64_t scale = MILLION;
    for (size_t i = 0; i < decimals.len; i++) {
        if (decimals.data[i] < '0' || decimals.data[i] > '9') {
            return false;
        }
        scale /= 10;
        fraction += (uint64_t)(decimals.data[i] - '0') * scale;
    }
    uint64_t millionths = units * MILLION + fraction;
    *percent = (double)millionths / MILLION;
    return millionths > 0 && millionths <= 100 * (uint64_t)MILLION;
}

/* Digits, a point and digits that are more than a rank is worked out to. */
static bool has_too_many_decimals(struct str item)
{
    struct str whole;
    struct str decimals;
    double percent;
    if (!str_split(item, '.', &whole, &decimals) || decimals.len <= DECIMALS) {
        return false;
    }
    for (size_t i = DECIMALS; i < decimals.len; i++) {
        if (decimals.data[i] < '0' || decimals.data[i] > '9') {
            return false;
        }
    }
    return percentiles_parse_one(str_slice(item, 0, whole.len + 1 + DECIMALS), &percent);
}

static bool fail(struct str item, struct err *err)
{
    if (has_too_many_decimals(item)) {
        return err_set(err, ERR_USAGE,
                       "%.*s has more than %d decimals: no run has so many requests",
                       STR_ARG(str_slice(item, 0, 60)), DECIMALS);
    }
    if (item.len == 0) {
        return err_set(err, ERR_USAGE,
                       "a percentile is missing at a comma: give a list such as 50,95,99.9");
    }
    return err_set(err, ERR_USAGE,
                   "\"%.*s\" is no percentile: give a list such as 50,95,99.9 (above 0, up to 100)",
                   STR_ARG(str_slice(item, 0, 60)));
}

bool percentiles_parse(struct str text, struct percentiles *percentiles, struct err *err)
{
    *percentiles = (struct percentiles){0};
    struct str rest = text;
    bool more = true;
    while (more) {
        struct str item;
        double percent;
        more = str_split(rest, ',', &item, &rest);
        item = str_trim(item);
        /* the label holds "p", the digits and a NUL */
        if (item.len > PERCENTILES_LABEL_SIZE - 2 || !percentiles_parse_one(item, &percent)) {
            return fail(item, err);
        }
        if (percentiles->count == PERCENTILES_CEILING) {
            return err_set(err, ERR_USAGE, "more than %d percentiles: shorten the list",
                           PERCENTILES_CEILING);
        }
        size_t at = percentiles->count++;
        percentiles->at[at].percent = percent;
        (void)snprintf(percentiles->at[at].label, PERCENTILES_LABEL_SIZE, "p%.*s", STR_ARG(item));
        for (size_t i = 0; i < at; i++) {
            if (percentiles->at[i].percent == percent) {
                return err_set(err, ERR_USAGE, "the percentile %.*s is given twice", STR_ARG(item));
            }
        }
    }
    return true;
}
