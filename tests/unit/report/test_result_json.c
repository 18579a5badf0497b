/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The result as JSON: its golden file, its figures, and that it is JSON whatever a server said.
 * Rows of the conformance list: B121.
 */
#include "lather/report/result_json.h"

#include "fixture.h"

#include <math.h>

#include <jansson.h>

static json_t *written(const struct summary *summary)
{
    struct buf out;
    json_error_t error;
    buf_init(&out);
    result_json_write(&out, summary);
    json_t *root = json_loadb(out.data, out.len, JSON_REJECT_DUPLICATES, &error);
    if (root == NULL) {
        fail_msg("line %d: %s\n%s", error.line, error.text, out.data);
    }
    buf_deinit(&out);
    return root;
}

/* The member at a path of keys parted by dots. */
static const json_t *at(const json_t *root, const char *path)
{
    struct str rest = str_from(path);
    struct str key;
    const json_t *json = root;
    bool more;
    do {
        more = str_split(rest, '.', &key, &rest);
        char *name = str_dup(key);
        json = json_object_get(json, name);
        free(name);
    } while (more && json != NULL);
    if (json == NULL) {
        fail_msg("no %s", path);
    }
    return json;
}

static void assert_count(const json_t *root, const char *path, json_int_t count)
{
    assert_true(json_is_integer(at(root, path)));
    assert_int_equal(json_integer_value(at(root, path)), count);
}

static void assert_real(const json_t *root, const char *path, double value)
{
    assert_true(json_is_real(at(root, path)));
    assert_true(fabs(json_real_value(at(root, path)) - value) <= fabs(value) * 1e-11);
}

static void assert_text(const json_t *root, const char *path, const char *text)
{
    assert_string_equal(json_string_value(at(root, path)), text);
}

static void a_mix_looks_as_its_golden_file(void **state)
{
    (void)state;
    struct summary *summary = fixture_mix();
    struct buf out;
    buf_init(&out);
    result_json_write(&out, summary);
    fixture_compare_golden("mix.json", &out);
    buf_deinit(&out);
    summary_free(summary);
}

static void a_run_with_everything_looks_as_its_golden_file(void **state)
{
    (void)state;
    struct summary *summary = fixture_full();
    struct buf out;
    buf_init(&out);
    result_json_write(&out, summary);
    fixture_compare_golden("full.json", &out);
    buf_deinit(&out);
    summary_free(summary);
}

static void it_names_its_schema_and_version(void **state)
{
    (void)state;
    struct summary *summary = summary_new();
    json_t *root = written(summary);
    assert_text(root, "schema", "lather/1");
    assert_text(root, "lather_version", LATHER_VERSION);
    json_decref(root);
    summary_free(summary);
}

static void figures_are_those_of_the_text_D27_B121(void **state)
{
    (void)state;
    struct summary *summary = fixture_full();
    json_t *root = written(summary);
    assert_count(root, "figures.complete_requests", 263);
    assert_count(root, "figures.failed_requests", 63);
    assert_count(root, "figures.failed_connect", 4);
    assert_count(root, "figures.failed_receive", 35);
    assert_count(root, "figures.failed_length", 4);
    assert_count(root, "figures.failed_exceptions", 20);
    assert_count(root, "figures.answers", 222);
    assert_count(root, "figures.non_2xx_responses", 15);
    assert_count(root, "figures.slowest_band", 22);
    assert_real(root, "figures.duration_s", 1.25);
    assert_real(root, "figures.requests_per_s", 210.4);
    assert_real(root, "figures.time_per_request_ms", 62500.0 / 263);
    assert_real(root, "figures.time_per_request_across_ms", 1250.0 / 263);
    assert_real(root, "figures.received_kb_per_s", 412345 / 1024.0 / 1.25);
    assert_real(root, "figures.sent_kb_per_s", 236800 / 1024.0 / 1.25);
    assert_real(root, "figures.total_kb_per_s", (412345 + 236800) / 1024.0 / 1.25);
    assert_real(root, "figures.cpu_us_per_request", 320000.0 / 263);
    assert_count(root, "times.total.percentiles_ns.100", 1234567890);
    assert_text(root, "run.started_at", "2006-01-02T15:04:05Z");
    assert_text(root, "run.end", "interrupted");
    json_decref(root);
    summary_free(summary);
}

static void counts_above_63_bits_are_strings_of_digits(void **state)
{
    (void)state;
    struct summary *summary = summary_new();
    summary->plan.seed = UINT64_MAX;
    summary->plan.requests = INT64_MAX;
    histogram_add(summary->health.loop_lag, UINT64_MAX);
    json_t *root = written(summary);
    assert_text(root, "plan.seed", "18446744073709551615");
    assert_count(root, "plan.requests", INT64_MAX);
    assert_text(root, "times.loop_lag.max_ns", "18446744073709551615");
    assert_text(root, "times.loop_lag.squares_ns2", "340282366920938463426481119284349108225");
    json_decref(root);
    summary_free(summary);
}

static void every_ending_is_valid_json_without_nan(void **state)
{
    (void)state;
    struct summary *summaries[] = {summary_new(), fixture_good(), fixture_full(),
                                   fixture_unreachable()};
    for (size_t i = 0; i < sizeof summaries / sizeof *summaries; i++) {
        for (int round = 0; round < 2; round++) {
            json_decref(written(summaries[i]));
            summaries[i]->duration_ns = 0;
        }
        summary_free(summaries[i]);
    }
}

static void bytes_that_are_no_text_do_not_break_it(void **state)
{
    (void)state;
    struct summary *summary = summary_new();
    char all[256];
    for (int i = 0; i < 256; i++) {
        all[i] = (char)i;
    }
    fixture_fail(summary, (struct sample){.outcome = OUTCOME_FAULT, .status = 500}, 1,
                 &(struct group_key){.code = {all, 256}, .reason = {all + 128, 128}});
    summary_set_text(&summary->plan.path, (struct str){all + 1, 255});
    summary_note(summary, "\xc3");
    json_t *root = written(summary);
    json_decref(root);
    summary_free(summary);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mix_looks_as_its_golden_file),
        cmocka_unit_test(a_run_with_everything_looks_as_its_golden_file),
        cmocka_unit_test(it_names_its_schema_and_version),
        cmocka_unit_test(figures_are_those_of_the_text_D27_B121),
        cmocka_unit_test(counts_above_63_bits_are_strings_of_digits),
        cmocka_unit_test(every_ending_is_valid_json_without_nan),
        cmocka_unit_test(bytes_that_are_no_text_do_not_break_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
