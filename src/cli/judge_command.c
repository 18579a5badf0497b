/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `lather judge [verdict options] FILE...`: saved answers, judged by what judges them in a run. A
 * file is read as the wire is (net/saved_answer.h), a folder file by file; what a run saved knows
 * its request and its time by the files beside it. Standard output holds one line a file and
 * nothing else; what is remarked on goes to standard error.
 */
#include "lather/cli/judge_command.h"

#include <string.h>

#include "lather/base/clock.h"
#include "lather/base/file.h"
#include "lather/base/units.h"
#include "lather/cli/console.h"
#include "lather/cli/folder.h"
#include "lather/cli/verdict_options.h"
#include "lather/cli/verdict_text.h"
#include "lather/net/cause.h"
#include "lather/net/saved_answer.h"
#include "lather/report/clean.h"
#include "lather/soap/envelope.h"
#include "lather/soap/hint.h"
#include "lather/soap/judge.h"

/* A saved answer is read whole. */
static const uint64_t FILE_CEILING = 1ULL << 30;

/* All of one call. */
struct job {
    const struct options *options;
    struct expect expect;
    struct judge *judge;
    struct buf message_id; /* of --request; empty without */
    struct buf notes;      /* a line each, none twice */
    enum exit_status status;
};

/* One file and what is known of it. */
struct judged_file {
    const char *path;
    struct buf bytes;
    struct buf message_id; /* of the request it answers; empty: unknown */
    uint64_t elapsed_ns;   /* 0: unknown */
    struct saved_answer saved;
    struct verdict verdict;
    char cause[CAUSE_TEXT_SIZE];
};

static void complain(struct job *job, const struct err *err)
{
    console_error(err);
    job->status = exit_status_worse(job->status, EXIT_STATUS_NOT_RUN);
}

/* Once, however many files it is about. */
static void note(struct job *job, struct str sentence)
{
    struct str rest = buf_view(&job->notes);
    struct str line;
    while (rest.len > 0) {
        (void)str_split(rest, '\n', &line, &rest);
        if (str_equals(line, sentence)) {
            return;
        }
    }
    buf_append_str(&job->notes, sentence);
    buf_append_byte(&job->notes, '\n');
}

/* --- what is asked -------------------------------------------------------------------------- */

static void take_message_id(struct buf *message_id, struct str request)
{
    struct envelope envelope;
    envelope_read(&envelope, saved_answer_body(request));
    buf_append_str(message_id, str_from(envelope.message_id));
    envelope_deinit(&envelope);
}

/* --request: its id, and its prefixes for expressions. */
static bool read_request(struct job *job, struct err *err)
{
    const char *path = options_text(job->options, OPTION_JUDGE_REQUEST);
    struct buf request;
    buf_init(&request);
    bool is_read = path == NULL || file_read(path, FILE_CEILING, &request, err) ||
                   err_prefix(err, "--request");
    if (is_read && path != NULL) {
        take_message_id(&job->message_id, buf_view(&request));
        expect_take_namespaces(&job->expect, saved_answer_body(buf_view(&request)));
        if (job->message_id.len == 0) {
            note(job,
                 STR("the message of --request has no wsa:MessageID: RelatesTo is not compared"));
        }
    }
    buf_deinit(&request);
    return is_read;
}

static bool settle(struct job *job, struct err *err)
{
    struct expect *expect = &job->expect;
    if (job->options->argument_count == 0) {
        return err_set(err, ERR_USAGE, "no file given: lather judge [options] FILE|FOLDER...");
    }
    expect->validate = VALIDATE_SOAP;
    if (!verdict_options_apply(job->options, expect, err)) {
        return false;
    }
    if (expect->judged_share < EXPECT_SHARE_ALL) {
        return err_set(err, ERR_USAGE,
                       "--validate: saved answers are all judged: off, soap or full");
    }
    return read_request(job, err) && expect_freeze(expect, err);
}

/* --- what a run saved beside it ------------------------------------------------------------- */

