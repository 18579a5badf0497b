/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The books: each request on one page, the pages add up, and a page that does not is named.
 * Rows of the conformance list: B118, B133.
 */
#include "lather/measure/tally.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "lather/base/clock.h"
#include "lather/base/rng.h"

static const struct sample good = {
    .connect_ns = 100,
    .waiting_ns = 300,
    .total_ns = 1000,
    .body_bytes = 50,
    .outcome = OUTCOME_OK,
    .status = 200,
    .judged = true,
};

static void add(struct tally *tally, const struct sample *sample, const struct group_key *why)
{
    tally->started++;
    tally_add(tally, sample, why);
}

static void add_outcome(struct tally *tally, enum outcome outcome, uint16_t status)
{
    struct sample sample = good;
    sample.outcome = outcome;
    sample.status = status;
    struct group_key why = {.reason = str_from(outcome_name(outcome))};
    add(tally, &sample, outcome_is_failure(outcome) ? &why : NULL);
}

static void assert_balanced(const struct tally *tally)
{
    struct err err = {0};
    if (!tally_check(tally, &err)) {
        fail_msg("%s", err.text);
    }
}

static void an_ok_answer_is_on_every_page_it_belongs_to(void **state)
{
    (void)state;
    struct tally *tally = tally_new();
    add(tally, &good, NULL);
    assert_int_equal(tally->finished, 1);
    assert_int_equal(tally->outcomes[OUTCOME_OK], 1);
    assert_int_equal(tally->statuses[200], 1);
    assert_int_equal(tally->judged, 1);
    assert_int_equal(tally->body_bytes, 50);
    assert_int_equal(histogram_max(tally->total), 1000);
    assert_int_equal(histogram_max(tally->connect), 100);
    assert_int_equal(histogram_max(tally->processing), 900);
    assert_int_equal(histogram_max(tally->waiting), 300);
    assert_int_equal(histogram_count(tally->failed), 0);
    assert_int_equal(histogram_count(tally->opened), 0);
    assert_int_equal(tally_failed(tally), 0);
    assert_int_equal(tally_answers(tally), 1);
    assert_balanced(tally);
    tally_free(tally);
    tally_free(NULL);
}

static void every_outcome_is_counted_once_and_in_one_bracket_D16(void **state)
{
    (void)state;
    struct tally *tally = tally_new();
    for (size_t i = 0; i < OUTCOME_COUNT; i++) {
        add_outcome(tally, (enum outcome)i, outcome_has_answer((enum outcome)i) ? 500 : 0);
    }
    assert_int_equal(tally->started, OUTCOME_COUNT);
    assert_int_equal(tally->finished, OUTCOME_COUNT - 1);
    assert_int_equal(tally_failed(tally), OUTCOME_COUNT - 2);
    assert_int_equal(tally_answers(tally), 5);
    assert_int_equal(histogram_count(tally->failed), OUTCOME_COUNT - 6);
    assert_int_equal(groups_total(tally->failures), OUTCOME_COUNT - 2);
    uint64_t brackets = 0;
    for (int i = OUTCOME_BRACKET_CONNECT; i < OUTCOME_BRACKET_COUNT; i++) {
        brackets += tally_bracket(tally, (enum outcome_bracket)i);
    }
    assert_int_equal(brackets, tally_failed(tally));
    assert_int_equal(tally_bracket(tally, OUTCOME_BRACKET_CONNECT), 4);
    assert_int_equal(tally_bracket(tally, OUTCOME_BRACKET_RECEIVE), 3);
    assert_int_equal(tally_bracket(tally, OUTCOME_BRACKET_LENGTH), 0);
    assert_int_equal(tally_bracket(tally, OUTCOME_BRACKET_EXCEPTIONS), 6);
    assert_balanced(tally);
    tally_free(tally);
}

static void a_mismatch_of_length_is_in_the_length_bracket_only(void **state)
{
    (void)state;
    struct tally *tally = tally_new();
    struct sample sample = good;
    sample.outcome = OUTCOME_MISMATCH;
    add(tally, &sample, NULL);
    sample.length_differs = true;
    add(tally, &sample, NULL);
    add(tally, &sample, NULL);
    assert_int_equal(tally_bracket(tally, OUTCOME_BRACKET_LENGTH), 2);
    assert_int_equal(tally_bracket(tally, OUTCOME_BRACKET_EXCEPTIONS), 1);
    assert_balanced(tally);
    tally_free(tally);
}

