/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_XPATH_CHECK_H
#define LATHER_SOAP_XPATH_CHECK_H

#include <stdbool.h>

#include "lather/base/err.h"
#include "lather/base/str.h"
#include "lather/soap/namespaces.h"

/* What an expression of XPath 1.0 results in, whatever the document is. */
enum xpath_result {
    XPATH_CHECK_VALUE = 0, /* a boolean, a number or a string */
    XPATH_CHECK_NODES,
    XPATH_CHECK_RESULT_COUNT
};

/*
 * The names of an expression as it was given, "~Name" in it: variables and functions there are
 * none of, prefixes nobody declared, and paths that no answer can have because they begin at the
 * document with another name than the Envelope's. The sentence in err names what is wrong.
 */
bool xpath_check_names(struct str text, const struct namespaces *namespaces,
                       struct err *err) MUST_USE;

/*
 * What libxml2 can make of an expression without "~": that it compiles to its end, and that no part
 * of it fails wherever it is evaluated: in predicates, and on both sides of "and" and "or". For an
 * expression of n bytes and b brackets this takes time in n * b.
 */
bool xpath_check_evaluation(const char *text, const struct namespaces *namespaces,
                            enum xpath_result *result, struct err *err) MUST_USE;

#endif
