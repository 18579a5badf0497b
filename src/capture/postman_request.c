/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One request of a Postman collection, in the forms of versions 2.0 and 2.1: URL and fields as text
 * or in pieces, parameters of authentication as a list or an object. Saved answers hold copies of
 * requests, which are not looked at. Postman sends raw XML as application/xml when no Content-Type
 * is set, which WCF refuses; import_message sets what the envelope needs.
 */
#include "lather/capture/postman_request.h"

#include <stdlib.h>
#include <string.h>

#include "lather/capture/gather.h"
#include "lather/capture/import.h"
#include "lather/capture/json_cut.h"

struct making {
    struct capture *capture;
    struct postman_variables *variables;
    struct capture_message message;
};

static char *fill(struct making *making, struct str text)
{
    struct buf filled;
    buf_init(&filled);
    postman_variables_fill(making->variables, text, &filled);
    return buf_take(&filled);
}

/* The member's text, variables filled; NULL when there is none. */
static char *filled_member(struct making *making, struct str object, struct str key)
{
    char *text = json_cut_member(object, key);
    char *filled = text == NULL ? NULL : fill(making, str_from(text));
    free(text);
    return filled;
}

static bool is_off(struct str object)
{
    char *value = json_cut_member(object, STR("disabled"));
    bool is_true = value != NULL && strcmp(value, "true") == 0;
    free(value);
    return is_true;
}

/* ---- the URL */

/* A list's texts with a separator between them; a text by itself as it is. */
static void append_joined(struct buf *text, struct str value, const char *separator)
{
    struct json_cut cut;
    struct str key;
    struct str part;
    if (!json_cut_begins(value, '[')) {
        (void)!json_cut_text(value, text);
        return;
    }
    json_cut_begin(&cut, value);
    for (bool is_first = true; json_cut_next(&cut, &key, &part); is_first = false) {
        buf_append_str(text, is_first ? STR("") : str_from(separator));
        (void)!json_cut_text(part, text);
    }
}

static void append_query(struct buf *text, struct str query)
{
    struct json_cut cut;
    struct str key;
    struct str pair;
    char separator = '?';
    json_cut_begin(&cut, query);
    while (json_cut_next(&cut, &key, &pair)) {
        struct str name;
        struct str value;
        if (is_off(pair) || !json_cut_find(pair, STR("key"), &name)) {
            continue;
        }
        buf_append_byte(text, separator);
        separator = '&';
        (void)!json_cut_text(name, text);
        if (json_cut_find(pair, STR("value"), &value)) {
            buf_append_byte(text, '=');
            (void)!json_cut_text(value, text);
        }
    }
}

/* From its pieces; the host may bring its scheme along. */
static void append_pieces(struct buf *text, struct str url)
{
    struct str value;
    struct buf host;
    buf_init(&host);
    if (json_cut_find(url, STR("host"), &value)) {
        append_joined(&host, value, ".");
    }
    char *protocol = json_cut_member(url, STR("protocol"));
    if (protocol != NULL && str_find(buf_view(&host), STR("://")) == SIZE_MAX) {
        buf_append_str(text, str_from(protocol));
        buf_append_str(text, STR("://"));
    }
    free(protocol);
    buf_append_str(text, buf_view(&host));
    buf_deinit(&host);
    if (json_cut_find(url, STR("port"), &value) && value.len > 2) {
        buf_append_byte(text, ':');
        (void)!json_cut_text(value, text);
    }
    if (json_cut_find(url, STR("path"), &value)) {
        buf_append_byte(text, '/');
        append_joined(text, value, "/");
    }
    if (json_cut_find(url, STR("query"), &value)) {
        append_query(text, value);
    }
}

static void read_url(struct making *making, struct str url)
{
    struct str value;
    struct buf text;
    buf_init(&text);
    if (!json_cut_begins(url, '{')) {
        (void)!json_cut_text(url, &text);
    } else if (!json_cut_find(url, STR("raw"), &value) || !json_cut_text(value, &text)) {
        append_pieces(&text, url);
    }
    if (json_cut_find(url, STR("variable"), &value) && value.len > 2 &&
        str_find(buf_view(&text), STR("/:")) != SIZE_MAX) {
        gather_note(making->capture, CAPTURE_NOTE_REMARK, making->capture->count,
                    "path variables (/:name) stand in its URL as written");
    }
    making->message.url = fill(making, buf_view(&text));
    buf_deinit(&text);
}

