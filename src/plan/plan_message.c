/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One message of a plan, built once for all requests: its name, its head, its template, what is
 * expected of its answers. What the bytes mean for HTTP is settled by soap/binding, what goes stale
 * in them by plan/compile; here it is put together. The trap: the first message settles for the
 * whole plan where it goes.
 */
#include "lather/plan/plan_message.h"

#include <stdlib.h>
#include <string.h>

#include "lather/plan/basic.h"
#include "lather/plan/compile.h"
#include "lather/plan/request_check.h"
#include "lather/plan/request_head.h"
#include "lather/plan/secrets.h"
#include "lather/soap/binding.h"
#include "lather/soap/envelope.h"
#include "lather/soap/notes.h"
#include "lather/soap/root_part.h"

/* GET without a body, POST with one, unless a method was given. */
static const char *method_of(const struct plan_request *request)
{
    if (request->method != NULL) {
        return request->method;
    }
    return request->has_body ? "POST" : "GET";
}

/* Whether a request without a body must say so (RFC 9110 8.6: a server may answer 411). */
static bool wants_length(const char *method)
{
    return strcmp(method, "POST") == 0 || strcmp(method, "PUT") == 0 ||
           strcmp(method, "PATCH") == 0;
}

/* "a=1; b=2", or empty without cookies. */
static void join_cookies(struct buf *joined, const struct plan_request *request)
{
    for (size_t i = 0; i < request->cookie_count; i++) {
        buf_append_str(joined, i == 0 ? STR("") : STR("; "));
        buf_append_str(joined, str_from(request->cookies[i]));
    }
}

/* A message while it is built. */
struct draft {
    struct plan_message *message;
    const struct plan_request *request;
    const struct root_part *root;
    const struct envelope *envelope;
    const struct binding *binding;
};

/* The head as it is sent, but for what templates in it stand for. */
static void write_head(struct buf *bytes, const struct plan *plan, const struct draft *draft)
{
    const struct plan_request *request = draft->request;
    const struct plan_message *message = draft->message;
    struct buf cookies;
    struct buf credentials;
    buf_init(&cookies);
    buf_init(&credentials);
    join_cookies(&cookies, request);
    if (request->basic_credentials != NULL) {
        basic_format(&credentials, basic_credentials(request->basic_credentials));
    }
    const struct request_head head = {
        .method = message->method,
        .target = &message->target,
        .connection = plan->keep_alive || way_binds_connection(&plan->way) ? "Keep-Alive" : "close",
        .cookie = cookies.len > 0 ? cookies.data : NULL,
        .authorization = credentials.data,
        .has_content_length = request->has_body || wants_length(message->method),
        .content_length = request->body.len,
        .content_type = request->has_body ? draft->binding->content_type : NULL,
        .soap_action = draft->binding->soap_action,
        .fields = request->headers,
    };
    request_head_format(bytes, &head);
    buf_deinit(&cookies);
    buf_deinit(&credentials);
}

static bool compile(struct plan *plan, const struct draft *draft, struct buf *notes,
                    struct err *err)
{
    const struct plan_request *request = draft->request;
    struct plan_message *message = draft->message;
    struct buf head;
    buf_init(&head);
    write_head(&head, plan, draft);
    const struct compile_request compiled = {
        .renewal = &request->renewal,
        .target = &message->target,
        .envelope = draft->envelope,
        .head = buf_view(&head),
        .root = draft->root,
        .body_name = request->body_name,
        .clock_offset = plan->clock_offset,
        .data = plan->data,
        .time_limit_ns = plan->time_limit_ns,
        .refreshed = &message->refreshed,
    };
    message->template = compile_message(&compiled, notes, err);
    secrets_add(plan, buf_view(&message->refreshed.password));
    message->body_bytes = request->body.len;
    buf_deinit(&head);
    return message->template != NULL;
}

/* A text field of the message: the user's own when -H has it, else what was settled, else "". */
static char *sent_value(const struct plan_request *request, struct str name, const char *settled)
{
    const char *users = http_head_find(request->headers, name);
    return str_dup(str_from(users != NULL ? users : settled));
}

/* The host of a Host field, which may have brackets and a port. */
static struct str host_of_field(struct str value)
{
    struct str host;
    struct str rest;
    if (str_starts_with(value, STR("["))) {
        (void)str_split(str_slice(value, 1, SIZE_MAX), ']', &host, &rest);
    } else {
        (void)str_split(value, ':', &host, &rest);
    }
    return host;
}

/* Who is talked to by name: behind an address there may be many hosts (B059). */
static void settle_tls_host(struct plan *plan, const struct plan_request *request)
{
    const char *field = http_head_find(request->headers, STR("Host"));
    struct str host = host_of_field(str_trim(str_from(field)));
    free(plan->tls.host);
    plan->tls.host = str_dup(host.len > 0 ? host : str_from(plan->target.host));
}

static bool settle_validation(const struct plan_message *message,
                              const struct plan_request *request, struct err *err)
{
    struct expect *expect = message->expect;
    const bool has_body = !message->answer_has_no_body;
    if (!request->has_validate) {
        const bool is_soap = message->soap_version != SOAP_VERSION_NONE && has_body;
        expect->validate = is_soap || expect_asks_inside(expect) ? VALIDATE_SOAP : VALIDATE_OFF;
    }
    if (expect->validate == VALIDATE_OFF && expect_asks_inside(expect)) {
        return err_set(err, ERR_USAGE,
                       "--validate off looks at the status only, and more was asked of the "
                       "answers: leave one of them out");
    }
    if (expect->validate == VALIDATE_OFF && expect->counts_bodies) {
        return err_set(err, ERR_USAGE,
                       "--count-bodies counts answers that are looked into, and what is sent is no "
                       "SOAP envelope: give --validate soap as well, or leave it out");
    }
    return expect->validate == VALIDATE_OFF || has_body ||
           err_set(err, ERR_USAGE,
                   "the answer to HEAD has no body to look at: leave -i out, or what was asked of "
                   "the answers (--validate and --expect-*)");
}

