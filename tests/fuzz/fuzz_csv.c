/* SPDX-License-Identifier: Apache-2.0 */
/* A table of values: every row as wide as the header, or a sentence that names the line. */
#include "fuzz.h"
#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/base/csv.h"

static void check_table(const struct csv *csv, size_t bytes)
{
    size_t columns = csv_column_count(csv);
    CHECK(csv_row_count(csv) > 0 && columns > 0 && columns <= CSV_COLUMNS_CEILING);
    for (size_t column = 0; column < columns; column++) {
        struct str name = csv_column_name(csv, column);
        CHECK(name.len == 0 || csv_find_column(csv, name) == column);
    }
    size_t line = 1;
    size_t cell_bytes = 0;
    for (size_t row = 0; row < csv_row_count(csv); row++) {
        CHECK(csv_line(csv, row) > line);
        line = csv_line(csv, row);
        for (size_t column = 0; column < columns; column++) {
            cell_bytes += csv_cell(csv, row, column).len;
        }
    }
    CHECK(cell_bytes <= bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct buf content;
    buf_init(&content);
    buf_append(&content, data, size);
    struct csv *csv = NULL;
    struct err err = {0};
    if (csv_parse("rows.csv", &content, &csv, &err)) {
        check_table(csv, size);
        csv_free(csv);
    } else {
        CHECK(str_starts_with(str_from(err.text), STR("rows.csv")));
    }
    CHECK(content.len == 0);
    buf_deinit(&content);
    return 0;
}
