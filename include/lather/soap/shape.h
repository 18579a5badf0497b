/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_SHAPE_H
#define LATHER_SOAP_SHAPE_H

#include <stdbool.h>
#include <stddef.h>

#include "lather/base/str.h"

/*
 * What of a good answer must be the same in another for the same verdict, where texts decide
 * nothing: all markup, byte for byte, and the texts of RelatesTo and Action. All other texts of
 * elements below Body's or Header's children may be any plain ones. All zero is empty; nothing is
 * like an empty one.
 */
struct shape {
    struct shape_gap *gaps; /* the texts that may differ, in order */
    size_t count;
    size_t capacity;
    size_t id_gap; /* which of them is the request's id, to be the same; SIZE_MAX: none */
};

/* Frees what it holds; it is empty again. */
void shape_deinit(struct shape *shape);

/* Empty again; its memory is kept. */
void shape_reset(struct shape *shape);

/*
 * The shape of a body that was read as a good envelope without a Fault, in UTF-8. id is where in
 * it the text of RelatesTo stands when that is the request's id, else empty. The shape is empty
 * when nothing in the body may differ, or when something in it is not elements and texts (a
 * comment, a CDATA section). One walk over the body.
 */
void shape_take(struct shape *shape, struct str body, struct str id);

/*
 * Whether the body has the shape that was taken of `model`, with this id in its place. A
 * comparison: about 1 ns for a byte of text, less for one of markup; allocates nothing.
 */
bool shape_has(const struct shape *shape, struct str model, struct str body, struct str id);

#endif
