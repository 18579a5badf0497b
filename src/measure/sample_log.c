/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every request's times, spooled: a worker may make any number of requests, so what is kept of each
 * cannot stay in memory. The file is written in whole buffers and only read back after the run. The
 * trap: once the file has failed, what follows is kept in memory behind it, and a sample's place
 * tells which of the two it is in.
 */
#include "lather/measure/sample_log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFERED = 64 * 1024 / sizeof(struct sample_times), COPIED = 4096 };

struct sample_log {
    FILE *spool;    /* NULL: none yet */
    bool is_broken; /* there can be no file, or no more in it */
    uint64_t start_ns;
    uint64_t spooled; /* samples in the file */
    size_t count;     /* samples behind those, in memory */
    size_t capacity;
    struct sample_times *recent;
};

struct sample_log *sample_log_new(void)
{
    struct sample_log *log = check_calloc(1, sizeof *log);
    log->capacity = BUFFERED;
    log->recent = check_malloc(log->capacity * sizeof *log->recent);
    return log;
}

void sample_log_free(struct sample_log *log)
{
    if (log == NULL) {
        return;
    }
    if (log->spool != NULL) {
        (void)fclose(log->spool);
    }
    free(log->recent);
    free(log);
}

void sample_log_set_start(struct sample_log *log, uint64_t start_ns)
{
    log->start_ns = start_ns;
}

uint64_t sample_log_start(const struct sample_log *log)
{
    return log->start_ns;
}

uint64_t sample_log_count(const struct sample_log *log)
{
    return log->spooled + log->count;
}

/* The buffer is full: out with it, or more room. */
static void make_room(struct sample_log *log)
{
    if (!log->is_broken && log->spool == NULL) {
        log->spool = tmpfile();
        log->is_broken = log->spool == NULL;
        if (log->spool != NULL) {
            (void)setvbuf(log->spool, NULL, _IONBF, 0); /* a buffer's worth is written at once */
        }
    }
    if (!log->is_broken &&
        fwrite(log->recent, sizeof *log->recent, log->count, log->spool) == log->count) {
        log->spooled += log->count;
        log->count = 0;
        return;
    }
    log->is_broken = true;
    log->capacity *= 2;
    log->recent = check_realloc(log->recent, log->capacity * sizeof *log->recent);
}

void sample_log_add(struct sample_log *log, const struct sample_times *sample)
{
    if (log->count == log->capacity) {
        make_room(log);
    }
    log->recent[log->count++] = *sample;
}

/* 64 bits even where a long has 32: in steps that it has room for. */
static bool seek_to(FILE *spool, uint64_t from)
{
    uint64_t left = from * sizeof(struct sample_times);
    int whence = SEEK_SET;
    do {
        const long step = left > 1L << 30 ? 1L << 30 : (long)left;
        if (fseek(spool, step, whence) != 0) {
            return false;
        }
        left -= (uint64_t)step;
        whence = SEEK_CUR;
    } while (left > 0);
    return true;
}

/* How many of `count` samples from `from` on are in the file. */
static size_t in_file(const struct sample_log *log, uint64_t from, size_t count)
{
    if (from >= log->spooled) {
        return 0;
    }
    return log->spooled - from < count ? (size_t)(log->spooled - from) : count;
}

bool sample_log_read(struct sample_log *log, uint64_t from, struct sample_times *samples,
                     size_t count)
{
    const size_t first = in_file(log, from, count);
    CHECK(from + count <= sample_log_count(log));
    if (first > 0 && (!seek_to(log->spool, from) ||
                      fread(samples, sizeof *samples, first, log->spool) != first)) {
        return false;
    }
    if (first < count) {
        memcpy(samples + first, log->recent + (from + first - log->spooled),
               (count - first) * sizeof *samples);
    }
    return true;
}

bool sample_log_replace(struct sample_log *log, uint64_t from, const struct sample_times *samples,
                        size_t count)
{
    const size_t first = in_file(log, from, count);
    CHECK(from + count <= sample_log_count(log));
    if (first > 0 && (!seek_to(log->spool, from) ||
                      fwrite(samples, sizeof *samples, first, log->spool) != first)) {
        return false;
    }
    if (first < count) {
        memcpy(log->recent + (from + first - log->spooled), samples + first,
               (count - first) * sizeof *samples);
    }
    return true;
}

bool sample_log_append(struct sample_log *log, struct sample_log *from)
{
    struct sample_times *samples = check_malloc(COPIED * sizeof *samples);
    const uint64_t total = sample_log_count(from);
    bool is_read = true;
    for (uint64_t at = 0; at < total && is_read; at += COPIED) {
        const size_t count = total - at < COPIED ? (size_t)(total - at) : COPIED;
        is_read = sample_log_read(from, at, samples, count);
        for (size_t i = 0; i < count && is_read; i++) {
            sample_log_add(log, &samples[i]);
        }
    }
    free(samples);
    sample_log_free(from);
    return is_read;
}
