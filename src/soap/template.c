/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Filling requests: the part of templates that runs for every one of them. Nothing is searched,
 * parsed, checked or allocated here; the builder has settled where each slot lies and how long it
 * can get. The values keep a copy of the template's image, and only the slots in it are written.
 */
#include "lather/soap/template.h"

#include <stdlib.h>
#include <string.h>

#include "lather/soap/template_layout.h"
#include "lather/soap/template_source.h"

struct template_values {
    const struct template *template; /* whose image is in storage */
    size_t capacity;                 /* of memory */
    size_t row;
    size_t id_len;
    struct str *texts;
    char *storage;
    max_align_t memory[];
};

/* What the slots of one request have in common. */
struct facts {
    struct stamp now;
    uint64_t number;
    size_t body_bytes;
};

void template_free(struct template *template)
{
    if (template == NULL) {
        return;
    }
    for (size_t i = 0; i < template->slot_count; i++) {
        free(template->slots[i].cells);
    }
    free(template->frozen);
    free(template->pieces);
    free(template->slots);
    free(template->image);
    free(template->key);
    free(template->id_parts);
    buf_deinit(&template->cell_texts);
    buf_deinit(&template->id_literals);
    free(template);
}

bool template_is_constant(const struct template *template)
{
    return template->slot_count == 0;
}

bool template_uses_data(const struct template *template)
{
    return template->uses_data;
}

size_t template_piece_count(const struct template *template)
{
    return template->piece_count;
}

size_t template_least_body_bytes(const struct template *template)
{
    return template->fixed_body_bytes;
}

size_t template_values_bytes(const struct template *template)
{
    return template->text_count * sizeof(struct str) + template->storage_bytes;
}

struct template_values *template_values_new(size_t bytes)
{
    struct template_values *values = check_malloc(sizeof(*values) + bytes);
    *values = (struct template_values){.capacity = bytes};
    return values;
}

void template_values_free(struct template_values *values)
{
    free(values);
}

/* Puts the image of another template into the values. */
static void set_template(struct template_values *values, const struct template *template)
{
    CHECK(template_values_bytes(template) <= values->capacity);
    values->template = template;
    values->texts = (struct str *)(void *)values->memory;
    values->storage = (char *)(values->texts + template->text_count);
    if (template->image_bytes > 0) {
        memcpy(values->storage, template->image, template->image_bytes);
    }
}

