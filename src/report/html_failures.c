/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What became of the requests in the HTML page: outcomes with their shares, and the kinds of
 * failures by what they have in common. Kinds may be a thousand; the most frequent are shown, the
 * others stand behind a fold, which works without a script.
 */
#include "lather/report/html_failures.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "lather/report/clean.h"

enum { GROUPS_SHOWN = 20 };

void html_failures_write_outcomes(struct buf *out, const struct tally *tally)
{
    if (tally->started == 0) {
        return;
    }
    buf_append_str(out, STR("<h2>Outcomes of the requests</h2>\n<div class=\"scroll\"><table id="
                            "\"outcomes\">\n"));
    for (size_t i = OUTCOME_COUNT; i-- > 0;) {
        if (tally->outcomes[i] > 0) {
            double share = 100 * (double)tally->outcomes[i] / (double)tally->started;
            buf_printf(out,
                       "<tr><th>%s</th><td class=\"n\">%" PRIu64 "</td><td class=\"n\">%.2f %%</td>"
                       "<td class=\"w\"><div class=\"share\"><i%s style=\"width:%.2f%%\"></i></div>"
                       "</td></tr>\n",
                       outcome_name((enum outcome)i), tally->outcomes[i], share,
                       i == OUTCOME_OK ? " class=\"ok\"" : "", share);
        }
    }
    buf_append_str(out, STR("</table></div>\n"));
}

static void write_part(struct buf *out, const char *name, struct str part)
{
    if (part.len > 0) {
        buf_printf(out, "<br><small>%s</small> ", name);
        clean_html(out, part);
    }
}

static void write_group(struct buf *out, const struct group *group)
{
    const struct group_key *key = &group->key;
    buf_printf(out, "<tr><td class=\"n\">%" PRIu64 "</td><td>%s</td><td class=\"n\">", group->count,
               outcome_name(key->outcome));
    if (key->status != 0) {
        buf_printf(out, "%u", (unsigned)key->status);
    }
    buf_append_str(out, STR("</td><td class=\"w\">"));
    clean_html(out, key->code.len > 0 ? key->code : key->reason);
    if (key->code.len > 0) {
        write_part(out, "subcode", key->subcodes);
        write_part(out, "detail", key->detail);
        write_part(out, "reason", key->reason);
    }
    write_part(out, "message", key->message);
    buf_append_str(out, STR("</td></tr>\n"));
}

static void begin_groups(struct buf *out, const char *id)
{
    buf_printf(out,
               "<div class=\"scroll\"><table id=\"%s\"><tr><th class=\"n\">count</th>"
               "<th>outcome</th><th class=\"n\">status</th><th>what was said</th></tr>\n",
               id);
}

/* The most frequent ones, and the others behind a fold. */
static void write_groups(struct buf *out, const struct group **sorted, size_t count,
                         const char *heading, const char *id)
{
    if (count == 0) {
        return;
    }
    buf_printf(out, "<h2>%s</h2>\n", heading);
    begin_groups(out, id);
    for (size_t i = 0; i < count; i++) {
        if (i == GROUPS_SHOWN) {
            buf_printf(out, "</table></div>\n<details><summary>%zu more kinds</summary>\n",
                       count - GROUPS_SHOWN);
            char more[32];
            (void)snprintf(more, sizeof more, "%s-more", id);
            begin_groups(out, more);
        }
        write_group(out, sorted[i]);
    }
    buf_append_str(out, STR("</table></div>\n"));
    if (count > GROUPS_SHOWN) {
        buf_append_str(out, STR("</details>\n"));
    }
}

void html_failures_write_groups(struct buf *out, const struct groups *failures)
{
    const size_t size = groups_size(failures);
    const struct group **ranked = groups_ranked(failures);
    const struct group **sorted = check_malloc((size + 1) * sizeof *sorted);
    size_t faults = 0;
    size_t others = 0;
    for (size_t i = 0; i < size; i++) {
        faults += ranked[i]->key.outcome == OUTCOME_FAULT;
    }
    for (size_t i = 0, fault = 0; i < size; i++) {
        if (ranked[i]->key.outcome == OUTCOME_FAULT) {
            sorted[fault++] = ranked[i];
        } else {
            sorted[faults + others++] = ranked[i];
        }
    }
    write_groups(out, sorted, faults, "SOAP faults by code and reason", "faults");
    write_groups(out, sorted + faults, others, "Other failures by reason", "others");
    if (groups_overflow(failures) > 0) {
        buf_printf(out, "<p>%" PRIu64 " more failures are of further kinds.</p>\n",
                   groups_overflow(failures));
    }
    free(sorted);
    free(ranked);
}
