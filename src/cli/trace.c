/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The heads that -v 2 and above print, in ab's words, which people search for. Heads come one at a
 * time, but from worker threads: nothing here is shared with the main thread while a run goes on.
 */
#include "lather/cli/trace.h"

#include "lather/report/clean.h"

/* Line by line, as a head may hold what a terminal would obey; line ends stay as they are. */
static struct buf cleaned(struct str lines)
{
    struct buf text;
    buf_init(&text);
    while (lines.len > 0) {
        struct str line;
        const bool is_ended = str_split(lines, '\n', &line, &lines);
        const bool has_return = is_ended && str_ends_with(line, STR("\r"));
        clean_line(&text, has_return ? str_slice(line, 0, line.len - 1) : line);
        buf_append_str(&text, has_return ? STR("\r") : STR(""));
        buf_append_str(&text, is_ended ? STR("\n") : STR(""));
    }
    return text;
}

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
    struct buf text = cleaned(head);
    if (direction == RUN_TRACE_TLS) {
        (void)fprintf(trace->stream, "%.*s", STR_ARG(buf_view(&text)));
    } else if (direction == RUN_TRACE_RECEIVED) {
        print_answer(trace, buf_view(&text));
    } else if (!trace->has_sent) {
        trace->has_sent = true;
        (void)fprintf(trace->stream, "INFO: %s header == \n---\n%.*s\n---\n", trace->method,
                      STR_ARG(buf_view(&text)));
    }
    buf_deinit(&text);
}
