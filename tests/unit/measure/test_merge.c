/* SPDX-License-Identifier: Apache-2.0 */
/* Several results as one: the merge of parts is the whole, and what does not fit is named. */
#include "lather/measure/merge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lather/base/clock.h"
#include "lather/base/rng.h"

static const uint64_t start_ns = 1136214245 * NS_PER_S;

static struct summary *box(uint64_t late_ns, uint64_t duration_ns)
{
    struct summary *summary = summary_new();
    summary_set_text(&summary->plan.url, STR("http://h/s"));
    summary->plan.concurrency = 4;
    summary->plan.requests = 100;
    summary->wall_start_ns = start_ns + late_ns;
    summary->duration_ns = duration_ns;
    return summary;
}

static void add(struct summary *summary, uint64_t end_ns, uint64_t total_ns)
{
    summary->tally->started++;
    summary->tally->traffic.requests_sent_whole++;
    summary->tally->traffic.bytes_received += 100;
    tally_add(summary->tally,
              &(struct sample){.outcome = OUTCOME_OK,
                               .status = 200,
                               .start_ns = end_ns - total_ns,
                               .total_ns = total_ns,
                               .body_bytes = total_ns % 77},
              NULL);
}

static struct summary *merged(struct merge_source *sources, size_t count)
{
    struct err err;
    if (!merge_results(sources, count, &err)) {
        fail_msg("%s", err.text);
    }
    return sources[0].summary;
}

static void free_all(struct merge_source *sources, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        summary_free(sources[i].summary);
    }
}

/* The same, of one of its messages. */
static void add_of(struct summary *summary, const char *name, uint64_t end_ns, uint64_t total_ns)
{
    struct summary_message *message = NULL;
    for (size_t i = 0; i < summary->message_count && message == NULL; i++) {
        message = strcmp(summary->messages[i].name, name) == 0 ? &summary->messages[i] : NULL;
    }
    if (message == NULL) {
        message = summary_add_message(summary);
        summary_set_text(&message->name, str_from(name));
    }
    const struct sample sample = {.outcome = OUTCOME_OK,
                                  .status = 200,
                                  .start_ns = end_ns - total_ns,
                                  .total_ns = total_ns,
                                  .body_bytes = total_ns % 77};
    message->tally.started++;
    message->tally.traffic.requests_sent_whole++;
    message->tally.traffic.bytes_received += 100;
    message_tally_add(&message->tally, &sample);
    add(summary, end_ns, total_ns);
}

static bool has_note(const struct summary *summary, const char *text)
{
    for (size_t i = 0; i < summary->note_count; i++) {
        if (strstr(summary->notes[i], text) != NULL) {
            return true;
        }
    }
    return false;
}

static void assert_same_histogram(const struct histogram *a, const struct histogram *b)
{
    struct histogram_exact one;
    struct histogram_exact other;
    struct histogram_bucket left;
    struct histogram_bucket right;
    uint32_t left_cursor = 0;
    uint32_t right_cursor = 0;
    histogram_exact_get(a, &one);
    histogram_exact_get(b, &other);
    assert_memory_equal(&one, &other, sizeof one);
    while (histogram_next(a, &left_cursor, &left)) {
        assert_true(histogram_next(b, &right_cursor, &right));
        assert_memory_equal(&left, &right, sizeof left);
    }
    assert_false(histogram_next(b, &right_cursor, &right));
}

static void assert_same_timeline(const struct timeline *a, const struct timeline *b)
{
    assert_int_equal(timeline_interval_ns(a), timeline_interval_ns(b));
    assert_int_equal(timeline_count(a), timeline_count(b));
    for (size_t i = 0; i < timeline_count(a); i++) {
        struct timeline_figures one;
        struct timeline_figures other;
        timeline_at(a, i, &one);
        timeline_at(b, i, &other);
        assert_memory_equal(&one, &other, sizeof one);
    }
}

