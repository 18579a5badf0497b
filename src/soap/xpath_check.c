/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Refuses what no answer could make right. libxml2 compiles calls of functions without looking at
 * them: a wrong one fails when it is reached, which would be a failed request each time, or a good
 * one inside of not(). Reached it is by what stands around it, so every part is evaluated here on
 * its own: each predicate as an expression, and "and" and "or", which may leave their right side
 * alone, as "=", which never does and takes the same operands.
 */
#include "lather/soap/xpath_check.h"

#include <libxml/tree.h>
#include <libxml/xpath.h>
#include <libxml/xpathInternals.h>
#include <stdlib.h>

#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/soap/lexis.h"

static void ignore_error(void *context, xmlErrorPtr error)
{
    (void)context;
    (void)error;
}

/* --- names ----------------------------------------------------------------------------------- */

static bool is_function(const struct lexis_token *token)
{
    xmlXPathContextPtr context = xmlXPathNewContext(NULL);
    CHECK(context != NULL);
    char *name = str_dup(token->name);
    bool is_known =
        token->prefix.len == 0 && xmlXPathFunctionLookup(context, (const xmlChar *)name) != NULL;
    free(name);
    xmlXPathFreeContext(context);
    return is_known;
}

/* The document has one element, the Envelope, and no attributes. */
static bool check_start(const struct lexis_token *token, struct err *err)
{
    struct str name = str_slice(token->text, 0, 100);
    if (!token->begins_path || str_equals(token->name, STR("*")) ||
        (token->kind == LEXIS_NAME && str_equals(token->name, STR("Envelope")))) {
        return true;
    }
    const char *at = token->kind == LEXIS_ATTRIBUTE ? "@" : "";
    return err_set(err, ERR_USAGE,
                   "a path starts at the document, which has no %s%.*s, only the Envelope: write "
                   "//%s%.*s to find it anywhere",
                   at, STR_ARG(name), at, STR_ARG(name));
}

static bool check_token(const struct lexis_token *token, const struct namespaces *namespaces,
                        struct err *err)
{
    const char *uri;
    struct str prefix = str_slice(token->prefix, 0, 100);
    switch (token->kind) {
    case LEXIS_VARIABLE:
        return err_set(err, ERR_USAGE, "there are no variables, such as %.*s",
                       STR_ARG(str_slice(token->text, 0, 100)));
    case LEXIS_FUNCTION:
        return is_function(token) ||
               err_set(err, ERR_USAGE, "there is no function %.*s in XPath 1.0",
                       STR_ARG(str_slice(token->text, 0, 100)));
    case LEXIS_NAME:
    case LEXIS_ATTRIBUTE:
        if (prefix.len > 0 && !str_equals(prefix, STR("xml")) &&
            namespaces_find(namespaces, prefix, &uri) == NAMESPACE_UNKNOWN) {
            return err_set(err, ERR_USAGE,
                           "the prefix %.*s is not declared: give it with --ns %.*s=URI",
                           STR_ARG(prefix), STR_ARG(prefix));
        }
        return check_start(token, err);
    default:
        return true;
    }
}

bool xpath_check_names(struct str text, const struct namespaces *namespaces, struct err *err)
{
    struct lexis lexis;
    lexis_begin(&lexis, text);
    for (struct lexis_token token = lexis_next(&lexis); token.kind != LEXIS_END;
         token = lexis_next(&lexis)) {
        if (!check_token(&token, namespaces, err)) {
            return false;
        }
    }
    return true;
}

/* --- evaluation ------------------------------------------------------------------------------ */

/* An empty document, and every prefix that names may have. */
static xmlXPathContextPtr new_probe(const struct namespaces *namespaces)
{
    static const char *const followers[] = {"s", "soap", "a", "wsa"};
    xmlXPathContextPtr context = xmlXPathNewContext(NULL);
    CHECK(context != NULL);
    context->error = ignore_error;
    for (size_t i = 0; i < sizeof followers / sizeof *followers; i++) {
        (void)xmlXPathRegisterNs(context, (const xmlChar *)followers[i], (const xmlChar *)"urn:x");
    }
    for (size_t i = 0; i < namespaces->count; i++) {
        (void)xmlXPathRegisterNs(context, (const xmlChar *)namespaces->entries[i].prefix,
                                 (const xmlChar *)namespaces->entries[i].uri);
    }
    context->doc = xmlNewDoc((const xmlChar *)"1.0");
    CHECK(context->doc != NULL);
    context->node = (xmlNodePtr)context->doc;
    return context;
}

static void free_probe(xmlXPathContextPtr context)
{
    xmlFreeDoc(context->doc);
    xmlXPathFreeContext(context);
}

/* libxml2 takes the end for a closing parenthesis, and for what stands behind "|". */
static bool is_ended(struct str text)
{
    struct lexis lexis;
    size_t open = 0;
    bool is_union = false;
    lexis_begin(&lexis, text);
    for (struct lexis_token token = lexis_next(&lexis); token.kind != LEXIS_END;
         token = lexis_next(&lexis)) {
        const struct str word = str_trim(token.text);
        open += str_equals(word, STR("("));
        open -= str_equals(word, STR(")"));
        is_union = word.len == 0 ? is_union : str_equals(word, STR("|"));
    }
    return open == 0 && !is_union;
}

