/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Trees of answers for the checks that need one: XPath, schema, golden reply. The encoding is the
 * one the stream reader settled, so that all checks see the same characters. The trap: a parser's
 * dictionary only grows, and trees share it: the old tree goes before its parser is renewed.
 */
#include "lather/soap/document.h"

#include <libxml/parser.h>
#include <libxml/tree.h>
#include <limits.h>
#include <stdlib.h>

#include "lather/soap/charset.h"

enum {
    DICTIONARY_CEILING = 1024 * 1024,
    HUGE_BYTES = 3 * 1024 * 1024, /* libxml2 stops at texts of 10,000,000 bytes in UTF-8, into
                                     which one byte may become three. Entities, which this lifts
                                     the ceiling from too, were refused by the stream reader */
};

struct document {
    xmlParserCtxtPtr parser;
    xmlDocPtr tree;
};

static void ignore_error(void *context, xmlErrorPtr error)
{
    (void)context;
    (void)error;
}

static xmlParserCtxtPtr new_parser(void)
{
    xmlParserCtxtPtr parser = xmlNewParserCtxt();
    CHECK(parser != NULL);
    parser->sax->serror = ignore_error;
    return parser;
}

struct document *document_new(void)
{
    struct document *document = check_calloc(1, sizeof(*document));
    document->parser = new_parser();
    return document;
}

void document_free(struct document *document)
{
    if (document != NULL) {
        xmlFreeDoc(document->tree);
        xmlFreeParserCtxt(document->parser);
        free(document);
    }
}

static struct str without_mark(struct str bytes)
{
    struct charset charset;
    charset_detect(bytes, &charset);
    return str_slice(bytes, charset.bom_bytes, bytes.len);
}

static bool is_utf8(const char *charset)
{
    struct str name = str_from(charset);
    return str_equals_nocase(name, STR("utf-8")) || str_equals_nocase(name, STR("utf8"));
}

xmlDocPtr document_parse(struct document *document, struct str bytes, const char *charset)
{
    xmlFreeDoc(document->tree);
    document->tree = NULL;
    if (xmlDictGetUsage(document->parser->dict) > DICTIONARY_CEILING) {
        xmlFreeParserCtxt(document->parser);
        document->parser = new_parser();
    }
    bytes = without_mark(bytes);
    if (bytes.len > INT_MAX) {
        return NULL;
    }
    int options = XML_PARSE_NONET | XML_PARSE_COMPACT | XML_PARSE_NOCDATA | XML_PARSE_IGNORE_ENC |
                  XML_PARSE_BIG_LINES;
    options |= bytes.len > HUGE_BYTES ? XML_PARSE_HUGE : 0;
    xmlDocPtr tree = xmlCtxtReadMemory(document->parser, bytes.data, (int)bytes.len, NULL,
                                       is_utf8(charset) ? NULL : charset, options);
    if (tree != NULL && tree->intSubset != NULL) {
        xmlFreeDoc(tree);
        tree = NULL;
    }
    document->tree = tree;
    return tree;
}

bool document_text(struct str bytes, const char *charset, struct buf *converted, struct str *text)
{
    bytes = without_mark(bytes);
    *text = bytes;
    if (is_utf8(charset)) {
        return true;
    }
    xmlCharEncodingHandlerPtr handler = xmlFindCharEncodingHandler(charset);
    if (handler == NULL || bytes.len > INT_MAX) {
        return false;
    }
    xmlBufferPtr in = xmlBufferCreateStatic((void *)bytes.data, bytes.len);
    xmlBufferPtr out = xmlBufferCreate();
    CHECK(in != NULL && out != NULL);
    int result = 1;
    while (result > 0 && xmlBufferLength(in) > 0) {
        int before = xmlBufferLength(in);
        result = xmlCharEncInFunc(handler, out, in);
        if (xmlBufferLength(in) == before) {
            break;
        }
    }
    bool is_whole = xmlBufferLength(in) == 0;
    buf_reset(converted);
    buf_append(converted, xmlBufferContent(out), (size_t)xmlBufferLength(out));
    *text = buf_view(converted);
    xmlBufferFree(in);
    xmlBufferFree(out);
    (void)xmlCharEncCloseFunc(handler);
    return is_whole;
}
