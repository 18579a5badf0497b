/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The heads that -v 2 and above print, in ab's words, which people search for. Heads come one at a
 * time, but from worker threads: nothing here is shared with the main thread while a run goes on.
 */
#include "lather/cli/trace.h"

/* "HTTP/1.1 500 Internal..." holds its status behind the first blank. */
static struct str status_of(struct str head)
{
    struct str version;
    struct str rest;
    (void)str_split(head, ' ', &version, &rest);
    return str_slice(rest, 0, 3);
}

static void print_answer(const struct trace *trace, struct str head)
{
    struct str status = status_of(head);
    (void)fprintf(trace->stream, "LOG: header received:\n%.*s\n", STR_ARG(head));
    if (trace->verbosity >= 3) {
        (void)fprintf(trace->stream, "LOG: Response code = %.*s\n", STR_ARG(status));
    }
    if (!str_starts_with(status, STR("2"))) {
        (void)fprintf(trace->stream, "WARNING: Response code not 2xx (%.*s)\n", STR_ARG(status));
    }
}

void trace_print(struct trace *trace, enum run_trace direction, struct str head)
{
    if (direction == RUN_TRACE_TLS) {
        (void)fprintf(trace->stream, "%.*s", STR_ARG(head));
    } else if (direction == RUN_TRACE_RECEIVED) {
        print_answer(trace, head);
    } else if (!trace->has_sent) {
        trace->has_sent = true;
        (void)fprintf(trace->stream, "INFO: %s header == \n---\n%.*s\n---\n", trace->method,
                      STR_ARG(head));
    }
}
