/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs the user's own checks over an answer that is a good envelope, in the order of dearness:
 * action, expressions, texts, golden answer, schema. A tree is made only when an expression needs
 * one, and at most once an answer. The sentence for an expression is made once, with its diagnosis,
 * and used for every later answer it fails on, so that they count as one group.
 */
#include "lather/soap/checks.h"

#include <libxml/tree.h>
#include <stdlib.h>
#include <string.h>

#include "lather/soap/document.h"
#include "lather/soap/golden.h"
#include "lather/soap/schema.h"
#include "lather/soap/xpath.h"

enum { SHOWN_TEXT = 100 };

struct checks {
    const struct expect *expect;
    struct document *document;
    struct xpath_reader *reader;
    struct schema_reader *schema; /* NULL: none is asked for */
    struct _xmlDoc *tree;         /* of the answer at hand; NULL: not made yet */
    bool has_tree;                /* it was tried */
    char **advice;                /* by expression: what the first failure taught; NULL: none yet */
    struct buf converted;
};

struct checks *checks_new(const struct expect *expect)
{
    struct checks *checks = check_calloc(1, sizeof(*checks));
    checks->expect = expect;
    checks->document = document_new();
    checks->reader = xpath_reader_new(&expect->namespaces);
    if (expect->schema != NULL) {
        checks->schema = schema_reader_new(expect->schema);
    }
    checks->advice = check_calloc(expect->xpath_count + 1, sizeof(*checks->advice));
    return checks;
}

void checks_free(struct checks *checks)
{
    if (checks == NULL) {
        return;
    }
    for (size_t i = 0; i < checks->expect->xpath_count; i++) {
        free(checks->advice[i]);
    }
    free(checks->advice);
    xpath_reader_free(checks->reader);
    schema_reader_free(checks->schema);
    document_free(checks->document);
    buf_deinit(&checks->converted);
    free(checks);
}

bool checks_read_texts(const struct checks *checks)
{
    const struct expect *expect = checks->expect;
    bool is_read = expect->wants_fault || expect->texts.count > 0 || expect->rejected.count > 0 ||
                   expect->golden != NULL || expect->schema != NULL;
    for (size_t i = 0; i < expect->xpath_count && !is_read; i++) {
        is_read = !expect->xpaths[i].is_simple;
    }
    return is_read;
}

/* A simple path needs the text only to find out why it fails, once. */
bool checks_need_document(const struct checks *checks)
{
    const struct expect *expect = checks->expect;
    bool is_needed = expect->texts.count > 0 || expect->rejected.count > 0 ||
                     expect->golden != NULL || expect->schema != NULL;
    for (size_t i = 0; i < expect->xpath_count && !is_needed; i++) {
        is_needed = !expect->xpaths[i].is_simple || checks->advice[i] == NULL;
    }
    return is_needed;
}

/* The answer's tree for the reader; false when there is none. */
static bool set_tree(struct checks *checks, const struct intake_facts *facts)
{
    if (!checks->has_tree) {
        checks->has_tree = true;
        checks->tree = facts->document.len == 0
                           ? NULL
                           : document_parse(checks->document, facts->document, facts->charset);
        if (checks->tree != NULL) {
            xpath_reader_set(checks->reader, checks->tree);
        }
    }
    return checks->tree != NULL;
}

static const char *advice_of(struct checks *checks, size_t index, const struct intake_facts *facts)
{
    if (checks->advice[index] == NULL && set_tree(checks, facts)) {
        struct buf advice;
        buf_init(&advice);
        (void)xpath_diagnose(checks->reader, &checks->expect->xpaths[index], &advice);
        checks->advice[index] = buf_take(&advice);
    }
    return checks->advice[index] == NULL ? "" : checks->advice[index];
}

static bool xpath_passes(struct checks *checks, size_t index, const struct intake_facts *facts,
                         const struct watch *watch, struct buf *sentence)
{
    const struct xpath *xpath = &checks->expect->xpaths[index];
    bool is_true = xpath->is_simple && watch != NULL
                       ? watch_has_found(watch, index)
                       : set_tree(checks, facts) && xpath_is_true(checks->reader, xpath);
    if (!is_true) {
        buf_printf(sentence, "XPath %.*s is not true%s",
                   STR_ARG(str_slice(str_from(xpath->text), 0, SHOWN_TEXT)),
                   advice_of(checks, index, facts));
    }
    return is_true;
}

