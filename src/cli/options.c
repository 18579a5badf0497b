/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From argv to values, by the rules of getopt_long and the bounds of the option table. It knows
 * kinds, not options: what a value means is decided where the plan is made. Nothing is guessed: an
 * abbreviated long name is an error that names the whole one.
 */
#include "lather/cli/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lather/cli/paste.h"

/* What is read, and where in it we are. */
struct reader {
    struct options *options;
    enum command command;
    int argc;
    const char *const *argv;
    int next;      /* the next word */
    bool is_ended; /* "--help" or "--version" was met */
};

enum { QUOTED_BYTES = 60, SPELLING_SIZE = 40 };

/* An option as it was typed: "-n" or "--requests", for sentences. */
struct spelling {
    char text[SPELLING_SIZE];
};

void options_init(struct options *options)
{
    *options = (struct options){0};
}

void options_deinit(struct options *options)
{
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        free(options->values[i].texts);
    }
    free(options->arguments);
    options_init(options);
}

bool options_has(const struct options *options, enum option option)
{
    return options->values[option].is_given;
}

uint64_t options_number(const struct options *options, enum option option, uint64_t fallback)
{
    return options_has(options, option) ? options->values[option].number : fallback;
}

const char *options_text(const struct options *options, enum option option)
{
    return options->values[option].text;
}

static void append(const char ***texts, size_t *count, const char *text)
{
    *texts = check_realloc(*texts, (*count + 1) * sizeof **texts);
    (*texts)[(*count)++] = text;
}

static struct str quoted(struct str text)
{
    return str_slice(text, 0, QUOTED_BYTES);
}

/* Stores one given option; text is NULL for a flag. */
static bool take(struct reader *reader, const struct option_row *row,
                 const struct spelling *spelling, const char *text, struct err *err)
{
    struct option_value *value = &reader->options->values[row->option];
    if (!paste_check_value(spelling->text, str_from(text), err)) {
        return false;
    }
    if (!option_rule_read(&row->rule, str_from(text), &value->number, err)) {
        return err_prefix(err, spelling->text);
    }
    value->is_given = true;
    value->text = text;
    if (text == NULL) {
        value->count++;
    } else {
        append(&value->texts, &value->count, text);
    }
    reader->is_ended = row->option == OPTION_HELP || row->option == OPTION_VERSION;
    return true;
}

/* The next word as the value of an option that wants one. */
static bool take_with_next_word(struct reader *reader, const struct option_row *row,
                                const struct spelling *spelling, struct err *err)
{
    if (reader->next == reader->argc) {
        return err_set(err, ERR_USAGE, "%s needs a value: %s %s", spelling->text, spelling->text,
                       row->rule.argument);
    }
    return take(reader, row, spelling, reader->argv[reader->next++], err);
}

/* The first command that has such an option; COMMAND_COUNT when none has. */
static enum command command_with_name(struct str name)
{
    enum command command = 0;
    while (command < COMMAND_COUNT && option_table_find_name(command, name) == NULL) {
        command++;
    }
    return command;
}

static enum command command_with_letter(char letter)
{
    enum command command = 0;
    while (command < COMMAND_COUNT && option_table_find_letter(command, letter) == NULL) {
        command++;
    }
    return command;
}

/* Names what was most likely meant; `elsewhere` is a command that has such an option, or none. */
static bool fail_unknown(enum command command, struct str typed, const struct option_row *near,
                         enum command elsewhere, struct err *err)
{
    bool is_begun = near != NULL && typed.len > strlen("--") &&
                    str_starts_with(str_from(near->name), str_slice(typed, 2, SIZE_MAX));
    if (elsewhere != COMMAND_COUNT && !is_begun) {
        return err_set(err, ERR_USAGE, "%.*s is an option of `lather %s`, not of `lather %s`",
                       STR_ARG(quoted(typed)), command_table_row(elsewhere)->word,
                       command_table_row(command)->word);
    }
    if (near != NULL) {
        return err_set(err, ERR_USAGE, "unknown option %.*s: did you mean --%s%s%.1s (%s)?",
                       STR_ARG(quoted(typed)), near->name, near->letter == 0 ? "" : " or -",
                       near->letter == 0 ? "" : &near->letter, near->help);
    }
    return err_set(err, ERR_USAGE, "unknown option %.*s: `lather --help` lists the options",
                   STR_ARG(quoted(typed)));
}

