/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions: what they mean at their very limit, on nothing at all, and that nonsense is refused.
 * Rows of the conformance list: B150.
 */
#include "lather/measure/condition.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lather/base/clock.h"

static const char sender[] = "{http://www.w3.org/2003/05/soap-envelope}Sender";

static void add(struct tally *tally, enum outcome outcome, uint64_t total_ns, const char *code)
{
    struct sample sample = {
        .outcome = outcome, .total_ns = total_ns, .status = outcome_has_answer(outcome) ? 200 : 0};
    const struct group_key why = {.code = str_from(code),
                                  .subcodes = STR("{urn:a/b}NoStock/{urn:a}Item")};
    tally->started++;
    tally_add(tally, &sample, code != NULL ? &why : NULL);
}

/* 100 requests: 98 good of 1 to 98 ms, a fault of 99 ms, a timeout. */
static struct tally *hundred(void)
{
    struct tally *tally = tally_new();
    for (uint64_t i = 1; i <= 98; i++) {
        add(tally, OUTCOME_OK, i * NS_PER_MS, NULL);
    }
    add(tally, OUTCOME_FAULT, 99 * NS_PER_MS, sender);
    add(tally, OUTCOME_TIMEOUT, 30 * NS_PER_S, NULL);
    return tally;
}

static struct condition_verdict judge(const struct tally *tally, const char *text)
{
    struct condition condition;
    struct condition_verdict verdict;
    struct err err;
    if (!condition_parse(str_from(text), &condition, &err)) {
        fail_msg("%s: %s", text, err.text);
    }
    condition_judge(&condition, tally, 250.5, &verdict);
    return verdict;
}

static void each_condition_holds_beyond_its_limit_only_B150(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool holds;
        const char *found;
    } cases[] = {
        {"errors>1%", true, "2 of 100, 2.000 %"},
        {"errors>2%", false, "2 of 100, 2.000 %"},
        {"errors>=2%", true, NULL},
        {"errors > 1.999999 %", true, NULL},
        {"errors>2", false, NULL},
        {"errors>1", true, NULL},
        {"errors<3", true, NULL},
        {"errors<=2", true, NULL},
        {"errors<2", false, NULL},
        {"outcome timeout>0", true, "1 of 100, 1.000 %"},
        {"outcome  timeout > 1%", false, NULL},
        {"outcome connect>0", false, "0 of 100, 0.000 %"},
        {"outcome ok<99%", true, NULL},
        {"fault>0", true, NULL},
        {"fault{Sender}>0", true, "1 of 100, 1.000 %"},
        {"fault{env:Sender}>0", true, NULL},
        {"fault{{http://www.w3.org/2003/05/soap-envelope}Sender}>0", true, NULL},
        {"fault{{urn:other}Sender}>0", false, NULL},
        {"fault{NoStock}>0", true, NULL},
        {"fault{{urn:a/b}NoStock}>0", true, NULL},
        {"fault{Item}>0", true, NULL},
        {"fault{{urn:a}NoStock}>0", false, NULL},
        {"fault{Receiver}>0", false, "0 of 100, 0.000 %"},
        {"fault{Send}>0", false, NULL},
        {"rate<100/s", false, "250.50/s"},
        {"rate<251", true, NULL},
        {"rate<15031/min", true, NULL},
        {"rate<15029 / min", false, NULL},
        {"rate>901799/h", true, NULL},
        {"p95>800ms", false, NULL},
        {"p50>=50ms", true, NULL},
        {"median>40ms", true, NULL},
        {"p99>98ms", true, NULL},
        {"p99.9>0.1s", false, NULL},
        {"max>98ms", true, "99.000 ms"},
        {"max>99ms", false, NULL},
        {"max>=99ms", true, NULL},
        {"min<1001us", true, "1.000 ms"},
        {"mean>50ms", false, "50.000 ms"},
        {"mean>=50ms", true, NULL},
    };
    struct tally *tally = hundred();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct condition_verdict verdict = judge(tally, cases[i].text);
        if (verdict.holds != cases[i].holds) {
            fail_msg("%s: %s (%s)", cases[i].text, verdict.holds ? "holds" : "does not hold",
                     verdict.found);
        }
        if (cases[i].found != NULL) {
            assert_string_equal(verdict.found, cases[i].found);
        }
    }
    tally_free(tally);
}

static void a_share_is_compared_in_whole_numbers_B150(void **state)
{
    (void)state;
    struct tally *tally = tally_new();
    for (int i = 0; i < 997; i++) {
        add(tally, OUTCOME_OK, 1, NULL);
    }
    for (int i = 0; i < 3; i++) {
        add(tally, OUTCOME_TIMEOUT, 1, NULL);
    }
    assert_false(judge(tally, "errors>0.3%").holds); /* 3 of 1000 are not above 0.3 % */
    assert_true(judge(tally, "errors>=0.3%").holds);
    assert_true(judge(tally, "errors>0.299999%").holds);
    tally_free(tally);
}

