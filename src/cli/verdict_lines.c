/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Expectations written down beside a message. Each line becomes one word of a command line and is
 * read by the same parser, so that names, bounds and sentences are the same. There is no shell
 * here: quotes in a line are a part of its value.
 */
#include "lather/cli/verdict_lines.h"

#include <stdlib.h>

#include "lather/base/buf.h"
#include "lather/cli/line_reader.h"

/* The command whose options are about single answers. */
static const enum command COMMAND_OF_LINES = COMMAND_JUDGE;

void verdict_lines_init(struct verdict_lines *lines)
{
    *lines = (struct verdict_lines){.count = 0};
    options_init(&lines->options);
}

void verdict_lines_deinit(struct verdict_lines *lines)
{
    options_deinit(&lines->options);
    for (size_t i = 0; i < lines->count; i++) {
        free(lines->words[i]);
    }
    free(lines->words);
    *lines = (struct verdict_lines){.count = 0};
}

/* Takes the word. */
static bool add_word(struct verdict_lines *lines, char *word, struct err *err)
{
    lines->words = check_realloc(lines->words, (lines->count + 1) * sizeof *lines->words);
    lines->words[lines->count++] = word;
    const char *const argv[] = {word};
    if (!options_parse(&lines->options, COMMAND_OF_LINES, 1, argv, err)) {
        return false;
    }
    if (lines->options.argument_count > 0 || options_has(&lines->options, OPTION_HELP) ||
        options_has(&lines->options, OPTION_VERSION) ||
        options_has(&lines->options, OPTION_JUDGE_REQUEST)) {
        return err_set(err, ERR_FORMAT,
                       "\"%.100s\" says nothing about an answer: write one option a line, as "
                       "--expect-text TEXT",
                       word);
    }
    return true;
}

/* "--name value" as "--name=value": the one form that every kind of option takes. */
static char *word_of(struct str line)
{
    struct str name;
    struct str value;
    struct buf word;
    buf_init(&word);
    const bool has_value = str_split(line, ' ', &name, &value);
    buf_append_str(&word, name);
    if (has_value && str_starts_with(name, STR("--")) && str_find_byte(name, '=') == SIZE_MAX) {
        buf_append_byte(&word, '=');
        buf_append_str(&word, value);
    } else if (has_value) {
        buf_append_byte(&word, ' ');
        buf_append_str(&word, value);
    }
    return buf_take(&word);
}

bool verdict_lines_add(struct verdict_lines *lines, struct str text, const char *name,
                       struct err *err)
{
    struct line_reader reader;
    line_reader_begin(&reader, text, name);
    while (line_reader_next(&reader)) {
        if (!add_word(lines, word_of(reader.line), err)) {
            return line_reader_blame(&reader, err);
        }
    }
    return true;
}

static void add_value(struct verdict_lines *lines, const struct option_row *row, const char *text)
{
    struct buf word;
    struct err err;
    buf_init(&word);
    buf_printf(&word, "--%s", row->name);
    if (text != NULL) {
        buf_printf(&word, "=%s", text);
    }
    CHECK(add_word(lines, buf_take(&word), &err)); /* it was read once already */
}

void verdict_lines_add_options(struct verdict_lines *lines, const struct options *options)
{
    for (enum option option = 0; option < OPTION_COUNT; option++) {
        const struct option_row *row = option_table_row(option);
        const struct option_value *value = &options->values[option];
        if (row->group != OPTION_GROUP_VERDICT || !value->is_given ||
            !option_table_has(COMMAND_OF_LINES, row)) {
            continue;
        }
        if (row->rule.kind == OPTION_KIND_FLAG || value->text == NULL) {
            add_value(lines, row, NULL);
            continue;
        }
        for (size_t i = 0; i < value->count; i++) {
            add_value(lines, row, value->texts[i]);
        }
    }
}
