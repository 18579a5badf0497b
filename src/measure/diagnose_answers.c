/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the answers themselves tell: the message was of the wrong kind, too large, or none at all;
 * nothing succeeded; the clocks differ; a few answers outweigh all others. It looks at counts and
 * at the words of the commonest failure, never at bodies, which are gone by now.
 */
#include "lather/measure/diagnose_answers.h"

#include <inttypes.h>
#include <string.h>

#include "lather/base/clock.h"
#include "lather/base/units.h"
#include "lather/measure/diagnose_connections.h"

/* Whether `mark` stands in the URL with the end of a name behind it, wherever. */
static bool has_mark(struct str url, struct str mark)
{
    for (size_t at = str_find_nocase(url, mark); at != SIZE_MAX; at = str_find_nocase(url, mark)) {
        url = str_slice(url, at + mark.len, url.len);
        if (url.len == 0 || str_find(STR("/?&"), str_slice(url, 0, 1)) != SIZE_MAX) {
            return true;
        }
    }
    return false;
}

/* Whether the URL is where messages are sent to, or the description of such a place. */
static bool is_of_a_service(struct str url)
{
    static const char *const marks[] = {".svc", ".asmx", "?wsdl", "?singlewsdl"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        if (has_mark(url, str_from(marks[i]))) {
            return true;
        }
    }
    return false;
}

/* Whoever forgets -p gets the service's help page, and every one of them is good. */
void diagnose_answers_no_message(struct summary *summary)
{
    const struct summary_plan *plan = &summary->plan;
    if (!plan->has_body && strcmp(plan->method, "GET") == 0 &&
        is_of_a_service(str_from(plan->url)) && tally_answers(summary->tally) > 0) {
        summary_note(summary, "No message was given: these were GETs of the service's page, judged "
                              "by their status alone, and say nothing of its operations. Give a "
                              "message with -p.");
    }
}

static bool is_415(const struct group_key *key)
{
    return key->status == 415;
}

static bool all_answers_415(const struct summary *summary)
{
    uint64_t answers = tally_answers(summary->tally);
    return answers > 0 && summary->tally->statuses[415] == answers;
}

void diagnose_answers_415(struct summary *summary)
{
    if (!all_answers_415(summary)) {
        return;
    }
    const struct group *group = groups_commonest(summary->tally->failures, is_415);
    struct str reason = group == NULL ? str_from("") : group->key.reason;
    const char *hint =
        "SOAP 1.1 goes as text/xml, SOAP 1.2 as application/soap+xml; set it with -T.";
    if (str_find_nocase(reason, STR("msbin")) != SIZE_MAX) {
        hint =
            "It takes WCF's binary encoding, in which this message is not; test an endpoint with "
            "a text encoding.";
    }
    /* "415 Unsupported Media Type" explains nothing; WCF writes there which type it expected */
    if (reason.len <= strlen("415 ") ||
        str_find_nocase(reason, STR("Unsupported Media Type")) != SIZE_MAX) {
        summary_note(summary,
                     "Every answer was 415, Unsupported Media Type: the server does not take "
                     "\"%s\". %s",
                     summary->plan.content_type, hint);
        return;
    }
    summary_note(summary,
                 "Every answer was 415, Unsupported Media Type: the server does not take \"%s\". "
                 "The reason phrase is the explanation: \"%.*s\". %s",
                 summary->plan.content_type, STR_ARG(reason), hint);
}

/* What IIS reads of a body before it asks for a client certificate (UploadReadAheadSize). */
enum { READ_AHEAD_BYTES = 49152 };

void diagnose_answers_413(struct summary *summary)
{
    uint64_t refused = summary->tally->statuses[413];
    if (refused == 0 || !summary->tls.client_certificate ||
        summary->plan.body_bytes <= READ_AHEAD_BYTES) {
        return;
    }
    summary_note(summary,
                 "%" PRIu64 " answer%s 413 to a message of %" PRIu64 " bytes with a client "
                 "certificate: most likely not the service's own limit but what the server keeps "
                 "of a body while it asks for the certificate (IIS: UploadReadAheadSize, 48 KiB; "
                 "Apache: SSLRenegBufferSize, 128 KiB). Raise that, or let the server ask in the "
                 "first handshake.",
                 refused, refused == 1 ? " was" : "s were", summary->plan.body_bytes);
}

void diagnose_answers_nothing_succeeded(struct summary *summary)
{
    const struct tally *tally = summary->tally;
    if (tally->finished == 0 || tally->outcomes[OUTCOME_OK] > 0 || all_answers_415(summary)) {
        return;
    }
    const struct group *group = groups_commonest(tally->failures, NULL);
    if (group == NULL) {
        return;
    }
    struct str reason = group->key.reason.len > 0 ? group->key.reason : group->key.code;
    const bool is_of_proxy =
        diagnose_connections_is_refusal(&group->key) && summary->plan.proxy[0] != '\0';
    summary_note(summary,
                 "No request succeeded. The commonest failure: %s%s%.*s%s%s (%" PRIu64
                 " of %" PRIu64 "). The figures are of failures, not of the service's work.",
                 outcome_name(group->key.outcome), reason.len > 0 ? ": " : "", STR_ARG(reason),
                 is_of_proxy ? ", on the way to the proxy " : "",
                 is_of_proxy ? summary->plan.proxy : "", group->count, tally->finished);
}

/* B122: why p95 is below the mean */
void diagnose_answers_mean_above_p95(struct summary *summary)
{
    const struct histogram *total = summary->tally->total;
    uint64_t p95_ns = histogram_percentile(total, 95);
    if (histogram_count(total) < 20 || histogram_mean(total) <= (double)p95_ns) {
        return;
    }
    char text[UNITS_TEXT_SIZE];
    summary_note(summary,
                 "The mean time is above the 95 %% percentile: a few answers were far slower than "
                 "the rest (%" PRIu64 " took more than half of the longest, %s) and weigh on it. "
                 "Look at the percentiles.",
                 summary_slowest_band(summary), units_format_duration(histogram_max(total), text));
}

/* Moments in messages are refused when clocks differ by minutes; by less, they are merely odd. */
void diagnose_answers_clock(struct summary *summary)
{
    enum { SKEW_NOTED_S = 30 };
    const int64_t skew =
        (int64_t)summary->server_date_s - (int64_t)(summary->server_date_at_ns / NS_PER_S);
    if (summary->server_date_s == 0 || (skew < SKEW_NOTED_S && skew > -SKEW_NOTED_S)) {
        return;
    }
    summary_note(summary,
                 "The server's clock (its Date) is %" PRId64 " s %s this one. If it refuses "
                 "Timestamps, --clock-offset %+" PRId64 "s writes them by its clock.",
                 skew < 0 ? -skew : skew, skew < 0 ? "behind" : "ahead of", skew);
}
