/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Promises of plan/plan_message: the bytes of one request (ab's order, the user's fields in the
 * place of ours), what is validated by default, and that what cannot be sent is refused with a
 * sentence.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lather/plan/plan.h"
#include "lather/soap/template_source.h"

#define ENVELOPE_11                                                                                \
    "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body><a "                \
    "xmlns=\"urn:a\"/></s:Body></s:Envelope>"
#define ENVELOPE_12                                                                                \
    "<s:Envelope xmlns:s=\"http://www.w3.org/2003/05/soap-envelope\"><s:Body><a "                  \
    "xmlns=\"urn:a\"/></s:Body></s:Envelope>"

struct built {
    struct plan *plan;
    struct buf notes;
    struct http_head fields;
    struct buf request; /* as rendered */
    size_t head_bytes;
};

/* The first request of worker 0 as it goes out. */
static void render(struct built *built)
{
    const struct template *template = built->plan->messages[0].template;
    struct template_source *source =
        template_source_new(&(struct template_source_options){.workers = 1});
    struct template_values *values = template_values_new(template_values_bytes(template));
    struct str *pieces = calloc(template_piece_count(template), sizeof *pieces);
    size_t bytes = 0;
    assert_non_null(pieces);
    assert_int_equal(template_fill(template, source, values), TEMPLATE_FILLED);
    (void)template_pieces(template, values, pieces, &built->head_bytes, &bytes);
    buf_init(&built->request);
    template_append(template, values, &built->request);
    assert_int_equal(built->request.len, bytes);
    free(pieces);
    template_values_free(values);
    template_source_free(source);
}

/* Builds a request with the -H lines up to NULL; the lines may be NULL. */
static struct built build(struct plan_request request, const char *const *lines)
{
    struct built built = {.plan = plan_new()};
    struct err err = {0};
    buf_init(&built.notes);
    http_head_init(&built.fields);
    for (; lines != NULL && *lines != NULL; lines++) {
        struct str name;
        struct str value;
        assert_true(http_head_parse_field(str_from(*lines), &name, &value, &err));
        http_head_add(&built.fields, name, value);
    }
    if (request.url.len == 0) {
        request.url = STR("http://host/a.svc");
    }
    request.headers = &built.fields;
    if (!plan_add_message(built.plan, &request, &built.notes, &err)) {
        fail_msg("refused: %s", err.text);
    }
    render(&built);
    return built;
}

static void drop(struct built *built)
{
    plan_free(built->plan);
    buf_deinit(&built->notes);
    buf_deinit(&built->request);
    http_head_deinit(&built->fields);
}

static struct plan_request with_body(const char *body)
{
    return (struct plan_request){.body = str_from(body), .has_body = true};
}

static void assert_request(struct plan_request request, const char *const *lines,
                           const char *expected)
{
    struct built built = build(request, lines);
    assert_string_equal(built.request.data, expected);
    assert_int_equal(built.request.len, built.head_bytes + built.plan->messages[0].body_bytes);
    drop(&built);
}

static size_t occurrences(const char *text, const char *word)
{
    size_t count = 0;
    struct str rest = str_from(text);
    for (;;) {
        size_t at = str_find_nocase(rest, str_from(word));
        if (at == SIZE_MAX) {
            return count;
        }
        count++;
        rest = str_slice(rest, at + 1, rest.len);
    }
}

static void a_request_without_a_body_is_a_get(void **state)
{
    (void)state;
    assert_request((struct plan_request){.url = STR("host:8080/a?b=c")}, NULL,
                   "GET /a?b=c HTTP/1.1\r\n"
                   "Connection: close\r\n"
                   "Host: host:8080\r\n"
                   "User-Agent: lather/" LATHER_VERSION "\r\n"
                   "Accept: */*\r\n"
                   "\r\n");
}

