/* SPDX-License-Identifier: Apache-2.0 */
/* One interval's cells: sorted, each grain once, and merging is adding. */
#include "lather/measure/interval.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lather/base/rng.h"

enum { GRAINS = 300 };

static void assert_cells(const struct interval *interval, const uint64_t counts[GRAINS])
{
    uint32_t at = 0;
    for (uint32_t grain = 0; grain < GRAINS; grain++) {
        if (counts[grain] > 0) {
            assert_true(at < interval->cell_count);
            assert_int_equal(interval_cell_grain(interval->cells[at]), grain);
            assert_int_equal(interval_cell_count(interval->cells[at]), counts[grain]);
            at++;
        }
    }
    assert_int_equal(interval->cell_count, at);
}

static void cells_are_what_was_added_in_any_order(void **state)
{
    (void)state;
    struct rng rng;
    rng_init(&rng, 3, 0);
    for (int round = 0; round < 50; round++) {
        struct interval interval = {0};
        uint64_t counts[GRAINS] = {0};
        size_t used = 0;
        const uint64_t adds = rng_below(&rng, 500);
        for (uint64_t i = 0; i < adds; i++) {
            const uint32_t grain = (uint32_t)rng_below(&rng, GRAINS);
            const uint64_t count = 1 + rng_below(&rng, 9);
            used += interval_add(&interval, grain, count);
            counts[grain] += count;
        }
        assert_int_equal(used, interval.cell_count);
        assert_cells(&interval, counts);
        free(interval.cells);
    }
}

static void a_merge_is_all_added(void **state)
{
    (void)state;
    struct rng rng;
    rng_init(&rng, 4, 0);
    for (int round = 0; round < 50; round++) {
        struct interval parts[2] = {{.finished = 3, .failed = 1, .answers = 2, .max_ns = 9},
                                    {.finished = 5, .body_bytes = 7, .max_ns = 4}};
        uint64_t counts[GRAINS] = {0};
        const uint64_t adds = rng_below(&rng, 200);
        for (uint64_t i = 0; i < adds; i++) {
            const uint32_t grain = (uint32_t)rng_below(&rng, GRAINS);
            (void)interval_add(&parts[rng_below(&rng, 2)], grain, 2);
            counts[grain] += 2;
        }
        interval_add_sum(&parts[0], UINT64_MAX, 0);
        interval_add_sum(&parts[1], 2, 1);
        const uint32_t before = parts[0].cell_count;
        const size_t used = interval_merge(&parts[0], &parts[1]);
        assert_int_equal(before + used, parts[0].cell_count);
        assert_cells(&parts[0], counts);
        assert_int_equal(parts[0].finished, 8);
        assert_int_equal(parts[0].failed, 1);
        assert_int_equal(parts[0].answers, 2);
        assert_int_equal(parts[0].body_bytes, 7);
        assert_int_equal(parts[0].max_ns, 9);
        assert_int_equal(parts[0].sum_low, 1);
        assert_int_equal(parts[0].sum_high, 2);
        free(parts[0].cells);
        free(parts[1].cells);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_are_what_was_added_in_any_order),
        cmocka_unit_test(a_merge_is_all_added),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
