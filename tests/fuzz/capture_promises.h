/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_TESTS_CAPTURE_PROMISES_H
#define LATHER_TESTS_CAPTURE_PROMISES_H

/* What every capture must keep to, whatever was read; shared by the readers' fuzz targets. */
#include <string.h>

#include "lather/base/check.h"
#include "lather/base/url.h"
#include "lather/capture/capture.h"

static inline void check_is_printable(const char *text)
{
    CHECK(text != NULL);
    for (; *text != '\0'; text++) {
        CHECK((unsigned char)*text >= ' ' && *text != 0x7F);
    }
}

static inline void check_lines(const struct buf *lines)
{
    CHECK(lines->len == 0 || lines->data[lines->len - 1] == '\n');
    CHECK(lines->len == 0 || strlen(lines->data) == lines->len);
}

static inline void check_message(const struct capture_message *message)
{
    CHECK(message->name[0] != '\0' && message->place[0] != '\0');
    check_is_printable(message->name);
    check_is_printable(message->place);
    CHECK(strpbrk(message->method, " \r\n") == NULL && strlen(message->method) <= 40);
    CHECK(message->body.len <= CAPTURE_BODY_CEILING);
    CHECK(message->has_body || message->body.len == 0);
    CHECK((message->action == CAPTURE_ACTION_VALUE) == (message->soap_action[0] != '\0'));
    CHECK(message->soap_version < SOAP_VERSION_COUNT);
    CHECK(message->head.count <= CAPTURE_FIELDS_CEILING + 2);
    for (size_t i = 0; i < message->head.count; i++) {
        CHECK(message->head.fields[i].name[0] != '\0');
        CHECK(strpbrk(message->head.fields[i].name, ": \r\n") == NULL);
        CHECK(strpbrk(message->head.fields[i].value, "\r\n") == NULL);
    }
    CHECK(http_head_find(&message->head, STR("Content-Length")) == NULL);
    CHECK(http_head_find(&message->head, STR("Host")) == NULL);
    if (message->url[0] != '\0') {
        struct url url;
        struct err err;
        bool is_url = url_parse(&url, str_from(message->url), &err);
        CHECK(is_url && strstr(message->url, "://") != NULL);
        url_deinit(&url);
    }
    check_lines(&message->expectations);
    check_lines(&message->untranslated);
}

static inline void check_capture(const struct capture *capture)
{
    CHECK(capture->count <= CAPTURE_MESSAGES_CEILING);
    for (size_t i = 0; i < capture->count; i++) {
        check_message(&capture->messages[i]);
    }
    for (size_t i = 0; i < capture->note_count; i++) {
        CHECK(capture->notes[i].message == CAPTURE_WHOLE ||
              capture->notes[i].message < capture->count);
        CHECK(capture->notes[i].text[0] != '\0');
        check_is_printable(capture->notes[i].text);
    }
}

/* Runs one reader as capture_read does. Files that a capture names are looked for in no folder. */
static inline void read_and_check(bool (*read)(struct str content, struct capture *capture,
                                               struct err *err),
                                  enum capture_kind kind, const uint8_t *data, size_t size)
{
    struct capture capture = {
        .kind = kind,
        .name = str_dup(STR("fuzz")),
        .folder = str_dup(STR("no/such/folder/")),
    };
    struct err err = {.code = ERR_NONE};
    if (read(str_of((const char *)data, size), &capture, &err)) {
        check_capture(&capture);
    } else {
        CHECK(err.code == ERR_FORMAT);
        check_is_printable(err.text);
    }
    capture_deinit(&capture);
}

#endif
