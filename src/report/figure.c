/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Times as text, in one place, so that two formats cannot round differently. It knows milliseconds
 * only; rates and counts need no care and are printed where they stand.
 */
#include "lather/report/figure.h"

#include <stddef.h>

/* By hand, as a file of single requests has six figures for each of them: snprintf takes ten times
   as long. */
char *figure_put_count(uint64_t count, char *text)
{
    char digits[FIGURE_SIZE];
    size_t used = 0;
    do {
        digits[used++] = (char)('0' + count % 10);
        count /= 10;
    } while (count > 0);
    while (used > 0) {
        *text++ = digits[--used];
    }
    return text;
}

static char *put_us(uint64_t us, char *text)
{
    const unsigned decimals = (unsigned)(us % 1000);
    text = figure_put_count(us / 1000, text);
    *text++ = '.';
    *text++ = (char)('0' + decimals / 100);
    *text++ = (char)('0' + decimals / 10 % 10);
    *text++ = (char)('0' + decimals % 10);
    return text;
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
