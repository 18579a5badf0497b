/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `lather check [options] URL`: what a run with these options would send, said before it is sent;
 * then one request. Standard output holds what is told, or with --print the request alone. Nothing
 * is sent when a message that a run would send is refused, as a run would not start either.
 */
#include "lather/cli/check_command.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lather/capture/pick.h"
#include "lather/cli/check_lines.h"
#include "lather/cli/check_message.h"
#include "lather/cli/check_send.h"
#include "lather/cli/console.h"
#include "lather/cli/message_file.h"
#include "lather/cli/post_files.h"
#include "lather/cli/run_plan.h"
#include "lather/soap/judge.h"

/* A message that is sent: where it stands. */
struct sent_message {
    char *path; /* of its file; NULL: a request without one */
    size_t number;
};

/* All of one call. */
struct job {
    const struct options *options;
    struct post_files files;
    struct plan *plan;         /* of the first message that is sent */
    struct sent_message first; /* that one */
    size_t sent_count;         /* messages a run would send */
    bool lacks_url;            /* of one of them nobody knows where it goes (--dry-run) */
    struct buf out;            /* what is to be told, until it is printed */
    struct buf request;        /* as it goes out */
    enum exit_status status;
};

/* One file that is looked at. */
struct look {
    struct job *job;
    struct options options; /* those of the job, with this file alone */
    struct message_file file;
    struct pick pick;
};

static void complain(struct job *job, const struct err *err)
{
    console_error(err);
    job->status = exit_status_worse(job->status, EXIT_STATUS_NOT_RUN);
}

/* Prints what has been told so far; with --print standard output belongs to the request. */
static bool flush_lines(struct job *job, struct err *err)
{
    bool is_printed = true;
    if (options_has(job->options, OPTION_CHECK_PRINT)) {
        (void)fwrite(job->out.data, 1, job->out.len, stderr);
        (void)fflush(stderr);
    } else {
        is_printed = job->out.len == 0 || console_print(&job->out, err);
    }
    buf_reset(&job->out);
    return is_printed;
}

/* ---- what is in the file */

static void tell_file(struct look *look, uint32_t weight)
{
    const struct capture *capture = &look->file.capture;
    struct buf *out = &look->job->out;
    size_t soap = 0;
    for (size_t i = 0; i < capture->count; i++) {
        soap += capture->messages[i].soap_version != SOAP_VERSION_NONE ? 1 : 0;
    }
    if (out->len > 0) {
        buf_append_byte(out, '\n');
    }
    check_lines_printf(out, CHECK_INDENT_WHOLE, "file", "%s: %s, %zu message%s, %zu of SOAP",
                       capture->name, capture_kind_name(capture->kind), capture->count,
                       capture->count == 1 ? "" : "s", soap);
    if (weight > 1) {
        check_lines_printf(out, CHECK_INDENT_WHOLE, "weight", "%" PRIu32, weight);
    }
    for (size_t i = 0; i < capture->note_count; i++) {
        const struct capture_note *note = &capture->notes[i];
        if (note->message == CAPTURE_WHOLE) {
            check_lines_add(out, CHECK_INDENT_WHOLE,
                            note->kind == CAPTURE_NOTE_SKIPPED ? STR("skipped") : STR("remark"),
                            str_from(note->text));
        }
    }
    if (capture->notes_left_out > 0) {
        check_lines_printf(out, CHECK_INDENT_WHOLE, "remark", "%zu more notes are left out",
                           capture->notes_left_out);
    }
}

static bool is_chosen(const struct look *look, size_t index)
{
    for (size_t i = 0; i < look->pick.count; i++) {
        if (look->pick.indices[i] == index) {
            return true;
        }
    }
    return false;
}

static bool is_first_of_file(const struct look *look)
{
    return look->file.message == NULL ||
           (look->pick.count > 0 &&
            look->file.message - look->file.capture.messages == (ptrdiff_t)look->pick.indices[0]);
}