static void the_head_stands_in_the_order_of_ab(void **state)
{
    (void)state;
    static const char *const cookies[] = {"a=1", "b=2"};
    struct plan_request request = with_body(ENVELOPE_11);
    request.soap_action = "urn:act";
    request.cookies = cookies;
    request.cookie_count = 2;
    request.basic_credentials = "  Aladdin:open sesame";
    request.keep_alive = true;
    assert_request(request, (const char *const[]){"X-One: 1", "x-two:2", NULL},
                   "POST /a.svc HTTP/1.1\r\n"
                   "Connection: Keep-Alive\r\n"
                   "Cookie: a=1; b=2\r\n"
                   "Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==\r\n"
                   "Content-length: 112\r\n"
                   "Content-type: text/xml; charset=utf-8\r\n"
                   "SOAPAction: \"urn:act\"\r\n"
                   "X-One: 1\r\n"
                   "x-two: 2\r\n"
                   "Host: host\r\n"
                   "User-Agent: lather/" LATHER_VERSION "\r\n"
                   "Accept: */*\r\n"
                   "\r\n" ENVELOPE_11);
}

/* B002, D31 */
static void each_field_of_the_user_takes_the_place_of_ours(void **state)
{
    (void)state;
    static const char *const names[] = {"connection",     "COOKIE",       "authorization",
                                        "content-LENGTH", "Content-Type", "soapaction",
                                        "HOST",           "user-agent",   "ACCEPT"};
    static const char *const cookies[] = {"a=1"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct plan_request request = with_body(ENVELOPE_11);
        request.soap_action = "urn:act";
        request.cookies = cookies;
        request.cookie_count = 1;
        request.basic_credentials = "a:b";
        char line[64];
        char field[64];
        const char *value = strcmp(names[i], "content-LENGTH") == 0 ? "112" : "mine";
        (void)snprintf(line, sizeof line, "%s: %s", names[i], value);
        (void)snprintf(field, sizeof field, "\r\n%s: %s\r\n", names[i], value);
        struct built built = build(request, (const char *const[]){line, NULL});
        (void)snprintf(line, sizeof line, "\r\n%s:", names[i]);
        assert_int_equal(occurrences(built.request.data, line), 1);
        assert_non_null(strstr(built.request.data, field));
        drop(&built);
    }
}

static void what_is_sent_is_what_the_plan_tells(void **state)
{
    (void)state;
    struct plan_request request = with_body(ENVELOPE_11);
    struct built built =
        build(request, (const char *const[]){"content-type: text/xml", "soapACTION:", NULL});
    assert_string_equal(built.plan->messages[0].content_type, "text/xml");
    assert_string_equal(built.plan->messages[0].soap_action, "");
    assert_non_null(strstr(built.request.data, "\r\nsoapACTION:\r\n"));
    drop(&built);
}

/* B025 */
static void names_go_out_as_typed(void **state)
{
    (void)state;
    struct built built =
        build(with_body(ENVELOPE_11), (const char *const[]){"soapaction: urn:x", "sOAPx: y", NULL});
    assert_non_null(strstr(built.request.data, "\r\nsoapaction: urn:x\r\nsOAPx: y\r\n"));
    drop(&built);
}

/* B003 */
static void an_accidental_field_name_in_the_type_goes(void **state)
{
    (void)state;
    struct plan_request request = with_body(ENVELOPE_11);
    request.content_type = "content-Type: text/xml";
    struct built built = build(request, NULL);
    assert_non_null(strstr(built.request.data, "\r\nContent-type: text/xml\r\n"));
    assert_string_equal(built.plan->messages[0].content_type, "text/xml");
    drop(&built);
}

