/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_BASE_STEP_H
#define LATHER_BASE_STEP_H

#include <stdbool.h>

#include "lather/base/str.h"

/*
 * The checks an answer goes through, each of which counts what it alone refused: outcomes say what
 * became of a request, steps say why. docs/VERDICT.md tells of each. STEP_NONE: nothing was found.
 */
enum step {
    STEP_NONE = 0,
    STEP_SIZE,       /* larger or deeper than a ceiling */
    STEP_DECODING,   /* Content-Encoding could not be undone */
    STEP_STATUS,     /* HTTP status not expected, no Fault inside */
    STEP_MEDIA_TYPE, /* a media type that holds no XML */
    STEP_EMPTY,      /* no body where one was to come */
    STEP_MULTIPART,  /* no root part to read */
    STEP_CHARSET,    /* a charset that is not known */
    STEP_DTD,
    STEP_XML,      /* not well-formed */
    STEP_CUT_OFF,  /* well-formed as far as it goes */
    STEP_ENVELOPE, /* another root, or Header and Body not as they should be */
    STEP_FAULT,
    STEP_NO_FAULT, /* --expect-fault, and there is none */
    STEP_RELATES_TO,
    STEP_ACTION,
    STEP_XPATH,
    STEP_TEXT,
    STEP_GOLDEN,
    STEP_SCHEMA,
    STEP_TIME,
    STEP_LENGTH, /* --same-length */
    STEP_COUNT
};

/* The word in reports and results: "media_type"; that of STEP_NONE is "none". Never NULL. */
const char *step_name(enum step step);

/* The step of a word; false when there is none of that name. */
bool step_parse(struct str name, enum step *step) MUST_USE;

#endif
