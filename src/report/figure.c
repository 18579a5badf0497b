/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Times as text, in one place, so that two formats cannot round differently. It knows milliseconds
 * only; rates and counts need no care and are printed where they stand.
 */
#include "lather/report/figure.h"

#include <inttypes.h>
#include <stdio.h>

const char *figure_ms(uint64_t ns, char text[FIGURE_SIZE])
{
    uint64_t us = ns / 1000 + (ns % 1000 >= 500);
    (void)snprintf(text, FIGURE_SIZE, "%" PRIu64 ".%03" PRIu64, us / 1000, us % 1000);
    return text;
}

const char *figure_ms_real(double ns, char text[FIGURE_SIZE])
{
    /* Not by printf's rule, half to even: the mean of one value would differ from the value. */
    const uint64_t us = (uint64_t)(ns / 1000 + 0.5);
    (void)snprintf(text, FIGURE_SIZE, "%" PRIu64 ".%03" PRIu64, us / 1000, us % 1000);
    return text;
}