static void the_merge_of_parts_is_the_whole(void **state)
{
    (void)state;
    struct rng rng;
    rng_init(&rng, 11, 0);
    for (int round = 0; round < 20; round++) {
        struct summary *whole = box(0, 4 * NS_PER_S);
        struct merge_source parts[3] = {
            {box(0, 4 * NS_PER_S), "a"}, {box(0, 4 * NS_PER_S), "b"}, {box(0, 4 * NS_PER_S), "c"}};
        for (int i = 0; i < 3000; i++) {
            uint64_t total_ns = 1 + rng_below(&rng, 90 * NS_PER_MS);
            uint64_t end_ns = total_ns + rng_below(&rng, 4 * NS_PER_S - total_ns);
            add(whole, end_ns, total_ns);
            add(parts[rng_below(&rng, 3)].summary, end_ns, total_ns);
        }
        struct summary *all = merged(parts, 3);
        assert_int_equal(all->tally->finished, whole->tally->finished);
        assert_int_equal(all->tally->body_bytes, whole->tally->body_bytes);
        assert_int_equal(all->tally->traffic.bytes_received, whole->tally->traffic.bytes_received);
        assert_int_equal(all->duration_ns, whole->duration_ns);
        assert_same_histogram(all->tally->total, whole->tally->total);
        assert_same_histogram(all->tally->processing, whole->tally->processing);
        assert_same_timeline(all->tally->timeline, whole->tally->timeline);
        assert_true(summary_requests_per_s(all) > 0.999999 * summary_requests_per_s(whole) &&
                    summary_requests_per_s(all) < 1.000001 * summary_requests_per_s(whole));
        assert_int_equal(all->plan.concurrency, 12);
        assert_int_equal(all->plan.requests, 300);
        assert_int_equal(all->part_count, 3);
        assert_int_equal(all->note_count, 0);
        assert_false(all->unbalanced);
        summary_free(whole);
        free_all(parts, 3);
    }
}

static void the_messages_of_parts_are_added_by_their_names(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "b", "c"};
    struct rng rng;
    rng_init(&rng, 12, 0);
    struct summary *whole = box(0, 4 * NS_PER_S);
    struct merge_source parts[] = {{box(0, 4 * NS_PER_S), "a.json"},
                                   {box(0, 4 * NS_PER_S), "b.json"}};
    for (int i = 0; i < 600; i++) {
        const uint64_t total_ns = 1 + rng_below(&rng, NS_PER_S);
        const uint64_t end_ns = 2 * NS_PER_S;
        const char *name = names[rng_below(&rng, 3)];
        add_of(whole, name, end_ns, total_ns);
        /* the second box knows no c, and may know b first */
        add_of(parts[strcmp(name, "c") == 0 ? 0 : rng_below(&rng, 2)].summary, name, end_ns,
               total_ns);
    }
    struct summary *sum = merged(parts, 2);
    assert_int_equal(sum->message_count, 3);
    assert_false(sum->unbalanced);
    for (size_t i = 0; i < 3; i++) {
        for (size_t k = 0; k < 3; k++) {
            const struct summary_message *one = &whole->messages[i];
            const struct summary_message *other = &sum->messages[k];
            if (strcmp(one->name, other->name) == 0) {
                assert_int_equal(one->tally.started, other->tally.started);
                assert_int_equal(one->tally.body_bytes, other->tally.body_bytes);
                assert_int_equal(one->tally.traffic.bytes_received,
                                 other->tally.traffic.bytes_received);
                assert_same_histogram(one->tally.total, other->tally.total);
            }
        }
    }
    summary_free(whole);
    free_all(parts, 2);
}

static void a_part_without_messages_leaves_the_whole_without(void **state)
{
    (void)state;
    struct merge_source parts[] = {{box(0, NS_PER_S), "a.json"}, {box(0, NS_PER_S), "b.json"}};
    add_of(parts[0].summary, "a", NS_PER_S, 5);
    add_of(parts[0].summary, "b", NS_PER_S, 5);
    add(parts[1].summary, NS_PER_S, 5);
    struct summary *sum = merged(parts, 2);
    assert_int_equal(sum->message_count, 0);
    assert_false(sum->unbalanced);
    assert_true(has_note(sum, "only some of the results have several messages"));
    free_all(parts, 2);
}

