/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the times and counts of connections tell: nobody listens, packets are lost, acknowledgements
 * are late, the server closes or asks who we are again and again. Causes lie in the system or the
 * settings of a server, seldom in the service. The trap: each of these patterns can be made by a
 * server that is just that slow, so what lies beside the pattern is counted too.
 */
#include "lather/measure/diagnose_connections.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lather/base/buf.h"
#include "lather/base/clock.h"

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
 * A server that writes head and body apart with Nagle on holds the body back until the head is
 * acknowledged, which a Linux client does after 40 ms: the first byte comes early, the last about
 * 44 ms later, or 48 where the timer ticks every 4 ms and the machine is busy. A server that is
 * just that slow keeps the first byte waiting too.
 */
void diagnose_connections_delayed_ack(struct summary *summary)
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
void diagnose_connections_syn_retries(struct summary *summary)
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

void diagnose_connections_reopened(struct summary *summary)
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

void diagnose_connections_lost_maybe(struct summary *summary)
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

bool diagnose_connections_is_refusal(const struct group_key *key)
{
    return key->outcome == OUTCOME_CONNECT &&
           str_starts_with_nocase(key->reason, STR("connection refused"));
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

void diagnose_connections_nobody_listens(struct summary *summary)
{
    const struct tally *tally = summary->tally;
    const struct group *group = groups_commonest(tally->failures, diagnose_connections_is_refusal);
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
 * A scheme of the connection is paid for once a connection. When about every request pays on
 * connections that stay open, somebody in between forgets who we are; who is refused is never
 * known.
 */
void diagnose_connections_handshakes(struct summary *summary)
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
                     "(Persistent-Auth: true), a proxy in between (its Via field) shares "
                     "connections among clients, or nobody asks at all and the service is better "
                     "called without a scheme.",
                     traffic->auth_handshakes, answers);
    } else {
        summary_note(summary,
                     "%" PRIu64 " of %" PRIu64
                     " requests had to authenticate, as nearly each had a "
                     "connection of its own: the server closes them after one request.",
                     traffic->auth_handshakes, answers);
    }
}
