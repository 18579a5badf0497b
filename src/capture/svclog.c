/* SPDX-License-Identifier: Apache-2.0 */
/*
 * WCF's message log: trace events in a row, without a root, the last one often cut off. Each event
 * is read by itself, so that a damaged one costs only itself. Of one message the log can have
 * several records; the one next to the wire is taken, since only that has the security header. What
 * the log holds was written anew by WCF: not the bytes of the wire, which is said once.
 */
#include "lather/capture/svclog.h"

#include <stdlib.h>
#include <string.h>

#include "lather/capture/gather.h"
#include "lather/capture/import.h"
#include "lather/capture/svclog_record.h"
#include "lather/soap/media.h"

enum { EVENT_CEILING = 256 << 20 };

/* A request of the log, and where it stands. */
struct entry {
    struct svclog_record record;
    size_t event;
};

struct log {
    struct capture *capture;
    struct entry *entries;
    size_t count;
    size_t capacity;
    size_t events;
    size_t replies;
    size_t others;
    size_t requests[SVCLOG_RECORD_KIND_COUNT];
};

static void add_entry(struct log *log, struct svclog_record *record)
{
    if (log->count == log->capacity) {
        log->capacity = log->capacity == 0 ? 16 : log->capacity * 2;
        log->entries = check_realloc(log->entries, log->capacity * sizeof log->entries[0]);
    }
    log->requests[record->kind]++;
    log->entries[log->count++] = (struct entry){.record = *record, .event = log->events};
}

static char *place_of(size_t event, const char *source)
{
    struct buf place;
    buf_init(&place);
    buf_printf(&place, "event %zu", event);
    if (source != NULL) {
        buf_append_str(&place, STR(" ("));
        gather_append_clean(&place, str_from(source), 60);
        buf_append_byte(&place, ')');
    }
    return buf_take(&place);
}

static void read_event(struct log *log, struct str event)
{
    struct svclog_record record = {.kind = SVCLOG_RECORD_OTHER};
    struct err err;
    log->events++;
    bool is_read = event.len <= EVENT_CEILING
                       ? svclog_record_read(event, &record, &err)
                       : err_set(&err, ERR_FORMAT, "larger than an event may be");
    if (!is_read) {
        char *place = place_of(log->events, record.source);
        gather_skip(log->capture, place, "%.300s", err.text);
        free(place);
    } else if (record.kind == SVCLOG_RECORD_OTHER || record.kind == SVCLOG_RECORD_REPLY) {
        log->others += record.kind == SVCLOG_RECORD_OTHER ? 1 : 0;
        log->replies += record.kind == SVCLOG_RECORD_REPLY ? 1 : 0;
    } else if (log->count < 2 * (size_t)CAPTURE_MESSAGES_CEILING) {
        add_entry(log, &record);
        return; /* the record lives on there */
    }
    svclog_record_deinit(&record);
}

/* An event reaches to its end tag, or, without one, to the next event. */
static void read_events(struct log *log, struct str content)
{
    struct str start_tag = STR("<E2ETraceEvent ");
    struct str end_tag = STR("</E2ETraceEvent>");
    size_t start = str_find(content, start_tag);
    while (start != SIZE_MAX) {
        content = str_slice(content, start, content.len);
        size_t next = str_find(str_slice(content, start_tag.len, content.len), start_tag);
        next = next == SIZE_MAX ? content.len : next + start_tag.len;
        struct str event = str_slice(content, 0, next);
        size_t end = str_find(event, end_tag);
        if (end != SIZE_MAX) {
            event = str_slice(event, 0, end + end_tag.len);
        }
        read_event(log, event);
        start = next == content.len ? SIZE_MAX : next;
    }
}

/* ---- which of them are wanted */

static bool is_same_message(const struct svclog_record *a, const struct svclog_record *b)
{
    if (a->message_id != NULL && b->message_id != NULL) {
        return strcmp(a->message_id, b->message_id) == 0;
    }
    return str_equals(buf_view(&a->envelope), buf_view(&b->envelope));
}

/* What a client sent is in the log of the same process again when the service received it. */
static bool was_sent_before(const struct log *log, size_t index)
{
    for (size_t i = 0; i < log->count; i++) {
        if (log->entries[i].record.kind == SVCLOG_RECORD_SENT &&
            is_same_message(&log->entries[i].record, &log->entries[index].record)) {
            return true;
        }
    }
    return false;
}

static bool is_wanted(const struct log *log, size_t index)
{
    switch (log->entries[index].record.kind) {
    case SVCLOG_RECORD_SENT:
        return true;
    case SVCLOG_RECORD_RECEIVED:
        return !was_sent_before(log, index);
    default:
        return log->requests[SVCLOG_RECORD_SENT] + log->requests[SVCLOG_RECORD_RECEIVED] == 0;
    }
}

/* ---- one of them as a message */

/* NULL, or why it cannot be sent. */
static const char *fault_of(const struct svclog_record *record)
{
    struct str to = str_from(record->to);
    if (record->lacks_body) {
        return "the log left its body out: set logEntireMessage and a larger "
               "maxSizeOfMessageToLog, and record again";
    }
    if (str_starts_with(to, STR("net.")) || str_starts_with(to, STR("msmq")) ||
        str_starts_with(to, STR("soap.udp"))) {
        return "it does not go over HTTP";
    }
    return NULL;
}

