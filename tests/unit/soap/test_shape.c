/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What two answers must have in common for the same verdict. Whatever the shape lets pass, the
 * parser must find good as well, and in the same way: that is held against answers changed at
 * random.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lather/base/buf.h"
#include "lather/base/rng.h"
#include "lather/soap/judge.h"
#include "lather/soap/shape.h"

#define WSA "http://www.w3.org/2005/08/addressing"
#define ANSWER(header, body)                                                                       \
    "<?xml version=\"1.0\"?>\n<s:Envelope xmlns:s=\"" SOAP_12_NAMESPACE "\" xmlns:a=\"" WSA        \
    "\">\n<s:Header>" header "</s:Header><s:Body>" body "</s:Body></s:Envelope>\n"
#define RELATED(id, order)                                                                         \
    ANSWER("<a:Action>urn:x/Answer</a:Action><a:RelatesTo> " id " </a:RelatesTo>"                  \
           "<t:Created xmlns:t='urn:t'>2024-03-02</t:Created>",                                    \
           "<r xmlns='urn:x' note='a>b'><order>" order "</order>\n <e/><f></f> <state>new"         \
           "</state></r>")

static bool is_like(const char *model, const char *model_id, const char *body, const char *id)
{
    struct shape shape = {0};
    struct str text = str_from(model);
    size_t at = str_find(text, str_from(model_id));
    struct str place =
        model_id[0] == '\0' ? str_of(text.data, 0) : str_slice(text, at, at + strlen(model_id));
    shape_take(&shape, text, place);
    bool result = shape_has(&shape, text, str_from(body), str_from(id));
    shape_deinit(&shape);
    return result;
}

static bool order_is_like(const char *model, const char *body)
{
    return is_like(model, "", body, "");
}

static void texts_may_be_other_plain_ones(void **state)
{
    (void)state;
    static const char *const orders[] = {"A-2", "", "A-1 and more", "\t\r\n x ~ ' \" ] ]] /", "7"};
    for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
        struct buf body;
        buf_init(&body);
        buf_printf(&body, ANSWER("", "<r><order>%s</order><b>1</b></r>"), orders[i]);
        buf_append_byte(&body, '\0');
        assert_true(order_is_like(ANSWER("", "<r><order>A-1</order><b>1</b></r>"), body.data));
        buf_deinit(&body);
    }
    /* The model's own text may be anything. */
    assert_true(order_is_like(ANSWER("", "<r><o>Gr\xC3\xBC\xC3\x9F &amp; 1</o></r>"),
                              ANSWER("", "<r><o>plain</o></r>")));
    assert_true(order_is_like(ANSWER("", "<r><o>Gr\xC3\xBC\xC3\x9F &amp; 1</o><p>1</p></r>"),
                              ANSWER("", "<r><o>Gr\xC3\xBC\xC3\x9F &amp; 1</o><p>2</p></r>")));
}

static void what_is_not_plain_is_for_the_parser(void **state)
{
    (void)state;
    static const char *const orders[] = {"A&amp;2",  "A<b/>2", "]]>",      "\x01",     "\x7F",
                                         "\xC3\xA9", "\xFF",   "<!-- -->", "</order>", "A & B"};
    for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
        struct buf body;
        buf_init(&body);
        buf_printf(&body, ANSWER("", "<r><order>%s</order></r>"), orders[i]);
        buf_append_byte(&body, '\0');
        assert_false(order_is_like(ANSWER("", "<r><order>A-1</order></r>"), body.data));
        buf_deinit(&body);
    }
}

static void markup_must_be_the_same(void **state)
{
    (void)state;
    const char *model = ANSWER("", "<r a='1'><o>1</o><p></p>\n</r>");
    assert_true(order_is_like(model, ANSWER("", "<r a='1'><o>2</o><p></p>\n</r>")));
    assert_false(order_is_like(model, ANSWER("", "<r a='2'><o>1</o><p></p>\n</r>")));
    assert_false(order_is_like(model, ANSWER("", "<r a='1'><o>1</o><p>x</p>\n</r>")));
    assert_false(order_is_like(model, ANSWER("", "<r a='1'><o>1</o><p></p></r>")));
    assert_false(order_is_like(model, ANSWER("", "<r a='1'><o>1</o><o>1</o><p></p>\n</r>")));
    assert_false(order_is_like(model, ANSWER("<h/>", "<r a='1'><o>1</o><p></p>\n</r>")));
    assert_false(order_is_like(model, ANSWER("", "<r a='1'><o>1</o><p></p>\n</r>") " "));
    assert_false(order_is_like(model, ""));
}

static void texts_directly_in_envelope_header_and_body_count(void **state)
{
    (void)state;
    const char *model = ANSWER("h", "b<r>1</r>");
    assert_true(order_is_like(model, ANSWER("h", "b<r>2</r>")));
    assert_false(order_is_like(model, ANSWER("i", "b<r>1</r>")));
    assert_false(order_is_like(model, ANSWER("h", "c<r>1</r>")));
}

