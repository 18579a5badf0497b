/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Options from a file beside the message. Each line goes through the parser of the command line by
 * itself, so that bounds and sentences are the same and the line is known. The trap: no shell has
 * been over it, so quotes around a value are part of it; for an expression that would be a constant
 * that is always true, and is refused.
 */
#include "lather/cli/expect_file.h"

#include <stdlib.h>
#include <string.h>

#include "lather/base/buf.h"
#include "lather/base/file.h"
#include "lather/base/http_head.h"
#include "lather/cli/line_reader.h"

enum { FILE_CEILING = 1 << 20, QUOTED_BYTES = 60 };

/* What a line may ask. All else is about the whole run. */
static const enum option taken[] = {
    OPTION_CONTENT_TYPE,  OPTION_SOAP_ACTION, OPTION_HEADER,       OPTION_VALIDATE,
    OPTION_EXPECT_STATUS, OPTION_ONE_WAY,     OPTION_EXPECT_FAULT, OPTION_EXPECT_XPATH,
    OPTION_NAMESPACE,     OPTION_EXPECT_TEXT, OPTION_REJECT_TEXT,  OPTION_XSD,
    OPTION_WSDL,          OPTION_GOLDEN,      OPTION_IGNORE,       OPTION_MAX_TIME,
};
enum { TAKEN_COUNT = sizeof taken / sizeof *taken };

static bool is_taken(enum option option)
{
    for (size_t i = 0; i < TAKEN_COUNT; i++) {
        if (taken[i] == option) {
            return true;
        }
    }
    return false;
}

static bool names_file(enum option option)
{
    return option == OPTION_XSD || option == OPTION_WSDL || option == OPTION_GOLDEN;
}

static bool is_quoted(struct str value)
{
    return value.len > 1 && (value.data[0] == '"' || value.data[0] == '\'') &&
           value.data[0] == value.data[value.len - 1];
}

/* "--name value" or "--name=value". */
static void split_line(struct str line, struct str *name, struct str *value)
{
    size_t at = 0;
    while (at < line.len && line.data[at] != ' ' && line.data[at] != '\t' && line.data[at] != '=') {
        at++;
    }
    *name = str_slice(line, 0, at);
    *value = str_slice(line, at, line.len);
    if (str_starts_with(*value, STR("="))) {
        *value = str_slice(*value, 1, value->len);
    }
    *value = str_trim(*value);
}

static bool check_line(struct str name, struct str value, const struct option_row **row,
                       struct err *err)
{
    if (!str_starts_with(name, STR("--"))) {
        return err_set(err, ERR_USAGE,
                       "\"%.*s\" is no option: write one a line with its long name, as "
                       "--expect-fault Sender, and # before remarks",
                       STR_ARG(str_slice(name, 0, QUOTED_BYTES)));
    }
    *row = option_table_find_name(COMMAND_RUN, str_slice(name, 2, name.len));
    if (*row == NULL) {
        return true; /* the parser knows the nearest */
    }
    if (!is_taken((*row)->option)) {
        return err_set(err, ERR_USAGE,
                       "--%s is about the whole run, not about one message: give it on the command "
                       "line",
                       (*row)->name);
    }
    if ((*row)->option == OPTION_EXPECT_XPATH && is_quoted(value)) {
        return err_set(err, ERR_USAGE,
                       "--expect-xpath: an expression in quotes is a text, which is always true: "
                       "leave the quotes out, no shell reads this line");
    }
    struct str field;
    struct str text;
    return (*row)->option != OPTION_HEADER || http_head_parse_field(value, &field, &text, err) ||
           err_prefix(err, "--header");
}

static char *make_word(struct str name, struct str value, const struct option_row *row,
                       const char *folder)
{
    const bool is_path = row != NULL && names_file(row->option) && value.len > 0;
    char *path = is_path ? file_beside(folder, value) : NULL;
    struct buf word;
    buf_init(&word);
    buf_append_str(&word, name);
    if (value.len > 0) {
        buf_append_byte(&word, '=');
        buf_append_str(&word, is_path ? str_from(path) : value);
    }
    char *made = str_dup(buf_view(&word));
    buf_deinit(&word);
    free(path);
    return made;
}

static bool take_line(struct expect_file *file, struct str line, size_t number, const char *folder,
                      struct err *err)
{
    struct str name;
    struct str value;
    const struct option_row *row = NULL;
    split_line(line, &name, &value);
    if (!check_line(name, value, &row, err)) {
        return false;
    }
    file->words = check_realloc(file->words, (file->count + 1) * sizeof *file->words);
    file->lines = check_realloc(file->lines, (file->count + 1) * sizeof *file->lines);
    file->words[file->count] = make_word(name, value, row, folder);
    file->lines[file->count] = number;
    const char *const word = file->words[file->count++];
    return options_parse(&file->options, COMMAND_RUN, 1, &word, err);
}