/* "0001-fault.request" beside "0001-fault.answer"; false when there is none to read. */
static bool read_beside(const char *path, const char *ending, struct buf *content)
{
    struct str stem = str_from(path);
    if (!str_ends_with(stem, STR(".answer"))) {
        return false;
    }
    struct buf name;
    buf_init(&name);
    buf_append_str(&name, str_slice(stem, 0, stem.len - strlen(".answer")));
    buf_append_str(&name, str_from(ending));
    bool is_read = file_read(name.data, FILE_CEILING, content, NULL);
    buf_deinit(&name);
    return is_read;
}

/* The line "total        12.345 ms" of what a run wrote about it. */
static uint64_t elapsed_of(struct str why)
{
    struct str rest = why;
    struct str line;
    uint64_t elapsed_ns = 0;
    while (rest.len > 0) {
        (void)str_split(rest, '\n', &line, &rest);
        struct str label;
        struct str value;
        struct str number;
        struct str unit;
        uint64_t seconds_e3 = 0;
        if (str_split(line, ' ', &label, &value) && str_equals(label, STR("total")) &&
            str_split(str_trim(value), ' ', &number, &unit) && str_equals(unit, STR("ms")) &&
            units_parse_duration_ns(number, &seconds_e3, NULL)) {
            elapsed_ns = seconds_e3 / 1000; /* read as seconds, it is in thousandths */
        }
    }
    return elapsed_ns;
}

static void look_beside(const struct job *job, struct judged_file *file)
{
    struct buf content;
    buf_init(&content);
    if (options_has(job->options, OPTION_JUDGE_REQUEST)) {
        buf_append_str(&file->message_id, buf_view(&job->message_id));
    } else if (read_beside(file->path, ".request", &content)) {
        take_message_id(&file->message_id, buf_view(&content));
    }
    buf_reset(&content);
    if (read_beside(file->path, ".why", &content)) {
        file->elapsed_ns = elapsed_of(buf_view(&content));
    }
    buf_deinit(&content);
}

/* --- judging -------------------------------------------------------------------------------- */

static void judge_file(struct job *job, struct judged_file *file)
{
    struct exchange *exchange = &file->saved.exchange;
    if (exchange->end == TRANSPORT_END_RECEIVE &&
        exchange->answer.body_bytes > job->expect.max_answer_bytes) {
        exchange->end = TRANSPORT_END_TOO_LARGE; /* a run would have cut it off before its end */
    }
    if (exchange->end != TRANSPORT_END_ANSWERED) {
        file->verdict = (struct verdict){.outcome = cause_outcome(exchange->end, exchange->error),
                                         .reason = str_from(cause_format(exchange, file->cause))};
        return;
    }
    struct answer answer = exchange_answer(exchange);
    answer.message_id = buf_view(&file->message_id);
    answer.elapsed_ns = file->elapsed_ns;
    judge_answer(job->judge, &answer, &file->verdict);
    if (job->expect.max_time_ns > 0 && file->elapsed_ns == 0) {
        note(job, STR("--max-time: how long an answer took is known only of what --save-failures "
                      "wrote, by the .why file beside it"));
    }
}

/* --- telling -------------------------------------------------------------------------------- */

static void append_line(struct buf *text, const struct judged_file *file)
{
    clean_line(text, str_from(file->path));
    buf_append_str(text, STR(": "));
    verdict_text_append(text, &file->verdict);
    buf_append_byte(text, '\n');
}

static void note_hint(struct job *job, const struct judged_file *file)
{
    const struct verdict *verdict = &file->verdict;
    const struct hint_facts facts = {.status = file->saved.exchange.answer.status,
                                     .code = verdict->fault_code,
                                     .subcodes = verdict->fault_subcodes,
                                     .reason = verdict->fault_code.len > 0 ? verdict->fault_reason
                                                                           : verdict->reason};
    struct buf hint;
    buf_init(&hint);
    if (outcome_is_failure(verdict->outcome) && hint_append(&facts, &hint)) {
        note(job, buf_view(&hint));
    }
    if (file->saved.behind > 0) {
        buf_reset(&hint);
        buf_printf(&hint, "%s: %zu bytes behind the end of the answer were not looked at",
                   file->path, file->saved.behind);
        note(job, buf_view(&hint));
    }
    buf_deinit(&hint);
}

