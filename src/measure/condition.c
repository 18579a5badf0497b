/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conditions on a result, for builds that are to fail: read from a short text, judged by the books.
 * It does not decide what follows from a condition that holds. Shares are compared in whole
 * numbers, so that 1 of 100 is not above 1 %. The trap: where nothing was measured (no answers, no
 * request finished) a condition holds, or a dead service would pass every limit of time.
 */
#include "lather/measure/condition.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lather/base/units.h"
#include "lather/measure/percentiles.h"

__extension__ typedef unsigned __int128 double_word;

/* --- reading --------------------------------------------------------------------------------- */

static bool fail(const char *why, struct err *err)
{
    return err_set(err, ERR_USAGE,
                   "%s: write errors>1%%, p95>800ms, rate<100/s, mean, max, \"outcome timeout>0\" "
                   "or fault{CODE}>0",
                   why);
}

/* The place of the relation, outside of braces: a namespace may hold anything. */
static size_t find_relation(struct str text)
{
    int depth = 0;
    for (size_t i = 0; i < text.len; i++) {
        char byte = text.data[i];
        depth += byte == '{';
        depth -= byte == '}' && depth > 0;
        if (depth == 0 && (byte == '<' || byte == '>')) {
            return i;
        }
    }
    return SIZE_MAX;
}

static struct str read_relation(struct str text, size_t at, enum condition_relation *relation)
{
    bool with_equal = at + 1 < text.len && text.data[at + 1] == '=';
    if (text.data[at] == '>') {
        *relation = with_equal ? CONDITION_ABOVE_OR_AT : CONDITION_ABOVE;
    } else {
        *relation = with_equal ? CONDITION_BELOW_OR_AT : CONDITION_BELOW;
    }
    return str_trim(str_slice(text, at + (with_equal ? 2 : 1), text.len));
}

static bool read_time_name(struct str name, struct condition *condition)
{
    static const struct {
        const char *name;
        enum condition_time time;
        double percent;
    } names[] = {
        {"min", CONDITION_TIME_MIN, 0},
        {"mean", CONDITION_TIME_MEAN, 0},
        {"median", CONDITION_TIME_PERCENTILE, 50},
        {"max", CONDITION_TIME_MAX, 0},
    };
    condition->figure = CONDITION_TIME;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (str_equals(name, str_from(names[i].name))) {
            condition->time = names[i].time;
            condition->percent = names[i].percent;
            return true;
        }
    }
    condition->time = CONDITION_TIME_PERCENTILE;
    return str_starts_with(name, STR("p")) &&
           percentiles_parse_one(str_slice(name, 1, name.len), &condition->percent);
}

/* What stands in fault{...}; a prefix is the writer's own and says nothing about the answer's. */
static bool read_fault_code(struct str name, struct condition *condition)
{
    struct str code = str_slice(name, strlen("fault"), name.len);
    condition->figure = CONDITION_FAULT;
    if (code.len == 0) {
        return true;
    }
    if (code.data[0] != '{' || code.data[code.len - 1] != '}' || code.len < 3) {
        return false;
    }
    code = str_trim(str_slice(code, 1, code.len - 1));
    size_t colon = str_find_byte(code, ':');
    if (colon != SIZE_MAX && str_find_byte(code, '{') == SIZE_MAX) {
        code = str_slice(code, colon + 1, code.len);
    }
    condition->fault = code;
    return code.len > 0;
}

static bool read_figure(struct str name, struct condition *condition, struct err *err)
{
    struct str word;
    struct str rest;
    if (str_equals(name, STR("errors"))) {
        condition->figure = CONDITION_ERRORS;
        return true;
    }
    if (str_equals(name, STR("rate"))) {
        condition->figure = CONDITION_RATE;
        return true;
    }
    if (str_starts_with(name, STR("fault"))) {
        return read_fault_code(name, condition) ||
               fail("the code of a fault stands in braces", err);
    }
    if (str_split(name, ' ', &word, &rest)) {
        rest = str_trim(rest);
        if (str_equals(word, STR("outcome"))) {
            condition->figure = CONDITION_OUTCOME;
            return outcome_parse(rest, &condition->outcome) ||
                   err_set(err, ERR_USAGE,
                           "\"%.*s\" is no outcome: docs/OUTCOMES.md lists them (timeout, receive, "
                           "fault, mismatch...)",
                           STR_ARG(str_slice(rest, 0, 60)));
        }
        if (str_equals(word, STR("response"))) {
            condition->is_response = true;
            name = rest;
        }
    }
    if (read_time_name(name, condition)) {
        return true;
    }
    char why[96];
    (void)snprintf(why, sizeof why, "\"%.*s\" is no figure", STR_ARG(str_slice(name, 0, 60)));
    return fail(why, err);
}

