/* SPDX-License-Identifier: Apache-2.0 */
/*
 * URLs as captures have them: full, a path only, without a scheme, with a password, with
 * placeholders. The path's escapes stay as they were recorded. A URL that is of no use is no
 * damage: the tester may give another one.
 */
#include "lather/capture/recorded_url.h"

#include <stdlib.h>
#include <string.h>

#include "lather/base/url.h"
#include "lather/capture/gather.h"

static void replace(char **text, struct buf *by)
{
    free(*text);
    *text = buf_take(by);
}

/* "http://HOST" in front of a path; false when no Host field tells one. */
static bool complete_path(struct capture *capture, struct capture_message *message)
{
    const char *host = http_head_find(&message->head, STR("Host"));
    if (host == NULL || host[0] == '\0') {
        return false;
    }
    bool is_tls = str_ends_with(str_from(host), STR(":443"));
    struct buf url;
    buf_init(&url);
    buf_printf(&url, "%s://%s%s", is_tls ? "https" : "http", host, message->url);
    replace(&message->url, &url);
    gather_note(capture, CAPTURE_NOTE_REMARK, capture->count,
                "the capture has a path and a Host only: %s is a guess", is_tls ? "https" : "http");
    return true;
}

/* Percent-decoded, as clients do before they send it (RFC 3986 3.2.1); a NUL ends it. */
static char *decode_user(struct str user)
{
    struct buf text;
    buf_init(&text);
    for (size_t i = 0; i < user.len; i++) {
        char byte = user.data[i];
        if (byte == '%' && i + 2 < user.len && str_hex_value(user.data[i + 1]) >= 0 &&
            str_hex_value(user.data[i + 2]) >= 0) {
            byte = (char)(str_hex_value(user.data[i + 1]) * 16 + str_hex_value(user.data[i + 2]));
            i += 2;
        }
        buf_append_byte(&text, byte);
    }
    return buf_take(&text);
}

/* Takes "user:password@" out of the URL. */
static void split_user(struct capture *capture, struct capture_message *message)
{
    struct str url = str_from(message->url);
    size_t start = str_find(url, STR("://"));
    start = start == SIZE_MAX ? 0 : start + 3;
    size_t len = strcspn(message->url + start, "/?#");
    size_t at = len;
    while (at > 0 && message->url[start + at - 1] != '@') {
        at--;
    }
    if (at == 0) {
        return;
    }
    if (message->basic_credentials == NULL) {
        message->basic_credentials = decode_user(str_slice(url, start, start + at - 1));
    }
    struct buf rest;
    buf_init(&rest);
    buf_append_str(&rest, str_slice(url, 0, start));
    buf_append_str(&rest, str_slice(url, start + at, url.len));
    replace(&message->url, &rest);
    gather_note(capture, CAPTURE_NOTE_REMARK, capture->count,
                "the URL's user and password are sent as Basic credentials");
}

/* Clients write %20 for a blank in a path. */
static void escape_blanks(struct capture_message *message)
{
    struct str url = str_trim(str_from(message->url));
    struct buf text;
    buf_init(&text);
    for (size_t i = 0; i < url.len; i++) {
        if (url.data[i] == ' ') {
            buf_append_str(&text, STR("%20"));
        } else {
            buf_append_byte(&text, url.data[i]);
        }
    }
    replace(&message->url, &text);
}

static void drop_url(struct capture *capture, struct capture_message *message, const char *why)
{
    gather_note(capture, CAPTURE_NOTE_REMARK, capture->count,
                "its URL cannot be used, give one on the command line: %.300s", why);
    message->url[0] = '\0';
}

void recorded_url_settle(struct capture *capture, struct capture_message *message)
{
    if (message->url == NULL) {
        message->url = str_dup(STR(""));
    }
    escape_blanks(message);
    if (message->url[0] == '\0') {
        return;
    }
    if (message->url[0] == '/' && !complete_path(capture, message)) {
        drop_url(capture, message, "it is a path, and there is no Host field");
        return;
    }
    split_user(capture, message);
    if (str_find(str_from(message->url), STR("://")) == SIZE_MAX) {
        struct buf text;
        buf_init(&text);
        buf_printf(&text, "http://%s", message->url);
        replace(&message->url, &text);
        gather_note(capture, CAPTURE_NOTE_REMARK, capture->count,
                    "the URL has no scheme: http is a guess");
    }
    struct url url;
    struct err err;
    if (!url_parse(&url, str_from(message->url), &err)) {
        drop_url(capture, message, err.text);
    }
    url_deinit(&url);
}
