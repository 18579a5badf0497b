/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chunked bodies in captures. Strict, because it also decides whether a body is chunked at all: an
 * XML body under "Transfer-Encoding: chunked" must be found to be plain. Line ends may have become
 * LF on the way through a clipboard.
 */
#include "lather/capture/transfer.h"

#include <stdint.h>

enum { SIZE_DIGITS_CEILING = 15 };

/* Takes a line without its line end off the front; false when none ends. */
static bool take_line(struct str *rest, struct str *line)
{
    size_t end = str_find_byte(*rest, '\n');
    if (end == SIZE_MAX) {
        return false;
    }
    *line = str_slice(*rest, 0, end);
    if (str_ends_with(*line, STR("\r"))) {
        line->len--;
    }
    *rest = str_slice(*rest, end + 1, rest->len);
    return true;
}

/* "1f;extension" */
static bool parse_size(struct str line, size_t *size)
{
    struct str digits;
    struct str extension;
    (void)str_split(line, ';', &digits, &extension);
    digits = str_trim(digits);
    if (digits.len == 0 || digits.len > SIZE_DIGITS_CEILING) {
        return false;
    }
    *size = 0;
    for (size_t i = 0; i < digits.len; i++) {
        int value = str_hex_value(digits.data[i]);
        if (value < 0) {
            return false;
        }
        *size = *size * 16 + (size_t)value;
    }
    return true;
}

/* Fields up to an empty line; the last line end may be lost. */
static bool skip_trailer(struct str *rest)
{
    struct str line;
    while (take_line(rest, &line)) {
        if (line.len == 0) {
            return true;
        }
        if (str_find_byte(line, ':') == SIZE_MAX) {
            return false;
        }
    }
    return rest->len == 0;
}

/* Steps over the framing; what the chunks hold is appended to out unless that is NULL. */
static bool walk_chunks(struct str bytes, struct buf *out, size_t *used)
{
    struct str rest = bytes;
    struct str line;
    size_t size = 0;
    while (take_line(&rest, &line) && parse_size(line, &size)) {
        if (size == 0) {
            *used = bytes.len;
            bool is_whole = skip_trailer(&rest);
            *used -= rest.len;
            return is_whole;
        }
        if (size > rest.len) {
            return false;
        }
        if (out != NULL) {
            buf_append_str(out, str_slice(rest, 0, size));
        }
        rest = str_slice(rest, size, rest.len);
        if (!take_line(&rest, &line) || line.len != 0) {
            return false;
        }
    }
    return false;
}

bool transfer_dechunk(struct str bytes, struct buf *out, size_t *used)
{
    /* Looked through first: bytes that are not chunked should not cost a copy. */
    return walk_chunks(bytes, NULL, used) && walk_chunks(bytes, out, used);
}
