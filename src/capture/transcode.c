/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text in the encoding it is sent in. Some captures keep decoded text and name the encoding beside
 * it; libxml2's converters write it again. The trap: xmlCharEncOutFunc puts a character reference
 * in place of a character the encoding lacks, which is wrong anywhere but in XML text; so what was
 * written is read back and compared.
 */
#include "lather/capture/transcode.h"

#include <libxml/encoding.h>
#include <libxml/tree.h>
#include <libxml/xmlerror.h>
#include <stdint.h>
#include <string.h>

#include "lather/base/utf8.h"
#include "lather/soap/codepage.h"

enum {
    NAME_CEILING = 40,
    PIECE_BYTES = 32 * 1024, /* the converters reserve four times what they are given */
    BYTE_VALUES = 256,
};

#define NO_CHARACTER UINT32_MAX

typedef int (*converter)(xmlCharEncodingHandler *handler, xmlBufferPtr out, xmlBufferPtr in);

bool transcode_is_utf8(struct str charset)
{
    charset = str_trim(charset);
    return charset.len == 0 || str_equals_nocase(charset, STR("utf-8")) ||
           str_equals_nocase(charset, STR("utf8")) || str_equals_nocase(charset, STR("us-ascii")) ||
           str_equals_nocase(charset, STR("ascii"));
}

/* Only what a name may hold gets to the converters (RFC 2978 2.3): iconv reads more into "//". */
static xmlCharEncodingHandlerPtr find_handler(struct str charset)
{
    char name[NAME_CEILING + 1];
    if (charset.len == 0 || charset.len > NAME_CEILING) {
        return NULL;
    }
    for (size_t i = 0; i < charset.len; i++) {
        char byte = charset.data[i];
        bool is_plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                        (byte >= '0' && byte <= '9');
        if (!is_plain && (byte == '\0' || strchr("-_.:+()", byte) == NULL)) {
            return NULL;
        }
        name[i] = byte;
    }
    name[charset.len] = '\0';
    codepage_register();
    return xmlFindCharEncodingHandler(name);
}

static void ignore_error(void *context, xmlErrorPtr error)
{
    (void)context;
    (void)error;
}

/* Piece by piece; a character cut by a piece's end stays in `in` for the next. */
static bool convert_pieces(converter step, xmlCharEncodingHandlerPtr handler, struct str text,
                           struct buf *out)
{
    xmlBufferPtr in = xmlBufferCreate();
    xmlBufferPtr piece = xmlBufferCreate();
    CHECK(in != NULL && piece != NULL);
    bool is_good = true;
    while (is_good && text.len > 0) {
        struct str part = str_slice(text, 0, PIECE_BYTES);
        text = str_slice(text, part.len, text.len);
        CHECK(xmlBufferAdd(in, (const xmlChar *)part.data, (int)part.len) == 0);
        is_good = step(handler, piece, in) >= 0 && xmlBufferLength(in) < 16;
        buf_append(out, xmlBufferContent(piece), (size_t)xmlBufferLength(piece));
        xmlBufferEmpty(piece);
    }
    is_good = is_good && xmlBufferLength(in) == 0;
    xmlBufferFree(in);
    xmlBufferFree(piece);
    return is_good;
}

/* The character each byte of an encoding of single bytes stands for; NO_CHARACTER for none. */
static void read_table(xmlCharEncodingHandlerPtr handler, uint32_t characters[BYTE_VALUES])
{
    for (int i = 0; i < BYTE_VALUES; i++) {
        const unsigned char byte = (unsigned char)i;
        unsigned char utf8[8];
        int in_len = 1;
        int out_len = (int)sizeof utf8;
        characters[i] = NO_CHARACTER;
        if (handler->input(utf8, &out_len, &byte, &in_len) >= 0 && in_len == 1) {
            struct str made = str_of((const char *)utf8, (size_t)out_len);
            if (!utf8_next(&made, &characters[i]) || made.len > 0) {
                characters[i] = NO_CHARACTER;
            }
        }
    }
}

/* For an encoding that is only ever read (soap/codepage): its table, the other way round. */
static bool write_by_table(xmlCharEncodingHandlerPtr handler, struct str text, struct buf *out)
{
    uint32_t characters[BYTE_VALUES];
    uint32_t code = 0;
    read_table(handler, characters);
    while (utf8_next(&text, &code)) {
        int byte = code < BYTE_VALUES && characters[code] == code ? (int)code : 0;
        while (byte < BYTE_VALUES && characters[byte] != code) {
            byte++;
        }
        if (byte == BYTE_VALUES) {
            return false;
        }
        buf_append_byte(out, (char)(unsigned char)byte);
    }
    return text.len == 0;
}

static bool convert(converter step, struct str text, struct str charset, struct buf *out)
{
    xmlCharEncodingHandlerPtr handler = find_handler(charset);
    if (handler == NULL) {
        return false;
    }
    /* Without a handler libxml2 prints to stderr. */
    xmlStructuredErrorFunc old_handler = xmlStructuredError;
    void *old_context = xmlStructuredErrorContext;
    xmlSetStructuredErrorFunc(NULL, ignore_error);
    size_t before = out->len;
    bool is_read_only = handler->input != NULL && handler->output == NULL;
    bool is_good = step == xmlCharEncOutFunc && is_read_only
                       ? write_by_table(handler, text, out)
                       : convert_pieces(step, handler, text, out);
    xmlSetStructuredErrorFunc(old_context, old_handler);
    (void)xmlCharEncCloseFunc(handler);
    if (!is_good) {
        out->len = before;
        buf_append(out, NULL, 0); /* its NUL */
    }
    return is_good;
}

static bool reads_back(struct str written, struct str charset, struct str text)
{
    struct buf again;
    buf_init(&again);
    bool is_same =
        convert(xmlCharEncInFunc, written, charset, &again) && str_equals(buf_view(&again), text);
    buf_deinit(&again);
    return is_same;
}

bool transcode_from_utf8(struct str text, struct str charset, struct buf *out)
{
    charset = str_trim(charset);
    if (transcode_is_utf8(charset)) {
        buf_append_str(out, text);
        return true;
    }
    size_t before = out->len;
    if (str_equals_nocase(charset, STR("utf-16"))) {
        buf_append_str(out, STR("\xFF\xFE"));
        charset = STR("UTF-16LE");
    }
    size_t start = out->len;
    if (convert(xmlCharEncOutFunc, text, charset, out) &&
        reads_back(str_slice(buf_view(out), start, out->len), charset, text)) {
        return true;
    }
    out->len = before;
    buf_append(out, NULL, 0); /* its NUL */
    return false;
}

bool transcode_to_utf8(struct str text, struct str charset, struct buf *out)
{
    charset = str_trim(charset);
    if (transcode_is_utf8(charset)) {
        buf_append_str(out, text);
        return true;
    }
    return convert(xmlCharEncInFunc, text, charset, out);
}
