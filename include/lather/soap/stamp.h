/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_STAMP_H
#define LATHER_SOAP_STAMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/base/str.h"

/* A moment in UTC, or a distance: seconds since 1970-01-01T00:00:00Z, and 0 to 999,999,999 ns. */
struct stamp {
    int64_t seconds;
    uint32_t ns;
};

/* How a captured moment was written, as far as it is kept: digits of the second's fraction. */
struct stamp_style {
    uint8_t digits; /* 0 to 9 */
    char separator; /* before them: '.', but some services write ':' or ',' */
};

/* A moment from a clock that counts nanoseconds. */
struct stamp stamp_of_ns(uint64_t ns);

/* later - earlier; may be negative (ns is never). */
struct stamp stamp_minus(struct stamp later, struct stamp earlier);

/* moment + distance, kept within the years 1970 to 9999. */
struct stamp stamp_plus(struct stamp moment, struct stamp distance);

/* Whether a is before b. */
bool stamp_is_before(struct stamp a, struct stamp b);

/*
 * Reads "2016-01-27T16:40:36.497Z" (XML Schema part 2, dateTime): a fraction of any length, a zone
 * of Z, +hh:mm or none (UTC then). False for anything else; years are 1970 to 9999.
 */
bool stamp_parse(struct str text, struct stamp *moment, struct stamp_style *style) MUST_USE;

/* "+7d", "-90s", "+1.5h": a sign, a number, and ns, us, ms, s, m, h or d. Up to 10 years. */
bool stamp_parse_distance(struct str text, struct stamp *distance, struct err *err) MUST_USE;

/* Room for stamp_text. */
enum { STAMP_TEXT_SIZE = 24 };

/* "2016-01-27T16:40:36Z", for sentences. Returns text. */
const char *stamp_text(struct stamp moment, char text[STAMP_TEXT_SIZE]);

/* Room for stamp_age. */
enum { STAMP_AGE_SIZE = 48 };

/* "3 hours ago", "in 5 minutes": a moment seen from another. Returns text. */
const char *stamp_age(struct stamp moment, struct stamp now, char text[STAMP_AGE_SIZE]);

#endif
