/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Structural comparison of two answers. Both trees are walked side by side as a sequence of starts,
 * texts and ends, in which comments, blanks between elements and everything ignored do not exist.
 * It stops at the first difference. The trap: text may be cut into several nodes by comments, so it
 * is put together before it is compared.
 */
#include "lather/soap/golden.h"

#include <libxml/tree.h>
#include <stdlib.h>
#include <string.h>

#include "lather/base/file.h"
#include "lather/soap/addressing.h"
#include "lather/soap/charset.h"
#include "lather/soap/document.h"

enum { FILE_CEILING = 64 * 1024 * 1024, PATH_CEILING = 300, SHOWN_TEXT = 60 };

#define XSI_NAMESPACE "http://www.w3.org/2001/XMLSchema-instance"

struct golden {
    struct buf bytes;
    struct str text; /* of bytes, behind the head */
    struct document *document;
    xmlDocPtr tree;
    char *action;
};

/* Nodes that do not count are marked in the field that libxml2 leaves to its users. */
static const char mark = 0;

static void set_mark(void *context, xmlNodePtr node)
{
    (void)context;
    if (node->type == XML_NAMESPACE_DECL) {
        return; /* another struct behind the same pointer */
    }
    node->_private = (void *)&mark;
}

static const char *namespace_of(const xmlNode *node)
{
    return node->ns == NULL || node->ns->href == NULL ? "" : (const char *)node->ns->href;
}

static bool is_ignored_by_name(const xmlNode *node)
{
    struct str name = str_from((const char *)node->name);
    struct str uri = str_from(namespace_of(node));
    if (str_equals(name, STR("MessageID")) || str_equals(name, STR("RelatesTo"))) {
        return addressing_is_namespace(uri);
    }
    if (str_equals(name, STR("Timestamp"))) {
        return str_find(uri, STR("wss-wssecurity-utility")) != SIZE_MAX;
    }
    return str_equals(name, STR("ActivityId")) &&
           str_find(uri, STR("schemas.microsoft.com")) != SIZE_MAX;
}

enum event { EVENT_END = 0, EVENT_START, EVENT_TEXT, EVENT_FINISH };

/* A walk over a tree; node is the one whose start or end was told last. */
struct walk {
    const xmlNode *node;
    const xmlNode *next; /* to look at; NULL: the end of node's parent comes */
    const xmlNode *parent;
    struct buf text;
};

static void begin_walk(struct walk *walk, const xmlDoc *tree)
{
    *walk = (struct walk){.next = tree->children, .parent = (const xmlNode *)tree};
}

/* Puts together the text that starts here; true when it is not blank. */
static bool take_text(struct walk *walk)
{
    buf_reset(&walk->text);
    while (walk->next != NULL) {
        const xmlNode *node = walk->next;
        bool is_text = node->type == XML_TEXT_NODE || node->type == XML_CDATA_SECTION_NODE;
        bool is_element = node->type == XML_ELEMENT_NODE;
        if (is_element && node->_private == NULL && !is_ignored_by_name(node)) {
            break;
        }
        if (is_text && node->_private == NULL) {
            buf_append_str(&walk->text, str_from((const char *)node->content));
        }
        walk->next = node->next;
    }
    return str_trim(buf_view(&walk->text)).len > 0;
}

static enum event next_event(struct walk *walk)
{
    if (take_text(walk)) {
        walk->node = walk->parent;
        return EVENT_TEXT;
    }
    if (walk->next != NULL) {
        walk->node = walk->next;
        walk->parent = walk->node;
        walk->next = walk->node->children;
        return EVENT_START;
    }
    walk->node = walk->parent;
    if (walk->node->type != XML_ELEMENT_NODE) {
        return EVENT_FINISH;
    }
    walk->next = walk->node->next;
    walk->parent = walk->node->parent;
    return EVENT_END;
}

/* "/Envelope/Body/r": names only, as people find it in the file; cut from the front. */
static void append_place(struct buf *sentence, const xmlNode *node)
{
    const xmlNode *path[64];
    size_t depth = 0;
    for (; node != NULL && node->type == XML_ELEMENT_NODE && depth < 64; node = node->parent) {
        path[depth++] = node;
    }
    size_t start = sentence->len;
    for (size_t i = depth; i > 0 && sentence->len - start < PATH_CEILING; i--) {
        buf_printf(sentence, "/%.80s", (const char *)path[i - 1]->name);
    }
    if (depth == 0) {
        buf_append_str(sentence, STR("the root"));
    }
}

