/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How `lather check` writes: a label, a colon, and what is to be said in one column behind it, so
 * that people can read down it and scripts can split at the first colon. Nothing here knows what a
 * line is about.
 */
#include "lather/cli/check_lines.h"

#include <stdarg.h>
#include <stdio.h>

#include "lather/report/clean.h"

enum { TEXT_COLUMN = 19 };

void check_lines_add(struct buf *out, enum check_indent indent, struct str label, struct str text)
{
    const size_t start = out->len;
    buf_append_str(out, indent == CHECK_INDENT_MESSAGE ? STR("  ") : STR(""));
    buf_append_str(out, label);
    buf_append_byte(out, ':');
    do {
        buf_append_byte(out, ' ');
    } while (out->len - start < TEXT_COLUMN);
    clean_line(out, text);
    buf_append_byte(out, '\n');
}

void check_lines_printf(struct buf *out, enum check_indent indent, const char *label,
                        const char *format, ...)
{
    struct buf text;
    va_list arguments;
    buf_init(&text);
    va_start(arguments, format);
    const int needed = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    CHECK(needed >= 0);
    va_start(arguments, format);
    (void)vsnprintf(buf_reserve(&text, (size_t)needed + 1), (size_t)needed + 1, format, arguments);
    va_end(arguments);
    text.len = (size_t)needed;
    check_lines_add(out, indent, str_from(label), buf_view(&text));
    buf_deinit(&text);
}

void check_lines_add_all(struct buf *out, enum check_indent indent, struct str lines)
{
    while (lines.len > 0) {
        struct str line;
        struct str label;
        struct str text;
        (void)str_split(lines, '\n', &line, &lines);
        (void)str_split(line, ':', &label, &text);
        check_lines_add(out, indent, label, str_trim(text));
    }
}

void check_lines_add_under(struct buf *out, enum check_indent indent, const char *label,
                           struct str lines)
{
    while (lines.len > 0) {
        struct str line;
        (void)str_split(lines, '\n', &line, &lines);
        check_lines_add(out, indent, str_from(label), line);
    }
}
