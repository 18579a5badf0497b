/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the bytes of a file to the list of its messages: recognises the format, lets its reader work
 * and decides whether what came out is enough. It reads no format itself and chooses no message
 * (pick.c). A reader returns false only for content it knows and cannot read at all; everything
 * smaller is a note, so that one damaged session does not cost a day's recording.
 */
#include "lather/capture/capture.h"

#include <stdlib.h>

#include "lather/capture/curl_line.h"
#include "lather/capture/har.h"
#include "lather/capture/jmeter.h"
#include "lather/capture/mime_body.h"
#include "lather/capture/plain.h"
#include "lather/capture/postman.h"
#include "lather/capture/raw.h"
#include "lather/capture/recognise.h"
#include "lather/capture/saz.h"
#include "lather/capture/soapui.h"
#include "lather/capture/svclog.h"

struct format {
    const char *name;
    bool is_body;
    bool (*read)(struct str content, struct capture *capture, struct err *err);
};

static const struct format formats[CAPTURE_KIND_COUNT] = {
    [CAPTURE_BYTES] = {"a file of no known format", true, plain_read},
    [CAPTURE_XML] = {"an XML message", true, plain_read},
    [CAPTURE_MIME] = {"a MIME body", true, mime_body_read},
    [CAPTURE_RAW] = {"HTTP messages as text", false, raw_read},
    [CAPTURE_SAZ] = {"a Fiddler archive (.saz)", false, saz_read},
    [CAPTURE_HAR] = {"an HTTP archive (.har)", false, har_read},
    [CAPTURE_CURL] = {"curl command lines", false, curl_line_read},
    [CAPTURE_SOAPUI] = {"a SoapUI project", false, soapui_read},
    [CAPTURE_SVCLOG] = {"a WCF message log (.svclog)", false, svclog_read},
    [CAPTURE_POSTMAN] = {"a Postman collection", false, postman_read},
    [CAPTURE_JMETER] = {"a JMeter test plan (.jmx)", false, jmeter_read},
};

const char *capture_kind_name(enum capture_kind kind)
{
    return formats[kind].name;
}

bool capture_kind_is_body(enum capture_kind kind)
{
    return formats[kind].is_body;
}

void capture_message_deinit(struct capture_message *message)
{
    free(message->name);
    free(message->place);
    free(message->method);
    free(message->url);
    http_head_deinit(&message->head);
    buf_deinit(&message->body);
    free(message->soap_action);
    free(message->basic_credentials);
    buf_deinit(&message->cookies);
    buf_deinit(&message->expectations);
    buf_deinit(&message->untranslated);
    *message = (struct capture_message){.name = NULL};
}

void capture_deinit(struct capture *capture)
{
    for (size_t i = 0; i < capture->count; i++) {
        capture_message_deinit(&capture->messages[i]);
    }
    free(capture->messages);
    for (size_t i = 0; i < capture->note_count; i++) {
        free(capture->notes[i].text);
    }
    free(capture->notes);
    free(capture->name);
    free(capture->folder);
    *capture = (struct capture){.name = NULL};
}

/* Up to the last slash; Windows takes both kinds, and no file of ours has a backslash in it. */
static struct str folder_of(struct str name)
{
    size_t len = name.len;
    while (len > 0 && name.data[len - 1] != '/' && name.data[len - 1] != '\\') {
        len--;
    }
    return str_slice(name, 0, len);
}

/* The note that explains best why there is no message: the first part that was skipped. */
static const struct capture_note *first_skipped(const struct capture *capture)
{
    for (size_t i = 0; i < capture->note_count; i++) {
        if (capture->notes[i].kind == CAPTURE_NOTE_SKIPPED) {
            return &capture->notes[i];
        }
    }
    return NULL;
}

static size_t count_skipped(const struct capture *capture)
{
    size_t count = capture->notes_left_out;
    for (size_t i = 0; i < capture->note_count; i++) {
        count += capture->notes[i].kind == CAPTURE_NOTE_SKIPPED ? 1 : 0;
    }
    return count;
}

static bool check_is_some(const struct capture *capture, struct err *err)
{
    if (capture->count > 0) {
        return true;
    }
    const char *kind = capture_kind_name(capture->kind);
    const struct capture_note *note = first_skipped(capture);
    if (note == NULL) {
        return err_set(err, ERR_FORMAT, "%.200s: %s without a single request", capture->name, kind);
    }
    size_t others = count_skipped(capture) - 1;
    if (others == 0) {
        return err_set(err, ERR_FORMAT, "%.200s: %s without a whole request: %.220s", capture->name,
                       kind, note->text);
    }
    return err_set(err, ERR_FORMAT, "%.200s: %s without a whole request: %.200s; %zu more like it",
                   capture->name, kind, note->text, others);
}

bool capture_read(struct str content, const char *name, struct capture *capture, struct err *err)
{
    *capture = (struct capture){.name = str_dup(str_from(name)),
                                .folder = str_dup(folder_of(str_from(name)))};
    struct buf decoded;
    buf_init(&decoded);
    bool is_read = recognise(content, name, &decoded, &capture->kind, err);
    if (is_read) {
        struct str text = decoded.len > 0 ? buf_view(&decoded) : content;
        if (!capture_kind_is_body(capture->kind) && str_starts_with(text, STR("\xEF\xBB\xBF"))) {
            text = str_slice(text, 3, text.len); /* of the file, not of a message in it */
        }
        is_read = formats[capture->kind].read(text, capture, err) && check_is_some(capture, err);
    }
    buf_deinit(&decoded);
    if (!is_read) {
        capture_deinit(capture);
    }
    return is_read;
}

void capture_append_notes(const struct capture *capture, enum capture_note_kind least,
                          struct buf *text)
{
    for (size_t i = 0; i < capture->note_count; i++) {
        const struct capture_note *note = &capture->notes[i];
        if (note->kind < least) {
            continue;
        }
        buf_append_str(text, str_from(capture->name));
        if (note->message != CAPTURE_WHOLE) {
            buf_append_str(text, STR(": "));
            buf_append_str(text, str_from(capture->messages[note->message].place));
        }
        buf_append_str(text, STR(": "));
        buf_append_str(text, str_from(note->text));
        buf_append_byte(text, '\n');
    }
    if (capture->notes_left_out > 0) {
        buf_printf(text, "%s: %zu more notes are left out\n", capture->name,
                   capture->notes_left_out);
    }
}
