/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Standard output and standard error. Results go to the one, everything else to the other, so that
 * `lather ... > report.txt` holds the report alone. Bytes go out as they are, whatever the locale;
 * control characters in sentences (they may quote what a user typed) become blanks.
 */
#include "lather/cli/console.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static void print_line(const char *prefix, struct str sentence)
{
    struct buf line;
    buf_init(&line);
    buf_append_str(&line, str_from(prefix));
    for (size_t i = 0; i < sentence.len; i++) {
        bool is_control = (unsigned char)sentence.data[i] < ' ' || sentence.data[i] == 0x7F;
        buf_append_byte(&line, is_control ? ' ' : sentence.data[i]);
    }
    buf_append_byte(&line, '\n');
    (void)fwrite(line.data, 1, line.len, stderr);
    (void)fflush(stderr);
    buf_deinit(&line);
}

void console_error(const struct err *err)
{
    print_line("lather: ", str_from(err->text));
}

void console_notes(const struct buf *notes)
{
    struct str rest = buf_view(notes);
    while (rest.len > 0) {
        struct str line;
        (void)str_split(rest, '\n', &line, &rest);
        print_line("lather: note: ", line);
    }
}

bool console_print(const struct buf *text, struct err *err)
{
    errno = 0;
    bool is_written = fwrite(text->data, 1, text->len, stdout) == text->len && fflush(stdout) == 0;
    if (!is_written || ferror(stdout) != 0) {
        return err_set(err, ERR_FILE, "cannot write to standard output: %s",
                       errno == 0 ? "input/output error" : strerror(errno));
    }
    return true;
}
