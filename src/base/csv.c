/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads feeds. The bytes are kept as one block and the cells point into it; values with doubled
 * quotes are pushed together in place, which only ever makes them shorter. It guesses nothing: no
 * other separators, no encodings. The trap is a quoted value with line ends in it: rows are not
 * lines, so a row remembers the line it began on for error sentences.
 */
#include "lather/base/csv.h"

#include <stdlib.h>
#include <string.h>

#include "lather/base/file.h"
#include "lather/base/utf8.h"

struct cell {
    uint32_t from;
    uint32_t len;
};

struct csv {
    char *name;
    char *bytes;
    size_t len;
    struct cell *cells; /* row by row; row 0 is the header */
    size_t cell_count;
    size_t cell_capacity;
    uint32_t *lines; /* of each row, the header included */
    size_t row_count;
    size_t row_capacity;
    size_t column_count;
};

struct reader {
    struct csv *csv;
    size_t at;
    size_t line;
    struct err *err;
};

/* The end of a value, as far as the row is concerned. */
enum after { AFTER_COMMA, AFTER_ROW, AFTER_ERROR };

static enum after fail(struct reader *reader, size_t line, const char *what)
{
    (void)err_set(reader->err, ERR_FORMAT, "%s:%zu: %s", reader->csv->name, line, what);
    return AFTER_ERROR;
}

static void add_cell(struct csv *csv, size_t from, size_t len)
{
    if (csv->cell_count == csv->cell_capacity) {
        csv->cell_capacity = csv->cell_capacity == 0 ? 64 : csv->cell_capacity * 2;
        csv->cells = check_realloc(csv->cells, csv->cell_capacity * sizeof(*csv->cells));
    }
    csv->cells[csv->cell_count++] = (struct cell){(uint32_t)from, (uint32_t)len};
}

static void begin_row(struct csv *csv, size_t line)
{
    if (csv->row_count == csv->row_capacity) {
        csv->row_capacity = csv->row_capacity == 0 ? 64 : csv->row_capacity * 2;
        csv->lines = check_realloc(csv->lines, csv->row_capacity * sizeof(*csv->lines));
    }
    csv->lines[csv->row_count++] = (uint32_t)line;
}

static bool is_at_line_end(const struct reader *reader)
{
    const char *at = reader->csv->bytes + reader->at;
    size_t left = reader->csv->len - reader->at;
    return left == 0 || at[0] == '\n' || (left > 1 && at[0] == '\r' && at[1] == '\n');
}

static void skip_line_end(struct reader *reader)
{
    if (reader->at < reader->csv->len) {
        reader->at += reader->csv->bytes[reader->at] == '\r' ? 2 : 1;
        reader->line++;
    }
}

/* What stands behind a value; moves over it. */
static enum after end_value(struct reader *reader)
{
    if (is_at_line_end(reader)) {
        skip_line_end(reader);
        return AFTER_ROW;
    }
    char byte = reader->csv->bytes[reader->at];
    if (byte == ',') {
        reader->at++;
        return AFTER_COMMA;
    }
    if (byte == '"') {
        return fail(reader, reader->line,
                    "a quote inside a value that does not begin with one: put the value in quotes "
                    "and write its quotes twice");
    }
    if (byte == '\r') {
        return fail(reader, reader->line, "a CR that no LF follows: put the value in quotes");
    }
    return fail(
        reader, reader->line,
        byte == ';' || byte == '\t'
            ? "a semicolon or tab behind a closing quote: save it with commas between columns"
            : "text behind a closing quote");
}

static enum after read_quoted(struct reader *reader)
{
    struct csv *csv = reader->csv;
    size_t first_line = reader->line;
    size_t from = ++reader->at;
    size_t to = from;
    while (reader->at < csv->len) {
        char byte = csv->bytes[reader->at++];
        if (byte == '"') {
            if (reader->at == csv->len || csv->bytes[reader->at] != '"') {
                add_cell(csv, from, to - from);
                return end_value(reader);
            }
            reader->at++;
        } else if (byte == '\n') {
            reader->line++;
        }
        csv->bytes[to++] = byte;
    }
    return fail(reader, first_line, "a quote is opened and never closed");
}

static enum after read_plain(struct reader *reader)
{
    struct csv *csv = reader->csv;
    size_t from = reader->at;
    while (!is_at_line_end(reader) && strchr(",\"\r", csv->bytes[reader->at]) == NULL) {
        reader->at++;
    }
    add_cell(csv, from, reader->at - from);
    return end_value(reader);
}

const char *csv_separator_advice(const struct csv *csv)
{
    const struct str only = csv->column_count == 1 ? csv_column_name(csv, 0) : str_of(NULL, 0);
    return str_find_byte(only, ';') != SIZE_MAX
               ? ": semicolons part its columns: save it with commas between them"
           : str_find_byte(only, '\t') != SIZE_MAX
               ? ": tabs part its columns: save it with commas between them"
               : "";
}

static bool check_width(struct reader *reader, size_t values)
{
    struct csv *csv = reader->csv;
    if (csv->row_count == 1) {
        csv->column_count = values;
        return true;
    }
    if (values == csv->column_count) {
        return true;
    }
    return err_set(reader->err, ERR_FORMAT, "%s:%zu: %zu value%s where the header has %zu%s",
                   csv->name, (size_t)csv->lines[csv->row_count - 1], values,
                   values == 1 ? "" : "s", csv->column_count, csv_separator_advice(csv));
}

