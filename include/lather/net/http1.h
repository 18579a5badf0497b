/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_NET_HTTP1_H
#define LATHER_NET_HTTP1_H

#include <llhttp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/base/str.h"

/*
 * Reads HTTP/1.0 and HTTP/1.1 answers (RFC 9112) as their bytes arrive, without a loop or socket:
 * the direct transport feeds it from the wire, saved answers are fed from memory. Interim answers
 * (1xx) are skipped and counted. The body is handed on, never kept here.
 */

enum {
    /* Bytes of one answer's head. Servers stop at 64 KiB or less; libcurl takes no line of more
     * than 100 KB, so this is what both transports can hold to. */
    HTTP1_HEAD_CEILING = 96 * 1024,
    HTTP1_NAME_SIZE = 32 /* a longer field name is none of those looked for */
};

/* What http1_error says of a head beyond that, and of what libcurl finds in a head before we do. */
#define HTTP1_HEAD_TOO_LARGE "the head is larger than 96 KiB"
#define HTTP1_BAD_VERSION    "the status line is neither of HTTP/1.1 nor of HTTP/1.0 (RFC 9112, 4)"
#define HTTP1_BAD_STATUS     "status code out of range (RFC 9110, 15)"
#define HTTP1_BAD_FIELD      "a line in the head that is no field (RFC 9112, 5)"
#define HTTP1_BAD_LENGTH     "a Content-Length that is no number (RFC 9110, 8.6)"
#define HTTP1_NUL_IN_HEAD    "NUL in the head (RFC 9110, 5.5)"

/* The fields that are kept. */
enum http1_field {
    HTTP1_FIELD_CONTENT_TYPE = 0,
    HTTP1_FIELD_CONTENT_ENCODING,
    HTTP1_FIELD_SERVER,
    HTTP1_FIELD_DATE,
    HTTP1_FIELD_LOCATION,
    HTTP1_FIELD_COUNT /* none of these: not kept */
};

/* What is kept of an answer's head; the text of all fields lies in one buffer. */
struct http1_answer {
    uint16_t status;
    bool keep_alive;         /* the connection may be used again (RFC 9112 9.3) */
    bool is_chunked;         /* its body comes in chunks */
    uint32_t interim;        /* 1xx skipped before it */
    uint64_t body_bytes;     /* so far, chunk framing removed */
    uint64_t content_length; /* as announced; UINT64_MAX when it was not */
    struct buf text;         /* reason phrase, then the kept fields */
    struct buf lines;        /* the whole head as it came, only after http1_keep_lines */
    size_t reason_len;
    size_t field_at[HTTP1_FIELD_COUNT]; /* offset in text */
    size_t field_len[HTTP1_FIELD_COUNT];
};

/* An empty answer in caller's storage; deinit frees its text. */
void http1_answer_init(struct http1_answer *answer);
/* Frees what the answer holds. */
void http1_answer_deinit(struct http1_answer *answer);

/* Views into the answer, empty when absent. */
struct str http1_answer_reason(const struct http1_answer *answer);
struct str http1_answer_field(const struct http1_answer *answer, enum http1_field field);

/* Whether an answer can have a body. */
enum http1_body {
    HTTP1_BODY_BY_HEAD = 0, /* as its head says */
    HTTP1_BODY_NONE         /* answer to HEAD: never, whatever Content-Length says */
};

/* How far reading has come. */
enum http1_progress {
    HTTP1_MORE = 0, /* all bytes taken, the answer is not whole */
    HTTP1_DONE,     /* the answer is whole; bytes behind it were not taken */
    HTTP1_BAD       /* not HTTP, or wrong framing: http1_error tells */
};

/* Called with each run of body bytes, valid during the call. */
typedef void http1_body_fn(void *context, const char *data, size_t len);

/*
 * What one head was read as, shared by the readers of a worker. Servers under load send the same
 * head again and again, and the same bytes mean the same: an answer that begins with them and is
 * there whole is known without parsing. Only whole answers with a Content-Length are remembered.
 */
enum { HTTP1_MEMO_SIZE = 1024 };
struct http1_memo {
    char head[HTTP1_MEMO_SIZE];
    size_t head_len; /* 0: nothing is remembered */
    struct http1_answer answer;
};

/* Empty, in caller's storage; deinit frees its text. */
void http1_memo_init(struct http1_memo *memo);
/* Frees what the memo holds. */
void http1_memo_deinit(struct http1_memo *memo);

/* A reader. Its fields are private; it is open only to be embedded. */
struct http1_reader {
    llhttp_t parser;
    struct http1_answer *answer;
    struct http1_memo *memo; /* NULL: every head is parsed */
    http1_body_fn *on_body;
    void *context;
    enum http1_body body;
    enum http1_field field;
    char name[HTTP1_NAME_SIZE];
    size_t name_len;
    size_t head_bytes;
    bool keep_lines;
    bool head_complete;
    bool message_complete;
    bool speaks_tls; /* the peer sent a TLS record */
};

/*
 * Starts reading one answer into `answer`, whose memory is kept and content forgotten. on_body may
 * be NULL: body bytes are then only counted.
 */
void http1_begin(struct http1_reader *reader, struct http1_answer *answer, enum http1_body body,
                 http1_body_fn *on_body, void *context);

/* From now on answer->lines gets the whole head, for showing it. */
void http1_keep_lines(struct http1_reader *reader);

/* This answer may be known by its head; the memo outlives the reading. After http1_begin. */
void http1_use_memo(struct http1_reader *reader, struct http1_memo *memo);

/* Takes bytes; *used tells how many. Linear; allocates only when the answer's text grows. */
enum http1_progress http1_feed(struct http1_reader *reader, const char *data, size_t len,
                               size_t *used) MUST_USE;

/* The peer closed: HTTP1_DONE when that ends a body without length, else HTTP1_MORE (cut off). */
enum http1_progress http1_end(struct http1_reader *reader) MUST_USE;

/* After HTTP1_BAD: what is wrong, in a few words. Valid until http1_begin. */
const char *http1_error(struct http1_reader *reader);

/* Whether the final answer's head is whole, so that status and fields can be read. */
bool http1_has_head(const struct http1_reader *reader);

#endif
