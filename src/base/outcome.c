/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The closed list of ways a request can end, with its words and its groups. One table row an
 * outcome: whoever adds one adds a row, and docs/OUTCOMES.md. It does not decide which outcome a
 * request has; that is soap/judge and net/cause. Being a failure and having a place in the
 * latencies are two questions: a fault is a failure that was measured in full.
 */
#include "lather/base/outcome.h"

#include <stddef.h>

#include "lather/base/check.h"

enum answer { ANSWER_MISSING = 0, ANSWER_WHOLE };

static const struct {
    const char *name;
    enum outcome_bracket bracket;
    enum answer answer;
} rows[OUTCOME_COUNT] = {
    [OUTCOME_CUT] = {"cut", OUTCOME_BRACKET_NONE, ANSWER_MISSING},
    [OUTCOME_LOCAL] = {"local", OUTCOME_BRACKET_CONNECT, ANSWER_MISSING},
    [OUTCOME_RESOLVE] = {"resolve", OUTCOME_BRACKET_CONNECT, ANSWER_MISSING},
    [OUTCOME_CONNECT] = {"connect", OUTCOME_BRACKET_CONNECT, ANSWER_MISSING},
    [OUTCOME_TLS] = {"tls", OUTCOME_BRACKET_CONNECT, ANSWER_MISSING},
    [OUTCOME_TIMEOUT] = {"timeout", OUTCOME_BRACKET_RECEIVE, ANSWER_MISSING},
    [OUTCOME_SEND] = {"send", OUTCOME_BRACKET_RECEIVE, ANSWER_MISSING},
    [OUTCOME_RECEIVE] = {"receive", OUTCOME_BRACKET_RECEIVE, ANSWER_MISSING},
    [OUTCOME_PROTOCOL] = {"protocol", OUTCOME_BRACKET_EXCEPTIONS, ANSWER_MISSING},
    [OUTCOME_TOO_LARGE] = {"too_large", OUTCOME_BRACKET_EXCEPTIONS, ANSWER_MISSING},
    [OUTCOME_STATUS] = {"status", OUTCOME_BRACKET_EXCEPTIONS, ANSWER_WHOLE},
    [OUTCOME_NOT_SOAP] = {"not_soap", OUTCOME_BRACKET_EXCEPTIONS, ANSWER_WHOLE},
    [OUTCOME_FAULT] = {"fault", OUTCOME_BRACKET_EXCEPTIONS, ANSWER_WHOLE},
    [OUTCOME_MISMATCH] = {"mismatch", OUTCOME_BRACKET_EXCEPTIONS, ANSWER_WHOLE},
    [OUTCOME_OK] = {"ok", OUTCOME_BRACKET_NONE, ANSWER_WHOLE},
};

const char *outcome_name(enum outcome outcome)
{
    CHECK((unsigned)outcome < OUTCOME_COUNT);
    return rows[outcome].name;
}

bool outcome_parse(struct str name, enum outcome *outcome)
{
    for (size_t i = 0; i < OUTCOME_COUNT; i++) {
        if (str_equals(name, str_from(rows[i].name))) {
            *outcome = (enum outcome)i;
            return true;
        }
    }
    return false;
}

bool outcome_is_failure(enum outcome outcome)
{
    return outcome_bracket(outcome) != OUTCOME_BRACKET_NONE;
}

bool outcome_has_answer(enum outcome outcome)
{
    CHECK((unsigned)outcome < OUTCOME_COUNT);
    return rows[outcome].answer == ANSWER_WHOLE;
}

enum outcome_bracket outcome_bracket(enum outcome outcome)
{
    CHECK((unsigned)outcome < OUTCOME_COUNT);
    return rows[outcome].bracket;
}