/* ---- fields; false when there are too many */

static bool add_field_lines(struct making *making, struct str value)
{
    struct buf text;
    buf_init(&text);
    (void)!json_cut_text(value, &text);
    struct str rest = buf_view(&text);
    bool has_room = true;
    while (has_room && rest.len > 0) {
        struct str line;
        struct str name;
        struct str field;
        (void)str_split(rest, '\n', &line, &rest);
        if (str_split(line, ':', &name, &field)) {
            has_room = import_field(making->capture, &making->message, name, field);
        }
    }
    buf_deinit(&text);
    return has_room;
}

static bool add_fields(struct making *making, struct str headers)
{
    struct json_cut cut;
    struct str key;
    struct str header;
    bool has_room = true;
    if (json_cut_begins(headers, '"')) {
        return add_field_lines(making, headers);
    }
    json_cut_begin(&cut, headers);
    while (has_room && json_cut_next(&cut, &key, &header)) {
        char *name = filled_member(making, header, STR("key"));
        char *value = filled_member(making, header, STR("value"));
        if (name != NULL && name[0] != '\0' && !is_off(header)) {
            has_room =
                import_field(making->capture, &making->message, str_from(name), str_from(value));
        }
        free(name);
        free(value);
    }
    return has_room;
}

/* ---- the body */

/* What Postman sends for a raw body without a Content-Type of its own. */
static const char *implied_type(struct str body)
{
    static const struct {
        const char *language;
        const char *type;
    } types[] = {
        {"xml", "application/xml"},
        {"json", "application/json"},
        {"html", "text/html"},
        {"javascript", "application/javascript"},
    };
    struct str options;
    struct str raw;
    const char *type = "text/plain";
    if (!json_cut_find(body, STR("options"), &options) ||
        !json_cut_find(options, STR("raw"), &raw)) {
        return type;
    }
    char *language = json_cut_member(raw, STR("language"));
    for (size_t i = 0; language != NULL && i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(types[i].language, language) == 0) {
            type = types[i].type;
        }
    }
    free(language);
    return type;
}

/* NULL, or why it is no message. */
static const char *read_body(struct making *making, struct str body)
{
    struct str raw;
    if (!json_cut_begins(body, '{') || is_off(body)) {
        return NULL;
    }
    char *mode = json_cut_member(body, STR("mode"));
    bool is_raw = mode == NULL || strcmp(mode, "raw") == 0;
    bool is_file = mode != NULL && strcmp(mode, "file") == 0;
    bool is_none = mode != NULL && strcmp(mode, "none") == 0;
    free(mode);
    if (is_none || (is_raw && !json_cut_find(body, STR("raw"), &raw))) {
        return NULL;
    }
    if (!is_raw) {
        return is_file ? "its body lies in a file, which the collection does not have"
                       : "its body is a form or a query, which is not read here";
    }
    struct buf text;
    buf_init(&text);
    bool is_text = json_cut_text(raw, &text);
    if (is_text) {
        postman_variables_fill(making->variables, buf_view(&text), &making->message.body);
    }
    buf_deinit(&text);
    return is_text ? NULL : "its body is no text in JSON";
}

/* ---- authentication */

/* A parameter in the list of version 2.1 or the object of 2.0. */
static char *auth_parameter(struct making *making, struct str parameters, struct str name)
{
    struct json_cut cut;
    struct str key;
    struct str entry;
    if (json_cut_begins(parameters, '{')) {
        return filled_member(making, parameters, name);
    }
    json_cut_begin(&cut, parameters);
    while (json_cut_next(&cut, &key, &entry)) {
        char *text = json_cut_member(entry, STR("key"));
        bool is_it = text != NULL && str_equals(str_from(text), name);
        free(text);
        if (is_it) {
            return filled_member(making, entry, STR("value"));
        }
    }
    return NULL;
}

