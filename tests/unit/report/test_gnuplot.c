/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ab's -g file: its columns in their places, rows in order of start with their offset.
 * Rows of the conformance list: B138.
 */
#include "lather/report/gnuplot.h"

#include "fixture.h"

#include <time.h>

static const uint64_t start_ns = 1136214245ULL * 1000000000ULL + 900000000ULL;

static const struct sample_times samples[] = {
    {.start_ns = 0, .connect_ns = 45000, .total_ns = 2045000, .waiting_ns = 1900500},
    {.start_ns = 50 * NS_PER_MS, .total_ns = 9 * NS_PER_S},
    {.start_ns = 100 * NS_PER_MS, .total_ns = 1},
    {.start_ns = 86400 * NS_PER_S, .total_ns = 1000},
};

static void write_rows(struct buf *out, size_t count)
{
    struct gnuplot gnuplot;
    gnuplot_begin(&gnuplot, start_ns, out);
    for (size_t i = 0; i < count; i++) {
        gnuplot_add(&gnuplot, &samples[i], out);
    }
}

static void rows_are_in_start_order_with_their_offset_D30_B138(void **state)
{
    (void)state;
    struct buf out;
    buf_init(&out);
    write_rows(&out, 4);
    assert_string_equal(
        out.data,
        "starttime\tseconds\tctime\tdtime\tttime\twait\toffset\n"
        "Mon Jan 02 15:04:05 2006\t1136214245\t0.045\t2.000\t2.045\t1.901\t0.000\n"
        "Mon Jan 02 15:04:05 2006\t1136214245\t0.000\t9000.000\t9000.000\t0.000\t50.000\n"
        "Mon Jan 02 15:04:06 2006\t1136214246\t0.000\t0.000\t0.000\t0.000\t100.000\n"
        "Tue Jan 03 15:04:05 2006\t1136300645\t0.000\t0.001\t0.001\t0.000\t86400000.000\n");
    buf_deinit(&out);
}

static void the_start_is_local_time_as_in_ab(void **state)
{
    (void)state;
    struct buf out;
    buf_init(&out);
    assert_int_equal(setenv("TZ", "XXX-05:30", 1), 0);
    tzset();
    write_rows(&out, 1);
    assert_non_null(strstr(out.data, "Mon Jan 02 20:34:05 2006\t1136214245\t"));
    assert_int_equal(setenv("TZ", "UTC", 1), 0);
    tzset();
    buf_deinit(&out);
}

static void no_samples_leave_the_heading(void **state)
{
    (void)state;
    struct buf out;
    buf_init(&out);
    write_rows(&out, 0);
    assert_string_equal(out.data, "starttime\tseconds\tctime\tdtime\tttime\twait\toffset\n");
    buf_deinit(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_in_start_order_with_their_offset_D30_B138),
        cmocka_unit_test(the_start_is_local_time_as_in_ab),
        cmocka_unit_test(no_samples_leave_the_heading),
    };
    (void)setenv("TZ", "UTC", 1);
    tzset();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
