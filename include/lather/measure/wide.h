/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_MEASURE_WIDE_H
#define LATHER_MEASURE_WIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/base/str.h"

/*
 * A whole number from 0 to 2^256 - 1, least limb first: room for the exact sum of any 2^64 values
 * of 64 bits, of their squares, and for count * squares - sum * sum, which a deviation is made of.
 * Arithmetic is modulo 2^256.
 */
struct wide {
    uint64_t limb[4];
};

/* The same number, wider. */
struct wide wide_from_u64(uint64_t value);

/* a * b of 64 bits each: never overflows. */
struct wide wide_from_product(uint64_t a, uint64_t b);

/* Adds `from` to `into`. */
void wide_add(struct wide *into, const struct wide *from);

/* a - b; the caller has made sure that b is not the greater one. */
struct wide wide_subtract(const struct wide *a, const struct wide *b);

/* a * b, modulo 2^256. */
struct wide wide_multiply(const struct wide *a, const struct wide *b);

/* Less than, equal to or greater than 0, as a is less than, equal to or greater than b. */
int wide_compare(const struct wide *a, const struct wide *b);

/* The nearest double, give or take one rounding in its last place. */
double wide_to_double(const struct wide *value);

/* Appends the decimal digits. */
void wide_format(const struct wide *value, struct buf *text);

/* One to 78 decimal digits and nothing else; false on anything else and above 2^256 - 1. */
bool wide_parse(struct str text, struct wide *value) MUST_USE;

#endif
