/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The options that make several stretches out of a run: a warm-up before it, steps in it, a moment
 * it waits for, and the time its last answers get. Only their texts and what contradicts them is
 * dealt with here; the stretches are made by load/run. The trap: a step is ended by time alone, so
 * -n and -t mean something else with steps, and are refused or taken for the length of one.
 */
#include "lather/cli/shape_options.h"

#include <string.h>

#include "lather/base/clock.h"
#include "lather/base/moment.h"
#include "lather/base/units.h"
#include "lather/measure/condition.h"

static const uint64_t DEFAULT_STEP_NS = 10 * NS_PER_S;
static const uint64_t DEFAULT_FIRST_RATE = 10000000; /* 10/s, in millionths */
static const uint64_t HALF_DAY_NS = 12 * 3600 * NS_PER_S;
enum { STEPS_CEILING = 1000 };

/* A bare number is requests, anything with a unit a time. */
static bool set_warmup(struct plan_shape *shape, const struct options *options, struct err *err)
{
    const char *text = options_text(options, OPTION_WARMUP);
    if (text == NULL) {
        return true;
    }
    const bool is_count = strspn(text, "0123456789") == strlen(text);
    const bool is_read = is_count ? units_parse_count(str_from(text), 1,
                                                      option_table_row(OPTION_REQUESTS)->rule.most,
                                                      &shape->warmup_requests, err)
                                  : units_parse_duration_ns(str_from(text), &shape->warmup_ns, err);
    if (is_read && !is_count && shape->warmup_ns == 0) {
        return err_set(err, ERR_USAGE, "--warmup %.60s: a warm-up takes some time", text);
    }
    return is_read || err_prefix(err, "--warmup");
}

/* The next time the clock shows this; what has just passed is a mistake, not tomorrow. */
static bool read_start(const char *text, uint64_t now_ns, uint64_t *at_ns, struct err *err)
{
    enum moment_zone zone;
    char ago[UNITS_TEXT_SIZE];
    if (moment_parse_time_of_day(str_from(text), now_ns, at_ns)) {
        if (*at_ns < now_ns && now_ns - *at_ns > HALF_DAY_NS) {
            *at_ns += 2 * HALF_DAY_NS;
        }
    } else if (!moment_parse_iso(str_from(text), at_ns, &zone)) {
        return err_set(err, ERR_USAGE,
                       "--start-at \"%.60s\" is no moment: write 14:30:00, or 2026-01-31T14:30:00 "
                       "with Z or +01:00 behind it",
                       text);
    }
    return *at_ns > now_ns || err_set(err, ERR_USAGE,
                                      "--start-at %.60s was %s ago by this machine's clock: give "
                                      "a later moment",
                                      text, units_format_duration(now_ns - *at_ns, ago));
}

static bool read_rates(struct str list, struct plan_shape *shape, struct err *err)
{
    struct str one;
    bool has_more = true;
    while (has_more) {
        has_more = str_split(list, ',', &one, &list);
        if (shape->step_count == STEPS_CEILING) {
            return err_set(err, ERR_USAGE, "--steps: more than %d steps", STEPS_CEILING);
        }
        shape->step_rates =
            check_realloc(shape->step_rates, (shape->step_count + 1) * sizeof *shape->step_rates);
        if (!units_parse_rate(str_trim(one), &shape->step_rates[shape->step_count], err)) {
            return err_prefix(err, "--steps");
        }
        if (shape->step_rates[shape->step_count++] == 0) {
            return err_set(err, ERR_USAGE, "--steps: a rate of 0 is no step");
        }
    }
    return true;
}

/* R1,R2,...xDURATION */
static bool set_steps(struct plan_shape *shape, const struct options *options, struct err *err)
{
    const char *text = options_text(options, OPTION_STEPS);
    if (text == NULL) {
        return true;
    }
    struct str rates;
    struct str length;
    if (!str_split(str_from(text), 'x', &rates, &length)) {
        return err_set(err, ERR_USAGE,
                       "--steps %.60s: behind the rates goes x and how long each of them is kept, "
                       "as 100,200,400x30s",
                       text);
    }
    if (!units_parse_duration_ns(str_trim(length), &shape->step_ns, err)) {
        return err_prefix(err, "--steps");
    }
    if (shape->step_ns < NS_PER_MS) {
        return err_set(err, ERR_USAGE, "--steps %.60s: a step takes a millisecond at least", text);
    }
    return read_rates(rates, shape, err);
}

/* Without --steps the search begins at --rate and its steps are as long as -t. */
static bool set_search(struct plan_shape *shape, const struct options *options, struct err *err)
{
    const char *text = options_text(options, OPTION_FIND_RATE);
    struct condition condition;
    if (text == NULL) {
        return true;
    }
    if (!condition_parse(str_trim(str_from(text)), &condition, err)) {
        return err_prefix(err, "--find-rate (here it says what must hold, as p95<500ms)");
    }
    if (condition_is_met_by_failing(&condition)) {
        return err_set(err, ERR_USAGE,
                       "--find-rate %.100s: more load makes it true: write what must hold, as "
                       "p95<500ms or errors<1%%",
                       text);
    }
    shape->find_rate = str_dup(str_trim(str_from(text)));
    if (shape->step_count == 0) {
        shape->step_rates = check_malloc(sizeof *shape->step_rates);
        shape->step_rates[0] = options_number(options, OPTION_RATE, DEFAULT_FIRST_RATE);
        shape->step_count = 1;
        shape->step_ns = options_number(options, OPTION_TIME, DEFAULT_STEP_NS);
    }
    return true;
}

static bool check_steps(const struct options *options, struct err *err)
{
    static const struct {
        enum option option;
        const char *why;
    } contradictions[] = {
        {OPTION_REQUESTS, "time ends a step"},
        {OPTION_THINK, "a step has a rate, and with a rate the schedule alone decides when a "
                       "request is sent"},
    };
    const char *name = options_has(options, OPTION_STEPS) ? "--steps" : "--find-rate";
    for (size_t i = 0; i < sizeof contradictions / sizeof *contradictions; i++) {
        if (options_has(options, contradictions[i].option)) {
            return err_set(err, ERR_USAGE, "%s and --%s contradict each other: %s", name,
                           option_table_row(contradictions[i].option)->name, contradictions[i].why);
        }
    }
    if (options_has(options, OPTION_STEPS) &&
        (options_has(options, OPTION_RATE) || options_has(options, OPTION_TIME))) {
        return err_set(err, ERR_USAGE,
                       "--steps names its rates and how long each is kept: leave --%s out",
                       options_has(options, OPTION_RATE) ? "rate" : "time");
    }
    return true;
}

bool shape_options_apply(const struct options *options, struct plan *plan, uint64_t now_ns,
                         struct err *err)
{
    struct plan_shape *shape = &plan->shape;
    const char *start = options_text(options, OPTION_START_AT);
    shape->has_grace = options_has(options, OPTION_GRACE);
    shape->grace_ns = options_number(options, OPTION_GRACE, 0);
    if (!set_warmup(shape, options, err) ||
        (start != NULL && !read_start(start, now_ns, &shape->start_at_ns, err)) ||
        !set_steps(shape, options, err) || !set_search(shape, options, err)) {
        return false;
    }
    if (shape->step_count == 0) {
        return true;
    }
    plan->requests = 0;
    plan->time_limit_ns = shape->step_ns;
    plan->rate_micro_per_s = shape->step_rates[0];
    return check_steps(options, err);
}
