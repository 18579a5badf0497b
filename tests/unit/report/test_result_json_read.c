/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading a result back: every report of it is the same as of the run, results merge exactly, and
 * a file that is cut, forged or of another kind is refused with the member named.
 * Rows of the conformance list: B121.
 */
#include "lather/report/result_json_read.h"

#include "fixture.h"

#include "lather/base/rng.h"
#include "lather/measure/diagnose.h"
#include "lather/measure/merge.h"
#include "lather/report/hdr.h"
#include "lather/report/html.h"
#include "lather/report/html_ab.h"
#include "lather/report/junit.h"
#include "lather/report/percentile_csv.h"
#include "lather/report/result_json.h"
#include "lather/report/text.h"
#include "lather/report/timeline_csv.h"

static const struct report_options no_options;

/* Making a summary takes megabytes, which the address sanitizer marks byte by byte. */
#ifdef __SANITIZE_ADDRESS__
enum { STRIDE = 7 };
#else
enum { STRIDE = 1 };
#endif

/* 2^256 - 1 as the result writes it. */
#define GREATEST_WIDE                                                                              \
    "\"115792089237316195423570985008687907853269984665640564039457584007913129639935\""

static struct buf json_of(const struct summary *summary)
{
    struct buf out;
    buf_init(&out);
    result_json_write(&out, summary);
    return out;
}

static struct summary *read_back(const struct summary *summary)
{
    struct buf json = json_of(summary);
    struct summary *copy = NULL;
    struct err err = {0};
    if (!result_json_read(buf_view(&json), &copy, &err)) {
        fail_msg("%s", err.text);
    }
    buf_deinit(&json);
    return copy;
}

static void every_report(struct buf *out, const struct summary *summary)
{
    buf_init(out);
    text_report(out, summary, &no_options);
    html_ab_report(out, summary, &no_options);
    percentile_csv_write(out, summary);
    timeline_csv_write(out, summary);
    timeline_csv_write_pdh(out, summary);
    hdr_write(out, summary);
    junit_write(out, summary);
    html_write(out, summary, NULL);
    result_json_write(out, summary);
}

static void assert_same_reports(const struct summary *a, const struct summary *b)
{
    struct buf left;
    struct buf right;
    every_report(&left, a);
    every_report(&right, b);
    assert_string_equal(left.data, right.data);
    buf_deinit(&left);
    buf_deinit(&right);
}

/* What a forged list of messages says must be what the whole does. */
static void messages_that_do_not_add_up_are_refused(void **state)
{
    (void)state;
    struct summary *summary = fixture_mix();
    summary->messages[0].tally.started--;
    summary->messages[0].tally.finished--;
    struct buf json = json_of(summary);
    struct summary *copy = NULL;
    struct err err = {0};
    assert_false(result_json_read(buf_view(&json), &copy, &err));
    assert_string_equal(err.text, "the books do not balance: the messages have 99 requests started "
                                  "together, the whole has 100");
    buf_deinit(&json);
    summary_free(summary);
}

static void check_round_trip(struct summary *summary)
{
    struct summary *copy = read_back(summary);
    assert_same_reports(summary, copy);
    summary_free(copy);
    summary_free(summary);
}

static void every_report_of_a_result_read_back_is_the_same_B121(void **state)
{
    (void)state;
    check_round_trip(summary_new());
    check_round_trip(fixture_good());
    check_round_trip(fixture_full());
    check_round_trip(fixture_open());
    check_round_trip(fixture_mix());
    check_round_trip(fixture_steps());
    check_round_trip(fixture_unreachable());
    struct summary *summary = fixture_good();
    summary->plan.any_length = true;
    summary->unbalanced = true;
    summary->end = RUN_END_TIME;
    summary->plan.time_limit_ns = 3 * NS_PER_S;
    summary_set_text(&summary->plan.percentiles, STR("1,99.99999"));
    check_round_trip(summary);
}

