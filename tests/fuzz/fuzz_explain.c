/* SPDX-License-Identifier: Apache-2.0 */
/* A message to be explained: the first line is its Content-Type, the rest its body. The envelope is
 * a run of the body's own bytes, and whatever is in it, each line said is one with a label. */
#include "fuzz.h"
#include "lather/base/check.h"
#include "lather/soap/edits.h"
#include "lather/soap/explain.h"

static void check_place(const struct root_part *root, struct str body)
{
    CHECK(root->before.len + root->bytes.len + root->behind.len == body.len);
    if (root->kind == ROOT_PART_PLAIN) {
        CHECK(root->before.data == body.data);
        CHECK(root->bytes.data == body.data + root->before.len);
        CHECK(root->behind.len == 0 || root->behind.data == root->bytes.data + root->bytes.len);
        CHECK(root->text.data == root->bytes.data && root->text.len == root->bytes.len);
    }
}

static void check_lines(struct str lines)
{
    struct str line;
    CHECK(str_ends_with(lines, STR("\n")));
    while (lines.len > 0) {
        (void)str_split(lines, '\n', &line, &lines);
        const size_t colon = str_find(line, STR(": "));
        CHECK(colon != SIZE_MAX && colon > 0 && colon <= sizeof "not replayable");
    }
}

static void explain(const struct root_part *root, struct str type, enum refresh_mode mode)
{
    const struct refresh_options options = {.mode = mode, .now = {1704110400, 0}};
    struct explain_request request = {
        .root = root, .mode = mode, .content_type = type, .now = options.now};
    struct envelope envelope;
    struct body_text body;
    struct edits edits;
    struct refresh_result refreshed;
    struct buf text;
    buf_init(&text);
    envelope_read(&envelope, root->text);
    body_text_init(&body, root->text);
    edits_init(&edits);
    refresh_result_init(&refreshed);
    CHECK(refresh_find(&options, &body, &envelope, &edits, &refreshed, &text, NULL));
    buf_reset(&text);
    request.envelope = &envelope;
    request.refreshed = &refreshed;
    explain_append(&request, &text);
    check_lines(buf_view(&text));
    refresh_result_deinit(&refreshed);
    edits_deinit(&edits);
    body_text_deinit(&body);
    envelope_deinit(&envelope);
    buf_deinit(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str type;
    struct str body;
    struct root_part root;
    (void)str_split(str_of((const char *)data, size), '\n', &type, &body);
    root_part_find(&root, type, body);
    check_place(&root, body);
    explain(&root, type, REFRESH_CHANGES);
    explain(&root, type, REFRESH_LOOKS);
    root_part_deinit(&root);
    return 0;
}
