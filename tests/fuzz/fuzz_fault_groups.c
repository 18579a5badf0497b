/* SPDX-License-Identifier: Apache-2.0 */
/* Reasons and codes as services word them: what is masked is short, on one line and without digits,
 * other digits mask alike, and grouping loses and invents no failure. A line is a failure: reason,
 * code, subcodes, detail, parted by '|'. */
#include <string.h>

#include "fuzz.h"
#include "lather/base/check.h"
#include "lather/base/utf8.h"
#include "lather/measure/groups.h"
#include "lather/soap/mask.h"

static void check_masked(struct str reason, struct str masked)
{
    CHECK(masked.len <= MASK_CEILING);
    for (size_t i = 0; i < masked.len; i++) {
        char byte = masked.data[i];
        CHECK(byte < '0' || byte > '9');
        CHECK((unsigned char)byte >= ' ' && byte != 0x7F);
        CHECK(byte != ' ' || i + 1 == masked.len || masked.data[i + 1] != ' ');
    }
    CHECK(utf8_find_invalid(reason) != SIZE_MAX || utf8_find_invalid(masked) == SIZE_MAX);
}

/* Two failures of a kind differ in their digits; 0 stays, as "0x" begins a number. */
static void check_other_digits(struct str reason, struct str masked)
{
    struct buf other;
    struct buf other_masked;
    buf_init(&other);
    buf_init(&other_masked);
    for (size_t i = 0; i < reason.len; i++) {
        char byte = reason.data[i];
        buf_append_byte(&other, byte > '0' && byte <= '9' ? (char)('0' + ('9' + 1 - byte)) : byte);
    }
    buf_append_str(&other_masked, STR("before: "));
    mask_append(&other_masked, buf_view(&other));
    CHECK(str_starts_with(buf_view(&other_masked), STR("before: ")));
    CHECK(str_equals(str_slice(buf_view(&other_masked), 8, SIZE_MAX), masked));
    buf_deinit(&other_masked);
    buf_deinit(&other);
}

static void add_failure(struct groups *all, struct groups *half, struct str line)
{
    struct str reason;
    struct str rest;
    struct group_key key = {.outcome = OUTCOME_FAULT, .status = (uint16_t)(line.len % 3)};
    struct buf masked;
    buf_init(&masked);
    (void)str_split(line, '|', &reason, &rest);
    (void)str_split(rest, '|', &key.code, &rest);
    (void)str_split(rest, '|', &key.subcodes, &key.detail);
    mask_append(&masked, reason);
    check_masked(reason, buf_view(&masked));
    check_other_digits(reason, buf_view(&masked));
    key.reason = buf_view(&masked);
    uint64_t before = groups_count_of(all, &key);
    uint64_t overflow = groups_overflow(all);
    groups_add(all, &key);
    groups_add(half, &key);
    CHECK(groups_count_of(all, &key) == before + 1 || groups_overflow(all) == overflow + 1 ||
          key.code.len > GROUPS_TEXT_CEILING || key.subcodes.len > GROUPS_TEXT_CEILING ||
          key.detail.len > GROUPS_TEXT_CEILING);
    buf_deinit(&masked);
}

static void check_sorted(struct groups *groups)
{
    uint64_t total = groups_total(groups);
    size_t size = groups_size(groups);
    uint64_t sum = groups_overflow(groups);
    groups_sort(groups);
    CHECK(size <= GROUPS_CEILING && groups_size(groups) == size && groups_total(groups) == total);
    for (size_t i = 0; i < size; i++) {
        const struct group *group = groups_at(groups, i);
        CHECK(group->count > 0 && (i == 0 || groups_at(groups, i - 1)->count >= group->count));
        CHECK(groups_count_of(groups, &group->key) == group->count);
        sum += group->count;
    }
    CHECK(sum == total);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct groups *all = groups_new();
    struct groups *halves[2] = {groups_new(), groups_new()};
    struct str rest = str_of((const char *)data, size);
    uint64_t added = 0;
    while (rest.len > 0) {
        struct str line;
        (void)str_split(rest, '\n', &line, &rest);
        add_failure(all, halves[added++ % 2], line);
    }
    CHECK(groups_total(all) == added);
    groups_merge(halves[0], halves[1]);
    CHECK(groups_total(halves[0]) == added);
    CHECK(groups_overflow(all) > 0 || groups_size(halves[0]) == groups_size(all));
    check_sorted(all);
    check_sorted(halves[0]);
    groups_free(halves[1]);
    groups_free(halves[0]);
    groups_free(all);
    return 0;
}
