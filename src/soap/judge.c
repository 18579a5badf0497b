/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The decision about an answer, in the order of enum outcome. Whole answers and streamed ones go
 * the same way: begin, feed, end; a whole one uses the judge's own case and borrows its head. What
 * an envelope says is reply.c's to find; here it is only weighed. The thing to know: a Fault in a
 * good envelope wins over the HTTP status, and an error status without one over all that the body
 * might be.
 */
#include "lather/soap/judge.h"

#include <libxml/parser.h>
#include <libxml/xmlschemastypes.h>
#include <stdlib.h>

#include "lather/base/buf.h"
#include "lather/base/units.h"
#include "lather/base/utf8.h"
#include "lather/soap/bodies.h"
#include "lather/soap/checks.h"
#include "lather/soap/codepage.h"
#include "lather/soap/decode.h"
#include "lather/soap/intake.h"
#include "lather/soap/last_good.h"
#include "lather/soap/loader.h"
#include "lather/soap/mask.h"
#include "lather/soap/reply_flaw.h"

enum {
    PHRASE_CEILING = 300, /* of a reason phrase or an address that is shown */
    TITLE_LOOK = 4096     /* bytes of a page that are looked at for its title */
};

/* One answer under judgement. */
struct judge_stream {
    struct judge *judge;
    struct judge_stream *next; /* in the pool */
    struct intake *intake;
    struct watch *watch;                  /* NULL: no expression is looked for while reading */
    bool is_sampled;                      /* this answer is judged */
    enum last_good_texts texts_of_answer; /* once it was read */
    struct answer head;                   /* views: of the caller's answer, or of texts */
    struct buf texts;                     /* copies of the head's texts, when streaming */
};