/* B003, B004 */
static void the_type_follows_the_envelope(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        const char *type;
        enum soap_version version;
        enum validate validate;
    } cases[] = {
        {ENVELOPE_11, "text/xml; charset=utf-8", SOAP_VERSION_11, VALIDATE_SOAP},
        {ENVELOPE_12, "application/soap+xml; charset=utf-8", SOAP_VERSION_12, VALIDATE_SOAP},
        {"<a/>", "text/xml; charset=utf-8", SOAP_VERSION_NONE, VALIDATE_OFF},
        {"a=b", "text/plain", SOAP_VERSION_NONE, VALIDATE_OFF},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct built built = build(with_body(cases[i].body), NULL);
        assert_string_equal(built.plan->messages[0].content_type, cases[i].type);
        assert_int_equal(built.plan->messages[0].soap_version, cases[i].version);
        assert_int_equal(built.plan->expect.validate, cases[i].validate);
        drop(&built);
    }
}

/* B012 */
static void the_action_of_soap_12_is_a_parameter(void **state)
{
    (void)state;
    struct plan_request request = with_body(ENVELOPE_12);
    request.soap_action = "urn:act";
    struct built built = build(request, NULL);
    assert_non_null(strstr(built.request.data,
                           "\r\nContent-type: application/soap+xml; charset=utf-8; "
                           "action=\"urn:act\"\r\n"));
    assert_int_equal(occurrences(built.request.data, "SOAPAction"), 0);
    drop(&built);
}

/* B009 */
static void what_will_surprise_is_noted(void **state)
{
    (void)state;
    struct built built = build(with_body(ENVELOPE_11), NULL);
    assert_non_null(strstr(built.notes.data, "SOAPAction"));
    drop(&built);
    built = build(with_body("a=b"), (const char *const[]){"Connection: Keep-Alive", NULL});
    assert_non_null(strstr(built.notes.data, "contradicts a run without -k"));
    drop(&built);
}

/* B023, B024 */
static void a_body_makes_a_post_with_its_length(void **state)
{
    (void)state;
    struct built built = build(with_body(""), NULL);
    assert_non_null(strstr(built.request.data, "POST /a.svc HTTP/1.1\r\n"));
    assert_non_null(strstr(built.request.data, "\r\nContent-length: 0\r\n"));
    drop(&built);

    built = build((struct plan_request){.method = "POST"}, NULL);
    assert_non_null(strstr(built.request.data, "\r\nContent-length: 0\r\n"));
    assert_int_equal(occurrences(built.request.data, "Content-type"), 0);
    drop(&built);

    struct plan_request request = with_body("x");
    request.method = "DELETE";
    built = build(request, NULL);
    assert_non_null(strstr(built.request.data, "DELETE /a.svc HTTP/1.1\r\n"));
    assert_non_null(strstr(built.request.data, "\r\nContent-length: 1\r\n"));
    drop(&built);
}

/* B019, B021 */
static void no_part_has_a_size_limit(void **state)
{
    (void)state;
    enum { LONG = 70000 };
    struct buf url;
    struct buf line;
    char *body = check_malloc(10 << 20);
    memset(body, 'b', 10 << 20);
    buf_init(&url);
    buf_init(&line);
    buf_append_str(&url, STR("http://host/"));
    buf_append_str(&line, STR("X-Long: "));
    for (size_t i = 0; i < LONG; i++) {
        buf_append_byte(&url, 'u');
        buf_append_byte(&line, 'h');
    }
    struct plan_request request = {
        .url = buf_view(&url), .body = str_of(body, 10 << 20), .has_body = true};
    struct built built = build(request, (const char *const[]){line.data, NULL});
    assert_int_equal(built.plan->messages[0].body_bytes, 10 << 20);
    assert_true(built.head_bytes > 2 * LONG);
    assert_memory_equal(built.request.data + built.head_bytes, body, 10 << 20);
    drop(&built);
    buf_deinit(&url);
    buf_deinit(&line);
    free(body);
}

/* B091: NULs and line ends inside a body are the body's. */
static void the_body_goes_out_byte_for_byte(void **state)
{
    (void)state;
    struct plan_request request = {.body = STR("a\r\n\0\xE9\xFF\n"), .has_body = true};
    struct built built = build(request, NULL);
    assert_memory_equal(built.request.data + built.head_bytes, "a\r\n\0\xE9\xFF\n", 7);
    drop(&built);
}