static void a_refused_answer_counts_for_the_check_that_refused_it(void **state)
{
    (void)state;
    struct tally *tally = tally_new();
    struct tally *other = tally_new();
    struct sample sample = good;
    sample.outcome = OUTCOME_MISMATCH;
    sample.step = STEP_XPATH;
    add(tally, &sample, NULL);
    add(tally, &good, NULL);
    sample.step = STEP_SCHEMA;
    add(other, &sample, NULL);
    tally_merge(tally, other);
    assert_int_equal(tally->steps[STEP_XPATH], 1);
    assert_int_equal(tally->steps[STEP_SCHEMA], 1);
    assert_int_equal(tally->steps[STEP_NONE], 0);
    assert_balanced(tally);
    tally_free(tally);
    tally_free(other);
}

static void a_cut_request_is_in_no_time_and_no_failure_D10(void **state)
{
    (void)state;
    struct tally *tally = tally_new();
    struct sample sample = {.outcome = OUTCOME_CUT, .total_ns = 5000};
    add(tally, &sample, NULL);
    assert_int_equal(tally->finished, 0);
    assert_int_equal(tally_failed(tally), 0);
    assert_int_equal(histogram_count(tally->total), 0);
    assert_int_equal(histogram_count(tally->failed), 0);
    assert_balanced(tally);
    tally_free(tally);
}

static void an_opened_connection_counts_whatever_became_of_its_request_B133(void **state)
{
    (void)state;
    struct tally *tally = tally_new();
    struct sample sample = good;
    sample.connected = true;
    add(tally, &sample, NULL);
    sample.outcome = OUTCOME_RECEIVE;
    sample.status = 0;
    add(tally, &sample, NULL);
    sample.outcome = OUTCOME_CUT;
    add(tally, &sample, NULL);
    tally->traffic.connections_opened = 3;
    assert_int_equal(histogram_count(tally->opened), 3);
    assert_int_equal(histogram_count(tally->connect), 1);
    assert_balanced(tally);
    tally_free(tally);
}

static void only_answers_outside_2xx_are_non_2xx(void **state)
{
    (void)state;
    struct tally *tally = tally_new();
    add_outcome(tally, OUTCOME_OK, 200);
    add_outcome(tally, OUTCOME_OK, 299);
    add_outcome(tally, OUTCOME_FAULT, 500);
    add_outcome(tally, OUTCOME_OK, 304);
    add_outcome(tally, OUTCOME_STATUS, 199);
    add_outcome(tally, OUTCOME_STATUS, 999);
    add_outcome(tally, OUTCOME_RECEIVE, 0);
    add_outcome(tally, OUTCOME_PROTOCOL, 500); /* whole, but its body did not decode (B155) */
    assert_int_equal(tally_non_2xx(tally), 5);
    assert_int_equal(tally->statuses[500], 2);
    assert_int_equal(tally_answers(tally), 7);
    assert_int_equal(histogram_count(tally->failed), 1);
    assert_balanced(tally);
    tally_free(tally);
}

static void the_range_of_bodies_is_of_ok_answers_D08(void **state)
{
    (void)state;
    struct tally *tally = tally_new();
    struct sample sample = good;
    sample.outcome = OUTCOME_FAULT;
    sample.body_bytes = 1;
    add(tally, &sample, NULL);
    assert_int_equal(tally->body_bytes_min, 0);
    sample.outcome = OUTCOME_OK;
    sample.body_bytes = 101;
    add(tally, &sample, NULL);
    sample.body_bytes = 100;
    add(tally, &sample, NULL);
    assert_int_equal(tally->body_bytes_min, 100);
    assert_int_equal(tally->body_bytes_max, 101);
    assert_int_equal(tally->body_bytes, 202);
    tally_free(tally);
}

static void byte_counts_pass_4_GiB_B118(void **state)
{
    (void)state;
    struct tally *tally = tally_new();
    struct tally *other = tally_new();
    struct sample sample = good;
    sample.body_bytes = 3ULL << 32;
    add(tally, &sample, NULL);
    add(other, &sample, NULL);
    tally->traffic.bytes_received = 7ULL << 40;
    other->traffic.bytes_received = 1ULL << 40;
    tally_merge(tally, other);
    assert_true(tally->body_bytes == 6ULL << 32);
    assert_true(tally->traffic.bytes_received == 8ULL << 40);
    tally_free(tally);
    tally_free(other);
}

