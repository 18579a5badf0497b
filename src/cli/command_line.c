/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The command line as it is echoed in reports, which get attached to tickets: so no password may
 * be in it. It does not read options again: values were taken from inside the words, so a secret
 * one is found by its address.
 */
#include "lather/cli/command_line.h"

#include <string.h>

/* The secret value that begins inside the word, and its kind; NULL when there is none. */
static const char *find_secret(const struct options *options, const char *word,
                               enum option_secrecy *secrecy)
{
    for (enum option option = 0; option < OPTION_COUNT; option++) {
        const struct option_value *value = &options->values[option];
        *secrecy = option_table_row(option)->rule.secrecy;
        for (size_t i = 0; i < value->count && *secrecy != OPTION_OPEN; i++) {
            for (const char *at = word; *at != '\0'; at++) {
                if (at == value->texts[i]) {
                    return at;
                }
            }
        }
    }
    return NULL;
}

static bool field_is_secret(struct str name)
{
    static const char *const names[] = {"Authorization", "Proxy-Authorization", "Cookie"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (str_equals_nocase(name, str_from(names[i]))) {
            return true;
        }
    }
    return false;
}

/* Appends the value with what is secret about it replaced. */
static void append_masked(struct buf *word, struct str value, enum option_secrecy secrecy)
{
    struct str open;
    struct str secret;
    char separator = secrecy == OPTION_SECRET_COOKIE ? '=' : ':';
    bool has_separator = str_split(value, separator, &open, &secret);
    if (secrecy == OPTION_SECRET_FIELD && !field_is_secret(open)) {
        buf_append_str(word, value);
        return;
    }
    if (has_separator) {
        buf_append_str(word, open);
        buf_append_byte(word, separator);
    }
    buf_append_str(word, secrecy == OPTION_SECRET_FIELD ? STR(" ***") : STR("***"));
}

static bool is_plain(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') || (byte != '\0' && strchr("-_./:=,+@%", byte) != NULL);
}

/* Appends a word as sh reads it back: in single quotes unless every byte is plain. */
static void append_quoted(struct buf *text, struct str word)
{
    size_t plain = 0;
    while (plain < word.len && is_plain(word.data[plain])) {
        plain++;
    }
    if (plain == word.len && word.len > 0) {
        buf_append_str(text, word);
        return;
    }
    buf_append_byte(text, '\'');
    for (size_t i = 0; i < word.len; i++) {
        if (word.data[i] == '\'') {
            buf_append_str(text, STR("'\\''"));
        } else {
            buf_append_byte(text, word.data[i]);
        }
    }
    buf_append_byte(text, '\'');
}

void command_line_format(struct buf *text, const struct options *options, int argc,
                         const char *const *argv)
{
    struct buf word;
    buf_init(&word);
    buf_append_str(text, STR("lather"));
    for (int i = 0; i < argc; i++) {
        enum option_secrecy secrecy;
        const char *secret = find_secret(options, argv[i], &secrecy);
        buf_reset(&word);
        if (secret != NULL) {
            buf_append(&word, argv[i], (size_t)(secret - argv[i]));
            append_masked(&word, str_from(secret), secrecy);
        } else {
            buf_append_str(&word, str_from(argv[i]));
        }
        buf_append_byte(text, ' ');
        append_quoted(text, buf_view(&word));
    }
    buf_deinit(&word);
}