/* A tally of random samples, with strings and counts from all ranges. */
static struct summary *random_summary(struct rng *rng)
{
    struct summary *summary = summary_new();
    int count = (int)rng_below(rng, 300);
    for (int i = 0; i < count; i++) {
        struct sample sample = {.outcome = (enum outcome)rng_below(rng, OUTCOME_COUNT),
                                .status = (uint16_t)(100 + rng_below(rng, 900)),
                                .body_bytes = rng_next(rng) >> rng_below(rng, 64),
                                .total_ns = rng_next(rng) >> rng_below(rng, 64)};
        sample.connect_ns = sample.total_ns >> rng_below(rng, 64);
        sample.waiting_ns = sample.total_ns >> rng_below(rng, 64);
        sample.connected = rng_below(rng, 2) == 0;
        char reason[8];
        for (size_t j = 0; j < sizeof reason; j++) {
            reason[j] = (char)rng_below(rng, 256);
        }
        fixture_add(summary, &sample,
                    &(struct group_key){.reason = {reason, rng_below(rng, sizeof reason)}});
        summary->tally->traffic.connections_opened += sample.connected;
    }
    summary->plan.seed = rng_next(rng);
    summary->duration_ns = rng_next(rng) >> rng_below(rng, 64);
    summary->tally->traffic.bytes_received = rng_next(rng) >> rng_below(rng, 64);
    diagnose_add_notes(summary);
    return summary;
}

static void random_results_come_back_as_they_were(void **state)
{
    (void)state;
    struct rng rng;
    rng_init(&rng, 6, 0);
    for (int round = 0; round < 60; round++) {
        struct summary *summary = random_summary(&rng);
        struct summary *once = read_back(summary);
        struct summary *twice = read_back(once);
        /* reasons that differ only in bytes that are no text are one group after reading */
        assert_same_reports(once, twice);
        struct histogram_exact exact;
        struct histogram_exact copy;
        histogram_exact_get(summary->tally->total, &exact);
        histogram_exact_get(once->tally->total, &copy);
        assert_memory_equal(&exact, &copy, sizeof exact);
        assert_int_equal(tally_failed(summary->tally), tally_failed(once->tally));
        summary_free(twice);
        summary_free(once);
        summary_free(summary);
    }
}

static void results_of_two_boxes_merge_exactly(void **state)
{
    (void)state;
    struct summary *one = fixture_good();
    struct summary *other = fixture_full();
    struct summary *read_one = read_back(one);
    struct summary *read_other = read_back(other);
    tally_merge(one->tally, other->tally);
    tally_merge(read_one->tally, read_other->tally);
    assert_same_reports(one, read_one);
    summary_free(read_other);
    summary_free(read_one);
    summary_free(other);
    summary_free(one);
}

static void assert_refused(struct str text, const char *part)
{
    struct summary *summary = NULL;
    struct err err = {0};
    assert_false(result_json_read(text, &summary, &err));
    assert_null(summary);
    assert_int_equal(err.code, ERR_FORMAT);
    if (strstr(err.text, part) == NULL) {
        fail_msg("\"%s\" does not say \"%s\"", err.text, part);
    }
}

/* The full result with the first `from` replaced by `to`. */
static struct buf forged(const char *from, const char *to)
{
    struct summary *summary = fixture_full();
    struct buf json = json_of(summary);
    struct buf out;
    buf_init(&out);
    size_t place = str_find(buf_view(&json), str_from(from));
    if (place == SIZE_MAX) {
        fail_msg("no %s in the result", from);
    }
    buf_append_str(&out, str_slice(buf_view(&json), 0, place));
    buf_append_str(&out, str_from(to));
    buf_append_str(&out, str_slice(buf_view(&json), place + strlen(from), json.len));
    buf_deinit(&json);
    summary_free(summary);
    return out;
}

static void what_is_no_result_is_refused(void **state)
{
    (void)state;
    assert_refused(str_from(""), "not JSON");
    assert_refused(STR("<html>"), "not JSON");
    assert_refused(STR("{\"a\":1,\"a\":2}"), "not JSON");
    assert_refused(STR("\0\0\0"), "not JSON");
    assert_refused(STR("[]"), "not a result of lather");
    assert_refused(STR("{}"), "not a result of lather");
    assert_refused(STR("{\"schema\":1}"), "not a result of lather");
    assert_refused(STR("{\"schema\":\"lather/2\"}"), "its schema is \"lather/2\"");
    assert_refused(STR("{\"schema\":\"lather/1\"}"), "\"plan\"");
}

