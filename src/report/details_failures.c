/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the requests ended, as blocks of the text report: outcomes, which check refused answers, and
 * faults and other failures by reason, the most frequent first. Twenty kinds are shown of each; the
 * trap is that the rest is told by count, never left out in silence.
 */
#include "lather/report/details_failures.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "lather/report/clean.h"
#include "lather/report/figure.h"
#include "lather/report/rows.h"

enum { GROUPS_SHOWN = 20 };

void details_write_outcomes(struct buf *out, const struct tally *tally)
{
    rows_heading(out, "Outcomes of the requests");
    for (size_t i = OUTCOME_COUNT; i-- > 0;) {
        if (tally->outcomes[i] > 0) {
            rows_count(out, outcome_name((enum outcome)i), tally->outcomes[i]);
        }
    }
    if (histogram_count(tally->failed) > 0) {
        rows_spread(out, "time to failure", tally->failed);
    }
}

void details_write_checks(struct buf *out, const struct tally *tally)
{
    bool is_begun = false;
    for (size_t i = STEP_NONE + 1; i < STEP_COUNT; i++) {
        if (tally->steps[i] > 0) {
            if (!is_begun) {
                rows_heading(out, "Refused answers by check");
                is_begun = true;
            }
            rows_count(out, step_name((enum step)i), tally->steps[i]);
        }
    }
}

enum group_kind { GROUP_KIND_FAULT = 0, GROUP_KIND_OTHER, GROUP_KIND_COUNT };

static enum group_kind kind_of(const struct group *group)
{
    return group->key.outcome == OUTCOME_FAULT ? GROUP_KIND_FAULT : GROUP_KIND_OTHER;
}

static void append_status(struct buf *out, const struct group_key *key)
{
    if (key->status != 0) {
        buf_printf(out, " (status %u)", (unsigned)key->status);
    }
    buf_append_byte(out, '\n');
}

static void write_fault_part(struct buf *out, const char *name, struct str part)
{
    if (part.len > 0) {
        buf_printf(out, "%-*s%s ", ROWS_LABEL_WIDTH, "", name);
        clean_line(out, part);
        buf_append_byte(out, '\n');
    }
}

static void begin_group(struct buf *out, const struct group *group)
{
    char count[FIGURE_SIZE];
    (void)snprintf(count, sizeof count, "%" PRIu64, group->count);
    rows_begin(out, count);
}

static void write_fault(struct buf *out, const struct group *group)
{
    const struct group_key *key = &group->key;
    begin_group(out, group);
    clean_line(out, key->code.len > 0 ? key->code : STR("(no code)"));
    append_status(out, key);
    write_fault_part(out, "subcode", key->subcodes);
    write_fault_part(out, "detail", key->detail);
    write_fault_part(out, "reason", key->reason);
    write_fault_part(out, "message", key->message);
}

static void write_other_failure(struct buf *out, const struct group *group)
{
    const struct group_key *key = &group->key;
    begin_group(out, group);
    buf_append_str(out, str_from(outcome_name(key->outcome)));
    if (key->reason.len > 0) {
        buf_append_str(out, STR(": "));
        clean_line(out, key->reason);
    }
    if (key->outcome == OUTCOME_STATUS && key->reason.len > 0) {
        buf_append_byte(out, '\n'); /* the reason is the status with its phrase */
    } else {
        append_status(out, key);
    }
    write_fault_part(out, "message", key->message);
}

static void write_groups_of(struct buf *out, const struct group *const *sorted, size_t size,
                            enum group_kind kind)
{
    size_t shown = 0;
    size_t hidden = 0;
    uint64_t hidden_failures = 0;
    for (size_t i = 0; i < size; i++) {
        if (kind_of(sorted[i]) != kind) {
            continue;
        }
        if (shown == GROUPS_SHOWN) {
            hidden++;
            hidden_failures += sorted[i]->count;
            continue;
        }
        if (shown++ == 0) {
            rows_heading(out, kind == GROUP_KIND_FAULT ? "SOAP faults by code and reason"
                                                       : "Other failures by reason");
        }
        if (kind == GROUP_KIND_FAULT) {
            write_fault(out, sorted[i]);
        } else {
            write_other_failure(out, sorted[i]);
        }
    }
    if (hidden > 0) {
        buf_printf(out, "  and %zu more kinds, %" PRIu64 " requests; the JSON result has them\n",
                   hidden, hidden_failures);
    }
}

void details_write_failures(struct buf *out, const struct groups *failures)
{
    size_t size = groups_size(failures);
    const struct group **sorted = groups_ranked(failures);
    write_groups_of(out, sorted, size, GROUP_KIND_FAULT);
    write_groups_of(out, sorted, size, GROUP_KIND_OTHER);
    if (groups_overflow(failures) > 0) {
        rows_count(out, "of further kinds", groups_overflow(failures));
    }
    free(sorted);
}
