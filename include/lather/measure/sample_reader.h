/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_MEASURE_SAMPLE_READER_H
#define LATHER_MEASURE_SAMPLE_READER_H

#include <stdbool.h>

#include "lather/base/check.h"
#include "lather/measure/sample_log.h"

/*
 * A log's samples in order of start: sorted piece by piece in its file, then merged while they are
 * read. Memory is 2 MB for a piece, and 2 KB for each piece of 65536 samples.
 */
struct sample_reader;

/* Sorts the log, which must outlive the reader and not be added to. Linearithmic. */
struct sample_reader *sample_reader_new(struct sample_log *log) MUST_USE;
void sample_reader_free(struct sample_reader *reader);

/* The next sample, its start counted from the log's; false when there is none, or when the file
 * could not be read. */
bool sample_reader_next(struct sample_reader *reader, struct sample_times *sample) MUST_USE;

/* Whether the file could not be read or sorted: samples are missing then. */
bool sample_reader_failed(const struct sample_reader *reader);

#endif