static void each_wrong_member_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *from;
        const char *to;
        const char *said;
    } forgeries[] = {
        {"\"method\": \"POST\"", "\"method\": 5", "plan: \"method\""},
        {"\"port\": 8080", "\"port\": 65536", "plan: \"port\""},
        {"\"port\": 8080", "\"port\": -1", "plan: \"port\""},
        {"\"keep_alive\": true", "\"keep_alive\": 1", "plan: \"keep_alive\""},
        {"\"seed\": \"18446744073709551615\"", "\"seed\": \"18446744073709551616\"",
         "plan: \"seed\""},
        {"\"seed\": \"18446744073709551615\"", "\"seed\": 18446744073709551616", "not JSON"},
        {"\"end\": \"interrupted\"", "\"end\": \"bored\"", "\"end\""},
        {"\"finished\": 263", "\"finished\": 264", "the books do not balance"},
        {"\"finished\": 263", "\"finished\": 263.0", "counts: \"finished\""},
        {"\"ok\": 200", "\"ok\": 201", "the books do not balance"},
        {"\"ok\": 200", "\"good\": 200", "outcomes: \"ok\""},
        {"\"503\": 3", "\"1000\": 3", "statuses: \"1000\""},
        {"\"503\": 3", "\"x\": 3", "statuses: \"x\""},
        {"\"503\": 3", "\"503\": []", "statuses: \"503\""},
        {"\"outcome\": \"fault\"", "\"outcome\": \"ok\"", "failures: \"outcome\""},
        {"\"outcome\": \"fault\"", "\"outcome\": \"sad\"", "failures: \"outcome\""},
        {"\"status\": 500", "\"status\": 1000", "failures: \"status\""},
        {"\"groups\": [{", "\"groups\": [null, {", "failures: \"outcome\""},
        {"\"ephemeral_ports\": 28232", "\"ephemeral_ports\": 4294967296",
         "health: \"ephemeral_ports\""},
        {"\"workers\": [{", "\"workers\": [{\"cpu_ns\": 1}, {", "workers: \"requests\""},
        {"\"notes\": [\"", "\"notes\": [7, \"", "\"notes\""},
        {"\"notes\": [\"", "\"notes\": [\"\\u0000\", \"", "not JSON"},
        {"\"min_ns\": 10005000", "\"min_ns\": 9005000", "total: the buckets"},
        {"\"count\": 222", "\"count\": 223", "total: the buckets"},
        {"\"sum_ns\": \"", "\"sum_ns\": \"1", "total: the buckets"},
        {"\"sum_ns\": \"", "\"sum_ns\": \"x", "total: \"sum_ns\""},
        {"\"squares_ns2\": \"", "\"squares_ns2\": \"9", "total: the buckets"},
        {"\"buckets_ns\": [[", "\"buckets_ns\": [[1], [", "total: \"buckets_ns\""},
        {"\"buckets_ns\": [[", "\"buckets_ns\": [5, [", "total: \"buckets_ns\""},
        {"\"buckets_ns\": [[", "\"buckets_ns\": [[5, -1], [", "total: \"buckets_ns\""},
        {"\"buckets_ns\": [[", "\"buckets_ns\": [[5, \"18446744073709551615\"], [",
         "total: \"buckets_ns\""},
        {"\"loop_lag\": {", "\"loop_lag\": [], \"other\": {", "\"loop_lag\""},
        {"\"condition\": \"errors>1%\"", "\"condition\": \"errors>1,5%\"", "conditions: "},
        {"\"condition\": \"errors>1%\"", "\"condition\": 7", "conditions: \"condition\""},
        {"\"conditions\": [{", "\"conditions\": 5, \"others\": [{", "\"conditions\""},
        {"\"percentiles\": \"\"", "\"percentiles\": \"101\"", "plan: \"percentiles\""},
        {"\"timeline\": {", "\"timeline\": [], \"other\": {", "\"timeline\""},
        {"\"interval_ns\": 15625000", "\"interval_ns\": 15625001", "\"interval_ns\""},
        {"\"at\": 0", "\"at\": 4096", "timeline: \"at\""},
        {"\"at\": 0", "\"at\": 1023", "timeline: \"at\""},
        {"\"at\": 1,", "\"at\": 0,", "timeline: \"at\""},
        {"\"max_ns\": 10050000", "\"max_ns\": 11050000", "timeline: the figures of an interval"},
        {"\"answers\": 3", "\"answers\": 4", "timeline: the figures of an interval"},
        {"[[9961472, 3]]", "[[9961472, 0]]", "timeline: \"buckets_ns\""},
        {"[[9961472, 3]]", "[[9961472, 4503599627370496]]", "timeline: \"buckets_ns\""},
        {"\"finished\": 3", "\"finished\": 4", "the books do not balance"},
    };
    for (size_t i = 0; i < sizeof forgeries / sizeof *forgeries; i++) {
        struct buf json = forged(forgeries[i].from, forgeries[i].to);
        assert_refused(buf_view(&json), forgeries[i].said);
        buf_deinit(&json);
    }
}

static void members_nobody_knows_yet_are_ignored(void **state)
{
    (void)state;
    struct buf json =
        forged("\"plan\": {", "\"weather\": \"fine\", \"plan\": {\"mood\": [1, {}], ");
    struct summary *summary = NULL;
    struct err err;
    assert_true(result_json_read(buf_view(&json), &summary, &err));
    summary_free(summary);
    buf_deinit(&json);
}

