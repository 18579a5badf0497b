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
#include "lather/soap/codepage.h"
#include "lather/soap/intake.h"
#include "lather/soap/mask.h"

enum { PHRASE_CEILING = 300 }; /* of a reason phrase that is shown */

/* One answer under judgement. */
struct judge_stream {
    struct judge *judge;
    struct judge_stream *next; /* in the pool */
    struct intake *intake;
    struct answer head; /* views: of the caller's answer, or of texts */
    struct buf texts;   /* copies of the head's texts, when streaming */
};

/* The last answer to a message found good, to know its like again. */
struct last_good {
    bool is_there;
    uint16_t status;
    struct buf content_type;
    struct buf content_encoding;
    struct buf body;
    size_t id_at;  /* where RelatesTo's text stands in the body, once and as it was sent */
    size_t id_len; /* 0: the whole body is compared */
    bool charset_contradicts;
    bool media_contradicts;
    enum relation relation;
};

struct judge {
    const struct expect *expect;
    struct judge_stream *own;     /* for whole answers */
    struct judge_stream *idle;    /* the pool */
    struct last_good *last_goods; /* by message */
    size_t message_count;
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
    codepage_register();
}

static struct judge_stream *new_stream(struct judge *judge)
{
    struct judge_stream *stream = check_calloc(1, sizeof(*stream));
    stream->judge = judge;
    stream->intake = intake_new();
    return stream;
}

static void free_stream(struct judge_stream *stream)
{
    intake_free(stream->intake);
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
    for (size_t i = 0; i < judge->message_count; i++) {
        buf_deinit(&judge->last_goods[i].content_type);
        buf_deinit(&judge->last_goods[i].content_encoding);
        buf_deinit(&judge->last_goods[i].body);
    }
    free(judge->last_goods);
    buf_deinit(&judge->sentence);
    free(judge);
}

bool judge_wants_body(const struct judge *judge)
{
    return judge->expect->validate != VALIDATE_OFF;
}

static void begin(struct judge_stream *stream, const struct answer *head)
{
    stream->head = *head;
    if (judge_wants_body(stream->judge)) {
        const struct intake_request request = {
            .content_type = head->content_type,
            .content_encoding = head->content_encoding,
            .message_id = head->message_id,
            .ceiling = stream->judge->expect->max_answer_bytes,
        };
        intake_begin(stream->intake, &request);
    }
}

