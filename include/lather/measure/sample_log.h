/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_MEASURE_SAMPLE_LOG_H
#define LATHER_MEASURE_SAMPLE_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lather/base/check.h"

/*
 * One answered request's times, for ab's -g file: kept only when it was asked for (32 bytes each),
 * as all other reports need no more than the histograms.
 */
struct sample_times {
    uint64_t start_ns;
    uint64_t connect_ns;
    uint64_t total_ns;
    uint64_t waiting_ns;
};

/*
 * Any number of them in bounded memory: the last ones in a buffer of 64 KB, those before in a
 * temporary file that has no name. Where there can be no such file, or it cannot grow, they stay in
 * memory: none is ever lost. One thread at a time.
 */
struct sample_log;

/* A log of nothing, the caller's to free; its file is made when the buffer is full. */
struct sample_log *sample_log_new(void) MUST_USE;
void sample_log_free(struct sample_log *log);

/* Keeps one. Each 2048th writes 64 KB, which takes some 20 us. */
void sample_log_add(struct sample_log *log, const struct sample_times *sample);

/* What the starts that a reader gives are counted from; 0 at first. */
void sample_log_set_start(struct sample_log *log, uint64_t start_ns);
uint64_t sample_log_start(const struct sample_log *log);

/* How many it keeps. */
uint64_t sample_log_count(const struct sample_log *log);

/* Adds all of `from`, which is freed. False when its file could not be read. */
bool sample_log_append(struct sample_log *log, struct sample_log *from) MUST_USE;

/*
 * For sample_reader: samples [from, from + count) of the log as they lie, or puts them there. False
 * when the file does not do it.
 */
bool sample_log_read(struct sample_log *log, uint64_t from, struct sample_times *samples,
                     size_t count) MUST_USE;
bool sample_log_replace(struct sample_log *log, uint64_t from, const struct sample_times *samples,
                        size_t count) MUST_USE;

#endif
