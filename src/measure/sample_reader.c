/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Samples in order of start: an external merge sort. A log is cut into pieces, each of which is
 * sorted in place; then a heap of the pieces gives the earliest head again and again. Equal starts
 * come in the order of their pieces.
 */
#include "lather/measure/sample_reader.h"

#include <stdlib.h>

/* Moves: what a sort costs for each, or less. */
enum { PIECE = 65536, BLOCK = 64, MOVES_EACH = 12 };

/* One sorted piece, of which a block is in memory. */
struct piece {
    uint64_t next; /* in the log, behind the block */
    uint64_t end;
    size_t at; /* in the block */
    size_t count;
    struct sample_times *block;
};

struct sample_reader {
    struct sample_log *log;
    struct piece *pieces;
    size_t piece_count;
    size_t *heap; /* pieces that have a head, the earliest first */
    size_t heap_count;
    struct sample_times *blocks; /* of all pieces */
    bool has_failed;
};

static int by_start(const void *left, const void *right)
{
    const struct sample_times *a = left;
    const struct sample_times *b = right;
    return (a->start_ns > b->start_ns) - (a->start_ns < b->start_ns);
}

/*
 * They come in order of their ends, so most starts are in order, too: each is put in its place
 * among those before it. False when that takes too many moves; they are all still there then.
 */
static bool sort_by_insertion(struct sample_times *samples, size_t count)
{
    size_t moves_left = count * MOVES_EACH;
    for (size_t i = 1; i < count; i++) {
        const struct sample_times sample = samples[i];
        size_t place = i;
        while (place > 0 && samples[place - 1].start_ns > sample.start_ns && moves_left > 0) {
            samples[place] = samples[place - 1];
            place--;
            moves_left--;
        }
        samples[place] = sample;
        if (moves_left == 0) {
            return false;
        }
    }
    return true;
}

static void sort(struct sample_times *samples, size_t count)
{
    if (count > 1 && !sort_by_insertion(samples, count)) {
        qsort(samples, count, sizeof *samples, by_start);
    }
}

static bool sort_pieces(struct sample_log *log)
{
    const uint64_t total = sample_log_count(log);
    const size_t most = total < PIECE ? (size_t)total : PIECE;
    struct sample_times *samples = check_malloc((most + 1) * sizeof *samples);
    bool is_sorted = true;
    for (uint64_t at = 0; at < total && is_sorted; at += PIECE) {
        const size_t count = total - at < PIECE ? (size_t)(total - at) : PIECE;
        is_sorted = sample_log_read(log, at, samples, count);
        if (is_sorted) {
            sort(samples, count);
            is_sorted = sample_log_replace(log, at, samples, count);
        }
    }
    free(samples);
    return is_sorted;
}

/* --- the heap -------------------------------------------------------------------------------- */

static bool is_before(const struct sample_reader *reader, size_t a, size_t b)
{
    const struct piece *left = &reader->pieces[a];
    const struct piece *right = &reader->pieces[b];
    const uint64_t left_ns = left->block[left->at].start_ns;
    const uint64_t right_ns = right->block[right->at].start_ns;
    return left_ns != right_ns ? left_ns < right_ns : a < b;
}

static void sink(struct sample_reader *reader, size_t place)
{
    size_t *heap = reader->heap;
    for (;;) {
        size_t first = place;
        for (size_t child = 2 * place + 1; child <= 2 * place + 2; child++) {
            if (child < reader->heap_count && is_before(reader, heap[child], heap[first])) {
                first = child;
            }
        }
        if (first == place) {
            return;
        }
        const size_t sunk = heap[place];
        heap[place] = heap[first];
        heap[first] = sunk;
        place = first;
    }
}

/* The piece's next block; false when there is none. */
static bool refill(struct sample_reader *reader, struct piece *piece)
{
    const uint64_t left = piece->end - piece->next;
    piece->at = 0;
    piece->count = left < BLOCK ? (size_t)left : BLOCK;
    if (piece->count > 0 &&
        !sample_log_read(reader->log, piece->next, piece->block, piece->count)) {
        reader->has_failed = true;
        piece->count = 0;
    }
    piece->next += piece->count;
    return piece->count > 0;
}

/* --- reading --------------------------------------------------------------------------------- */

struct sample_reader *sample_reader_new(struct sample_log *log)
{
    struct sample_reader *reader = check_calloc(1, sizeof *reader);
    const uint64_t total = sample_log_count(log);
    reader->log = log;
    reader->has_failed = !sort_pieces(log);
    reader->piece_count = (size_t)((total + PIECE - 1) / PIECE);
    reader->pieces = check_calloc(reader->piece_count + 1, sizeof *reader->pieces);
    reader->heap = check_calloc(reader->piece_count + 1, sizeof *reader->heap);
    reader->blocks = check_malloc((reader->piece_count + 1) * BLOCK * sizeof *reader->blocks);
    for (size_t i = 0; i < reader->piece_count && !reader->has_failed; i++) {
        struct piece *piece = &reader->pieces[i];
        piece->next = (uint64_t)i * PIECE;
        piece->end = total - piece->next < PIECE ? total : piece->next + PIECE;
        piece->block = reader->blocks + i * BLOCK;
        if (refill(reader, piece)) {
            reader->heap[reader->heap_count++] = i;
        }
    }
    for (size_t i = reader->heap_count / 2 + 1; i-- > 0;) {
        sink(reader, i);
    }
    return reader;
}

void sample_reader_free(struct sample_reader *reader)
{
    if (reader == NULL) {
        return;
    }
    free(reader->pieces);
    free(reader->heap);
    free(reader->blocks);
    free(reader);
}

bool sample_reader_next(struct sample_reader *reader, struct sample_times *sample)
{
    if (reader->heap_count == 0) {
        return false;
    }
    struct piece *piece = &reader->pieces[reader->heap[0]];
    *sample = piece->block[piece->at++];
    sample->start_ns -= sample_log_start(reader->log);
    if (piece->at == piece->count && !refill(reader, piece)) {
        reader->heap[0] = reader->heap[--reader->heap_count];
    }
    sink(reader, 0);
    return true;
}

bool sample_reader_failed(const struct sample_reader *reader)
{
    return reader->has_failed;
}
