/* SPDX-License-Identifier: Apache-2.0 */
/* What tests of templates share: a source with known ids and time, and a short way to a request. */
#ifndef LATHER_TESTS_TEMPLATE_FIXTURE_H
#define LATHER_TESTS_TEMPLATE_FIXTURE_H

#include <stdlib.h>
#include <string.h>

#include "lather/base/buf.h"
#include "lather/soap/template.h"
#include "lather/soap/template_builder.h"
#include "lather/soap/template_source.h"

/* Time and random bytes that count upward, from what the test sets. */
struct fixture {
    uint64_t wall_ns;
    unsigned next_byte;
    struct template_source_options options;
};

static inline uint64_t fixture_wall_ns(void *context)
{
    return ((struct fixture *)context)->wall_ns;
}

static inline void fixture_take(void *context, void *bytes, size_t count)
{
    struct fixture *fixture = context;
    for (size_t i = 0; i < count; i++) {
        ((unsigned char *)bytes)[i] = (unsigned char)fixture->next_byte++;
    }
}

/* One worker of one, at 2031-05-06T07:08:09.010Z, whose random bytes are 00 01 02... */
static inline void fixture_init(struct fixture *fixture)
{
    *fixture = (struct fixture){.wall_ns = 1935817689010000000ULL};
    fixture->options = (struct template_source_options){
        .workers = 1,
        .clock = {fixture_wall_ns, fixture},
        .ids = {fixture_take, fixture},
    };
}

/* Appends the next request; false when the data have ended. */
static inline bool fixture_append(const struct template *template, struct template_source *source,
                                  struct buf *request)
{
    struct template_values *values = template_values_new(template_values_bytes(template));
    bool good = template_fill(template, source, values) == TEMPLATE_FILLED;
    if (good) {
        template_append(template, values, request);
    }
    template_values_free(values);
    return good;
}

/* A feed from a text; aborts the test when it is none. */
static inline struct csv *fixture_feed(const char *text)
{
    struct buf content;
    struct csv *csv = NULL;
    buf_init(&content);
    buf_append_str(&content, str_from(text));
    CHECK(csv_parse("feed.csv", &content, &csv, NULL));
    return csv;
}

#endif
