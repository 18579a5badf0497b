/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The decision about an answer, in the order of enum outcome. Whole answers and streamed ones go
 * the same way: begin, feed, end; a whole one uses the judge's own case and borrows its head. What
 * an envelope says is reply.c's to find; here it is only weighed. The thing to know: a Fault in a
 * good envelope wins over the HTTP status, and an error status without one over all that the body
 * might be.
 */
#include "lather/soap/judge.h"

#include <libxml/catalog.h>
#include <libxml/parser.h>
#include <libxml/xmlschemastypes.h>
#include <stdlib.h>

#include "lather/base/buf.h"
#include "lather/soap/mask.h"
#include "lather/soap/media.h"
#include "lather/soap/reply.h"

enum { PHRASE_CEILING = 300 }; /* of a reason phrase that is shown */

/* One answer under judgement. */
struct judge_stream {
    struct judge *judge;
    struct judge_stream *next; /* in the pool */
    struct reply *reply;
    struct answer head; /* views: of the caller's answer, or of texts */
    struct buf texts;   /* copies of the head's texts, when streaming */
    enum media media;
    struct str media_type; /* view into the head's content type */
    uint64_t body_bytes;
};

/* The last answer found good, to know its like again. */
struct last_good {
    bool is_there;
    uint16_t status;
    struct buf content_type;
    struct buf content_encoding;
    struct buf body;
};

struct judge {
    const struct expect *expect;
    struct judge_stream *own;  /* for whole answers */
    struct judge_stream *idle; /* the pool */
    struct last_good last_good;
    struct buf sentence;
};

/* Errors of a conversion have no parser to be told to: libxml2 would print them. */
static void say_nothing(void *context, const char *format, ...)
{
    (void)context;
    (void)format;
}

static xmlParserInputPtr refuse_to_load(const char *url, const char *id, xmlParserCtxtPtr context)
{
    (void)url;
    (void)id;
    (void)context;
    return NULL;
}

void judge_setup(void)
{
    xmlInitParser();
    xmlSchemaInitTypes();
    xmlCatalogSetDefaults(XML_CATA_ALLOW_NONE);
    xmlSetExternalEntityLoader(refuse_to_load);
    xmlSetGenericErrorFunc(NULL, say_nothing);       /* this thread */
    xmlThrDefSetGenericErrorFunc(NULL, say_nothing); /* every later one */
}

static struct judge_stream *new_stream(struct judge *judge)
{
    struct judge_stream *stream = check_calloc(1, sizeof(*stream));
    stream->judge = judge;
    stream->reply = reply_new();
    return stream;
}

static void free_stream(struct judge_stream *stream)
{
    reply_free(stream->reply);
    buf_deinit(&stream->texts);
    free(stream);
}

struct judge *judge_new(const struct expect *expect)
{
    struct judge *judge = check_calloc(1, sizeof(*judge));
    judge->expect = expect;
    judge->own = new_stream(judge);
    return judge;
}

void judge_free(struct judge *judge)
{
    if (judge == NULL) {
        return;
    }
    free_stream(judge->own);
    while (judge->idle != NULL) {
        struct judge_stream *next = judge->idle->next;
        free_stream(judge->idle);
        judge->idle = next;
    }
    buf_deinit(&judge->last_good.content_type);
    buf_deinit(&judge->last_good.content_encoding);
    buf_deinit(&judge->last_good.body);
    buf_deinit(&judge->sentence);
    free(judge);
}

bool judge_wants_body(const struct judge *judge)
{
    return judge->expect->validate != VALIDATE_OFF;
}

static void begin(struct judge_stream *stream, const struct answer *head)
{
    struct str charset;
    stream->head = *head;
    stream->body_bytes = 0;
    stream->media = media_of(head->content_type, &stream->media_type, &charset);
    if (judge_wants_body(stream->judge)) {
        reply_begin(stream->reply, charset);
    }
}

static void feed(struct judge_stream *stream, struct str bytes)
{
    stream->body_bytes += bytes.len;
    if (judge_wants_body(stream->judge) && stream->media != MEDIA_OTHER) {
        reply_feed(stream->reply, bytes);
    }
}

static void decide(struct verdict *verdict, enum outcome outcome, struct str reason)
{
    verdict->outcome = outcome;
    verdict->reason = reason;
}

/* "415 Unsupported Media Type"; services explain themselves in the phrase, so all of it counts. */
static void decide_status(struct judge_stream *stream, struct verdict *verdict)
{
    struct buf *sentence = &stream->judge->sentence;
    buf_reset(sentence);
    buf_printf(sentence, "%u", (unsigned)stream->head.status);
    struct str phrase = str_slice(str_trim(stream->head.reason_phrase), 0, PHRASE_CEILING);
    if (phrase.len > 0) {
        buf_append_byte(sentence, ' ');
    }
    for (size_t i = 0; i < phrase.len; i++) {
        bool is_control = (unsigned char)phrase.data[i] < ' ' || phrase.data[i] == 0x7F;
        buf_append_byte(sentence, is_control ? ' ' : phrase.data[i]);
    }
    decide(verdict, OUTCOME_STATUS, buf_view(sentence));
}

