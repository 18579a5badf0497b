/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_SLOT_H
#define LATHER_SOAP_SLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lather/base/check.h"
#include "lather/base/csv.h"
#include "lather/base/err.h"
#include "lather/base/str.h"
#include "lather/soap/ids.h"
#include "lather/soap/insert.h"
#include "lather/soap/stamp_format.h"

/* What is written anew into each request. */
enum slot_kind {
    SLOT_TEXT = 0, /* the same in each: becomes a part of the message */
    SLOT_COUNTER,
    SLOT_UUID,
    SLOT_NOW,
    SLOT_RANDOM,
    SLOT_WORKER,
    SLOT_DATA,   /* a column of the feed */
    SLOT_NONCE,  /* of a UsernameToken */
    SLOT_DIGEST, /* of a UsernameToken: over its nonce and its moment */
    SLOT_LENGTH, /* bytes of the body */
    SLOT_KIND_COUNT
};

/* One slot; the fields its kind does not name are unused. */
struct slot {
    enum slot_kind kind;
    struct insert_place place;
    struct str text;            /* SLOT_TEXT: as given, not escaped; borrowed */
    uint64_t start;             /* SLOT_COUNTER: the first number */
    int64_t least;              /* SLOT_RANDOM */
    uint64_t span;              /* SLOT_RANDOM: most - least */
    size_t column;              /* SLOT_DATA */
    enum ids_style style;       /* SLOT_UUID */
    unsigned share;             /* SLOT_UUID: those with one number other than 0 are one id */
    unsigned token;             /* SLOT_NONCE, _DIGEST, _NOW: of one UsernameToken; 0: of none */
    struct stamp distance;      /* SLOT_NOW: added to the moment */
    struct stamp_format format; /* SLOT_NOW */
};

/* A value of --var. */
struct slot_variable {
    struct str name;
    struct str value;
};

/* What names in templates can stand for; all borrowed. */
struct slot_names {
    const struct slot_variable *variables;
    size_t variable_count;
    char *(*environment)(const char *name); /* getenv, or a test's own; NULL: there is none */
    const struct csv *data;                 /* NULL: no --data */
};

/*
 * Reads what stands between "${" and "}": counter[:START], uuid, now[:FORMAT][+OFFSET],
 * random:A-B, worker, data.COLUMN, var.NAME, env.NAME. FORMAT is that of stamp_format_parse and
 * without it the moment is written as 2016-01-27T16:40:36.497Z; A and B are included; the counter
 * starts at 1. Fills slot but for its place. The sentence in err says what is wrong, with the
 * nearest name that is known, and not where it stands.
 */
bool slot_parse(struct str expression, const struct slot_names *names, struct slot *slot,
                struct err *err) MUST_USE;

#endif
