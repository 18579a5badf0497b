/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the figures tell a tester who has not seen this before: one function a cause, each of which
 * looks at the summary and adds a note that says what was seen and what to do. Here stands their
 * order: what casts doubt on the run first, then what went wrong, then what is odd. It changes no
 * figure. The trap: a note is a suspicion, so a function asks for a pattern that its cause makes
 * and an ordinary slow server does not, and the sentence gives the count behind it.
 */
#include "lather/measure/diagnose.h"

#include "lather/measure/diagnose_answers.h"
#include "lather/measure/diagnose_client.h"
#include "lather/measure/diagnose_connections.h"

void diagnose_add_notes(struct summary *summary)
{
    static void (*const causes[])(struct summary * summary) = {
        diagnose_client_local,
        diagnose_client_cpu_share,
        diagnose_client_loop_lag,
        diagnose_answers_nothing_succeeded,
        diagnose_connections_nobody_listens,
        diagnose_answers_415,
        diagnose_answers_413,
        diagnose_connections_lost_maybe,
        diagnose_answers_no_message,
        diagnose_connections_reopened,
        diagnose_connections_handshakes,
        diagnose_connections_delayed_ack,
        diagnose_connections_syn_retries,
        diagnose_client_rate_not_reached,
        diagnose_client_step_not_reached,
        diagnose_answers_mean_above_p95,
        diagnose_answers_clock,
    };
    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++) {
        causes[i](summary);
    }
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
