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
#include <string.h>

enum {
    NAME_CEILING = 40,
    PIECE_BYTES = 32 * 1024 /* the converters reserve four times what they are given */
};

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
    bool is_good = convert_pieces(step, handler, text, out);
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
