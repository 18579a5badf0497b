/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One command in bash's quoting (POSIX shell 2.2, bash manual 3.1.2.4): as browsers copy it and as
 * people write it in scripts. Redirections of input are kept, as the body may come from there;
 * those of output and what follows a pipe are of no interest. Patterns and expansions stay literal.
 */
#include "lather/capture/shell_bash.h"

#include <stdint.h>
#include <string.h>

#include "lather/base/utf8.h"

/* What the next word is for. */
enum word_use { USE_ARGUMENT = 0, USE_INPUT_FILE, USE_HERE_END, USE_HERE_STRING, USE_NOTHING };

struct reading {
    struct shell *shell;
    struct shell_command *command;
    struct str text;
    size_t at;
    struct buf word;
    bool in_word;       /* "" is a word as well */
    bool word_is_plain; /* nothing of it was quoted */
    enum word_use use;
    struct buf here_end;
    bool waits_for_here;
    bool here_strips_tabs;
};

static char at(const struct reading *reading, size_t ahead)
{
    size_t place = reading->at + ahead;
    return place < reading->text.len ? reading->text.data[place] : '\0';
}

static bool is_over(const struct reading *reading)
{
    return reading->at >= reading->text.len;
}

static void put(struct reading *reading, char byte)
{
    buf_append_byte(&reading->word, byte);
    reading->in_word = true;
}

static void count_lines(struct reading *reading, size_t from)
{
    for (size_t i = from; i < reading->at && i < reading->text.len; i++) {
        reading->shell->line += reading->text.data[i] == '\n' ? 1 : 0;
    }
}

static void end_word(struct reading *reading)
{
    if (!reading->in_word) {
        return;
    }
    struct str word = buf_view(&reading->word);
    struct buf *target = NULL;
    switch (reading->use) {
    case USE_ARGUMENT:
        target = shell_command_add(reading->command);
        break;
    case USE_INPUT_FILE:
        target = &reading->command->input_file;
        break;
    case USE_HERE_END:
        target = &reading->here_end;
        reading->waits_for_here = true;
        break;
    case USE_HERE_STRING:
        target = &reading->command->input;
        reading->command->has_input = true;
        break;
    default:
        break;
    }
    if (target != NULL) {
        buf_reset(target);
        buf_append_str(target, word);
        if (reading->use == USE_HERE_STRING) {
            buf_append_byte(target, '\n');
        }
    }
    buf_reset(&reading->word);
    reading->in_word = false;
    reading->use = USE_ARGUMENT;
}

/* The length of the line end at a backslash's back, 0 for none. */
static size_t line_end(const struct reading *reading, size_t ahead)
{
    if (at(reading, ahead) == '\n') {
        return 1;
    }
    return at(reading, ahead) == '\r' && at(reading, ahead + 1) == '\n' ? 2 : 0;
}

static void read_single_quotes(struct reading *reading)
{
    struct str rest = str_slice(reading->text, reading->at + 1, reading->text.len);
    size_t len = str_find_byte(rest, '\'');
    reading->command->is_cut |= len == SIZE_MAX;
    buf_append_str(&reading->word, str_slice(rest, 0, len));
    reading->at = len == SIZE_MAX ? reading->text.len : reading->at + len + 2;
}

static void read_double_quotes(struct reading *reading)
{
    reading->at++;
    while (!is_over(reading) && at(reading, 0) != '"') {
        char byte = at(reading, 0);
        if (byte == '\\' && line_end(reading, 1) > 0) {
            reading->at += 1 + line_end(reading, 1);
            continue;
        }
        if (byte == '\\' && at(reading, 1) != '\0' && strchr("$`\"\\", at(reading, 1)) != NULL) {
            reading->at++;
            byte = at(reading, 0);
        } else if (byte == '$' || byte == '`') {
            reading->command->has_expansion = true;
        }
        buf_append_byte(&reading->word, byte);
        reading->at++;
    }
    reading->command->is_cut |= is_over(reading);
    reading->at++;
}

static int digit_value(char byte, unsigned base)
{
    int value = str_hex_value(byte);
    return value < (int)base ? value : -1;
}