static void a_merged_result_comes_back_as_it_was(void **state)
{
    (void)state;
    struct merge_source sources[2] = {{fixture_good(), "a"}, {fixture_full(), "b"}};
    sources[1].summary->wall_start_ns += 100 * NS_PER_MS;
    assert_true(merge_results(sources, 2, NULL));
    summary_free(sources[1].summary);
    check_round_trip(sources[0].summary);
}

static void a_mark_of_utf_8_in_front_is_passed_over(void **state)
{
    (void)state;
    struct summary *summary = fixture_full();
    struct summary *copy = NULL;
    struct err err;
    struct buf json;
    buf_init(&json);
    buf_append_str(&json, STR("\xEF\xBB\xBF"));
    assert_false(result_json_read(buf_view(&json), &copy, &err));
    result_json_write(&json, summary);
    assert_true(result_json_read(buf_view(&json), &copy, &err));
    assert_same_reports(summary, copy);
    buf_deinit(&json);
    summary_free(copy);
    summary_free(summary);
}

static void a_step_has_no_more_times_than_the_whole(void **state)
{
    (void)state;
    struct summary *summary = fixture_steps();
    for (uint64_t i = 0; i <= summary->tally->finished; i++) {
        histogram_add(summary->steps[1].total, i);
    }
    struct buf json;
    struct summary *copy = NULL;
    struct err err;
    buf_init(&json);
    result_json_write(&json, summary);
    assert_false(result_json_read(buf_view(&json), &copy, &err));
    assert_non_null(strstr(err.text, "steps"));
    buf_deinit(&json);
    summary_free(summary);
}

static void a_result_without_a_timeline_is_still_read(void **state)
{
    (void)state;
    struct buf json = forged("\"timeline\": {", "\"before\": {");
    struct summary *summary = NULL;
    struct err err;
    assert_true(result_json_read(buf_view(&json), &summary, &err));
    assert_int_equal(timeline_count(summary->tally->timeline), 0);
    summary_free(summary);
    buf_deinit(&json);
}

static void a_result_of_before_there_were_steps_is_still_read(void **state)
{
    (void)state;
    struct buf json = forged("\"warmup\": {", "\"before\": {");
    struct summary *summary = NULL;
    struct err err;
    assert_true(result_json_read(buf_view(&json), &summary, &err));
    assert_int_equal(summary->warmup.finished, 0);
    summary_free(summary);
    buf_deinit(&json);
    json = forged("\"steps\": [", "\"before\": [");
    assert_true(result_json_read(buf_view(&json), &summary, &err));
    summary_free(summary);
    buf_deinit(&json);
    json = forged("\"find_rate\": ", "\"before\": ");
    assert_true(result_json_read(buf_view(&json), &summary, &err));
    assert_string_equal(summary->plan.find_rate, "");
    summary_free(summary);
    buf_deinit(&json);
}

static void too_many_workers_and_notes_are_refused(void **state)
{
    (void)state;
    struct buf many;
    buf_init(&many);
    buf_append_str(&many, STR("\"workers\": ["));
    for (int i = 0; i < 70000; i++) {
        buf_append_str(&many, STR("0, "));
    }
    buf_append_str(&many, STR("{"));
    struct buf json = forged("\"workers\": [{", many.data);
    assert_refused(buf_view(&json), "\"workers\"");
    buf_deinit(&json);
    buf_reset(&many);
    buf_append_str(&many, STR("\"notes\": ["));
    for (int i = 0; i < SUMMARY_NOTES_CEILING; i++) {
        buf_append_str(&many, STR("\"x\", "));
    }
    json = forged("\"notes\": [", many.data);
    assert_refused(buf_view(&json), "\"notes\"");
    buf_deinit(&json);
    buf_deinit(&many);
}

static void deep_nesting_ends_with_an_error(void **state)
{
    (void)state;
    struct buf deep;
    buf_init(&deep);
    for (int i = 0; i < 1000000; i++) {
        buf_append_byte(&deep, '[');
    }
    assert_refused(buf_view(&deep), "not JSON");
    buf_deinit(&deep);
}

/* Whatever the bytes, the answer is a summary whose reports can be printed, or a sentence. */
static void try_bytes(struct str text)
{
    struct summary *summary = NULL;
    struct err err = {0};
    if (result_json_read(text, &summary, &err)) {
        struct buf out;
        every_report(&out, summary);
        buf_deinit(&out);
        summary_free(summary);
    } else {
        assert_true(err.text[0] != '\0');
    }
}

