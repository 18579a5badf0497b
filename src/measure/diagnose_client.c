/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether this machine, or what the user gave lather, was the limit and not the server: processor,
 * loop lag, ports and memory, the number of connections of an open loop. These notes cast doubt on
 * the figures themselves. The trap: a run begins with a burst of connects that keeps any client
 * busy, so a short run says little about it.
 */
#include "lather/measure/diagnose_client.h"

#include <inttypes.h>

#include "lather/base/clock.h"
#include "lather/base/units.h"

/*
 * Whether a run lasted long enough to blame the client for what it took. In a shorter one setting
 * up all connections is much of it, and a worker that has just that to do is busy all the time.
 */
static bool is_long_enough(const struct summary *summary)
{
    return summary->duration_ns >= 500 * NS_PER_MS;
}

void diagnose_client_cpu_share(struct summary *summary)
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

void diagnose_client_loop_lag(struct summary *summary)
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

void diagnose_client_local(struct summary *summary)
{
    uint64_t local = summary->tally->outcomes[OUTCOME_LOCAL];
    if (local > 0) {
        summary_note(summary,
                     "%" PRIu64 " request%s failed for want of ports, descriptors or memory on "
                     "this machine: the run is not trustworthy.",
                     local, local == 1 ? "" : "s");
    }
}

/*
 * B124: an open loop that did not open. A burst may wait a moment; a rate that is not reached
 * leaves requests over at the end, or sends the last ones ever later.
 */
void diagnose_client_rate_not_reached(struct summary *summary)
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
void diagnose_client_step_not_reached(struct summary *summary)
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
