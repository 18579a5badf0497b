/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_REPORT_FIGURE_H
#define LATHER_REPORT_FIGURE_H

#include <stdint.h>

enum { FIGURE_SIZE = 32 };

/*
 * Milliseconds with three decimals, as every format prints times: "0.044", "1500.000". Rounded half
 * up from whole nanoseconds, without a detour over a double. Returns text.
 */
const char *figure_ms(uint64_t ns, char text[FIGURE_SIZE]);

/* The same of a mean or a deviation, 0 <= ns < 2^64: equal values read equal in both. */
const char *figure_ms_real(double ns, char text[FIGURE_SIZE]);

/*
 * The same, and a whole number, put where text points and not ended: returns the place behind.
 * There must be FIGURE_SIZE bytes. Some 10 ns.
 */
char *figure_put_ms(uint64_t ns, char *text);
char *figure_put_count(uint64_t count, char *text);

#endif