/* Up to `most` digits behind the cursor; returns how many there are. */
static size_t read_digits(struct reading *reading, unsigned base, size_t most, uint32_t *value)
{
    size_t count = 0;
    *value = 0;
    while (count < most && digit_value(at(reading, 0), base) >= 0) {
        *value = *value * base + (uint32_t)digit_value(at(reading, 0), base);
        reading->at++;
        count++;
    }
    return count;
}

/* A character beyond U+FFFF may be written as two halves, as in JavaScript. */
static uint32_t with_low_half(struct reading *reading, uint32_t high)
{
    size_t before = reading->at;
    uint32_t low = 0;
    if (high < 0xD800 || high > 0xDBFF || at(reading, 0) != '\\' || at(reading, 1) != 'u') {
        return high;
    }
    reading->at += 2;
    if (read_digits(reading, 16, 4, &low) == 4 && low >= 0xDC00 && low <= 0xDFFF) {
        return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
    }
    reading->at = before;
    return high;
}

/* \xHH and \NNN give a byte, \uHHHH and \UHHHHHHHH a character. */
static void read_numeric_escape(struct reading *reading, char kind)
{
    uint32_t value = 0;
    bool is_octal = kind >= '0' && kind <= '7';
    size_t most = is_octal ? 3 : kind == 'x' ? 2 : kind == 'u' ? 4 : 8;
    reading->at += is_octal ? 0 : 1;
    if (read_digits(reading, is_octal ? 8 : 16, most, &value) == 0) {
        buf_append_byte(&reading->word, '\\');
        buf_append_byte(&reading->word, kind);
    } else if (is_octal || kind == 'x') {
        buf_append_byte(&reading->word, (char)(unsigned char)value);
    } else {
        char character[UTF8_MOST_BYTES];
        value = with_low_half(reading, value);
        buf_append(&reading->word, character,
                   utf8_put(character, value > 0x10FFFF ? 0xFFFD : value));
    }
}

static void read_escape(struct reading *reading)
{
    static const char letters[] = "abefnrtv\\'\"?E";
    static const char meanings[] = "\a\b\033\f\n\r\t\v\\'\"?\033";
    char kind = at(reading, 0);
    const char *letter = kind == '\0' ? NULL : strchr(letters, kind);
    if (letter != NULL) {
        buf_append_byte(&reading->word, meanings[letter - letters]);
        reading->at++;
    } else if (kind == 'x' || kind == 'u' || kind == 'U' || (kind >= '0' && kind <= '7')) {
        read_numeric_escape(reading, kind);
    } else {
        buf_append_byte(&reading->word, '\\');
    }
}

/* $'...' */
static void read_ansi_quotes(struct reading *reading)
{
    reading->at += 2;
    while (!is_over(reading) && at(reading, 0) != '\'') {
        if (at(reading, 0) == '\\') {
            reading->at++;
            read_escape(reading);
        } else {
            buf_append_byte(&reading->word, at(reading, 0));
            reading->at++;
        }
    }
    reading->command->is_cut |= is_over(reading);
    reading->at++;
}

/* Text that is quoted, or one character of the word. */
static void read_word_part(struct reading *reading)
{
    char byte = at(reading, 0);
    size_t from = reading->at;
    reading->word_is_plain = (reading->in_word ? reading->word_is_plain : true) && byte != '\'' &&
                             byte != '"' && byte != '\\' && byte != '$';
    reading->in_word = true;
    if (byte == '\'') {
        read_single_quotes(reading);
    } else if (byte == '"') {
        read_double_quotes(reading);
    } else if (byte == '$' && at(reading, 1) == '\'') {
        read_ansi_quotes(reading);
    } else if (byte == '$' && at(reading, 1) == '"') {
        reading->at++; /* a translated string: the quotes follow */
    } else if (byte == '\\' && reading->at + 1 < reading->text.len) {
        put(reading, at(reading, 1));
        reading->at += 2;
    } else {
        reading->command->has_expansion |= byte == '$' || byte == '`';
        put(reading, byte);
        reading->at++;
    }
    count_lines(reading, from);
}

