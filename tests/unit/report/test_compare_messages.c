/* SPDX-License-Identifier: Apache-2.0 */
/* The messages of two mixes side by side, with no more said than is known. */
#include "lather/report/compare_messages.h"

#include "fixture.h"

static struct buf written(const struct summary *old_result, const struct summary *new_result)
{
    struct buf out;
    buf_init(&out);
    compare_messages_write(&out, old_result, new_result);
    return out;
}

static void each_message_of_both_has_its_lines(void **state)
{
    (void)state;
    struct summary *old_result = fixture_mix();
    struct summary *new_result = fixture_mix();
    struct message_tally *tally = &new_result->messages[0].tally;
    histogram_free(tally->total);
    tally->total = histogram_new();
    histogram_add(tally->total, 30 * NS_PER_MS);
    tally->finished = 1;
    tally->outcomes[OUTCOME_OK] = 0;
    tally->outcomes[OUTCOME_FAULT] = 1;
    summary_set_text(&new_result->messages[1].name, STR("odd\x1b[31m.xml"));
    struct buf out = written(old_result, new_result);
    fixture_compare_golden("compare_messages.out", &out);
    buf_deinit(&out);
    summary_free(old_result);
    summary_free(new_result);
}

static void runs_of_one_message_have_nothing_to_add(void **state)
{
    (void)state;
    struct summary *summary = fixture_good();
    struct buf out = written(summary, summary);
    assert_int_equal(out.len, 0);
    buf_deinit(&out);
    summary_free(summary);
}

static void a_mix_beside_one_message_is_named(void **state)
{
    (void)state;
    struct summary *mix = fixture_mix();
    struct summary *one = fixture_good();
    struct buf out = written(mix, one);
    assert_non_null(strstr(out.data, "only in the old run: place-order.xml\n"));
    buf_reset(&out);
    compare_messages_write(&out, one, mix);
    assert_non_null(strstr(out.data, "only in the new run: place-order.xml\n"));
    buf_deinit(&out);
    summary_free(mix);
    summary_free(one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_message_of_both_has_its_lines),
        cmocka_unit_test(runs_of_one_message_have_nothing_to_add),
        cmocka_unit_test(a_mix_beside_one_message_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
