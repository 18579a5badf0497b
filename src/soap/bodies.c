/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts how many different answers came. Bodies are told apart by a hash of 64 bits, which 100,000
 * of them share by chance once in three billion runs; only the first few are kept. The id that
 * each answer repeats from its request is left out, or all would differ.
 */
#include "lather/soap/bodies.h"

#include <stdlib.h>

/* FNV-1a, 64 bits: a byte at a time, so that pieces do not matter. */
#define FNV_START UINT64_C(0xCBF29CE484222325)
#define FNV_PRIME UINT64_C(0x100000001B3)

static void mix(struct bodies_hash *hash, struct str bytes)
{
    uint64_t value = hash->value;
    for (size_t i = 0; i < bytes.len; i++) {
        value = (value ^ (unsigned char)bytes.data[i]) * FNV_PRIME;
    }
    hash->value = value;
}

void bodies_hash_begin(struct bodies_hash *hash, struct str left_out)
{
    hash->value = FNV_START;
    hash->left_out = left_out;
    buf_reset(&hash->kept);
}

/* The place of the text counts, the text does not. */
static void mix_without(struct bodies_hash *hash, struct str bytes, size_t kept)
{
    size_t found = str_find(bytes, hash->left_out);
    while (found != SIZE_MAX) {
        mix(hash, str_slice(bytes, 0, found));
        mix(hash, str_of("\0", 1));
        bytes = str_slice(bytes, found + hash->left_out.len, bytes.len);
        found = str_find(bytes, hash->left_out);
    }
    size_t sure = bytes.len > kept ? bytes.len - kept : 0;
    mix(hash, str_slice(bytes, 0, sure));
    struct buf rest;
    buf_init(&rest);
    buf_append_str(&rest, str_slice(bytes, sure, bytes.len));
    buf_deinit(&hash->kept);
    hash->kept = rest;
}

void bodies_hash_feed(struct bodies_hash *hash, struct str bytes)
{
    if (hash->left_out.len == 0) {
        mix(hash, bytes);
        return;
    }
    buf_append_str(&hash->kept, bytes);
    mix_without(hash, buf_view(&hash->kept), hash->left_out.len - 1);
}

uint64_t bodies_hash_end(struct bodies_hash *hash)
{
    mix(hash, buf_view(&hash->kept));
    buf_reset(&hash->kept);
    return hash->value;
}

void bodies_hash_deinit(struct bodies_hash *hash)
{
    buf_deinit(&hash->kept);
}

enum { SLOTS_AT_FIRST = 256 };

struct counted {
    uint64_t hash;
    uint64_t count;
};

struct bodies {
    struct counted *entries; /* in order of appearance */
    size_t count;
    size_t capacity;
    uint32_t *slots; /* 1 + index of an entry, by hash; 0: free. Twice the capacity, at least. */
    size_t slot_count;
    uint64_t overflow;
    struct buf samples[BODIES_SAMPLES];
    size_t sample_of[BODIES_SAMPLES]; /* the entry it belongs to */
    size_t sample_count;
};

struct bodies *bodies_new(void)
{
    struct bodies *bodies = check_calloc(1, sizeof(*bodies));
    bodies->slot_count = SLOTS_AT_FIRST;
    bodies->slots = check_calloc(bodies->slot_count, sizeof(*bodies->slots));
    return bodies;
}

void bodies_free(struct bodies *bodies)
{
    if (bodies == NULL) {
        return;
    }
    for (size_t i = 0; i < bodies->sample_count; i++) {
        buf_deinit(&bodies->samples[i]);
    }
    free(bodies->entries);
    free(bodies->slots);
    free(bodies);
}

/* The slot of a hash, or the free one where it would go. */
static size_t slot_of(const struct bodies *bodies, uint64_t hash)
{
    size_t at = (size_t)(hash ^ hash >> 32) & (bodies->slot_count - 1);
    while (bodies->slots[at] != 0 && bodies->entries[bodies->slots[at] - 1].hash != hash) {
        at = (at + 1) & (bodies->slot_count - 1);
    }
    return at;
}

static void grow(struct bodies *bodies)
{
    if (bodies->count == bodies->capacity) {
        bodies->capacity = bodies->capacity == 0 ? 64 : bodies->capacity * 2;
        bodies->entries =
            check_realloc(bodies->entries, bodies->capacity * sizeof(*bodies->entries));
    }
    if ((bodies->count + 1) * 2 <= bodies->slot_count) {
        return;
    }
    free(bodies->slots);
    bodies->slot_count *= 2;
    bodies->slots = check_calloc(bodies->slot_count, sizeof(*bodies->slots));
    for (size_t i = 0; i < bodies->count; i++) {
        bodies->slots[slot_of(bodies, bodies->entries[i].hash)] = (uint32_t)(i + 1);
    }
}

static void keep_sample(struct bodies *bodies, size_t index, struct str sample)
{
    if (sample.len == 0 || sample.len > BODIES_SAMPLE_CEILING ||
        bodies->sample_count == BODIES_SAMPLES) {
        return;
    }
    struct buf *target = &bodies->samples[bodies->sample_count];
    buf_init(target);
    buf_append_str(target, sample);
    bodies->sample_of[bodies->sample_count++] = index;
}

static void add_count(struct bodies *bodies, uint64_t hash, uint64_t count, struct str sample)
{
    size_t slot = slot_of(bodies, hash);
    if (bodies->slots[slot] != 0) {
        bodies->entries[bodies->slots[slot] - 1].count += count;
        return;
    }
    if (bodies->count == BODIES_CEILING) {
        bodies->overflow += count;
        return;
    }
    grow(bodies);
    slot = slot_of(bodies, hash);
    bodies->entries[bodies->count] = (struct counted){.hash = hash, .count = count};
    bodies->count++;
    bodies->slots[slot] = (uint32_t)bodies->count;
    keep_sample(bodies, bodies->count - 1, sample);
}

void bodies_add(struct bodies *bodies, uint64_t hash, struct str sample)
{
    add_count(bodies, hash, 1, sample);
}

void bodies_merge(struct bodies *into, const struct bodies *from)
{
    for (size_t i = 0; i < from->count; i++) {
        struct bodies_entry entry = bodies_at(from, i);
        add_count(into, entry.hash, entry.count, entry.sample);
    }
    into->overflow += from->overflow;
}

size_t bodies_distinct(const struct bodies *bodies)
{
    return bodies->count;
}

uint64_t bodies_overflow(const struct bodies *bodies)
{
    return bodies->overflow;
}

struct bodies_entry bodies_at(const struct bodies *bodies, size_t index)
{
    const struct counted *counted = &bodies->entries[index];
    struct bodies_entry entry = {.hash = counted->hash, .count = counted->count};
    for (size_t i = 0; i < bodies->sample_count; i++) {
        if (bodies->sample_of[i] == index) {
            entry.sample = buf_view(&bodies->samples[i]);
        }
    }
    return entry;
}
