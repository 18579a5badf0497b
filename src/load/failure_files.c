/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Failed exchanges on disk. A server that fails every request fails thousands a second, so a
 * worker asks its own books first whether a kind is complete (recorder.c) and comes here only for
 * the first few of it. Head lines that no longer fit the joined body are left out, so that the
 * answer can be judged again from its file.
 */
#include "lather/load/failure_files.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <uv.h>

#include "lather/base/buf.h"
#include "lather/base/clock.h"
#include "lather/base/file.h"
#include "lather/base/platform.h"
#include "lather/base/units.h"

struct failure_files {
    const struct plan *plan;
    uv_mutex_t lock;
    struct groups *kinds; /* saved of each kind */
    uint64_t saved;
    uint64_t lost;
};

struct failure_files *failure_files_new(const struct plan *plan, struct err *err)
{
    if (!platform_make_directory(plan->save_failures_folder, err)) {
        return NULL;
    }
    struct failure_files *files = check_calloc(1, sizeof(*files));
    CHECK(uv_mutex_init(&files->lock) == 0);
    files->plan = plan;
    files->kinds = groups_new();
    return files;
}

void failure_files_free(struct failure_files *files)
{
    if (files == NULL) {
        return;
    }
    uv_mutex_destroy(&files->lock);
    groups_free(files->kinds);
    free(files);
}

uint64_t failure_files_saved(const struct failure_files *files)
{
    return files->saved;
}

uint64_t failure_files_lost(const struct failure_files *files)
{
    return files->lost;
}

/* --- contents ------------------------------------------------------------------------------- */

/* Replaces one secret by *** wherever it stands. */
static void mask_secret(struct buf *text, struct str secret)
{
    struct buf masked;
    buf_init(&masked);
    struct str rest = buf_view(text);
    size_t at = 0;
    while (secret.len > 0 && (at = str_find(rest, secret)) != SIZE_MAX) {
        buf_append_str(&masked, str_slice(rest, 0, at));
        buf_append_str(&masked, STR("***"));
        rest = str_slice(rest, at + secret.len, SIZE_MAX);
    }
    buf_append_str(&masked, rest);
    buf_deinit(text);
    *text = masked;
}

static void mask_secrets(const struct failure_files *files, struct buf *text)
{
    for (size_t i = 0; i < files->plan->secret_count; i++) {
        mask_secret(text, str_from(files->plan->secrets[i]));
    }
}

static void format_request(struct buf *text, const struct exchange *exchange)
{
    for (size_t i = 0; i < exchange->piece_count; i++) {
        buf_append_str(text, exchange->pieces[i]);
    }
}

/* The framing of the wire is gone from the body, so it goes from the head too. */
static bool is_framing(struct str line)
{
    return str_starts_with_nocase(line, STR("transfer-encoding:")) ||
           str_starts_with_nocase(line, STR("content-length:"));
}

static void format_answer(struct buf *text, const struct exchange *exchange)
{
    struct str rest = buf_view(&exchange->answer.lines);
    struct str line;
    bool more = true;
    while (more) {
        more = str_split(rest, '\n', &line, &rest);
        if (str_trim(line).len > 0 && !is_framing(line)) {
            buf_append_str(text, line);
            buf_append_byte(text, '\n');
        }
    }
    buf_printf(text, "Content-Length: %zu\r\n\r\n", exchange->body.len);
    buf_append_str(text, exchange->body);
}

static void append_duration(struct buf *text, const char *label, uint64_t ns)
{
    const uint64_t us = ns / NS_PER_US;
    buf_printf(text, "%-12s %" PRIu64 ".%03" PRIu64 " ms\n", label, us / 1000, us % 1000);
}

static void append_text(struct buf *text, const char *label, struct str value)
{
    if (value.len > 0) {
        buf_printf(text, "%-12s %.*s\n", label, STR_ARG(value));
    }
}

static void format_why(struct buf *text, const struct group_key *kind,
                       const struct exchange *exchange, uint64_t start_ns)
{
    const struct http1_answer *answer = &exchange->answer;
    append_text(text, "outcome", str_from(outcome_name(kind->outcome)));
    if (kind->status != 0) {
        buf_printf(text, "%-12s %u\n", "status", kind->status);
    }
    append_text(text, "reason", kind->reason);
    append_text(text, "fault", kind->code);
    append_text(text, "subcode", kind->subcodes);
    append_text(text, "detail", kind->detail);
    append_duration(text, "started at", exchange->start_ns - start_ns);
    append_duration(text, "connect", exchange->connect_ns);
    if (exchange->sent_ns != 0 && exchange->first_byte_ns > exchange->sent_ns) {
        append_duration(text, "waiting", exchange->first_byte_ns - exchange->sent_ns);
    }
    append_duration(text, "total", exchange->end_ns - exchange->start_ns);
    if (answer->status != 0 && exchange->body.len != answer->body_bytes) {
        buf_printf(text, "%-12s %zu of the %" PRIu64 " bytes that came\n", "body kept",
                   exchange->body.len, answer->body_bytes);
    }
}

/* --- files ---------------------------------------------------------------------------------- */

static bool write_part(struct failure_files *files, enum outcome outcome, const char *part,
                       struct buf *content)
{
    struct buf path;
    struct err err;
    buf_init(&path);
    buf_printf(&path, "%s/%04" PRIu64 "-%s.%s", files->plan->save_failures_folder,
               files->saved + files->lost + 1, outcome_name(outcome), part);
    mask_secrets(files, content);
    const bool written = file_write(path.data, buf_view(content), &err);
    buf_deinit(&path);
    buf_reset(content);
    return written;
}

static void save_locked(struct failure_files *files, const struct group_key *kind,
                        const struct exchange *exchange, uint64_t start_ns)
{
    struct buf content;
    buf_init(&content);
    format_request(&content, exchange);
    bool written = write_part(files, kind->outcome, "request", &content);
    if (exchange->answer.lines.len > 0) {
        format_answer(&content, exchange);
        written = write_part(files, kind->outcome, "answer", &content) && written;
    }
    format_why(&content, kind, exchange, start_ns);
    written = write_part(files, kind->outcome, "why", &content) && written;
    if (written) {
        files->saved++;
    } else {
        files->lost++;
    }
    buf_deinit(&content);
}

void failure_files_save(struct failure_files *files, const struct group_key *kind,
                        const struct exchange *exchange, uint64_t start_ns)
{
    uv_mutex_lock(&files->lock);
    if (groups_count_of(files->kinds, kind) < files->plan->save_failures_most) {
        groups_add(files->kinds, kind);
        if (groups_count_of(files->kinds, kind) > 0) {
            save_locked(files, kind, exchange, start_ns);
        }
    }
    uv_mutex_unlock(&files->lock);
}