/* Where it went: To and the query; "" when To is no address of HTTP. */
static char *url_of(const struct svclog_record *record)
{
    struct str to = str_from(record->to);
    struct buf url;
    buf_init(&url);
    if (str_starts_with_nocase(to, STR("http://")) || str_starts_with_nocase(to, STR("https://")) ||
        str_starts_with(to, STR("/"))) {
        buf_append_str(&url, to);
    }
    if (url.len > 0 && record->query != NULL && str_find_byte(to, '?') == SIZE_MAX) {
        buf_append_str(&url, record->query[0] == '?' ? STR("") : STR("?"));
        buf_append_str(&url, str_from(record->query));
    }
    return buf_take(&url);
}

/* The log has text, whatever went over the wire. */
static bool is_type_of_text(struct str content_type)
{
    struct str type;
    struct str charset;
    enum media media = media_of(content_type, &type, &charset);
    return media == MEDIA_SOAP_11 || media == MEDIA_SOAP_12 || media == MEDIA_XML;
}

/* False when there are too many. */
static bool add_fields(struct capture *capture, struct capture_message *message,
                       const struct http_head *fields)
{
    for (size_t i = 0; i < fields->count; i++) {
        struct str name = str_from(fields->fields[i].name);
        struct str value = str_from(fields->fields[i].value);
        if (str_equals_nocase(name, STR("Content-Type")) && !is_type_of_text(value)) {
            gather_note(capture, CAPTURE_NOTE_REMARK, capture->count,
                        "it was sent as %.*s, of which the log shows text only: sent as text",
                        STR_ARG(str_slice(value, 0, 100)));
        } else if (!import_field(capture, message, name, value)) {
            return false;
        }
    }
    return true;
}

static void note_gaps(struct capture *capture, const struct svclog_record *record)
{
    if (record->has_removed) {
        gather_note(capture, CAPTURE_NOTE_REMARK, capture->count,
                    "the log took secrets out of it (<!-- Removed-->): set logKnownPii, or give "
                    "--wsse-user");
    }
    if (record->has_stream) {
        gather_note(capture, CAPTURE_NOTE_REMARK, capture->count,
                    "its body was streamed and is not in the log (... stream ...)");
    }
    if (record->to == NULL) {
        gather_note(capture, CAPTURE_NOTE_REMARK, capture->count,
                    "the log does not say where it went: give the URL");
    }
    if (record->kind == SVCLOG_RECORD_SERVICE) {
        gather_note(capture, CAPTURE_NOTE_REMARK, capture->count,
                    "recorded at the service level: the security header of the wire is not in it");
    }
}

static void import_entry(struct log *log, struct entry *entry)
{
    struct svclog_record *record = &entry->record;
    struct capture_message message = {
        .place = place_of(entry->event, record->source),
        .method = str_dup(record->method == NULL ? STR("POST") : str_from(record->method)),
        .url = url_of(record),
    };
    const char *fault = fault_of(record);
    if (fault == NULL && !add_fields(log->capture, &message, &record->fields)) {
        fault = "more header fields than any server takes";
    }
    if (fault != NULL) {
        gather_skip(log->capture, message.place, "%s", fault);
        capture_message_deinit(&message);
        return;
    }
    message.body = record->envelope;
    buf_init(&record->envelope);
    note_gaps(log->capture, record);
    const struct import_facts facts = {.implied_action = record->action};
    (void)import_message(log->capture, &message, &facts);
}

static void import_wanted(struct log *log)
{
    size_t left_out = 0;
    bool *is_taken = check_calloc(log->count + 1, sizeof(bool));
    for (size_t i = 0; i < log->count; i++) {
        is_taken[i] = is_wanted(log, i); /* before importing takes the envelopes away */
    }
    for (size_t i = 0; i < log->count && !log->capture->is_full; i++) {
        if (is_taken[i]) {
            import_entry(log, &log->entries[i]);
        } else {
            left_out++;
        }
    }
    free(is_taken);
    gather_note(log->capture, CAPTURE_NOTE_ROUTINE, CAPTURE_WHOLE,
                "%zu events: %zu answers, %zu other records of the same requests, %zu without a "
                "message; WCF wrote the text anew, so it is not byte for byte what was sent",
                log->events, log->replies, left_out, log->others);
}

/* WCF traces by itself; messages only when told to. Skipped parts explain themselves. */
static bool check_has_requests(const struct log *log, struct err *err)
{
    if (log->count > 0 || log->others < log->events) {
        return true;
    }
    return err_set(
        err, ERR_FORMAT,
        "%.150s: a WCF log (.svclog) of %zu event%s and no message: switch message logging "
        "on (system.serviceModel/diagnostics/messageLogging: logEntireMessage and "
        "logMessagesAtTransportLevel true, a listener at the source "
        "System.ServiceModel.MessageLogging) and record again",
        log->capture->name, log->events, log->events == 1 ? "" : "s");
}

bool svclog_read(struct str content, struct capture *capture, struct err *err)
{
    struct log log = {.capture = capture};
    read_events(&log, content);
    import_wanted(&log);
    const bool has_requests = check_has_requests(&log, err);
    for (size_t i = 0; i < log.count; i++) {
        svclog_record_deinit(&log.entries[i].record);
    }
    free(log.entries);
    return has_requests;
}
