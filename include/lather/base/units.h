/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_BASE_UNITS_H
#define LATHER_BASE_UNITS_H

#include <stdbool.h>
#include <stdint.h>

#include "lather/base/err.h"
#include "lather/base/str.h"

/*
 * "500ms", "30s", "5m", "2h", "250us"; a bare number is seconds, as in ab. Fractions are allowed
 * ("1.5s", ".5") and exact; what is finer than a nanosecond is dropped, but never down to 0. Up to
 * 10 years of 365 days. False, with what is wrong in err, on anything else.
 */
bool units_parse_duration_ns(struct str text, uint64_t *ns, struct err *err) MUST_USE;

/* "64", "64k", "64KiB", "10MB", "1G": k, M, G are powers of 1024, as ab's kb is. */
bool units_parse_size_bytes(struct str text, uint64_t *bytes, struct err *err) MUST_USE;

/*
 * "200", "200/s", "3000/min", "90000/h", "0.5/s": requests a time, up to a million a second, in
 * millionths a second. Fractions are allowed; nothing finer than a millionth a second is.
 */
bool units_parse_rate(struct str text, uint64_t *micro_per_s, struct err *err) MUST_USE;

/* A whole number between the bounds, decimal digits only. */
bool units_parse_count(struct str text, uint64_t least, uint64_t most, uint64_t *count,
                       struct err *err) MUST_USE;

enum { UNITS_TEXT_SIZE = 32 };

/* "1.500 s", "12.3 ms", "850 us": for sentences, not for tables. Returns text. */
const char *units_format_duration(uint64_t ns, char text[UNITS_TEXT_SIZE]);

/* "941 B", "1.7 KB", "64.0 MB" (1024). Returns text. */
const char *units_format_size(uint64_t bytes, char text[UNITS_TEXT_SIZE]);

#endif
