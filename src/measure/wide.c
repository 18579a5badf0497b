/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whole numbers of 256 bits, as little of them as exact sums need. A double loses the low digits
 * of a sum of squares of nanoseconds after a few thousand requests, and with them any small
 * deviation; here nothing is lost, so that results merge to the same figures in any order. It is
 * not meant for the hot path: histogram_add keeps its own three limbs.
 */
#include "lather/measure/wide.h"

#include <math.h>
#include <string.h>

enum { LIMBS = 4, DIGITS_CEILING = 78 /* 2^256 - 1 has 78 digits */ };

/* The compiler's double word: gcc, clang and MinGW have it on every 64-bit target. */
__extension__ typedef unsigned __int128 double_word;

struct wide wide_from_u64(uint64_t value)
{
    return (struct wide){.limb = {value}};
}

struct wide wide_from_product(uint64_t a, uint64_t b)
{
    double_word product = (double_word)a * b;
    return (struct wide){.limb = {(uint64_t)product, (uint64_t)(product >> 64)}};
}

void wide_add(struct wide *into, const struct wide *from)
{
    double_word carry = 0;
    for (int i = 0; i < LIMBS; i++) {
        carry += (double_word)into->limb[i] + from->limb[i];
        into->limb[i] = (uint64_t)carry;
        carry >>= 64;
    }
}

struct wide wide_subtract(const struct wide *a, const struct wide *b)
{
    struct wide difference;
    uint64_t borrow = 0;
    for (int i = 0; i < LIMBS; i++) {
        double_word taken = (double_word)b->limb[i] + borrow;
        borrow = a->limb[i] < taken;
        difference.limb[i] = (uint64_t)(a->limb[i] - taken);
    }
    return difference;
}

struct wide wide_multiply(const struct wide *a, const struct wide *b)
{
    struct wide product = {{0}};
    for (int i = 0; i < LIMBS; i++) {
        double_word carry = 0;
        for (int j = 0; i + j < LIMBS; j++) {
            /* (2^64 - 1)^2 + 2 * (2^64 - 1) = 2^128 - 1: the sum fits */
            carry += (double_word)a->limb[i] * b->limb[j] + product.limb[i + j];
            product.limb[i + j] = (uint64_t)carry;
            carry >>= 64;
        }
    }
    return product;
}

int wide_compare(const struct wide *a, const struct wide *b)
{
    for (int i = LIMBS - 1; i >= 0; i--) {
        if (a->limb[i] != b->limb[i]) {
            return a->limb[i] < b->limb[i] ? -1 : 1;
        }
    }
    return 0;
}

double wide_to_double(const struct wide *value)
{
    double sum = 0;
    for (int i = LIMBS - 1; i >= 0; i--) {
        sum += ldexp((double)value->limb[i], 64 * i);
    }
    return sum;
}

/* Divides by a small number in place; returns the remainder. */
static uint32_t divide(struct wide *value, uint32_t divisor)
{
    double_word rest = 0;
    for (int i = LIMBS - 1; i >= 0; i--) {
        rest = rest << 64 | value->limb[i];
        value->limb[i] = (uint64_t)(rest / divisor);
        rest %= divisor;
    }
    return (uint32_t)rest;
}

void wide_format(const struct wide *value, struct buf *text)
{
    static const struct wide zero;
    char digits[DIGITS_CEILING];
    size_t first = sizeof digits;
    struct wide rest = *value;
    do {
        digits[--first] = (char)('0' + divide(&rest, 10));
    } while (wide_compare(&rest, &zero) != 0);
    buf_append(text, digits + first, sizeof digits - first);
}

bool wide_parse(struct str text, struct wide *value)
{
    if (text.len == 0 || text.len > DIGITS_CEILING) {
        return false;
    }
    struct wide sum = {{0}};
    struct wide ten = wide_from_u64(10);
    for (size_t i = 0; i < text.len; i++) {
        if (text.data[i] < '0' || text.data[i] > '9') {
            return false;
        }
        /* 2^256 - 1 is below 2 * 10^77: only the 78th digit can pass it, and then it wraps */
        struct wide digit = wide_from_u64((uint64_t)(text.data[i] - '0'));
        struct wide before = sum;
        sum = wide_multiply(&sum, &ten);
        wide_add(&sum, &digit);
        struct wide back = sum;
        (void)divide(&back, 10);
        if (wide_compare(&back, &before) != 0) {
            return false;
        }
    }
    *value = sum;
    return true;
}
