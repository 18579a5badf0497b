/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From files, captures and URLs to the messages of a plan, one after the other, so that only one
 * file is in memory besides what the plan keeps. What a message is asked of its answers comes from
 * three places: the capture (SoapUI's assertions), the command line, and FILE.expect, where each
 * wins over the one before. The trap: messages without expectations of their own share those of the
 * plan, and with them the worker's parser; but what is validated by default depends on the body.
 */
#include "lather/cli/message_plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lather/capture/pick.h"
#include "lather/cli/captured_verdict.h"
#include "lather/cli/expect_file.h"
#include "lather/cli/message_blame.h"
#include "lather/cli/message_request.h"
#include "lather/cli/mix_notes.h"
#include "lather/cli/post_files.h"
#include "lather/cli/renewal_options.h"
#include "lather/cli/url_list.h"
#include "lather/cli/verdict_lines.h"
#include "lather/cli/verdict_options.h"
#include "lather/soap/envelope.h"

/* All of a plan's messages in the making. */
struct mixing {
    struct plan *plan;
    const struct message_plan_source *source;
    struct renewal_options renewal;
    struct url_list urls;
    struct post_files files;
    struct mix_notes notes;   /* about messages */
    struct buf *remarks;      /* about files, a line each */
    struct expect *shared[2]; /* expectations of those without their own: no SOAP, SOAP */
    const char *expect_path;  /* the last FILE.expect read */
    size_t expect_count;      /* how many were */
};

/* --- expectations ----------------------------------------------------------------------------- */

/* Prefixes in expressions may be those of the message: then each has a set of its own. */
static bool can_share(const struct options *options)
{
    return !options_has(options, OPTION_EXPECT_XPATH) && !options_has(options, OPTION_IGNORE);
}

static bool is_soap(struct str body)
{
    struct envelope envelope;
    envelope_read(&envelope, body);
    const bool is_envelope = envelope.version != SOAP_VERSION_NONE;
    envelope_deinit(&envelope);
    return is_envelope;
}

/* The expectations of messages like this one, as far as there were any before; NULL: none. */
static struct expect *find_shared(const struct mixing *mixing, const struct message_making *making)
{
    const bool may_share = making->own == NULL && can_share(making->options);
    return may_share ? mixing->shared[is_soap(message_request_body(making)) ? 1 : 0] : NULL;
}

/* The first message without its own has those of the plan. */
static bool make_expect(struct mixing *mixing, const struct message_making *making,
                        struct expect **expect, struct err *err)
{
    const bool is_free = mixing->shared[0] == NULL && mixing->shared[1] == NULL;
    if (making->own != NULL) {
        *expect = plan_add_expect(mixing->plan);
        (*expect)->counts_bodies = mixing->plan->expect.counts_bodies;
        return verdict_options_apply(making->own, *expect, err) ||
               message_blame_expectation(making, err);
    }
    *expect = is_free ? &mixing->plan->expect : plan_add_expect(mixing->plan);
    mixing->shared[is_soap(message_request_body(making)) ? 1 : 0] = *expect;
    return is_free || verdict_options_apply(making->options, *expect, err);
}

/* --- one message ------------------------------------------------------------------------------ */

static struct message_setting setting_of(const struct mixing *mixing)
{
    return (struct message_setting){
        .plan = mixing->plan,
        .renewal = &mixing->renewal.renewal,
        .url = mixing->source->url,
        .file_count = mixing->files.count,
        .url_count = mixing->urls.count,
    };
}

/* What is a template in a bare file is none in a capture; who wrote one there is told. */
static void note_unread_template(const struct message_making *making, struct buf *notes)
{
    static const enum option decided[] = {OPTION_TEMPLATE, OPTION_NO_TEMPLATE, OPTION_VERBATIM};
    bool is_decided = !message_file_is_capture(making->file);
    for (size_t i = 0; i < sizeof decided / sizeof *decided; i++) {
        is_decided = is_decided || options_has(making->options, decided[i]);
    }
    if (!is_decided && str_find(message_request_body(making), STR("${")) != SIZE_MAX) {
        buf_append_str(notes, STR("${...} in it is sent as captured: --template reads it, "
                                  "--no-template says that this is meant\n"));
    }
}

static bool add_built(struct mixing *mixing, const struct message_making *making,
                      struct plan_request *request, struct err *err)
{
    const struct message_setting setting = setting_of(mixing);
    struct buf notes;
    struct buf name;
    buf_init(&notes);
    buf_init(&name);
    message_request_append_name(making, &setting, &name);
    request->name = name.len > 0 ? name.data : "";
    request->expect = find_shared(mixing, making);
    const bool is_new = request->expect == NULL;
    bool is_good = (!is_new || make_expect(mixing, making, &request->expect, err)) &&
                   plan_add_message(mixing->plan, request, &notes, err);
    if (is_good && is_new && !expect_freeze(request->expect, err)) {
        is_good = message_blame_expectation(making, err);
    }
    if (is_good) {
        if (!request->has_body && request->content_type != NULL) {
            buf_append_str(&notes, STR("-T has no effect: there is no body\n"));
        }
        note_unread_template(making, &notes);
        const struct plan *plan = mixing->plan;
        mix_notes_add(&mixing->notes, plan->messages[plan->message_count - 1].name,
                      buf_view(&notes));
    }
    buf_deinit(&name);
    buf_deinit(&notes);
    return is_good;
}

static bool add_one(struct mixing *mixing, const struct message_making *making, struct err *err)
{
    const struct message_setting setting = setting_of(mixing);
    struct plan_request request;
    struct http_head fields;
    http_head_init(&fields);
    const bool is_added = message_request_fill(making, &setting, &request, &fields, err) &&
                          (add_built(mixing, making, &request, err) ||
                           message_blame_request(making, &setting, mixing->source->options, err));
    http_head_deinit(&fields);
    if (!is_added && making->url != NULL && making->url->place != NULL) {
        return err_prefix(err, making->url->place);
    }
    return is_added;
}

/* To the URL given, or to each of several. */
static bool add_to_urls(struct mixing *mixing, const struct message_making *making, struct err *err)
{
    struct message_making one = *making;
    if (mixing->urls.count == 0) {
        return add_one(mixing, &one, err);
    }
    for (size_t i = 0; i < mixing->urls.count; i++) {
        one.url = &mixing->urls.items[i];
        if (!add_one(mixing, &one, err)) {
            return false;
        }
    }
    return true;
}

/* --- files ------------------------------------------------------------------------------------ */

/* A captured message's own expectations count as well; those of the command line come first. */
static bool read_captured(struct mixing *mixing, const struct capture_message *message,
                          const struct options *options, struct verdict_lines *lines,
                          struct err *err)
{
    const char *validate = options_text(options, OPTION_VALIDATE);
    if (message->expectations.len == 0 && message->untranslated.len == 0) {
        return true;
    }
    if (validate != NULL && strcmp(validate, "off") == 0) {
        buf_append_str(mixing->remarks, STR("--validate off: what the capture expects of its "
                                            "answers is left out\n"));
        return true;
    }
    if (options_has(options, OPTION_ONE_WAY)) {
        buf_append_str(mixing->remarks, STR("--one-way: what the capture expects of its answers is "
                                            "left out\n"));
        return true;
    }
    if (!captured_verdict_add(lines, message, mixing->remarks, err)) {
        return false;
    }
    verdict_lines_add_options(lines, options);
    return true;
}

/* With what the capture and FILE.expect ask beside the options. */
static bool add_with_own(struct mixing *mixing, const struct message_making *making,
                         const struct expect_file *beside, struct err *err)
{
    const struct capture_message *message = making->file->message;
    struct message_making one = *making;
    struct verdict_lines lines;
    struct options laid;
    verdict_lines_init(&lines);
    expect_file_lay(beside, making->options, &laid);
    one.options = &laid;
    one.beside = expect_file_has_any(beside) ? beside : NULL;
    bool is_added = read_captured(mixing, message, &laid, &lines, err);
    if (message->expectations.len > 0 && lines.count > 0) {
        one.own = &lines.options;
    } else if (one.beside != NULL) {
        one.own = &laid;
    }
    is_added = is_added && add_to_urls(mixing, &one, err);
    expect_file_drop(making->options, &laid);
    verdict_lines_deinit(&lines);
    return is_added;
}

static bool check_several(const struct mixing *mixing, size_t messages, struct err *err)
{
    if (mixing->urls.count > 1 && messages > 1) {
        return err_set(
            err, ERR_USAGE,
            "%zu messages and %zu URLs: which goes where cannot be told; give one URL for "
            "all of them, or one message, or a list of --urls with POST <FILE behind "
            "each",
            messages, mixing->urls.count);
    }
    return true;
}

static bool add_picked(struct mixing *mixing, struct message_making *making,
                       struct message_file *file, const struct pick *pick,
                       const struct expect_file *beside, struct err *err)
{
    making->count = pick->count;
    for (size_t i = 0; i < pick->count; i++) {
        file->message = &file->capture.messages[pick->indices[i]];
        if (!add_with_own(mixing, making, beside, err)) {
            return false;
        }
    }
    return true;
}

static bool read_beside(struct mixing *mixing, const struct post_file *found,
                        struct expect_file *beside, struct err *err)
{
    if (found->expect_path == NULL) {
        return expect_file_parse(beside, str_of(NULL, 0), found->path, "", err);
    }
    mixing->expect_path = found->expect_path;
    mixing->expect_count++;
    return expect_file_read(beside, found->expect_path, err);
}

static void note_beside(const struct mixing *mixing, struct buf *notes)
{
    if (mixing->expect_count == 1) {
        buf_printf(notes, "%.300s says what the answers to its message must be\n",
                   mixing->expect_path);
    } else if (mixing->expect_count > 1) {
        buf_printf(notes, "%zu files .expect say what the answers to their messages must be\n",
                   mixing->expect_count);
    }
}

static bool add_file(struct mixing *mixing, const struct post_file *found, struct err *err)
{
    const struct options *options = mixing->source->options;
    const struct option_value *words = &options->values[OPTION_PICK];
    struct message_file file;
    struct expect_file beside;
    struct pick pick = {.count = 0};
    if (!message_file_open_path(options, found->path, &file, err)) {
        return false;
    }
    capture_append_notes(&file.capture, CAPTURE_NOTE_REMARK, mixing->remarks);
    struct message_making making = {.file = &file, .found = found, .options = options};
    bool is_good = read_beside(mixing, found, &beside, err);
    if (is_good) {
        is_good = pick_messages(&file.capture, words->texts, words->count, &pick, err) &&
                  check_several(mixing, mixing->files.count > 1 ? mixing->files.count : pick.count,
                                err) &&
                  add_picked(mixing, &making, &file, &pick, &beside, err);
        pick_deinit(&pick);
        expect_file_deinit(&beside);
    }
    message_file_deinit(&file);
    return is_good;
}

/* A message that was read before, with what stands beside its file. */
static bool add_read(struct mixing *mixing, const struct message_making *making, struct err *err)
{
    const struct post_file alone = {.path = (char *)making->file->path};
    const struct post_file *found = mixing->files.count == 1 ? mixing->files.items : &alone;
    struct expect_file beside;
    if (!read_beside(mixing, found, &beside, err)) {
        return false;
    }
    const bool is_added = add_with_own(mixing, making, &beside, err);
    expect_file_deinit(&beside);
    return is_added;
}

/* --- all of them ------------------------------------------------------------------------------ */

static bool check_pick(const struct mixing *mixing, struct err *err)
{
    if (!options_has(mixing->source->options, OPTION_PICK) || mixing->files.count == 1 ||
        mixing->source->file != NULL) {
        return true;
    }
    return mixing->files.count == 0
               ? err_set(err, ERR_USAGE, "--pick says nothing without -p: give both")
               : err_set(err, ERR_USAGE,
                         "--pick takes messages of one capture, and -p names %zu files: give one",
                         mixing->files.count);
}

static bool check_bodies(const struct mixing *mixing, struct err *err)
{
    for (size_t i = 0; i < mixing->urls.count; i++) {
        const struct url_item *item = &mixing->urls.items[i];
        if (item->method != NULL && mixing->files.count > 0) {
            return err_set(err, ERR_USAGE,
                           "%s: this URL has a body, and -p gives one for all: leave one of them "
                           "out",
                           item->place);
        }
    }
    return true;
}

static bool check_shuffle(const struct mixing *mixing, struct err *err)
{
    return !options_has(mixing->source->options, OPTION_SHUFFLE) ||
           mixing->plan->message_count > 1 ||
           err_set(err, ERR_USAGE,
                   "--shuffle says nothing about a single message: give several of -p, a folder, "
                   "or several URLs");
}

static bool add_all(struct mixing *mixing, struct err *err)
{
    const struct message_plan_source *source = mixing->source;
    const struct message_file nothing = {.path = NULL};
    const struct message_making making = {
        .file = source->file != NULL ? source->file : &nothing,
        .options = source->options,
        .count = 1,
    };
    if (making.file->message != NULL) {
        return add_read(mixing, &making, err);
    }
    if (source->file != NULL || mixing->files.count == 0) {
        return add_to_urls(mixing, &making, err);
    }
    for (size_t i = 0; i < mixing->files.count; i++) {
        if (!add_file(mixing, &mixing->files.items[i], err)) {
            return false;
        }
    }
    return true;
}

/* With ab's default of one request only the first message is ever sent. */
static void note_length(const struct plan *plan, struct buf *notes)
{
    const size_t cycle = plan->mix == NULL ? 1 : mix_cycle_length(plan->mix);
    if (plan->requests > 0 && plan->requests < cycle) {
        buf_printf(notes,
                   "%" PRIu64 " request%s no whole cycle of the mix, which has %zu: give -n %zu or "
                   "a multiple of it\n",
                   plan->requests, plan->requests == 1 ? " is" : "s are", cycle, cycle);
    }
}

/* Rows that go nowhere are a slip: every request is the same. */
static void note_unused_data(const struct plan *plan, struct buf *notes)
{
    bool is_used = plan->data == NULL;
    for (size_t i = 0; i < plan->message_count; i++) {
        is_used = is_used || template_uses_data(plan->messages[i].template);
    }
    if (!is_used) {
        buf_append_str(notes, STR("--data: no column of it is used; write ${data.COLUMN} where a "
                                  "value goes (in captures with --template)\n"));
    }
}

bool message_plan_build(struct plan *plan, const struct message_plan_source *source,
                        struct buf *notes, struct err *err)
{
    struct mixing mixing = {.plan = plan, .source = source, .remarks = notes};
    mix_notes_init(&mixing.notes);
    plan->shuffles = options_has(source->options, OPTION_SHUFFLE);
    bool is_good = renewal_options_read(source->options, plan, &mixing.renewal, err) &&
                   url_list_read(&mixing.urls, source->options, err) &&
                   post_files_find(&mixing.files, source->options, err) &&
                   check_pick(&mixing, err) && check_bodies(&mixing, err) &&
                   add_all(&mixing, err) && check_shuffle(&mixing, err) &&
                   plan_settle_mix(plan, err);
    buf_append_str(notes, buf_view(&mixing.files.notes));
    note_beside(&mixing, notes);
    note_length(plan, notes);
    if (is_good) {
        note_unused_data(plan, notes);
    }
    mix_notes_append(&mixing.notes, notes);
    mix_notes_deinit(&mixing.notes);
    post_files_deinit(&mixing.files);
    url_list_deinit(&mixing.urls);
    renewal_options_deinit(&mixing.renewal);
    return is_good;
}
