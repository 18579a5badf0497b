/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the options of one curl request make of it. Fields that curl adds by itself (User-Agent,
 * Accept) are not in the text and are not made up. Bodies may lie in files beside the capture, or
 * come from a here-document; one that cannot be had costs its message, with the reason. Line ends
 * go out of files given with -d, as in curl, and stay with --data-binary.
 */
#include "lather/capture/curl_request.h"

#include <stdarg.h>
#include <stdlib.h>

#include "lather/base/file.h"
#include "lather/capture/gather.h"
#include "lather/capture/import.h"

enum { SHOWN_BYTES = 60 };

void curl_request_refuse(struct curl_request *request, const char *format, ...)
{
    if (request->refusal.code == ERR_NONE) {
        va_list arguments;
        va_start(arguments, format);
        (void)err_set_list(&request->refusal, ERR_FORMAT, format, arguments);
        va_end(arguments);
    }
}

static bool is_absolute(struct str path)
{
    bool has_drive = path.len > 2 && path.data[1] == ':';
    return str_starts_with(path, STR("/")) || str_starts_with(path, STR("\\")) || has_drive;
}

static void append_file(struct curl_request *request, struct str name, struct buf *data)
{
    struct buf path;
    buf_init(&path);
    if (!is_absolute(name)) {
        buf_append_str(&path, str_from(request->capture->folder));
    }
    buf_append_str(&path, name);
    struct err err;
    if (str_find_byte(name, '\0') != SIZE_MAX || name.len == 0) {
        curl_request_refuse(request, "the name of its body's file is empty or holds a NUL");
    } else if (!file_read(path.data, CAPTURE_BODY_CEILING, data, &err)) {
        curl_request_refuse(request, "its body lies in a file: %.400s", err.text);
    }
    buf_deinit(&path);
}

/* "@name" or "@-". */
static void append_named(struct curl_request *request, struct str name, struct buf *data)
{
    const struct shell_command *command = request->command;
    if (!str_equals(name, STR("-"))) {
        append_file(request, name, data);
    } else if (command->has_input) {
        buf_append_str(data, buf_view(&command->input));
    } else if (command->input_file.len > 0) {
        append_file(request, buf_view(&command->input_file), data);
    } else {
        curl_request_refuse(
            request, command->is_piped
                         ? "its body comes out of another command: save it in a file and name "
                           "that with --data-binary @FILE"
                         : "its body comes from standard input, which the capture does not have");
    }
}

/* -d takes these out of files, so that one line is left. */
static void append_stripped(struct buf *target, struct str bytes)
{
    for (size_t i = 0; i < bytes.len; i++) {
        char byte = bytes.data[i];
        if (byte != '\r' && byte != '\n' && byte != '\0') {
            buf_append_byte(target, byte);
        }
    }
}

static void add_data(struct curl_request *request, enum curl_action action, struct str value)
{
    struct buf *body = &request->message.body;
    if (request->has_data && action != CURL_ACTION_JSON) {
        buf_append_byte(body, '&');
    }
    request->has_data = true;
    request->is_json = request->is_json || action == CURL_ACTION_JSON;
    if (action == CURL_ACTION_DATA_RAW || !str_starts_with(value, STR("@"))) {
        buf_append_str(body, value);
        return;
    }
    struct buf data;
    buf_init(&data);
    append_named(request, str_slice(value, 1, value.len), &data);
    if (action == CURL_ACTION_DATA) {
        append_stripped(body, buf_view(&data));
        if (body->len < data.len) {
            gather_note(request->capture, CAPTURE_NOTE_REMARK, request->capture->count,
                        "line ends were taken out of the file, as curl does for -d "
                        "(--data-binary keeps them)");
        }
    } else {
        buf_append_str(body, buf_view(&data));
    }
    buf_deinit(&data);
}

static void add_field(struct curl_request *request, struct str name, struct str value)
{
    if (!import_field(request->capture, &request->message, name, value)) {
        curl_request_refuse(request, "more header fields than any server takes");
    }
}

