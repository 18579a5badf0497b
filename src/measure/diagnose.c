/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the figures tell a tester who has not seen this before: one function a cause, each of which
 * looks at the summary and adds a note that says what was seen and what to do. It changes no
 * figure. The trap: a note is a suspicion, so a function asks for a pattern that its cause makes
 * and an ordinary slow server does not, and the sentence gives the count behind it.
 */
#include "lather/measure/diagnose.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lather/base/buf.h"
#include "lather/base/clock.h"
#include "lather/base/units.h"

static double percent(uint64_t part, uint64_t whole)
{
    return whole == 0 ? 0 : 100.0 * (double)part / (double)whole;
}

/* "1 request", "2 requests" */
static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

/*
 * Whether a run lasted long enough to blame the client for what it took. In a shorter one setting
 * up all connections is much of it, and a worker that has just that to do is busy all the time.
 */
static bool is_long_enough(const struct summary *summary)
{
    return summary->duration_ns >= 500 * NS_PER_MS;
}

static void note_cpu_share(struct summary *summary)
{
    struct summary_health *health = &summary->health;
    size_t busy = 0;
    size_t busiest = 0;
    for (size_t i = 0; i < health->worker_count; i++) {
        double share = summary_worker_cpu_share(&health->workers[i]);
        busy += share >= 0.9;
        if (share > summary_worker_cpu_share(&health->workers[busiest])) {
            busiest = i;
        }
    }
    if (busy == 0 || !is_long_enough(summary)) {
        return;
    }
    health->cpu_share_warning = true;
    summary_note(summary,
                 "The client itself was the limit: %zu of %zu workers used 90 %% of a core or more "
                 "(worker %zu: %.1f %%). The server may be faster than these figures say; use "
                 "--threads or another box.",
                 busy, health->worker_count, busiest + 1,
                 100 * summary_worker_cpu_share(&health->workers[busiest]));
}

/*
 * The percentile of the loop lag that tells. A p99 of fewer than 100 turns is their greatest: the
 * burst of connects that every run begins with, which in a short run is more than one of many. But
 * a worker that is long in each turn makes few of them, so then half of the turns decide; of a
 * handful nothing can be said.
 */
static double telling_percent(const struct summary *summary)
{
    const uint64_t turns = histogram_count(summary->health.loop_lag);
    if (turns >= 100 && is_long_enough(summary)) {
        return 99;
    }
    return turns >= 10 ? 50 : 0;
}

static void note_loop_lag(struct summary *summary)
{
    struct summary_health *health = &summary->health;
    double percent_of_turns = telling_percent(summary);
    if (percent_of_turns == 0) {
        return;
    }
    uint64_t lag_ns = histogram_percentile(health->loop_lag, percent_of_turns);
    if (lag_ns <= NS_PER_MS) {
        return;
    }
    health->loop_lag_warning = true;
    char text[UNITS_TEXT_SIZE];
    summary_note(
        summary,
        "The client itself was the limit: arriving bytes may have waited %s for their time "
        "stamp (loop lag, p%.0f), and the times are too long by up to that; use --threads "
        "or another box.",
        units_format_duration(lag_ns, text), percent_of_turns);
}

static void note_local(struct summary *summary)
{
    uint64_t local = summary->tally->outcomes[OUTCOME_LOCAL];
    if (local > 0) {
        summary_note(summary,
                     "%" PRIu64 " request%s failed for want of ports, descriptors or memory on "
                     "this machine: the run is not trustworthy.",
                     local, plural(local));
    }
}

/*
 * A server that writes head and body apart with Nagle on holds the body back until the head is
 * acknowledged, which a Linux client does after 40 ms: the first byte comes early, the last about
 * 44 ms later, or 48 where the timer ticks every 4 ms and the machine is busy. A server that is
 * just that slow keeps the first byte waiting too.
 */
