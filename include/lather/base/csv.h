/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_BASE_CSV_H
#define LATHER_BASE_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/base/str.h"

/*
 * A table of values with a header row, as RFC 4180 writes it: commas, CRLF or LF, quotes around
 * values that hold them. Read once, then never changed: any number of threads may look at it.
 */
struct csv;

/* Cells are addressed in 32 bits; a larger feed is more than a load test's memory should hold. */
enum { CSV_BYTES_CEILING = 1 << 30, CSV_COLUMNS_CEILING = 4096 };

/*
 * Reads a table from a file ("-" is standard input). A UTF-8 byte order mark is stripped; lines
 * with nothing in them are skipped (an empty value alone is written ""). Errors name file and
 * line: a row with more or fewer values than the header, a quote that is not closed or stands
 * inside an unquoted value, a NUL, UTF-16, two columns of one name, no row at all.
 * Free with csv_free. Linear.
 */
bool csv_read(const char *path, struct csv **csv, struct err *err) MUST_USE;

/*
 * As csv_read, from memory: takes the bytes (content is empty afterwards, in case of an error as
 * well). `name` stands in front of errors and is copied.
 */
bool csv_parse(const char *name, struct buf *content, struct csv **csv, struct err *err) MUST_USE;

/* Frees the table and what its cells point into. */
void csv_free(struct csv *csv);

/* The name it was read under. Borrowed. */
const char *csv_name(const struct csv *csv);

/* Rows without the header: at least 1. */
size_t csv_row_count(const struct csv *csv);
size_t csv_column_count(const struct csv *csv);

/* A column's name, without blanks around it. Borrowed. */
struct str csv_column_name(const struct csv *csv, size_t column);

/* The column of that name, or SIZE_MAX. */
size_t csv_find_column(const struct csv *csv, struct str name);

/* A value, quotes removed; borrowed from the table. Row and column must exist. */
struct str csv_cell(const struct csv *csv, size_t row, size_t column);

/*
 * False when some value is no UTF-8, naming the line of its row. Not part of reading, since some
 * tables are written in old code pages and only their figures wanted. Linear.
 */
bool csv_check_utf8(const struct csv *csv, struct err *err) MUST_USE;

/*
 * What to add to a sentence about a column that is not there: of a table of one column whose name
 * holds semicolons or tabs, that those are no separators here; else "".
 */
const char *csv_separator_advice(const struct csv *csv);

/* The line in the file on which a row begins, from 1. */
size_t csv_line(const struct csv *csv, size_t row);

#endif
