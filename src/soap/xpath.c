/* SPDX-License-Identifier: Apache-2.0 */
/*
 * XPath assertions by libxml2. What people get wrong is nearly always the namespace: "//Result"
 * means Result in no namespace at all. So every expression is also kept in a form that ignores
 * namespaces; when that one is true the sentence says which namespace was meant. The trap: compiled
 * expressions hold caches and belong to one thread, so each reader compiles its own.
 */
#include "lather/soap/xpath.h"

#include <libxml/tree.h>
#include <libxml/xpath.h>
#include <libxml/xpathInternals.h>
#include <stdlib.h>
#include <string.h>

#include "lather/soap/addressing.h"
#include "lather/soap/lexis.h"
#include "lather/soap/version.h"
#include "lather/soap/xpath_check.h"

enum { TEXT_CEILING = 8192, COMPILED_CEILING = 1000 };

static void ignore_error(void *context, xmlErrorPtr error)
{
    (void)context;
    (void)error;
}

static xmlXPathContextPtr new_context(void)
{
    xmlXPathContextPtr context = xmlXPathNewContext(NULL);
    CHECK(context != NULL);
    context->error = ignore_error;
    return context;
}

static void append_any_namespace(struct buf *target, struct str name)
{
    buf_append_str(target, STR("*"));
    if (!str_equals(name, STR("*"))) {
        buf_append_str(target, STR("[local-name()='"));
        buf_append_str(target, name);
        buf_append_str(target, STR("']"));
    }
}

/* The expression with "~Name" written out and, when relaxed, every element name as well. */
static char *rewrite(struct str text, bool is_relaxed)
{
    struct buf target;
    struct lexis lexis;
    buf_init(&target);
    lexis_begin(&lexis, text);
    for (struct lexis_token token = lexis_next(&lexis); token.kind != LEXIS_END;
         token = lexis_next(&lexis)) {
        if (token.kind == LEXIS_ANY_NAME || (is_relaxed && token.kind == LEXIS_NAME)) {
            append_any_namespace(&target, token.name);
        } else {
            buf_append_str(&target, token.text);
        }
    }
    return buf_take(&target);
}

/* The expression with "//" before a "~Name" that would be looked for at the document. */
static char *write_anywhere(struct str text)
{
    struct buf target;
    struct lexis lexis;
    buf_init(&target);
    lexis_begin(&lexis, text);
    for (struct lexis_token token = lexis_next(&lexis); token.kind != LEXIS_END;
         token = lexis_next(&lexis)) {
        if (token.kind == LEXIS_ANY_NAME && token.begins_path) {
            buf_append_str(&target, STR("//"));
        }
        buf_append_str(&target, token.text);
    }
    return buf_take(&target);
}

/* Fills all of xpath but its text from an expression as XPath means it. */
static bool read_meant(struct xpath *xpath, struct str text, const struct namespaces *namespaces,
                       struct err *err)
{
    enum xpath_result result = XPATH_CHECK_VALUE;
    if (!xpath_check_names(text, namespaces, err)) {
        return false;
    }
    xpath->expanded = rewrite(text, false);
    xpath->relaxed = rewrite(text, true);
    if (!xpath_check_evaluation(xpath->expanded, namespaces, &result, err)) {
        return false;
    }
    xpath->selects_nodes = result == XPATH_CHECK_NODES;
    xpath->is_simple = path_parse(&xpath->path, text, namespaces);
    return true;
}

bool xpath_parse(struct xpath *xpath, struct str text, const struct namespaces *namespaces,
                 struct err *err)
{
    *xpath = (struct xpath){.text = str_dup(text)};
    char *meant = write_anywhere(text);
    bool is_good = text.len <= TEXT_CEILING
                       ? read_meant(xpath, str_from(meant), namespaces, err)
                       : err_set(err, ERR_USAGE, "longer than %d bytes", TEXT_CEILING);
    free(meant);
    if (!is_good) {
        char prefix[160];
        struct str shown = str_slice(text, 0, 120);
        (void)snprintf(prefix, sizeof(prefix), "XPath %.*s", STR_ARG(shown));
        xpath_deinit(xpath);
        return err_prefix(err, prefix);
    }
    return true;
}

void xpath_deinit(struct xpath *xpath)
{
    free(xpath->text);
    free(xpath->expanded);
    free(xpath->relaxed);
    path_deinit(&xpath->path);
    *xpath = (struct xpath){.text = NULL};
}

