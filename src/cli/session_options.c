/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Users instead of requests, as httperf's --wsess has them. Everything else that shapes a load says
 * when a request is sent as well, so nearly all of it contradicts; each is told with its reason.
 */
#include "lather/cli/session_options.h"

#include "lather/base/units.h"

static const uint64_t SESSIONS_MOST = 1000000000;
static const uint64_t CALLS_MOST = 1000000000;

static bool check_beside(const struct options *options, struct err *err)
{
    static const struct {
        enum option option;
        const char *why;
    } contradictions[] = {
        {OPTION_REQUESTS, "N times CALLS is the number of requests"},
        {OPTION_RATE, "a session decides itself when its next request is sent"},
        {OPTION_STEPS, "a session decides itself when its next request is sent"},
        {OPTION_FIND_RATE, "a session decides itself when its next request is sent"},
        {OPTION_THINK, "the pause is the third part of --sessions"},
        {OPTION_REQUESTS_PER_CONNECTION, "a session has one connection"},
        {OPTION_WARMUP, "its requests would be no whole sessions"},
    };
    for (size_t i = 0; i < sizeof contradictions / sizeof *contradictions; i++) {
        if (options_has(options, contradictions[i].option)) {
            return err_set(err, ERR_USAGE, "--sessions and --%s contradict each other: %s",
                           option_table_row(contradictions[i].option)->name, contradictions[i].why);
        }
    }
    return true;
}

static bool read_sessions(struct plan_sessions *sessions, const char *text, struct err *err)
{
    struct str count;
    struct str calls;
    struct str think;
    struct str rest;
    struct err reason;
    const bool has_parts =
        str_split(str_from(text), ',', &count, &rest) && str_split(rest, ',', &calls, &think);
    return (has_parts && units_parse_count(count, 1, SESSIONS_MOST, &sessions->count, &reason) &&
            units_parse_count(calls, 1, CALLS_MOST, &sessions->calls, &reason) &&
            units_parse_duration_ns(think, &sessions->think_ns, &reason)) ||
           err_set(err, ERR_USAGE,
                   "--sessions %.60s: write how many, requests of each and the pause between them, "
                   "as 100,10,2s",
                   text);
}

bool session_options_apply(const struct options *options, struct plan *plan, struct err *err)
{
    const char *text = options_text(options, OPTION_SESSIONS);
    struct plan_sessions *sessions = &plan->sessions;
    if (text == NULL) {
        return !options_has(options, OPTION_BURST) ||
               err_set(err, ERR_USAGE, "--burst says nothing without --sessions: give both");
    }
    if (!check_beside(options, err) || !read_sessions(sessions, text, err)) {
        return false;
    }
    sessions->burst = options_number(options, OPTION_BURST, 1);
    plan->requests = sessions->count * sessions->calls;
    if (plan->requests > option_table_row(OPTION_REQUESTS)->rule.most) {
        return err_set(err, ERR_USAGE, "--sessions %.60s: these are more requests than a run makes",
                       text);
    }
    plan->keep_alive = true;
    plan->requests_per_connection = (uint32_t)sessions->calls;
    return true;
}
