/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gathers the parts of a request: the head with its placeholders, the body with its edits. It
 * knows the order of things and nothing of how they are stored (soap/template_compile). The trap
 * is that places of edits are those of the text that was searched, and not of the bytes.
 */
#include "lather/soap/template_builder.h"

#include <stdlib.h>

#include "lather/soap/template_compile.h"
#include "lather/soap/template_items.h"

struct template_builder {
    struct template_items items;
};

struct template_builder *template_builder_new(const struct csv *data)
{
    struct template_builder *builder = check_calloc(1, sizeof(*builder));
    template_items_init(&builder->items);
    builder->items.data = data;
    return builder;
}

void template_builder_free(struct template_builder *builder)
{
    if (builder == NULL) {
        return;
    }
    template_items_deinit(&builder->items);
    free(builder);
}

void template_builder_add_literal(struct template_builder *builder, struct str bytes)
{
    if (bytes.len > 0) {
        (void)template_items_add_borrowed(&builder->items, bytes);
    }
}

static void add_copy(struct template_builder *builder, struct str bytes)
{
    if (bytes.len > 0) {
        (void)template_items_add_copy(&builder->items, bytes);
    }
}

void template_builder_add_slot(struct template_builder *builder, const struct slot *slot)
{
    CHECK(slot->kind != SLOT_TEXT && (slot->kind != SLOT_LENGTH || !builder->items.is_in_body));
    (void)template_items_add_slot(&builder->items, slot);
}

/* The parts that an edit puts in the place of its bytes. */
static void add_parts(struct template_builder *builder, const struct edits *edits,
                      const struct edit *edit, enum insert_encoding encoding)
{
    bool is_inside_id = edits->has_message_id && edit->from >= edits->message_id_from &&
                        edit->to <= edits->message_id_to;
    for (size_t i = 0; i < edit->part_count; i++) {
        const struct edit_part *part = &edits->parts[edit->first_part + i];
        struct template_item *item =
            part->is_slot ? template_items_add_slot(&builder->items, &edits->slots[part->slot])
                          : template_items_add_copy(&builder->items, edits_text(edits, part));
        item->encoding = encoding;
        item->is_of_message_id = is_inside_id || part->is_of_message_id;
    }
}

bool template_builder_add_text(struct template_builder *builder,
                               const struct placeholder_text *text, const struct slot_names *names,
                               struct err *err)
{
    struct edits edits;
    edits_init(&edits);
    if (names != NULL && !placeholder_find(text, names, &edits, err)) {
        edits_deinit(&edits);
        return false;
    }
    size_t at = 0;
    for (size_t i = 0; i < edits.count; i++) {
        const struct edit *edit = &edits.list[i];
        add_copy(builder, str_slice(text->text, at, edit->from));
        add_parts(builder, &edits, edit, text->encoding);
        at = edit->to;
    }
    add_copy(builder, str_slice(text->text, at, text->text.len));
    edits_deinit(&edits);
    return true;
}

/* "POST /path HTTP/1.1": only the middle is a URL's. */
static bool add_request_line(struct template_builder *builder, struct str line,
                             const struct slot_names *names, struct err *err)
{
    size_t from = str_find_byte(line, ' ');
    from = from == SIZE_MAX ? line.len : from + 1;
    size_t to = line.len;
    while (to > from && line.data[to - 1] != ' ') {
        to--;
    }
    to = to > from ? to - 1 : line.len;
    const struct placeholder_text target = {
        .text = str_slice(line, from, to), .kind = PLACEHOLDER_PATH, .name = "the URL"};
    add_copy(builder, str_slice(line, 0, from));
    bool good = template_builder_add_text(builder, &target, names, err);
    add_copy(builder, str_slice(line, to, line.len));
    return good;
}