/* "1", "0.25": in millionths, at most six decimals. */
static bool read_millionths(struct str text, uint64_t most, uint64_t *millionths)
{
    struct str whole;
    struct str decimals;
    uint64_t units;
    uint64_t scale = 1000000;
    bool has_point = str_split(text, '.', &whole, &decimals);
    if (!str_to_u64(whole, &units) || units > most || (has_point && decimals.len == 0)) {
        return false;
    }
    *millionths = units * scale;
    for (size_t i = 0; i < decimals.len; i++) {
        scale /= 10;
        if (decimals.data[i] < '0' || decimals.data[i] > '9' || scale == 0) {
            return false;
        }
        *millionths += (uint64_t)(decimals.data[i] - '0') * scale;
    }
    return true;
}

static bool read_count(struct str limit, struct condition *condition, struct err *err)
{
    if (!str_ends_with(limit, STR("%"))) {
        return str_to_u64(limit, &condition->count) ||
               fail("a number of requests is a whole number, or a part of them as 1%", err);
    }
    if (str_ends_with(limit, STR("%%"))) {
        return fail("one % is enough: %% stands for it in batch files only", err);
    }
    condition->is_share = true;
    struct str number = str_trim(str_slice(limit, 0, limit.len - 1));
    return (read_millionths(number, 100, &condition->ppm100) && condition->ppm100 <= 100000000) ||
           fail("a part of the requests is 0% to 100%, with at most six decimals", err);
}

static bool read_rate(struct str limit, struct condition *condition, struct err *err)
{
    static const struct {
        const char *unit;
        double seconds;
    } units[] = {{"", 1}, {"s", 1}, {"min", 60}, {"h", 3600}};
    struct str number;
    struct str unit;
    uint64_t millionths;
    bool has_unit = str_split(limit, '/', &number, &unit);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (str_equals(str_trim(unit), str_from(units[i].unit)) && has_unit == (i > 0) &&
            read_millionths(str_trim(number), 1000000000000, &millionths)) {
            condition->rate_per_s = (double)millionths / 1e6 / units[i].seconds;
            return true;
        }
    }
    return fail("a rate is a number with /s, /min or /h", err);
}

static bool read_time(struct str limit, struct condition *condition, struct err *err)
{
    bool has_unit =
        limit.len > 0 && (limit.data[limit.len - 1] < '0' || limit.data[limit.len - 1] > '9');
    if (!has_unit) {
        return fail("a time needs its unit, as in 800ms", err);
    }
    return units_parse_duration_ns(limit, &condition->time_ns, err);
}

bool condition_is_met_by_failing(const struct condition *condition)
{
    const bool is_above =
        condition->relation == CONDITION_ABOVE || condition->relation == CONDITION_ABOVE_OR_AT;
    return is_above != (condition->figure == CONDITION_RATE);
}

bool condition_parse(struct str text, struct condition *condition, struct err *err)
{
    *condition = (struct condition){0};
    size_t at = find_relation(text);
    if (at == SIZE_MAX) {
        return fail("there is no < or > in it", err);
    }
    struct str name = str_trim(str_slice(text, 0, at));
    struct str limit = read_relation(text, at, &condition->relation);
    if (!read_figure(name, condition, err)) {
        return false;
    }
    switch (condition->figure) {
    case CONDITION_RATE:
        return read_rate(limit, condition, err);
    case CONDITION_TIME:
        return read_time(limit, condition, err);
    default:
        return read_count(limit, condition, err);
    }
}

void condition_negate(struct condition *condition)
{
    static const enum condition_relation negations[CONDITION_RELATION_COUNT] = {
        [CONDITION_ABOVE] = CONDITION_BELOW_OR_AT,
        [CONDITION_ABOVE_OR_AT] = CONDITION_BELOW,
        [CONDITION_BELOW] = CONDITION_ABOVE_OR_AT,
        [CONDITION_BELOW_OR_AT] = CONDITION_ABOVE,
    };
    condition->relation = negations[condition->relation];
}

/* --- judging --------------------------------------------------------------------------------- */

/* order is less than, equal to or greater than 0 as the figure is to the limit. */
static bool relation_holds(enum condition_relation relation, int order)
{
    switch (relation) {
    case CONDITION_ABOVE:
        return order > 0;
    case CONDITION_ABOVE_OR_AT:
        return order >= 0;
    case CONDITION_BELOW:
        return order < 0;
    case CONDITION_BELOW_OR_AT:
        return order <= 0;
    case CONDITION_RELATION_COUNT:
        break;
    }
    return true;
}

static int order_of_reals(double a, double b)
{
    return (a > b) - (a < b);
}

/* Whether {namespace}name is the code asked for, by its whole name or by what is behind the }. */
static bool name_is(struct str name, struct str wanted)
{
    size_t brace = str_find_byte(name, '}');
    struct str local = brace == SIZE_MAX ? name : str_slice(name, brace + 1, name.len);
    return str_equals(name, wanted) || str_equals(local, wanted);
}