/* What people call the message: its file, else what is asked of which place. */
static void append_name(struct buf *name, const struct plan_message *message,
                        const struct plan_request *request)
{
    struct str given = str_from(request->name);
    if (request->name == NULL && request->body_name != NULL) {
        struct str folder;
        given = str_from(request->body_name);
        while (str_find_byte(given, '/') != SIZE_MAX) {
            (void)str_split(given, '/', &folder, &given);
        }
    }
    buf_append_str(name, given);
    if (given.len == 0) {
        buf_printf(name, "%s %s", message->method, message->target.path);
    }
}

static bool is_name_taken(const struct plan *plan, struct str name)
{
    for (size_t i = 0; i < plan->message_count; i++) {
        if (str_equals(name, str_from(plan->messages[i].name))) {
            return true;
        }
    }
    return false;
}

/* "order.xml", and the next one of that name "order.xml #2". */
static void settle_name(const struct plan *plan, struct plan_message *message,
                        const struct plan_request *request)
{
    struct buf name;
    buf_init(&name);
    append_name(&name, message, request);
    const size_t len = name.len;
    for (size_t number = 2; is_name_taken(plan, buf_view(&name)); number++) {
        name.len = len;
        buf_printf(&name, " #%zu", number);
    }
    message->name = str_dup(buf_view(&name));
    buf_deinit(&name);
}

/* Connections, addresses and TLS are those of one service. */
static bool check_origin(const struct plan *plan, const struct plan_message *message,
                         struct err *err)
{
    const struct url *first = &plan->target;
    const struct url *other = &message->target;
    if (plan->message_count == 0 ||
        (first->scheme == other->scheme && first->port == other->port &&
         str_equals_nocase(str_from(first->host), str_from(other->host)))) {
        return true;
    }
    return err_set(
        err, ERR_USAGE,
        "%.100s goes to %s://%.100s, but %.100s to %s://%.100s: all messages of a run go to "
        "one service; start a run for each and add them up with `lather merge`",
        plan->messages[0].name, url_scheme_name(first->scheme), first->authority, message->name,
        url_scheme_name(other->scheme), other->authority);
}

static bool settle_target(struct plan *plan, struct plan_message *message,
                          const struct plan_request *request, struct err *err)
{
    if (!request_check_refuse(request, err) || !url_parse(&message->target, request->url, err)) {
        return false;
    }
    message->method = str_dup(str_from(method_of(request)));
    settle_name(plan, message, request);
    if (!check_origin(plan, message, err)) {
        return false;
    }
    if (plan->message_count == 0) {
        url_deinit(&plan->target);
        CHECK(url_parse(&plan->target, request->url, err));
    }
    return true;
}

static bool build(struct plan *plan, struct plan_message *message,
                  const struct plan_request *request, struct buf *notes, struct err *err)
{
    struct envelope envelope;
    struct binding binding;
    struct root_part root;
    const char *users_type = http_head_find(request->headers, STR("Content-Type"));
    const char *type = users_type != NULL ? users_type : request->content_type;
    root_part_find(&root, str_from(type), request->body);
    envelope_read(&envelope, root.text);
    const struct binding_request bound = {
        .envelope = &envelope,
        .body = request->body,
        .content_type = type,
        .soap_action = request->soap_action,
        .headers = request->headers,
        .exchange = message->expect->one_way ? BINDING_ONE_WAY : BINDING_TWO_WAY,
    };
    binding_settle(&bound, &binding);
    if (request->has_body) {
        notes_append(&bound, &binding, notes);
    }
    request_check_note(request, notes);

    secrets_add_request(plan, request);
    const struct draft draft = {.message = message,
                                .request = request,
                                .root = &root,
                                .envelope = &envelope,
                                .binding = &binding};
    const bool is_compiled = compile(plan, &draft, notes, err);
    message->has_body = request->has_body;
    message->answer_has_no_body = strcmp(message->method, "HEAD") == 0;
    message->soap_version = request->has_body ? envelope.version : SOAP_VERSION_NONE;
    message->body_is_utf16 =
        request->has_body && str_starts_with(str_from(envelope.charset.name), STR("utf-16"));
    message->content_type =
        sent_value(request, STR("Content-Type"), request->has_body ? binding.content_type : NULL);
    message->soap_action = sent_value(request, STR("SOAPAction"), binding.soap_action);
    settle_tls_host(plan, request);
    binding_deinit(&binding);
    envelope_deinit(&envelope);
    expect_take_namespaces(message->expect, root.text);
    root_part_deinit(&root);
    return is_compiled && settle_validation(message, request, err);
}

bool plan_message_build(struct plan *plan, struct plan_message *message,
                        const struct plan_request *request, struct buf *notes, struct err *err)
{
    *message = (struct plan_message){
        .weight = request->weight > 0 ? request->weight : 1,
        .expect = request->expect != NULL ? request->expect : &plan->expect,
    };
    if (settle_target(plan, message, request, err) && build(plan, message, request, notes, err)) {
        return true;
    }
    plan_message_deinit(message);
    return false;
}

void plan_message_deinit(struct plan_message *message)
{
    template_free(message->template);
    url_deinit(&message->target);
    free(message->name);
    free(message->method);
    free(message->content_type);
    free(message->soap_action);
    refresh_result_deinit(&message->refreshed);
}