static void head_answers_have_no_body_to_validate(void **state)
{
    (void)state;
    struct built built = build((struct plan_request){.method = "HEAD"}, NULL);
    assert_true(built.plan->messages[0].answer_has_no_body);
    assert_int_equal(built.plan->expect.validate, VALIDATE_OFF);
    drop(&built);
}

static void validation_can_be_asked_for_and_refused(void **state)
{
    (void)state;
    struct plan_request request = with_body(ENVELOPE_11);
    request.has_validate = true;
    struct built built = build(request, NULL);
    assert_int_equal(built.plan->expect.validate, VALIDATE_OFF);
    drop(&built);
}

static void assert_refuses(struct plan_request request, const char *sentence)
{
    struct plan *plan = plan_new();
    struct buf notes;
    struct err err = {0};
    buf_init(&notes);
    if (request.url.len == 0) {
        request.url = STR("http://host/");
    }
    if (plan_add_message(plan, &request, &notes, &err)) {
        fail_msg("accepted, wanted: %s", sentence);
    }
    assert_string_equal(err.text, sentence);
    plan_free(plan);
    buf_deinit(&notes);
}

static void what_cannot_be_sent_is_refused(void **state)
{
    (void)state;
    static const char *const cookies[] = {"a=1\nb"};
    assert_refuses((struct plan_request){.method = "PO ST"},
                   "\"PO ST\" is no method: give one word, such as POST");
    assert_refuses((struct plan_request){.method = "POST\r\nX: y"},
                   "-m: the value holds a line break: take it out");
    assert_refuses((struct plan_request){.method = "A:B"},
                   "\"A:B\" is no method: give one word, such as POST");
    assert_refuses((struct plan_request){.content_type = "text/xml\r\nX: y"},
                   "-T: the value holds a line break: take it out");
    assert_refuses((struct plan_request){.soap_action = "a\nb"},
                   "--soap-action: the value holds a line break: take it out");
    assert_refuses((struct plan_request){.cookies = cookies, .cookie_count = 1},
                   "-C: the value holds a line break: take it out");
    assert_refuses((struct plan_request){.basic_credentials = "user"},
                   "-A has no colon: give USER:PASSWORD");
}

static void what_is_asked_of_answers_must_be_possible(void **state)
{
    (void)state;
    struct err err = {0};
    struct buf notes;
    buf_init(&notes);
    struct plan *plan = plan_new();
    struct plan_request request = {
        .url = STR("http://host/"), .method = "HEAD", .has_validate = true};
    plan->expect.validate = VALIDATE_SOAP;
    assert_false(plan_add_message(plan, &request, &notes, &err));
    assert_non_null(strstr(err.text, "HEAD"));

    request = (struct plan_request){.url = STR("http://host/")};
    expect_set_fault(&plan->expect, STR("Sender"));
    assert_true(plan_add_message(plan, &request, &notes, &err));
    assert_int_equal(plan->expect.validate, VALIDATE_SOAP);

    request.has_validate = true;
    plan->expect.validate = VALIDATE_OFF;
    assert_false(plan_add_message(plan, &request, &notes, &err));
    assert_non_null(strstr(err.text, "--validate off"));
    plan_free(plan);
    buf_deinit(&notes);
}

static void transfer_encoding_is_refused(void **state)
{
    (void)state;
    struct http_head fields;
    http_head_init(&fields);
    http_head_add(&fields, STR("transfer-encoding"), STR("chunked"));
    assert_refuses((struct plan_request){.headers = &fields},
                   "-H Transfer-Encoding: bodies are sent with their Content-Length: leave the "
                   "field out");
    http_head_deinit(&fields);
}

