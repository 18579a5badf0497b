/* SPDX-License-Identifier: Apache-2.0 */
/*
 * HTTP archives, HAR 1.2, as browsers and proxies write them. Only the request of each entry is
 * looked at and, of the answer, the status; json_cut steps over the rest. A body is kept there as
 * decoded text: byte order mark and encoding are gone, so it is encoded again as its media type
 * says. A POST whose body was left out (Chrome does that with large ones) is no message. Tools also
 * save parts of an archive: a list of entries, one entry, the request of one.
 */
#include "lather/capture/har.h"

#include <inttypes.h>
#include <stdlib.h>

#include "lather/base/http_head.h"
#include "lather/capture/gather.h"
#include "lather/capture/import.h"
#include "lather/capture/json_cut.h"

static bool add_fields(struct capture *capture, struct capture_message *message, struct str request)
{
    struct str headers;
    struct json_cut cut;
    struct str key;
    struct str header;
    bool has_room = true;
    (void)json_cut_find(request, STR("headers"), &headers);
    json_cut_begin(&cut, headers);
    while (has_room && json_cut_next(&cut, &key, &header)) {
        char *name = json_cut_member(header, STR("name"));
        char *value = json_cut_member(header, STR("value"));
        if (name != NULL && value != NULL) {
            has_room = import_field(capture, message, str_from(name), str_from(value));
        }
        free(name);
        free(value);
    }
    return has_room;
}

/* The encoding a body goes out in: its media type's, else its Content-Type field's. */
static struct str charset_of(const char *media_type, const struct capture_message *message)
{
    struct str type;
    struct str charset;
    http_head_split_media_type(str_from(media_type), &type, STR("charset"), &charset);
    if (charset.len == 0) {
        const char *field = http_head_find(&message->head, STR("Content-Type"));
        http_head_split_media_type(str_from(field), &type, STR("charset"), &charset);
    }
    return charset;
}

/* Whether the entry has a body that is not here: by its size, else by its Content-Length. */
static bool lacks_body(struct str request, const struct capture_message *message)
{
    char *size = json_cut_member(request, STR("bodySize"));
    const char *length = http_head_find(&message->head, STR("Content-Length"));
    uint64_t bytes = 0;
    bool is_known = size != NULL && str_to_u64(str_from(size), &bytes);
    free(size);
    if (!is_known) {
        (void)(length != NULL && str_to_u64(str_from(length), &bytes));
    }
    return bytes > 0;
}

/* NULL, or why there is no message. */
static const char *read_body(struct capture *capture, struct capture_message *message,
                             struct str request)
{
    struct str post;
    struct str value;
    if (!json_cut_find(request, STR("postData"), &post) || !json_cut_begins(post, '{') ||
        !json_cut_find(post, STR("text"), &value)) {
        return lacks_body(request, message)
                   ? "the capture left its body out (browsers do that with large ones)"
                   : NULL;
    }
    char *encoding = json_cut_member(post, STR("encoding"));
    bool is_base64 = encoding != NULL && encoding[0] != '\0';
    free(encoding);
    if (is_base64) {
        return "its body is binary (base64)";
    }
    struct buf text;
    buf_init(&text);
    const char *reason = NULL;
    if (json_cut_text(value, &text)) {
        char *media_type = json_cut_member(post, STR("mimeType"));
        (void)import_text(capture, message, buf_view(&text), charset_of(media_type, message));
        free(media_type);
    } else {
        reason = "its body is no text in JSON";
    }
    buf_deinit(&text);
    return reason == NULL && message->body.len == 0 && lacks_body(request, message)
               ? "the capture left its body out (browsers do that with large ones)"
               : reason;
}

static unsigned status_of(struct str entry)
{
    struct str response;
    uint64_t status = 0;
    if (!json_cut_find(entry, STR("response"), &response)) {
        return 0;
    }
    char *text = json_cut_member(response, STR("status"));
    bool is_status = text != NULL && str_to_u64(str_from(text), &status) && status < 1000;
    free(text);
    return is_status ? (unsigned)status : 0;
}

/* One request; reason is why there is none, or NULL. */
static void read_request(struct capture *capture, struct str request, unsigned answer_status,
                         size_t index, const char *reason)
{
    struct buf place;
    buf_init(&place);
    buf_printf(&place, "entry %zu", index + 1);
    struct capture_message message = {.place = buf_take(&place), .answer_status = answer_status};
    if (reason == NULL) {
        message.method = json_cut_member(request, STR("method"));
        message.url = json_cut_member(request, STR("url"));
        reason = message.method == NULL ? "its request has no method" : NULL;
    }
    if (reason == NULL && str_equals(str_from(message.method), STR("CONNECT"))) {
        reason = "CONNECT: a tunnel, not a message";
    }
    if (reason == NULL && !add_fields(capture, &message, request)) {
        reason = "more header fields than any server takes";
    }
    if (reason == NULL) {
        reason = read_body(capture, &message, request);
    }
    if (reason == NULL) {
        const struct import_facts facts = {.body = IMPORT_BODY_WHOLE};
        (void)import_message(capture, &message, &facts);
        return;
    }
    gather_skip(capture, message.place, "%.20s%s%.300s%s%s",
                message.method == NULL ? "" : message.method, message.method == NULL ? "" : " ",
                message.url == NULL ? "" : message.url, message.url == NULL ? "" : ": ", reason);
    capture_message_deinit(&message);
}

static void read_entry(struct capture *capture, struct str entry, size_t index, bool is_cut)
{
    struct str request;
    const bool has_request =
        json_cut_find(entry, STR("request"), &request) && json_cut_begins(request, '{');
    read_request(capture, request, status_of(entry), index,
                 is_cut         ? "the file ends inside of it"
                 : !has_request ? "it has no request"
                                : NULL);
}

static void read_entries(struct capture *capture, struct str entries)
{
    struct json_cut cut;
    struct str key;
    struct str entry;
    json_cut_begin(&cut, entries);
    for (size_t i = 0; !capture->is_full && json_cut_next(&cut, &key, &entry); i++) {
        read_entry(capture, entry, i, cut.is_cut);
    }
    if (cut.is_damaged) {
        gather_note(capture, CAPTURE_NOTE_SKIPPED, CAPTURE_WHOLE,
                    "the list of entries is damaged; what follows is left out");
    }
}

bool har_read(struct str content, struct capture *capture, struct err *err)
{
    (void)err;
    struct str inside;
    struct str entries;
    gather_note(capture, CAPTURE_NOTE_ROUTINE, CAPTURE_WHOLE,
                "bodies are kept there as text, so their original bytes are gone");
    if (json_cut_begins(content, '[')) {
        read_entries(capture, content);
    } else if (json_cut_find(content, STR("log"), &inside)) {
        (void)json_cut_find(inside, STR("entries"), &entries);
        read_entries(capture, entries);
    } else if (json_cut_find(content, STR("request"), &inside)) {
        read_entry(capture, content, 0, false);
    } else {
        read_request(capture, content, 0, 0, NULL);
    }
    return true;
}
