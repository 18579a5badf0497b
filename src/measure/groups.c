/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Failures by what they have in common: a hash table of slots over an array of groups, so that
 * counting a known failure costs one hash and one comparison, and listing is a walk. It masks and
 * judges nothing; whoever makes the key does. The trap: the texts come from servers, so their
 * number and their length have ceilings, and a full table counts without names.
 */
#include "lather/measure/groups.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    SLOTS = 2048, /* a power of two above twice GROUPS_CEILING: a search ends soon */
    EMPTY = UINT16_MAX,
    FIRST_CAPACITY = 16,
};

struct entry {
    struct group group; /* its strings are one allocation, begun by the code */
    char *text;
    uint64_t hash;
    uint32_t appeared;
};

struct groups {
    struct entry *entries;
    size_t count;
    size_t capacity;
    uint64_t overflow;
    uint16_t slots[SLOTS]; /* an index of entries, or EMPTY */
};

static void clear_slots(struct groups *groups)
{
    for (size_t i = 0; i < SLOTS; i++) {
        groups->slots[i] = EMPTY;
    }
}

struct groups *groups_new(void)
{
    struct groups *groups = check_calloc(1, sizeof *groups);
    clear_slots(groups);
    return groups;
}

void groups_free(struct groups *groups)
{
    if (groups == NULL) {
        return;
    }
    for (size_t i = 0; i < groups->count; i++) {
        free(groups->entries[i].text);
    }
    free(groups->entries);
    free(groups);
}

static struct str cut_text(struct str text)
{
    return str_slice(text, 0, GROUPS_TEXT_CEILING);
}

static struct group_key cut_key(const struct group_key *key)
{
    struct group_key cut = *key;
    cut.code = cut_text(key->code);
    cut.subcodes = cut_text(key->subcodes);
    cut.detail = cut_text(key->detail);
    cut.reason = cut_text(key->reason);
    cut.message = cut_text(key->message);
    return cut;
}

/* FNV-1a, 64 bits; the length ends each text, so that "ab" "c" is not "a" "bc". */
static uint64_t hash_text(uint64_t hash, struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        hash = (hash ^ (unsigned char)text.data[i]) * 0x100000001b3ULL;
    }
    return (hash ^ text.len) * 0x100000001b3ULL;
}

static uint64_t hash_key(const struct group_key *key)
{
    uint64_t hash = 0xcbf29ce484222325ULL ^ ((uint64_t)key->outcome << 16 | key->status);
    hash = hash_text(hash, key->code);
    hash = hash_text(hash, key->subcodes);
    hash = hash_text(hash, key->detail);
    hash = hash_text(hash, key->reason);
    return hash_text(hash, key->message);
}

static bool same_key(const struct group_key *a, const struct group_key *b)
{
    return a->outcome == b->outcome && a->status == b->status && str_equals(a->code, b->code) &&
           str_equals(a->subcodes, b->subcodes) && str_equals(a->detail, b->detail) &&
           str_equals(a->reason, b->reason) && str_equals(a->message, b->message);
}

/* Where the slot of the key is, or the empty one where it would go. */
static size_t find_slot(const struct groups *groups, const struct group_key *key, uint64_t hash)
{
    size_t at = (size_t)(hash ^ hash >> 32) % SLOTS;
    for (;;) {
        const uint16_t slot = groups->slots[at];
        if (slot == EMPTY || (groups->entries[slot].hash == hash &&
                              same_key(&groups->entries[slot].group.key, key))) {
            return at;
        }
        at = (at + 1) % SLOTS;
    }
}

static struct str keep_text(char **place, struct str text)
{
    struct str kept = {.data = *place, .len = text.len};
    if (text.len > 0) {
        memcpy(*place, text.data, text.len);
    }
    *place += text.len;
    return kept;
}

