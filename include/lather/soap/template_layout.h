/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_TEMPLATE_LAYOUT_H
#define LATHER_SOAP_TEMPLATE_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lather/base/buf.h"
#include "lather/base/csv.h"
#include "lather/soap/slot.h"
#include "lather/soap/wsse.h"

/*
 * How a compiled template is laid out: shared by soap/template_builder, which writes it once, and
 * soap/template, which reads it for every request. Nobody else includes this.
 *
 * Slots that are always as long as now lie in `image` together with the short literals between
 * them: a copy of it is in the values, where only the slots are written. All others have a room of
 * their own behind it, or point into the feed, and are listed in the values as texts.
 */
enum { TEMPLATE_RAW_CEILING = 1024 }; /* of a slot before it is escaped, but for the feed's */

enum template_piece_kind {
    TEMPLATE_PIECE_LITERAL = 0, /* at frozen[from] */
    TEMPLATE_PIECE_STORED,      /* at storage[from] */
    TEMPLATE_PIECE_TEXT,        /* the text number `from` of the values */
};

struct template_piece {
    enum template_piece_kind kind;
    size_t from;
    size_t len;
};

/* A slot and where it is filled. */
struct template_slot {
    struct slot slot;
    bool is_fixed; /* always room bytes long, at storage[offset] */
    bool is_plain; /* ASCII that needs no escape: written in place */
    bool is_in_body;
    size_t offset; /* in storage */
    size_t room;
    size_t text;       /* its number among the texts, unless is_fixed */
    size_t nonce;      /* offset of the token's nonce in storage, 16 bytes; SIZE_MAX: none */
    size_t created;    /* slot of the token's moment, filled before; SIZE_MAX: none */
    size_t same_as;    /* slot that holds the same id; SIZE_MAX: none */
    struct str *cells; /* SLOT_DATA: escaped values by row; NULL: as they stand in the feed */
};

/* A part of the content of wsa:MessageID. */
struct template_id_part {
    size_t slot; /* SIZE_MAX: a literal */
    size_t from; /* of a literal, in id_literals */
    size_t len;
};

struct template
{
    char *frozen;
    size_t frozen_bytes;
    struct template_piece *pieces;
    size_t piece_count;
    size_t head_piece_count;     /* those before the body */
    struct template_slot *slots; /* in the order in which they are filled */
    size_t slot_count;
    char *image;
    size_t image_bytes;
    size_t storage_bytes; /* image, rooms, nonces, id */
    size_t text_count;
    size_t fixed_body_bytes;
    bool uses_counter;
    bool uses_data;
    bool uses_time;
    const struct csv *data; /* borrowed */
    struct wsse_key *key;
    struct buf cell_texts; /* what `cells` point into */
    struct template_id_part *id_parts;
    size_t id_part_count;
    struct buf id_literals;
    size_t id_offset; /* in storage */
    size_t id_room;
};

#endif
