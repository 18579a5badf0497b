/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One message of a file, as `lather check` tells about it. What would be sent is taken from the
 * plan that a run would make, so that the two can never differ. A message that a run refuses is
 * looked at as --verbatim would send it: that changes nothing, and so nothing is in its way.
 */
#include "lather/cli/check_message.h"

#include <stdlib.h>

#include "lather/base/clock.h"
#include "lather/cli/check_lines.h"
#include "lather/cli/run_plan.h"
#include "lather/soap/explain.h"

static const char NOWHERE[] = "http://localhost/";

/* ---- the plan of a run, and what stands for it where there is none */

static void withdraw(struct options *options, enum option option)
{
    options->values[option] = (struct option_value){.is_given = false};
}

/* The same command line with --verbatim in place of all that changes a message. */
static struct options verbatim_options(const struct options *options)
{
    static const enum option changing[] = {
        OPTION_VARIABLE, OPTION_DATA,        OPTION_DATA_ORDER, OPTION_WSSE_USER,      OPTION_WSSE,
        OPTION_WSA_TO,   OPTION_WSSE_DIGEST, OPTION_TEMPLATE,   OPTION_ADD_MESSAGE_ID,
    };
    struct options changed = *options;
    changed.values[OPTION_VERBATIM].is_given = true;
    for (size_t i = 0; i < sizeof changing / sizeof changing[0]; i++) {
        withdraw(&changed, changing[i]);
    }
    return changed;
}

/* Without a URL the message's own wsa:To is the best guess, and is not rewritten. */
static char *guess_url(const struct message_file *file)
{
    struct url url = {.host = NULL};
    struct root_part root;
    struct envelope envelope;
    if (file->message == NULL) {
        return str_dup(str_from(NOWHERE));
    }
    root_part_find(&root, str_from(http_head_find(&file->message->head, STR("Content-Type"))),
                   buf_view(&file->message->body));
    envelope_read(&envelope, root.text);
    const bool is_url = str_starts_with_nocase(str_from(envelope.to), STR("http")) &&
                        url_parse(&url, str_from(envelope.to), NULL);
    char *guess = str_dup(str_from(is_url ? envelope.to : NOWHERE));
    url_deinit(&url);
    envelope_deinit(&envelope);
    root_part_deinit(&root);
    return guess;
}

static struct options keeping_to(const struct options *options)
{
    struct options changed = *options;
    if (!options_has(options, OPTION_VERBATIM) && !options_has(options, OPTION_WSA_TO)) {
        changed.values[OPTION_WSA_TO].is_given = true;
        changed.values[OPTION_WSA_TO].text = "keep";
    }
    return changed;
}

bool check_message_has_url(const struct check_message *message)
{
    const struct message_file *file = message->file;
    return message->options->argument_count > 0 || options_has(message->options, OPTION_URLS) ||
           (message_file_is_capture(file) && file->message->url[0] != '\0');
}

static struct plan *build(const struct check_message *message, const struct options *options,
                          struct buf *notes, struct err *err)
{
    struct plan *plan = NULL;
    const struct options anywhere = keeping_to(options);
    const bool is_anywhere = message->needs_no_url && !check_message_has_url(message);
    char *url = is_anywhere ? guess_url(message->file) : NULL;
    const bool is_built = run_plan_build_for(is_anywhere ? &anywhere : options, message->file, url,
                                             &plan, notes, err);
    free(url);
    return is_built ? plan : NULL;
}

/* ---- telling */

static void tell_heading(const struct check_message *message, struct buf *out)
{
    const struct message_file *file = message->file;
    struct buf label;
    struct buf text;
    buf_init(&label);
    buf_init(&text);
    buf_append_str(&label, STR("message"));
    if (file->message == NULL) {
        buf_append_str(&text, STR("none, a request without a body"));
    } else {
        const size_t number = (size_t)(file->message - file->capture.messages) + 1;
        buf_printf(&label, " %zu", number);
        buf_printf(&text, "%s (%s)", file->message->name, file->message->place);
        if (!message->is_chosen) {
            buf_printf(&text, ", not sent: --pick %zu takes it", number);
        }
    }
    buf_append_byte(out, '\n');
    check_lines_add(out, CHECK_INDENT_WHOLE, buf_view(&label), buf_view(&text));
    buf_deinit(&text);
    buf_deinit(&label);
}

/* What the reader of the capture did to it. */
static void tell_capture(const struct message_file *file, struct buf *out)
{
    const struct capture *capture = &file->capture;
    const struct capture_message *message = file->message;
    const size_t index = (size_t)(message - capture->messages);
    for (size_t i = 0; i < capture->note_count; i++) {
        if (capture->notes[i].message == index) {
            check_lines_add(out, CHECK_INDENT_MESSAGE, STR("captured"),
                            str_from(capture->notes[i].text));
        }
    }
    check_lines_add_under(out, CHECK_INDENT_MESSAGE, "expects", buf_view(&message->expectations));
    if (message->answer_status != 0) {
        check_lines_printf(out, CHECK_INDENT_MESSAGE, "captured", "it was answered with status %u",
                           message->answer_status);
    }
}

