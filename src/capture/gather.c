/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where readers put what they found: messages and notes, each under its ceiling. A message in the
 * making has the index it will get, so that notes about it can be written before it is handed in;
 * when it is skipped in the end they go with it. Names and places come from files of strangers and
 * end up on terminals, so nothing but printable text gets into a note.
 */
#include "lather/capture/gather.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void gather_append_clean(struct buf *text, struct str outside, size_t most)
{
    size_t len = outside.len;
    if (len > most) {
        len = most;
        while (len > 0 && ((unsigned char)outside.data[len] & 0xC0) == 0x80) {
            len--; /* between characters */
        }
    }
    for (size_t i = 0; i < len; i++) {
        unsigned char byte = (unsigned char)outside.data[i];
        bool is_blank = byte == '\n' || byte == '\r' || byte == '\t';
        buf_append_byte(text, is_blank ? ' ' : byte < ' ' || byte == 0x7F ? '?' : outside.data[i]);
    }
    if (len < outside.len) {
        buf_append_str(text, STR("..."));
    }
}

char *gather_clean(struct str outside)
{
    struct buf text;
    buf_init(&text);
    gather_append_clean(&text, outside, CAPTURE_TEXT_CEILING);
    return buf_take(&text);
}

/* Takes over text. */
static void add_note(struct capture *capture, enum capture_note_kind kind, size_t message,
                     char *text)
{
    if (capture->note_count == CAPTURE_NOTES_CEILING) {
        capture->notes_left_out++;
        free(text);
        return;
    }
    if (capture->note_count == capture->note_capacity) {
        capture->note_capacity = capture->note_capacity == 0 ? 16 : capture->note_capacity * 2;
        capture->notes =
            check_realloc(capture->notes, capture->note_capacity * sizeof capture->notes[0]);
    }
    capture->notes[capture->note_count++] =
        (struct capture_note){.kind = kind, .message = message, .text = text};
}

/* The sentence with an optional place in front. */
static char *sentence(const char *place, const char *format, va_list arguments) PRINTF_LIKE(2, 0);
static char *sentence(const char *place, const char *format, va_list arguments)
{
    char raw[CAPTURE_TEXT_CEILING];
    int len = vsnprintf(raw, sizeof raw, format, arguments);
    CHECK(len >= 0);
    struct buf text;
    buf_init(&text);
    if (place != NULL) {
        buf_append_str(&text, str_from(place));
        buf_append_str(&text, STR(": "));
    }
    gather_append_clean(&text, str_from(raw), CAPTURE_TEXT_CEILING);
    return buf_take(&text);
}

void gather_note(struct capture *capture, enum capture_note_kind kind, size_t message,
                 const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_note(capture, kind, message, sentence(NULL, format, arguments));
    va_end(arguments);
}

/* The notes about the message in the making, which is not to be: they are the last ones. */
static void drop_pending_notes(struct capture *capture)
{
    while (capture->note_count > 0 &&
           capture->notes[capture->note_count - 1].message == capture->count) {
        free(capture->notes[--capture->note_count].text);
    }
}

void gather_skip(struct capture *capture, const char *place, const char *format, ...)
{
    drop_pending_notes(capture);
    va_list arguments;
    va_start(arguments, format);
    add_note(capture, CAPTURE_NOTE_SKIPPED, CAPTURE_WHOLE, sentence(place, format, arguments));
    va_end(arguments);
}

static bool refuse(struct capture *capture, struct capture_message *message, const char *reason)
{
    drop_pending_notes(capture);
    if (!capture->is_full) {
        gather_note(capture, CAPTURE_NOTE_SKIPPED, CAPTURE_WHOLE,
                    "%s: %s; what follows is left out", message->place, reason);
    }
    capture->is_full = true;
    capture_message_deinit(message);
    return false;
}

bool gather_message(struct capture *capture, struct capture_message *message)
{
    CHECK(message->name != NULL && message->place != NULL && message->method != NULL &&
          message->url != NULL && message->soap_action != NULL);
    if (capture->count == CAPTURE_MESSAGES_CEILING) {
        return refuse(capture, message, "more messages than a capture may hold");
    }
    if (message->body.len > CAPTURE_TOTAL_CEILING - capture->total_bytes) {
        return refuse(capture, message, "more bytes in bodies than a capture may hold");
    }
    if (capture->count == capture->capacity) {
        capture->capacity = capture->capacity == 0 ? 8 : capture->capacity * 2;
        capture->messages =
            check_realloc(capture->messages, capture->capacity * sizeof capture->messages[0]);
    }
    capture->total_bytes += message->body.len;
    capture->messages[capture->count++] = *message;
    *message = (struct capture_message){.name = NULL};
    return true;
}
