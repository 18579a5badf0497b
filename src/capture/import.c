/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What every reader ends with: a message as it was recorded becomes one that can be sent again.
 * Order matters: the Host field is needed for the URL before the rules drop it, and the body is
 * decoded before it is looked at. Bytes of a body change in one case only, when its
 * Content-Encoding is undone; refreshing would not find anything in them otherwise.
 */
#include "lather/capture/import.h"

#include <stdlib.h>

#include "lather/capture/gather.h"
#include "lather/capture/head_rules.h"
#include "lather/capture/recorded_url.h"
#include "lather/capture/transcode.h"
#include "lather/soap/binding.h"
#include "lather/soap/decode.h"
#include "lather/soap/envelope.h"
#include "lather/soap/media.h"
#include "lather/soap/root_part.h"

enum { METHOD_CEILING = 40 };

bool import_field(struct capture *capture, struct capture_message *message, struct str name,
                  struct str value)
{
    if (message->head.count >= CAPTURE_FIELDS_CEILING) {
        return false;
    }
    if (str_starts_with(name, STR(":"))) {
        gather_note(capture, CAPTURE_NOTE_ROUTINE, capture->count,
                    "dropped %.*s, which HTTP/2 makes of method and URL",
                    STR_ARG(str_slice(name, 0, 60)));
        return true;
    }
    struct buf line;
    buf_init(&line);
    buf_append_str(&line, str_trim(name));
    buf_append_byte(&line, ':');
    buf_append_str(&line, str_trim(value));
    struct err err;
    struct str parsed_name;
    struct str parsed_value;
    if (http_head_parse_field(buf_view(&line), &parsed_name, &parsed_value, &err)) {
        http_head_add(&message->head, parsed_name, parsed_value);
    } else {
        gather_note(capture, CAPTURE_NOTE_REMARK, capture->count, "left out: %.400s", err.text);
    }
    buf_deinit(&line);
    return true;
}

bool import_text(struct capture *capture, struct capture_message *message, struct str text,
                 struct str charset)
{
    if (transcode_from_utf8(text, charset, &message->body)) {
        return true;
    }
    gather_note(capture, CAPTURE_NOTE_REMARK, capture->count,
                "its text cannot be written in %.*s: the body is sent in UTF-8",
                STR_ARG(str_slice(str_trim(charset), 0, 40)));
    buf_append_str(&message->body, text);
    return false;
}

static void append_to(void *context, struct str bytes)
{
    buf_append_str(context, bytes);
}

/* Only what really is encoded keeps its field, and what can be decoded is. */
static void undo_content_encoding(struct capture *capture, struct capture_message *message)
{
    const char *field = http_head_find(&message->head, STR("Content-Encoding"));
    if (field == NULL || decode_is_identity(str_from(field))) {
        (void)http_head_remove(&message->head, STR("Content-Encoding"));
        return;
    }
    struct buf plain;
    buf_init(&plain);
    struct decode *decode = decode_new();
    decode_begin(decode, str_from(field), CAPTURE_BODY_CEILING);
    decode_feed(decode, buf_view(&message->body), append_to, &plain);
    enum decode_end end = decode_finish(decode);
    decode_free(decode);
    if (end == DECODE_WHOLE) {
        gather_note(capture, CAPTURE_NOTE_REMARK, capture->count,
                    "the body was encoded (%.40s) and is sent decoded, without Content-Encoding",
                    field);
        buf_deinit(&message->body);
        message->body = plain;
        (void)http_head_remove(&message->head, STR("Content-Encoding"));
        return;
    }
    buf_deinit(&plain);
    if (end == DECODE_UNKNOWN || end == DECODE_TOO_LARGE) {
        gather_note(capture, CAPTURE_NOTE_REMARK, capture->count,
                    "kept the body as it is under Content-Encoding: %.40s, which is not decoded "
                    "here%s",
                    field, end == DECODE_TOO_LARGE ? " beyond its limit" : "");
        return;
    }
    gather_note(capture, CAPTURE_NOTE_REMARK, capture->count,
                "dropped Content-Encoding: %.40s, the recorded body is not encoded so", field);
    (void)http_head_remove(&message->head, STR("Content-Encoding"));
}

