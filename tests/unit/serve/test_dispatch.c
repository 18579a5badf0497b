/* SPDX-License-Identifier: Apache-2.0 */
/* Every request gets its answer and is counted under one head; answers are HTTP and well-formed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <libxml/parser.h>
#include <stdlib.h>
#include <string.h>

#include "lather/base/file.h"
#include "lather/serve/dispatch.h"

struct answered {
    struct buf bytes; /* head and body, tail included */
    struct str head;
    struct str body;
    unsigned status;
};

/* Reads one request and answers it; the answer's Content-Length must be right. */
static void answer_text(struct dispatch *dispatch, struct str text, struct answered *answered)
{
    struct request request;
    size_t used;
    struct str tail;
    struct str length;
    uint64_t bytes;
    request_init(&request);
    enum request_event event = request_read(&request, text, &used);
    assert_true(event == REQUEST_WHOLE || event == REQUEST_REFUSED);
    buf_init(&answered->bytes);
    dispatch_answer(dispatch, &request, RESPONSE_KEEP, 1, &answered->bytes, &tail);
    buf_append_str(&answered->bytes, tail);
    request_deinit(&request);

    struct str all = buf_view(&answered->bytes);
    size_t end = str_find(all, STR("\r\n\r\n"));
    assert_true(end != SIZE_MAX);
    answered->head = str_slice(all, 0, end + 2);
    answered->body = str_slice(all, end + 4, all.len);
    assert_true(str_starts_with(all, STR("HTTP/1.1 ")));
    answered->status = (unsigned)strtoul(all.data + 9, NULL, 10);
    size_t at = str_find(answered->head, STR("\r\nContent-Length: "));
    assert_true(at != SIZE_MAX);
    (void)str_split(str_slice(answered->head, at + 18, answered->head.len), '\r', &length, &all);
    assert_true(str_to_u64(length, &bytes));
    assert_int_equal(bytes, answered->body.len);
}

static void answer_envelope(struct dispatch *dispatch, const char *content_type, struct str body,
                            struct answered *answered)
{
    struct buf text;
    buf_init(&text);
    buf_printf(&text, "POST / HTTP/1.1\r\nContent-Type: %s\r\nContent-Length: %zu\r\n\r\n",
               content_type, body.len);
    buf_append_str(&text, body);
    answer_text(dispatch, buf_view(&text), answered);
    buf_deinit(&text);
}

static void answer_file(struct dispatch *dispatch, const char *content_type, const char *path,
                        struct answered *answered)
{
    struct buf content;
    struct err err;
    buf_init(&content);
    assert_true(file_read(path, 1 << 20, &content, &err));
    answer_envelope(dispatch, content_type, buf_view(&content), answered);
    buf_deinit(&content);
}

static void assert_well_formed(struct str body)
{
    xmlDocPtr document = xmlReadMemory(body.data, (int)body.len, NULL, NULL, XML_PARSE_NONET);
    assert_non_null(document);
    xmlFreeDoc(document);
}

static void assert_has(struct str text, const char *part)
{
    if (str_find(text, str_from(part)) == SIZE_MAX) {
        fail_msg("no \"%s\" in %.*s", part, STR_ARG(text));
    }
}

static void orders_are_answered_in_their_version(void **state)
{
    (void)state;
    struct dispatch dispatch;
    struct answered answered;
    dispatch_init(&dispatch, &(struct serve_options){0}, 0);
    answer_file(&dispatch, "text/xml; charset=utf-8", "payloads/order-soap11.xml", &answered);
    assert_int_equal(answered.status, 200);
    assert_well_formed(answered.body);
    assert_has(answered.head, "\r\nContent-Type: text/xml; charset=utf-8\r\n");
    assert_has(answered.body, "<orderId>A-100417</orderId>");
    buf_deinit(&answered.bytes);
    answer_file(&dispatch, "application/soap+xml", "payloads/order-soap12-wsa.xml", &answered);
    assert_well_formed(answered.body);
    assert_has(answered.head, "\r\nContent-Type: application/soap+xml; charset=utf-8\r\n");
    assert_has(answered.body,
               "<a:RelatesTo>urn:uuid:6f1d2c58-0f6b-4c0e-9a37-3c5b0b6f9d21</a:RelatesTo>");
    buf_deinit(&answered.bytes);
    answer_file(&dispatch, "application/soap+xml", "payloads/notify-oneway.xml", &answered);
    assert_int_equal(answered.status, 202);
    assert_int_equal(answered.body.len, 0);
    buf_deinit(&answered.bytes);
    assert_int_equal(dispatch.counts.orders, 2);
    assert_int_equal(dispatch.counts.one_way, 1);
    assert_int_equal(dispatch.counts.requests, 3);
    dispatch_deinit(&dispatch);
}

