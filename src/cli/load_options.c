/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The options that shape the load: how many, how many at once, how fast, until when. Each means the
 * same in any order of options; what contradicts another is told with both names.
 */
#include "lather/cli/load_options.h"

#include <string.h>

#include "lather/base/clock.h"
#include "lather/base/platform.h"
#include "lather/base/units.h"
#include "lather/cli/session_options.h"
#include "lather/cli/shape_options.h"

/* One request a connection is what is done without -k. */
static void set_connections(struct plan *plan, const struct options *options)
{
    const uint64_t limit = options_number(options, OPTION_REQUESTS_PER_CONNECTION, 0);
    plan->keep_alive = limit != 1 && (limit > 1 || options_has(options, OPTION_KEEP_ALIVE));
    plan->requests_per_connection = limit > 1 ? (uint32_t)limit : 0;
}

static void set_figures(struct plan *plan, const struct options *options)
{
    bool only_time = options_has(options, OPTION_TIME) && !options_has(options, OPTION_REQUESTS);
    plan->requests = options_number(options, OPTION_REQUESTS, only_time ? 0 : 1);
    plan->time_limit_ns = options_number(options, OPTION_TIME, 0);
    plan->concurrency = (uint32_t)options_number(options, OPTION_CONCURRENCY, 1);
    plan->threads = (uint32_t)options_number(options, OPTION_THREADS, plan->threads);
    set_connections(plan, options);
    plan->quickack = options_has(options, OPTION_QUICKACK);
    plan->timeout_ns = options_number(options, OPTION_TIMEOUT, plan->timeout_ns);
    plan->connect_timeout_ns = options_number(options, OPTION_CONNECT_TIMEOUT, 0);
    plan->window_bytes = options_number(options, OPTION_WINDOW, 0);
    plan->verbosity = (int)options_number(options, OPTION_VERBOSITY, 0);
    plan->keep_samples = options_has(options, OPTION_SAMPLE_FILE);
    if (options_has(options, OPTION_BIND)) {
        plan->bind_address = str_dup(str_from(options_text(options, OPTION_BIND)));
    }
    uint64_t seed = 0;
    platform_random_bytes(&seed, sizeof seed);
    uint64_t seed_most = option_table_row(OPTION_SEED)->rule.most;
    plan->seed = options_number(options, OPTION_SEED, seed % (seed_most + 1));
}

static bool set_arrivals(struct plan *plan, const struct options *options, struct err *err)
{
    const char *arrivals = options_text(options, OPTION_ARRIVALS);
    plan->rate_micro_per_s = options_number(options, OPTION_RATE, 0);
    if (arrivals == NULL || strcmp(arrivals, "even") == 0) {
        plan->arrivals = PLAN_ARRIVALS_EVEN;
    } else if (strcmp(arrivals, "poisson") == 0) {
        plan->arrivals = PLAN_ARRIVALS_POISSON;
    } else {
        return err_set(err, ERR_USAGE, "--arrivals: \"%.60s\" is not known: write even or poisson",
                       arrivals);
    }
    if (arrivals != NULL && plan->rate_micro_per_s == 0) {
        return err_set(err, ERR_USAGE, "--arrivals says nothing without --rate: give both");
    }
    return true;
}

static bool set_think(struct plan *plan, const struct options *options, struct err *err)
{
    const char *think = options_text(options, OPTION_THINK);
    if (think == NULL) {
        return true;
    }
    struct str least;
    struct str most;
    const bool is_range = str_split(str_from(think), '-', &least, &most);
    if (!units_parse_duration_ns(least, &plan->think_min_ns, err) ||
        !units_parse_duration_ns(is_range ? most : least, &plan->think_max_ns, err)) {
        return err_prefix(err, "--think");
    }
    if (plan->think_min_ns > plan->think_max_ns || plan->think_max_ns == 0) {
        return err_set(err, ERR_USAGE,
                       "--think %.60s: write a pause as 1s, or the shorter and the longer as "
                       "500ms-2s",
                       think);
    }
    if (plan->rate_micro_per_s != 0) {
        return err_set(err, ERR_USAGE,
                       "--think and --rate contradict each other: with --rate the schedule alone "
                       "decides when a request is sent");
    }
    return true;
}

bool load_options_apply(const struct options *options, struct plan *plan, struct err *err)
{
    set_figures(plan, options);
    return set_arrivals(plan, options, err) && set_think(plan, options, err) &&
           shape_options_apply(options, plan, clock_wall_ns(), err) &&
           session_options_apply(options, plan, err);
}