static size_t put_unsigned(uint64_t value, char *target)
{
    char digits[20];
    size_t count = 0;
    do {
        digits[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    for (size_t i = 0; i < count; i++) {
        target[i] = digits[count - 1 - i];
    }
    return count;
}

static size_t put_signed(int64_t value, char *target)
{
    if (value >= 0) {
        return put_unsigned((uint64_t)value, target);
    }
    target[0] = '-';
    return 1 + put_unsigned(0 - (uint64_t)value, target + 1);
}

static size_t put_random(const struct slot *slot, struct template_source *source, char *target)
{
    uint64_t drawn =
        slot->span == UINT64_MAX ? rng_next(&source->rng) : rng_below(&source->rng, slot->span + 1);
    return put_signed((int64_t)((uint64_t)slot->least + drawn), target);
}

static size_t put_nonce(const struct template_slot *slot, struct template_source *source,
                        struct template_values *values, char *target)
{
    char *nonce = values->storage + slot->nonce;
    memcpy(nonce, ids_take(&source->ids, WSSE_NONCE_BYTES), WSSE_NONCE_BYTES);
    return wsse_put_base64(nonce, WSSE_NONCE_BYTES, target);
}

/* A text of ASCII characters, whatever they are encoded in; returns how many. */
static size_t take_ascii(struct str stored, enum insert_encoding encoding, char *target)
{
    size_t unit = insert_unit_bytes(encoding);
    size_t first = encoding == INSERT_UTF16BE ? 1 : 0;
    size_t len = stored.len / unit;
    for (size_t i = 0; i < len; i++) {
        target[i] = stored.data[first + i * unit];
    }
    return len;
}

/* What a slot was filled with, as it is sent. */
static struct str filled_text(const struct template_slot *slot,
                              const struct template_values *values)
{
    return slot->is_fixed ? str_of(values->storage + slot->offset, slot->room)
                          : values->texts[slot->text];
}

static size_t put_digest(const struct template *template, const struct template_slot *slot,
                         const struct template_values *values, char *target)
{
    char created[TEMPLATE_RAW_CEILING];
    size_t created_len = 0;
    struct str nonce = str_of(NULL, 0);
    if (slot->nonce != SIZE_MAX) {
        nonce = str_of(values->storage + slot->nonce, WSSE_NONCE_BYTES);
    }
    if (slot->created != SIZE_MAX) {
        const struct template_slot *moment = &template->slots[slot->created];
        created_len = take_ascii(filled_text(moment, values), moment->slot.place.encoding, created);
    }
    wsse_put_digest(nonce, str_of(created, created_len), template->key, target);
    return WSSE_DIGEST_TEXT_BYTES;
}

/* The slot's text before it is escaped or widened. */
static size_t put_raw(const struct template *template, const struct template_slot *slot,
                      struct template_source *source, struct template_values *values,
                      const struct facts *facts, char *target)
{
    switch (slot->slot.kind) {
    case SLOT_UUID:
        return ids_put_uuid(&source->ids, slot->slot.style, target);
    case SLOT_NOW:
        return stamp_format_put(&slot->slot.format, stamp_plus(facts->now, slot->slot.distance),
                                target);
    case SLOT_COUNTER:
        return put_unsigned(slot->slot.start + facts->number, target);
    case SLOT_RANDOM:
        return put_random(&slot->slot, source, target);
    case SLOT_WORKER:
        return put_unsigned(source->worker, target);
    case SLOT_NONCE:
        return put_nonce(slot, source, values, target);
    case SLOT_DIGEST:
        return put_digest(template, slot, values, target);
    case SLOT_LENGTH:
        return put_unsigned(facts->body_bytes, target);
    default:
        return 0;
    }
}

static struct str data_text(const struct template *template, const struct template_slot *slot,
                            size_t row)
{
    return slot->cells != NULL ? slot->cells[row]
                               : csv_cell(template->data, row, slot->slot.column);
}

/* Fills one slot; returns its length. */
static size_t fill_slot(const struct template *template, const struct template_slot *slot,
                        struct template_source *source, struct template_values *values,
                        const struct facts *facts)
{
    char *place = values->storage + slot->offset;
    size_t len;
    if (slot->slot.kind == SLOT_DATA) {
        struct str text = data_text(template, slot, values->row);
        values->texts[slot->text] = text;
        return text.len;
    }
    if (slot->same_as != SIZE_MAX) {
        memcpy(place, values->storage + template->slots[slot->same_as].offset, slot->room);
        len = slot->room;
    } else if (slot->is_plain) {
        len = put_raw(template, slot, source, values, facts, place);
    } else {
        char raw[TEMPLATE_RAW_CEILING];
        len = put_raw(template, slot, source, values, facts, raw);
        len = insert_put(slot->slot.place, str_of(raw, len), place);
    }
    if (!slot->is_fixed) {
        values->texts[slot->text] = str_of(place, len);
    }
    return len;
}

/* One part of the content of wsa:MessageID; returns its length. */
static size_t put_id_part(const struct template *template, const struct template_id_part *part,
                          const struct template_values *values, char *target)
{
    struct str text =
        str_slice(buf_view(&template->id_literals), part->from, part->from + part->len);
    if (part->slot != SIZE_MAX) {
        const struct template_slot *slot = &template->slots[part->slot];
        if (slot->slot.kind != SLOT_DATA) {
            return take_ascii(filled_text(slot, values), slot->slot.place.encoding, target);
        }
        text = csv_cell(template->data, values->row, slot->slot.column);
    }
    if (text.len > 0) {
        memcpy(target, text.data, text.len);
    }
    return text.len;
}

static void compose_id(const struct template *template, struct template_values *values)
{
    char *id = values->storage + template->id_offset;
    size_t len = 0;
    for (size_t i = 0; i < template->id_part_count; i++) {
        len += put_id_part(template, &template->id_parts[i], values, id + len);
    }
    CHECK(len <= template->id_room);
    values->id_len = len;
}

static bool take_facts(const struct template *template, struct template_source *source,
                       struct template_values *values, struct facts *facts)
{
    *facts = (struct facts){.body_bytes = template->fixed_body_bytes};
    if (template->uses_data && !feed_next(&source->feed, &values->row)) {
        return false;
    }
    if (template->uses_counter) {
        facts->number = source->counter;
        source->counter += source->step;
    }
    if (template->uses_time) {
        uint64_t wall_ns = source->clock.wall_ns(source->clock.context);
        facts->now = stamp_plus(stamp_of_ns(wall_ns), source->clock_offset);
    }
    return true;
}

enum template_fill_end template_fill(const struct template *template,
                                     struct template_source *source, struct template_values *values)
{
    struct facts facts;
    if (values->template != template) {
        set_template(values, template);
    }
    if (!take_facts(template, source, values, &facts)) {
        return TEMPLATE_DATA_ENDED;
    }
    for (size_t i = 0; i < template->slot_count; i++) {
        const struct template_slot *slot = &template->slots[i];
        size_t len = fill_slot(template, slot, source, values, &facts);
        /* The lengths of fixed slots are in fixed_body_bytes already. */
        facts.body_bytes += slot->is_in_body && !slot->is_fixed ? len : 0;
    }
    if (template->id_part_count > 0) {
        compose_id(template, values);
    }
    return TEMPLATE_FILLED;
}

static struct str piece_text(const struct template *template, const struct template_piece *piece,
                             const struct template_values *values)
{
    switch (piece->kind) {
    case TEMPLATE_PIECE_LITERAL:
        return str_of(template->frozen + piece->from, piece->len);
    case TEMPLATE_PIECE_STORED:
        return str_of(values->storage + piece->from, piece->len);
    default:
        return values->texts[piece->from];
    }
}

/* Head and body are pieces of their own; where they lie side by side they are sent as one. */
size_t template_pieces(const struct template *template, const struct template_values *values,
                       struct str *pieces, size_t *head_bytes, size_t *bytes)
{
    size_t sum = 0;
    size_t before_body = 0;
    size_t count = 0;
    for (size_t i = 0; i < template->piece_count; i++) {
        const struct str text = piece_text(template, &template->pieces[i], values);
        if (count > 0 && pieces[count - 1].data + pieces[count - 1].len == text.data) {
            pieces[count - 1].len += text.len;
        } else {
            pieces[count++] = text;
        }
        sum += text.len;
        before_body = i + 1 == template->head_piece_count ? sum : before_body;
    }
    if (head_bytes != NULL) {
        *head_bytes = before_body;
    }
    if (bytes != NULL) {
        *bytes = sum;
    }
    return count;
}

void template_append(const struct template *template, const struct template_values *values,
                     struct buf *request)
{
    struct str *pieces = check_malloc(template->piece_count * sizeof(*pieces));
    size_t bytes = 0;
    size_t count = template_pieces(template, values, pieces, NULL, &bytes);
    (void)buf_reserve(request, bytes);
    for (size_t i = 0; i < count; i++) {
        buf_append_str(request, pieces[i]);
    }
    free(pieces);
}

struct str template_message_id(const struct template *template,
                               const struct template_values *values)
{
    if (template->id_part_count == 0) {
        return buf_view(&template->id_literals);
    }
    return str_of(values->storage + template->id_offset, values->id_len);
}