static void id_and_action_are_compared(void **state)
{
    (void)state;
    const char *model = RELATED("id-1", "A-1");
    assert_true(is_like(model, "id-1", RELATED("id-2", "A-9"), "id-2"));
    assert_true(is_like(model, "id-1", RELATED("id-22", "A-9"), "id-22"));
    assert_false(is_like(model, "id-1", RELATED("id-2", "A-9"), "id-3"));
    assert_false(is_like(model, "id-1", RELATED("id-2", "A-9"), "id"));
    assert_false(is_like(model, "id-1", RELATED("", "A-9"), ""));
    assert_false(is_like(model, "", RELATED("id-2", "A-1"), ""));
    assert_true(is_like(model, "", RELATED("id-1", "A-9"), ""));
    assert_false(order_is_like(ANSWER("<a:Action>u</a:Action>", "<r>1</r>"),
                               ANSWER("<a:Action>v</a:Action>", "<r>1</r>")));
    assert_true(order_is_like(ANSWER("<t:Created xmlns:t='urn:t'>u</t:Created>", "<r/>"),
                              ANSWER("<t:Created xmlns:t='urn:t'>v</t:Created>", "<r/>")));
}

static void answers_with_more_than_elements_and_texts_have_no_shape(void **state)
{
    (void)state;
    static const char *const models[] = {
        ANSWER("", "<r><o>1</o><!-- c --></r>"), ANSWER("", "<r><o><![CDATA[1]]></o></r>"),
        ANSWER("", "<r><?p i?><o>1</o></r>"),    ANSWER("", "<r/>"),
        " <?xml version='1.0'?><r><s><t>1</t>",  "",
    };
    for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++) {
        assert_false(order_is_like(models[i], models[i]));
    }
}

/* --- held against the parser ------------------------------------------------------------------ */

enum { CHANGES = 20000, CHANGED_CEILING = 2048 };

/* One to three bytes replaced, put in or taken out, mostly by such as mean something in XML. */
static size_t change(struct rng *rng, struct str model, char changed[CHANGED_CEILING])
{
    static const char bytes[] = "<>&'\"/!?[]:=;- \t\nab01\x01\x7F\x80\xC3\xA9\xFF";
    size_t len = model.len;
    memcpy(changed, model.data, len);
    for (uint64_t i = rng_below(rng, 3) + 1; i > 0; i--) {
        size_t at = (size_t)rng_below(rng, len);
        char byte = bytes[rng_below(rng, sizeof(bytes) - 1)];
        switch (rng_below(rng, 3)) {
        case 0:
            memmove(changed + at + 1, changed + at, len++ - at);
            changed[at] = byte;
            break;
        case 1:
            memmove(changed + at, changed + at + 1, --len - at);
            break;
        default:
            changed[at] = byte;
            break;
        }
    }
    return len;
}

static void check_same(struct judge *parsing, struct judge *knowing, const struct answer *answer)
{
    struct verdict parsed = {0};
    struct verdict known = {0};
    judge_answer(parsing, answer, &parsed);
    judge_repeat(knowing, answer, &known);
    if (parsed.outcome != OUTCOME_OK) {
        fail_msg("%.*s: %.*s", STR_ARG(parsed.reason), STR_ARG(answer->body));
    }
    assert_int_equal(parsed.relation, known.relation);
    assert_int_equal(parsed.judged, known.judged);
    assert_int_equal(parsed.charset_contradicts, known.charset_contradicts);
    assert_int_equal(parsed.media_contradicts, known.media_contradicts);
}

static void what_passes_is_good_to_the_parser_too(void **state)
{
    (void)state;
    static const char *const models[] = {
        RELATED("id-1", "A-1"),
        RELATED("id-2", "&lt;A&gt; Gr\xC3\xBC\xC3\x9F"),
        ANSWER("text", "<r xmlns='urn:x'>mixed <b>with</b> text<c x='1'>and\r\nlines</c></r>"),
        "\xEF\xBB\xBF<Envelope xmlns='" SOAP_11_NAMESPACE "'><Body><r xmlns=''><RelatesTo>1"
        "</RelatesTo><Action>2</Action><d>3</d></r></Body><after>4<x>5</x></after></Envelope>",
    };
    struct rng rng;
    rng_init(&rng, 20240302, 1);
    struct expect expect;
    expect_init(&expect);
    expect.validate = VALIDATE_SOAP;
    unsigned passed = 0;
    struct judge *parsing = judge_new(&expect);
    for (unsigned i = 0; i < CHANGES; i++) {
        struct judge *knowing = judge_new(&expect);
        struct answer answer = {.status = 200,
                                .content_type = STR("application/soap+xml"),
                                .message_id = str_from(i % 8 < 4 ? "id-1" : ""),
                                .body = str_from(models[i % 4])};
        struct verdict verdict = {0};
        judge_answer(knowing, &answer, &verdict);
        char changed[CHANGED_CEILING];
        answer.body = str_of(changed, change(&rng, answer.body, changed));
        if (judge_is_last_good(knowing, &answer)) {
            check_same(parsing, knowing, &answer);
            passed++;
        }
        judge_free(knowing);
    }
    judge_free(parsing);
    expect_deinit(&expect);
    assert_true(passed > 100);
}

int main(void)
{
    judge_setup();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_may_be_other_plain_ones),
        cmocka_unit_test(what_is_not_plain_is_for_the_parser),
        cmocka_unit_test(markup_must_be_the_same),
        cmocka_unit_test(texts_directly_in_envelope_header_and_body_count),
        cmocka_unit_test(id_and_action_are_compared),
        cmocka_unit_test(answers_with_more_than_elements_and_texts_have_no_shape),
        cmocka_unit_test(what_passes_is_good_to_the_parser_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