/* The plan of the first message that is sent is kept; any that is refused is a failure. */
static void tell_message(struct look *look, bool is_sent)
{
    struct job *job = look->job;
    struct err err = {.code = ERR_NONE};
    const struct check_message looked_at = {
        .options = &look->options,
        .file = &look->file,
        .is_chosen = is_sent,
        .needs_no_url = options_has(job->options, OPTION_CHECK_DRY_RUN) || !is_sent,
    };
    struct plan *plan = check_message_tell(&looked_at, &job->out, &err);
    if (is_sent) {
        job->sent_count++;
        job->lacks_url = job->lacks_url || !check_message_has_url(&looked_at);
    }
    if (is_sent && plan == NULL) {
        complain(job, &err);
    }
    if (is_sent && job->plan == NULL && job->first.number == 0 && is_first_of_file(look)) {
        job->plan = plan;
        job->first.number = look->file.path == NULL
                                ? 1
                                : (size_t)(look->file.message - look->file.capture.messages) + 1;
        job->first.path = look->file.path == NULL ? NULL : str_dup(str_from(look->file.path));
    } else {
        plan_free(plan);
    }
}

static bool look_at_file(struct look *look, const struct post_file *found, struct err *err)
{
    const struct option_value *words = &look->options.values[OPTION_PICK];
    if (!message_file_open_path(&look->options, found->path, &look->file, err)) {
        return false;
    }
    tell_file(look, found->weight);
    const bool is_picked =
        pick_messages(&look->file.capture, words->texts, words->count, &look->pick, err);
    if (!is_picked) {
        look->pick.count = 0;
    }
    for (size_t i = 0; i < look->file.capture.count; i++) {
        look->file.message = &look->file.capture.messages[i];
        tell_message(look, is_chosen(look, i));
    }
    if (!is_picked) {
        buf_append_byte(&look->job->out, '\n');
        check_lines_add(&look->job->out, CHECK_INDENT_WHOLE, STR("refused"), str_from(err->text));
    }
    return is_picked;
}

/* The same command line as if only this file had been given. */
static struct options options_for(const struct options *options, const struct post_file *found)
{
    struct options changed = *options;
    const enum option named = options_has(options, OPTION_POST) ? OPTION_POST : OPTION_PUT;
    changed.values[named].text = found->path;
    changed.values[named].texts = (const char **)&found->path;
    changed.values[named].count = 1;
    return changed;
}

static void look_at_files(struct job *job)
{
    struct str left_out = buf_view(&job->files.notes);
    while (left_out.len > 0) {
        struct str line;
        (void)str_split(left_out, '\n', &line, &left_out);
        check_lines_add(&job->out, CHECK_INDENT_WHOLE, STR("skipped"), line);
    }
    for (size_t i = 0; i < job->files.count; i++) {
        struct err err;
        const struct post_file *found = &job->files.items[i];
        struct look look = {.job = job, .options = options_for(job->options, found)};
        if (!look_at_file(&look, found, &err)) {
            complain(job, &err);
        }
        pick_deinit(&look.pick);
        message_file_deinit(&look.file);
    }
}

/* What was read cannot be read again. */
static bool reads_a_stream(const struct job *job)
{
    for (size_t i = 0; i < job->files.count; i++) {
        if (job->files.items[i].is_stream) {
            return true;
        }
    }
    return false;
}

/* What is wrong with all of them together: two services, options that say nothing about a mix. */
static void look_at_the_whole(struct job *job)
{
    struct plan *plan = NULL;
    struct buf notes;
    struct err err;
    if (job->status != EXIT_STATUS_GOOD || job->sent_count < 2 || job->lacks_url ||
        reads_a_stream(job)) {
        return;
    }
    buf_init(&notes);
    if (!run_plan_build(job->options, &plan, &notes, &err)) {
        buf_append_byte(&job->out, '\n');
        check_lines_add(&job->out, CHECK_INDENT_WHOLE, STR("refused"), str_from(err.text));
        complain(job, &err);
    }
    plan_free(plan);
    buf_deinit(&notes);
}