static void append_group(struct groups *groups, const struct group_key *key, uint64_t hash)
{
    if (groups->count == groups->capacity) {
        groups->capacity = groups->capacity == 0 ? FIRST_CAPACITY : groups->capacity * 2;
        groups->entries =
            check_realloc(groups->entries, groups->capacity * sizeof *groups->entries);
    }
    struct entry *entry = &groups->entries[groups->count];
    *entry = (struct entry){.group = {.key = *key}, .hash = hash};
    entry->appeared = (uint32_t)groups->count++;
    entry->text = check_malloc(key->code.len + key->subcodes.len + key->detail.len +
                               key->reason.len + key->message.len);
    char *place = entry->text;
    entry->group.key.code = keep_text(&place, key->code);
    entry->group.key.subcodes = keep_text(&place, key->subcodes);
    entry->group.key.detail = keep_text(&place, key->detail);
    entry->group.key.reason = keep_text(&place, key->reason);
    entry->group.key.message = keep_text(&place, key->message);
}

void groups_add(struct groups *groups, const struct group_key *key)
{
    struct group_key cut = cut_key(key);
    groups_add_count(groups, &cut, 1);
}

void groups_add_count(struct groups *groups, const struct group_key *key, uint64_t count)
{
    uint64_t hash = hash_key(key);
    uint16_t *slot = &groups->slots[find_slot(groups, key, hash)];
    if (*slot == EMPTY) {
        if (groups->count == GROUPS_CEILING) {
            groups->overflow += count;
            return;
        }
        *slot = (uint16_t)groups->count;
        append_group(groups, key, hash);
    }
    groups->entries[*slot].group.count += count;
}

uint64_t groups_count_of(const struct groups *groups, const struct group_key *key)
{
    const struct group_key cut = cut_key(key);
    const uint16_t slot = groups->slots[find_slot(groups, &cut, hash_key(&cut))];
    return slot == EMPTY ? 0 : groups->entries[slot].group.count;
}

void groups_add_overflow(struct groups *groups, uint64_t count)
{
    groups->overflow += count;
}

void groups_merge(struct groups *into, const struct groups *from)
{
    for (size_t i = 0; i < from->count; i++) {
        const struct group *group = &from->entries[i].group;
        groups_add_count(into, &group->key, group->count);
    }
    into->overflow += from->overflow;
}

size_t groups_size(const struct groups *groups)
{
    return groups->count;
}

uint64_t groups_overflow(const struct groups *groups)
{
    return groups->overflow;
}

uint64_t groups_total(const struct groups *groups)
{
    uint64_t total = groups->overflow;
    for (size_t i = 0; i < groups->count; i++) {
        total += groups->entries[i].group.count;
    }
    return total;
}

static int falling_count(const void *a, const void *b)
{
    const struct entry *left = a;
    const struct entry *right = b;
    if (left->group.count != right->group.count) {
        return left->group.count > right->group.count ? -1 : 1;
    }
    return left->appeared < right->appeared ? -1 : left->appeared > right->appeared;
}

void groups_sort(struct groups *groups)
{
    if (groups->count == 0) {
        return;
    }
    qsort(groups->entries, groups->count, sizeof *groups->entries, falling_count);
    clear_slots(groups);
    for (size_t i = 0; i < groups->count; i++) {
        groups->slots[find_slot(groups, &groups->entries[i].group.key, groups->entries[i].hash)] =
            (uint16_t)i;
    }
}

const struct group *groups_at(const struct groups *groups, size_t index)
{
    assert(index < groups->count);
    return &groups->entries[index].group;
}

const struct group *groups_commonest(const struct groups *groups,
                                     bool (*fits)(const struct group_key *key))
{
    const struct group *best = NULL;
    for (size_t i = 0; i < groups_size(groups); i++) {
        const struct group *group = groups_at(groups, i);
        if ((fits == NULL || fits(&group->key)) && (best == NULL || group->count > best->count)) {
            best = group;
        }
    }
    return best;
}

static int by_falling_count(const void *a, const void *b)
{
    const struct group *left = *(const struct group *const *)a;
    const struct group *right = *(const struct group *const *)b;
    if (left->count != right->count) {
        return left->count > right->count ? -1 : 1;
    }
    /* of one table, in order of appearance: qsort alone would not keep it */
    return left < right ? -1 : left > right;
}

const struct group **groups_ranked(const struct groups *groups)
{
    const struct group **ranked = check_malloc((groups->count + 1) * sizeof *ranked);
    for (size_t i = 0; i < groups->count; i++) {
        ranked[i] = &groups->entries[i].group;
    }
    qsort(ranked, groups->count, sizeof *ranked, by_falling_count);
    return ranked;
}