static void note_delayed_ack(struct summary *summary)
{
    const struct tally *tally = summary->tally;
    const uint64_t low_ns = 38 * NS_PER_MS;
    const uint64_t high_ns = 52 * NS_PER_MS;
    const uint64_t margin_ns = 5 * NS_PER_MS;
    if (!summary->plan.keep_alive || summary->plan.quickack) {
        return;
    }
    uint64_t answers = histogram_count(tally->processing);
    uint64_t inside = histogram_count_between(tally->processing, low_ns, high_ns);
    uint64_t below = histogram_count_between(tally->processing, low_ns - margin_ns, low_ns - 1);
    uint64_t above = histogram_count_between(tally->processing, high_ns + 1, high_ns + margin_ns);
    uint64_t waited = histogram_count_between(tally->waiting, low_ns, high_ns);
    if (inside < 5 || inside < answers / 5 || below + above > inside / 4 || waited > inside / 2) {
        return;
    }
    summary_note(
        summary,
        "%.1f %% of the answers took 38 to 52 ms, and their first byte came sooner: that is "
        "the delayed acknowledgement of this system, met by a server that writes head and "
        "body apart with Nagle's algorithm on. --quickack takes it out of the times.",
        percent(inside, answers));
}

/* A connection request that is not answered is sent again after 1 s, then after 2 s, 4 s more. */
static void note_syn_retries(struct summary *summary)
{
    static const uint64_t after_s[] = {1, 3, 7};
    const struct histogram *opened = summary->tally->opened;
    uint64_t retried = 0;
    uint64_t just_before = 0;
    for (size_t i = 0; i < sizeof after_s / sizeof *after_s; i++) {
        uint64_t due_ns = after_s[i] * NS_PER_S;
        retried +=
            histogram_count_between(opened, due_ns - 20 * NS_PER_MS, due_ns + 400 * NS_PER_MS);
        just_before +=
            histogram_count_between(opened, due_ns - 320 * NS_PER_MS, due_ns - 20 * NS_PER_MS - 1);
    }
    if (retried == 0 || just_before > retried / 4) {
        return;
    }
    char limit[96] = "";
    if (summary->health.listen_backlog_limit > 0) {
        (void)snprintf(limit, sizeof limit, " (on this machine the system caps it at %" PRIu32 ")",
                       summary->health.listen_backlog_limit);
    }
    summary_note(
        summary,
        "%" PRIu64 " of %" PRIu64 " connects took about 1, 3 or 7 s: their first packet "
        "was lost and sent again, as happens when the server's listen queue is full. Raise "
        "the server's listen backlog and the system's limit of it%s.",
        retried, histogram_count(opened), limit);
}

static void note_connections(struct summary *summary)
{
    const struct traffic *traffic = &summary->tally->traffic;
    if (traffic->connections_reopened > 0) {
        summary_note(summary,
                     "%" PRIu64 " connection%s had been closed by the server while idle and %s "
                     "opened again; %" PRIu64 " request%s sent again. This is no failure.",
                     traffic->connections_reopened, plural(traffic->connections_reopened),
                     traffic->connections_reopened == 1 ? "was" : "were",
                     traffic->requests_sent_again,
                     traffic->requests_sent_again == 1 ? " was" : "s were");
    }
    if (summary->plan.keep_alive && traffic->answers_on_kept == 0 &&
        tally_answers(summary->tally) > 1) {
        summary_note(summary,
                     "Keep-alive was asked for, but every answer ended its connection: the "
                     "server closed it, or what it sent left nothing else to do. Each "
                     "request had to connect.");
    }
}

static void note_lost_maybe(struct summary *summary)
{
    uint64_t lost = summary->tally->traffic.requests_lost_maybe;
    /* Every run that is stopped cuts off what is under way: the figure is enough then. */
    if (lost > summary->tally->outcomes[OUTCOME_CUT]) {
        summary_note(summary,
                     "%" PRIu64 " request%s sent whole, but no head of a final answer came, or a "
                     "408: the server may not have taken %s, and its own count may be lower than "
                     "requests sent whole by up to %" PRIu64 ".",
                     lost, lost == 1 ? " was" : "s were", lost == 1 ? "it" : "them", lost);
    }
}

/* Whether the URL is where messages are sent to, or the description of such a place. */
static bool is_of_a_service(struct str url)
{
    static const char *const marks[] = {".svc", ".asmx", "?wsdl", "?singlewsdl"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        size_t at = str_find_nocase(url, str_from(marks[i]));
        if (at == SIZE_MAX) {
            continue;
        }
        struct str rest = str_slice(url, at + strlen(marks[i]), url.len);
        if (rest.len == 0 || str_find(STR("/?&"), str_slice(rest, 0, 1)) != SIZE_MAX) {
            return true;
        }
    }
    return false;
}