static bool read_long(struct reader *reader, const char *word, struct err *err)
{
    struct str name;
    struct str rest;
    bool has_value = str_split(str_slice(str_from(word), 2, SIZE_MAX), '=', &name, &rest);
    const struct option_row *row = option_table_find_name(reader->command, name);
    struct str typed = str_of(word, 2 + name.len);
    if (row == NULL) {
        return fail_unknown(reader->command, typed, option_table_nearest(reader->command, name),
                            command_with_name(name), err);
    }
    struct spelling spelling;
    (void)snprintf(spelling.text, sizeof spelling.text, "--%s", row->name);
    if (row->rule.kind == OPTION_KIND_FLAG) {
        return has_value ? err_set(err, ERR_USAGE, "%s takes no value: leave out \"=%.*s\"",
                                   spelling.text, STR_ARG(quoted(rest)))
                         : take(reader, row, &spelling, NULL, err);
    }
    if (row->rule.kind == OPTION_KIND_OPTIONAL && !has_value) {
        return take(reader, row, &spelling, "", err);
    }
    /* rest ends where the word does, so it is a NUL-ended string of its own. */
    return has_value ? take(reader, row, &spelling, rest.data, err)
                     : take_with_next_word(reader, row, &spelling, err);
}

static char other_case(char letter)
{
    bool is_letter = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
    return is_letter ? (char)(letter ^ 0x20) : '\0';
}

/* "-requests" would be -r and -e "quests": surely meant as a long name. */
static bool check_single_dash(struct reader *reader, const char *word, struct err *err)
{
    struct str name;
    struct str rest;
    (void)str_split(str_from(word + 1), '=', &name, &rest);
    const struct option_row *row = option_table_find_name(reader->command, name);
    return row == NULL || err_set(err, ERR_USAGE, "%.*s: long names have two dashes: --%s",
                                  STR_ARG(quoted(str_from(word))), row->name);
}

/* A word of letters behind one dash: flags, and at most one option with a value, which ends it. */
static bool read_letters(struct reader *reader, const char *word, struct err *err)
{
    if (!check_single_dash(reader, word, err)) {
        return false;
    }
    for (const char *at = word + 1; *at != '\0' && !reader->is_ended; at++) {
        struct spelling spelling = {{'-', *at, '\0'}};
        const struct option_row *row = option_table_find_letter(reader->command, *at);
        if (row == NULL) {
            return fail_unknown(reader->command, str_from(spelling.text),
                                option_table_find_letter(reader->command, other_case(*at)),
                                command_with_letter(*at), err);
        }
        if (row->rule.kind != OPTION_KIND_FLAG) {
            return at[1] != '\0' ? take(reader, row, &spelling, at + 1, err)
                                 : take_with_next_word(reader, row, &spelling, err);
        }
        if (!take(reader, row, &spelling, NULL, err)) {
            return false;
        }
    }
    return true;
}

bool options_parse(struct options *options, enum command command, int argc, const char *const *argv,
                   struct err *err)
{
    struct reader reader = {.options = options, .command = command, .argc = argc, .argv = argv};
    bool only_arguments = false;
    while (reader.next < argc && !reader.is_ended) {
        const char *word = argv[reader.next++];
        struct str view = str_from(word);
        bool is_good = true;
        if (only_arguments || view.len < 2 || word[0] != '-') {
            is_good = paste_check_word(view, err);
            append(&options->arguments, &options->argument_count, word);
        } else if (str_equals(view, STR("--"))) {
            only_arguments = true;
        } else if (word[1] == '-') {
            is_good = read_long(&reader, word, err);
        } else {
            is_good = read_letters(&reader, word, err);
        }
        if (!is_good) {
            return false;
        }
    }
    return true;
}
