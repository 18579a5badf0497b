/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The messages of two mixes side by side. A message has no timeline of its own, so there is nothing
 * to draw an interval from: figures and their change, and no word of faster or slower. Messages are
 * the same by their names, as they are for a merge.
 */
#include "lather/report/compare_messages.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lather/report/clean.h"
#include "lather/report/figure.h"

static const struct summary_message *message_named(const struct summary *summary, const char *name)
{
    for (size_t i = 0; i < summary->message_count; i++) {
        if (strcmp(summary->messages[i].name, name) == 0) {
            return &summary->messages[i];
        }
    }
    return NULL;
}

static double failed_percent(const struct message_tally *tally)
{
    return tally->finished == 0
               ? 0
               : 100 * (double)message_tally_failed(tally) / (double)tally->finished;
}

/* The columns of the table above it; "-" where nothing was answered. */
static void write_times(struct buf *out, const struct message_tally *a,
                        const struct message_tally *b, double percent)
{
    const struct message_tally *const both[] = {a, b};
    uint64_t times_ns[] = {0, 0};
    char label[FIGURE_SIZE];
    char text[FIGURE_SIZE];
    (void)snprintf(label, sizeof label, "p%.0f, ms", percent);
    buf_printf(out, "  %-16s", label);
    for (size_t i = 0; i < sizeof both / sizeof *both; i++) {
        const struct histogram *total = both[i]->total;
        times_ns[i] = total == NULL ? 0 : histogram_percentile(total, percent);
        buf_printf(out, " %12s", times_ns[i] == 0 ? "-" : figure_ms(times_ns[i], text));
    }
    if (times_ns[0] > 0 && times_ns[1] > 0) {
        buf_printf(out, "  %+14.2f %%", 100 * ((double)times_ns[1] / (double)times_ns[0] - 1));
    }
    buf_append_byte(out, '\n');
}

static void write_message(struct buf *out, const struct summary_message *old_message,
                          const struct summary_message *new_message)
{
    const struct message_tally *a = &old_message->tally;
    const struct message_tally *b = &new_message->tally;
    char change[32];
    clean_line(out, str_from(old_message->name));
    buf_printf(out, "\n  %-16s %12" PRIu64 " %12" PRIu64 "\n", "requests", a->finished,
               b->finished);
    (void)snprintf(change, sizeof change, "%+.2f points", failed_percent(b) - failed_percent(a));
    buf_printf(out, "  %-16s %12.3f %12.3f  %16s\n", "errors, %", failed_percent(a),
               failed_percent(b), change);
    write_times(out, a, b, 50);
    write_times(out, a, b, 95);
}

static void write_missing(struct buf *out, const char *which, const struct summary *summary,
                          const struct summary *other)
{
    for (size_t i = 0; i < summary->message_count; i++) {
        if (message_named(other, summary->messages[i].name) == NULL) {
            buf_printf(out, "only in the %s run: ", which);
            clean_line(out, str_from(summary->messages[i].name));
            buf_append_byte(out, '\n');
        }
    }
}

void compare_messages_write(struct buf *out, const struct summary *old_result,
                            const struct summary *new_result)
{
    if (old_result->message_count + new_result->message_count == 0) {
        return;
    }
    buf_append_str(out, STR("\nMessages of the mix (without intervals)\n"));
    for (size_t i = 0; i < old_result->message_count; i++) {
        const struct summary_message *message = &old_result->messages[i];
        const struct summary_message *same = message_named(new_result, message->name);
        if (same != NULL) {
            write_message(out, message, same);
        }
    }
    write_missing(out, "old", old_result, new_result);
    write_missing(out, "new", new_result, old_result);
}