/* A result with little in it: each of its bytes is tried, so it must be short. */
static struct buf small_json(void)
{
    struct summary *summary = summary_new();
    fixture_add(summary, &(struct sample){.outcome = OUTCOME_OK, .status = 200, .total_ns = 5000},
                NULL);
    fixture_fail(summary, (struct sample){.outcome = OUTCOME_FAULT, .status = 500, .total_ns = 9},
                 1, &(struct group_key){.code = STR("c"), .reason = STR("r")});
    summary_note(summary, "n");
    struct buf json = json_of(summary);
    summary_free(summary);
    return json;
}

static void a_result_cut_at_any_byte_is_refused(void **state)
{
    (void)state;
    struct buf json = small_json();
    for (size_t len = 0; len < json.len - 2; len++) { /* the last bytes are "}\n" */
        assert_refused(str_slice(buf_view(&json), 0, len), "not JSON");
    }
    buf_deinit(&json);
}

static void any_changed_byte_is_read_or_refused_without_harm(void **state)
{
    (void)state;
    struct buf json = small_json();
    static const char bytes[] = {'\0', '"', '9', '-', '[', '{', '}', ',', ' ', '\xff', 'e'};
    for (size_t i = 0; i < json.len; i += STRIDE) {
        char kept = json.data[i];
        json.data[i] = bytes[i % sizeof bytes];
        try_bytes(buf_view(&json));
        json.data[i] = kept;
    }
    buf_deinit(&json);
}

/* Puts hostile values where numbers and strings stand, several at once. */
static void forged_values_are_read_or_refused_without_harm(void **state)
{
    (void)state;
    static const char *const values[] = {"0",
                                         "1",
                                         "-1",
                                         "9223372036854775807",
                                         "\"18446744073709551615\"",
                                         "1e308",
                                         "null",
                                         "true",
                                         "\"\"",
                                         "{}",
                                         "[]",
                                         "[[0, \"18446744073709551615\"]]",
                                         GREATEST_WIDE};
    const size_t value_count = sizeof values / sizeof *values;
    struct rng rng;
    rng_init(&rng, 7, 0);
    struct buf json = small_json();
    for (int round = 0; round < 1000 / STRIDE; round++) {
        struct buf out;
        buf_init(&out);
        struct str rest = buf_view(&json);
        uint64_t rarity = 2 + rng_below(&rng, 200);
        for (size_t at; (at = str_find(rest, STR("\": "))) != SIZE_MAX;) {
            buf_append_str(&out, str_slice(rest, 0, at + 3));
            rest = str_slice(rest, at + 3, rest.len);
            size_t len = strcspn(rest.data, ",}]\n");
            bool plain = rest.data[0] != '{' && rest.data[0] != '[';
            if (plain && rng_below(&rng, rarity) == 0) {
                buf_append_str(&out, str_from(values[rng_below(&rng, value_count)]));
                rest = str_slice(rest, len, rest.len);
            }
        }
        buf_append_str(&out, rest);
        /* without the check of the books more of it gets through to the reports */
        size_t unbalanced = str_find(buf_view(&out), STR("\"unbalanced\": false"));
        if (unbalanced != SIZE_MAX && round % 2 == 0) {
            memcpy(out.data + unbalanced, "\"unbalanced\": true ", 19);
        }
        try_bytes(buf_view(&out));
        buf_deinit(&out);
    }
    buf_deinit(&json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_that_do_not_add_up_are_refused),
        cmocka_unit_test(every_report_of_a_result_read_back_is_the_same_B121),
        cmocka_unit_test(random_results_come_back_as_they_were),
        cmocka_unit_test(results_of_two_boxes_merge_exactly),
        cmocka_unit_test(what_is_no_result_is_refused),
        cmocka_unit_test(each_wrong_member_is_named),
        cmocka_unit_test(members_nobody_knows_yet_are_ignored),
        cmocka_unit_test(a_merged_result_comes_back_as_it_was),
        cmocka_unit_test(a_result_without_a_timeline_is_still_read),
        cmocka_unit_test(a_mark_of_utf_8_in_front_is_passed_over),
        cmocka_unit_test(a_step_has_no_more_times_than_the_whole),
        cmocka_unit_test(a_result_of_before_there_were_steps_is_still_read),
        cmocka_unit_test(too_many_workers_and_notes_are_refused),
        cmocka_unit_test(deep_nesting_ends_with_an_error),
        cmocka_unit_test(a_result_cut_at_any_byte_is_refused),
        cmocka_unit_test(any_changed_byte_is_read_or_refused_without_harm),
        cmocka_unit_test(forged_values_are_read_or_refused_without_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