static void set_default_type(struct capture *capture, struct capture_message *message,
                             const struct import_facts *facts, const struct binding *binding)
{
    bool is_soap = message->soap_version != SOAP_VERSION_NONE;
    const char *type =
        is_soap || facts->implied_type == NULL ? binding->content_type : facts->implied_type;
    struct buf text;
    buf_init(&text);
    buf_append_str(&text, str_from(type));
    struct str media;
    struct str charset;
    (void)media_of(buf_view(&text), &media, &charset);
    if (facts->charset != NULL && facts->charset[0] != '\0' && is_soap) {
        /* The tool encodes as it says, whatever the XML declaration claims. */
        struct str action;
        http_head_split_media_type(str_from(type), &media, STR("action"), &action);
        buf_reset(&text);
        buf_append_str(&text, media);
        buf_printf(&text, "; charset=%s", facts->charset);
        if (action.len > 0) {
            buf_printf(&text, "; action=\"%.*s\"", STR_ARG(action));
        }
    }
    http_head_add(&message->head, STR("Content-Type"), buf_view(&text));
    if (is_soap && facts->implied_type != NULL) {
        gather_note(capture, CAPTURE_NOTE_REMARK, capture->count,
                    "no Content-Type in the capture: set to %s as SOAP %s wants it, where the "
                    "tool would send %s",
                    text.data, soap_version_name(message->soap_version), facts->implied_type);
    } else {
        /* With an operation's action known, the tool would have sent the very same. */
        gather_note(capture,
                    facts->implied_action != NULL || !is_soap ? CAPTURE_NOTE_ROUTINE
                                                              : CAPTURE_NOTE_REMARK,
                    capture->count, "no Content-Type in the capture: set to %s", text.data);
    }
    buf_deinit(&text);
}

/* Content-Type and SOAPAction, where the capture has none. */
static void settle_binding(struct capture *capture, struct capture_message *message,
                           const struct import_facts *facts, const struct envelope *envelope)
{
    const char *type = http_head_find(&message->head, STR("Content-Type"));
    const char *action = http_head_find(&message->head, STR("SOAPAction"));
    const struct binding_request request = {
        .envelope = envelope,
        .body = buf_view(&message->body),
        .content_type = type,
        .soap_action = action == NULL ? facts->implied_action : NULL,
        .headers = &message->head,
    };
    struct binding binding;
    binding_settle(&request, &binding);
    if (type == NULL &&
        (message->soap_version != SOAP_VERSION_NONE || facts->implied_type != NULL)) {
        set_default_type(capture, message, facts, &binding);
    }
    if (action == NULL && binding.soap_action != NULL) {
        http_head_add(&message->head, STR("SOAPAction"), str_from(binding.soap_action));
    }
    binding_deinit(&binding);
}

/* The three states, and the value without its quotes. */
static void find_action(struct capture_message *message)
{
    const char *field = http_head_find(&message->head, STR("SOAPAction"));
    struct str value = str_trim(str_from(field));
    if (value.len >= 2 && str_starts_with(value, STR("\"")) && str_ends_with(value, STR("\""))) {
        value = str_slice(value, 1, value.len - 1);
    }
    message->action = field == NULL    ? CAPTURE_ACTION_ABSENT
                      : value.len == 0 ? CAPTURE_ACTION_EMPTY
                                       : CAPTURE_ACTION_VALUE;
    free(message->soap_action);
    message->soap_action = str_dup(value);
}