bool expect_file_parse(struct expect_file *file, struct str text, const char *name,
                       const char *folder, struct err *err)
{
    *file = (struct expect_file){.name = str_dup(str_from(name))};
    options_init(&file->options);
    struct line_reader reader;
    line_reader_begin(&reader, text, name);
    while (line_reader_next(&reader)) {
        if (!take_line(file, str_trim(reader.line), reader.number, folder, err)) {
            (void)line_reader_blame(&reader, err);
            expect_file_deinit(file);
            return false;
        }
    }
    return true;
}

bool expect_file_read(struct expect_file *file, const char *path, struct err *err)
{
    struct buf text;
    *file = (struct expect_file){.name = NULL};
    buf_init(&text);
    char *folder = file_folder(path);
    const bool is_read = file_read(path, FILE_CEILING, &text, err) &&
                         expect_file_parse(file, buf_view(&text), path, folder, err);
    free(folder);
    buf_deinit(&text);
    return is_read;
}

void expect_file_deinit(struct expect_file *file)
{
    if (file->name != NULL) {
        options_deinit(&file->options);
    }
    for (size_t i = 0; i < file->count; i++) {
        free(file->words[i]);
    }
    free(file->words);
    free(file->lines);
    free(file->name);
    *file = (struct expect_file){.name = NULL};
}

bool expect_file_has_any(const struct expect_file *file)
{
    return file->count > 0;
}

/* --- over other options ---------------------------------------------------------------------- */

static bool is_list(enum option option)
{
    return option_table_row(option)->rule.kind == OPTION_KIND_LIST;
}

/*
 * What cannot be together is not taken from both: the file's puts the other one out. Where the file
 * itself has both they stay, to be refused.
 */
static void forget_opposite(struct options *laid, const struct expect_file *file,
                            enum option option)
{
    static const enum option opposites[][2] = {
        {OPTION_XSD, OPTION_WSDL},
        {OPTION_ONE_WAY, OPTION_EXPECT_FAULT},
        {OPTION_ONE_WAY, OPTION_EXPECT_XPATH},
        {OPTION_ONE_WAY, OPTION_EXPECT_TEXT},
        {OPTION_ONE_WAY, OPTION_REJECT_TEXT},
        {OPTION_ONE_WAY, OPTION_XSD},
        {OPTION_ONE_WAY, OPTION_WSDL},
        {OPTION_ONE_WAY, OPTION_GOLDEN},
        {OPTION_ONE_WAY, OPTION_IGNORE},
    };
    for (size_t i = 0; i < sizeof opposites / sizeof *opposites; i++) {
        for (size_t k = 0; k < 2; k++) {
            const enum option other = opposites[i][1 - k];
            if (opposites[i][k] == option && !file->options.values[other].is_given) {
                laid->values[other] = (struct option_value){.is_given = false};
            }
        }
    }
}

static void join_lists(struct option_value *laid, const struct option_value *more)
{
    const char **texts = check_malloc((laid->count + more->count) * sizeof *texts);
    if (laid->count > 0) {
        memcpy(texts, laid->texts, laid->count * sizeof *texts);
    }
    memcpy(texts + laid->count, more->texts, more->count * sizeof *texts);
    *laid = (struct option_value){
        .is_given = true, .text = more->text, .texts = texts, .count = laid->count + more->count};
}

void expect_file_lay(const struct expect_file *file, const struct options *base,
                     struct options *laid)
{
    *laid = *base;
    for (size_t i = 0; i < TAKEN_COUNT; i++) {
        const enum option option = taken[i];
        const struct option_value *value = &file->options.values[option];
        if (!value->is_given) {
            continue;
        }
        forget_opposite(laid, file, option);
        if (is_list(option)) {
            join_lists(&laid->values[option], value);
        } else {
            laid->values[option] = *value;
        }
    }
}

void expect_file_drop(const struct options *base, struct options *laid)
{
    for (size_t i = 0; i < TAKEN_COUNT; i++) {
        const enum option option = taken[i];
        if (is_list(option) && laid->values[option].texts != base->values[option].texts) {
            free((void *)laid->values[option].texts);
        }
    }
}

bool expect_file_blame(const struct expect_file *file,
                       bool (*is_wrong)(void *context, const struct options *line), void *context,
                       struct err *err)
{
    size_t culprit = 0;
    for (size_t i = 0; i < file->count && culprit == 0; i++) {
        struct options line;
        struct err ignored;
        const char *const word = file->words[i];
        options_init(&line);
        if (!options_parse(&line, COMMAND_RUN, 1, &word, &ignored) || is_wrong(context, &line)) {
            culprit = file->lines[i];
        }
        options_deinit(&line);
    }
    char place[LINE_READER_PLACE_SIZE];
    return err_prefix(err, line_reader_place(file->name, culprit, place));
}
