/* SPDX-License-Identifier: Apache-2.0 */
/* XML from anywhere: elements nest, and what is told does not depend on the pieces it came in. */
#include <string.h>

#include "fuzz.h"
#include "lather/base/check.h"
#include "lather/soap/sax.h"

/* What was told, as a hash; text in pieces hashes as the text in one. */
struct told {
    uint64_t hash;
    unsigned depth;
};

static void add(struct told *told, const char *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        told->hash = (told->hash ^ (unsigned char)bytes[i]) * 1099511628211u;
    }
}

static void on_start(void *context, const struct sax_element *element)
{
    struct told *told = context;
    told->depth++;
    CHECK(element->depth == told->depth && told->depth <= SAX_DEPTH_CEILING);
    CHECK(element->name[0] != '\0' && element->namespace_uri != NULL);
    add(told, "<", 1);
    add(told, element->name, strlen(element->name));
    add(told, element->namespace_uri, strlen(element->namespace_uri));
    struct str value;
    if (sax_attribute(element, "", "type", &value)) {
        add(told, value.data, value.len);
    }
}

static void on_end(void *context, unsigned depth)
{
    struct told *told = context;
    CHECK(depth == told->depth && depth > 0);
    told->depth--;
    add(told, ">", 1);
}

static void on_text(void *context, unsigned depth, struct str text)
{
    struct told *told = context;
    CHECK(depth == told->depth);
    add(told, text.data, text.len);
}

static enum sax_end read_in_pieces(struct sax *sax, struct told *told, struct str bytes,
                                   size_t piece)
{
    *told = (struct told){.hash = 14695981039346656037u};
    sax_begin(sax, str_from(""));
    for (size_t at = 0; at < bytes.len; at += piece) {
        sax_feed(sax, str_slice(bytes, at, at + piece < bytes.len ? at + piece : bytes.len));
    }
    enum sax_end end = sax_finish(sax);
    if (end == SAX_WHOLE) {
        CHECK(told->depth == 0 && sax_problem(sax).len == 0);
    } else if (end == SAX_NOT_WELL_FORMED) {
        CHECK(sax_problem(sax).len > 0);
    }
    return end;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct sax_events events = {.start = on_start, .end = on_end, .text = on_text};
    struct str bytes = str_of((const char *)data, size);
    struct told told;
    struct sax *sax = sax_new(&events, &told, SAX_DOCTYPE_STOPS);
    enum sax_end whole_end = read_in_pieces(sax, &told, bytes, size > 0 ? size : 1);
    uint64_t whole_hash = told.hash;
    enum sax_end cut_end = read_in_pieces(sax, &told, bytes, 1 + size % 5);
    CHECK((whole_end == SAX_WHOLE) == (cut_end == SAX_WHOLE));
    if (whole_end == SAX_WHOLE) {
        CHECK(whole_hash == told.hash);
    }
    sax_free(sax);
    return 0;
}
