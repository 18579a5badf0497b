/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_STAMP_FORMAT_H
#define LATHER_SOAP_STAMP_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/base/str.h"
#include "lather/soap/stamp.h"

enum { STAMP_PARTS_CEILING = 48, STAMP_LITERAL_CEILING = 96 };

/* A way to write moments, in caller's storage, compiled from a format. */
struct stamp_format {
    struct stamp_part {
        uint8_t code; /* of enum stamp_code in stamp_format.c */
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

#endif
