/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Times as text, in one place, so that two formats cannot round differently. It knows milliseconds
 * only; rates and counts need no care and are printed where they stand.
 */
#include "lather/report/figure.h"

#include <stddef.h>
#include <string.h>

/* By hand and two digits at a time, as a file of single requests has six figures for each of them:
   snprintf takes ten times as long. */
static const char pairs[] =
    "00010203040506070809101112131415161718192021222324252627282930313233343"
    "53637383940414243444546474849505152535455565758596061626364656667686970"
    "7172737475767778798081828384858687888990919293949596979899";

char *figure_put_count(uint64_t count, char *text)
{
    char digits[FIGURE_SIZE];
    char *place = digits + sizeof digits;
    while (count >= 100) {
        place -= 2;
        memcpy(place, pairs + 2 * (count % 100), 2);
        count /= 100;
    }
    place -= 2;
    memcpy(place, pairs + 2 * count, 2);
    place += count < 10; /* no zero in front */
    const size_t len = (size_t)(digits + sizeof digits - place);
    memcpy(text, place, len);
    return text + len;
}

static char *put_us(uint64_t us, char *text)
{
    const unsigned decimals = (unsigned)(us % 1000);
    if (us < 10000) { /* most times, of most servers */
        *text++ = (char)('0' + us / 1000);
    } else {
        text = figure_put_count(us / 1000, text);
    }
    text[0] = '.';
    text[1] = (char)('0' + decimals / 100);
    memcpy(text + 2, pairs + 2 * (size_t)(decimals % 100), 2);
    return text + 4;
}

char *figure_put_ms(uint64_t ns, char *text)
{
    return put_us(ns / 1000 + (ns % 1000 >= 500), text);
}

const char *figure_ms(uint64_t ns, char text[FIGURE_SIZE])
{
    *figure_put_ms(ns, text) = '\0';
    return text;
}

const char *figure_ms_real(double ns, char text[FIGURE_SIZE])
{
    /* Not by printf's rule, half to even: the mean of one value would differ from the value. */
    const uint64_t us = (uint64_t)(ns / 1000 + 0.5);
    *put_us(us, text) = '\0';
    return text;
}
