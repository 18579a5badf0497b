/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_TESTS_READING_H
#define LATHER_TESTS_READING_H

/* Reading captures in tests, and the one order that all sample captures hold. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "lather/base/file.h"
#include "lather/capture/capture.h"
#include "lather/capture/pick.h"

#define SAMPLES "tests/fuzz/corpus/"

/* Written so that each dialect of quoting has something to escape. */
#define ORDER_BODY                                                                                 \
    "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\">\n"                         \
    "  <s:Body>\n"                                                                                 \
    "    <PlaceOrder xmlns=\"urn:example:orders\">\n"                                              \
    "      <Item note=\"5%OFF% 'now' &amp; $HOME `x` ^ !\">T\xC3\xAB"                              \
    "a \xE2\x80\x94 \xF0\x9F\x8D\xB5</Item>\n"                                                     \
    "      <Path>C:\\orders\\\"new\"</Path>\n"                                                     \
    "    </PlaceOrder>\n"                                                                          \
    "  </s:Body>\n"                                                                                \
    "</s:Envelope>"
#define ORDER_URL    "http://orders.example/OrderService.svc?tenant=a&b=1"
#define ORDER_ACTION "urn:example:orders/PlaceOrder"

static inline void read_content(struct capture *capture, struct str content, const char *name)
{
    struct err err = {.code = ERR_NONE};
    if (!capture_read(content, name, capture, &err)) {
        fail_msg("%s", err.text);
    }
}

/* From a literal, as a file of that name. */
static inline void read_literal(struct capture *capture, const char *text)
{
    read_content(capture, str_from(text), "capture.txt");
}

/* JSON with ' for ", so that it can be read in a test. */
static inline void append_json(struct buf *text, const char *json)
{
    for (; *json != '\0'; json++) {
        buf_append_byte(text, *json == '\'' ? '"' : *json);
    }
}

static inline void read_json(struct capture *capture, const char *json)
{
    struct buf text;
    buf_init(&text);
    append_json(&text, json);
    read_content(capture, buf_view(&text), "capture.json");
    buf_deinit(&text);
}

static inline void read_sample(struct capture *capture, const char *path)
{
    struct buf content;
    struct err err = {.code = ERR_NONE};
    buf_init(&content);
    if (!file_read(path, 1 << 20, &content, &err)) {
        fail_msg("%s", err.text);
    }
    read_content(capture, buf_view(&content), path);
    buf_deinit(&content);
}

/* The reading fails, and its sentence has that part. */
static inline void assert_refused(struct str content, const char *name, const char *part)
{
    struct capture capture;
    struct err err = {.code = ERR_NONE};
    if (capture_read(content, name, &capture, &err)) {
        fail_msg("read as %s", capture_kind_name(capture.kind));
    }
    assert_int_equal(err.code, ERR_FORMAT);
    assert_null(capture.messages);
    if (strstr(err.text, name) == NULL || strstr(err.text, part) == NULL) {
        fail_msg("unexpected sentence: %s", err.text);
    }
}

static inline void assert_sample_refused(const char *path, const char *part)
{
    struct buf content;
    struct err err = {.code = ERR_NONE};
    buf_init(&content);
    assert_true(file_read(path, 1 << 20, &content, &err));
    assert_refused(buf_view(&content), path, part);
    buf_deinit(&content);
}

/* Cut after each byte (each step-th), the sample is read or refused with a sentence. */
static inline void assert_cuts_are_told(const char *path, size_t step)
{
    struct buf content;
    struct err err = {.code = ERR_NONE};
    buf_init(&content);
    assert_true(file_read(path, 1 << 20, &content, &err));
    for (size_t cut = 0; cut < content.len; cut += step) {
        struct capture capture;
        err.text[0] = '\0';
        bool is_read = capture_read(str_slice(buf_view(&content), 0, cut), "cut", &capture, &err);
        assert_true(is_read || err.text[0] != '\0');
        capture_deinit(&capture);
    }
    buf_deinit(&content);
}

static inline bool has_note(const struct capture *capture, enum capture_note_kind kind,
                            const char *part)
{
    for (size_t i = 0; i < capture->note_count; i++) {
        if (capture->notes[i].kind == kind && strstr(capture->notes[i].text, part) != NULL) {
            return true;
        }
    }
    return false;
}

static inline void assert_note(const struct capture *capture, enum capture_note_kind kind,
                               const char *part)
{
    if (!has_note(capture, kind, part)) {
        struct buf text;
        buf_init(&text);
        capture_append_notes(capture, CAPTURE_NOTE_ROUTINE, &text);
        fail_msg("no note of kind %d with \"%s\" among:\n%s", (int)kind, part,
                 text.data == NULL ? "" : text.data);
    }
}

/* The field's value, or "(none)". */
static inline const char *field(const struct capture_message *message, const char *name)
{
    const char *value = http_head_find(&message->head, str_from(name));
    return value == NULL ? "(none)" : value;
}

static inline void assert_body(const struct capture_message *message, struct str expected)
{
    assert_int_equal(message->body.len, expected.len);
    if (expected.len > 0) {
        assert_memory_equal(message->body.data, expected.data, expected.len);
    }
}

/* The one message that is chosen without --pick. */
static inline const struct capture_message *picked(const struct capture *capture)
{
    struct pick pick;
    struct err err = {.code = ERR_NONE};
    if (!pick_messages(capture, NULL, 0, &pick, &err)) {
        fail_msg("%s", err.text);
    }
    assert_int_equal(pick.count, 1);
    const struct capture_message *message = &capture->messages[pick.indices[0]];
    pick_deinit(&pick);
    return message;
}

/* Everything of the order but its body. */
static inline void assert_order_head(const struct capture_message *message)
{
    assert_string_equal(message->method, "POST");
    assert_string_equal(message->url, ORDER_URL);
    assert_string_equal(field(message, "Content-Type"), "text/xml; charset=utf-8");
    assert_string_equal(field(message, "SOAPAction"), "\"" ORDER_ACTION "\"");
    assert_string_equal(field(message, "X-Client"), "desk 7, it's");
    assert_int_equal(message->soap_version, SOAP_VERSION_11);
    assert_int_equal(message->action, CAPTURE_ACTION_VALUE);
    assert_string_equal(message->soap_action, ORDER_ACTION);
    assert_string_equal(field(message, "Host"), "(none)");
    assert_string_equal(field(message, "Content-Length"), "(none)");
}

static inline void assert_order(const struct capture_message *message)
{
    assert_order_head(message);
    assert_body(message, STR(ORDER_BODY));
}

/* The sample's one SOAP POST is the order, byte for byte. */
static inline void assert_sample_is_order(const char *path, enum capture_kind kind)
{
    struct capture capture;
    read_sample(&capture, path);
    assert_int_equal(capture.kind, kind);
    assert_order(picked(&capture));
    capture_deinit(&capture);
}

#endif