static void decide_fault(struct judge_stream *stream, const struct reply_facts *facts,
                         struct verdict *verdict)
{
    struct buf *sentence = &stream->judge->sentence;
    buf_reset(sentence);
    mask_append(sentence, facts->fault_reason);
    verdict->fault_code = facts->fault_code;
    verdict->fault_subcodes = facts->fault_subcodes;
    verdict->fault_detail = facts->fault_detail;
    decide(verdict, OUTCOME_FAULT, buf_view(sentence));
}

static void decide_not_soap(struct judge_stream *stream, struct verdict *verdict)
{
    struct buf *sentence = &stream->judge->sentence;
    buf_reset(sentence);
    buf_printf(sentence, "media type %.*s", STR_ARG(str_slice(stream->media_type, 0, 100)));
    decide(verdict, OUTCOME_NOT_SOAP, buf_view(sentence));
}

/* An answer with a body that may be SOAP. */
static void decide_by_reply(struct judge_stream *stream, bool status_is_expected,
                            struct verdict *verdict)
{
    const struct reply_facts *facts = reply_end(stream->reply);
    struct buf *sentence = &stream->judge->sentence;
    verdict->charset_contradicts = facts->charset_contradicts;
    buf_reset(sentence);
    bool is_flawed = reply_flaw(facts, sentence);
    if (facts->end == SAX_TOO_DEEP || facts->end == SAX_TOO_MANY_ATTRIBUTES) {
        decide(verdict, OUTCOME_TOO_LARGE, buf_view(sentence));
    } else if (!is_flawed && facts->is_fault) {
        decide_fault(stream, facts, verdict);
    } else if (!status_is_expected) {
        decide_status(stream, verdict);
    } else if (is_flawed) {
        decide(verdict, OUTCOME_NOT_SOAP, buf_view(sentence));
    }
}

static void end(struct judge_stream *stream, struct verdict *verdict)
{
    const struct expect *expect = stream->judge->expect;
    bool status_is_expected = status_set_has(&expect->statuses, stream->head.status);
    *verdict = (struct verdict){.outcome = OUTCOME_OK, .judged = judge_wants_body(stream->judge)};
    if (verdict->judged && stream->body_bytes > 0 && stream->media != MEDIA_OTHER) {
        decide_by_reply(stream, status_is_expected, verdict);
    } else if (!status_is_expected) {
        decide_status(stream, verdict);
    } else if (verdict->judged && stream->body_bytes > 0) {
        decide_not_soap(stream, verdict);
    } else if (verdict->judged && !expect->one_way) {
        decide(verdict, OUTCOME_NOT_SOAP, STR("empty answer"));
    }
}

static void copy_to(struct buf *target, struct str text)
{
    buf_reset(target);
    buf_append_str(target, text);
}

static void remember(struct judge *judge, const struct answer *answer)
{
    struct last_good *last = &judge->last_good;
    if (answer->body.len > JUDGE_WHOLE_CEILING) {
        return;
    }
    last->is_there = true;
    last->status = answer->status;
    copy_to(&last->content_type, answer->content_type);
    copy_to(&last->content_encoding, answer->content_encoding);
    copy_to(&last->body, answer->body);
}

void judge_answer(struct judge *judge, const struct answer *answer, struct verdict *verdict)
{
    begin(judge->own, answer);
    feed(judge->own, answer->body);
    end(judge->own, verdict);
    /* What is counted beside the outcome must be counted each time. */
    if (verdict->judged && verdict->outcome == OUTCOME_OK && !verdict->charset_contradicts) {
        remember(judge, answer);
    }
}

bool judge_is_last_good(const struct judge *judge, const struct answer *answer)
{
    const struct last_good *last = &judge->last_good;
    return last->is_there && answer->status == last->status &&
           str_equals(answer->body, buf_view(&last->body)) &&
           str_equals(answer->content_type, buf_view(&last->content_type)) &&
           str_equals(answer->content_encoding, buf_view(&last->content_encoding));
}

/* Puts a copy of text behind the others and returns where; views are made when all are in. */
static size_t keep(struct buf *texts, struct str text)
{
    buf_append_str(texts, text);
    return text.len;
}

struct judge_stream *judge_stream_begin(struct judge *judge, const struct answer *head)
{
    struct judge_stream *stream = judge->idle;
    if (stream == NULL) {
        stream = new_stream(judge);
    } else {
        judge->idle = stream->next;
    }
    buf_reset(&stream->texts);
    size_t phrase = keep(&stream->texts, head->reason_phrase);
    size_t type = phrase + keep(&stream->texts, head->content_type);
    size_t coding = type + keep(&stream->texts, head->content_encoding);
    struct str texts = buf_view(&stream->texts);
    const struct answer kept = {.status = head->status,
                                .reason_phrase = str_slice(texts, 0, phrase),
                                .content_type = str_slice(texts, phrase, type),
                                .content_encoding = str_slice(texts, type, coding)};
    begin(stream, &kept);
    return stream;
}

void judge_stream_feed(struct judge_stream *stream, struct str bytes)
{
    feed(stream, bytes);
}

void judge_stream_drop(struct judge_stream *stream)
{
    stream->next = stream->judge->idle;
    stream->judge->idle = stream;
}

void judge_stream_end(struct judge_stream *stream, struct verdict *verdict)
{
    end(stream, verdict);
    judge_stream_drop(stream);
}