static bool word_is_number(const struct reading *reading)
{
    uint64_t number = 0;
    return reading->in_word && reading->word_is_plain &&
           str_to_u64(buf_view(&reading->word), &number);
}

/* "<", "<<", "<<<", ">", ">>", "2>&1" */
static void read_redirection(struct reading *reading)
{
    bool is_input = at(reading, 0) == '<';
    if (word_is_number(reading)) {
        reading->use = USE_NOTHING; /* the descriptor */
    }
    end_word(reading);
    size_t arrows = 0;
    while (at(reading, 0) == (is_input ? '<' : '>') && arrows < 3) {
        arrows++;
        reading->at++;
    }
    reading->here_strips_tabs = at(reading, 0) == '-';
    if (at(reading, 0) == '&' || at(reading, 0) == '-' || at(reading, 0) == '|') {
        reading->at++;
    }
    reading->use = !is_input     ? USE_NOTHING
                   : arrows == 1 ? USE_INPUT_FILE
                   : arrows == 2 ? USE_HERE_END
                                 : USE_HERE_STRING;
}

/* The lines up to the one that is the end word alone. */
static void read_here_document(struct reading *reading)
{
    struct str end = buf_view(&reading->here_end);
    struct str rest = str_slice(reading->text, reading->at, reading->text.len);
    buf_reset(&reading->command->input);
    reading->command->has_input = true;
    while (rest.len > 0) {
        size_t len = str_find_byte(rest, '\n');
        struct str line = str_slice(rest, 0, len);
        size_t taken = len == SIZE_MAX ? rest.len : len + 1;
        reading->at += taken;
        reading->shell->line += len == SIZE_MAX ? 0 : 1;
        if (str_equals(str_trim(line), end)) {
            return;
        }
        struct str kept = str_slice(rest, 0, taken);
        while (reading->here_strips_tabs && str_starts_with(kept, STR("\t"))) {
            kept = str_slice(kept, 1, kept.len);
        }
        buf_append_str(&reading->command->input, kept);
        rest = str_slice(rest, taken, rest.len);
    }
    reading->command->is_cut = true;
}

/* What ends a command: true when `byte` did. */
static bool ends_command(struct reading *reading, char byte)
{
    if (byte == '\n') {
        reading->at++;
        reading->shell->line++;
        end_word(reading);
        if (reading->waits_for_here) {
            read_here_document(reading);
        }
        return true;
    }
    if (byte == ';' || byte == '&' || byte == '|' || byte == '(' || byte == ')') {
        reading->at++;
        end_word(reading);
        bool is_double = at(reading, 0) == byte;
        reading->at += is_double ? 1 : 0;
        reading->shell->next_is_piped = byte == '|' && !is_double;
        return true;
    }
    return false;
}

static void skip_comment(struct reading *reading)
{
    while (!is_over(reading) && at(reading, 0) != '\n') {
        reading->at++;
    }
}

/* One step; false when the command is over. */
static bool step(struct reading *reading)
{
    char byte = at(reading, 0);
    if (byte == '\\' && line_end(reading, 1) > 0) {
        reading->at += 1 + line_end(reading, 1);
        reading->shell->line++;
    } else if (byte == ' ' || byte == '\t' || byte == '\r') {
        end_word(reading);
        reading->at++;
    } else if (byte == '#' && !reading->in_word) {
        skip_comment(reading);
    } else if (byte == '<' || byte == '>') {
        read_redirection(reading);
    } else if (ends_command(reading, byte)) {
        return false;
    } else {
        read_word_part(reading);
    }
    return true;
}

void shell_bash_read(struct shell *shell, struct shell_command *command)
{
    struct reading reading = {.shell = shell, .command = command, .text = shell->rest};
    while (!is_over(&reading) && step(&reading)) {
    }
    end_word(&reading);
    shell->rest = str_slice(reading.text, reading.at, reading.text.len);
    buf_deinit(&reading.word);
    buf_deinit(&reading.here_end);
}