/* Whoever forgets -p gets the service's help page, and every one of them is good. */
static void note_no_message(struct summary *summary)
{
    const struct summary_plan *plan = &summary->plan;
    if (!plan->has_body && strcmp(plan->method, "GET") == 0 &&
        is_of_a_service(str_from(plan->url)) && tally_answers(summary->tally) > 0) {
        summary_note(summary, "No message was given: these were GETs of the service's page, judged "
                              "by their status alone, and say nothing of its operations. Give a "
                              "message with -p.");
    }
}

/* The most frequent failure for which `fits` holds, or NULL. */
static const struct group *commonest(const struct groups *groups,
                                     bool (*fits)(const struct group_key *key))
{
    const struct group *best = NULL;
    for (size_t i = 0; i < groups_size(groups); i++) {
        const struct group *group = groups_at(groups, i);
        if (fits(&group->key) && (best == NULL || group->count > best->count)) {
            best = group;
        }
    }
    return best;
}

static bool is_415(const struct group_key *key)
{
    return key->status == 415;
}

static bool is_any(const struct group_key *key)
{
    (void)key;
    return true;
}

static bool all_answers_415(const struct summary *summary)
{
    uint64_t answers = tally_answers(summary->tally);
    return answers > 0 && summary->tally->statuses[415] == answers;
}

