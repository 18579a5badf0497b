/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CAPTURE_CAPTURE_H
#define LATHER_CAPTURE_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>

#include "lather/base/buf.h"
#include "lather/base/err.h"
#include "lather/base/http_head.h"
#include "lather/base/str.h"
#include "lather/soap/version.h"

/* What a file given as the message turned out to be; decided by its content, never by its name. */
enum capture_kind {
    CAPTURE_BYTES = 0, /* nothing known: one body, byte for byte */
    CAPTURE_XML,       /* a bare envelope, or XML that is none: one body, byte for byte */
    CAPTURE_MIME,      /* a multipart body, with or without its header fields */
    CAPTURE_RAW,       /* HTTP messages as text: Fiddler's sessions */
    CAPTURE_SAZ,       /* Fiddler's archive */
    CAPTURE_HAR,
    CAPTURE_CURL, /* curl command lines */
    CAPTURE_SOAPUI,
    CAPTURE_SVCLOG, /* WCF's message log */
    CAPTURE_POSTMAN,
    CAPTURE_JMETER,
    CAPTURE_KIND_COUNT
};

/* "a Fiddler archive (.saz)" and the like, for sentences. */
const char *capture_kind_name(enum capture_kind kind);

/* Whether the file is the body itself, so that it says neither method nor URL. */
bool capture_kind_is_body(enum capture_kind kind);

/* SOAPAction has three states, and services tell them apart (SOAP 1.1, 6.1.1). */
enum capture_action {
    CAPTURE_ACTION_ABSENT = 0,
    CAPTURE_ACTION_EMPTY, /* the field is there, without a value or with two quotes */
    CAPTURE_ACTION_VALUE,
    CAPTURE_ACTION_COUNT
};

enum {
    CAPTURE_MESSAGES_CEILING = 10000,   /* of one capture; a mix of more cannot be read anyway */
    CAPTURE_NOTES_CEILING = 2000,       /* of one capture; the rest is counted */
    CAPTURE_FIELDS_CEILING = 256,       /* header fields of one message; servers take 100 */
    CAPTURE_TEXT_CEILING = 4096,        /* bytes of a name, place, URL part or note */
    CAPTURE_BODY_CEILING = 256 << 20,   /* bytes of one body: four times the largest promised */
    CAPTURE_TOTAL_CEILING = 1024 << 20, /* bytes of all bodies of a capture */
    CAPTURE_DEPTH_CEILING = 32,         /* folders in folders */
};

/*
 * A request of a capture, ready to be sent again: what belongs to the connection it was recorded on
 * is taken out of the head (docs/CAPTURES, "Headers"). All owned.
 */
struct capture_message {
    char *name;   /* what --pick finds it by; never empty; not always unique */
    char *place;  /* where in the capture it stands: "raw/03_c.txt", "session 2, line 14" */
    char *method; /* "" when the capture is the body itself */
    char *url;    /* absolute, as url_parse takes it; "" when the capture tells none */
    struct http_head head; /* Content-Type and SOAPAction as captured are among the fields */
    struct buf body;       /* the exact bytes; empty when there is none */
    bool has_body;         /* false: a message without a body, no Content-Length needed */
    enum capture_action action;
    char *soap_action;              /* without its quotes; "" unless action is VALUE */
    enum soap_version soap_version; /* of the body, or of a multipart body's root part */
    char *basic_credentials;        /* "user:password" for Basic; NULL when there are none */
    struct buf cookies;      /* names of cookies that were recorded and are not sent: "a, b" */
    struct buf expectations; /* a line each: an option, one blank, its value to the line's end */
    struct buf untranslated; /* a line each: what the capture expects and no option can say */
    unsigned answer_status;  /* of the recorded answer; 0 when none was recorded */
};

/* How much a note matters. */
enum capture_note_kind {
    CAPTURE_NOTE_ROUTINE = 0, /* what every import does: fields recomputed, body length found */
    CAPTURE_NOTE_REMARK,      /* a guess, a change, or what the tester should look at */
    CAPTURE_NOTE_SKIPPED,     /* a part of the capture that gives no message, and why */
    CAPTURE_NOTE_KIND_COUNT
};

/* Of a note that is about no message in the list. */
#define CAPTURE_WHOLE ((size_t)-1)

struct capture_note {
    enum capture_note_kind kind;
    size_t message; /* index into messages, or CAPTURE_WHOLE */
    char *text;     /* one sentence without a full stop, on one line */
};

/* All messages of a file, in its order, and what was done to them. */
struct capture {
    enum capture_kind kind;
    char *name;   /* the file's, as given */
    char *folder; /* where files named in the capture are looked for: "" or with its last slash */
    struct capture_message *messages;
    size_t count;
    size_t capacity;
    struct capture_note *notes;
    size_t note_count;
    size_t note_capacity;
    size_t notes_left_out; /* beyond CAPTURE_NOTES_CEILING */
    size_t total_bytes;    /* of all bodies */
    bool is_full;          /* a ceiling was met: what follows is not read */
};

/*
 * Reads what was given as the message. `name` is the file's: for sentences, and files a curl
 * command names are looked for in its folder ("-": the current one). A damaged part is left out,
 * with a note; it is an error only when no whole message is left, or when the content is known and
 * cannot be read (a password, another tool's format): ERR_FORMAT, the sentence names file, place
 * and reason. content may be freed afterwards. After a failure capture is empty; it needs no init,
 * and deinit may follow in both cases. Memory: the bodies, and at most three times the largest part
 * read. Linear in the content.
 */
bool capture_read(struct str content, const char *name, struct capture *capture,
                  struct err *err) MUST_USE;
void capture_deinit(struct capture *capture);

/* Frees what a message holds; safe on a zeroed one. */
void capture_message_deinit(struct capture_message *message);

/*
 * Appends the notes that matter at least as much as `least`, a line each:
 * "NAME: PLACE: sentence\n".
 */
void capture_append_notes(const struct capture *capture, enum capture_note_kind least,
                          struct buf *text);

#endif
