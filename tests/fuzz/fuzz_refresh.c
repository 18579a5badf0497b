/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An envelope that is refreshed: what was well-formed stays so, its id is the one that a parser
 * reads from it, and what refreshing finds in the result is what it found in the message.
 */
#include "fuzz.h"
#include "lather/soap/refresh.h"
#include "lather/soap/template_builder.h"
#include "lather/soap/template_source.h"

static uint64_t fixed_wall_ns(void *context)
{
    (void)context;
    return 1935817689010000000ULL;
}

/* A parser reads the same id; it turns line ends into LF, and the envelope's is cut when it is
   long. */
static void check_id(const struct envelope *envelope, struct str id, struct str parsed)
{
    struct str name = str_from(envelope->charset.name);
    bool is_unicode = str_equals(name, STR("utf-8")) || str_starts_with(name, STR("utf-16"));
    if (is_unicode && id.len < 4096 && str_find_byte(id, '\r') == SIZE_MAX) {
        CHECK(str_equals(id, parsed));
    }
}

static void check_request(const struct envelope *before, struct str request, struct str id,
                          const struct refresh_result *result)
{
    struct envelope after;
    envelope_read(&after, request);
    if (before->is_well_formed) {
        CHECK(after.is_well_formed && after.version == before->version);
        CHECK(after.bodies == before->bodies && after.blocks == before->blocks);
        CHECK(after.message_ids >= before->message_ids);
        check_id(before, id, str_from(after.message_id));
        CHECK(before->message_ids > 1 || result->items[REFRESH_MESSAGE_ID].changed == 0 ||
              id.len >= 32);
    }
    envelope_deinit(&after);
}

static void refresh(const struct envelope *envelope, struct str bytes,
                    const struct refresh_options *options)
{
    struct body_text body;
    struct edits edits;
    struct refresh_result result;
    struct buf notes;
    struct buf line;
    struct buf request;
    body_text_init(&body, bytes);
    edits_init(&edits);
    refresh_result_init(&result);
    buf_init(&notes);
    buf_init(&line);
    buf_init(&request);
    CHECK(refresh_find(options, &body, envelope, &edits, &result, &notes, NULL));
    CHECK(options->mode == REFRESH_CHANGES || edits.count == 0);
    CHECK(notes.len == 0 || notes.data[notes.len - 1] == '\n');
    refresh_append_line(&result, &line);
    struct template_builder *builder = template_builder_new(NULL);
    template_builder_begin_body(builder);
    template_builder_add_body(builder, &body, &edits);
    template_builder_set_message_id(builder, str_from(envelope->message_id));
    struct template *template = template_builder_finish(builder);
    struct template_source *source = template_source_new(
        &(struct template_source_options){.workers = 1, .clock = {fixed_wall_ns, NULL}});
    struct template_values *values = template_values_new(template_values_bytes(template));
    CHECK(template_fill(template, source, values) == TEMPLATE_FILLED);
    template_append(template, values, &request);
    CHECK(edits.count > 0 || str_equals(buf_view(&request), bytes));
    check_request(envelope, buf_view(&request), template_message_id(template, values), &result);
    template_values_free(values);
    template_source_free(source);
    template_free(template);
    buf_deinit(&request);
    buf_deinit(&line);
    buf_deinit(&notes);
    refresh_result_deinit(&result);
    edits_deinit(&edits);
    body_text_deinit(&body);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str bytes = str_of((const char *)data, size);
    struct url target;
    struct envelope envelope;
    CHECK(url_parse(&target, STR("http://h:81/Order.svc?a=1&b"), NULL));
    envelope_read(&envelope, bytes);
    struct refresh_options options = {.target = &target, .now = {1935817689, 0}};
    refresh(&envelope, bytes, &options);
    options.user = "a<&";
    options.password = STR("p<&");
    options.adds_message_id = true;
    options.adds_token = size % 2 == 0 ? REFRESH_ADD_DIGEST : REFRESH_ADD_TEXT;
    options.to = size % 3 == 0 ? REFRESH_TO_GIVEN : REFRESH_TO_AUTO;
    options.to_uri = STR("urn:x&<");
    options.mode = size % 5 == 0 ? REFRESH_LOOKS : REFRESH_CHANGES;
    refresh(&envelope, bytes, &options);
    envelope_deinit(&envelope);
    url_deinit(&target);
    return 0;
}