static void a_later_box_is_laid_where_it_ran(void **state)
{
    (void)state;
    struct summary *whole = box(0, 5 * NS_PER_S);
    struct merge_source parts[2] = {{box(NS_PER_S, 4 * NS_PER_S), "late"},
                                    {box(0, 5 * NS_PER_S), "early"}};
    for (uint64_t i = 0; i < 200; i++) {
        add(parts[0].summary, i * 20 * NS_PER_MS, 5);
        add(parts[1].summary, i * 25 * NS_PER_MS, 7);
        add(whole, NS_PER_S + i * 20 * NS_PER_MS, 5);
        add(whole, i * 25 * NS_PER_MS, 7);
    }
    struct summary *all = merged(parts, 2);
    assert_same_timeline(all->tally->timeline, whole->tally->timeline);
    assert_string_equal(all->parts[0].name, "early");
    assert_int_equal(all->wall_start_ns, start_ns);
    assert_int_equal(all->duration_ns, 5 * NS_PER_S);
    assert_int_equal(summary_overlap_ns(all), 4 * NS_PER_S);
    /* each box made its own rate; together, while both ran, the sum */
    assert_true(summary_requests_per_s(all) == 200 / 5.0 + 200 / 4.0);
    assert_true(has_note(all, "for 4.000 s of 5.000 s only"));
    summary_free(whole);
    free_all(parts, 2);
}

static void gaps_are_named_and_rates_are_of_the_whole_time(void **state)
{
    (void)state;
    struct merge_source parts[2] = {{box(0, 2 * NS_PER_S), "one"},
                                    {box(8 * NS_PER_S, 2 * NS_PER_S), "two"}};
    for (uint64_t i = 0; i < 50; i++) {
        add(parts[0].summary, i, i);
        add(parts[1].summary, i, i);
    }
    struct summary *all = merged(parts, 2);
    assert_int_equal(all->duration_ns, 10 * NS_PER_S);
    assert_true(summary_requests_per_s(all) == 10);
    assert_true(has_note(all, "a gap: none of the boxes ran in the 6.000 s before two began"));
    assert_true(has_note(all, "never ran all at the same time"));
    free_all(parts, 2);
}

static void a_result_given_twice_is_told(void **state)
{
    (void)state;
    struct merge_source parts[3] = {
        {box(0, NS_PER_S), "one"}, {box(0, NS_PER_S), "all"}, {box(1, NS_PER_S), "two"}};
    for (size_t i = 0; i < 3; i++) {
        add(parts[i].summary, 5, 3);
        parts[i].summary->tally->traffic.bytes_sent = 9;
    }
    struct summary *all = merged(parts, 3);
    assert_true(has_note(all, "all and one are the same result, which is counted twice"));
    assert_false(has_note(all, "one and two"));
    free_all(parts, 3);
}

static void another_target_is_named(void **state)
{
    (void)state;
    struct merge_source parts[2] = {{box(0, NS_PER_S), "a.json"}, {box(0, NS_PER_S), "b.json"}};
    summary_set_text(&parts[1].summary->plan.url, STR("http://other/s"));
    parts[1].summary->plan.body_bytes = 5;
    struct summary *all = merged(parts, 2);
    assert_true(has_note(all, "b.json"));
    assert_true(has_note(all, "another target: \"http://other/s\", not \"http://h/s\""));
    assert_true(has_note(all, "another size of the message: 5, not 0"));
    free_all(parts, 2);
}

