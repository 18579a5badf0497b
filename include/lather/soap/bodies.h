/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_BODIES_H
#define LATHER_SOAP_BODIES_H

#include <stddef.h>
#include <stdint.h>

#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/base/str.h"

/* A number for a body in which one text, the id of the request, does not count; in pieces. */
struct bodies_hash {
    uint64_t value;
    struct str left_out;
    struct buf kept; /* the end of what has come: it may be the start of left_out */
};

/* Starts a body; left_out is borrowed until the end, empty for nothing. All zero is fine before. */
void bodies_hash_begin(struct bodies_hash *hash, struct str left_out);

/* The next bytes; then the number of all of them. */
void bodies_hash_feed(struct bodies_hash *hash, struct str bytes);
uint64_t bodies_hash_end(struct bodies_hash *hash);

/* Frees what it holds. */
void bodies_hash_deinit(struct bodies_hash *hash);

/* So many distinct bodies are told apart; further ones are counted together. */
enum { BODIES_CEILING = 100000 };

/* So many of the first are kept whole, each up to this size. */
enum { BODIES_SAMPLES = 10, BODIES_SAMPLE_CEILING = 64 * 1024 };

/* Answers counted by their bodies (--count-bodies). One a thread, merged at the end. */
struct bodies;

struct bodies_entry {
    uint64_t hash;
    uint64_t count;
    struct str sample; /* the body, for the first BODIES_SAMPLES that had one; else empty */
};

/* Freed with bodies_free, which takes NULL. */
struct bodies *bodies_new(void) MUST_USE;
void bodies_free(struct bodies *bodies);

/* Counts a body; the sample is copied when it is among the first and not too large. */
void bodies_add(struct bodies *bodies, uint64_t hash, struct str sample);

/* Adds the counts of one to another. */
void bodies_merge(struct bodies *into, const struct bodies *from);

/* How many distinct bodies there are, and how many answers found no room. */
size_t bodies_distinct(const struct bodies *bodies);
uint64_t bodies_overflow(const struct bodies *bodies);

/* The i-th, in order of appearance; the sample is valid until the next add. */
struct bodies_entry bodies_at(const struct bodies *bodies, size_t index);

#endif