static bool tell_verdict(struct job *job, const struct judged_file *file, struct err *err)
{
    struct buf line;
    buf_init(&line);
    append_line(&line, file);
    bool is_printed = console_print(&line, err);
    buf_deinit(&line);
    note_hint(job, file);
    if (file->verdict.outcome != OUTCOME_OK) {
        job->status = exit_status_worse(job->status, EXIT_STATUS_FAILED);
    }
    return is_printed;
}

static bool handle(struct job *job, struct judged_file *file, struct err *err)
{
    if (str_ends_with(str_from(file->path), STR(".why"))) {
        return err_set(err, ERR_FORMAT,
                       "%.200s is what a run noted about an answer: judge its .answer, or the "
                       "folder",
                       file->path);
    }
    if (!file_read(file->path, FILE_CEILING, &file->bytes, err)) {
        return false;
    }
    saved_answer_read(&file->saved, buf_view(&file->bytes));
    if (file->saved.form == SAVED_FORM_REQUEST) {
        return err_set(err, ERR_FORMAT,
                       "%.200s is a request, not an answer: `lather judge` takes answers, and "
                       "--request FILE the message they answer",
                       file->path);
    }
    look_beside(job, file);
    judge_file(job, file);
    return tell_verdict(job, file, err);
}

static void judge_path(struct job *job, const char *path)
{
    struct err err;
    struct judged_file file = {.path = path};
    saved_answer_init(&file.saved);
    if (!handle(job, &file, &err)) {
        complain(job, &err);
    }
    saved_answer_deinit(&file.saved);
    buf_deinit(&file.message_id);
    buf_deinit(&file.bytes);
}

/* What --save-failures writes beside an answer. */
static bool is_beside_answer(struct str name)
{
    return str_ends_with(name, STR(".request")) || str_ends_with(name, STR(".why"));
}

/* The answers in a folder: its files, but for those beside an answer. */
static void judge_folder(struct job *job, const char *folder)
{
    struct err err;
    struct folder_names names;
    size_t judged = 0;
    bool is_read = folder_read(&names, folder, &err);
    for (size_t i = 0; i < names.count; i++) {
        const struct str name = str_from(names.items[i]);
        struct buf path;
        buf_init(&path);
        folder_append_path(&path, folder, name);
        if (!is_beside_answer(name) && folder_kind_of(path.data) == PATH_FILE) {
            judge_path(job, path.data);
            judged++;
        }
        buf_deinit(&path);
    }
    folder_names_deinit(&names);
    if (is_read && judged == 0) {
        is_read = err_set(&err, ERR_FILE,
                          "%.300s: no answer is in this folder (hidden files, folders and what "
                          "ends in .request or .why are none)",
                          folder);
    }
    if (!is_read) {
        complain(job, &err);
    }
}

static void judge_files(struct job *job)
{
    job->judge = judge_new(&job->expect);
    for (size_t i = 0; i < job->options->argument_count; i++) {
        const char *path = job->options->arguments[i];
        if (strcmp(path, "-") != 0 && folder_kind_of(path) == PATH_FOLDER) {
            judge_folder(job, path);
        } else {
            judge_path(job, path);
        }
    }
    judge_free(job->judge);
    console_notes(&job->notes);
}

enum exit_status judge_command(const struct options *options, int argc, const char *const *argv)
{
    (void)argc;
    (void)argv;
    struct err err;
    struct job job = {.options = options, .status = EXIT_STATUS_GOOD};
    judge_setup();
    expect_init(&job.expect);
    if (settle(&job, &err)) {
        judge_files(&job);
    } else {
        complain(&job, &err);
    }
    expect_deinit(&job.expect);
    buf_deinit(&job.notes);
    buf_deinit(&job.message_id);
    return job.status;
}
