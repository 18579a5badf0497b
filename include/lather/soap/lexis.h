/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_LEXIS_H
#define LATHER_SOAP_LEXIS_H

#include <stdbool.h>
#include <stddef.h>

#include "lather/base/str.h"

/* What a piece of an XPath expression is, as far as rewriting needs to know. */
enum lexis_kind {
    LEXIS_END = 0,
    LEXIS_NAME,      /* a name test: "Name", "p:Name"; "p:*" has the name "*" */
    LEXIS_ANY_NAME,  /* "~Name": Name in any namespace, our own short form */
    LEXIS_ATTRIBUTE, /* a name test behind "@" or "attribute::" */
    LEXIS_FUNCTION,  /* the name in front of "(", but for node types */
    LEXIS_VARIABLE,  /* "$name" */
    LEXIS_OPERATOR,  /* one that is a name: "and", "or", "div", "mod" */
    LEXIS_OTHER      /* signs, literals, numbers, axes, blanks: copied as they are */
};

struct lexis_token {
    enum lexis_kind kind;
    struct str text;   /* all of it, as written */
    struct str prefix; /* of a name; empty: none */
    struct str name;
    bool begins_path; /* of a name outside of [ ]: the first step of a path from the document */
};

/* A walk over an expression, in caller's storage. */
struct lexis {
    struct str rest;
    bool operator_may_follow; /* XPath 1.0, 3.7: whether a name here is an operator */
    bool is_attribute;        /* the next name is an attribute's */
    bool continues_path;      /* behind "/" or an axis: the next name is no first step */
    size_t brackets;          /* "[" that are open */
};

/* Stands before the first token; the expression is borrowed. */
void lexis_begin(struct lexis *lexis, struct str expression);

/* The next token; its kind is LEXIS_END behind the last. Tokens together are the expression. */
struct lexis_token lexis_next(struct lexis *lexis);

#endif