struct judge {
    const struct expect *expect;
    struct checks *checks;
    struct bodies *bodies;     /* NULL: they are not counted */
    uint64_t answers;          /* begun so far, for the share that is judged */
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

void judge_setup(void)
{
    xmlInitParser();
    xmlSchemaInitTypes();
    loader_install();
    xmlSetGenericErrorFunc(NULL, say_nothing);       /* this thread */
    xmlThrDefSetGenericErrorFunc(NULL, say_nothing); /* every later one */
    codepage_register();
}

static void on_element(void *context, const struct sax_element *element)
{
    watch_start(context, element);
}

static struct judge_stream *new_stream(struct judge *judge)
{
    struct judge_stream *stream = check_calloc(1, sizeof(*stream));
    stream->judge = judge;
    stream->intake = intake_new();
    stream->watch = watch_new(judge->expect->xpaths, judge->expect->xpath_count);
    if (stream->watch != NULL) {
        intake_observe(stream->intake, on_element, stream->watch);
    }
    return stream;
}

static void free_stream(struct judge_stream *stream)
{
    intake_free(stream->intake);
    watch_free(stream->watch);
    buf_deinit(&stream->texts);
    free(stream);
}

struct judge *judge_new(const struct expect *expect)
{
    struct judge *judge = check_calloc(1, sizeof(*judge));
    judge->expect = expect;
    judge->checks = checks_new(expect);
    judge->bodies = expect->counts_bodies ? bodies_new() : NULL;
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
    last_good_deinit(&judge->last_good);
    checks_free(judge->checks);
    bodies_free(judge->bodies);
    buf_deinit(&judge->sentence);
    free(judge);
}

bool judge_wants_body(const struct judge *judge)
{
    return judge->expect->validate != VALIDATE_OFF;
}

/*
 * Whether the next answer belongs to the share that is judged. The count is scattered (the mixing
 * step of splitmix64), so that no rhythm of the service can hide between the samples.
 */
static bool is_sampled(struct judge *judge)
{
    uint64_t mixed = judge->answers++ * UINT64_C(0x9E3779B97F4A7C15);
    mixed = (mixed ^ mixed >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94D049BB133111EB);
    mixed ^= mixed >> 31;
    return judge_wants_body(judge) && mixed % EXPECT_SHARE_ALL < judge->expect->judged_share;
}

static void begin(struct judge_stream *stream, const struct answer *head)
{
    stream->head = *head;
    stream->is_sampled = is_sampled(stream->judge);
    if (stream->is_sampled) {
        const struct intake_request request = {
            .content_type = head->content_type,
            .content_encoding = head->content_encoding,
            .message_id = head->message_id,
            .wants_hash = stream->judge->bodies != NULL,
            .ceiling = stream->judge->expect->max_answer_bytes,
            .keep = checks_need_document(stream->judge->checks) ? INTAKE_KEEPS_DOCUMENT
                                                                : INTAKE_KEEPS_NOTHING,
        };
        intake_begin(stream->intake, &request);
    }
}

static void feed(struct judge_stream *stream, struct str bytes)
{
    if (stream->is_sampled) {
        intake_feed(stream->intake, bytes);
    }
}

static void decide(struct verdict *verdict, enum outcome outcome, enum step step, struct str reason)
{
    verdict->outcome = outcome;
    verdict->step = step;
    verdict->reason = reason;
}

/* A text of a head behind what introduces it, when there is one. */
static void append_text(struct buf *sentence, const char *before, struct str text)
{
    text = str_slice(str_trim(text), 0, PHRASE_CEILING);
    buf_append_str(sentence, str_from(text.len > 0 ? before : ""));
    for (size_t i = 0; i < text.len; i++) {
        bool is_control = (unsigned char)text.data[i] < ' ' || text.data[i] == 0x7F;
        buf_append_byte(sentence, is_control ? ' ' : text.data[i]);
    }
}

/*
 * "415 Unsupported Media Type"; services explain themselves in the phrase, so all of it counts. Of
 * where a redirect points the query is left out: it is other in each, and may hold what is secret.
 */
static void decide_status(struct judge_stream *stream, struct verdict *verdict)
{
    struct buf *sentence = &stream->judge->sentence;
    const unsigned status = stream->head.status;
    buf_reset(sentence);
    buf_printf(sentence, "%u", status);
    append_text(sentence, " ", stream->head.reason_phrase);
    if (status >= 300 && status < 400) {
        struct str address;
        struct str query;
        bool has_query = str_split(stream->head.location, '?', &address, &query);
        append_text(sentence, JUDGE_LOCATION, address);
        buf_append_str(sentence, str_from(has_query ? "?..." : ""));
    }
    decide(verdict, OUTCOME_STATUS, STEP_STATUS, buf_view(sentence));
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
    verdict->fault_reason = reply->fault_reason;
    if (!fault_is_wanted(stream->judge->expect, reply)) {
        decide(verdict, OUTCOME_FAULT, STEP_FAULT, buf_view(sentence));
    }
}

/* " (title: ...)" of a page that came instead of an answer: it often says who sent it. */
static void append_title(struct buf *sentence, struct str page)
{
    page = str_slice(page, 0, TITLE_LOOK);
    struct str tag;
    struct str title;
    size_t at = str_find_nocase(page, STR("<title"));
    size_t before = sentence->len;
    if (at == SIZE_MAX || !str_split(str_slice(page, at, page.len), '>', &tag, &title) ||
        !str_split(title, '<', &title, &tag) || str_trim(title).len == 0) {
        return;
    }
    buf_append_str(sentence, STR(" (title: "));
    mask_append(sentence, str_trim(title));
    buf_append_byte(sentence, ')');
    if (utf8_find_invalid(str_slice(buf_view(sentence), before, sentence->len)) != SIZE_MAX) {
        sentence->len = before; /* in another charset */
    }
}

static void decide_media_type(struct judge_stream *stream, struct str type, struct verdict *verdict)
{
    struct buf *sentence = &stream->judge->sentence;
    buf_reset(sentence);
    buf_printf(sentence, "media type %.*s", STR_ARG(str_slice(type, 0, 100)));
    if (str_equals_nocase(type, STR("text/html"))) {
        append_title(sentence, stream->head.body);
    }
    decide(verdict, OUTCOME_NOT_SOAP, STEP_MEDIA_TYPE, buf_view(sentence));
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

static bool is_slow(const struct judge_stream *stream)
{
    uint64_t max_time_ns = stream->judge->expect->max_time_ns;
    return max_time_ns > 0 && stream->head.elapsed_ns > max_time_ns;
}

static void decide_slow(struct judge_stream *stream, struct verdict *verdict)
{
    struct buf *sentence = &stream->judge->sentence;
    char limit[UNITS_TEXT_SIZE];
    buf_reset(sentence);
    buf_printf(sentence, "slower than %s",
               units_format_duration(stream->judge->expect->max_time_ns, limit));
    decide(verdict, OUTCOME_MISMATCH, STEP_TIME, buf_view(sentence));
}

/* A good envelope without a Fault: is it the one that was to come? */
static void decide_match(struct judge_stream *stream, const struct intake_facts *facts,
                         struct verdict *verdict)
{
    struct judge *judge = stream->judge;
    if (judge->expect->one_way) {
        return;
    }
    if (verdict->relation == RELATION_OTHER) {
        decide(verdict, OUTCOME_MISMATCH, STEP_RELATES_TO,
               STR("RelatesTo is not the MessageID of the request"));
    } else if (judge->expect->wants_fault) {
        decide(verdict, OUTCOME_MISMATCH, STEP_NO_FAULT, STR("no Fault"));
    } else {
        enum step step = checks_find(judge->checks, facts, stream->watch, &judge->sentence);
        if (step != STEP_NONE) {
            decide(verdict, OUTCOME_MISMATCH, step, buf_view(&judge->sentence));
        }
    }
}

/* Which check an answer with a flaw did not pass. */
static enum step step_of_flaw(const struct reply_facts *reply)
{
    switch (reply->end) {
    case SAX_NOT_WELL_FORMED:
        return STEP_XML;
    case SAX_CUT_OFF:
        return STEP_CUT_OFF;
    case SAX_DOCTYPE:
        return STEP_DTD;
    case SAX_UNKNOWN_CHARSET:
        return STEP_CHARSET;
    case SAX_TOO_DEEP:
    case SAX_TOO_MANY_ATTRIBUTES:
    case SAX_TOO_LONG:
        return STEP_SIZE;
    default:
        return STEP_ENVELOPE;
    }
}

/* Of an answer whose XML was read as it came over the wire, and which turned out to be good. */
static enum last_good_texts texts_of(const struct judge_stream *stream,
                                     const struct intake_facts *facts)
{
    const struct str charset = str_from(facts->charset);
    const bool is_utf8 =
        str_equals_nocase(charset, STR("utf-8")) || str_equals_nocase(charset, STR("utf8"));
    return is_utf8 && !facts->is_multipart && !facts->reply->is_fault &&
                   decode_is_identity(stream->head.content_encoding) &&
                   !checks_read_texts(stream->judge->checks)
               ? LAST_GOOD_TEXTS_ARE_FREE
               : LAST_GOOD_TEXTS_COUNT;
}

/* An answer whose XML was read. */
static void decide_by_reply(struct judge_stream *stream, const struct intake_facts *facts,
                            bool status_is_expected, struct verdict *verdict)
{
    const struct reply_facts *reply = facts->reply;
    struct buf *sentence = &stream->judge->sentence;
    verdict->charset_contradicts = reply->charset_contradicts;
    buf_reset(sentence);
    bool is_flawed = reply_flaw(reply, sentence);
    if (is_flawed && step_of_flaw(reply) == STEP_SIZE) {
        decide(verdict, OUTCOME_TOO_LARGE, STEP_SIZE, buf_view(sentence));
    } else if (!is_flawed && reply->is_fault) {
        verdict->relation = relation_of(&stream->head, reply);
        decide_fault(stream, reply, verdict);
    } else if (!status_is_expected) {
        decide_status(stream, verdict);
    } else if (is_flawed) {
        decide(verdict, OUTCOME_NOT_SOAP, step_of_flaw(reply), buf_view(sentence));
    } else {
        verdict->relation = relation_of(&stream->head, reply);
        decide_match(stream, facts, verdict);
    }
}

/* An answer without XML to read. */
static void decide_without_reply(struct judge_stream *stream, const struct intake_facts *facts,
                                 bool status_is_expected, struct verdict *verdict)
{
    if (facts->end == INTAKE_UNDECODED) {
        decide(verdict, OUTCOME_PROTOCOL, STEP_DECODING, facts->problem);
    } else if (facts->end == INTAKE_TOO_LARGE) {
        decide(verdict, OUTCOME_TOO_LARGE, STEP_SIZE, facts->problem);
    } else if (!status_is_expected) {
        decide_status(stream, verdict);
    } else if (facts->end == INTAKE_NOT_XML) {
        decide_media_type(stream, facts->media_type, verdict);
    } else if (facts->end == INTAKE_UNWRAPPED) {
        decide(verdict, OUTCOME_NOT_SOAP, STEP_MULTIPART, facts->problem);
    } else if (!stream->judge->expect->one_way) {
        decide(verdict, OUTCOME_NOT_SOAP, STEP_EMPTY, facts->problem);
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
    *verdict = (struct verdict){.outcome = OUTCOME_OK, .judged = stream->is_sampled};
    stream->texts_of_answer = LAST_GOOD_TEXTS_COUNT;
    if (stream->is_sampled) {
        const struct intake_facts *facts = intake_end(stream->intake);
        verdict->media_contradicts = facts->media_contradicts;
        if (stream->judge->bodies != NULL) {
            bodies_add(stream->judge->bodies, facts->hash, stream->head.body);
        }
        if (facts->end == INTAKE_READ) {
            stream->texts_of_answer = texts_of(stream, facts);
            decide_by_reply(stream, facts, is_expected, verdict);
        } else {
            decide_without_reply(stream, facts, is_expected, verdict);
        }
    } else if (!is_expected) {
        decide_status(stream, verdict);
    }
    if (verdict->outcome == OUTCOME_OK && is_slow(stream)) {
        decide_slow(stream, verdict);
    }
}

void judge_answer(struct judge *judge, const struct answer *answer, struct verdict *verdict)
{
    begin(judge->own, answer);
    feed(judge->own, answer->body);
    end(judge->own, verdict);
    if (verdict->judged && verdict->outcome == OUTCOME_OK) {
        last_good_remember(&judge->last_good, answer, verdict, judge->own->texts_of_answer);
    }
}

bool judge_is_last_good(const struct judge *judge, const struct answer *answer)
{
    uint64_t max_time_ns = judge->expect->max_time_ns;
    bool is_slow = max_time_ns > 0 && answer->elapsed_ns > max_time_ns;
    bool is_shared = judge->expect->judged_share < EXPECT_SHARE_ALL;
    return !is_slow && !is_shared && judge->bodies == NULL &&
           last_good_is(&judge->last_good, answer);
}

const struct bodies *judge_bodies(const struct judge *judge)
{
    return judge->bodies;
}

void judge_repeat(struct judge *judge, const struct answer *answer, struct verdict *verdict)
{
    last_good_repeat(&judge->last_good, answer, verdict);
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
    size_t location = coding + keep(&stream->texts, head->location);
    size_t id = location + keep(&stream->texts, head->message_id);
    struct str texts = buf_view(&stream->texts);
    const struct answer kept = {.status = head->status,
                                .reason_phrase = str_slice(texts, 0, phrase),
                                .content_type = str_slice(texts, phrase, type),
                                .content_encoding = str_slice(texts, type, coding),
                                .location = str_slice(texts, coding, location),
                                .message_id = str_slice(texts, location, id),
                                .elapsed_ns = head->elapsed_ns,
                                .message = head->message};
    begin(stream, &kept);
    return stream;
}

void judge_stream_set_elapsed(struct judge_stream *stream, uint64_t elapsed_ns)
{
    stream->head.elapsed_ns = elapsed_ns;
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
