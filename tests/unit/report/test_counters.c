/* SPDX-License-Identifier: Apache-2.0 */
/* The server's counters: PerfMon's layout and others, whose times mean what they say. */
#include "lather/report/counters.h"

#include "fixture.h"

#include <math.h>
#include <time.h>

static bool parse(const char *text, struct counters **counters, struct err *err)
{
    struct buf content;
    buf_init(&content);
    buf_append_str(&content, str_from(text));
    bool is_read = counters_parse("c.csv", &content, counters, err);
    buf_deinit(&content);
    return is_read;
}

static struct counters *read_good(const char *text)
{
    struct counters *counters;
    struct err err;
    if (!parse(text, &counters, &err)) {
        fail_msg("%s", err.text);
    }
    return counters;
}

static void use_zone(const char *zone)
{
    assert_int_equal(setenv("TZ", zone, 1), 0);
    tzset();
}

static void performance_monitors_log_is_read_by_its_bias(void **state)
{
    (void)state;
    struct counters *counters = read_good(
        "\"(PDH-CSV 4.0) (W. Europe Standard Time)(-60)\",\"\\\\SRV\\Memory\\Available MBytes\","
        "\"\\\\SRV\\Processor(_Total)\\% Processor Time\",\"\\\\SRV\\X\\Never\"\r\n"
        "\"01/02/2006 16:04:05.250\",\"4711\",\" \",\" \"\r\n"
        "\"01/02/2006 16:04:06.250\",\"4712\",\"12.500000\",\" \"\r\n");
    assert_int_equal(counters_series(counters), 2); /* a column without a number is left out */
    assert_true(str_equals(counters_name(counters, 1),
                           STR("\\\\SRV\\Processor(_Total)\\% Processor Time")));
    assert_int_equal(counters_rows(counters), 2);
    assert_int_equal(counters_time_ns(counters, 0), 1136214245250000000ULL);
    assert_true(isnan(counters_value(counters, 1, 0)));
    assert_true(counters_value(counters, 1, 1) == 12.5);
    assert_int_equal(counters_clock(counters), COUNTERS_CLOCK_UTC);
    counters_free(counters);
    counters_free(NULL);
}

static void any_table_with_a_column_of_times_is_read(void **state)
{
    (void)state;
    static const struct {
        const char *stamp;
        enum counters_clock clock;
    } stamps[] = {
        {"2006-01-02T15:04:05Z", COUNTERS_CLOCK_UTC},
        {"2006-01-02 15:04:05.000Z", COUNTERS_CLOCK_UTC},
        {"2006-01-02T16:04:05+01:00", COUNTERS_CLOCK_UTC},
        {"2006-01-02T09:34:05-0530", COUNTERS_CLOCK_UTC},
        {"1136214245", COUNTERS_CLOCK_UTC},
        {"1136214245.0", COUNTERS_CLOCK_UTC},
        {"1136214245000", COUNTERS_CLOCK_UTC},
        {"1136214245000000", COUNTERS_CLOCK_UTC},
        {"1136214245000000000", COUNTERS_CLOCK_UTC},
        {"2006-01-02T16:04:05", COUNTERS_CLOCK_LOCAL},
        {"2006-01-02 16:04:05", COUNTERS_CLOCK_LOCAL},
        {"01/02/2006 16:04:05", COUNTERS_CLOCK_LOCAL},
    };
    use_zone("CET-1");
    for (size_t i = 0; i < sizeof stamps / sizeof *stamps; i++) {
        struct buf text;
        buf_init(&text);
        buf_printf(&text, "cpu,Timestamp\n3,%s\n", stamps[i].stamp);
        struct counters *counters = read_good(text.data);
        if (counters_time_ns(counters, 0) != 1136214245000000000ULL) {
            fail_msg("%s is %llu", stamps[i].stamp,
                     (unsigned long long)counters_time_ns(counters, 0));
        }
        assert_int_equal(counters_clock(counters), stamps[i].clock);
        assert_true(str_equals(counters_name(counters, 0), STR("cpu")));
        counters_free(counters);
        buf_deinit(&text);
    }
    use_zone("UTC");
}

static void rows_are_put_in_order(void **state)
{
    (void)state;
    struct counters *counters = read_good("time,a\n1136214247,3\n1136214245,1\n1136214246,2\n");
    for (size_t i = 0; i < 3; i++) {
        assert_true(counters_value(counters, 0, i) == (double)i + 1);
    }
    counters_free(counters);
}

static void columns_beyond_the_ceiling_are_counted(void **state)
{
    (void)state;
    struct buf text;
    buf_init(&text);
    buf_append_str(&text, STR("time"));
    for (int i = 0; i < 100; i++) {
        buf_printf(&text, ",c%d", i);
    }
    buf_append_str(&text, STR("\n1136214245"));
    for (int i = 0; i < 100; i++) {
        buf_printf(&text, ",%d", i);
    }
    struct counters *counters = read_good(text.data);
    assert_int_equal(counters_series(counters), COUNTERS_SERIES_CEILING);
    assert_int_equal(counters_left_out(counters), 100 - COUNTERS_SERIES_CEILING);
    counters_free(counters);
    buf_deinit(&text);
}

static void what_is_no_such_table_is_refused_by_line(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *said;
    } cases[] = {
        {"", "c.csv"},
        {"time,a\n", "c.csv"},
        {"time,a\nnever,1\n", "c.csv:2: \"never\""},
        {"time,a\n1136214245,1\n,2\n", "c.csv:3: \"\""},
        {"time,a\n1136214245,x\n", "no column of it has a number"},
        {"time\n1136214245\n", "no column of it has a number"},
        {"time,a\n5,1\n", "c.csv:2"},
        {"time,a\n1e300,1\n", "c.csv:2"},
        {"time,a\n2006-02-30T00:00:00Z,1\n", "c.csv:2"},
        {"time,a\n2006-01-02T15:04:05Zulu,1\n", "c.csv:2"},
        {"time,a\n1136214245,1,2\n", "c.csv:2"},
        {"\"(PDH-CSV 4.0) (x)(-60)\",a\n01/02/1960 16:04:05.250,1\n", "c.csv:2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct counters *counters;
        struct err err = {0};
        assert_false(parse(cases[i].text, &counters, &err));
        if (strstr(err.text, cases[i].said) == NULL) {
            fail_msg("\"%s\" does not say %s", err.text, cases[i].said);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(performance_monitors_log_is_read_by_its_bias),
        cmocka_unit_test(any_table_with_a_column_of_times_is_read),
        cmocka_unit_test(rows_are_put_in_order),
        cmocka_unit_test(columns_beyond_the_ceiling_are_counted),
        cmocka_unit_test(what_is_no_such_table_is_refused_by_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