/* An expression as this reader compiled it. */
struct compiled {
    const struct xpath *xpath;
    xmlXPathCompExprPtr expression;
};

struct xpath_reader {
    const struct namespaces *namespaces;
    xmlXPathContextPtr context;
    struct compiled *compiled;
    size_t compiled_count;
};

struct xpath_reader *xpath_reader_new(const struct namespaces *namespaces)
{
    struct xpath_reader *reader = check_calloc(1, sizeof(*reader));
    reader->namespaces = namespaces;
    reader->context = new_context();
    (void)xmlXPathContextSetCache(reader->context, 1, -1, 0);
    for (size_t i = 0; i < namespaces->count; i++) {
        (void)xmlXPathRegisterNs(reader->context, (const xmlChar *)namespaces->entries[i].prefix,
                                 (const xmlChar *)namespaces->entries[i].uri);
    }
    return reader;
}

void xpath_reader_free(struct xpath_reader *reader)
{
    if (reader == NULL) {
        return;
    }
    for (size_t i = 0; i < reader->compiled_count; i++) {
        xmlXPathFreeCompExpr(reader->compiled[i].expression);
    }
    free(reader->compiled);
    xmlXPathFreeContext(reader->context);
    free(reader);
}

static void register_follower(struct xpath_reader *reader, const char *prefix, const char *uri)
{
    const char *given;
    enum namespace_kind kind = namespaces_find(reader->namespaces, str_from(prefix), &given);
    if (kind == NAMESPACE_SOAP || kind == NAMESPACE_ADDRESSING) {
        (void)xmlXPathRegisterNs(reader->context, (const xmlChar *)prefix, (const xmlChar *)uri);
    }
}

static const char *namespace_of(const xmlNode *node)
{
    return node->ns == NULL || node->ns->href == NULL ? "" : (const char *)node->ns->href;
}

/* The WS-Addressing namespace declared in the envelope or used by a header block; else 1.0. */
static const char *addressing_of(const xmlNode *root)
{
    for (const xmlNs *ns = root->nsDef; ns != NULL; ns = ns->next) {
        if (addressing_is_namespace(str_from((const char *)ns->href))) {
            return (const char *)ns->href;
        }
    }
    for (const xmlNode *part = root->children; part != NULL; part = part->next) {
        for (const xmlNode *block = part->type == XML_ELEMENT_NODE ? part->children : NULL;
             block != NULL; block = block->next) {
            if (block->type == XML_ELEMENT_NODE &&
                addressing_is_namespace(str_from(namespace_of(block)))) {
                return namespace_of(block);
            }
        }
    }
    return "http://www.w3.org/2005/08/addressing";
}

void xpath_reader_set(struct xpath_reader *reader, xmlDocPtr document)
{
    reader->context->doc = document;
    reader->context->node = (xmlNodePtr)document;
    const xmlNode *root = xmlDocGetRootElement(document);
    if (root == NULL) {
        return;
    }
    const char *soap = soap_version_of_namespace(str_from(namespace_of(root))) == SOAP_VERSION_12
                           ? SOAP_12_NAMESPACE
                           : SOAP_11_NAMESPACE;
    const char *addressing = addressing_of(root);
    register_follower(reader, "s", soap);
    register_follower(reader, "soap", soap);
    register_follower(reader, "a", addressing);
    register_follower(reader, "wsa", addressing);
}

static xmlXPathCompExprPtr compiled_of(struct xpath_reader *reader, const struct xpath *xpath)
{
    for (size_t i = 0; i < reader->compiled_count; i++) {
        if (reader->compiled[i].xpath == xpath) {
            return reader->compiled[i].expression;
        }
    }
    CHECK(reader->compiled_count < COMPILED_CEILING);
    size_t bytes = (reader->compiled_count + 1) * sizeof(*reader->compiled);
    reader->compiled = check_realloc(reader->compiled, bytes);
    xmlXPathCompExprPtr expression =
        xmlXPathCtxtCompile(reader->context, (const xmlChar *)xpath->expanded);
    CHECK(expression != NULL);
    reader->compiled[reader->compiled_count++] =
        (struct compiled){.xpath = xpath, .expression = expression};
    return expression;
}