static bool texts_pass(struct checks *checks, const struct intake_facts *facts,
                       struct buf *sentence)
{
    const struct expect *expect = checks->expect;
    struct str text;
    if (expect->texts.count == 0 && expect->rejected.count == 0) {
        return true;
    }
    if (!document_text(facts->document, facts->charset, &checks->converted, &text)) {
        buf_append_str(sentence, STR("the text does not convert to UTF-8"));
        return false;
    }
    for (size_t i = 0; i < expect->texts.count; i++) {
        struct str wanted = str_from(expect->texts.items[i]);
        if (str_find(text, wanted) == SIZE_MAX) {
            buf_printf(sentence, "the text \"%.*s\" is missing",
                       STR_ARG(str_slice(wanted, 0, SHOWN_TEXT)));
            return false;
        }
    }
    for (size_t i = 0; i < expect->rejected.count; i++) {
        struct str unwanted = str_from(expect->rejected.items[i]);
        if (str_find(text, unwanted) != SIZE_MAX) {
            buf_printf(sentence, "the text \"%.*s\" is there",
                       STR_ARG(str_slice(unwanted, 0, SHOWN_TEXT)));
            return false;
        }
    }
    return true;
}

static bool action_passes(const struct checks *checks, const struct reply_facts *reply,
                          struct buf *sentence)
{
    struct str wanted = str_from(checks->expect->action);
    if (checks->expect->validate != VALIDATE_FULL || wanted.len == 0 || reply->action.len == 0 ||
        str_equals(reply->action, wanted)) {
        return true;
    }
    buf_printf(sentence, "wsa:Action is %.*s", STR_ARG(str_slice(reply->action, 0, 200)));
    return false;
}

static bool golden_passes(struct checks *checks, const struct intake_facts *facts,
                          struct buf *sentence)
{
    const struct expect *expect = checks->expect;
    if (expect->golden == NULL) {
        return true;
    }
    buf_append_str(sentence, STR("unlike the golden answer: "));
    if (!set_tree(checks, facts)) {
        buf_append_str(sentence, STR("there is no tree of it"));
        return false;
    }
    size_t start = sentence->len;
    bool is_like = golden_is_like(expect->golden, checks->tree, checks->reader, expect->ignored,
                                  expect->ignored_count, sentence);
    if (is_like) {
        CHECK(sentence->len == start);
        buf_reset(sentence);
    }
    return is_like;
}

static xmlNodePtr body_of(xmlDocPtr tree)
{
    xmlNodePtr node = xmlDocGetRootElement(tree)->children;
    while (node != NULL &&
           (node->type != XML_ELEMENT_NODE || strcmp((const char *)node->name, "Body") != 0)) {
        node = node->next;
    }
    return node;
}

static bool schema_passes(struct checks *checks, const struct intake_facts *facts,
                          struct buf *sentence)
{
    if (checks->schema == NULL) {
        return true;
    }
    xmlNodePtr body = set_tree(checks, facts) ? body_of(checks->tree) : NULL;
    buf_append_str(sentence, STR("schema: "));
    if (body == NULL) {
        buf_append_str(sentence, STR("there is no tree of it"));
        return false;
    }
    bool is_valid = schema_is_valid(checks->schema, body, sentence);
    if (is_valid) {
        buf_reset(sentence);
    }
    return is_valid;
}

enum step checks_find(struct checks *checks, const struct intake_facts *facts,
                      const struct watch *watch, struct buf *sentence)
{
    checks->has_tree = false;
    checks->tree = NULL;
    if (!action_passes(checks, facts->reply, sentence)) {
        return STEP_ACTION;
    }
    for (size_t i = 0; i < checks->expect->xpath_count; i++) {
        if (!xpath_passes(checks, i, facts, watch, sentence)) {
            return STEP_XPATH;
        }
    }
    if (!texts_pass(checks, facts, sentence)) {
        return STEP_TEXT;
    }
    if (!golden_passes(checks, facts, sentence)) {
        return STEP_GOLDEN;
    }
    return schema_passes(checks, facts, sentence) ? STEP_NONE : STEP_SCHEMA;
}
