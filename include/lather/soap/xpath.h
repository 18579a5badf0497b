/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_XPATH_H
#define LATHER_SOAP_XPATH_H

#include <stdbool.h>
#include <stddef.h>

#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/base/str.h"
#include "lather/soap/namespaces.h"
#include "lather/soap/path.h"

/*
 * An expression of XPath 1.0 that is to be true of an answer: a boolean is itself, a node-set must
 * not be empty, a number not 0, a string not empty. "~Name" is Name in any namespace; a path
 * outside of predicates that begins with it looks for it anywhere. Frozen; any thread reads it.
 */
struct xpath {
    char *text;         /* as given */
    char *expanded;     /* as libxml2 takes it */
    char *relaxed;      /* with every element name in any namespace */
    bool selects_nodes; /* not a boolean, a number or a string */
    bool is_simple;     /* `path` says it all: no tree is needed */
    struct path path;
};

/*
 * Checks an expression: syntax, prefixes, functions and what they are given; variables, and paths
 * that no envelope has, are refused (soap/xpath_check.h). The sentence in err names the place. On
 * failure nothing is held.
 */
bool xpath_parse(struct xpath *xpath, struct str text, const struct namespaces *namespaces,
                 struct err *err) MUST_USE;
void xpath_deinit(struct xpath *xpath);

struct _xmlDoc;
struct _xmlNode;

/* What evaluates expressions on documents. One a thread, kept for many documents. */
struct xpath_reader;

/* A reader of expressions with these prefixes, which must outlive it; xpath_reader_free takes NULL.
 */
struct xpath_reader *xpath_reader_new(const struct namespaces *namespaces) MUST_USE;
void xpath_reader_free(struct xpath_reader *reader);

/* The document that what follows is about; borrowed. */
void xpath_reader_set(struct xpath_reader *reader, struct _xmlDoc *document);

/* Whether the expression is true of the document. xpath must stay where it is for good. */
bool xpath_is_true(struct xpath_reader *reader, const struct xpath *xpath);

/* The nodes an expression selects, each given to `take`; none when it is no node-set. */
void xpath_select(struct xpath_reader *reader, const struct xpath *xpath,
                  void (*take)(void *context, struct _xmlNode *node), void *context);

/*
 * Why an expression is not true: when only namespaces are in the way, appends a sentence that names
 * the one that would do and returns true. Slow: once an expression is enough.
 */
bool xpath_diagnose(struct xpath_reader *reader, const struct xpath *xpath, struct buf *sentence);

#endif
