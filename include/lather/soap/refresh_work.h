/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_REFRESH_WORK_H
#define LATHER_SOAP_REFRESH_WORK_H

#include <stdbool.h>
#include <stddef.h>

#include "lather/base/buf.h"
#include "lather/base/err.h"
#include "lather/base/str.h"
#include "lather/soap/coverage.h"
#include "lather/soap/edits.h"
#include "lather/soap/markup.h"
#include "lather/soap/refresh.h"

/*
 * What the parts of soap/refresh share while they walk through a header. Nobody else includes
 * this.
 */
enum { REFRESH_IDS_REMEMBERED = 16 };

struct refresh_work {
    const struct refresh_options *options;
    struct str text;
    enum insert_encoding encoding;
    struct markup *markup;
    struct coverage coverage;
    struct edits *edits;
    struct refresh_result *result;
    struct buf *notes;
    unsigned token_count;
    struct buf ids[REFRESH_IDS_REMEMBERED]; /* captured MessageIDs; equal ones stay equal */
    size_t id_count;
    bool has_security;              /* the first Security header... */
    struct markup_element security; /* ...its start tag... */
    size_t security_end;            /* ...and where its end tag begins */
};

/* Counts a piece that was found, and what is done with it. */
void refresh_work_count(struct refresh_work *work, enum refresh_what what,
                        enum refresh_state state);

/*
 * What may be done with a piece that lies there: REFRESH_RENEWED unless a signature covers it, a
 * template is in it, or nothing may be changed.
 */
enum refresh_state refresh_work_state(const struct refresh_work *work, struct markup_span span);

/* The value of a leaf or attribute, references resolved; the caller deinits it. */
struct buf refresh_work_value(const struct refresh_work *work, struct markup_span value);

/* Begins an edit that gives a leaf a new value; ends it. Parts are added between the two. */
void refresh_work_begin_value(struct refresh_work *work, const struct markup_leaf *leaf);
void refresh_work_end_value(struct refresh_work *work, const struct markup_leaf *leaf);

/* Whether a signature forbids to insert something into an element, at its end tag. */
bool refresh_work_is_closed(const struct refresh_work *work, const struct markup_element *element,
                            size_t at);

/* Begins an edit at the end of an element's content, at its end tag, and ends it. */
void refresh_work_begin_inside(struct refresh_work *work, const struct markup_element *element,
                               size_t at);
void refresh_work_end_inside(struct refresh_work *work, const struct markup_element *element);

/*
 * Adds to the edit that is begun, in the message's encoding: markup in ASCII as it is, a text in
 * UTF-8 escaped as content, or a slot, whose value is written at each request as `context` wants
 * it. What is given is copied.
 */
void refresh_work_add_markup(struct refresh_work *work, struct str markup);
void refresh_work_add_text(struct refresh_work *work, struct str text);
void refresh_work_add_slot(struct refresh_work *work, struct slot slot,
                           enum insert_context context);

/* "<prefix:name>" or "</prefix:name>". */
void refresh_work_add_tag(struct refresh_work *work, const char *open, struct str prefix,
                          const char *name);

/* The slot of a moment in a captured style. */
struct slot refresh_work_moment(struct stamp_style style, struct stamp distance, unsigned token);

#endif
