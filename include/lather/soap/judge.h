/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_JUDGE_H
#define LATHER_SOAP_JUDGE_H

#include <stdbool.h>
#include <stdint.h>

#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/base/outcome.h"
#include "lather/base/step.h"
#include "lather/base/str.h"
#include "lather/soap/expect.h"

/* A whole HTTP answer as it came, framing removed. Everything is borrowed. */
struct answer {
    uint16_t status;
    struct str reason_phrase;    /* 415 explains itself only there */
    struct str content_type;     /* the field's value; empty when absent */
    struct str content_encoding; /* the field's value; empty when absent */
    struct str location;         /* the field's value, told of a redirect; empty when absent */
    struct str body;             /* empty while streaming */
    struct str message_id;       /* wsa:MessageID of the request it answers; empty: not checked */
    uint64_t elapsed_ns;         /* the request's time, for --max-time; 0: unknown */
    uint32_t message;            /* which of the plan's messages it answers: 0, 1, ... */
};

/* What an answer's RelatesTo says about the request. */
enum relation {
    RELATION_UNKNOWN = 0, /* not looked at, or no id to compare with */
    RELATION_ABSENT,      /* counted, no failure */
    RELATION_SAME,
    RELATION_OTHER, /* a mismatch */
    RELATION_COUNT
};

/* The decision. Strings are the judge's, valid until its next call. */
struct verdict {
    enum outcome outcome;     /* status, not_soap, fault, mismatch, protocol, too_large or ok */
    enum step step;           /* which check refused it; STEP_NONE: it is ok */
    bool judged;              /* the body was looked at as SOAP */
    bool charset_contradicts; /* Content-Type and XML declaration or byte order mark disagree */
    bool media_contradicts;   /* Content-Type or start-info is that of the other SOAP
                                 version, or its start is no part's */
    enum relation relation;
    struct str fault_code;     /* "{namespace}name", empty when it is no Fault */
    struct str fault_subcodes; /* chain, "{ns}a/{ns}b" */
    struct str fault_detail;   /* "{namespace}name" of the first child of detail */
    struct str fault_reason;   /* as the service worded it; reason has it masked */
    struct str reason; /* fault: its masked reason; otherwise one short sentence; ok: empty */
};

/* Stands in the reason of a redirect between its status and the address it points to. */
#define JUDGE_LOCATION ", Location: "

/*
 * Judges answers: from status, header fields and bytes to one outcome, the first that applies in
 * enum outcome. One a worker thread; holds the parser contexts, so that judging allocates little.
 * judge_setup() must have been called once before any thread starts.
 */
struct judge;

/* Starts libxml2 for the whole process, closed to network, files, catalogs. Once, before threads.
 */
void judge_setup(void);

/* expect is borrowed and must outlive the judge. */
struct judge *judge_new(const struct expect *expect) MUST_USE;
void judge_free(struct judge *judge);

/* Whether a body is looked at at all; otherwise only its length needs to be known. */
bool judge_wants_body(const struct judge *judge);

/* Judges a whole answer. About 6 us for 1.8 KB; linear in the body. */
void judge_answer(struct judge *judge, const struct answer *answer, struct verdict *verdict);

/*
 * Whether the answer is like the last one of its message that was judged ok: same status, content
 * type, encoding and bytes, so that it need not be judged again. When both ids are known the text
 * of RelatesTo is left out of the comparison and must be the id of the request instead. Where
 * nothing is expected of texts, those of elements in an answer of up to 16 KiB may be others, too,
 * if they are plain ASCII: the verdict is the same (soap/shape.h). A memory comparison, at most
 * some 10 us. Never with a share (--validate N%), whose answers are chosen one by one.
 */
bool judge_is_last_good(const struct judge *judge, const struct answer *answer);

/* The verdict on an answer for which judge_is_last_good just said yes: ok, and what is counted
   beside it. */
void judge_repeat(struct judge *judge, const struct answer *answer, struct verdict *verdict);

/*
 * With expect->counts_bodies: the answers judged so far by their bodies; NULL otherwise. Every
 * answer is judged then, also those like the last good one.
 */
struct bodies;
const struct bodies *judge_bodies(const struct judge *judge);

/* So many messages have a last good answer of their own; answers to others are always judged. */
enum { JUDGE_MESSAGE_CEILING = 1024 };

/* Answers up to this size are remembered for judge_is_last_good; larger ones are streamed. */
enum { JUDGE_WHOLE_CEILING = 64 * 1024 };

/*
 * Answers too large to gather are judged while they arrive. A stream belongs to the judge's pool;
 * feed copies nothing it need not. end gives the verdict and returns the stream to the pool;
 * drop returns it without one (the answer never became whole). head's texts are copied; its body
 * is ignored. The pool grows to as many streams as were ever open at once.
 */
struct judge_stream;
struct judge_stream *judge_stream_begin(struct judge *judge, const struct answer *head) MUST_USE;

/* The request's time, once it is known: before end, for --max-time. */
void judge_stream_set_elapsed(struct judge_stream *stream, uint64_t elapsed_ns);
void judge_stream_feed(struct judge_stream *stream, struct str bytes);
void judge_stream_end(struct judge_stream *stream, struct verdict *verdict);
void judge_stream_drop(struct judge_stream *stream);

#endif