/* libxml2 tells where it stopped: the sentence shows what is left from there. */
static bool check_syntax(xmlXPathContextPtr probe, const char *text, struct err *err)
{
    xmlXPathCompExprPtr compiled = xmlXPathCtxtCompile(probe, (const xmlChar *)text);
    if (compiled != NULL) {
        xmlXPathFreeCompExpr(compiled);
        return is_ended(str_from(text)) || err_set(err, ERR_USAGE, "not an expression at its end");
    }
    const char *message = probe->lastError.message;
    struct str words = str_trim(str_from(message == NULL ? "not an expression" : message));
    size_t at = probe->lastError.int1 > 0 ? (size_t)probe->lastError.int1 : 0;
    struct str rest = str_slice(str_from(text), at, SIZE_MAX / 2);
    if (rest.len == 0) {
        return err_set(err, ERR_USAGE, "%.*s at its end", STR_ARG(words));
    }
    return err_set(err, ERR_USAGE, "%.*s at \"%.*s\"", STR_ARG(words),
                   STR_ARG(str_slice(rest, 0, 60)));
}

static bool check_code(int code, const char *message, struct str part, struct err *err)
{
    struct str shown = str_slice(part, 0, 60);
    switch (code) {
    case XML_ERR_OK:
        return true;
    case XML_XPATH_INVALID_ARITY:
        return err_set(err, ERR_USAGE, "a function has too many arguments, or too few, in \"%.*s\"",
                       STR_ARG(shown));
    case XML_XPATH_INVALID_TYPE:
        return err_set(err, ERR_USAGE, "a part is of the wrong type, as in count(1), in \"%.*s\"",
                       STR_ARG(shown));
    case XML_XPATH_INVALID_CTXT_SIZE:
    case XML_XPATH_INVALID_CTXT_POSITION:
        return err_set(err, ERR_USAGE, "last() and position() are of nodes: write them in [ ]");
    default:
        return err_set(err, ERR_USAGE, "it can never be evaluated: %.*s in \"%.*s\"",
                       STR_ARG(str_trim(str_from(message == NULL ? "an error" : message))),
                       STR_ARG(shown));
    }
}

static bool evaluate(xmlXPathContextPtr probe, struct str part, enum xpath_result *result,
                     struct err *err)
{
    char *text = str_dup(part);
    xmlResetError(&probe->lastError);
    xmlXPathObjectPtr object = xmlXPathEval((const xmlChar *)text, probe);
    *result =
        object != NULL && object->type == XPATH_NODESET ? XPATH_CHECK_NODES : XPATH_CHECK_VALUE;
    xmlXPathFreeObject(object);
    free(text);
    return check_code(probe->lastError.code, probe->lastError.message, part, err);
}

/* "and" and "or" as " = ": what binds weaker than "=" takes any type, and gives a boolean too. */
static char *evaluate_all(struct str text)
{
    struct buf target;
    struct lexis lexis;
    buf_init(&target);
    lexis_begin(&lexis, text);
    for (struct lexis_token token = lexis_next(&lexis); token.kind != LEXIS_END;
         token = lexis_next(&lexis)) {
        const bool is_junction =
            token.kind == LEXIS_OPERATOR &&
            (str_equals(token.text, STR("and")) || str_equals(token.text, STR("or")));
        buf_append_str(&target, is_junction ? STR("=") : token.text);
    }
    return buf_take(&target);
}

/* What stands between a "[" and its "]"; text begins behind the "[". */
static struct str predicate_at(struct str text)
{
    struct lexis lexis;
    size_t depth = 1;
    lexis_begin(&lexis, text);
    for (struct lexis_token token = lexis_next(&lexis); token.kind != LEXIS_END;
         token = lexis_next(&lexis)) {
        depth += str_equals(token.text, STR("["));
        depth -= str_equals(token.text, STR("]"));
        if (depth == 0) {
            return str_slice(text, 0, text.len - lexis.rest.len - 1);
        }
    }
    return text;
}

static bool check_parts(xmlXPathContextPtr probe, struct str text, enum xpath_result *result,
                        struct err *err)
{
    enum xpath_result inner;
    struct lexis lexis;
    if (!evaluate(probe, text, result, err)) {
        return false;
    }
    lexis_begin(&lexis, text);
    for (struct lexis_token token = lexis_next(&lexis); token.kind != LEXIS_END;
         token = lexis_next(&lexis)) {
        if (!str_equals(token.text, STR("["))) {
            continue;
        }
        probe->contextSize = 1;
        probe->proximityPosition = 1;
        if (!evaluate(probe, predicate_at(lexis.rest), &inner, err)) {
            return false;
        }
    }
    return true;
}

bool xpath_check_evaluation(const char *text, const struct namespaces *namespaces,
                            enum xpath_result *result, struct err *err)
{
    xmlXPathContextPtr probe = new_probe(namespaces);
    bool is_good = check_syntax(probe, text, err);
    if (is_good) {
        char *all = evaluate_all(str_from(text));
        is_good = check_parts(probe, str_from(all), result, err);
        free(all);
    }
    free_probe(probe);
    return is_good;
}