static void a_length_that_does_not_fit_is_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {"7", "2", "3x", "", "-3", "18446744073709551619"};
    struct plan_request request = with_body("a=b");
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct http_head fields;
        http_head_init(&fields);
        http_head_add(&fields, STR("content-length"), str_from(wrong[i]));
        request.headers = &fields;
        struct buf sentence;
        buf_init(&sentence);
        buf_printf(&sentence,
                   "-H Content-Length: %s is not the length of the message, 3: leave the field "
                   "out, it is counted for each request",
                   wrong[i]);
        assert_refuses(request, sentence.data);
        buf_deinit(&sentence);
        http_head_deinit(&fields);
    }
    struct built built = build(with_body("a=b"), (const char *const[]){"content-length: 3", NULL});
    assert_non_null(strstr(built.request.data, "\r\ncontent-length: 3\r\n"));
    assert_int_equal(occurrences(built.request.data, "ontent-length"), 1);
    drop(&built);
}

static void messages_of_a_plan_go_to_one_service(void **state)
{
    (void)state;
    struct built built = build(with_body(ENVELOPE_11), NULL);
    struct err err = {0};
    struct plan_request request = {.url = STR("http://HOST:80/other")};
    assert_true(plan_add_message(built.plan, &request, &built.notes, &err));
    request.url = STR("http://host:81/");
    assert_false(plan_add_message(built.plan, &request, &built.notes, &err));
    assert_string_equal(err.text,
                        "POST /a.svc goes to http://host, but GET / to http://host:81: all "
                        "messages of a run go to one service; start a run for each and add them up "
                        "with `lather merge`");
    request.url = STR("https://host/");
    assert_false(plan_add_message(built.plan, &request, &built.notes, &err));
    request.url = STR("http://other/");
    assert_false(plan_add_message(built.plan, &request, &built.notes, &err));

    assert_int_equal(built.plan->message_count, 2);
    assert_string_equal(built.plan->target.path, "/a.svc");
    assert_string_equal(built.plan->messages[1].target.path, "/other");
    assert_false(built.plan->messages[1].has_body);
    drop(&built);
}

static void messages_of_one_name_are_told_apart(void **state)
{
    (void)state;
    struct plan_request request = with_body(ENVELOPE_11);
    request.body_name = "some/folder/order.xml";
    struct built built = build(request, NULL);
    struct err err = {0};
    request.url = STR("host/a");
    assert_true(plan_add_message(built.plan, &request, &built.notes, &err));
    assert_true(plan_add_message(built.plan, &request, &built.notes, &err));
    assert_string_equal(built.plan->messages[0].name, "order.xml");
    assert_string_equal(built.plan->messages[1].name, "order.xml #2");
    assert_string_equal(built.plan->messages[2].name, "order.xml #3");
    drop(&built);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_without_a_body_is_a_get),
        cmocka_unit_test(the_head_stands_in_the_order_of_ab),
        cmocka_unit_test(each_field_of_the_user_takes_the_place_of_ours),
        cmocka_unit_test(what_is_sent_is_what_the_plan_tells),
        cmocka_unit_test(names_go_out_as_typed),
        cmocka_unit_test(an_accidental_field_name_in_the_type_goes),
        cmocka_unit_test(the_type_follows_the_envelope),
        cmocka_unit_test(the_action_of_soap_12_is_a_parameter),
        cmocka_unit_test(what_will_surprise_is_noted),
        cmocka_unit_test(a_body_makes_a_post_with_its_length),
        cmocka_unit_test(no_part_has_a_size_limit),
        cmocka_unit_test(the_body_goes_out_byte_for_byte),
        cmocka_unit_test(head_answers_have_no_body_to_validate),
        cmocka_unit_test(validation_can_be_asked_for_and_refused),
        cmocka_unit_test(what_cannot_be_sent_is_refused),
        cmocka_unit_test(what_is_asked_of_answers_must_be_possible),
        cmocka_unit_test(transfer_encoding_is_refused),
        cmocka_unit_test(a_length_that_does_not_fit_is_refused),
        cmocka_unit_test(messages_of_a_plan_go_to_one_service),
        cmocka_unit_test(messages_of_one_name_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
