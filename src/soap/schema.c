/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Validates the contents of Body with libxml2. Where the schemas come from is collect.c's matter;
 * here they are compiled and used. The compiled schema is shared by all threads and only read; what
 * changes lives in each thread's reader. libxml2's words are kept, as they name element and reason,
 * but for the values of answers.
 */
#include "lather/soap/schema.h"

#include <libxml/tree.h>
#include <libxml/xmlschemas.h>
#include <stdlib.h>
#include <string.h>

#include "lather/soap/collect.h"
#include "lather/soap/loader.h"

enum { VIOLATION_CEILING = 200 };

#define XOP_NAMESPACE "http://www.w3.org/2004/08/xop/include"

struct schema {
    xmlSchemaPtr compiled;
};

/* The first error of a compilation: later ones mostly follow from it. */
struct complaint {
    struct buf text;
    bool is_set;
};

static void on_compile_error(void *context, xmlErrorPtr error)
{
    struct complaint *complaint = context;
    if (complaint->is_set || error->level < XML_ERR_ERROR) {
        return;
    }
    complaint->is_set = true;
    buf_append_str(&complaint->text,
                   str_slice(str_trim(str_from(error->message)), 0, VIOLATION_CEILING));
}

static xmlSchemaPtr compile(const struct loader *loader, struct complaint *complaint)
{
    xmlSchemaParserCtxtPtr parser = xmlSchemaNewParserCtxt(COLLECT_DRIVER);
    CHECK(parser != NULL);
    xmlSchemaSetParserStructuredErrors(parser, on_compile_error, complaint);
    loader_open(loader);
    xmlSchemaPtr compiled = xmlSchemaParse(parser);
    loader_close();
    xmlSchemaFreeParserCtxt(parser);
    return compiled;
}

static struct schema *load(const char *path, enum collect_kind kind, struct err *err)
{
    struct loader loader = {.count = 0};
    struct complaint complaint = {.is_set = false};
    struct schema *schema = NULL;
    if (collect_schemas(&loader, path, kind, err)) {
        xmlSchemaPtr compiled = compile(&loader, &complaint);
        if (compiled != NULL) {
            schema = check_calloc(1, sizeof(*schema));
            schema->compiled = compiled;
        } else {
            (void)err_set(err, ERR_FORMAT, "%s: %.*s", path, STR_ARG(buf_view(&complaint.text)));
        }
    }
    buf_deinit(&complaint.text);
    loader_deinit(&loader);
    return schema;
}

struct schema *schema_load_xsd(const char *path, struct err *err)
{
    return load(path, COLLECT_XSD, err);
}

struct schema *schema_load_wsdl(const char *path, struct err *err)
{
    return load(path, COLLECT_WSDL, err);
}

void schema_free(struct schema *schema)
{
    if (schema != NULL) {
        xmlSchemaFree(schema->compiled);
        free(schema);
    }
}

struct schema_reader {
    xmlSchemaValidCtxtPtr validator;
    struct buf *sentence; /* of the answer at hand */
    size_t violations;
};

/* " has a length of '5'" behind a value is as much the answer's; returns what is behind it. */
static struct str append_length(struct buf *sentence, struct str text)
{
    const struct str words = STR(" has a length of ");
    struct str number;
    struct str behind;
    if (!str_starts_with(text, words) ||
        !str_split(str_slice(text, words.len + 1, SIZE_MAX), '\'', &number, &behind)) {
        return text;
    }
    buf_append_str(sentence, words);
    buf_append_str(sentence, STR("'...'"));
    return behind;
}

/* Where the quoted value at the start of text ends; it may hold quotes itself. 0: there is none. */
static size_t value_length(struct str text)
{
    static const struct str behind[] = {
        {"' is ", 5}, {"' has ", 6}, {"'; this ", 8}, {"' does ", 7}, {"' must ", 7}};
    size_t end = SIZE_MAX;
    for (size_t i = 0; i < sizeof(behind) / sizeof(behind[0]); i++) {
        size_t at = str_find(text, behind[i]);
        end = at < end ? at : end;
    }
    return str_starts_with(text, STR("'")) && end != SIZE_MAX ? end + 1 : 0;
}