static void append_name(struct buf *sentence, const xmlNode *node)
{
    buf_printf(sentence, "{%.100s}%.80s", namespace_of(node), (const char *)node->name);
}

static bool is_same_name(const xmlNode *a, const xmlNode *b)
{
    return strcmp((const char *)a->name, (const char *)b->name) == 0 &&
           strcmp(namespace_of(a), namespace_of(b)) == 0;
}

static struct str value_of(const xmlAttr *attribute)
{
    const xmlNode *text = attribute->children;
    return str_from(text == NULL || text->content == NULL ? "" : (const char *)text->content);
}

/* The value of xsi:type is a name: its prefix stands for a namespace where it is written. */
static struct str type_namespace(const xmlAttr *attribute, struct str *local)
{
    struct str prefix;
    struct str value = str_trim(value_of(attribute));
    if (!str_split(value, ':', &prefix, local)) {
        *local = value;
        prefix = str_of(NULL, 0);
    }
    char *text = str_dup(prefix);
    const xmlNs *ns = xmlSearchNs(attribute->doc, attribute->parent,
                                  prefix.len > 0 ? (const xmlChar *)text : NULL);
    free(text);
    return str_from(ns == NULL ? "" : (const char *)ns->href);
}

static bool is_same_value(const xmlAttr *a, const xmlAttr *b)
{
    bool is_type = strcmp((const char *)a->name, "type") == 0 && a->ns != NULL &&
                   strcmp((const char *)a->ns->href, XSI_NAMESPACE) == 0;
    if (!is_type) {
        return str_equals(value_of(a), value_of(b));
    }
    struct str local_a;
    struct str local_b;
    struct str uri_a = type_namespace(a, &local_a);
    struct str uri_b = type_namespace(b, &local_b);
    return str_equals(uri_a, uri_b) && str_equals(local_a, local_b);
}

static const xmlAttr *find_attribute(const xmlNode *element, const xmlAttr *like)
{
    for (const xmlAttr *at = element->properties; at != NULL; at = at->next) {
        if (is_same_name((const xmlNode *)at, (const xmlNode *)like)) {
            return at;
        }
    }
    return NULL;
}

/* Attributes of one that the other does not have, or has with another value. */
static bool has_attributes_of(const xmlNode *element, const xmlNode *other, struct buf *sentence)
{
    for (const xmlAttr *at = element->properties; at != NULL; at = at->next) {
        if (at->_private != NULL) {
            continue;
        }
        const xmlAttr *found = find_attribute(other, at);
        if (found != NULL && (found->_private != NULL || is_same_value(at, found))) {
            continue;
        }
        buf_printf(sentence, "the attribute %.80s of ", (const char *)at->name);
        append_place(sentence, element);
        buf_append_str(sentence, STR(" differs"));
        return false;
    }
    return true;
}

static bool texts_are_same(const struct walk *golden, const struct walk *answer,
                           struct buf *sentence)
{
    struct str expected = str_trim(buf_view(&golden->text));
    if (str_equals(expected, str_trim(buf_view(&answer->text)))) {
        return true;
    }
    buf_append_str(sentence, STR("the text of "));
    append_place(sentence, golden->node);
    buf_printf(sentence, " is not \"%.*s\"", STR_ARG(str_slice(expected, 0, SHOWN_TEXT)));
    return false;
}

static void append_event(struct buf *sentence, const struct walk *walk, enum event event)
{
    if (event == EVENT_START) {
        append_name(sentence, walk->node);
    } else {
        buf_append_str(sentence, event == EVENT_TEXT ? STR("text") : STR("its end"));
    }
}

