/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sessions as text, one after the other: start line, fields, body, perhaps the answer, perhaps a
 * ruler. Fiddler writes the URL in full into the request line; dumps of other tools have a path and
 * a Host field. What is no message is stepped over and told, never guessed at.
 */
#include "lather/capture/raw.h"

#include "lather/capture/gather.h"
#include "lather/capture/http_text.h"
#include "lather/capture/raw_session.h"

struct reading {
    struct capture *capture;
    struct str text; /* all of it */
    struct str rest;
    const char *counted; /* lines are counted up to here */
    size_t line;
    size_t session;
    bool expects_answer; /* the last message in the list has none yet */
};

/* The line number of what is next; only forward, so that all calls together are linear. */
static size_t line_of_rest(struct reading *reading)
{
    const char *here = reading->text.data + (reading->text.len - reading->rest.len);
    for (; reading->counted < here; reading->counted++) {
        reading->line += *reading->counted == '\n' ? 1 : 0;
    }
    return reading->line;
}

static char *place_of_rest(struct reading *reading)
{
    struct buf place;
    buf_init(&place);
    buf_printf(&place, "session %zu, line %zu", reading->session, line_of_rest(reading));
    return buf_take(&place);
}

/* Steps to the next line that begins a message; more than separators on the way is told. */
static void skip_stray(struct reading *reading)
{
    size_t first_line = 0;
    size_t last_line = 0;
    struct str at = reading->rest;
    struct str line;
    struct str method;
    struct str target;
    unsigned status = 0;
    while (http_text_take_line(&at, &line) &&
           !http_text_parse_request_line(line, &method, &target) &&
           !http_text_parse_status_line(line, &status)) {
        if (str_trim(line).len > 0 && !http_text_is_ruler(line)) {
            last_line = line_of_rest(reading);
            first_line = first_line == 0 ? last_line : first_line;
        }
        reading->rest = at;
    }
    if (first_line > 0) {
        gather_note(reading->capture, CAPTURE_NOTE_SKIPPED, CAPTURE_WHOLE,
                    "lines %zu to %zu: no HTTP message", first_line, last_line);
    }
}

static void note_body_end(struct capture *capture, const struct capture_message *message,
                          enum http_text_end end)
{
    const char *length = http_head_find(&message->head, STR("Content-Length"));
    if (end == HTTP_TEXT_END_LENGTH || end == HTTP_TEXT_END_CHUNKED) {
        gather_note(capture, CAPTURE_NOTE_ROUTINE, capture->count, "the body's end was found by %s",
                    end == HTTP_TEXT_END_LENGTH ? "Content-Length" : "its chunks");
        return;
    }
    const char *where =
        end == HTTP_TEXT_END_MARKER ? "up to the next message" : "up to the end of the text";
    if (length == NULL) {
        gather_note(capture, CAPTURE_NOTE_ROUTINE, capture->count,
                    "no Content-Length: the body was taken %s", where);
    } else {
        gather_note(capture, CAPTURE_NOTE_REMARK, capture->count,
                    "Content-Length says %.20s, but the body has %zu bytes %s, which were taken: "
                    "the text was changed after it was recorded (line ends?)",
                    length, message->body.len, where);
    }
}

static void read_request(struct reading *reading)
{
    struct capture *capture = reading->capture;
    reading->session++;
    struct capture_message message = {.place = place_of_rest(reading)};
    enum raw_session_head head = raw_session_take_head(&reading->rest, capture, &message);
    enum http_text_end end = http_text_take_body(&reading->rest, &message.head, &message.body);
    note_body_end(capture, &message, end);
    reading->expects_answer = raw_session_import(capture, &message, head);
}

static void read_answer(struct reading *reading, unsigned status)
{
    http_text_skip_message(&reading->rest);
    if (reading->expects_answer && status >= 200) {
        reading->capture->messages[reading->capture->count - 1].answer_status = status;
        reading->expects_answer = false;
    }
}

bool raw_read(struct str content, struct capture *capture, struct err *err)
{
    (void)err;
    struct reading reading = {
        .capture = capture, .text = content, .rest = content, .counted = content.data, .line = 1};
    size_t answers = 0;
    while (reading.rest.len > 0 && !capture->is_full) {
        struct str peek = reading.rest;
        struct str line;
        struct str method;
        struct str target;
        unsigned status = 0;
        (void)http_text_take_line(&peek, &line);
        if (http_text_parse_request_line(line, &method, &target)) {
            read_request(&reading);
        } else if (http_text_parse_status_line(line, &status)) {
            answers++;
            read_answer(&reading, status);
        } else {
            skip_stray(&reading);
        }
    }
    if (reading.session == 0 && answers > 0) {
        gather_skip(capture, "line 1", "only the answer was saved, not the request");
    }
    return true;
}
