/* SPDX-License-Identifier: Apache-2.0 */
/* HTTP archives of browsers and proxies. */
#include "reading.h"

/* Entries in an archive around them. */
static void append_archive(struct buf *text, const char *entries)
{
    append_json(text, "{'log':{'version':'1.2','entries':[");
    append_json(text, entries);
    append_json(text, "]}}");
}

static void read_entries(struct capture *capture, const char *entries)
{
    struct buf text;
    buf_init(&text);
    append_archive(&text, entries);
    read_content(capture, buf_view(&text), "x.har");
    buf_deinit(&text);
}

static void assert_entries_refused(const char *entries, const char *part)
{
    struct buf text;
    buf_init(&text);
    append_archive(&text, entries);
    assert_refused(buf_view(&text), "x.har", part);
    buf_deinit(&text);
}

#define POST(more) "{'request':{'method':'POST','url':'http://h/s','headers':[]" more "}}"

static void archives_give_the_order(void **state)
{
    (void)state;
    struct capture capture;
    assert_sample_is_order(SAMPLES "capture_har/order", CAPTURE_HAR);
    assert_sample_is_order(SAMPLES "capture_har/order-compact", CAPTURE_HAR);
    read_sample(&capture, SAMPLES "capture_har/order");
    assert_int_equal(capture.count, 2);
    assert_string_equal(capture.messages[0].method, "GET");
    assert_int_equal(capture.messages[0].answer_status, 200);
    assert_int_equal(capture.messages[1].answer_status, 500);
    assert_note(&capture, CAPTURE_NOTE_ROUTINE, ":authority");
    assert_note(&capture, CAPTURE_NOTE_REMARK, "dropped Cookie");
    assert_note(&capture, CAPTURE_NOTE_ROUTINE, "original bytes are gone");
    capture_deinit(&capture);
}

static void a_post_whose_body_was_left_out_is_no_message(void **state)
{
    (void)state;
    assert_entries_refused(POST(",'bodySize':70000"), "left its body out");
    assert_entries_refused(POST(",'bodySize':70000,'postData':{'text':''}"), "left its body out");
    assert_entries_refused("{'request':{'method':'POST','url':'http://h/','bodySize':-1,"
                           "'headers':[{'name':'content-length','value':'9'}]}}",
                           "entry 1: POST http://h/: the capture left its body out");
}

static void a_post_without_a_body_is_one(void **state)
{
    (void)state;
    struct capture capture;
    read_entries(&capture, POST(",'bodySize':0"));
    assert_int_equal(capture.count, 1);
    assert_true(capture.messages[0].has_body);
    assert_int_equal(capture.messages[0].body.len, 0);
    capture_deinit(&capture);
}

static void text_is_encoded_as_its_media_type_says(void **state)
{
    (void)state;
    struct capture capture;
    read_entries(&capture, POST(",'postData':{'mimeType':'text/xml; charset=ISO-8859-1',"
                                "'text':'<a>\xC3\xA9</a>'}"));
    assert_body(&capture.messages[0], STR("<a>\xE9</a>"));
    capture_deinit(&capture);
    read_entries(&capture, POST(",'postData':{'mimeType':'text/xml; charset=ISO-8859-1',"
                                "'text':'<a>\xE2\x82\xAC</a>'}"));
    assert_body(&capture.messages[0], STR("<a>\xE2\x82\xAC</a>"));
    assert_note(&capture, CAPTURE_NOTE_REMARK,
                "cannot be written in ISO-8859-1: the body is sent in UTF-8");
    capture_deinit(&capture);
}

static void a_damaged_entry_costs_only_itself(void **state)
{
    (void)state;
    struct capture capture;
    read_entries(&capture,
                 "17,{'request':null},{'request':{'url':'http://h/'}}," POST(
                     ",'postData':{'text':'\\ud800'}") "," POST(",'postData':{'text':'<a/>'}"));
    assert_int_equal(capture.count, 1);
    assert_string_equal(capture.messages[0].place, "entry 5");
    assert_note(&capture, CAPTURE_NOTE_SKIPPED, "entry 1: it has no request");
    assert_note(&capture, CAPTURE_NOTE_SKIPPED, "entry 2: it has no request");
    assert_note(&capture, CAPTURE_NOTE_SKIPPED, "entry 3: http://h/: its request has no method");
    assert_note(&capture, CAPTURE_NOTE_SKIPPED, "entry 4: POST http://h/s: its body is no text");
    capture_deinit(&capture);
}