static void feed(struct judge_stream *stream, struct str bytes)
{
    if (judge_wants_body(stream->judge)) {
        intake_feed(stream->intake, bytes);
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

/* "{ns}a/{ns}b": whether one of the chain is the code, by whole name or by its local part. */
static bool chain_has(struct str chain, struct str code)
{
    bool is_whole = str_starts_with(code, STR("{"));
    while (chain.len > 0) {
        size_t brace = str_starts_with(chain, STR("{")) ? str_find_byte(chain, '}') : 0;
        struct str rest = brace == SIZE_MAX ? chain : str_slice(chain, brace, chain.len);
        struct str local;
        struct str after;
        (void)str_split(rest, '/', &local, &after);
        struct str name = str_slice(chain, 0, chain.len - rest.len + local.len);
        local = str_starts_with(local, STR("}")) ? str_slice(local, 1, local.len) : local;
        if (str_equals(is_whole ? name : local, code)) {
            return true;
        }
        chain = after;
    }
    return false;
}

static bool fault_is_wanted(const struct expect *expect, const struct reply_facts *reply)
{
    struct str code = str_from(expect->fault_code);
    return expect->wants_fault && (code.len == 0 || chain_has(reply->fault_code, code) ||
                                   chain_has(reply->fault_subcodes, code));
}

static void decide_fault(struct judge_stream *stream, const struct reply_facts *reply,
                         struct verdict *verdict)
{
    struct buf *sentence = &stream->judge->sentence;
    buf_reset(sentence);
    mask_append(sentence, reply->fault_reason);
    verdict->fault_code = reply->fault_code;
    verdict->fault_subcodes = reply->fault_subcodes;
    verdict->fault_detail = reply->fault_detail;
    if (!fault_is_wanted(stream->judge->expect, reply)) {
        decide(verdict, OUTCOME_FAULT, buf_view(sentence));
    }
}

static void decide_media_type(struct judge_stream *stream, struct str type, struct verdict *verdict)
{
    struct buf *sentence = &stream->judge->sentence;
    buf_reset(sentence);
    buf_printf(sentence, "media type %.*s", STR_ARG(str_slice(type, 0, 100)));
    decide(verdict, OUTCOME_NOT_SOAP, buf_view(sentence));
}

static enum relation relation_of(const struct answer *answer, const struct reply_facts *reply)
{
    if (answer->message_id.len == 0) {
        return RELATION_UNKNOWN;
    }
    if (reply->relations == 0) {
        return RELATION_ABSENT;
    }
    return reply->relates_to_request ? RELATION_SAME : RELATION_OTHER;
}

/* A good envelope without a Fault: is it the one that was to come? */
static void decide_match(struct judge_stream *stream, const struct reply_facts *reply,
                         struct verdict *verdict)
{
    const struct expect *expect = stream->judge->expect;
    if (expect->one_way) {
        return;
    }
    if (verdict->relation == RELATION_OTHER) {
        decide(verdict, OUTCOME_MISMATCH, STR("RelatesTo is not the MessageID of the request"));
    } else if (expect->wants_fault) {
        decide(verdict, OUTCOME_MISMATCH, STR("no Fault"));
    }
    (void)reply;
}

/* An answer whose XML was read. */
static void decide_by_reply(struct judge_stream *stream, const struct reply_facts *reply,
                            bool status_is_expected, struct verdict *verdict)
{
    struct buf *sentence = &stream->judge->sentence;
    verdict->charset_contradicts = reply->charset_contradicts;
    buf_reset(sentence);
    bool is_flawed = reply_flaw(reply, sentence);
    if (reply->end == SAX_TOO_DEEP || reply->end == SAX_TOO_MANY_ATTRIBUTES) {
        decide(verdict, OUTCOME_TOO_LARGE, buf_view(sentence));
    } else if (!is_flawed && reply->is_fault) {
        verdict->relation = relation_of(&stream->head, reply);
        decide_fault(stream, reply, verdict);
    } else if (!status_is_expected) {
        decide_status(stream, verdict);
    } else if (is_flawed) {
        decide(verdict, OUTCOME_NOT_SOAP, buf_view(sentence));
    } else {
        verdict->relation = relation_of(&stream->head, reply);
        decide_match(stream, reply, verdict);
    }
}

/* An answer without XML to read. */
static void decide_without_reply(struct judge_stream *stream, const struct intake_facts *facts,
                                 bool status_is_expected, struct verdict *verdict)
{
    if (facts->end == INTAKE_UNDECODED) {
        decide(verdict, OUTCOME_PROTOCOL, facts->problem);
    } else if (facts->end == INTAKE_TOO_LARGE) {
        decide(verdict, OUTCOME_TOO_LARGE, facts->problem);
    } else if (!status_is_expected) {
        decide_status(stream, verdict);
    } else if (facts->end == INTAKE_NOT_XML) {
        decide_media_type(stream, facts->media_type, verdict);
    } else if (facts->end != INTAKE_EMPTY || !stream->judge->expect->one_way) {
        decide(verdict, OUTCOME_NOT_SOAP, facts->problem);
    }
}

static bool status_is_expected(const struct expect *expect, unsigned status)
{
    return status_set_has(&expect->statuses, status) ||
           (expect->wants_fault && (status == 400 || status == 500));
}

static void end(struct judge_stream *stream, struct verdict *verdict)
{
    bool is_expected = status_is_expected(stream->judge->expect, stream->head.status);
    *verdict = (struct verdict){.outcome = OUTCOME_OK, .judged = judge_wants_body(stream->judge)};
    if (!verdict->judged) {
        if (!is_expected) {
            decide_status(stream, verdict);
        }
        return;
    }
    const struct intake_facts *facts = intake_end(stream->intake);
    verdict->media_contradicts = facts->media_contradicts;
    if (facts->end == INTAKE_READ) {
        decide_by_reply(stream, facts->reply, is_expected, verdict);
    } else {
        decide_without_reply(stream, facts, is_expected, verdict);
    }
}

static void copy_to(struct buf *target, struct str text)
{
    buf_reset(target);
    buf_append_str(target, text);
}

static struct last_good *last_good_of(struct judge *judge, uint32_t message)
{
    if (message >= judge->message_count) {
        size_t count = (size_t)message + 1;
        judge->last_goods = check_realloc(judge->last_goods, count * sizeof(*judge->last_goods));
        for (size_t i = judge->message_count; i < count; i++) {
            judge->last_goods[i] = (struct last_good){.is_there = false};
        }
        judge->message_count = count;
    }
    return &judge->last_goods[message];
}

/* Whether what stands in front is the start tag of RelatesTo, in any prefix. */
static bool is_in_relation(struct str front)
{
    front = str_trim(front);
    if (!str_ends_with(front, STR(">"))) {
        return false;
    }
    size_t at = front.len;
    while (at > 0 && front.data[at - 1] != '<') {
        at--;
    }
    struct str tag = str_slice(front, at, front.len);
    return !str_starts_with(tag, STR("!")) && str_find(tag, STR("RelatesTo")) != SIZE_MAX;
}

/* Finds the id in the body; it must be there once only, or it could be something else as well. */
static void locate_id(struct last_good *last, const struct answer *answer)
{
    struct str id = answer->message_id;
    size_t at = str_find(answer->body, id);
    if (at != SIZE_MAX && is_in_relation(str_slice(answer->body, 0, at)) &&
        str_find(str_slice(answer->body, at + id.len, answer->body.len), id) == SIZE_MAX) {
        last->id_at = at;
        last->id_len = id.len;
    }
}

static void remember(struct judge *judge, const struct answer *answer,
                     const struct verdict *verdict)
{
    if (answer->body.len > JUDGE_WHOLE_CEILING || answer->message >= JUDGE_MESSAGE_CEILING) {
        return;
    }
    struct last_good *last = last_good_of(judge, answer->message);
    last->is_there = true;
    last->status = answer->status;
    last->charset_contradicts = verdict->charset_contradicts;
    last->media_contradicts = verdict->media_contradicts;
    last->relation = verdict->relation;
    copy_to(&last->content_type, answer->content_type);
    copy_to(&last->content_encoding, answer->content_encoding);
    copy_to(&last->body, answer->body);
    last->id_at = 0;
    last->id_len = 0;
    if (verdict->relation == RELATION_SAME) {
        locate_id(last, answer);
    }
}

void judge_answer(struct judge *judge, const struct answer *answer, struct verdict *verdict)
{
    begin(judge->own, answer);
    feed(judge->own, answer->body);
    end(judge->own, verdict);
    if (verdict->judged && verdict->outcome == OUTCOME_OK) {
        remember(judge, answer, verdict);
    }
}

/* The bodies are the same but for the id, which is that of the request. */
static bool body_is_like(const struct last_good *last, const struct answer *answer)
{
    struct str body = buf_view(&last->body);
    size_t behind = last->id_at + last->id_len;
    if (last->id_len == 0) {
        return str_equals(answer->body, body) &&
               (answer->message_id.len == 0 || last->relation == RELATION_ABSENT);
    }
    return answer->body.len == body.len &&
           str_equals(str_slice(answer->body, last->id_at, behind), answer->message_id) &&
           str_equals(str_slice(answer->body, behind, body.len),
                      str_slice(body, behind, body.len)) &&
           str_equals(str_slice(answer->body, 0, last->id_at), str_slice(body, 0, last->id_at));
}

bool judge_is_last_good(const struct judge *judge, const struct answer *answer)
{
    if (answer->message >= judge->message_count) {
        return false;
    }
    const struct last_good *last = &judge->last_goods[answer->message];
    return last->is_there && answer->status == last->status && body_is_like(last, answer) &&
           str_equals(answer->content_type, buf_view(&last->content_type)) &&
           str_equals(answer->content_encoding, buf_view(&last->content_encoding));
}

void judge_repeat(const struct judge *judge, const struct answer *answer, struct verdict *verdict)
{
    *verdict = (struct verdict){.outcome = OUTCOME_OK, .judged = true};
    if (answer->message < judge->message_count) {
        const struct last_good *last = &judge->last_goods[answer->message];
        verdict->charset_contradicts = last->charset_contradicts;
        verdict->media_contradicts = last->media_contradicts;
        verdict->relation = last->relation;
    }
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
    size_t id = coding + keep(&stream->texts, head->message_id);
    struct str texts = buf_view(&stream->texts);
    const struct answer kept = {.status = head->status,
                                .reason_phrase = str_slice(texts, 0, phrase),
                                .content_type = str_slice(texts, phrase, type),
                                .content_encoding = str_slice(texts, type, coding),
                                .message_id = str_slice(texts, coding, id),
                                .message = head->message};
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