/* "Name: value" with its line end. */
static bool add_field(struct template_builder *builder, struct str line,
                      const struct slot_names *names, bool *counts_length, struct err *err)
{
    size_t colon = str_find_byte(line, ':');
    struct str name = str_slice(line, 0, colon);
    if (*counts_length && str_equals_nocase(name, STR("Content-Length"))) {
        *counts_length = false;
        add_copy(builder, name);
        add_copy(builder, STR(": "));
        template_builder_add_slot(builder, &(struct slot){.kind = SLOT_LENGTH});
        add_copy(builder, STR("\r\n"));
        return true;
    }
    char *place = str_dup(str_slice(name, 0, 100));
    const struct placeholder_text text = {.text = line, .kind = PLACEHOLDER_HEADER, .name = place};
    bool good = template_builder_add_text(builder, &text, names, err);
    free(place);
    return good;
}

bool template_builder_add_head(struct template_builder *builder, struct str head,
                               const struct slot_names *names, enum template_length length,
                               struct err *err)
{
    bool counts_length = length == TEMPLATE_LENGTH_COUNTED;
    bool is_first = true;
    while (head.len > 0) {
        size_t end = str_find_byte(head, '\n');
        struct str line = str_slice(head, 0, end == SIZE_MAX ? end : end + 1);
        head = str_slice(head, line.len, head.len);
        if (is_first ? !add_request_line(builder, line, names, err)
                     : !add_field(builder, line, names, &counts_length, err)) {
            return false;
        }
        is_first = false;
    }
    return true;
}

void template_builder_begin_body(struct template_builder *builder)
{
    builder->items.is_in_body = true;
}

/* Adds bytes [from, to), cut where the content of wsa:MessageID begins and ends. */
static void add_run(struct template_builder *builder, const struct body_text *body, size_t from,
                    size_t to, const size_t id[2])
{
    const size_t cuts[] = {from, id[0], id[1], to};
    for (size_t i = 0; i < 3; i++) {
        size_t begin = cuts[i] < from ? from : cuts[i];
        size_t end = cuts[i + 1] > to ? to : cuts[i + 1];
        if (begin < end) {
            struct template_item *item =
                template_items_add_borrowed(&builder->items, str_slice(body->bytes, begin, end));
            item->is_of_message_id = i == 1;
            item->encoding = body->encoding;
        }
    }
}

/* Where the content of wsa:MessageID is among the bytes; at their end when there is none. */
static void find_id(const struct body_text *body, const struct edits *edits, size_t id[2])
{
    struct body_text_cursor cursor = {0};
    id[0] = body->bytes.len;
    id[1] = body->bytes.len;
    if (edits->has_message_id) {
        id[0] = body_text_offset(body, &cursor, edits->message_id_from);
        id[1] = body_text_offset(body, &cursor, edits->message_id_to);
    }
}

void template_builder_add_body(struct template_builder *builder, const struct body_text *body,
                               struct edits *edits)
{
    struct body_text_cursor cursor = {0};
    size_t at = 0;
    size_t id[2];
    CHECK(builder->items.is_in_body);
    edits_sort(edits);
    find_id(body, edits, id);
    for (size_t i = 0; i < edits->count; i++) {
        const struct edit *edit = &edits->list[i];
        add_run(builder, body, at, body_text_offset(body, &cursor, edit->from), id);
        add_parts(builder, edits, edit, body->encoding);
        at = body_text_offset(body, &cursor, edit->to);
    }
    add_run(builder, body, at, body->bytes.len, id);
    if (edits->key != NULL && builder->items.key == NULL) {
        builder->items.key = check_malloc(sizeof(*edits->key));
        *builder->items.key = *edits->key;
    }
}

void template_builder_set_message_id(struct template_builder *builder, struct str message_id)
{
    buf_reset(&builder->items.message_id);
    buf_append_str(&builder->items.message_id, message_id);
}

struct template *template_builder_finish(struct template_builder *builder)
{
    struct template *template = template_compile(&builder->items);
    template_builder_free(builder);
    return template;
}
