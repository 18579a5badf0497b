/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `lather check [options] URL`: what a run with these options would send, said before it is sent;
 * then one request. Standard output holds what is told, or with --print the request alone. Nothing
 * is sent when a message that a run would send is refused, as a run would not start either.
 */
#include "lather/cli/check_command.h"

#include <stdio.h>
#include <stdlib.h>

#include "lather/capture/pick.h"
#include "lather/cli/check_lines.h"
#include "lather/cli/check_message.h"
#include "lather/cli/check_send.h"
#include "lather/cli/console.h"
#include "lather/cli/message_file.h"
#include "lather/soap/judge.h"

/* All of one call. */
struct job {
    const struct options *options;
    struct message_file file;
    struct pick pick;
    struct plan *plan;  /* of the first message that is sent */
    struct buf out;     /* what is to be told, until it is printed */
    struct buf request; /* as it goes out */
    enum exit_status status;
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

static void tell_file(struct job *job)
{
    const struct capture *capture = &job->file.capture;
    size_t soap = 0;
    for (size_t i = 0; i < capture->count; i++) {
        soap += capture->messages[i].soap_version != SOAP_VERSION_NONE ? 1 : 0;
    }
    check_lines_printf(&job->out, CHECK_INDENT_WHOLE, "file", "%s: %s, %zu message%s, %zu of SOAP",
                       capture->name, capture_kind_name(capture->kind), capture->count,
                       capture->count == 1 ? "" : "s", soap);
    for (size_t i = 0; i < capture->note_count; i++) {
        const struct capture_note *note = &capture->notes[i];
        if (note->message == CAPTURE_WHOLE) {
            check_lines_add(&job->out, CHECK_INDENT_WHOLE,
                            note->kind == CAPTURE_NOTE_SKIPPED ? STR("skipped") : STR("remark"),
                            str_from(note->text));
        }
    }
    if (capture->notes_left_out > 0) {
        check_lines_printf(&job->out, CHECK_INDENT_WHOLE, "remark", "%zu more notes are left out",
                           capture->notes_left_out);
    }
}

static bool is_chosen(const struct job *job, size_t index)
{
    for (size_t i = 0; i < job->pick.count; i++) {
        if (job->pick.indices[i] == index) {
            return true;
        }
    }
    return false;
}

/* The plan of the first message that is sent is kept; any that is refused is a failure. */
static void tell_message(struct job *job, const struct capture_message *message, bool is_sent)
{
    struct err err = {.code = ERR_NONE};
    job->file.message = message;
    const struct check_message looked_at = {
        .options = job->options,
        .file = &job->file,
        .is_chosen = is_sent,
        .needs_no_url = options_has(job->options, OPTION_CHECK_DRY_RUN) || !is_sent,
    };
    struct plan *plan = check_message_tell(&looked_at, &job->out, &err);
    if (is_sent && plan == NULL) {
        complain(job, &err);
    }
    const bool is_first = message == NULL ||
                          (job->pick.count > 0 &&
                           message - job->file.capture.messages == (ptrdiff_t)job->pick.indices[0]);
    if (is_sent && is_first) {
        job->plan = plan;
    } else {
        plan_free(plan);
    }
}

static void tell_messages(struct job *job)
{
    if (job->file.path == NULL) {
        tell_message(job, NULL, true);
        return;
    }
    for (size_t i = 0; i < job->file.capture.count; i++) {
        tell_message(job, &job->file.capture.messages[i], is_chosen(job, i));
    }
}

static bool look(struct job *job, struct err *err)
{
    if (!message_file_open(job->options, &job->file, err)) {
        return false;
    }
    if (job->file.path == NULL) {
        return true;
    }
    const struct option_value *words = &job->options->values[OPTION_PICK];
    tell_file(job);
    const bool is_picked =
        pick_messages(&job->file.capture, words->texts, words->count, &job->pick, err);
    if (!is_picked) {
        job->pick.count = 0;
        tell_messages(job);
    }
    return is_picked;
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

static bool send_one(struct job *job, struct err *err)
{
    enum exit_status status = EXIT_STATUS_GOOD;
    const size_t head_bytes = str_find(buf_view(&job->request), STR("\r\n\r\n")) + 4;
    buf_append_byte(&job->out, '\n');
    if (options_has(job->options, OPTION_CHECK_DRY_RUN)) {
        check_lines_add(&job->out, CHECK_INDENT_WHOLE, STR("sent"), STR("nothing (--dry-run)"));
        return flush_lines(job, err);
    }
    if (job->pick.count > 0) {
        check_lines_printf(&job->out, CHECK_INDENT_WHOLE, "sent",
                           "message %zu, %zu bytes (head %zu, body %zu)", job->pick.indices[0] + 1,
                           job->request.len, head_bytes, job->request.len - head_bytes);
    } else {
        check_lines_printf(&job->out, CHECK_INDENT_WHOLE, "sent", "%zu bytes", job->request.len);
    }
    const int verbosity = (int)options_number(job->options, OPTION_VERBOSITY, 0);
    const bool is_sent = flush_lines(job, err) &&
                         check_send(job->plan, verbosity, &job->out, &status, err) &&
                         flush_lines(job, err);
    job->status = exit_status_worse(job->status, status);
    return is_sent;
}

static bool run(struct job *job, struct err *err)
{
    if (!look(job, err)) {
        return false;
    }
    tell_messages(job);
    if (job->status != EXIT_STATUS_GOOD || job->plan == NULL) {
        return true; /* what is in the way has been said */
    }
    return check_send_make(job->plan, &job->request, err) && print_request(job, err) &&
           send_one(job, err);
}

enum exit_status check_command(const struct options *options, int argc, const char *const *argv)
{
    (void)argc;
    (void)argv;
    struct err err = {.code = ERR_NONE};
    struct job job = {.options = options, .status = EXIT_STATUS_GOOD};
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
    pick_deinit(&job.pick);
    message_file_deinit(&job.file);
    buf_deinit(&job.request);
    buf_deinit(&job.out);
    return job.status;
}
