/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Command lines as text: which shell they are quoted for, and one command after the other. Nothing
 * is executed, no variable and no pattern expanded; the words are what the program would get. The
 * dialect is told from the quotes, because the same text means different bytes in each of them.
 */
#include "lather/capture/shell.h"

#include <stdlib.h>

#include "lather/capture/shell_bash.h"
#include "lather/capture/shell_cmd.h"

enum { LEADING_WORDS_CEILING = 16 };

const char *shell_dialect_name(enum shell_dialect dialect)
{
    static const char *const names[SHELL_DIALECT_COUNT] = {
        [SHELL_BASH] = "bash",
        [SHELL_CMD] = "cmd",
        [SHELL_CMD_CARETS] = "cmd, with carets",
        [SHELL_CMD_DOUBLED] = "cmd, with doubled quotes",
    };
    return names[dialect];
}

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

/* Signs of the dialects in a text. */
struct signs {
    char first_quote;      /* ' or ", 0: none */
    bool first_is_careted; /* ^" */
    bool has_careted;
    bool has_doubled; /* a""b */
    bool has_backslash_end;
    bool has_caret_end;
};

static void look_at_quote(struct signs *signs, struct str text, size_t at)
{
    char before = at > 0 ? text.data[at - 1] : ' ';
    bool is_double = text.data[at] == '"';
    if (signs->first_quote == '\0') {
        signs->first_quote = text.data[at];
        signs->first_is_careted = is_double && before == '^';
    }
    signs->has_careted = signs->has_careted || (is_double && before == '^');
    bool is_pair = is_double && at + 2 < text.len && text.data[at + 1] == '"';
    signs->has_doubled = signs->has_doubled || (is_pair && !is_blank(before) && before != '\\' &&
                                                before != '^' && !is_blank(text.data[at + 2]));
}

static struct signs look(struct str text)
{
    struct signs signs = {.first_quote = '\0'};
    for (size_t i = 0; i < text.len; i++) {
        char byte = text.data[i];
        if (byte == '\'' || byte == '"') {
            look_at_quote(&signs, text, i);
        } else if (byte == '\\' || byte == '^') {
            size_t next = i + 1;
            next += next < text.len && text.data[next] == '\r' ? 1 : 0;
            bool ends_line =
                next < text.len && text.data[next] == '\n' && i > 0 && text.data[i - 1] == ' ';
            signs.has_backslash_end = signs.has_backslash_end || (ends_line && byte == '\\');
            signs.has_caret_end = signs.has_caret_end || (ends_line && byte == '^');
        }
    }
    return signs;
}

enum shell_dialect shell_dialect_of(struct str text)
{
    struct signs signs = look(text);
    if (signs.first_quote == '\'' || signs.has_backslash_end) {
        return SHELL_BASH;
    }
    if (signs.first_is_careted || (signs.has_careted && signs.has_caret_end)) {
        return SHELL_CMD_CARETS;
    }
    if (signs.has_doubled) {
        return SHELL_CMD_DOUBLED;
    }
    return signs.has_caret_end ? SHELL_CMD : SHELL_BASH;
}

struct str shell_program(struct str word)
{
    size_t start = word.len;
    while (start > 0 && word.data[start - 1] != '/' && word.data[start - 1] != '\\') {
        start--;
    }
    word = str_slice(word, start, word.len);
    if (word.len > 4 && str_equals_nocase(str_slice(word, word.len - 4, word.len), STR(".exe"))) {
        word.len -= 4;
    }
    return word;
}

/* "NAME=value", as it may stand before a program. */
static bool is_assignment(struct str word)
{
    struct str name;
    struct str value;
    if (!str_split(word, '=', &name, &value) || name.len == 0) {
        return false;
    }
    for (size_t i = 0; i < name.len; i++) {
        char byte = name.data[i];
        bool is_letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
        if (!is_letter && byte != '_' && (i == 0 || byte < '0' || byte > '9')) {
            return false;
        }
    }
    return true;
}

/* Whether a line of a script begins with that word. */
static bool has_line_with(struct str text, struct str program)
{
    struct str line;
    while (text.len > 0) {
        struct str word;
        struct str rest;
        (void)str_split(text, '\n', &line, &text);
        (void)str_split(str_trim(line), ' ', &word, &rest);
        if (str_equals_nocase(shell_program(word), program)) {
            return true;
        }
    }
    return false;
}

/* Looks at words up to their first blank only: a program's name has none. */
bool shell_begins_with(struct str text, struct str program)
{
    if (str_starts_with(text, STR("#!"))) {
        return has_line_with(text, program);
    }
    for (size_t words = 0; words < LEADING_WORDS_CEILING; words++) {
        text = str_trim(text);
        size_t len = 0;
        while (len < text.len && !is_blank(text.data[len])) {
            len++;
        }
        struct str word = str_slice(text, 0, len);
        if (str_starts_with(word, STR("#"))) {
            len = str_find_byte(text, '\n');
        } else if (str_equals_nocase(shell_program(word), program)) {
            return true;
        } else if (!str_equals(word, STR("$")) && !str_equals(word, STR(">")) &&
                   !is_assignment(word)) {
            return false;
        }
        text = str_slice(text, len, text.len);
    }
    return false;
}

void shell_begin(struct shell *shell, struct str text, enum shell_dialect dialect)
{
    *shell = (struct shell){.rest = text, .dialect = dialect, .line = 1};
}

struct buf *shell_command_add(struct shell_command *command)
{
    if (command->count == SHELL_WORDS_CEILING) {
        command->is_cut = true;
        return NULL;
    }
    if (command->count == command->capacity) {
        command->capacity = command->capacity == 0 ? 16 : command->capacity * 2;
        command->words =
            check_realloc(command->words, command->capacity * sizeof command->words[0]);
    }
    struct buf *word = &command->words[command->count++];
    buf_init(word);
    return word;
}

void shell_command_deinit(struct shell_command *command)
{
    for (size_t i = 0; i < command->count; i++) {
        buf_deinit(&command->words[i]);
    }
    free(command->words);
    buf_deinit(&command->input_file);
    buf_deinit(&command->input);
    *command = (struct shell_command){.words = NULL};
}

/* Blanks, empty lines and separators before a command. */
static void skip_to_command(struct shell *shell)
{
    while (shell->rest.len > 0 && (is_blank(shell->rest.data[0]) || shell->rest.data[0] == ';')) {
        shell->line += shell->rest.data[0] == '\n' ? 1 : 0;
        shell->rest = str_slice(shell->rest, 1, shell->rest.len);
    }
}

bool shell_next(struct shell *shell, struct shell_command *command)
{
    for (;;) {
        skip_to_command(shell);
        if (shell->rest.len == 0) {
            return false;
        }
        *command = (struct shell_command){.line = shell->line, .is_piped = shell->next_is_piped};
        shell->next_is_piped = false;
        size_t before = shell->rest.len;
        if (shell->dialect == SHELL_BASH) {
            shell_bash_read(shell, command);
        } else {
            shell_cmd_read(shell, command);
        }
        CHECK(shell->rest.len < before);
        if (command->count > 0) {
            return true;
        }
        shell_command_deinit(command); /* a comment */
    }
}
