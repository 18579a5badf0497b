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

enum { STAMP_PARTS_CEILING = 48, STAMP_LITERAL_CEILING = 96 };

/* A way to write moments, in caller's storage, compiled from a format. */
struct stamp_format {
    struct stamp_part {
        uint8_t code; /* of enum stamp_code in stamp.c */
        uint8_t from; /* of a literal */
        uint8_t len;  /* of what it writes; the most, for the one that is not fixed */
    } parts[STAMP_PARTS_CEILING];
    char literals[STAMP_LITERAL_CEILING];
    uint8_t part_count;
    uint8_t literal_len;
    bool is_fixed; /* always as long */
};

/*
 * Compiles a format: %Y %m %d %H %M %S, %y (two digits), %j (day of the year), %F (%Y-%m-%d),
 * %T (%H:%M:%S), %L (milliseconds), %1N to %9N (digits of the fraction; %N is %9N), %s (seconds
 * since 1970), %a and %b (English day and month, three letters), %z (+0000), %%. All else stands
 * for itself. The time is UTC. Errors name the code that is not known.
 */
bool stamp_format_parse(struct stamp_format *format, struct str text, struct err *err) MUST_USE;

/* "2016-01-27T16:40:36.497Z" with that fraction. */
void stamp_format_iso(struct stamp_format *format, struct stamp_style style);

/* The longest text a format makes; the only one when is_fixed. */
size_t stamp_format_most_bytes(const struct stamp_format *format);

/* Writes a moment of the years 1970 to 9999; returns the length. Allocates nothing; about 40 ns. */
size_t stamp_format_put(const struct stamp_format *format, struct stamp moment, char *target);

/* Room for stamp_text. */
enum { STAMP_TEXT_SIZE = 24 };

/* "2016-01-27T16:40:36Z", for sentences. Returns text. */
const char *stamp_text(struct stamp moment, char text[STAMP_TEXT_SIZE]);

/* Room for stamp_age. */
enum { STAMP_AGE_SIZE = 48 };

/* "3 hours ago", "in 5 minutes": a moment seen from another. Returns text. */
const char *stamp_age(struct stamp moment, struct stamp now, char text[STAMP_AGE_SIZE]);

#endif
