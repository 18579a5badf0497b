/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each secret becomes up to four patterns of bytes, the longest first, as one secret may begin with
 * another. A table of first bytes keeps the search cheap in large bodies. It does not see a secret
 * in other encodings (base64 of a part, percent signs, compression: whoever saves an answer has to
 * undo that first).
 */
#include "lather/load/secret_mask.h"

#include <stdlib.h>
#include <string.h>

#include "lather/soap/reference.h"

/* How a secret's characters lie in the bytes. */
enum form { FORM_BYTES = 0, FORM_UTF16_LE, FORM_UTF16_BE, FORM_COUNT };

struct pattern {
    char *bytes;
    size_t len;
    enum form form;
    bool is_short; /* it must stand alone */
};

struct secret_mask {
    struct pattern *patterns; /* in falling order of length */
    size_t count;
    bool begins[256]; /* some pattern begins with this byte */
};

/* ASCII in UTF-16; other bytes are taken for characters of their own, as they are found nowhere. */
static void append_wide(struct buf *wide, struct str text, enum form form)
{
    for (size_t i = 0; i < text.len; i++) {
        if (form == FORM_UTF16_BE) {
            buf_append_byte(wide, '\0');
        }
        buf_append_byte(wide, text.data[i]);
        if (form == FORM_UTF16_LE) {
            buf_append_byte(wide, '\0');
        }
    }
}

static void add_pattern(struct secret_mask *mask, struct str text, enum form form)
{
    struct buf bytes;
    buf_init(&bytes);
    if (form == FORM_BYTES) {
        buf_append_str(&bytes, text);
    } else {
        append_wide(&bytes, text, form);
    }
    const size_t size = (mask->count + 1) * sizeof *mask->patterns;
    mask->patterns = check_realloc(mask->patterns, size);
    struct pattern *pattern = &mask->patterns[mask->count++];
    *pattern =
        (struct pattern){.len = bytes.len, .form = form, .is_short = text.len < SECRET_MASK_SHORT};
    mask->begins[(unsigned char)bytes.data[0]] = true;
    pattern->bytes = buf_take(&bytes);
}

static void add_secret(struct secret_mask *mask, struct str secret)
{
    struct buf escaped;
    buf_init(&escaped);
    reference_append_escaped(secret, REFERENCE_TEXT, &escaped);
    for (enum form form = 0; form < FORM_COUNT; form++) {
        add_pattern(mask, secret, form);
        if (escaped.len != secret.len) {
            add_pattern(mask, buf_view(&escaped), form);
        }
    }
    memset(escaped.data, 0, escaped.len);
    buf_deinit(&escaped);
}

static int by_falling_length(const void *left, const void *right)
{
    const struct pattern *a = left;
    const struct pattern *b = right;
    return (a->len < b->len) - (a->len > b->len);
}

struct secret_mask *secret_mask_new(char *const *secrets, size_t count)
{
    struct secret_mask *mask = check_calloc(1, sizeof *mask);
    for (size_t i = 0; i < count; i++) {
        struct str secret = str_from(secrets[i]);
        if (secret.len > 0) {
            add_secret(mask, secret);
        }
    }
    if (mask->count > 0) {
        qsort(mask->patterns, mask->count, sizeof *mask->patterns, by_falling_length);
    }
    return mask;
}

void secret_mask_free(struct secret_mask *mask)
{
    if (mask == NULL) {
        return;
    }
    for (size_t i = 0; i < mask->count; i++) {
        memset(mask->patterns[i].bytes, 0, mask->patterns[i].len);
        free(mask->patterns[i].bytes);
    }
    free(mask->patterns);
    free(mask);
}

static bool is_word(struct str text, size_t at)
{
    if (at >= text.len) {
        return false; /* in front of the text as well: the index wraps */
    }
    const char byte = text.data[at];
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9');
}

/* Neither the character before nor the one behind belongs to a longer word. */
static bool stands_alone(const struct pattern *pattern, struct str text, size_t at)
{
    const size_t before = pattern->form == FORM_UTF16_LE ? at - 2 : at - 1;
    const size_t behind =
        pattern->form == FORM_UTF16_BE ? at + pattern->len + 1 : at + pattern->len;
    return !is_word(text, before) && !is_word(text, behind);
}

/* The pattern that is at this place; NULL when none is. */
static const struct pattern *find_at(const struct secret_mask *mask, struct str text, size_t at)
{
    if (!mask->begins[(unsigned char)text.data[at]]) {
        return NULL;
    }
    for (size_t i = 0; i < mask->count; i++) {
        const struct pattern *pattern = &mask->patterns[i];
        if (pattern->len <= text.len - at &&
            memcmp(text.data + at, pattern->bytes, pattern->len) == 0 &&
            (!pattern->is_short || stands_alone(pattern, text, at))) {
            return pattern;
        }
    }
    return NULL;
}

bool secret_mask_append(const struct secret_mask *mask, struct str text, struct buf *masked)
{
    bool has_any = false;
    size_t kept = 0; /* where what is not yet appended begins */
    size_t at = 0;
    while (at < text.len) {
        const struct pattern *pattern = find_at(mask, text, at);
        if (pattern == NULL) {
            at++;
            continue;
        }
        has_any = true;
        buf_append_str(masked, str_slice(text, kept, at));
        if (pattern->form == FORM_BYTES) {
            buf_append_str(masked, STR("***"));
        } else {
            append_wide(masked, STR("***"), pattern->form);
        }
        at += pattern->len;
        kept = at;
    }
    buf_append_str(masked, str_slice(text, kept, text.len));
    return has_any;
}