static void ends_health_notes_and_conditions_are_all_there(void **state)
{
    (void)state;
    struct merge_source parts[2] = {{box(0, NS_PER_S), "a"}, {box(0, NS_PER_S), "b"}};
    for (size_t i = 0; i < 2; i++) {
        struct summary *summary = parts[i].summary;
        summary->health.workers = check_calloc(2, sizeof *summary->health.workers);
        summary->health.worker_count = 2;
        summary->health.workers[1].requests = 5 + i;
        summary->health.peak_memory_bytes = 100 + i;
        summary->health.in_flight_peak = 7;
        summary->health.cpu_share_warning = i == 1;
        summary_note(summary, "of both");
        summary_note(summary, "of %s", parts[i].name);
        assert_true(summary_add_condition(summary, STR("errors>1%"), NULL));
    }
    parts[1].summary->end = RUN_END_INTERRUPTED;
    assert_true(summary_add_condition(parts[1].summary, STR("max>1s"), NULL));
    struct summary *all = merged(parts, 2);
    assert_int_equal(all->end, RUN_END_INTERRUPTED);
    assert_int_equal(all->health.worker_count, 4);
    assert_int_equal(all->health.workers[3].requests, 6);
    assert_int_equal(all->health.peak_memory_bytes, 101);
    assert_int_equal(all->health.in_flight_peak, 14);
    assert_true(summary_client_was_limit(all));
    assert_int_equal(all->note_count, 3);
    assert_int_equal(all->condition_count, 2);
    free_all(parts, 2);
}

static void a_merged_result_can_be_merged_again(void **state)
{
    (void)state;
    struct merge_source first[2] = {{box(0, NS_PER_S), "a"}, {box(2, NS_PER_S), "b"}};
    struct summary *two = merged(first, 2);
    struct merge_source again[2] = {{box(1, NS_PER_S), "c"}, {two, "ab"}};
    struct summary *three = merged(again, 2);
    assert_int_equal(three->part_count, 3);
    assert_string_equal(three->parts[0].name, "a");
    assert_string_equal(three->parts[1].name, "c");
    assert_string_equal(three->parts[2].name, "b");
    summary_free(first[1].summary);
    free_all(again, 2);
}

/* As many as a file can claim, one interval of one grain. */
static struct summary *forged(void)
{
    struct summary *summary = box(0, NS_PER_S);
    struct timeline *timeline = summary->tally->timeline;
    for (int i = 0; i < 200; i++) {
        const uint64_t count = 1ULL << 39;
        const struct timeline_figures figures = {
            .finished = count, .answers = count, .max_ns = 1, .sum_ns = wide_from_u64(count)};
        assert_true(timeline_restore_grain(timeline, 1, count));
        assert_true(timeline_restore_figures(timeline, &figures));
    }
    return summary;
}

static void forged_counts_are_refused_when_they_cannot_be_added(void **state)
{
    (void)state;
    enum { FORGED = 40 };
    struct merge_source parts[FORGED];
    struct err err = {0};
    for (size_t i = 0; i < FORGED; i++) {
        parts[i] = (struct merge_source){forged(), "forged.json"};
    }
    assert_true(merge_results(parts, 2, &err)); /* whose books do not balance */
    assert_true(parts[0].summary->unbalanced);
    assert_false(merge_results(parts, FORGED, &err));
    assert_non_null(strstr(err.text, "forged.json: too many requests"));
    free_all(parts, FORGED);
}