/* Bytes in use by the C library's own account; 0 where there is none. */
static size_t bytes_allocated(void)
{
#ifdef __GLIBC__
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
#else
    return 0;
#endif
}

static void adding_an_ok_sample_allocates_nothing(void **state)
{
    (void)state;
    struct tally *tally = tally_new();
    add(tally, &good, NULL);
    size_t before = bytes_allocated();
    for (uint64_t i = 0; i < 10000; i++) {
        struct sample sample = good;
        sample.total_ns += i;
        add(tally, &sample, NULL);
    }
    assert_int_equal(bytes_allocated(), before);
    tally_free(tally);
}

static struct sample random_sample(struct rng *rng)
{
    struct sample sample = {
        .connect_ns = rng_below(rng, 2) * rng_below(rng, 100000),
        .waiting_ns = rng_below(rng, 100000),
        .body_bytes = rng_below(rng, 3000),
        .outcome = (enum outcome)rng_below(rng, OUTCOME_COUNT),
        .status = (uint16_t)(100 + rng_below(rng, 900)),
        .judged = rng_below(rng, 2) == 1,
        .start_ns = rng_below(rng, 20000000000),
    };
    sample.total_ns = 100000 + rng_below(rng, 1000000);
    sample.connected = sample.connect_ns > 0;
    sample.length_differs = sample.outcome == OUTCOME_MISMATCH && rng_below(rng, 2) == 1;
    return sample;
}

static void assert_same_counters(const struct tally *a, const struct tally *b)
{
    assert_int_equal(a->started, b->started);
    assert_int_equal(a->finished, b->finished);
    assert_memory_equal(a->outcomes, b->outcomes, sizeof a->outcomes);
    assert_memory_equal(a->statuses, b->statuses, sizeof a->statuses);
    assert_int_equal(a->length_mismatches, b->length_mismatches);
    assert_int_equal(a->judged, b->judged);
    assert_int_equal(a->body_bytes, b->body_bytes);
    assert_int_equal(a->body_bytes_min, b->body_bytes_min);
    assert_int_equal(a->body_bytes_max, b->body_bytes_max);
    assert_memory_equal(&a->traffic, &b->traffic, sizeof a->traffic);
    const struct histogram *ours[] = {a->total,   a->connect, a->processing,
                                      a->waiting, a->failed,  a->opened};
    const struct histogram *theirs[] = {b->total,   b->connect, b->processing,
                                        b->waiting, b->failed,  b->opened};
    for (size_t i = 0; i < 6; i++) {
        struct histogram_exact one;
        struct histogram_exact other;
        histogram_exact_get(ours[i], &one);
        histogram_exact_get(theirs[i], &other);
        assert_int_equal(histogram_count(ours[i]), histogram_count(theirs[i]));
        assert_memory_equal(&one, &other, sizeof one);
    }
    assert_int_equal(groups_total(a->failures), groups_total(b->failures));
    assert_int_equal(timeline_count(a->timeline), timeline_count(b->timeline));
    for (size_t i = 0; i < timeline_count(a->timeline); i++) {
        struct timeline_figures one;
        struct timeline_figures other;
        timeline_at(a->timeline, i, &one);
        timeline_at(b->timeline, i, &other);
        assert_memory_equal(&one, &other, sizeof one);
    }
}

static void merged_workers_are_as_one_that_did_it_all(void **state)
{
    (void)state;
    struct rng rng;
    rng_init(&rng, 5, 0);
    struct tally *all = tally_new();
    struct tally *workers[3] = {tally_new(), tally_new(), tally_new()};
    for (int i = 0; i < 20000; i++) {
        struct sample sample = random_sample(&rng);
        struct tally *worker = workers[rng_below(&rng, 2)]; /* the third did nothing */
        add(all, &sample, NULL);
        add(worker, &sample, NULL);
        all->traffic.connections_opened += sample.connected;
        worker->traffic.connections_opened += sample.connected;
        /* every counter of traffic, by its place */
        uint64_t *sums = (uint64_t *)(void *)&all->traffic;
        uint64_t *parts = (uint64_t *)(void *)&worker->traffic;
        size_t at = (size_t)rng_below(&rng, sizeof all->traffic / sizeof(uint64_t));
        sums[at]++;
        parts[at]++;
    }
    struct tally *merged = tally_new();
    for (size_t i = 0; i < 3; i++) {
        tally_merge(merged, workers[2 - i]);
        tally_free(workers[2 - i]);
    }
    assert_same_counters(merged, all);
    tally_free(merged);
    tally_free(all);
}

