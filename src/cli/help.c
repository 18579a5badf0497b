/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text of --help, made from the tables of commands and options: nothing about one is written
 * here. Lines stay within 80 columns, so that they do not break in the window of a terminal as it
 * opens.
 */
#include "lather/cli/help.h"

#include "lather/cli/option_table.h"

enum { HELP_COLUMN = 30, LINE_WIDTH = 80 };

static void pad_to(struct buf *text, size_t line_start, size_t column)
{
    while (text->len - line_start < column) {
        buf_append_byte(text, ' ');
    }
}

/* Appends words from HELP_COLUMN on; *line_start is where the current line begins. */
static void append_words(struct buf *text, size_t *line_start, struct str words)
{
    while (words.len > 0) {
        struct str word;
        struct str rest;
        (void)str_split(words, ' ', &word, &rest);
        size_t column = text->len - *line_start;
        if (column > HELP_COLUMN && column + 1 + word.len > LINE_WIDTH) {
            buf_append_byte(text, '\n');
            *line_start = text->len;
        }
        pad_to(text, *line_start, HELP_COLUMN);
        if (text->len - *line_start > HELP_COLUMN) {
            buf_append_byte(text, ' ');
        }
        buf_append_str(text, word);
        words = rest;
    }
}

static void append_row(struct buf *text, const struct option_row *row)
{
    size_t line_start = text->len;
    if (row->letter != 0) {
        buf_printf(text, "  -%c, --%s", row->letter, row->name);
    } else {
        buf_printf(text, "      --%s", row->name);
    }
    if (row->rule.argument != NULL) {
        buf_printf(text, " %s", row->rule.argument);
    }
    if (text->len - line_start >= HELP_COLUMN) {
        buf_append_byte(text, '\n');
        line_start = text->len;
    }
    append_words(text, &line_start, str_from(row->help));
    if (row->fallback != NULL) {
        struct buf fallback;
        buf_init(&fallback);
        buf_printf(&fallback, "(default: %s)", row->fallback);
        append_words(text, &line_start, buf_view(&fallback));
        buf_deinit(&fallback);
    }
    buf_append_byte(text, '\n');
}

static void append_command(struct buf *text, const struct command_row *row)
{
    size_t line_start = text->len;
    command_table_format_call(text, row);
    if (text->len - line_start >= HELP_COLUMN) {
        buf_append_byte(text, '\n');
        line_start = text->len;
    }
    append_words(text, &line_start, str_from(row->help));
    buf_append_byte(text, '\n');
}

static bool is_wanted(enum command command, const struct option_row *row)
{
    return command == COMMAND_COUNT || option_table_has(command, row);
}

/* The options of a group that the command has, under the group's name; nothing if there are none.
 */
static void append_group(struct buf *text, enum command command, enum option_group group)
{
    bool is_begun = false;
    for (enum option option = 0; option < OPTION_COUNT; option++) {
        const struct option_row *row = option_table_row(option);
        if (row->group != group || !is_wanted(command, row)) {
            continue;
        }
        if (!is_begun) {
            buf_printf(text, "\n%s\n", option_table_group_name(group));
        }
        is_begun = true;
        append_row(text, row);
    }
}

static void append_commands(struct buf *text)
{
    for (enum command command = 0; command < COMMAND_COUNT; command++) {
        append_command(text, command_table_row(command));
    }
    size_t line_start = text->len;
    buf_append_str(text, STR("lather help [COMMAND]"));
    append_words(text, &line_start, STR("this text, or the options of one command"));
    buf_append_byte(text, '\n');
}

void help_format(struct buf *text, enum command command)
{
    buf_append_str(text, STR("lather - load tester for SOAP services\n\n"));
    if (command == COMMAND_COUNT) {
        append_commands(text);
    } else {
        append_command(text, command_table_row(command));
    }
    for (enum option_group group = 0; group < OPTION_GROUP_COUNT; group++) {
        append_group(text, command, group);
    }
    buf_append_str(text, STR("\nTIME is a number with us, ms, s, m or h; a bare number is seconds."
                             " SIZE is a\nnumber of bytes, or one with k, M or G.\n"
                             "\nExit status: 0 all good, 1 a request failed (with --fail-if: a "
                             "condition holds),\n2 nothing was run, 3 the run is not trustworthy, "
                             "130 interrupted.\n"));
}
