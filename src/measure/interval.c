/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One interval's cells, which are sorted by grain and never empty. It knows nothing of time, nor of
 * the open interval, whose counts are elsewhere and whose cells are none. The trap: adding one
 * count moves cells, so what adds many goes through interval_merge or the open interval.
 */
#include "lather/measure/interval.h"

#include <stdlib.h>
#include <string.h>

void interval_reserve(struct interval *interval, uint32_t needed)
{
    if (needed > interval->cell_capacity) {
        uint32_t capacity = needed + needed / 4;
        interval->cells = check_realloc(interval->cells, capacity * sizeof *interval->cells);
        interval->cell_capacity = capacity;
    }
}

/* The first cell of a grain not below this one. */
static uint32_t find_cell(const struct interval *interval, uint32_t grain)
{
    uint32_t low = 0;
    uint32_t high = interval->cell_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (interval_cell_grain(interval->cells[middle]) < grain) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

size_t interval_add(struct interval *interval, uint32_t grain, uint64_t count)
{
    uint32_t at = find_cell(interval, grain);
    if (at < interval->cell_count && interval_cell_grain(interval->cells[at]) == grain) {
        interval->cells[at] =
            interval_cell(grain, interval_cell_count(interval->cells[at]) + count);
        return 0;
    }
    interval_reserve(interval, interval->cell_count + 1);
    memmove(interval->cells + at + 1, interval->cells + at,
            (interval->cell_count - at) * sizeof *interval->cells);
    interval->cells[at] = interval_cell(grain, count);
    interval->cell_count++;
    return 1;
}

size_t interval_merge(struct interval *into, const struct interval *from)
{
    into->finished += from->finished;
    into->failed += from->failed;
    into->answers += from->answers;
    into->body_bytes += from->body_bytes;
    into->max_ns = from->max_ns > into->max_ns ? from->max_ns : into->max_ns;
    interval_add_sum(into, from->sum_low, from->sum_high);
    if (from->cell_count == 0) {
        return 0;
    }
    const struct interval old = *into;
    uint32_t room = old.cell_count + from->cell_count;
    uint64_t *cells = check_malloc(room * sizeof *cells);
    uint32_t used = 0;
    for (uint32_t i = 0, j = 0; i < old.cell_count || j < from->cell_count;) {
        uint32_t left = i < old.cell_count ? interval_cell_grain(old.cells[i]) : UINT32_MAX;
        uint32_t right = j < from->cell_count ? interval_cell_grain(from->cells[j]) : UINT32_MAX;
        uint64_t count = left <= right ? interval_cell_count(old.cells[i++]) : 0;
        count += right <= left ? interval_cell_count(from->cells[j++]) : 0;
        cells[used++] = interval_cell(left < right ? left : right, count);
    }
    free(old.cells);
    into->cells = cells;
    into->cell_count = used;
    into->cell_capacity = room;
    return used - old.cell_count;
}
