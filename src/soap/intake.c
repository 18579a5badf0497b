/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Leads a body from the wire to the reader of envelopes: decoder, multipart reader, reply, each
 * only when the header fields ask for it. All checks see the characters that come out here, so
 * that they cannot disagree. It decides nothing; the order in which troubles count is judge.c's.
 */
#include "lather/soap/intake.h"

#include <stdlib.h>
#include <string.h>

#include "lather/base/buf.h"
#include "lather/base/http_head.h"
#include "lather/soap/bodies.h"
#include "lather/soap/decode.h"
#include "lather/soap/mime.h"

struct intake {
    struct intake_request request;
    struct intake_facts facts;
    enum media media;
    bool is_encoded;
    bool is_decided; /* whether bytes without a type are a multipart body was looked at */
    uint64_t decoded_bytes;
    struct reply *reply;
    struct decode *decode; /* NULL until a body needs it */
    struct mime *mime;     /* the same */
    struct buf document;
    struct bodies_hash hash;
};

struct intake *intake_new(void)
{
    struct intake *intake = check_calloc(1, sizeof(*intake));
    intake->reply = reply_new();
    return intake;
}

void intake_free(struct intake *intake)
{
    if (intake != NULL) {
        reply_free(intake->reply);
        decode_free(intake->decode);
        mime_free(intake->mime);
        buf_deinit(&intake->document);
        bodies_hash_deinit(&intake->hash);
        free(intake);
    }
}

void intake_observe(struct intake *intake,
                    void (*start)(void *context, const struct sax_element *element), void *context)
{
    reply_observe(intake->reply, start, context);
}

static void begin_document(struct intake *intake, struct str charset)
{
    reply_begin(intake->reply, charset, intake->request.message_id);
    buf_reset(&intake->document);
    if (intake->request.wants_hash) {
        bodies_hash_begin(&intake->hash, intake->request.message_id);
    }
}

static void on_document(void *context, struct str bytes)
{
    struct intake *intake = context;
    reply_feed(intake->reply, bytes);
    if (intake->request.wants_hash) {
        bodies_hash_feed(&intake->hash, bytes);
    }
    if (intake->request.keep == INTAKE_KEEPS_DOCUMENT) {
        buf_append_str(&intake->document, bytes);
    }
}

static void on_root(void *context, struct str content_type)
{
    struct str type;
    struct str charset;
    (void)media_of(content_type, &type, &charset);
    begin_document(context, charset);
}

static void begin_multipart(struct intake *intake)
{
    static const struct mime_events events = {.root = on_root, .bytes = on_document};
    if (intake->mime == NULL) {
        intake->mime = mime_new(&events, intake);
    }
    mime_begin(intake->mime, intake->request.content_type);
    intake->facts.is_multipart = true;
}

void intake_begin(struct intake *intake, const struct intake_request *request)
{
    struct str charset;
    intake->request = *request;
    intake->facts = (struct intake_facts){.end = INTAKE_READ};
    intake->media = media_of(request->content_type, &intake->facts.media_type, &charset);
    intake->is_encoded = !decode_is_identity(request->content_encoding);
    intake->is_decided = intake->media != MEDIA_ABSENT;
    intake->decoded_bytes = 0;
    begin_document(intake, charset);
    if (intake->media == MEDIA_MULTIPART) {
        begin_multipart(intake);
    }
    if (intake->is_encoded) {
        if (intake->decode == NULL) {
            intake->decode = decode_new();
        }
        decode_begin(intake->decode, request->content_encoding, request->ceiling);
    }
}

static void on_decoded(void *context, struct str bytes)
{
    struct intake *intake = context;
    intake->decoded_bytes += bytes.len;
    if (intake->decoded_bytes > intake->request.ceiling) {
        return;
    }
    if (intake->media == MEDIA_OTHER) {
        if (intake->request.wants_hash) {
            bodies_hash_feed(&intake->hash, bytes);
        }
        return;
    }
    /* Blanks in front decide nothing: the reader has them, and forgets them when parts begin. */
    if (!intake->is_decided && str_trim(bytes).len > 0) {
        intake->is_decided = true;
        if (mime_is_likely(bytes)) {
            begin_multipart(intake);
        }
    }
    if (intake->facts.is_multipart) {
        mime_feed(intake->mime, bytes);
    } else {
        on_document(intake, bytes);
    }
}

void intake_feed(struct intake *intake, struct str bytes)
{
    intake->facts.body_bytes += bytes.len;
    if (intake->is_encoded) {
        decode_feed(intake->decode, bytes, on_decoded, intake);
    } else if (bytes.len > 0) {
        on_decoded(intake, bytes);
    }
}

static void fail(struct intake *intake, enum intake_end end, struct str problem)
{
    if (intake->facts.end == INTAKE_READ) {
        intake->facts.end = end;
        intake->facts.problem = problem;
    }
}

static void end_decoding(struct intake *intake)
{
    enum decode_end end = decode_finish(intake->decode);
    if (end == DECODE_TOO_LARGE) {
        fail(intake, INTAKE_TOO_LARGE, STR("the answer decodes to more than the ceiling"));
    } else if (end != DECODE_WHOLE) {
        fail(intake, INTAKE_UNDECODED, decode_problem(intake->decode));
    }
}

/* Whether the type, or for MTOM start-info, names the SOAP version that the envelope is not. */
static bool media_contradicts(const struct intake *intake, enum soap_version version)
{
    enum media media = intake->media;
    struct str type;
    struct str charset;
    struct str info;
    if (media == MEDIA_MULTIPART) {
        http_head_split_media_type(intake->request.content_type, &type, STR("start-info"), &info);
        media = media_of(info, &type, &charset);
    }
    return (media == MEDIA_SOAP_11 && version == SOAP_VERSION_12) ||
           (media == MEDIA_SOAP_12 && version == SOAP_VERSION_11);
}

const struct intake_facts *intake_end(struct intake *intake)
{
    struct intake_facts *facts = &intake->facts;
    if (intake->is_encoded) {
        end_decoding(intake);
    }
    if (intake->decoded_bytes > intake->request.ceiling) {
        fail(intake, INTAKE_TOO_LARGE, STR("the answer is larger than --max-answer"));
    }
    if (intake->decoded_bytes == 0) {
        fail(intake, INTAKE_EMPTY, STR("empty answer"));
    }
    if (intake->media == MEDIA_OTHER) {
        fail(intake, INTAKE_NOT_XML, STR("media type"));
    }
    if (facts->is_multipart) {
        enum mime_end end = mime_finish(intake->mime);
        if (end != MIME_WHOLE) {
            fail(intake, INTAKE_UNWRAPPED, str_from(mime_end_text(end)));
        }
    }
    facts->reply = reply_end(intake->reply);
    facts->media_contradicts = media_contradicts(intake, facts->reply->version) ||
                               (facts->is_multipart && mime_start_is_lost(intake->mime));
    facts->document = buf_view(&intake->document);
    facts->charset = facts->reply->charset;
    facts->hash = intake->request.wants_hash ? bodies_hash_end(&intake->hash) : 0;
    return facts;
}
