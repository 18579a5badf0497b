/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_TRACE_H
#define LATHER_CLI_TRACE_H

#include <stdbool.h>
#include <stdio.h>

#include "lather/base/str.h"
#include "lather/load/run.h"

/* What -v prints of heads, as ab does; the caller's storage. */
struct trace {
    FILE *stream;
    const char *method;
    int verbosity;
    bool has_sent; /* the request, the same every time, has been printed */
};

/* Prints one head: the request's once ("INFO:"), each answer's ("LOG:"), and from 3 on the status.
 */
void trace_print(struct trace *trace, enum run_trace direction, struct str head);

#endif