static bool events_are_same(const struct walk *golden, enum event expected,
                            const struct walk *answer, enum event found, struct buf *sentence)
{
    bool is_same =
        expected == found && (expected != EVENT_START || is_same_name(golden->node, answer->node));
    if (!is_same) {
        const xmlNode *inside = expected == EVENT_START ? golden->node->parent : golden->node;
        buf_append_str(sentence, STR("in "));
        append_place(sentence, inside);
        buf_append_str(sentence, STR(" comes "));
        append_event(sentence, answer, found);
        buf_append_str(sentence, STR(" where "));
        append_event(sentence, golden, expected);
        buf_append_str(sentence, STR(" should"));
        return false;
    }
    if (expected == EVENT_TEXT) {
        return texts_are_same(golden, answer, sentence);
    }
    return expected != EVENT_START || (has_attributes_of(golden->node, answer->node, sentence) &&
                                       has_attributes_of(answer->node, golden->node, sentence));
}

bool golden_is_like(const struct golden *golden, xmlDocPtr answer, struct xpath_reader *reader,
                    const struct xpath *ignored, size_t ignored_count, struct buf *sentence)
{
    for (size_t i = 0; i < ignored_count; i++) {
        xpath_select(reader, &ignored[i], set_mark, NULL);
    }
    struct walk a;
    struct walk b;
    begin_walk(&a, golden->tree);
    begin_walk(&b, answer);
    enum event expected = EVENT_START;
    bool is_same = true;
    while (is_same && expected != EVENT_FINISH) {
        expected = next_event(&a);
        enum event found = next_event(&b);
        is_same = events_are_same(&a, expected, &b, found, sentence);
    }
    buf_deinit(&a.text);
    buf_deinit(&b.text);
    return is_same;
}

/* What is behind the empty line of a raw HTTP answer; all of a bare body. */
static struct str body_of(struct str bytes)
{
    if (!str_starts_with(bytes, STR("HTTP/"))) {
        return bytes;
    }
    size_t crlf = str_find(bytes, STR("\r\n\r\n"));
    size_t lf = str_find(bytes, STR("\n\n"));
    if (crlf < lf) {
        return str_slice(bytes, crlf + 4, bytes.len);
    }
    return lf == SIZE_MAX ? bytes : str_slice(bytes, lf + 2, bytes.len);
}

static char *action_of(const xmlDoc *tree)
{
    const xmlNode *root = xmlDocGetRootElement(tree);
    for (const xmlNode *part = root->children; part != NULL; part = part->next) {
        for (xmlNodePtr block = part->type == XML_ELEMENT_NODE ? part->children : NULL;
             block != NULL; block = block->next) {
            if (block->type == XML_ELEMENT_NODE &&
                strcmp((const char *)block->name, "Action") == 0 &&
                addressing_is_namespace(str_from(namespace_of(block)))) {
                xmlChar *content = xmlNodeGetContent(block);
                char *action = str_dup(str_trim(str_from((const char *)content)));
                xmlFree(content);
                return action;
            }
        }
    }
    return str_dup(str_of(NULL, 0));
}

struct golden *golden_load(const char *path, struct err *err)
{
    struct golden *golden = check_calloc(1, sizeof(*golden));
    golden->document = document_new();
    if (!file_read(path, FILE_CEILING, &golden->bytes, err)) {
        goto fail;
    }
    golden->text = body_of(buf_view(&golden->bytes));
    struct charset charset;
    charset_detect(golden->text, &charset);
    golden->tree = document_parse(golden->document, golden->text, charset.name);
    if (golden->tree == NULL) {
        (void)err_set(err, ERR_FORMAT, "%s: it is no well-formed XML", path);
        goto fail;
    }
    golden->action = action_of(golden->tree);
    return golden;
fail:
    golden_free(golden);
    return NULL;
}

void golden_free(struct golden *golden)
{
    if (golden != NULL) {
        document_free(golden->document);
        buf_deinit(&golden->bytes);
        free(golden->action);
        free(golden);
    }
}

xmlDocPtr golden_tree(const struct golden *golden)
{
    return golden->tree;
}

const char *golden_action(const struct golden *golden)
{
    return golden->action;
}

struct str golden_text(const struct golden *golden)
{
    return golden->text;
}

void golden_ignore(struct golden *golden, struct xpath_reader *reader, const struct xpath *ignored)
{
    xpath_reader_set(reader, golden->tree);
    xpath_select(reader, ignored, set_mark, NULL);
}