/*
 * "Element 'a': 'x' is not a valid value...": which value an answer happened to have is left out,
 * so that equal violations are one kind of failure however many values there are.
 */
static void append_violation(struct buf *sentence, struct str message)
{
    size_t colon = str_find(message, STR("': "));
    struct str rest = str_slice(message, colon == SIZE_MAX ? message.len : colon + 3, SIZE_MAX);
    if (str_starts_with(rest, STR("[facet "))) {
        size_t bracket = str_find(rest, STR("] "));
        rest = str_slice(rest, bracket == SIZE_MAX ? 0 : bracket + 2, SIZE_MAX);
    }
    if (str_starts_with(rest, STR("The value "))) {
        rest = str_slice(rest, STR("The value ").len, SIZE_MAX);
    }
    size_t value = value_length(rest);
    size_t start = sentence->len;
    buf_append_str(sentence, str_slice(message, 0, message.len - rest.len));
    if (value > 0) {
        buf_append_str(sentence, STR("'...'"));
        rest = append_length(sentence, str_slice(rest, value, SIZE_MAX));
    }
    buf_append_str(sentence, rest);
    if (sentence->len - start > VIOLATION_CEILING) {
        sentence->len = start + VIOLATION_CEILING;
    }
}

static void on_violation(void *context, xmlErrorPtr error)
{
    struct schema_reader *reader = context;
    reader->violations++;
    if (reader->violations > SCHEMA_VIOLATIONS_TOLD) {
        return;
    }
    if (reader->violations > 1) {
        buf_append_byte(reader->sentence, ' ');
    }
    append_violation(reader->sentence, str_trim(str_from(error->message)));
}

struct schema_reader *schema_reader_new(const struct schema *schema)
{
    struct schema_reader *reader = check_calloc(1, sizeof(*reader));
    reader->validator = xmlSchemaNewValidCtxt(schema->compiled);
    CHECK(reader->validator != NULL);
    xmlSchemaSetValidStructuredErrors(reader->validator, on_violation, reader);
    return reader;
}

void schema_reader_free(struct schema_reader *reader)
{
    if (reader != NULL) {
        xmlSchemaFreeValidCtxt(reader->validator);
        free(reader);
    }
}

/* The next node below top in the order of the document, without recursion. */
static xmlNodePtr next_below(const xmlNode *top, xmlNodePtr node, bool goes_down)
{
    if (goes_down && node->type == XML_ELEMENT_NODE && node->children != NULL) {
        return node->children;
    }
    while (node != top && node->next == NULL) {
        node = node->parent;
    }
    return node == top ? NULL : node->next;
}

/* XOP 1.0: Include is all there is in an element whose text it stands for. */
static void take_out_includes(xmlNodePtr top)
{
    xmlNodePtr node = next_below(top, top, true);
    while (node != NULL) {
        bool is_include = node->type == XML_ELEMENT_NODE && node->ns != NULL &&
                          strcmp((const char *)node->name, "Include") == 0 &&
                          strcmp((const char *)node->ns->href, XOP_NAMESPACE) == 0;
        xmlNodePtr next = next_below(top, node, !is_include);
        if (is_include) {
            xmlUnlinkNode(node);
            xmlFreeNode(node);
        }
        node = next;
    }
}

bool schema_is_valid(struct schema_reader *reader, xmlNodePtr body, struct buf *sentence)
{
    reader->sentence = sentence;
    reader->violations = 0;
    take_out_includes(body);
    for (xmlNodePtr node = body->children; node != NULL; node = node->next) {
        if (node->type != XML_ELEMENT_NODE) {
            continue;
        }
        int result = xmlSchemaValidateOneElement(reader->validator, node);
        if (result != 0 && reader->violations == 0) {
            reader->violations++;
            buf_append_str(sentence, STR("the validator failed"));
        }
    }
    return reader->violations == 0;
}