static bool look_at_all(struct job *job, struct err *err)
{
    if (!post_files_find(&job->files, job->options, err)) {
        return false;
    }
    if (job->files.count > 0) {
        look_at_files(job);
    } else if (options_has(job->options, OPTION_PICK)) {
        return err_set(err, ERR_USAGE, "--pick says nothing without -p: give both");
    } else {
        struct look look = {.job = job, .options = *job->options};
        tell_message(&look, true);
    }
    look_at_the_whole(job);
    return true;
}

/* ---- the one request */

static bool print_request(struct job *job, struct err *err)
{
    if (!options_has(job->options, OPTION_CHECK_PRINT)) {
        return true;
    }
    struct buf masked;
    buf_init(&masked);
    check_send_mask(job->plan, buf_view(&job->request), &masked);
    const bool is_printed = console_print(&masked, err);
    buf_deinit(&masked);
    return is_printed;
}

static void describe_request(const struct job *job, struct buf *text)
{
    const size_t head_bytes = str_find(buf_view(&job->request), STR("\r\n\r\n")) + 4;
    if (job->first.path != NULL) {
        buf_printf(text, "message %zu", job->first.number);
    }
    if (job->files.count > 1) {
        buf_printf(text, " of %s", job->first.path);
    }
    buf_printf(text, "%s%zu bytes (head %zu, body %zu)", text->len > 0 ? ", " : "",
               job->request.len, head_bytes, job->request.len - head_bytes);
}

static bool send_one(struct job *job, struct err *err)
{
    enum exit_status status = EXIT_STATUS_GOOD;
    buf_append_byte(&job->out, '\n');
    if (options_has(job->options, OPTION_CHECK_DRY_RUN)) {
        check_lines_add(&job->out, CHECK_INDENT_WHOLE, STR("sent"), STR("nothing (--dry-run)"));
        return flush_lines(job, err);
    }
    const int verbosity = (int)options_number(job->options, OPTION_VERBOSITY, 0);
    struct buf sent;
    buf_init(&sent);
    describe_request(job, &sent);
    bool is_sent = flush_lines(job, err);
    if (is_sent && !check_send(job->plan, verbosity, buf_view(&sent), &job->out, &status, err)) {
        check_lines_printf(&job->out, CHECK_INDENT_WHOLE, "sent", "nothing (%s)", err->text);
        is_sent = false;
    }
    buf_deinit(&sent);
    is_sent = is_sent && flush_lines(job, err);
    job->status = exit_status_worse(job->status, status);
    return is_sent;
}

static bool run(struct job *job, struct err *err)
{
    if (!look_at_all(job, err)) {
        return false;
    }
    if (job->status != EXIT_STATUS_GOOD || job->plan == NULL) {
        return true; /* what is in the way has been said */
    }
    return check_send_make(job->plan, &job->request, err) && print_request(job, err) &&
           send_one(job, err);
}

/*
 * A request alone needs no -n beside -c; a run would send one too, but then -c is a slip. Other
 * contradictions of the load are told, as the run would not start.
 */
static struct options without_connections(const struct options *options)
{
    struct options changed = *options;
    if (!options_has(options, OPTION_REQUESTS) && !options_has(options, OPTION_SESSIONS)) {
        changed.values[OPTION_CONCURRENCY] = (struct option_value){0};
    }
    return changed;
}

enum exit_status check_command(const struct options *options, int argc, const char *const *argv)
{
    (void)argc;
    (void)argv;
    struct err err = {.code = ERR_NONE};
    const struct options taken = without_connections(options);
    struct job job = {.options = &taken, .status = EXIT_STATUS_GOOD};
    judge_setup(); /* before schemas are read */
    const bool is_done = run(&job, &err);
    struct err ignored;
    if (!flush_lines(&job, &ignored) && is_done) {
        complain(&job, &ignored);
    }
    if (!is_done) {
        complain(&job, &err);
    }
    plan_free(job.plan);
    free(job.first.path);
    post_files_deinit(&job.files);
    buf_deinit(&job.request);
    buf_deinit(&job.out);
    return job.status;
}