/* number: XPath's NaN is no number that could be meant as yes. */
static bool object_is_true(const xmlXPathObject *object)
{
    switch (object->type) {
    case XPATH_BOOLEAN:
        return object->boolval != 0;
    case XPATH_NODESET:
        return object->nodesetval != NULL && object->nodesetval->nodeNr > 0;
    case XPATH_NUMBER:
        return object->floatval > 0 || object->floatval < 0;
    case XPATH_STRING:
        return object->stringval != NULL && object->stringval[0] != '\0';
    default:
        return false;
    }
}

bool xpath_is_true(struct xpath_reader *reader, const struct xpath *xpath)
{
    reader->context->node = (xmlNodePtr)reader->context->doc;
    xmlXPathObjectPtr object = xmlXPathCompiledEval(compiled_of(reader, xpath), reader->context);
    bool is_true = object != NULL && object_is_true(object);
    xmlXPathFreeObject(object);
    return is_true;
}

void xpath_select(struct xpath_reader *reader, const struct xpath *xpath,
                  void (*take)(void *context, xmlNodePtr node), void *context)
{
    reader->context->node = (xmlNodePtr)reader->context->doc;
    xmlXPathObjectPtr object = xmlXPathCompiledEval(compiled_of(reader, xpath), reader->context);
    if (object != NULL && object->type == XPATH_NODESET && object->nodesetval != NULL) {
        for (int i = 0; i < object->nodesetval->nodeNr; i++) {
            take(context, object->nodesetval->nodeTab[i]);
        }
    }
    xmlXPathFreeObject(object);
}

static bool relaxed_is_true(struct xpath_reader *reader, const struct xpath *xpath)
{
    reader->context->node = (xmlNodePtr)reader->context->doc;
    xmlXPathObjectPtr object =
        xmlXPathEvalExpression((const xmlChar *)xpath->relaxed, reader->context);
    bool is_true = object != NULL && object_is_true(object);
    xmlXPathFreeObject(object);
    return is_true;
}

/* The next node in the order of the document, without recursion. */
static const xmlNode *next_node(const xmlNode *node)
{
    if (node->type == XML_ELEMENT_NODE && node->children != NULL) {
        return node->children;
    }
    while (node != NULL && node->next == NULL) {
        node = node->parent;
    }
    return node == NULL ? NULL : node->next;
}

/* An element of that name, in that namespace or (NULL) in any. */
static const xmlNode *find_element(const xmlDoc *document, struct str name, const char *uri)
{
    const xmlNode *node = document->children;
    while (node != NULL && (const void *)node != (const void *)document) {
        if (node->type == XML_ELEMENT_NODE &&
            str_equals(str_from((const char *)node->name), name) &&
            (uri == NULL || strcmp(namespace_of(node), uri) == 0)) {
            return node;
        }
        node = next_node(node);
    }
    return NULL;
}

static const char *namespace_meant(struct xpath_reader *reader, struct str prefix)
{
    char *text = str_dup(prefix);
    const xmlChar *uri =
        prefix.len == 0 ? NULL : xmlXPathNsLookup(reader->context, (const xmlChar *)text);
    free(text);
    return uri == NULL ? "" : (const char *)uri;
}

static void append_advice(struct buf *sentence, struct str name, const char *uri)
{
    if (uri[0] == '\0') {
        buf_printf(sentence, "; %.*s is there without a namespace: write it without a prefix",
                   STR_ARG(name));
        return;
    }
    buf_printf(sentence,
               "; {%.200s}%.*s is there: write p:%.*s with --ns p=%.200s, or ~%.*s for any "
               "namespace",
               uri, STR_ARG(name), STR_ARG(name), uri, STR_ARG(name));
}

bool xpath_diagnose(struct xpath_reader *reader, const struct xpath *xpath, struct buf *sentence)
{
    if (!relaxed_is_true(reader, xpath)) {
        return false;
    }
    struct lexis lexis;
    lexis_begin(&lexis, str_from(xpath->text));
    for (struct lexis_token token = lexis_next(&lexis); token.kind != LEXIS_END;
         token = lexis_next(&lexis)) {
        if (token.kind != LEXIS_NAME || str_equals(token.name, STR("*"))) {
            continue;
        }
        const char *meant = namespace_meant(reader, token.prefix);
        const xmlNode *other = find_element(reader->context->doc, token.name, NULL);
        if (other != NULL && find_element(reader->context->doc, token.name, meant) == NULL) {
            append_advice(sentence, str_slice(token.name, 0, 100), namespace_of(other));
            return true;
        }
    }
    return false;
}
