/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether the local ports last for a plan. A closed connection keeps its port for a while on the
 * side that closed first; when that is this side, so many new ones a second use up what there is.
 * Nothing here asks the system, and nothing is refused: who closes first is the server's to decide,
 * and other programs use ports too.
 */
#include "lather/load/port_needs.h"

#include <inttypes.h>

static const uint64_t MICRO = 1000000;

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

/* Requests that share a connection. */
static uint64_t requests_each(const struct plan *plan)
{
    return plan->requests_per_connection > 0 ? plan->requests_per_connection : 1;
}

/* The highest rate the plan asks for, in millionths; 0 when only the service sets one. */
static uint64_t highest_rate(const struct plan *plan)
{
    const struct plan_shape *shape = &plan->shape;
    if (shape->find_rate != NULL) {
        return 0;
    }
    uint64_t rate = plan->rate_micro_per_s;
    for (size_t i = 0; i < shape->step_count; i++) {
        rate = shape->step_rates[i] > rate ? shape->step_rates[i] : rate;
    }
    return rate;
}

/* What a rate makes in a time, or UINT64_MAX when that is beyond counting. */
static uint64_t made_in(uint64_t rate_micro, uint64_t time_ns)
{
    const double count = (double)rate_micro / 1e6 * ((double)time_ns / 1e9);
    return count < 1e18 ? (uint64_t)count : UINT64_MAX;
}

/* The most connections the run can open; UINT64_MAX when only the service sets a limit. */
static uint64_t most_connections(const struct plan *plan, uint64_t rate_micro)
{
    uint64_t requests = plan->requests != 0 ? plan->requests : UINT64_MAX;
    if (rate_micro != 0 && plan->time_limit_ns != 0 && plan->shape.step_count == 0) {
        const uint64_t due = made_in(rate_micro, plan->time_limit_ns);
        requests = due < requests ? due : requests;
    }
    return requests / requests_each(plan) + (requests % requests_each(plan) != 0 ? 1 : 0);
}

static void note_at_once(const struct plan *plan, const struct port_supply *supply,
                         struct buf *notes)
{
    buf_printf(notes,
               "-c %" PRIu32 " asks for more connections at once than the %" PRIu64
               " local port%s here: the rest will be `local`. A lower -c, more local addresses (-B "
               "ADDRESS,ADDRESS), or more ports.\n",
               plan->concurrency, supply->ports, plural(supply->ports));
}

/* "At --rate 50 they are used up after 2 s. " */
static void note_when(uint64_t rate_micro, uint64_t each, uint64_t ports, struct buf *notes)
{
    const double seconds = (double)ports * (double)each / ((double)rate_micro / 1e6);
    buf_printf(notes, "At %.6g requests a second they are used up after %.3g s. ",
               (double)rate_micro / 1e6, seconds);
}

void port_needs_note(const struct plan *plan, const struct port_supply *supply, struct buf *notes)
{
    const uint64_t ports = supply->ports;
    if (ports == 0) {
        return;
    }
    if (plan->concurrency > ports) {
        note_at_once(plan, supply, notes);
        return;
    }
    const bool reopens = !plan->keep_alive || plan->requests_per_connection > 0;
    const uint64_t each = requests_each(plan);
    const uint64_t rate_micro = highest_rate(plan);
    if (!reopens || supply->rest_s == 0 || most_connections(plan, rate_micro) <= ports ||
        (rate_micro != 0 && rate_micro / each <= ports * MICRO / supply->rest_s)) {
        return;
    }
    const uint64_t allowed = ports / supply->rest_s;
    buf_printf(notes,
               "%s opens a connection: the %" PRIu64 " local ports here last for %" PRIu64
               " new connection%s a second, as one whose server does not close first keeps its "
               "port for %" PRIu64 " s. ",
               each > 1 ? "Every group of requests" : "Every request", ports, allowed,
               plural(allowed), supply->rest_s);
    if (rate_micro != 0) {
        note_when(rate_micro, each, ports, notes);
    }
    buf_append_str(notes, plan->keep_alive
                              ? STR("More of them last longer (-B ADDRESS,ADDRESS).\n")
                              : STR("-k avoids that; more addresses last longer (-B).\n"));
}
