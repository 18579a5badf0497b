/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What went over the wire, as blocks of the text report: answers by status, what was sent, what the
 * connections did, authentication and TLS. Rows for what is rare stand there only when it happened;
 * the books of what was sent always stand there whole.
 */
#include "lather/report/details_wire.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lather/report/figure.h"
#include "lather/report/rows.h"

void details_write_answers(struct buf *out, const struct tally *tally, uint64_t distinct_bodies)
{
    rows_heading(out, "Answers by status");
    for (size_t i = 0; i < TALLY_STATUS_COUNT; i++) {
        if (tally->statuses[i] > 0) {
            char status[FIGURE_SIZE];
            (void)snprintf(status, sizeof status, "%zu", i);
            rows_count(out, status, tally->statuses[i]);
        }
    }
    rows_count(out, "judged as SOAP", tally->judged);
    rows_count_if_any(out, "different bodies", distinct_bodies);
    rows_count_if_any(out, "without RelatesTo", tally->relates_absent);
    rows_count_if_any(out, "charset contradicted", tally->charset_contradictions);
    rows_count_if_any(out, "media contradicted", tally->media_contradictions);
    if (tally->outcomes[OUTCOME_OK] > 0) {
        rows_begin(out, "body of ok answers");
        buf_printf(out, "%" PRIu64 " to %" PRIu64 " bytes\n", tally->body_bytes_min,
                   tally->body_bytes_max);
    }
    if (tally->traffic.interim_answers > 0) {
        rows_count(out, "interim (1xx) skipped", tally->traffic.interim_answers);
    }
}

/* Before the run, unless the URL had an address; with --resolve-each for each connection too. */
static void row_lookups(struct buf *out, const struct summary *summary)
{
    const struct traffic *traffic = &summary->tally->traffic;
    char text[FIGURE_SIZE];
    if (summary->name_lookup_ns > 0) {
        rows_begin(out, "name looked up");
        buf_printf(out, "%s ms, before the run\n", figure_ms(summary->name_lookup_ns, text));
    }
    if (traffic->name_lookups > 0) {
        rows_begin(out, "looked up again");
        buf_printf(out, "%" PRIu64 ", mean %s ms, in the connect time\n", traffic->name_lookups,
                   figure_ms((traffic->name_lookups_ns + traffic->name_lookups / 2) /
                                 traffic->name_lookups,
                             text));
    }
}

void details_write_traffic(struct buf *out, const struct summary *summary)
{
    const struct tally *tally = summary->tally;
    const struct traffic *traffic = &tally->traffic;
    rows_heading(out, "What was sent");
    rows_count(out, "requests sent whole", traffic->requests_sent_whole);
    rows_count(out, "requests sent again", traffic->requests_sent_again);
    rows_count(out, "requests sent in part", traffic->requests_sent_partly);
    rows_count(out, "requests lost maybe", traffic->requests_lost_maybe);
    rows_count(out, "requests cut", tally->outcomes[OUTCOME_CUT]);
    rows_count(out, "requests not started", summary->not_started);
    rows_heading(out, "Connections");
    rows_count(out, "opened", traffic->connections_opened);
    rows_count(out, "opened again", traffic->connections_reopened);
    rows_count(out, "failed", traffic->connections_failed);
    rows_count(out, "most open at once", traffic->connections_peak);
    if (histogram_count(tally->opened) > 0) {
        rows_spread(out, "connect time", tally->opened);
    }
    row_lookups(out, summary);
    rows_count_if_any(out, "closed, stray bytes", traffic->connections_strayed);
    rows_count_if_any(out, "stray bytes", traffic->stray_bytes);
    if (strcmp(summary->plan.transport, "curl") == 0) {
        rows_text(out, "transport", "curl (libcurl)");
    }
    if (summary->plan.proxy[0] != '\0') {
        rows_text(out, "proxy", summary->plan.proxy);
    }
}

void details_write_auth(struct buf *out, const struct summary *summary)
{
    const struct tally *tally = summary->tally;
    if (summary->plan.auth_scheme[0] == '\0') {
        return;
    }
    rows_heading(out, "Authentication");
    rows_text(out, "scheme", summary->plan.auth_scheme);
    rows_count(out, "handshakes", tally->traffic.auth_handshakes);
    rows_count(out, "handshake legs", tally->traffic.auth_legs);
    if (histogram_count(tally->auth) > 0) {
        rows_spread(out, "handshake time", tally->auth);
    }
}

static void row_handshakes(struct buf *out, const char *label, uint64_t count, uint64_t sum_ns)
{
    char text[FIGURE_SIZE];
    rows_begin(out, label);
    buf_printf(out, "%" PRIu64, count);
    if (count > 0) {
        buf_printf(out, ", mean %s ms", figure_ms((sum_ns + count / 2) / count, text));
    }
    buf_append_byte(out, '\n');
}

void details_write_tls(struct buf *out, const struct summary *summary)
{
    const struct summary_tls *tls = &summary->tls;
    const struct traffic *traffic = &summary->tally->traffic;
    if (!tls->used) {
        return;
    }
    rows_heading(out, "TLS");
    row_handshakes(out, "full handshakes", traffic->tls_full, traffic->tls_full_ns);
    row_handshakes(out, "resumed", traffic->tls_resumed, traffic->tls_resumed_ns);
    rows_count(out, "handshakes failed", traffic->tls_failed);
    rows_begin(out, "verification");
    buf_append_str(out, tls->verified ? STR("on\n") : STR("OFF (--insecure)\n"));
}