static void a_size_is_reached_exactly(void **state)
{
    (void)state;
    for (uint64_t size = 400; size < 900; size += 7) {
        struct dispatch dispatch;
        struct answered answered;
        dispatch_init(&dispatch, &(struct serve_options){.size_bytes = size}, 0);
        answer_file(&dispatch, "application/soap+xml", "payloads/order-soap12-wsa.xml", &answered);
        assert_well_formed(answered.body);
        assert_true(answered.body.len == size || (size < 480 && answered.body.len >= size));
        buf_deinit(&answered.bytes);
        dispatch_deinit(&dispatch);
    }
}

static void faults_are_spread_evenly(void **state)
{
    (void)state;
    static const struct {
        double rate;
        uint64_t orders;
        uint64_t faults;
    } cases[] = {{0, 100, 0},     {1, 100, 100}, {0.1, 100, 10},
                 {0.29, 100, 29}, {0.6, 10, 6},  {0.5, 8, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct dispatch dispatch;
        dispatch_init(&dispatch, &(struct serve_options){.fault_rate = cases[i].rate}, 0);
        for (uint64_t order = 0; order < cases[i].orders; order++) {
            struct answered answered;
            answer_file(&dispatch, "application/soap+xml", "payloads/order-soap12-wsa.xml",
                        &answered);
            assert_well_formed(answered.body);
            assert_true(answered.status == 200 || answered.status == 500);
            buf_deinit(&answered.bytes);
            assert_true(dispatch.counts.faults <=
                        (uint64_t)(cases[i].rate * (double)(order + 1) + 1));
        }
        assert_int_equal(dispatch.counts.faults, cases[i].faults);
        assert_int_equal(dispatch.counts.orders, cases[i].orders - cases[i].faults);
        dispatch_deinit(&dispatch);
    }
}

static void wrong_envelopes_get_a_fault_of_their_version(void **state)
{
    (void)state;
    struct dispatch dispatch;
    struct answered answered;
    dispatch_init(&dispatch, &(struct serve_options){0}, 0);
    answer_envelope(&dispatch, "text/xml", STR("<a>&</a>"), &answered);
    assert_int_equal(answered.status, 500);
    assert_well_formed(answered.body);
    assert_has(answered.body, "<faultcode>s:Client</faultcode>");
    buf_deinit(&answered.bytes);
    answer_envelope(&dispatch, "application/soap+xml", STR("<a>&</a>"), &answered);
    assert_well_formed(answered.body);
    assert_has(answered.body, "<s:Value>s:Sender</s:Value>");
    buf_deinit(&answered.bytes);
    answer_envelope(&dispatch, "application/soap+xml", STR("<Envelope xmlns='urn:x'/>"), &answered);
    assert_has(answered.body, "<faultcode>s:VersionMismatch</faultcode>");
    buf_deinit(&answered.bytes);
    assert_int_equal(dispatch.counts.bad_requests, 3);
    answer_envelope(
        &dispatch, "text/xml",
        STR("<Envelope xmlns='http://schemas.xmlsoap.org/soap/envelope/'><Body/></Envelope>"),
        &answered);
    assert_int_equal(answered.status, 500);
    buf_deinit(&answered.bytes);
    assert_int_equal(dispatch.counts.faults, 1);
    dispatch_deinit(&dispatch);
}

static void what_is_no_order_is_answered_by_http(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned status;
    } cases[] = {
        {"GET / HTTP/1.1\r\n\r\n", 200},
        {"DELETE / HTTP/1.1\r\n\r\n", 405},
        {"POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n", 415},
        {"POST / HTTP/1.1\r\nContent-Type: text/plain\r\nContent-Length: 1\r\n\r\na", 415},
        {"POST / HTTP/1.1\r\nContent-Type: text/xml; charset=latin1\r\nContent-Length: 1\r\n\r\na",
         415},
        {"POST / HTTP/1.1\r\nContent-Length: 67108865\r\n\r\n", 413},
        {"POST / HTTP/1.1\r\nExpect: x\r\n\r\n", 417},
        {"hello\r\n", 400},
    };
    struct dispatch dispatch;
    dispatch_init(&dispatch, &(struct serve_options){0}, 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct answered answered;
        answer_text(&dispatch, str_from(cases[i].text), &answered);
        assert_int_equal(answered.status, cases[i].status);
        buf_deinit(&answered.bytes);
    }
    const struct serve_counts *counts = &dispatch.counts;
    assert_int_equal(counts->requests, sizeof cases / sizeof cases[0]);
    assert_int_equal(counts->pages, 1);
    assert_int_equal(counts->bad_requests + counts->pages, counts->requests);
    dispatch_deinit(&dispatch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_are_answered_in_their_version),
        cmocka_unit_test(a_size_is_reached_exactly),
        cmocka_unit_test(faults_are_spread_evenly),
        cmocka_unit_test(wrong_envelopes_get_a_fault_of_their_version),
        cmocka_unit_test(what_is_no_order_is_answered_by_http),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
