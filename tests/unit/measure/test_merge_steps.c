/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of boxes that ran together: their sum is that of one box that did it all. */
#include "lather/measure/merge_steps.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lather/base/clock.h"
#include "lather/base/rng.h"

enum { STEPS = 3 };

/* A run of three steps of two seconds, in which nothing has been done. */
static struct summary *run(void)
{
    struct summary *summary = summary_new();
    for (uint64_t i = 0; i < STEPS; i++) {
        const struct summary_step step = {.rate_micro_per_s = (i + 1) * 10000000,
                                          .achieved_micro_per_s = (i + 1) * 9000000,
                                          .offset_ns = i * 2 * NS_PER_S,
                                          .duration_ns = 2 * NS_PER_S,
                                          .backlog_peak = i,
                                          .backlog_end = i,
                                          .total = histogram_new(),
                                          .response = histogram_new(),
                                          .reached = true,
                                          .held = true,
                                          .verdict = (char *)"held"};
        assert_true(summary_add_step(summary, &step));
        histogram_free(step.total);
        histogram_free(step.response);
    }
    return summary;
}

static void add(struct summary_step *step, uint64_t total_ns)
{
    step->started++;
    step->finished++;
    step->failed += total_ns % 3 == 0;
    histogram_add(step->total, total_ns);
    histogram_add(step->response, 2 * total_ns);
}

static bool has_note(const struct summary *summary, const char *text)
{
    return summary->note_count == 1 && strstr(summary->notes[0], text) != NULL &&
           strstr(summary->notes[0], "box2") != NULL;
}

static void parts_add_up_to_the_whole(void **state)
{
    (void)state;
    struct rng rng;
    struct summary *whole = run();
    struct summary *parts[3] = {run(), run(), run()};
    rng_init(&rng, 11, 0);
    for (size_t i = 0; i < 3000; i++) {
        const uint64_t total_ns = rng_next(&rng) >> (20 + rng_below(&rng, 30));
        const size_t step = rng_below(&rng, STEPS);
        add(&parts[rng_below(&rng, 3)]->steps[step], total_ns);
        add(&whole->steps[step], total_ns);
    }
    merge_steps(parts[0], parts[1], "box2", 0);
    merge_steps(parts[0], parts[2], "box2", 0);
    assert_int_equal(parts[0]->step_count, STEPS);
    assert_int_equal(parts[0]->note_count, 0);
    for (size_t i = 0; i < STEPS; i++) {
        const struct summary_step *sum = &parts[0]->steps[i];
        const struct summary_step *all = &whole->steps[i];
        assert_int_equal(sum->rate_micro_per_s, 3 * all->rate_micro_per_s);
        assert_int_equal(sum->achieved_micro_per_s, 3 * all->achieved_micro_per_s);
        assert_int_equal(sum->backlog_peak, 3 * all->backlog_peak);
        assert_int_equal(sum->backlog_end, 3 * all->backlog_end);
        assert_int_equal(sum->started, all->started);
        assert_int_equal(sum->finished, all->finished);
        assert_int_equal(sum->failed, all->failed);
        assert_int_equal(sum->p50_ns, histogram_percentile(all->total, 50));
        assert_int_equal(sum->p95_ns, histogram_percentile(all->total, 95));
        assert_int_equal(sum->p99_ns, histogram_percentile(all->total, 99));
        assert_int_equal(sum->max_ns, histogram_max(all->total));
        assert_int_equal(sum->response_p50_ns, histogram_percentile(all->response, 50));
        assert_int_equal(sum->response_p95_ns, histogram_percentile(all->response, 95));
        assert_int_equal(sum->response_p99_ns, histogram_percentile(all->response, 99));
        assert_int_equal(sum->response_max_ns, histogram_max(all->response));
        assert_true(sum->held);
    }
    summary_free(whole);
    for (size_t i = 0; i < 3; i++) {
        summary_free(parts[i]);
    }
}

static void a_box_that_began_later_makes_a_step_longer(void **state)
{
    (void)state;
    struct summary *a = run();
    struct summary *b = run();
    merge_steps(a, b, "box2", NS_PER_S / 2);
    assert_int_equal(a->steps[1].offset_ns, 2 * NS_PER_S);
    assert_int_equal(a->steps[1].duration_ns, 2 * NS_PER_S + NS_PER_S / 2);
    summary_free(a);
    summary_free(b);
}

static void what_one_box_did_not_hold_is_not_held(void **state)
{
    (void)state;
    for (size_t failing = 0; failing < 2; failing++) {
        struct summary *boxes[2] = {run(), run()};
        struct summary_step *step = &boxes[failing]->steps[1];
        step->reached = false;
        step->held = false;
        summary_set_text(&step->verdict, STR("rate not reached"));
        merge_steps(boxes[0], boxes[1], "box2", 0);
        assert_true(boxes[0]->steps[0].held);
        assert_string_equal(boxes[0]->steps[0].verdict, "held");
        assert_false(boxes[0]->steps[1].held);
        assert_false(boxes[0]->steps[1].reached);
        assert_string_equal(boxes[0]->steps[1].verdict, "rate not reached");
        summary_free(boxes[0]);
        summary_free(boxes[1]);
    }
}

static void check_refused(struct summary *a, struct summary *b, uint64_t shift_ns, const char *why)
{
    merge_steps(a, b, "box2", shift_ns);
    assert_int_equal(a->step_count, 0);
    assert_true(has_note(a, why));
    summary_free(a);
    summary_free(b);
}

static void what_is_no_one_test_has_no_steps_and_says_why(void **state)
{
    (void)state;
    check_refused(run(), run(), NS_PER_S + 1, "not made at the same time");
    check_refused(run(), run(), 100 * NS_PER_S, "not made at the same time");
    check_refused(run(), summary_new(), 0, "not the same number");
    check_refused(summary_new(), run(), 0, "not the same number");
    struct summary *searched = run();
    summary_set_text(&searched->plan.find_rate, STR("p95<1s"));
    check_refused(run(), searched, 0, "--find-rate");
    struct summary *old = run();
    histogram_free(old->steps[2].total);
    histogram_free(old->steps[2].response);
    old->steps[2].total = NULL;
    old->steps[2].response = NULL;
    check_refused(old, run(), 0, "older version");
}

static void runs_without_steps_are_left_alone(void **state)
{
    (void)state;
    struct summary *a = summary_new();
    struct summary *b = summary_new();
    merge_steps(a, b, "box2", 0);
    assert_int_equal(a->note_count, 0);
    summary_free(a);
    summary_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_add_up_to_the_whole),
        cmocka_unit_test(a_box_that_began_later_makes_a_step_longer),
        cmocka_unit_test(what_one_box_did_not_hold_is_not_held),
        cmocka_unit_test(what_is_no_one_test_has_no_steps_and_says_why),
        cmocka_unit_test(runs_without_steps_are_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