/* The last part of an action or path; empty when there is none. */
static struct str last_part(struct str text)
{
    size_t query = 0;
    while (query < text.len && text.data[query] != '?') {
        query++;
    }
    text = str_slice(text, 0, query);
    while (str_ends_with(text, STR("/")) || str_ends_with(text, STR("#"))) {
        text.len--;
    }
    size_t start = text.len;
    while (start > 0 && text.data[start - 1] != '/' && text.data[start - 1] != ':' &&
           text.data[start - 1] != '#') {
        start--;
    }
    return str_slice(text, start, text.len);
}

/* What is behind the host; empty when there is no path. */
static struct str path_of(struct str url)
{
    size_t host = str_find(url, STR("://"));
    struct str rest = host == SIZE_MAX ? url : str_slice(url, host + 3, url.len);
    return str_slice(rest, str_find_byte(rest, '/'), rest.len);
}

/* "SubmitOrder" of its action, else the last part of its URL, else its method. */
static void settle_name(struct capture_message *message, const struct envelope *envelope)
{
    struct str name = str_trim(str_from(message->name));
    if (name.len == 0) {
        name = last_part(str_from(message->soap_action));
    }
    if (name.len == 0 && envelope != NULL) {
        name = last_part(str_from(envelope->action));
    }
    if (name.len == 0) {
        name = last_part(path_of(str_from(message->url)));
    }
    if (name.len == 0) {
        name = message->method[0] != '\0' ? str_from(message->method) : STR("message");
    }
    char *clean = gather_clean(name);
    free(message->name);
    message->name = clean;
}

static void fill_absent(struct capture_message *message)
{
    char **texts[] = {&message->method, &message->url, &message->soap_action};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (*texts[i] == NULL) {
            *texts[i] = str_dup(STR(""));
        }
    }
}

static bool skip(struct capture *capture, struct capture_message *message, const char *reason)
{
    gather_skip(capture, message->place, "%s", reason);
    capture_message_deinit(message);
    return false;
}

/* The body's side of the import; false when it is damaged. */
static bool settle_body(struct capture *capture, struct capture_message *message,
                        const struct import_facts *facts)
{
    struct envelope envelope;
    struct root_part root;
    root_part_find(&root, str_from(http_head_find(&message->head, STR("Content-Type"))),
                   buf_view(&message->body));
    envelope_read(&envelope, root.text);
    bool is_whole = facts->body == IMPORT_BODY_WHOLE || envelope.is_well_formed || !envelope.is_xml;
    if (is_whole) {
        message->soap_version = envelope.version;
        settle_binding(capture, message, facts, &envelope);
        find_action(message);
        settle_name(message, &envelope);
    } else {
        (void)skip(capture, message, envelope.problem);
    }
    envelope_deinit(&envelope);
    root_part_deinit(&root);
    return is_whole;
}

/* A token of RFC 9110 5.6.2, or "" for none; it goes into the request line as it is. */
static bool is_method(const char *method)
{
    size_t len = 0;
    for (; method[len] != '\0'; len++) {
        char byte = method[len];
        bool is_letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
        if (!is_letter && byte != '-' && byte != '_' && !(byte >= '0' && byte <= '9')) {
            return false;
        }
    }
    return len <= METHOD_CEILING;
}

bool import_message(struct capture *capture, struct capture_message *message,
                    const struct import_facts *facts)
{
    fill_absent(message);
    if (!is_method(message->method)) {
        return skip(capture, message, "its method is no word");
    }
    recorded_url_settle(capture, message);
    if (message->body.len > CAPTURE_BODY_CEILING) {
        return skip(capture, message, "its body is larger than a body may be");
    }
    undo_content_encoding(capture, message);
    head_rules_apply(capture, message);
    bool takes_body = str_equals(str_from(message->method), STR("POST")) ||
                      str_equals(str_from(message->method), STR("PUT")) ||
                      str_equals(str_from(message->method), STR("PATCH"));
    message->has_body = message->body.len > 0 || takes_body;
    if (message->body.len == 0) {
        find_action(message);
        settle_name(message, NULL);
    } else if (!settle_body(capture, message, facts)) {
        return false;
    }
    return gather_message(capture, message);
}