static void a_file_that_is_cut_off_keeps_its_whole_entries(void **state)
{
    (void)state;
    struct buf content;
    struct err err = {.code = ERR_NONE};
    buf_init(&content);
    assert_true(file_read(SAMPLES "capture_har/order-compact", 1 << 20, &content, &err));
    size_t third = str_find(buf_view(&content), STR("\"bodySize\":70000"));
    assert_true(third != SIZE_MAX);
    for (size_t cut = 0; cut < content.len; cut++) {
        struct capture capture;
        bool is_read = capture_read(str_slice(buf_view(&content), 0, cut), "cut", &capture, &err);
        if (cut > third) {
            assert_true(is_read);
            assert_order(picked(&capture));
        }
        capture_deinit(&capture);
    }
    buf_deinit(&content);
}

static void slashes_and_escapes_of_json_are_decoded(void **state)
{
    (void)state;
    struct capture capture;
    read_entries(&capture, "{'request':{'method':'POST','url':'http:\\/\\/h\\/s',"
                           "'headers':[{'name':'X-\\u0041','value':'\\t b '}],"
                           "'postData':{'text':'a\\u0000b'}}}");
    assert_string_equal(capture.messages[0].url, "http://h/s");
    assert_string_equal(field(&capture.messages[0], "X-A"), "b");
    assert_body(&capture.messages[0], str_of("a\0b", 3));
    capture_deinit(&capture);
}

/* What tools save of an archive when one request is copied. */
static void parts_of_an_archive_are_read_too(void **state)
{
    (void)state;
    static const char request[] = "{'method':'POST','url':'http://h/s','headers':[{'name':"
                                  "'X-A','value':'1'}],'postData':{'text':'<a/>'}}";
    static const char *const around[][2] = {
        {"", ""},
        {"{'request':", ",'response':{'status':200}}"},
        {"[{'request':", "}]"},
        {"[{'startedDateTime':'x','request':", ",'response':{}},{'request':{'url':'y'}}]"},
    };
    for (size_t i = 0; i < sizeof around / sizeof around[0]; i++) {
        struct buf text;
        struct capture capture;
        buf_init(&text);
        append_json(&text, around[i][0]);
        append_json(&text, request);
        append_json(&text, around[i][1]);
        read_content(&capture, buf_view(&text), "x.json");
        assert_int_equal(capture.kind, CAPTURE_HAR);
        assert_int_equal(capture.count, 1);
        assert_string_equal(capture.messages[0].url, "http://h/s");
        assert_string_equal(field(&capture.messages[0], "X-A"), "1");
        assert_body(&capture.messages[0], STR("<a/>"));
        assert_int_equal(capture.messages[0].answer_status, i == 1 ? 200 : 0);
        capture_deinit(&capture);
        buf_deinit(&text);
    }
}

static void json_that_is_no_archive_is_a_body(void **state)
{
    (void)state;
    struct capture capture;
    read_json(&capture, "{'log':17}");
    assert_int_equal(capture.kind, CAPTURE_BYTES);
    assert_body(&capture.messages[0], STR("{\"log\":17}"));
    capture_deinit(&capture);
    assert_refused(STR("{\"log\":17}"), "log.har", "no HTTP archive in it");
    assert_entries_refused("", "without a single request");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(archives_give_the_order),
        cmocka_unit_test(a_post_whose_body_was_left_out_is_no_message),
        cmocka_unit_test(a_post_without_a_body_is_one),
        cmocka_unit_test(text_is_encoded_as_its_media_type_says),
        cmocka_unit_test(a_damaged_entry_costs_only_itself),
        cmocka_unit_test(a_file_that_is_cut_off_keeps_its_whole_entries),
        cmocka_unit_test(slashes_and_escapes_of_json_are_decoded),
        cmocka_unit_test(parts_of_an_archive_are_read_too),
        cmocka_unit_test(json_that_is_no_archive_is_a_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
