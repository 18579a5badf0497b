/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tells the envelope of a message to be sent from the attachments around it. soap/mime does the
 * reading; here its bytes are put back in place, so that a template can change them where they are
 * and everything else of the body goes out untouched. The trap: a root part may come behind others,
 * and is known only when `start` has named it.
 */
#include "lather/soap/root_part.h"

#include "lather/soap/media.h"
#include "lather/soap/mime.h"

struct finding {
    struct mime *mime;
    struct buf text;
    size_t from;
    bool is_found;
    bool has_bytes;
    bool is_plain;
};

/* A root part begins, the first one or one that is it after all. */
static void on_root(void *context, struct str content_type)
{
    (void)content_type;
    struct finding *finding = context;
    buf_reset(&finding->text);
    finding->is_found = true;
    finding->has_bytes = false;
    finding->is_plain = mime_is_plain(finding->mime);
}

static void on_bytes(void *context, struct str bytes)
{
    struct finding *finding = context;
    if (!finding->has_bytes) {
        finding->has_bytes = true;
        finding->from = mime_offset(finding->mime);
    }
    buf_append_str(&finding->text, bytes);
}

static void settle(struct root_part *part, struct finding *finding, struct str body)
{
    if (!finding->is_found || !finding->has_bytes) {
        part->kind = ROOT_PART_BROKEN;
        return;
    }
    if (!finding->is_plain) {
        part->kind = ROOT_PART_ENCODED;
        part->decoded = finding->text;
        finding->text = (struct buf){.data = NULL};
        part->text = buf_view(&part->decoded);
        return;
    }
    const size_t to = finding->from + finding->text.len;
    part->kind = ROOT_PART_PLAIN;
    part->before = str_slice(body, 0, finding->from);
    part->bytes = str_slice(body, finding->from, to);
    part->behind = str_slice(body, to, body.len);
    part->text = part->bytes;
}

void root_part_find(struct root_part *part, struct str content_type, struct str body)
{
    struct str type;
    struct str charset;
    *part = (struct root_part){.kind = ROOT_PART_WHOLE, .bytes = body, .text = body};
    if (media_of(content_type, &type, &charset) != MEDIA_MULTIPART) {
        return;
    }
    struct finding finding = {.from = 0};
    const struct mime_events events = {.root = on_root, .bytes = on_bytes};
    finding.mime = mime_new(&events, &finding);
    mime_begin(finding.mime, content_type);
    mime_feed(finding.mime, body);
    (void)mime_finish(finding.mime);
    settle(part, &finding, body);
    mime_free(finding.mime);
    buf_deinit(&finding.text);
}

void root_part_deinit(struct root_part *part)
{
    buf_deinit(&part->decoded);
    *part = (struct root_part){.kind = ROOT_PART_WHOLE};
}