/* Cookies and fields by which a service knows a session that an earlier answer opened. */
static void tell_needs(const struct capture_message *message, struct buf *out)
{
    static const struct {
        const char *name;
        const char *why;
    } fields[] = {
        {"X-RequestDigest", "SharePoint's digest, which lives 30 minutes"},
        {"X-CSRF-Token", "a token of an earlier answer"},
        {"X-XSRF-Token", "a token of an earlier answer"},
        {"RequestVerificationToken", "a token of an earlier answer"},
        {"vmware-api-session-id", "a session that a login opened"},
    };
    if (message->cookies.len > 0) {
        check_lines_printf(out, CHECK_INDENT_MESSAGE, "needs",
                           "maybe a cookie, %s: those recorded are not sent; give one with -C",
                           message->cookies.data);
    }
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        if (http_head_find(&message->head, str_from(fields[i].name)) != NULL) {
            check_lines_printf(out, CHECK_INDENT_MESSAGE, "needs",
                               "a fresh %s: %s; give it with -H", fields[i].name, fields[i].why);
        }
    }
}

static void tell_target(const struct check_message *message, const struct plan *plan,
                        struct buf *out)
{
    if (message->needs_no_url && !check_message_has_url(message)) {
        check_lines_printf(out, CHECK_INDENT_MESSAGE, "goes to", "%s, no URL is given",
                           plan->messages[0].method);
    } else {
        check_lines_printf(out, CHECK_INDENT_MESSAGE, "goes to", "%s %s://%s%s",
                           plan->messages[0].method, url_scheme_name(plan->target.scheme),
                           plan->target.authority, plan->target.path);
    }
}

static void tell_request(const struct plan_message *message, struct buf *out)
{
    if (message->has_body) {
        check_lines_add(out, CHECK_INDENT_MESSAGE, STR("content type"),
                        str_from(message->content_type));
        check_lines_add(out, CHECK_INDENT_MESSAGE, STR("SOAPAction"),
                        message->soap_action[0] != '\0' ? str_from(message->soap_action)
                                                        : STR("none"));
        check_lines_printf(out, CHECK_INDENT_MESSAGE, "body", "%zu bytes", message->body_bytes);
    }
}

static void tell_body(const struct plan *plan, struct str body, enum refresh_mode mode,
                      struct buf *out)
{
    struct root_part root;
    struct envelope envelope;
    struct buf lines;
    buf_init(&lines);
    root_part_find(&root, str_from(plan->messages[0].content_type), body);
    envelope_read(&envelope, root.text);
    const struct explain_request request = {
        .root = &root,
        .envelope = &envelope,
        .refreshed = &plan->messages[0].refreshed,
        .mode = mode,
        .content_type = str_from(plan->messages[0].content_type),
        .is_https = plan->target.scheme == URL_SCHEME_HTTPS,
        .now = stamp_plus(stamp_of_ns(clock_wall_ns()), plan->clock_offset),
    };
    explain_append(&request, &lines);
    check_lines_add_all(out, CHECK_INDENT_MESSAGE, buf_view(&lines));
    envelope_deinit(&envelope);
    root_part_deinit(&root);
    buf_deinit(&lines);
}

/* All a run would remark on, but for the line that sums up what has just been told. */
static void tell_notes(const struct plan *plan, struct str notes, struct buf *out)
{
    struct buf known;
    buf_init(&known);
    refresh_append_line(&plan->messages[0].refreshed, &known);
    while (notes.len > 0) {
        struct str line;
        (void)str_split(notes, '\n', &line, &notes);
        if (known.len == 0 || !str_equals(line, buf_view(&known))) {
            check_lines_add(out, CHECK_INDENT_MESSAGE, STR("remark"), line);
        }
    }
    buf_deinit(&known);
}

static void tell_plan(const struct check_message *message, const struct plan *plan,
                      enum refresh_mode mode, struct str notes, struct buf *out)
{
    const struct capture_message *captured = message->file->message;
    tell_target(message, plan, out);
    tell_request(&plan->messages[0], out);
    if (plan->messages[0].has_body && captured != NULL) {
        tell_body(plan, buf_view(&captured->body), mode, out);
    }
    if (captured != NULL) {
        tell_needs(captured, out);
    }
    tell_notes(plan, notes, out);
}

/* A message that is in nobody's way but its own. */
static void tell_refused(const struct check_message *message, const struct err *err,
                         struct buf *out)
{
    struct err other;
    struct buf notes;
    buf_init(&notes);
    const struct options verbatim = verbatim_options(message->options);
    struct plan *plan = build(message, &verbatim, &notes, &other);
    if (plan != NULL) {
        tell_plan(message, plan, REFRESH_LOOKS, buf_view(&notes), out);
    }
    check_lines_add(out, CHECK_INDENT_MESSAGE, STR("refused"), str_from(err->text));
    plan_free(plan);
    buf_deinit(&notes);
}

struct plan *check_message_tell(const struct check_message *message, struct buf *out,
                                struct err *err)
{
    struct buf notes;
    buf_init(&notes);
    tell_heading(message, out);
    if (message->file->message != NULL) {
        tell_capture(message->file, out);
    }
    struct plan *plan = build(message, message->options, &notes, err);
    if (plan != NULL) {
        const bool is_verbatim = options_has(message->options, OPTION_VERBATIM);
        tell_plan(message, plan, is_verbatim ? REFRESH_LOOKS : REFRESH_CHANGES, buf_view(&notes),
                  out);
    } else {
        tell_refused(message, err, out);
    }
    buf_deinit(&notes);
    return plan;
}