/* The same of any name in a chain parted by /, which namespaces hold as well. */
static bool chain_has(struct str chain, struct str wanted)
{
    while (chain.len > 0) {
        size_t brace = chain.data[0] == '{' ? str_find_byte(chain, '}') : 0;
        size_t from = brace == SIZE_MAX ? 0 : brace;
        size_t slash = str_find_byte(str_slice(chain, from, chain.len), '/');
        size_t end = slash == SIZE_MAX ? chain.len : from + slash;
        if (name_is(str_slice(chain, 0, end), wanted)) {
            return true;
        }
        chain = str_slice(chain, end + 1, chain.len);
    }
    return false;
}

/* Faults of the code; *unknown are failures that found no room in the table of kinds. */
static uint64_t count_faults(const struct groups *failures, struct str code, uint64_t *unknown)
{
    uint64_t count = 0;
    for (size_t i = 0; i < groups_size(failures); i++) {
        const struct group *group = groups_at(failures, i);
        if (group->key.outcome == OUTCOME_FAULT &&
            (name_is(group->key.code, code) || chain_has(group->key.subcodes, code))) {
            count += group->count;
        }
    }
    *unknown = groups_overflow(failures);
    return count;
}

static bool count_holds(const struct condition *condition, uint64_t count, uint64_t finished)
{
    if (!condition->is_share) {
        return relation_holds(condition->relation,
                              (count > condition->count) - (count < condition->count));
    }
    double_word part = (double_word)count * 100000000;
    double_word limit = (double_word)finished * condition->ppm100;
    return relation_holds(condition->relation, (part > limit) - (part < limit));
}

static void judge_count(const struct condition *condition, const struct tally *tally,
                        struct condition_verdict *verdict)
{
    uint64_t unknown = 0;
    uint64_t count;
    uint64_t finished = tally->finished;
    if (condition->figure == CONDITION_ERRORS) {
        count = tally_failed(tally);
    } else if (condition->figure == CONDITION_OUTCOME) {
        count = tally->outcomes[condition->outcome];
    } else if (condition->fault.len == 0) {
        count = tally->outcomes[OUTCOME_FAULT];
    } else {
        count = count_faults(tally->failures, condition->fault, &unknown);
    }
    if (finished == 0) {
        verdict->holds = true;
        (void)snprintf(verdict->found, sizeof verdict->found, "no request was finished");
        return;
    }
    verdict->holds = count_holds(condition, count, finished) ||
                     (unknown > 0 && count_holds(condition, count + unknown, finished));
    if (unknown > 0) {
        (void)snprintf(verdict->found, sizeof verdict->found,
                       "%" PRIu64 " to %" PRIu64 " of %" PRIu64 " (too many kinds to know)", count,
                       count + unknown, finished);
        return;
    }
    (void)snprintf(verdict->found, sizeof verdict->found, "%" PRIu64 " of %" PRIu64 ", %.3f %%",
                   count, finished, 100.0 * (double)count / (double)finished);
}

static double time_of(const struct condition *condition, const struct histogram *times)
{
    switch (condition->time) {
    case CONDITION_TIME_MIN:
        return (double)histogram_min(times);
    case CONDITION_TIME_MEAN:
        return histogram_mean(times);
    case CONDITION_TIME_MAX:
        return (double)histogram_max(times);
    default:
        return (double)histogram_percentile(times, condition->percent);
    }
}

static void judge_time(const struct condition *condition, const struct tally *tally,
                       struct condition_verdict *verdict)
{
    const struct histogram *times = condition->is_response ? tally->response : tally->total;
    if (histogram_count(times) == 0) {
        verdict->holds = true;
        (void)snprintf(verdict->found, sizeof verdict->found,
                       condition->is_response ? "no response times: they are of --rate"
                                              : "nothing was answered");
        return;
    }
    double found_ns = time_of(condition, times);
    verdict->holds =
        relation_holds(condition->relation, order_of_reals(found_ns, (double)condition->time_ns));
    (void)snprintf(verdict->found, sizeof verdict->found, "%.3f ms", found_ns / 1e6);
}

void condition_judge(const struct condition *condition, const struct tally *tally,
                     double rate_per_s, struct condition_verdict *verdict)
{
    switch (condition->figure) {
    case CONDITION_TIME:
        judge_time(condition, tally, verdict);
        break;
    case CONDITION_RATE:
        verdict->holds =
            relation_holds(condition->relation, order_of_reals(rate_per_s, condition->rate_per_s));
        (void)snprintf(verdict->found, sizeof verdict->found, "%.2f/s", rate_per_s);
        break;
    default:
        judge_count(condition, tally, verdict);
        break;
    }
}
