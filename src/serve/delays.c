/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long the answers of the service wait: always equally long, by chance, or as a file says. The
 * exponential is what queues in theory are made of; a file replays what a real service did. Random
 * delays begin with the same seed each time, so that a run against them can be made again.
 */
#include "lather/serve/delays.h"

#include <math.h>
#include <stdlib.h>

#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/base/file.h"
#include "lather/base/units.h"

enum { SEED = 1, FIRST_ROOM = 64 };

#define FILE_MOST_BYTES (64ULL << 20) /* some eight million delays */

static bool parse_one(struct str text, uint64_t *ns, struct err *err)
{
    if (!units_parse_duration_ns(text, ns, err)) {
        return false;
    }
    if (*ns > DELAYS_MOST_NS) {
        return err_set(err, ERR_USAGE, "a delay of more than an hour");
    }
    return true;
}

static void add(struct delays *delays, size_t *room, uint64_t ns)
{
    if (delays->count == *room) {
        *room = *room > 0 ? 2 * *room : FIRST_ROOM;
        delays->listed_ns = check_realloc(delays->listed_ns, *room * sizeof *delays->listed_ns);
    }
    delays->listed_ns[delays->count++] = ns;
}

static bool parse_lines(const char *path, struct str text, struct delays *delays, struct err *err)
{
    size_t room = 0;
    size_t number = 0;
    while (text.len > 0) {
        struct str line;
        uint64_t ns;
        struct err reason;
        (void)str_split(text, '\n', &line, &text);
        line = str_trim(line);
        number++;
        if (line.len == 0 || line.data[0] == '#') {
            continue;
        }
        if (!parse_one(line, &ns, &reason)) {
            return err_set(err, ERR_USAGE, "%s:%zu: %s", path, number, reason.text);
        }
        add(delays, &room, ns);
    }
    if (delays->count == 0) {
        return err_set(err, ERR_USAGE, "%s: it holds no delay: one a line is wanted, as 20ms",
                       path);
    }
    return true;
}

static bool parse_file(struct str name, struct delays *delays, struct err *err)
{
    char *path = str_dup(name);
    struct buf content;
    buf_init(&content);
    delays->kind = DELAY_KIND_LISTED;
    bool is_read = file_read(path, FILE_MOST_BYTES, &content, err) &&
                   parse_lines(path, buf_view(&content), delays, err);
    buf_deinit(&content);
    free(path);
    return is_read;
}

bool delays_parse(struct str text, struct delays *delays, struct err *err)
{
    const struct str fixed = STR("fixed:");
    const struct str exponential = STR("exp:");
    const struct str listed = STR("file:");
    bool is_read;
    *delays = (struct delays){.kind = DELAY_KIND_FIXED};
    if (str_starts_with(text, listed)) {
        is_read = parse_file(str_slice(text, listed.len, text.len), delays, err);
    } else if (str_starts_with(text, exponential)) {
        delays->kind = DELAY_KIND_EXPONENTIAL;
        is_read = parse_one(str_slice(text, exponential.len, text.len), &delays->mean_ns, err);
    } else {
        size_t from = str_starts_with(text, fixed) ? fixed.len : 0;
        is_read = parse_one(str_slice(text, from, text.len), &delays->mean_ns, err);
    }
    if (!is_read) {
        delays_deinit(delays);
    }
    return is_read;
}

void delays_deinit(struct delays *delays)
{
    free(delays->listed_ns);
    *delays = (struct delays){.kind = DELAY_KIND_FIXED};
}

bool delays_are_none(const struct delays *delays)
{
    return delays->kind != DELAY_KIND_LISTED && delays->mean_ns == 0;
}

void delay_source_init(struct delay_source *source, const struct delays *delays, size_t index,
                       size_t count)
{
    *source = (struct delay_source){.delays = delays, .next = index, .stride = count};
    rng_init(&source->rng, SEED, index);
}

uint64_t delay_source_next(struct delay_source *source)
{
    const struct delays *delays = source->delays;
    switch (delays->kind) {
    case DELAY_KIND_EXPONENTIAL:
        /* rng_unit is below 1, so the logarithm is finite: 36.7 means at the most. */
        return (uint64_t)(-log1p(-rng_unit(&source->rng)) * (double)delays->mean_ns);
    case DELAY_KIND_LISTED: {
        uint64_t ns = delays->listed_ns[source->next % delays->count];
        source->next = (source->next + source->stride) % delays->count;
        return ns;
    }
    default:
        return delays->mean_ns;
    }
}
