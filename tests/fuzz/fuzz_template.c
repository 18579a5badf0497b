/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A text with templates in it, of each kind: a sentence that names the place, or requests that are
 * the same text outside of the templates. Well-formed XML stays well-formed.
 */
#include <stdlib.h>

#include "fuzz.h"
#include "lather/soap/envelope.h"
#include "lather/soap/template_builder.h"
#include "lather/soap/template_source.h"

static uint64_t fixed_wall_ns(void *context)
{
    (void)context;
    return 1935817689010000000ULL;
}

static struct csv *make_feed(void)
{
    struct csv *feed = NULL;
    struct buf content;
    buf_init(&content);
    buf_append_str(&content, STR("v\n]]>\n\"<a b='\"\"'>&\n\"\n"));
    CHECK(csv_parse("feed.csv", &content, &feed, NULL));
    return feed;
}

/* The pieces, of which those side by side are one, are the request: as long as they say. */
static void check_pieces(const struct template *template, const struct template_values *values,
                         const struct buf *request)
{
    struct str *pieces = check_malloc(template_piece_count(template) * sizeof(*pieces));
    size_t head_bytes;
    size_t bytes;
    size_t at = 0;
    size_t count = template_pieces(template, values, pieces, &head_bytes, &bytes);
    CHECK(count <= template_piece_count(template));
    CHECK(head_bytes == 0 && bytes == request->len);
    for (size_t i = 0; i < count; i++) {
        CHECK(str_equals(pieces[i], str_slice(buf_view(request), at, at + pieces[i].len)));
        at += pieces[i].len;
    }
    CHECK(at == bytes);
    CHECK(template_least_body_bytes(template) <= bytes);
    free(pieces);
}

/* Whether an expression holds what ends a section of XML: that goes, and the section with it. */
static bool hides_an_end(struct str text)
{
    size_t at;
    while ((at = str_find(text, STR("${"))) != SIZE_MAX) {
        text = str_slice(text, at, text.len);
        struct str expression = str_slice(text, 0, str_find_byte(text, '}'));
        bool hides = str_find(expression, STR("]]>")) != SIZE_MAX ||
                     str_find(expression, STR("--")) != SIZE_MAX ||
                     str_find(expression, STR("?>")) != SIZE_MAX ||
                     str_find_byte(expression, '<') != SIZE_MAX ||
                     str_find_byte(expression, '"') != SIZE_MAX ||
                     str_find_byte(expression, '\'') != SIZE_MAX;
        if (hides) {
            return true;
        }
        text = str_slice(text, 2, text.len);
    }
    return false;
}

/* Encodings in which every ASCII byte is ASCII, and no declaration is a template's. */
static bool can_be_compared(const struct envelope *envelope, struct str bytes)
{
    struct str name = str_from(envelope->charset.name);
    struct body_text body;
    body_text_init(&body, bytes);
    bool can = envelope->is_well_formed && (envelope->blocks & ENVELOPE_DOCTYPE) == 0 &&
               str_find(body.text, STR("<?xml")) == SIZE_MAX && !hides_an_end(body.text) &&
               (str_equals(name, STR("utf-8")) || str_starts_with(name, STR("utf-16")));
    body_text_deinit(&body);
    return can;
}

static void fill(const struct template *template, struct str text, bool stays_well_formed)
{
    struct template_source *source = template_source_new(&(struct template_source_options){
        .workers = 3, .worker = 1, .rows = 2, .clock = {fixed_wall_ns, NULL}});
    struct template_values *values = template_values_new(template_values_bytes(template));
    for (int i = 0; i < 3; i++) {
        struct buf request;
        buf_init(&request);
        CHECK(template_fill(template, source, values) == TEMPLATE_FILLED);
        template_append(template, values, &request);
        check_pieces(template, values, &request);
        CHECK(!template_is_constant(template) || i == 0 || request.len > 0 || text.len == 0);
        if (stays_well_formed) {
            struct envelope envelope;
            envelope_read(&envelope, buf_view(&request));
            CHECK(envelope.is_well_formed);
            envelope_deinit(&envelope);
        }
        buf_deinit(&request);
    }
    template_values_free(values);
    template_source_free(source);
}

static void try_kind(struct str text, enum placeholder_kind kind, const struct csv *feed,
                     bool stays_well_formed)
{
    static const struct slot_variable variable = {{"x", 1}, {"--]]>'\"&\r\n", 10}};
    const struct slot_names names = {.variables = &variable, .variable_count = 1, .data = feed};
    struct body_text body;
    struct edits edits;
    struct err err = {0};
    body_text_init(&body, text);
    edits_init(&edits);
    const struct placeholder_text searched = {body.text, kind, body.encoding, "a.xml"};
    if (placeholder_find(&searched, &names, &edits, &err)) {
        struct template_builder *builder = template_builder_new(feed);
        template_builder_begin_body(builder);
        template_builder_add_body(builder, &body, &edits);
        struct template *template = template_builder_finish(builder);
        fill(template, text, stays_well_formed);
        template_free(template);
    } else {
        CHECK(str_starts_with(str_from(err.text), STR("a.xml:")));
        CHECK(str_find(str_from(err.text), STR("${")) != SIZE_MAX);
    }
    edits_deinit(&edits);
    body_text_deinit(&body);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = str_of((const char *)data, size);
    struct csv *feed = make_feed();
    struct envelope envelope;
    envelope_read(&envelope, text);
    for (int kind = 0; kind < PLACEHOLDER_KIND_COUNT; kind++) {
        bool is_xml = kind == PLACEHOLDER_XML;
        try_kind(text, (enum placeholder_kind)kind, feed,
                 is_xml && can_be_compared(&envelope, text));
    }
    envelope_deinit(&envelope);
    csv_free(feed);
    return 0;
}
