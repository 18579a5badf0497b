/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_MEASURE_GROUPS_H
#define LATHER_MEASURE_GROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lather/base/check.h"
#include "lather/base/outcome.h"
#include "lather/base/str.h"

/*
 * Failures counted by what they have in common: outcome, status, and for a Fault its code, subcode
 * chain, first detail element and masked reason. One table serves faults ("what went wrong at the
 * server") and all other reasons ("connect: Connection refused").
 */
struct groups;

/* What makes two failures the same. Strings may be empty; message is, unless there are several. */
struct group_key {
    enum outcome outcome;
    uint16_t status; /* 0 without an answer */
    struct str code;
    struct str subcodes;
    struct str detail;
    struct str reason;
    struct str message; /* the name of the message that failed */
};

struct group {
    struct group_key key; /* its strings are owned by the table */
    uint64_t count;
};

/*
 * At most this many different groups are kept, so that a server that puts a number into each
 * reason cannot eat the memory; what comes after is counted in groups_overflow. For the same reason
 * groups_add cuts the strings of a key: what is the same in its first bytes is the same.
 */
enum { GROUPS_CEILING = 1000, GROUPS_TEXT_CEILING = 1024 };

/* An empty table, the caller's to free. */
struct groups *groups_new(void) MUST_USE;
void groups_free(struct groups *groups);

/* Counts one failure; copies the strings when the group is new. Constant cost (hashed). */
void groups_add(struct groups *groups, const struct group_key *key);

/* Counts `count` failures at once, texts as they are: for merging and reading back. */
void groups_add_count(struct groups *groups, const struct group_key *key, uint64_t count);

/* Counts failures whose key is not known: for reading an overflow back. */
void groups_add_overflow(struct groups *groups, uint64_t count);

/* Adds all of `from`, its overflow too, to `into`; `from` stays as it is. */
void groups_merge(struct groups *into, const struct groups *from);

/* How many failures are counted under this very key: 0 when it has no group. Constant cost. */
uint64_t groups_count_of(const struct groups *groups, const struct group_key *key);

/* How many groups there are, and how many failures found no room. */
size_t groups_size(const struct groups *groups);
uint64_t groups_overflow(const struct groups *groups);

/* Sums up: the failures in all groups and the overflow. */
uint64_t groups_total(const struct groups *groups);

/* Puts the groups in falling order of count (ties in order of appearance); linearithmic. */
void groups_sort(struct groups *groups);

/* The i-th group, valid until the table changes. */
const struct group *groups_at(const struct groups *groups, size_t index);

/*
 * The group with the greatest count among those whose key `fits` (NULL: among all), of several the
 * first in the table. NULL when there is none. Valid until the table changes; linear.
 */
const struct group *groups_commonest(const struct groups *groups,
                                     bool (*fits)(const struct group_key *key));

/*
 * All groups in falling order of count (ties in order of appearance), groups_size of them, valid
 * until the table changes; the list is the caller's to free. Linearithmic.
 */
const struct group **groups_ranked(const struct groups *groups) MUST_USE;

#endif