/* 'Name: value', 'Name;' for an empty one, 'Name:' to have none. */
static void add_header(struct curl_request *request, struct str line)
{
    struct str name;
    struct str value;
    bool has_colon = str_split(line, ':', &name, &value);
    if (str_starts_with(line, STR("@"))) {
        gather_note(request->capture, CAPTURE_NOTE_REMARK, request->capture->count,
                    "header fields in a file (-H @FILE) are left out");
        return;
    }
    if (!has_colon && str_ends_with(str_trim(line), STR(";"))) {
        name = str_trim(line);
        name.len--;
        add_field(request, name, STR(""));
    } else if (!has_colon) {
        gather_note(request->capture, CAPTURE_NOTE_REMARK, request->capture->count,
                    "left out: -H \"%.*s\" has no colon", STR_ARG(str_slice(line, 0, SHOWN_BYTES)));
    } else if (str_trim(value).len > 0) {
        add_field(request, name, value);
    }
    request->has_type = request->has_type || str_equals_nocase(str_trim(name), STR("Content-Type"));
}

static void set_text(char **text, struct str value)
{
    free(*text);
    *text = str_dup(value);
}

void curl_request_set_url(struct curl_request *request, struct str url)
{
    if (request->message.url != NULL) {
        gather_note(request->capture, CAPTURE_NOTE_REMARK, request->capture->count,
                    "left out: \"%.*s\", a second URL", STR_ARG(str_slice(url, 0, SHOWN_BYTES)));
        return;
    }
    request->message.url = str_dup(url);
}

static void set_cookie(struct curl_request *request, struct str value)
{
    if (str_find_byte(value, '=') != SIZE_MAX) {
        add_field(request, STR("Cookie"), value);
    } else {
        gather_note(request->capture, CAPTURE_NOTE_REMARK, request->capture->count,
                    "cookies from a file are left out");
    }
}

/* The literal of a scheme's option. */
static const char *scheme_named(struct str name)
{
    if (str_equals(name, STR("ntlm"))) {
        return "--ntlm";
    }
    return str_equals(name, STR("digest")) ? "--digest" : "--negotiate";
}

static void add_bearer(struct curl_request *request, struct str token)
{
    struct buf value;
    buf_init(&value);
    buf_append_str(&value, STR("Bearer "));
    buf_append_str(&value, token);
    add_field(request, STR("Authorization"), buf_view(&value));
    buf_deinit(&value);
}

/* What an option does; value is empty for flags. */
void curl_request_apply(struct curl_request *request, const struct curl_option *option,
                        struct str value)
{
    switch (option->action) {
    case CURL_ACTION_DATA:
    case CURL_ACTION_DATA_BINARY:
    case CURL_ACTION_DATA_RAW:
    case CURL_ACTION_JSON:
        add_data(request, option->action, value);
        break;
    case CURL_ACTION_HEADER:
        add_header(request, value);
        break;
    case CURL_ACTION_METHOD:
        if (value.len > 0) {
            set_text(&request->message.method, value);
        }
        break;
    case CURL_ACTION_HEAD:
        request->is_head = true;
        break;
    case CURL_ACTION_GET:
        request->is_get = true;
        break;
    case CURL_ACTION_USER:
        buf_reset(&request->credentials);
        buf_append_str(&request->credentials, value);
        break;
    case CURL_ACTION_SCHEME:
        request->scheme = scheme_named(str_from(option->name));
        break;
    case CURL_ACTION_BEARER:
        add_bearer(request, value);
        break;
    case CURL_ACTION_URL:
        curl_request_set_url(request, value);
        break;
    case CURL_ACTION_UPLOAD:
        append_named(request, value, &request->message.body);
        set_text(&request->message.method, STR("PUT"));
        break;
    case CURL_ACTION_AGENT:
        add_field(request, STR("User-Agent"), value);
        break;
    case CURL_ACTION_REFERER:
        add_field(request, STR("Referer"), value);
        break;
    case CURL_ACTION_COOKIE:
        set_cookie(request, value);
        break;
    case CURL_ACTION_COMPRESSED:
        request->is_compressed = true;
        break;
    case CURL_ACTION_ELSEWHERE:
        gather_note(request->capture, CAPTURE_NOTE_REMARK, request->capture->count,
                    "curl's --%s is of the connection: give %s if it is wanted", option->name,
                    option->remark);
        break;
    case CURL_ACTION_REFUSE:
        curl_request_refuse(request, "curl's --%s: %s", option->name, option->remark);
        break;
    default:
        break;
    }
}

