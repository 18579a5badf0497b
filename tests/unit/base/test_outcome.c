/* SPDX-License-Identifier: Apache-2.0 */
/* The closed list: each outcome has one word and one place among ab's brackets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "lather/base/outcome.h"

static const struct {
    const char *word;
    enum outcome outcome;
    enum outcome_bracket bracket;
    bool has_answer;
} expected[] = {
    {"cut", OUTCOME_CUT, OUTCOME_BRACKET_NONE, false},
    {"local", OUTCOME_LOCAL, OUTCOME_BRACKET_CONNECT, false},
    {"resolve", OUTCOME_RESOLVE, OUTCOME_BRACKET_CONNECT, false},
    {"connect", OUTCOME_CONNECT, OUTCOME_BRACKET_CONNECT, false},
    {"tls", OUTCOME_TLS, OUTCOME_BRACKET_CONNECT, false},
    {"timeout", OUTCOME_TIMEOUT, OUTCOME_BRACKET_RECEIVE, false},
    {"send", OUTCOME_SEND, OUTCOME_BRACKET_RECEIVE, false},
    {"receive", OUTCOME_RECEIVE, OUTCOME_BRACKET_RECEIVE, false},
    {"protocol", OUTCOME_PROTOCOL, OUTCOME_BRACKET_EXCEPTIONS, false},
    {"too_large", OUTCOME_TOO_LARGE, OUTCOME_BRACKET_EXCEPTIONS, false},
    {"status", OUTCOME_STATUS, OUTCOME_BRACKET_EXCEPTIONS, true},
    {"not_soap", OUTCOME_NOT_SOAP, OUTCOME_BRACKET_EXCEPTIONS, true},
    {"fault", OUTCOME_FAULT, OUTCOME_BRACKET_EXCEPTIONS, true},
    {"mismatch", OUTCOME_MISMATCH, OUTCOME_BRACKET_EXCEPTIONS, true},
    {"ok", OUTCOME_OK, OUTCOME_BRACKET_NONE, true},
};

static void the_list_is_closed(void **state)
{
    (void)state;
    assert_int_equal(sizeof expected / sizeof expected[0], OUTCOME_COUNT);
}

static void each_outcome_has_its_word_bracket_and_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < OUTCOME_COUNT; i++) {
        assert_int_equal(expected[i].outcome, i);
        assert_string_equal(outcome_name(expected[i].outcome), expected[i].word);
        assert_int_equal(outcome_bracket(expected[i].outcome), expected[i].bracket);
        assert_int_equal(outcome_has_answer(expected[i].outcome), expected[i].has_answer);
    }
}

/* What makes "Failed requests" equal to the sum of its brackets. */
static void failures_are_what_stands_in_a_bracket(void **state)
{
    (void)state;
    size_t failures = 0;
    for (size_t i = 0; i < OUTCOME_COUNT; i++) {
        bool is_failure = outcome_is_failure((enum outcome)i);
        assert_int_equal(is_failure, outcome_bracket((enum outcome)i) != OUTCOME_BRACKET_NONE);
        failures += is_failure ? 1 : 0;
    }
    assert_false(outcome_is_failure(OUTCOME_OK));
    assert_false(outcome_is_failure(OUTCOME_CUT));
    assert_int_equal(failures, OUTCOME_COUNT - 2);
}

static void words_read_back_to_the_same_outcome(void **state)
{
    (void)state;
    for (size_t i = 0; i < OUTCOME_COUNT; i++) {
        enum outcome outcome = OUTCOME_COUNT;
        assert_true(outcome_parse(str_from(outcome_name((enum outcome)i)), &outcome));
        assert_int_equal(outcome, i);
    }
}

static void other_words_are_refused(void **state)
{
    (void)state;
    const char *const words[] = {"", "OK", "ok ", "o", "okay", "not soap", "not-soap", "faults"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        enum outcome outcome = OUTCOME_TLS;
        assert_false(outcome_parse(str_from(words[i]), &outcome));
        assert_int_equal(outcome, OUTCOME_TLS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_list_is_closed),
        cmocka_unit_test(each_outcome_has_its_word_bracket_and_place),
        cmocka_unit_test(failures_are_what_stands_in_a_bracket),
        cmocka_unit_test(words_read_back_to_the_same_outcome),
        cmocka_unit_test(other_words_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
