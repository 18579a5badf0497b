/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_REPORT_OPTIONS_H
#define LATHER_REPORT_OPTIONS_H

#include <stdbool.h>

/*
 * How a report is to look, as ab's options ask for it. All zero is the default. That the length of
 * the document may vary (-l) is part of the plan, and so of the summary.
 */
struct report_options {
    bool no_percentiles;          /* -d: no percentile table, and no tail */
    bool no_median;               /* -S: Connection Times with least, mean and greatest only */
    const char *table_attributes; /* -x: of <table>; NULL is ab's default. Put into the markup */
    const char *row_attributes;   /* -y: of <tr>     as they are: they come from the user. */
    const char *cell_attributes;  /* -z: of <td> and <th> */
};

#endif