static void a_later_stretch_of_the_same_run_follows_the_first(void **state)
{
    (void)state;
    struct summary *whole = box(0, NS_PER_S);
    struct summary *later = box(3 * NS_PER_S, 2 * NS_PER_S);
    add(whole, NS_PER_S / 2, 1000);
    add(later, NS_PER_S / 2, 3000);
    whole->tally->traffic.connections_peak = 9;
    later->tally->traffic.connections_peak = 4;
    whole->health.in_flight_peak = 3;
    later->health.in_flight_peak = 7;
    for (int i = 0; i < 2; i++) {
        struct summary *summary = i == 0 ? whole : later;
        summary->health.worker_count = 1;
        summary->health.workers = check_calloc(1, sizeof *summary->health.workers);
        summary->health.workers[0] = (struct summary_worker){1, 10, 100};
    }
    whole->end = RUN_END_TIME;
    later->end = RUN_END_UNREACHABLE;
    merge_stretch(whole, later, 3 * NS_PER_S);
    assert_int_equal(whole->end, RUN_END_UNREACHABLE);
    assert_int_equal(whole->tally->finished, 2);
    assert_int_equal(whole->duration_ns, 5 * NS_PER_S);
    assert_int_equal(whole->plan.concurrency, 4);
    assert_int_equal(whole->tally->traffic.connections_peak, 9);
    assert_int_equal(whole->health.in_flight_peak, 7);
    assert_int_equal(whole->health.worker_count, 1);
    assert_int_equal(whole->health.workers[0].requests, 2);
    assert_int_equal(whole->health.workers[0].wall_ns, 200);
    assert_int_equal(whole->part_count, 0);
    assert_true(tally_check(whole->tally, NULL));
    summary_free(whole);
    summary_free(later);
}

static void warm_ups_are_added_and_steps_are_not(void **state)
{
    (void)state;
    struct summary *a = box(0, NS_PER_S);
    struct summary *b = box(0, NS_PER_S);
    a->warmup = (struct summary_warmup){.finished = 3, .auth_legs = 6, .duration_ns = 70};
    b->warmup = (struct summary_warmup){.finished = 4, .auth_legs = 2, .duration_ns = 50};
    assert_true(
        summary_add_step(a, &(struct summary_step){.started = 1, .verdict = (char *)"held"}));
    struct merge_source sources[] = {{a, "a"}, {b, "b"}};
    struct summary *whole = merged(sources, 2);
    assert_int_equal(whole->warmup.finished, 7);
    assert_int_equal(whole->warmup.auth_legs, 8);
    assert_int_equal(whole->warmup.duration_ns, 70);
    assert_int_equal(whole->step_count, 0);
    assert_true(has_note(whole, "steps"));
    free_all(sources, 2);
}

static void sessions_are_added_when_they_are_alike(void **state)
{
    (void)state;
    static const uint64_t calls_of_other[] = {4, 3, 0};
    static const uint64_t sessions_of_both[] = {10, 0, 0};
    for (size_t i = 0; i < 3; i++) {
        struct summary *a = box(0, NS_PER_S);
        struct summary *b = box(0, NS_PER_S);
        a->plan.sessions = 5;
        a->plan.session_calls = 4;
        b->plan.sessions = calls_of_other[i] > 0 ? 5 : 0;
        b->plan.session_calls = calls_of_other[i];
        struct merge_source sources[] = {{a, i % 2 == 0 ? "b" : "a"}, {b, i % 2 == 0 ? "a" : "b"}};
        assert_int_equal(merged(sources, 2)->plan.sessions, sessions_of_both[i]);
        free_all(sources, 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_merge_of_parts_is_the_whole),
        cmocka_unit_test(the_messages_of_parts_are_added_by_their_names),
        cmocka_unit_test(a_part_without_messages_leaves_the_whole_without),
        cmocka_unit_test(a_later_box_is_laid_where_it_ran),
        cmocka_unit_test(a_result_given_twice_is_told),
        cmocka_unit_test(gaps_are_named_and_rates_are_of_the_whole_time),
        cmocka_unit_test(another_target_is_named),
        cmocka_unit_test(ends_health_notes_and_conditions_are_all_there),
        cmocka_unit_test(a_merged_result_can_be_merged_again),
        cmocka_unit_test(forged_counts_are_refused_when_they_cannot_be_added),
        cmocka_unit_test(a_later_stretch_of_the_same_run_follows_the_first),
        cmocka_unit_test(warm_ups_are_added_and_steps_are_not),
        cmocka_unit_test(sessions_are_added_when_they_are_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
