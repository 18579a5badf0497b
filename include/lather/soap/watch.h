/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_WATCH_H
#define LATHER_SOAP_WATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "lather/base/check.h"
#include "lather/soap/sax.h"
#include "lather/soap/xpath.h"

/*
 * Looks for the simple paths (soap/path.h) among a list of expressions while an answer is read, so
 * that they cost no tree. One a stream, one thread; it takes no memory beyond its first.
 */
struct watch;

/* xpaths are borrowed; NULL when none of them is simple. watch_free takes NULL. */
struct watch *watch_new(const struct xpath *xpaths, size_t count) MUST_USE;
void watch_free(struct watch *watch);

/* To be told of each element that begins; a root starts anew. */
void watch_start(struct watch *watch, const struct sax_element *element);

/* Whether the i-th expression of the list, which must be simple, was found since the last root. */
bool watch_has_found(const struct watch *watch, size_t index);

#endif
