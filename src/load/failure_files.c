/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Failed exchanges on disk. A server that fails every request fails thousands a second, so a
 * worker asks its own books first whether a kind is complete (recorder.c) and comes here only for
 * the first few of it. What an earlier run left in the folder is removed, by the names that only a
 * run gives; nothing else in it is touched.
 */
#include "lather/load/failure_files.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <uv.h>

#include "lather/base/buf.h"
#include "lather/base/file.h"
#include "lather/base/platform.h"
#include "lather/load/failure_text.h"
#include "lather/load/secret_mask.h"

struct failure_files {
    const struct plan *plan;
    uv_mutex_t lock;
    struct secret_mask *mask;
    struct groups *kinds; /* saved of each kind */
    uint64_t saved;
    uint64_t lost;
};

/* --- what an earlier run left ---------------------------------------------------------------- */

/* "0001-fault.answer": a name that only a run gives. */
static bool is_ours(struct str name)
{
    struct str number;
    struct str rest;
    struct str word;
    struct str part;
    enum outcome outcome;
    uint64_t value;
    return str_split(name, '-', &number, &rest) && number.len >= 4 && str_to_u64(number, &value) &&
           str_split(rest, '.', &word, &part) && outcome_parse(word, &outcome) &&
           (str_equals(part, STR("request")) || str_equals(part, STR("answer")) ||
            str_equals(part, STR("why")));
}

static bool remove_one(const char *folder, const char *name, struct err *err)
{
    struct buf path;
    uv_fs_t request;
    buf_init(&path);
    buf_printf(&path, "%s/%s", folder, name);
    const int status = uv_fs_unlink(NULL, &request, path.data, NULL);
    uv_fs_req_cleanup(&request);
    buf_deinit(&path);
    return status == 0 || status == UV_ENOENT ||
           err_set(err, ERR_FILE, "%.200s/%.100s: cannot remove what an earlier run saved: %s",
                   folder, name, uv_strerror(status));
}

/* So that what lies in the folder is of one run, and never more than asked for. */
static bool remove_earlier(const char *folder, struct err *err)
{
    uv_fs_t request;
    uv_dirent_t entry;
    const int count = uv_fs_scandir(NULL, &request, folder, 0, NULL);
    bool is_good = count >= 0 || err_set(err, ERR_FILE, "%.300s: cannot read this folder: %s",
                                         folder, uv_strerror(count));
    while (is_good && uv_fs_scandir_next(&request, &entry) == 0) {
        is_good = !is_ours(str_from(entry.name)) || remove_one(folder, entry.name, err);
    }
    uv_fs_req_cleanup(&request);
    return is_good;
}

/* --- life ----------------------------------------------------------------------------------- */

struct failure_files *failure_files_new(const struct plan *plan, struct err *err)
{
    if (!platform_make_directory(plan->save_failures_folder, err) ||
        !remove_earlier(plan->save_failures_folder, err)) {
        return NULL;
    }
    struct failure_files *files = check_calloc(1, sizeof(*files));
    CHECK(uv_mutex_init(&files->lock) == 0);
    files->plan = plan;
    files->kinds = groups_new();
    files->mask = secret_mask_new(plan->secrets, plan->secret_count);
    return files;
}

void failure_files_free(struct failure_files *files)
{
    if (files == NULL) {
        return;
    }
    uv_mutex_destroy(&files->lock);
    groups_free(files->kinds);
    secret_mask_free(files->mask);
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

/* --- files ---------------------------------------------------------------------------------- */

static bool write_part(struct failure_files *files, enum outcome outcome, const char *part,
                       struct buf *content)
{
    struct buf path;
    struct err err;
    buf_init(&path);
    buf_printf(&path, "%s/%04" PRIu64 "-%s.%s", files->plan->save_failures_folder,
               files->saved + files->lost + 1, outcome_name(outcome), part);
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
    failure_text_request(&content, exchange, files->mask);
    bool written = write_part(files, kind->outcome, "request", &content);
    if (exchange->answer.lines.len > 0) {
        failure_text_answer(&content, exchange, files->mask);
        written = write_part(files, kind->outcome, "answer", &content) && written;
    }
    failure_text_why(&content, kind, exchange, start_ns, files->mask);
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
