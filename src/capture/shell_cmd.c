/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One command as cmd.exe takes it, in two passes as on Windows: cmd.exe undoes its carets and finds
 * the end of the line, then the C runtime splits the rest into arguments. Browsers' copies are read
 * for what they mean, which is not always what cmd.exe would make of them: they double backslashes
 * that the runtime keeps, and their line breaks inside of a body get lost in the real shell.
 */
#include "lather/capture/shell_cmd.h"

struct reading {
    struct shell *shell;
    struct shell_command *command;
    struct str text;
    size_t at;
    bool in_quotes;  /* for cmd.exe */
    struct buf line; /* what the runtime gets */
};

static char at(const struct reading *reading, size_t ahead)
{
    size_t place = reading->at + ahead;
    return place < reading->text.len ? reading->text.data[place] : '\0';
}

/* Steps over a line end; false when there is none. */
static bool take_line_end(struct reading *reading)
{
    size_t len = at(reading, 0) == '\n'                             ? 1
                 : at(reading, 0) == '\r' && at(reading, 1) == '\n' ? 2
                                                                    : 0;
    reading->at += len;
    reading->shell->line += len > 0 ? 1 : 0;
    return len > 0;
}

/* A caret and line ends between two quotes: browsers wrote a body's line ends so. */
static void read_doubled_break(struct reading *reading)
{
    size_t count = 1;
    while (take_line_end(reading)) {
        count++;
    }
    for (size_t i = 0; i < count && at(reading, 0) == '"'; i++) {
        buf_append_byte(&reading->line, '\n');
    }
}

/* Behind a caret that escapes. */
static void read_escaped(struct reading *reading)
{
    if (take_line_end(reading)) {
        if (reading->shell->dialect == SHELL_CMD_DOUBLED &&
            str_ends_with(buf_view(&reading->line), STR("\""))) {
            read_doubled_break(reading);
        } else if (take_line_end(reading)) {
            buf_append_byte(&reading->line, '\n'); /* the first one continues, the second is text */
        }
    } else if (reading->at < reading->text.len) {
        buf_append_byte(&reading->line, at(reading, 0));
        reading->at++;
    }
}

/* "< file": the name goes to the command. What is behind ">" is skipped. */
static void read_redirection(struct reading *reading)
{
    bool is_input = at(reading, 0) == '<';
    while (at(reading, 0) == '<' || at(reading, 0) == '>' || at(reading, 0) == '&' ||
           at(reading, 0) == ' ') {
        reading->at++;
    }
    bool is_quoted = at(reading, 0) == '"';
    reading->at += is_quoted ? 1 : 0;
    while (reading->at < reading->text.len && at(reading, 0) != '\n' && at(reading, 0) != '\r' &&
           at(reading, 0) != (is_quoted ? '"' : ' ')) {
        if (is_input) {
            buf_append_byte(&reading->command->input_file, at(reading, 0));
        }
        reading->at++;
    }
    reading->at += is_quoted && at(reading, 0) == '"' ? 1 : 0;
}

/* One character of cmd.exe's pass; false when the command is over. */
static bool step(struct reading *reading)
{
    char byte = at(reading, 0);
    bool carets_everywhere = reading->shell->dialect == SHELL_CMD_CARETS;
    if (byte == '^' && (carets_everywhere || !reading->in_quotes)) {
        reading->at++;
        read_escaped(reading);
        return true;
    }
    if (byte == '"') {
        reading->in_quotes = !reading->in_quotes;
    } else if (!reading->in_quotes) {
        if (byte == '\n' || byte == '\r' || byte == '&' || byte == '|') {
            reading->shell->next_is_piped = byte == '|' && at(reading, 1) != '|';
            reading->at += !take_line_end(reading);
            reading->at += byte == at(reading, 0) && (byte == '&' || byte == '|');
            return false;
        }
        if (byte == '<' || byte == '>') {
            read_redirection(reading);
            return true;
        }
    }
    reading->shell->line += byte == '\n' ? 1 : 0;
    buf_append_byte(&reading->line, byte);
    reading->at++;
    return true;
}

/* The runtime's pass. */
struct splitting {
    struct shell_command *command;
    struct str line;
    size_t at;
    bool undoubles; /* pairs of backslashes are one, wherever they stand */
    bool in_quotes;
    struct buf *word; /* NULL: between words */
};

static char byte_at(const struct splitting *splitting, size_t ahead)
{
    size_t place = splitting->at + ahead;
    return place < splitting->line.len ? splitting->line.data[place] : '\0';
}

static void put(struct splitting *splitting, char byte, size_t times)
{
    for (size_t i = 0; i < times && splitting->word != NULL; i++) {
        buf_append_byte(splitting->word, byte);
    }
}

/* A run of backslashes, and the quote behind it when it is escaped. */
static void split_backslashes(struct splitting *splitting)
{
    size_t run = 0;
    while (byte_at(splitting, run) == '\\') {
        run++;
    }
    splitting->at += run;
    bool is_before_quote = byte_at(splitting, 0) == '"';
    bool halves = is_before_quote || splitting->undoubles;
    put(splitting, '\\', halves ? run / 2 : run);
    if (halves && run % 2 == 1) {
        put(splitting, is_before_quote ? '"' : '\\', 1);
        splitting->at += is_before_quote ? 1 : 0;
    }
}

static void split_quote(struct splitting *splitting)
{
    if (splitting->in_quotes && byte_at(splitting, 1) == '"') {
        put(splitting, '"', 1);
        splitting->at += 2;
        return;
    }
    splitting->in_quotes = !splitting->in_quotes;
    splitting->at++;
}

static void split(struct splitting *splitting)
{
    while (splitting->at < splitting->line.len && !splitting->command->is_cut) {
        char byte = byte_at(splitting, 0);
        if ((byte == ' ' || byte == '\t') && !splitting->in_quotes) {
            splitting->word = NULL;
            splitting->at++;
            continue;
        }
        if (splitting->word == NULL) {
            splitting->word = shell_command_add(splitting->command);
        }
        if (byte == '\\') {
            split_backslashes(splitting);
        } else if (byte == '"') {
            split_quote(splitting);
        } else {
            put(splitting, byte, 1);
            splitting->at++;
        }
    }
    splitting->command->is_cut |= splitting->in_quotes;
}

void shell_cmd_read(struct shell *shell, struct shell_command *command)
{
    struct reading reading = {.shell = shell, .command = command, .text = shell->rest};
    while (reading.at < reading.text.len && step(&reading)) {
    }
    struct splitting splitting = {
        .command = command,
        .line = buf_view(&reading.line),
        .undoubles = shell->dialect != SHELL_CMD,
    };
    split(&splitting);
    shell->rest = str_slice(reading.text, reading.at, reading.text.len);
    buf_deinit(&reading.line);
}