static bool read_row(struct reader *reader)
{
    struct csv *csv = reader->csv;
    size_t cells_before = csv->cell_count;
    begin_row(csv, reader->line);
    enum after after = AFTER_COMMA;
    while (after == AFTER_COMMA) {
        if (csv->cell_count - cells_before == CSV_COLUMNS_CEILING) {
            (void)fail(reader, reader->line, "more than 4096 values in a row");
            return false;
        }
        bool is_quoted = reader->at < csv->len && csv->bytes[reader->at] == '"';
        after = is_quoted ? read_quoted(reader) : read_plain(reader);
    }
    return after == AFTER_ROW && check_width(reader, csv->cell_count - cells_before);
}

static bool check_bytes(const struct csv *csv, struct err *err)
{
    struct str text = str_of(csv->bytes, csv->len);
    if (str_starts_with(text, STR("\xFF\xFE")) || str_starts_with(text, STR("\xFE\xFF"))) {
        return err_set(err, ERR_FORMAT, "%s: it is UTF-16: save it as CSV in UTF-8", csv->name);
    }
    size_t nul = str_find_byte(text, '\0');
    if (nul != SIZE_MAX) {
        return err_set(err, ERR_FORMAT, "%s: a NUL at byte %zu: it is no text file", csv->name,
                       nul + 1);
    }
    if (csv->len > CSV_BYTES_CEILING) {
        return err_set(err, ERR_LIMIT, "%s: larger than 1 GB", csv->name);
    }
    return true;
}

/* Two empty names (of columns that only end in commas) are no contradiction: nobody asks for them.
 */
static bool check_header(const struct csv *csv, struct err *err)
{
    for (size_t i = 0; i < csv->column_count; i++) {
        struct str name = csv_column_name(csv, i);
        if (name.len > 0 && csv_find_column(csv, name) != i) {
            return err_set(err, ERR_FORMAT, "%s:%zu: two columns are called %.*s", csv->name,
                           (size_t)csv->lines[0], STR_ARG(str_slice(name, 0, 80)));
        }
    }
    if (csv->row_count < 2) {
        return err_set(err, ERR_FORMAT, "%s: it has no rows%s", csv->name,
                       csv->row_count == 0 ? ": it is empty" : " under its header");
    }
    return true;
}

static bool read_all(struct csv *csv, struct err *err)
{
    struct reader reader = {.csv = csv, .line = 1, .err = err};
    if (!check_bytes(csv, err)) {
        return false;
    }
    if (str_starts_with(str_of(csv->bytes, csv->len), STR("\xEF\xBB\xBF"))) {
        reader.at = 3;
    }
    while (reader.at < csv->len) {
        if (is_at_line_end(&reader)) {
            skip_line_end(&reader);
        } else if (!read_row(&reader)) {
            return false;
        }
    }
    return check_header(csv, err);
}

bool csv_parse(const char *name, struct buf *content, struct csv **csv, struct err *err)
{
    struct csv *table = check_calloc(1, sizeof(*table));
    table->name = str_dup(str_from(name));
    table->len = content->len;
    table->bytes = buf_take(content);
    if (!read_all(table, err)) {
        csv_free(table);
        return false;
    }
    *csv = table;
    return true;
}

bool csv_read(const char *path, struct csv **csv, struct err *err)
{
    struct buf content;
    buf_init(&content);
    if (!file_read(path, CSV_BYTES_CEILING, &content, err)) {
        buf_deinit(&content);
        return false;
    }
    return csv_parse(path, &content, csv, err);
}

void csv_free(struct csv *csv)
{
    if (csv == NULL) {
        return;
    }
    free(csv->name);
    free(csv->bytes);
    free(csv->cells);
    free(csv->lines);
    free(csv);
}

const char *csv_name(const struct csv *csv)
{
    return csv->name;
}

size_t csv_row_count(const struct csv *csv)
{
    return csv->row_count - 1;
}

size_t csv_column_count(const struct csv *csv)
{
    return csv->column_count;
}

static struct str cell_text(const struct csv *csv, size_t index)
{
    const struct cell *cell = &csv->cells[index];
    return str_of(csv->bytes + cell->from, cell->len);
}

struct str csv_column_name(const struct csv *csv, size_t column)
{
    CHECK(column < csv->column_count);
    return str_trim(cell_text(csv, column));
}

size_t csv_find_column(const struct csv *csv, struct str name)
{
    for (size_t i = 0; i < csv->column_count; i++) {
        if (str_equals(csv_column_name(csv, i), name)) {
            return i;
        }
    }
    return SIZE_MAX;
}

struct str csv_cell(const struct csv *csv, size_t row, size_t column)
{
    CHECK(row < csv_row_count(csv) && column < csv->column_count);
    return cell_text(csv, (row + 1) * csv->column_count + column);
}

bool csv_check_utf8(const struct csv *csv, struct err *err)
{
    for (size_t i = 0; i < csv->cell_count; i++) {
        const struct str text = cell_text(csv, i);
        const size_t at = utf8_find_invalid(text);
        if (at != SIZE_MAX) {
            return err_set(
                err, ERR_FORMAT,
                "%s:%zu: byte 0x%02X is not UTF-8: save it as CSV in UTF-8 (it may be in "
                "windows-1252 now, what Excel calls CSV without more)",
                csv->name, (size_t)csv->lines[i / csv->column_count],
                (unsigned)(unsigned char)text.data[at]);
        }
    }
    return true;
}

size_t csv_line(const struct csv *csv, size_t row)
{
    CHECK(row < csv_row_count(csv));
    return csv->lines[row + 1];
}