/* A tally in which every set has members, so that each counter can be put out of balance. */
static struct tally *full_tally(void)
{
    struct tally *tally = tally_new();
    for (size_t i = 0; i < OUTCOME_COUNT; i++) {
        add_outcome(tally, (enum outcome)i, outcome_has_answer((enum outcome)i) ? 500 : 0);
    }
    tally->traffic = (struct traffic){.connections_opened = 5,
                                      .connections_reopened = 1,
                                      .requests_sent_whole = 14,
                                      .requests_sent_again = 1,
                                      .requests_lost_maybe = 1};
    return tally;
}

static void assert_named(struct tally *tally, const char *page)
{
    struct err err = {0};
    assert_false(tally_check(tally, &err));
    if (strstr(err.text, page) == NULL) {
        fail_msg("\"%s\" does not name %s", err.text, page);
    }
    tally_free(tally);
}

static void each_page_out_of_balance_is_named(void **state)
{
    (void)state;
    struct tally *tally = full_tally();
    assert_balanced(tally);
    tally->started++;
    assert_named(tally, "requests started");

    tally = full_tally();
    tally->outcomes[OUTCOME_OK]++;
    assert_named(tally, "requests finished");

    tally = full_tally();
    histogram_add(tally->total, 1);
    assert_named(tally, "total times");

    tally = full_tally();
    histogram_add(tally->connect, 1);
    assert_named(tally, "connect times");

    tally = full_tally();
    histogram_add(tally->processing, 1);
    assert_named(tally, "processing times");

    tally = full_tally();
    histogram_add(tally->waiting, 1);
    assert_named(tally, "waiting times");

    tally = full_tally();
    histogram_add(tally->failed, 1);
    assert_named(tally, "times to failure");

    tally = full_tally();
    tally->statuses[200]++;
    assert_named(tally, "total times");

    tally = full_tally();
    tally->relates_absent = tally->judged + 1;
    assert_named(tally, "without RelatesTo");

    tally = full_tally();
    groups_add(tally->failures, &(struct group_key){.outcome = OUTCOME_FAULT});
    assert_named(tally, "failures by reason");

    tally = full_tally();
    timeline_add(tally->timeline, &(struct timeline_sample){.failed = true});
    assert_named(tally, "requests of the timeline");

    tally = full_tally();
    tally->body_bytes++;
    assert_named(tally, "bytes of the timeline");

    tally = full_tally();
    tally->steps[STEP_FAULT] = tally->finished;
    assert_named(tally, "answers refused by a check");

    tally = full_tally();
    tally->length_mismatches = 2;
    assert_named(tally, "length mismatches");

    tally = full_tally();
    tally->judged = tally->finished + 1;
    assert_named(tally, "answers judged");

    tally = full_tally();
    tally->body_bytes_min = tally->body_bytes_max + 1;
    assert_named(tally, "least body");

    tally = full_tally();
    for (int i = 0; i < 6; i++) {
        histogram_add(tally->opened, 1);
    }
    assert_named(tally, "connect times of opened");

    tally = full_tally();
    tally->traffic.connections_reopened = 6;
    assert_named(tally, "connections opened again");

    tally = full_tally();
    tally->traffic.requests_sent_again = 15;
    assert_named(tally, "requests sent again");

    tally = full_tally();
    tally->traffic.requests_lost_maybe = 15;
    assert_named(tally, "requests lost maybe");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_ok_answer_is_on_every_page_it_belongs_to),
        cmocka_unit_test(every_outcome_is_counted_once_and_in_one_bracket_D16),
        cmocka_unit_test(a_mismatch_of_length_is_in_the_length_bracket_only),
        cmocka_unit_test(a_refused_answer_counts_for_the_check_that_refused_it),
        cmocka_unit_test(a_cut_request_is_in_no_time_and_no_failure_D10),
        cmocka_unit_test(an_opened_connection_counts_whatever_became_of_its_request_B133),
        cmocka_unit_test(only_answers_outside_2xx_are_non_2xx),
        cmocka_unit_test(the_range_of_bodies_is_of_ok_answers_D08),
        cmocka_unit_test(byte_counts_pass_4_GiB_B118),
        cmocka_unit_test(adding_an_ok_sample_allocates_nothing),
        cmocka_unit_test(merged_workers_are_as_one_that_did_it_all),
        cmocka_unit_test(each_page_out_of_balance_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
