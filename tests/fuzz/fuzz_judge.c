/* SPDX-License-Identifier: Apache-2.0 */
/* The body of an answer: one outcome, the same whole and in pieces, and sentences that stay on one
 * line. */
#include <string.h>

#include "fuzz.h"
#include "lather/base/check.h"
#include "lather/soap/judge.h"

static const struct head {
    uint16_t status;
    const char *content_type;
    const char *content_encoding;
} heads[] = {
    {200, "text/xml; charset=utf-8", ""},
    {200, "application/soap+xml; charset=utf-16", ""},
    {500, "", ""},
    {202, "text/xml", "gzip"},
    {200, "multipart/related; type=\"application/xop+xml\"; boundary=b; start=\"<a>\"", ""},
};

static void check_verdict(const struct verdict *verdict)
{
    CHECK(verdict->outcome == OUTCOME_STATUS || verdict->outcome == OUTCOME_NOT_SOAP ||
          verdict->outcome == OUTCOME_FAULT || verdict->outcome == OUTCOME_MISMATCH ||
          verdict->outcome == OUTCOME_PROTOCOL || verdict->outcome == OUTCOME_TOO_LARGE ||
          verdict->outcome == OUTCOME_OK);
    CHECK(verdict->outcome != OUTCOME_OK || verdict->reason.len == 0);
    CHECK(verdict->outcome == OUTCOME_OK || verdict->outcome == OUTCOME_FAULT ||
          verdict->reason.len > 0);
}

static enum outcome judge_in_pieces(struct judge *judge, const struct answer *answer, size_t piece)
{
    struct answer head = *answer;
    head.body = str_from("");
    struct judge_stream *stream = judge_stream_begin(judge, &head);
    for (size_t at = 0; at < answer->body.len; at += piece) {
        size_t left = answer->body.len - at;
        judge_stream_feed(stream, str_slice(answer->body, at, at + (left < piece ? left : piece)));
    }
    struct verdict verdict = {0};
    judge_stream_end(stream, &verdict);
    check_verdict(&verdict);
    return verdict.outcome;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    judge_setup();
    struct expect expect;
    expect_init(&expect);
    expect.validate = VALIDATE_SOAP;
    expect.one_way = size % 2 == 1;
    struct judge *judge = judge_new(&expect);
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        struct answer answer = {.status = heads[i].status,
                                .content_type = str_from(heads[i].content_type),
                                .content_encoding = str_from(heads[i].content_encoding),
                                .body = str_of((const char *)data, size)};
        struct verdict verdict = {0};
        judge_answer(judge, &answer, &verdict);
        check_verdict(&verdict);
        enum outcome outcome = verdict.outcome;
        if (outcome == OUTCOME_OK && !verdict.charset_contradicts && size > 0) {
            CHECK(judge_is_last_good(judge, &answer));
        }
        CHECK(judge_in_pieces(judge, &answer, 1 + size % 7) == outcome);
    }
    judge_free(judge);
    expect_deinit(&expect);
    return 0;
}
