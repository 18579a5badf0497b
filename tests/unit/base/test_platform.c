/* SPDX-License-Identifier: Apache-2.0 */
/* What every system must tell, in the right unit and within reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>
#include <time.h>
#include <uv.h>

#include "lather/base/clock.h"
#include "lather/base/platform.h"

static void the_monotonic_clock_moves_forward_in_fine_steps(void **state)
{
    (void)state;
    uint64_t smallest_ns = UINT64_MAX;
    uint64_t last_ns = platform_monotonic_ns();
    for (int i = 0; i < 10000; i++) {
        const uint64_t now_ns = platform_monotonic_ns();
        assert_true(now_ns >= last_ns);
        if (now_ns > last_ns && now_ns - last_ns < smallest_ns) {
            smallest_ns = now_ns - last_ns;
        }
        last_ns = now_ns;
    }
    assert_true(smallest_ns < 100000);
}

static void the_clocks_agree_on_how_long_a_second_is(void **state)
{
    (void)state;
    const uint64_t wall_ns = platform_wall_ns();
    const uint64_t monotonic_ns = platform_monotonic_ns();
    while (platform_monotonic_ns() - monotonic_ns < 100 * NS_PER_MS) {
    }
    assert_in_range(platform_wall_ns() - wall_ns, 90 * NS_PER_MS, 10 * NS_PER_S);
    const uint64_t library_s = (uint64_t)time(NULL);
    assert_in_range(platform_wall_ns() / NS_PER_S, library_s - 2, library_s + 2);
}

static void cpu_time_grows_with_work_and_not_with_sleep(void **state)
{
    (void)state;
    uint64_t before_ns = platform_thread_cpu_ns();
    uv_sleep(200);
    assert_true(platform_thread_cpu_ns() - before_ns < 100 * NS_PER_MS);

    uint64_t process_before_ns = platform_process_cpu_ns();
    uint64_t start_ns = platform_thread_cpu_ns();
    /* Systems that count by ticks of their scheduler have steps of up to 15.6 ms. */
    while (platform_thread_cpu_ns() - start_ns < 100 * NS_PER_MS) {
    }
    assert_true(platform_process_cpu_ns() - process_before_ns >= 60 * NS_PER_MS);
}

/* Before anything here has used as much: peaks do not fall. */
static void pages_are_zero_and_resident_only_where_written(void **state)
{
    (void)state;
    const size_t bytes = (size_t)128 * 1024 * 1024;
    const uint64_t before = platform_peak_memory_bytes();
    unsigned char *pages = platform_pages(bytes);
    assert_non_null(pages);
    for (size_t at = 0; at < bytes; at += bytes / 16) {
        assert_int_equal(pages[at], 0);
        pages[at] = 1;
    }
    assert_int_equal(pages[bytes - 1], 0);
    assert_true(platform_peak_memory_bytes() - before < bytes / 8);
    platform_pages_free(pages, bytes);
    platform_pages_free(NULL, bytes);
}

static void peak_memory_is_counted_in_bytes_and_kept(void **state)
{
    (void)state;
    enum { BLOCK_BYTES = 64 << 20 };
    uint64_t before = platform_peak_memory_bytes();
    assert_true(before > 100 * 1024);
    unsigned char *block = test_malloc(BLOCK_BYTES);
    memset(block, 1, BLOCK_BYTES);
    uint64_t during = platform_peak_memory_bytes();
    test_free(block);
    assert_true(during - before > BLOCK_BYTES / 2);
    assert_true(during < 1ULL << 40);
    /* Linux counts in batches per processor and so is off by some pages. */
    assert_true(platform_peak_memory_bytes() + (1 << 20) > during);
}

static void there_is_a_processor(void **state)
{
    (void)state;
    assert_in_range(platform_processor_count(), 1, 65536);
}

static void random_bytes_fill_every_place_and_differ(void **state)
{
    (void)state;
    unsigned char bytes[1000];
    unsigned char others[1000];
    unsigned char seen[1000] = {0};
    /* A byte that stays 0 over 20 draws is one that is not written (256^-20 by chance). */
    for (int draw = 0; draw < 20; draw++) {
        memset(bytes, 0, sizeof bytes);
        platform_random_bytes(bytes, sizeof bytes);
        for (size_t i = 0; i < sizeof bytes; i++) {
            seen[i] |= bytes[i];
        }
    }
    for (size_t i = 0; i < sizeof seen; i++) {
        assert_int_not_equal(seen[i], 0);
    }
    platform_random_bytes(others, sizeof others);
    assert_memory_not_equal(bytes, others, sizeof bytes);
}

static void random_bytes_stay_within_their_count(void **state)
{
    (void)state;
    unsigned char bytes[300];
    memset(bytes, 0xAA, sizeof bytes);
    platform_random_bytes(bytes, 257);
    for (size_t i = 257; i < sizeof bytes; i++) {
        assert_int_equal(bytes[i], 0xAA);
    }
    platform_random_bytes(NULL, 0);
}

static void any_thread_name_is_taken(void **state)
{
    (void)state;
    platform_name_thread("");
    platform_name_thread("a name that is much too long for the kernel");
    platform_name_thread("test");
}

static void what_is_lacking_is_told_with_a_remedy(void **state)
{
    (void)state;
    for (int lack = 0; lack < PLATFORM_LACK_COUNT; lack++) {
        const char *advice = platform_advice((enum platform_lack)lack);
        assert_non_null(strchr(advice, ':'));
        assert_in_range(strlen(advice), 20, 150);
    }
}

static void a_run_can_be_ended_in_several_ways(void **state)
{
    (void)state;
    for (int i = 0; i < PLATFORM_STOP_SIGNALS; i++) {
        for (int j = 0; j < i && platform_stop_signals[i] != 0; j++) {
            assert_int_not_equal(platform_stop_signals[i], platform_stop_signals[j]);
        }
    }
    assert_int_not_equal(platform_stop_signals[2], 0);
    assert_null(platform_signal_cause(platform_stop_signals[0]));
    assert_false(platform_signal_is_urgent(platform_stop_signals[0]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_monotonic_clock_moves_forward_in_fine_steps),
        cmocka_unit_test(the_clocks_agree_on_how_long_a_second_is),
        cmocka_unit_test(cpu_time_grows_with_work_and_not_with_sleep),
        cmocka_unit_test(pages_are_zero_and_resident_only_where_written),
        cmocka_unit_test(peak_memory_is_counted_in_bytes_and_kept),
        cmocka_unit_test(there_is_a_processor),
        cmocka_unit_test(random_bytes_fill_every_place_and_differ),
        cmocka_unit_test(random_bytes_stay_within_their_count),
        cmocka_unit_test(any_thread_name_is_taken),
        cmocka_unit_test(what_is_lacking_is_told_with_a_remedy),
        cmocka_unit_test(a_run_can_be_ended_in_several_ways),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