static void note_415(struct summary *summary)
{
    if (!all_answers_415(summary)) {
        return;
    }
    const struct group *group = commonest(summary->tally->failures, is_415);
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

static void note_413_with_certificate(struct summary *summary)
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

static bool is_refusal(const struct group_key *key)
{
    return key->outcome == OUTCOME_CONNECT &&
           str_starts_with_nocase(key->reason, STR("connection refused"));
}

static void note_nothing_succeeded(struct summary *summary)
{
    const struct tally *tally = summary->tally;
    if (tally->finished == 0 || tally->outcomes[OUTCOME_OK] > 0 || all_answers_415(summary)) {
        return;
    }
    const struct group *group = commonest(tally->failures, is_any);
    if (group == NULL) {
        return;
    }
    struct str reason = group->key.reason.len > 0 ? group->key.reason : group->key.code;
    const bool is_of_proxy = is_refusal(&group->key) && summary->plan.proxy[0] != '\0';
    summary_note(summary,
                 "No request succeeded. The commonest failure: %s%s%.*s%s%s (%" PRIu64
                 " of %" PRIu64 "). The figures are of failures, not of the service's work.",
                 outcome_name(group->key.outcome), reason.len > 0 ? ": " : "", STR_ARG(reason),
                 is_of_proxy ? ", on the way to the proxy " : "",
                 is_of_proxy ? summary->plan.proxy : "", group->count, tally->finished);
}

/* Whom we could not reach: the service, or the proxy on the way to it. */
static void format_peer(const struct summary_plan *plan, struct buf *peer)
{
    if (plan->proxy[0] != '\0') {
        buf_printf(peer, "the proxy %s", plan->proxy);
    } else {
        const bool is_ipv6 = strchr(plan->host, ':') != NULL && plan->host[0] != '[';
        buf_printf(peer, "%s%s%s:%u", is_ipv6 ? "[" : "", plan->host, is_ipv6 ? "]" : "",
                   (unsigned)plan->port);
    }
}

static void note_nobody_listens(struct summary *summary)
{
    const struct tally *tally = summary->tally;
    const struct group *group = commonest(tally->failures, is_refusal);
    if (group == NULL) {
        return;
    }
    struct buf peer;
    buf_init(&peer);
    format_peer(&summary->plan, &peer);
    if (tally->outcomes[OUTCOME_OK] > 0) {
        summary_note(summary,
                     "%" PRIu64 " connect%s refused: for a while nobody listened at %s. Was the "
                     "service started again meanwhile?",
                     group->count, group->count == 1 ? " was" : "s were", peer.data);
    } else {
        summary_note(summary,
                     "Connection refused: nobody listens at %s. Is it started, is that its address "
                     "and port?%s",
                     peer.data,
                     summary->plan.proxy[0] != '\0'
                         ? ""
                         : " `lather serve` is a service to try a run against.");
    }
    buf_deinit(&peer);
}

/*
 * B124: an open loop that did not open. A burst may wait a moment; a rate that is not reached
 * leaves requests over at the end, or sends the last ones ever later.
 */
static void note_rate_not_reached(struct summary *summary)
{
    const struct summary_plan *plan = &summary->plan;
    if (plan->rate_micro_per_s == 0 || summary_rate_reached(summary)) {
        return;
    }
    summary_note(
        summary,
        "The rate was not reached: %.2f of %.2f requests a second; up to %" PRIu64
        " were due and waited for a free connection. The server takes no more with %" PRIu64
        " connections: raise -c, or lower --rate. Response times count the waiting, "
        "service times do not.",
        (double)summary->achieved_micro_per_s / 1e6, (double)plan->rate_micro_per_s / 1e6,
        summary->backlog_peak, plan->concurrency);
}

/* What ended the way up was perhaps the number of connections, and not the server. */
static void note_step_not_reached(struct summary *summary)
{
    for (size_t i = 0; i < summary->step_count; i++) {
        const struct summary_step *step = &summary->steps[i];
        if (step->reached || step->total == NULL || histogram_count(step->total) == 0 ||
            step->backlog_end == 0) {
            continue;
        }
        const uint64_t connections = summary->plan.concurrency;
        const double mean_s = histogram_mean(step->total) / 1e9;
        if (mean_s > 0) {
            summary_note(summary,
                         "The rate of step %zu, %.2f a second, was not reached: up to %" PRIu64
                         " requests were due and waited for a free connection. %" PRIu64
                         " connection%s with a mean of %.3f ms an answer can make %.2f a second: "
                         "if times did not grow from step to step, that was the limit and not the "
                         "server: raise -c.",
                         i + 1, (double)step->rate_micro_per_s / 1e6, step->backlog_peak,
                         connections, connections == 1 ? "" : "s", mean_s * 1e3,
                         (double)connections / mean_s);
        }
        return;
    }
}

/* B122: why p95 is below the mean */
static void note_mean_above_p95(struct summary *summary)
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
static void note_clock(struct summary *summary)
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

/*
 * A scheme of the connection is paid for once a connection. When about every request pays on
 * connections that stay open, somebody in between forgets who we are; who is refused is never
 * known.
 */
static void note_handshakes(struct summary *summary)
{
    const struct traffic *traffic = &summary->tally->traffic;
    const uint64_t answers = tally_answers(summary->tally);
    const bool is_bound = strcmp(summary->plan.auth_scheme, "NTLM") == 0 ||
                          strcmp(summary->plan.auth_scheme, "Negotiate") == 0;
    if (!is_bound || !summary->plan.keep_alive || answers < 10 ||
        traffic->auth_handshakes < answers - answers / 10 ||
        summary->tally->statuses[401] > answers / 2) {
        return;
    }
    if (traffic->connections_opened <= answers / 2) {
        summary_note(summary,
                     "%" PRIu64 " of %" PRIu64 " requests had to authenticate although connections "
                     "were kept: the server asks again for each (IIS: authPersistSingleRequest, or "
                     "authPersistNonNTLM off) or does not say that it remembers "
                     "(Persistent-Auth: true), or a proxy in between (its Via field) shares "
                     "connections among clients.",
                     traffic->auth_handshakes, answers);
    } else {
        summary_note(summary,
                     "%" PRIu64 " of %" PRIu64
                     " requests had to authenticate, as nearly each had a "
                     "connection of its own: the server closes them after one request.",
                     traffic->auth_handshakes, answers);
    }
}

void diagnose_add_notes(struct summary *summary)
{
    note_local(summary);
    note_cpu_share(summary);
    note_loop_lag(summary);
    note_nothing_succeeded(summary);
    note_nobody_listens(summary);
    note_415(summary);
    note_413_with_certificate(summary);
    note_lost_maybe(summary);
    note_no_message(summary);
    note_connections(summary);
    note_handshakes(summary);
    note_delayed_ack(summary);
    note_syn_retries(summary);
    note_rate_not_reached(summary);
    note_step_not_reached(summary);
    note_mean_above_p95(summary);
    note_clock(summary);
}

void diagnose_add_condition_notes(struct summary *summary)
{
    for (size_t i = 0; i < summary->condition_count; i++) {
        struct condition condition;
        if (condition_parse(str_from(summary->conditions[i]), &condition, NULL) &&
            !condition_is_met_by_failing(&condition)) {
            summary_note(summary,
                         "--fail-if %s fails a run that is good and passes one that is not: it "
                         "says what must not be. Is %s meant?",
                         summary->conditions[i], condition.figure == CONDITION_RATE ? "<" : ">");
        }
    }
}
