/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a run's summary to the program's exit status. Scripts act on it, so it never calls good what
 * is not: a run in which nothing was finished has no failed request, and still is not good.
 */
#include "lather/cli/exit_status.h"

#include "lather/base/check.h"

_Static_assert((int)EXIT_STATUS_UNTRUSTED == (int)CHECK_NO_MEMORY_STATUS,
               "a program without memory ends as an untrusted run does");

enum exit_status exit_status_of(const struct summary *summary)
{
    const struct tally *tally = summary->tally;
    if (summary->end == RUN_END_INTERRUPTED) {
        return EXIT_STATUS_INTERRUPTED;
    }
    if (summary->unbalanced || tally->outcomes[OUTCOME_LOCAL] > 0) {
        return EXIT_STATUS_UNTRUSTED;
    }
    if (summary->condition_count > 0) {
        return summary_condition_holds(summary) ? EXIT_STATUS_FAILED : EXIT_STATUS_GOOD;
    }
    if (summary->plan.find_rate[0] != '\0') {
        return summary->found_micro_per_s > 0 ? EXIT_STATUS_GOOD : EXIT_STATUS_FAILED;
    }
    if (summary->end == RUN_END_UNREACHABLE || tally_failed(tally) > 0 || tally->finished == 0) {
        return EXIT_STATUS_FAILED;
    }
    return EXIT_STATUS_GOOD;
}

enum exit_status exit_status_of_saved(const struct summary *summary)
{
    if (summary->unbalanced) {
        return EXIT_STATUS_UNTRUSTED;
    }
    return summary_condition_holds(summary) ? EXIT_STATUS_FAILED : EXIT_STATUS_GOOD;
}

enum exit_status exit_status_worse(enum exit_status a, enum exit_status b)
{
    static const enum exit_status from_worst[] = {
        EXIT_STATUS_INTERRUPTED,
        EXIT_STATUS_UNTRUSTED,
        EXIT_STATUS_NOT_RUN,
        EXIT_STATUS_FAILED,
    };
    for (size_t i = 0; i < sizeof from_worst / sizeof from_worst[0]; i++) {
        if (a == from_worst[i] || b == from_worst[i]) {
            return from_worst[i];
        }
    }
    return EXIT_STATUS_GOOD;
}
