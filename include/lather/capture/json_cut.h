/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CAPTURE_JSON_CUT_H
#define LATHER_CAPTURE_JSON_CUT_H

#include <stdbool.h>

#include "lather/base/buf.h"
#include "lather/base/str.h"

/*
 * Steps over the members of a JSON object or the elements of an array, each as a slice of the text.
 * A walk over all of them is linear, needs no memory and no stack, and works on a text whose end is
 * cut off. What is inside a slice is not checked.
 */
struct json_cut {
    const char *at;
    const char *end;
    bool is_object;
    bool is_begun;
    bool is_cut;     /* the value just given has no end: the text ends first */
    bool is_damaged; /* the walk ended where the text is no JSON, or no container began */
};

/* Starts a walk over what begins at value's first character that is not blank. */
void json_cut_begin(struct json_cut *cut, struct str value);

/*
 * The next value, and its key without quotes in an object (empty in an array); escapes are as
 * written. False at the end and at damage. Blanks around value are taken off.
 */
bool json_cut_next(struct json_cut *cut, struct str *key, struct str *value);

/* The first member of that name (plain ASCII); false and an empty value when there is none. */
bool json_cut_find(struct str object, struct str key, struct str *value);

/* Whether the value begins with that character: '{', '[' or '"'. */
bool json_cut_begins(struct str value, char with);

/*
 * Appends a string's text, decoded, or a number, true or false as written. False for null, for
 * containers and for strings that are no JSON or no UTF-8; nothing is appended then.
 */
bool json_cut_text(struct str value, struct buf *text) MUST_USE;

/* The text of a member as a new NUL-ended string, or NULL. A NUL inside ends it early. */
char *json_cut_member(struct str object, struct str key) MUST_USE;

#endif