static void where_nothing_was_measured_a_condition_holds(void **state)
{
    (void)state;
    static const char *const texts[] = {"errors>50%", "p95>1h",         "mean>1h",
                                        "max<1ms",    "fault{X}>9",     "outcome ok<1",
                                        "rate<1/s",   "response p99>1h"};
    struct tally *tally = tally_new();
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct condition condition;
        struct condition_verdict verdict;
        assert_true(condition_parse(str_from(texts[i]), &condition, NULL));
        condition_judge(&condition, tally, 0, &verdict);
        if (!verdict.holds) {
            fail_msg("%s does not hold", texts[i]);
        }
    }
    tally_free(tally);
}

static void faults_that_may_be_of_the_code_count(void **state)
{
    (void)state;
    struct tally *tally = hundred();
    groups_add_overflow(tally->failures, 5);
    struct condition_verdict verdict = judge(tally, "fault{Sender}>3");
    assert_true(verdict.holds);
    assert_string_equal(verdict.found, "1 to 6 of 100 (too many kinds to know)");
    assert_false(judge(tally, "fault{Sender}>6").holds);
    tally_free(tally);
}

static void response_times_are_of_their_own(void **state)
{
    (void)state;
    struct tally *tally = hundred();
    struct sample sample = {
        .outcome = OUTCOME_OK, .status = 200, .total_ns = 5, .response_ns = 2 * NS_PER_S};
    tally->started++;
    tally_add(tally, &sample, NULL);
    assert_true(judge(tally, "response max>1s").holds);
    assert_false(judge(tally, "max>1s").holds);
    tally_free(tally);
}

static void what_means_nothing_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "errors",
        "errors>",
        "errors>x",
        "errors>1.5",
        "errors>101%",
        ">1%",
        "p95>800",
        "p0>1s",
        "p101>1s",
        "p>1s",
        "95>1s",
        "p95>-1s",
        "errors>-1",
        "rate<fast",
        "rate<100/day",
        "rate<1%",
        "mean>5%",
        "outcome>0",
        "outcome x>0",
        "outcome ok",
        "fault{}>0",
        "fault{>0",
        "fault}>0",
        "faulty>0",
        "fault{a}b>0",
        "errors=1",
        "errors==1",
        "errors!=1",
        "errors>>1",
        "errors>1%%",
        "errors>%",
        "max>1 parsec",
        "errors>1,5%",
        "p95 800ms",
        "response>1s",
        "response rate<1/s",
        "request p95>1s",
        "errors>0.0000001%",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct condition condition;
        struct err err = {0};
        if (condition_parse(str_from(texts[i]), &condition, &err)) {
            fail_msg("\"%s\" was read", texts[i]);
        }
        assert_true(strlen(err.text) > 0);
    }
}

static void a_negated_condition_holds_when_the_other_does_not(void **state)
{
    (void)state;
    static const char *const texts[] = {"p95<5ms", "p95<=5ms", "p95>5ms", "p95>=5ms", "errors<1%"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        for (uint64_t ms = 4; ms <= 6; ms++) {
            struct tally *tally = tally_new();
            struct condition condition;
            struct condition_verdict verdict;
            struct condition_verdict negated;
            tally->started++;
            tally_add(
                tally,
                &(struct sample){.outcome = OUTCOME_OK, .status = 200, .total_ns = ms * NS_PER_MS},
                NULL);
            assert_true(condition_parse(str_from(texts[i]), &condition, NULL));
            condition_judge(&condition, tally, 1, &verdict);
            condition_negate(&condition);
            condition_judge(&condition, tally, 1, &negated);
            assert_int_not_equal(verdict.holds, negated.holds);
            tally_free(tally);
        }
    }
}

static void a_condition_true_of_bad_runs_is_told_from_one_true_of_good_ones(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool by_failing;
    } cases[] = {{"p95>5ms", true},
                 {"p95>=5ms", true},
                 {"errors>1%", true},
                 {"rate<100/s", true},
                 {"p95<5ms", false},
                 {"errors<=1%", false},
                 {"outcome timeout<1", false},
                 {"rate>100/s", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct condition condition;
        assert_true(condition_parse(str_from(cases[i].text), &condition, NULL));
        assert_int_equal(condition_is_met_by_failing(&condition), cases[i].by_failing);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_condition_holds_beyond_its_limit_only_B150),
        cmocka_unit_test(a_share_is_compared_in_whole_numbers_B150),
        cmocka_unit_test(where_nothing_was_measured_a_condition_holds),
        cmocka_unit_test(faults_that_may_be_of_the_code_count),
        cmocka_unit_test(response_times_are_of_their_own),
        cmocka_unit_test(what_means_nothing_is_refused),
        cmocka_unit_test(a_negated_condition_holds_when_the_other_does_not),
        cmocka_unit_test(a_condition_true_of_bad_runs_is_told_from_one_true_of_good_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
