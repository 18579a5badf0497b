/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_TEMPLATE_COMPILE_H
#define LATHER_SOAP_TEMPLATE_COMPILE_H

#include "lather/base/check.h"

struct template;
struct template_items;

/*
 * Lays a request out: measures its slots, escapes the values of the feed, copies every literal
 * once. Takes the key from the items; all else they hold is copied and can go. Linear in the
 * message and, for columns that need escapes, in the feed.
 */
struct template *template_compile(struct template_items *items) MUST_USE;

#endif