static void set_basic(struct making *making, struct str parameters)
{
    char *user = auth_parameter(making, parameters, STR("username"));
    char *password = auth_parameter(making, parameters, STR("password"));
    struct buf credentials;
    buf_init(&credentials);
    buf_printf(&credentials, "%s:%s", user == NULL ? "" : user, password == NULL ? "" : password);
    making->message.basic_credentials = buf_take(&credentials);
    free(user);
    free(password);
}

static void set_bearer(struct making *making, struct str parameters)
{
    char *token = auth_parameter(making, parameters, STR("token"));
    struct buf value;
    buf_init(&value);
    buf_printf(&value, "Bearer %s", token == NULL ? "" : token);
    (void)import_field(making->capture, &making->message, STR("Authorization"), buf_view(&value));
    buf_deinit(&value);
    free(token);
}

static void read_auth(struct making *making, struct str auth)
{
    char *type = json_cut_member(auth, STR("type"));
    struct str parameters = str_of(NULL, 0);
    if (type == NULL || strcmp(type, "noauth") == 0) {
        free(type);
        return;
    }
    (void)json_cut_find(auth, str_from(type), &parameters);
    if (strcmp(type, "basic") == 0) {
        set_basic(making, parameters);
    } else if (strcmp(type, "bearer") == 0) {
        set_bearer(making, parameters);
    } else {
        gather_note(making->capture, CAPTURE_NOTE_REMARK, making->capture->count,
                    "its authentication (%.40s) is left out: give -A and the option of that "
                    "scheme, or the header field with -H",
                    type);
    }
    free(type);
}

/* ---- the whole */

static unsigned answer_status(struct str item)
{
    struct str responses;
    struct str key;
    struct str first;
    struct json_cut cut;
    uint64_t status = 0;
    if (!json_cut_find(item, STR("response"), &responses)) {
        return 0;
    }
    json_cut_begin(&cut, responses);
    if (!json_cut_next(&cut, &key, &first)) {
        return 0;
    }
    char *code = json_cut_member(first, STR("code"));
    bool is_status = code != NULL && str_to_u64(str_from(code), &status) && status < 1000;
    free(code);
    return is_status ? (unsigned)status : 0;
}

static void note_variables(struct making *making)
{
    if (making->variables->were_used) {
        gather_note(making->capture, CAPTURE_NOTE_REMARK, making->capture->count,
                    "variables ({{...}}) were filled with the collection's own values");
    }
    if (making->variables->were_missing) {
        gather_note(making->capture, CAPTURE_NOTE_REMARK, making->capture->count,
                    "variables ({{...}}) without a value in the collection stand in it as "
                    "written");
    }
}

/* NULL, or why it is no message. */
static const char *read_object(struct making *making, struct str request, struct str folder_auth,
                               const char **type)
{
    struct str value;
    making->message.method = filled_member(making, request, STR("method"));
    if (json_cut_find(request, STR("url"), &value)) {
        read_url(making, value);
    }
    if (json_cut_find(request, STR("header"), &value) && !add_fields(making, value)) {
        return "more header fields than any server takes";
    }
    bool has_auth = json_cut_find(request, STR("auth"), &value) && json_cut_begins(value, '{');
    read_auth(making, has_auth ? value : folder_auth);
    if (!json_cut_find(request, STR("body"), &value)) {
        return NULL;
    }
    *type = implied_type(value);
    return read_body(making, value);
}

void postman_request_read(struct capture *capture, const struct postman_item *item,
                          struct postman_variables *variables)
{
    struct making making = {
        .capture = capture,
        .variables = variables,
        .message = {.name = str_dup(item->name), .place = gather_clean(item->place)},
    };
    variables->were_used = false;
    variables->were_missing = false;
    struct str request;
    const char *type = NULL;
    const char *reason = NULL;
    (void)json_cut_find(item->item, STR("request"), &request);
    if (json_cut_begins(request, '{')) {
        reason = read_object(&making, request, item->auth, &type);
    } else {
        read_url(&making, request);
    }
    if (reason != NULL) {
        gather_skip(capture, making.message.place, "%s", reason);
        capture_message_deinit(&making.message);
        return;
    }
    if (making.message.method == NULL) {
        making.message.method = str_dup(STR("GET"));
    }
    making.message.answer_status = answer_status(item->item);
    note_variables(&making);
    const struct import_facts facts = {.implied_type = type};
    (void)import_message(capture, &making.message, &facts);
}
