/* SPDX-License-Identifier: Apache-2.0 */
/* Samples spooled and given back: all of them, in order of start, whatever is in the file. */
#include "lather/measure/sample_log.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lather/base/rng.h"
#include "lather/measure/sample_reader.h"

/* A sample that tells its start. */
static struct sample_times made(uint64_t start_ns)
{
    return (struct sample_times){.start_ns = start_ns,
                                 .connect_ns = start_ns * 3,
                                 .total_ns = start_ns + 1,
                                 .waiting_ns = ~start_ns};
}

/* Starts from 1000 on, each a little before or after its turn, as ends make them. */
static void fill(struct sample_log *log, uint64_t count, uint64_t seed)
{
    struct rng rng;
    rng_init(&rng, seed, 0);
    for (uint64_t i = 0; i < count; i++) {
        const struct sample_times sample = made(1000 + i * 10 + rng_below(&rng, 5000));
        sample_log_add(log, &sample);
    }
}

/* Reads to the end; the number of samples, each whole and none before the one before. */
static uint64_t read_all(struct sample_log *log, uint64_t start_ns)
{
    struct sample_reader *reader = sample_reader_new(log);
    struct sample_times sample;
    uint64_t count = 0;
    uint64_t last_ns = 0;
    while (sample_reader_next(reader, &sample)) {
        const struct sample_times whole = made(sample.start_ns + start_ns);
        assert_true(sample.start_ns >= last_ns);
        last_ns = sample.start_ns;
        sample.start_ns += start_ns;
        assert_memory_equal(&sample, &whole, sizeof sample);
        count++;
    }
    assert_false(sample_reader_failed(reader));
    sample_reader_free(reader);
    return count;
}

static void any_number_comes_back_in_order_of_start(void **state)
{
    (void)state;
    static const uint64_t counts[] = {0,     1,     2,     2047,  2048,   2049,
                                      65535, 65536, 65537, 70000, 131072, 200001};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        struct sample_log *log = sample_log_new();
        fill(log, counts[i], i);
        assert_int_equal(sample_log_count(log), counts[i]);
        assert_int_equal(read_all(log, 0), counts[i]);
        assert_int_equal(read_all(log, 0), counts[i]); /* and again */
        sample_log_free(log);
    }
}

static void samples_far_from_their_place_find_it(void **state)
{
    (void)state;
    enum { COUNT = 70001 };
    struct sample_log *backwards = sample_log_new();
    struct sample_log *shuffled = sample_log_new();
    for (uint64_t i = 0; i < COUNT; i++) {
        const struct sample_times last = made(COUNT - i);
        const struct sample_times any = made(i * 7919 % COUNT); /* a prime: each once */
        sample_log_add(backwards, &last);
        sample_log_add(shuffled, &any);
    }
    assert_int_equal(read_all(backwards, 0), COUNT);
    assert_int_equal(read_all(shuffled, 0), COUNT);
    sample_log_free(backwards);
    sample_log_free(shuffled);
}

static void starts_are_counted_from_the_logs(void **state)
{
    (void)state;
    struct sample_log *log = sample_log_new();
    fill(log, 5000, 1);
    sample_log_set_start(log, 1000);
    assert_int_equal(read_all(log, 1000), 5000);
    sample_log_free(log);
}

static void logs_are_put_together(void **state)
{
    (void)state;
    struct sample_log *whole = sample_log_new();
    uint64_t total = 0;
    for (uint64_t i = 0; i < 4; i++) {
        struct sample_log *part = sample_log_new();
        fill(part, i * 30001, i);
        total += i * 30001;
        assert_true(sample_log_append(whole, part));
    }
    assert_int_equal(sample_log_count(whole), total);
    assert_int_equal(read_all(whole, 0), total);
    sample_log_free(whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_comes_back_in_order_of_start),
        cmocka_unit_test(samples_far_from_their_place_find_it),
        cmocka_unit_test(starts_are_counted_from_the_logs),
        cmocka_unit_test(logs_are_put_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
