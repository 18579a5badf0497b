/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines of files that a person wrote: options beside a message, lists of URLs. It finds the lines
 * and says where they stand; what a line means is its users' matter, blanks around it included, as
 * they may belong to a value.
 */
#include "lather/cli/line_reader.h"

#include <stdio.h>

void line_reader_begin(struct line_reader *reader, struct str text, const char *name)
{
    const bool has_mark = str_starts_with(text, STR("\xEF\xBB\xBF"));
    *reader =
        (struct line_reader){.rest = has_mark ? str_slice(text, 3, text.len) : text, .name = name};
}

bool line_reader_next(struct line_reader *reader)
{
    while (reader->rest.len > 0) {
        (void)str_split(reader->rest, '\n', &reader->line, &reader->rest);
        reader->number++;
        if (str_ends_with(reader->line, STR("\r"))) {
            reader->line.len--;
        }
        const struct str said = str_trim(reader->line);
        if (said.len > 0 && said.data[0] != '#') {
            return true;
        }
    }
    return false;
}

const char *line_reader_place(const char *name, size_t line, char text[LINE_READER_PLACE_SIZE])
{
    if (line == 0) {
        (void)snprintf(text, LINE_READER_PLACE_SIZE, "%.200s", name);
    } else {
        (void)snprintf(text, LINE_READER_PLACE_SIZE, "%.200s:%zu", name, line);
    }
    return text;
}

bool line_reader_blame(const struct line_reader *reader, struct err *err)
{
    char place[LINE_READER_PLACE_SIZE];
    return err_prefix(err, line_reader_place(reader->name, reader->number, place));
}
