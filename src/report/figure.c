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
    (void)snprintf(text, FIGURE_SIZE, "%.3f", ns / 1e6);
    return text;
}
