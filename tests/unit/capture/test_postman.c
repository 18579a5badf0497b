/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Postman collections of both forms, and bare lists of items.
 * Rows of the conformance list: B112.
 */
#include "reading.h"

#define ENVELOPE "<e:Envelope xmlns:e=\\'http://schemas.xmlsoap.org/soap/envelope/\\'/>"

/* A request with a raw body that Postman takes for XML; more: further members, with a comma. */
static void append_post(struct buf *text, const char *url, const char *body, const char *more)
{
    append_json(text, "{'name':'n','request':{'method':'POST','url':'");
    append_json(text, url);
    append_json(text, "','body':{'mode':'raw','options':{'raw':{'language':'xml'}},'raw':'");
    append_json(text, body);
    append_json(text, "'}");
    append_json(text, more);
    append_json(text, "}}");
}

static void read_post(struct capture *capture, const char *url, const char *body, const char *more)
{
    struct buf text;
    buf_init(&text);
    buf_append_byte(&text, '[');
    append_post(&text, url, body, more);
    buf_append_byte(&text, ']');
    read_content(capture, buf_view(&text), "capture.json");
    buf_deinit(&text);
}

static void collections_give_the_order(void **state)
{
    (void)state;
    assert_sample_is_order(SAMPLES "capture_postman/order", CAPTURE_POSTMAN);
    assert_sample_is_order(SAMPLES "capture_postman/order-wrapped", CAPTURE_POSTMAN);
    assert_sample_is_order(SAMPLES "capture_postman/order-pieces", CAPTURE_POSTMAN);
}

static void folders_variables_and_credentials_are_used(void **state)
{
    (void)state;
    struct capture capture;
    read_sample(&capture, SAMPLES "capture_postman/order");
    const struct capture_message *message = &capture.messages[0];
    assert_string_equal(message->name, "PlaceOrder");
    assert_string_equal(message->place, "item \"Folder / PlaceOrder\"");
    assert_string_equal(message->basic_credentials, "user:secret");
    assert_string_equal(field(message, "X-Off"), "(none)");
    assert_int_equal(message->answer_status, 500);
    assert_note(&capture, CAPTURE_NOTE_REMARK, "filled with the collection's own values");
    assert_note(&capture, CAPTURE_NOTE_REMARK, "scripts that run before");
    capture_deinit(&capture);
}

/* Raw XML without a Content-Type, which Postman sends as application/xml. */
static void B112_an_envelope_without_a_type_gets_its_own(void **state)
{
    (void)state;
    struct capture capture;
    read_post(&capture, "http://h/", ENVELOPE, "");
    assert_string_equal(field(&capture.messages[0], "Content-Type"), "text/xml; charset=utf-8");
    assert_note(&capture, CAPTURE_NOTE_REMARK, "where the tool would send application/xml");
    capture_deinit(&capture);
    read_post(&capture, "http://h/", "<a/>", "");
    assert_string_equal(field(&capture.messages[0], "Content-Type"), "application/xml");
    capture_deinit(&capture);
    read_post(&capture, "http://h/", ENVELOPE,
              ",'header':[{'key':'Content-Type','value':'application/xml'}]");
    assert_string_equal(field(&capture.messages[0], "Content-Type"), "application/xml");
    capture_deinit(&capture);
}

static void variables_without_a_value_stay(void **state)
{
    (void)state;
    struct capture capture;
    read_post(&capture, "{{host}}/x", "<a>{{b}} {{$guid}} {{ {</a>", "");
    assert_string_equal(capture.messages[0].url, "");
    assert_body(&capture.messages[0], STR("<a>{{b}} {{$guid}} {{ {</a>"));
    assert_note(&capture, CAPTURE_NOTE_REMARK, "without a value in the collection");
    capture_deinit(&capture);
}

static void values_are_not_filled_again(void **state)
{
    (void)state;
    struct capture capture;
    struct buf text;
    buf_init(&text);
    append_json(&text, "{'info':{},'variable':[{'key':'a','value':'{{a}}{{b}}'},"
                       "{'key':'b','value':'x'},{'key':'b','value':'off','disabled':true}],"
                       "'item':[");
    append_post(&text, "http://h/", "{{a}}-{{ b }}", "");
    append_json(&text, "]}");
    read_content(&capture, buf_view(&text), "capture.json");
    assert_body(&capture.messages[0], STR("{{a}}{{b}}-x"));
    capture_deinit(&capture);
    buf_deinit(&text);
}

