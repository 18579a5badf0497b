/* SPDX-License-Identifier: Apache-2.0 */
/* A multipart answer: the same root part, whatever pieces the body came in. */
#include "fuzz.h"
#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/soap/mime.h"

/* Large inputs come in larger pieces: their time would go into calls alone. */
enum { SMALL = 1024, PIECE_MOST = 700 };

static void on_root(void *context, struct str content_type)
{
    struct buf *root = context;
    buf_reset(root);
    buf_append_str(root, content_type);
}

static void on_bytes(void *context, struct str bytes)
{
    buf_append_str(context, bytes);
}

static enum mime_end unwrap(struct str body, const char *content_type, size_t piece,
                            struct buf *root)
{
    static const struct mime_events events = {.root = on_root, .bytes = on_bytes};
    buf_init(root);
    struct mime *mime = mime_new(&events, root);
    mime_begin(mime, str_from(content_type));
    for (size_t at = 0; at < body.len; at += piece) {
        size_t left = body.len - at;
        mime_feed(mime, str_slice(body, at, at + (left < piece ? left : piece)));
    }
    enum mime_end end = mime_finish(mime);
    CHECK((end == MIME_WHOLE) == (mime_end_text(end)[0] == '\0'));
    CHECK(end != MIME_WHOLE || mime_parts(mime) > 0);
    mime_free(mime);
    return end;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const types[] = {
        "multipart/related; type=\"application/xop+xml\"; boundary=b; start=\"<a>\"",
        "multipart/related; boundary=\"b\"",
        "",
    };
    struct str body = str_of((const char *)data, size);
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        struct buf whole;
        struct buf cut;
        enum mime_end whole_end = unwrap(body, types[i], size > 0 ? size : 1, &whole);
        enum mime_end cut_end =
            unwrap(body, types[i], 1 + size % (size < SMALL ? 5 : PIECE_MOST), &cut);
        CHECK(whole_end == cut_end);
        if (whole_end == MIME_WHOLE) {
            CHECK(str_equals(buf_view(&whole), buf_view(&cut)));
        }
        buf_deinit(&whole);
        buf_deinit(&cut);
    }
    return 0;
}