static char *place_of(const struct shell_command *command, size_t part)
{
    struct buf place;
    buf_init(&place);
    buf_printf(&place, "line %zu", command->line);
    if (part > 1) {
        buf_printf(&place, ", part %zu", part);
    }
    return buf_take(&place);
}

void curl_request_begin(struct curl_request *request, struct capture *capture,
                        const struct shell_command *command, size_t part)
{
    *request = (struct curl_request){
        .capture = capture,
        .command = command,
        .message = {.place = place_of(command, part)},
    };
}

static void settle_credentials(struct curl_request *request)
{
    struct str credentials = buf_view(&request->credentials);
    if (request->scheme != NULL) {
        gather_note(request->capture, CAPTURE_NOTE_REMARK, request->capture->count,
                    "credentials are left out: give -A and %s", request->scheme);
    } else if (credentials.len > 0 && str_find_byte(credentials, ':') == SIZE_MAX) {
        gather_note(request->capture, CAPTURE_NOTE_REMARK, request->capture->count,
                    "a user without a password, which curl would ask for: give -A USER:PASSWORD");
    } else if (credentials.len > 0) {
        request->message.basic_credentials = str_dup(credentials);
    }
}

/* --get: data goes into the URL. */
static void move_data_to_url(struct curl_request *request)
{
    struct buf url;
    buf_init(&url);
    buf_append_str(&url, str_from(request->message.url));
    if (request->message.body.len > 0) {
        bool has_query = str_find_byte(buf_view(&url), '?') != SIZE_MAX;
        buf_append_byte(&url, has_query ? '&' : '?');
        buf_append_str(&url, buf_view(&request->message.body));
    }
    set_text(&request->message.url, buf_view(&url));
    buf_deinit(&url);
    buf_deinit(&request->message.body);
    request->has_data = false;
}

static void settle_json(struct curl_request *request)
{
    if (!request->has_type) {
        add_field(request, STR("Content-Type"), STR("application/json"));
    }
    if (http_head_find(&request->message.head, STR("Accept")) == NULL) {
        add_field(request, STR("Accept"), STR("application/json"));
    }
}

/* What follows from all options together. */
static void settle(struct curl_request *request)
{
    struct capture_message *message = &request->message;
    if (message->url == NULL) {
        curl_request_refuse(request, "it has no URL");
        return;
    }
    if (request->is_get && request->has_data) {
        move_data_to_url(request);
    }
    if (message->method == NULL) {
        message->method = str_dup(str_from(request->is_head    ? "HEAD"
                                           : request->has_data ? "POST"
                                                               : "GET"));
    }
    if (request->is_json) {
        settle_json(request);
    }
    if (request->is_compressed) {
        add_field(request, STR("Accept-Encoding"), STR("gzip, deflate"));
    }
    settle_credentials(request);
    if (request->command->has_expansion) {
        gather_note(request->capture, CAPTURE_NOTE_REMARK, request->capture->count,
                    "variables and commands of the shell stand in it as written");
    }
}

void curl_request_finish(struct curl_request *request)
{
    settle(request);
    if (request->refusal.code != ERR_NONE) {
        gather_skip(request->capture, request->message.place, "%s", request->refusal.text);
        capture_message_deinit(&request->message);
    } else {
        const struct import_facts facts = {
            .implied_type = request->has_data ? "application/x-www-form-urlencoded" : NULL,
        };
        (void)import_message(request->capture, &request->message, &facts);
    }
    buf_deinit(&request->credentials);
}