static void urls_come_in_many_forms(void **state)
{
    (void)state;
    static const struct {
        const char *url;
        const char *expected;
    } cases[] = {
        {"'http://h/a?b'", "http://h/a?b"},
        {"{'raw':'https://h/a'}", "https://h/a"},
        {"{'host':['https://h'],'path':['a','b.svc']}", "https://h/a/b.svc"},
        {"{'protocol':'https','host':'h','port':'81','path':'a'}", "https://h:81/a"},
        {"{'host':['a','b'],'path':[],'query':[{'key':'x','value':'1'},{'key':'y'}]}",
         "http://a.b/?x=1&y"},
        {"null", ""},
        {"17", "http://17"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct buf text;
        struct capture capture;
        buf_init(&text);
        append_json(&text, "[{'name':'n','request':{'url':");
        append_json(&text, cases[i].url);
        append_json(&text, "}}]");
        read_content(&capture, buf_view(&text), "x.json");
        assert_string_equal(capture.messages[0].url, cases[i].expected);
        assert_string_equal(capture.messages[0].method, "GET");
        capture_deinit(&capture);
        buf_deinit(&text);
    }
}

static void authentication_is_inherited_and_may_be_switched_off(void **state)
{
    (void)state;
    struct capture capture;
    read_json(&capture,
              "{'info':{},'auth':{'type':'basic','basic':{'username':'u','password':'p'}},"
              "'item':[{'name':'f','item':["
              "{'name':'1','request':{'url':'http://h/'}},"
              "{'name':'2','request':{'url':'http://h/','auth':{'type':'noauth'}}},"
              "{'name':'3','request':{'url':'http://h/','auth':{'type':'bearer',"
              "'bearer':[{'key':'token','value':'t'}]}}},"
              "{'name':'4','request':{'url':'http://h/','auth':{'type':'ntlm',"
              "'ntlm':[{'key':'password','value':'SECRET'}]}}}]}]}");
    assert_int_equal(capture.count, 4);
    assert_string_equal(capture.messages[0].basic_credentials, "u:p");
    assert_null(capture.messages[1].basic_credentials);
    assert_string_equal(field(&capture.messages[2], "Authorization"), "Bearer t");
    assert_note(&capture, CAPTURE_NOTE_REMARK, "its authentication (ntlm) is left out");
    assert_false(has_note(&capture, CAPTURE_NOTE_REMARK, "SECRET"));
    capture_deinit(&capture);
}

static void bodies_that_are_not_here_are_told(void **state)
{
    (void)state;
    struct capture capture;
    read_json(&capture,
              "[{'name':'1','request':{'url':'http://h/'}},"
              "{'name':'2','request':{'url':'http://h/','body':{'mode':'formdata'}}},"
              "{'name':'3','request':{'url':'http://h/','body':{'mode':'file'}}},"
              "{'name':'4','request':{'url':'http://h/','body':{'mode':'raw','raw':17}}},"
              "{'name':'5','request':{'url':'http://h/','body':{'mode':'none'}}},"
              "{'name':'6','request':{'url':'http://h/','body':{'raw':'x','disabled':true}}}]");
    assert_int_equal(capture.count, 4);
    assert_body(&capture.messages[1], STR("17"));
    assert_note(&capture, CAPTURE_NOTE_SKIPPED, "item \"2\": its body is a form or a query");
    assert_note(&capture, CAPTURE_NOTE_SKIPPED, "item \"3\": its body lies in a file");
    capture_deinit(&capture);
}

static void saved_answers_hold_no_messages(void **state)
{
    (void)state;
    struct capture capture;
    read_json(&capture, "[{'name':'a','response':[{'originalRequest':{'url':'http://x/'},"
                        "'code':202}],'request':{'url':'http://h/'}},{'name':'nothing'}]");
    assert_int_equal(capture.count, 1);
    assert_int_equal(capture.messages[0].answer_status, 202);
    capture_deinit(&capture);
}

static void folders_have_a_ceiling(void **state)
{
    (void)state;
    struct buf text;
    struct capture capture;
    buf_init(&text);
    append_json(&text, "{'info':{},'item':[{'name':'n','request':{'url':'http://h/'}},");
    for (int i = 0; i < 200; i++) {
        append_json(&text, "{'name':'f','item':[");
    }
    read_content(&capture, buf_view(&text), "x.json");
    assert_int_equal(capture.count, 1);
    assert_note(&capture, CAPTURE_NOTE_SKIPPED, "more folders in one another");
    capture_deinit(&capture);
    buf_deinit(&text);
}

static void a_file_that_is_cut_off_keeps_its_whole_items(void **state)
{
    (void)state;
    struct buf content;
    struct err err = {.code = ERR_NONE};
    buf_init(&content);
    assert_true(file_read(SAMPLES "capture_postman/order-pieces", 1 << 20, &content, &err));
    size_t second = str_find(buf_view(&content), STR("\"by text\""));
    for (size_t cut = 0; cut < content.len; cut++) {
        struct capture capture;
        bool is_read = capture_read(str_slice(buf_view(&content), 0, cut), "cut", &capture, &err);
        if (cut > second) {
            assert_true(is_read);
            assert_order(&capture.messages[0]);
        }
        capture_deinit(&capture);
    }
    buf_deinit(&content);
}

static void version_1_is_refused_by_name(void **state)
{
    (void)state;
    assert_sample_refused(SAMPLES "capture/postman-1", "version 1: export it as version 2.1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(collections_give_the_order),
        cmocka_unit_test(folders_variables_and_credentials_are_used),
        cmocka_unit_test(B112_an_envelope_without_a_type_gets_its_own),
        cmocka_unit_test(variables_without_a_value_stay),
        cmocka_unit_test(values_are_not_filled_again),
        cmocka_unit_test(urls_come_in_many_forms),
        cmocka_unit_test(authentication_is_inherited_and_may_be_switched_off),
        cmocka_unit_test(bodies_that_are_not_here_are_told),
        cmocka_unit_test(saved_answers_hold_no_messages),
        cmocka_unit_test(folders_have_a_ceiling),
        cmocka_unit_test(a_file_that_is_cut_off_keeps_its_whole_items),
        cmocka_unit_test(version_1_is_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
