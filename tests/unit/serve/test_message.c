/* SPDX-License-Identifier: Apache-2.0 */
/* A request is told by version, operation and ids; what cannot be served says why. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "lather/base/buf.h"
#include "lather/base/file.h"
#include "lather/serve/message.h"

#define WSA_10 "http://www.w3.org/2005/08/addressing"
#define WSA_04 "http://schemas.xmlsoap.org/ws/2004/08/addressing"
#define OPEN(soap)                                                                                 \
    "<e:Envelope xmlns:e='" soap "' xmlns:a='" WSA_10 "' xmlns:o='urn:example:orders'>"

static struct message read_file(const char *path, struct buf *content)
{
    struct err err;
    struct message message;
    buf_init(content);
    assert_true(file_read(path, 1 << 20, content, &err));
    message_read(&message, buf_view(content));
    return message;
}

static struct message read_text(const char *text)
{
    struct message message;
    message_read(&message, str_from(text));
    return message;
}

static void the_payloads_are_understood(void **state)
{
    (void)state;
    struct buf content;
    struct message message = read_file("payloads/order-soap11.xml", &content);
    assert_int_equal(message.kind, MESSAGE_ORDER);
    assert_int_equal(message.version, SOAP_VERSION_11);
    assert_int_equal(message.addressing, MESSAGE_ADDRESSING_NONE);
    assert_true(str_equals(message.order_id, STR("A-100417")));
    buf_deinit(&content);

    message = read_file("payloads/order-soap12-wsa.xml", &content);
    assert_int_equal(message.kind, MESSAGE_ORDER);
    assert_int_equal(message.version, SOAP_VERSION_12);
    assert_int_equal(message.addressing, MESSAGE_ADDRESSING_10);
    assert_true(
        str_equals(message.message_id, STR("urn:uuid:6f1d2c58-0f6b-4c0e-9a37-3c5b0b6f9d21")));
    buf_deinit(&content);

    message = read_file("payloads/notify-oneway.xml", &content);
    assert_int_equal(message.kind, MESSAGE_NOTICE);
    buf_deinit(&content);
}

static void prefixes_and_blanks_do_not_matter(void **state)
{
    (void)state;
    struct message message = read_text(
        OPEN(SOAP_12_NAMESPACE) "<e:Header><a:MessageID>\n m1 \n</a:MessageID></e:Header><e:Body>"
                                "<o:PlaceOrder><o:orderId> 7 "
                                "</o:orderId></o:PlaceOrder></e:Body></e:Envelope>");
    assert_int_equal(message.kind, MESSAGE_ORDER);
    assert_true(str_equals(message.message_id, STR("m1")));
    assert_true(str_equals(message.order_id, STR("7")));
}

static void the_older_addressing_is_known(void **state)
{
    (void)state;
    struct message message = read_text(
        "<Envelope xmlns='" SOAP_12_NAMESPACE "'><Header><MessageID xmlns='" WSA_04
        "'>m</MessageID></Header><Body><PlaceOrder xmlns='urn:example:orders'/></Body></Envelope>");
    assert_int_equal(message.kind, MESSAGE_ORDER);
    assert_int_equal(message.addressing, MESSAGE_ADDRESSING_200408);
}

static void only_the_right_places_count(void **state)
{
    (void)state;
    /* Names as in a header, but in Body; an orderId too deep, and one of another namespace. */
    struct message message =
        read_text(OPEN(SOAP_12_NAMESPACE) "<e:Body><o:PlaceOrder><a:MessageID>x</"
                                          "a:MessageID><o:x><o:orderId>1</o:orderId></o:x>"
                                          "<orderId>2</orderId></o:PlaceOrder><o:NotifyShipment/></"
                                          "e:Body></e:Envelope>");
    assert_int_equal(message.kind, MESSAGE_ORDER);
    assert_int_equal(message.addressing, MESSAGE_ADDRESSING_NONE);
    assert_int_equal(message.message_id.len, 0);
    assert_int_equal(message.order_id.len, 0);
}

static void an_id_with_elements_inside_is_not_repeated(void **state)
{
    (void)state;
    struct message message = read_text(OPEN(
        SOAP_12_NAMESPACE) "<e:Body><o:PlaceOrder><o:orderId>1<o:b/>2</o:orderId></o:PlaceOrder>"
                           "</e:Body></e:Envelope>");
    assert_int_equal(message.order_id.len, 0);
}

static void what_cannot_be_served_says_why(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum message_kind kind;
        enum message_fault fault;
    } cases[] = {
        {OPEN(SOAP_12_NAMESPACE) "</e:Envelope>", MESSAGE_WRONG, MESSAGE_FAULT_SENDER},
        {OPEN(SOAP_12_NAMESPACE) "<e:Body/></e:Envelope>", MESSAGE_WRONG, MESSAGE_FAULT_ACTION},
        {OPEN(SOAP_12_NAMESPACE) "<e:Body><o:Other/></e:Body></e:Envelope>", MESSAGE_WRONG,
         MESSAGE_FAULT_ACTION},
        {OPEN(SOAP_12_NAMESPACE) "<e:Body><PlaceOrder/></e:Body></e:Envelope>", MESSAGE_WRONG,
         MESSAGE_FAULT_ACTION},
        {OPEN(SOAP_12_NAMESPACE) "<e:Header><a:To>x</a:To></e:Header><e:Body><o:PlaceOrder/></"
                                 "e:Body></e:Envelope>",
         MESSAGE_WRONG, MESSAGE_FAULT_NO_MESSAGE_ID},
        {OPEN("urn:soap13") "<e:Body/></e:Envelope>", MESSAGE_BAD, MESSAGE_FAULT_VERSION},
        {"<Envelope><Body/></Envelope>", MESSAGE_BAD, MESSAGE_FAULT_VERSION},
        {"<a/>", MESSAGE_BAD, MESSAGE_FAULT_SENDER},
        {"", MESSAGE_BAD, MESSAGE_FAULT_SENDER},
        {"<x:Envelope/>", MESSAGE_BAD, MESSAGE_FAULT_SENDER},
        {OPEN(SOAP_12_NAMESPACE) "<e:Body><o:PlaceOrder/></e:Body>", MESSAGE_BAD,
         MESSAGE_FAULT_SENDER},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct message message = read_text(cases[i].text);
        assert_int_equal(message.kind, cases[i].kind);
        assert_int_equal(message.fault, cases[i].fault);
        assert_non_null(message.problem);
    }
}

static void ids_have_a_ceiling(void **state)
{
    (void)state;
    struct buf text;
    buf_init(&text);
    for (size_t extra = 0; extra < 2; extra++) {
        buf_reset(&text);
        buf_append_str(&text, STR(OPEN(SOAP_11_NAMESPACE) "<e:Body><o:PlaceOrder><o:orderId>"));
        for (size_t i = 0; i < MESSAGE_ECHO_CEILING + extra; i++) {
            buf_append_byte(&text, '7');
        }
        buf_append_str(&text, STR("</o:orderId></o:PlaceOrder></e:Body></e:Envelope>"));
        struct message message;
        message_read(&message, buf_view(&text));
        assert_int_equal(message.kind, extra == 0 ? MESSAGE_ORDER : MESSAGE_WRONG);
    }
    buf_deinit(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_payloads_are_understood),
        cmocka_unit_test(prefixes_and_blanks_do_not_matter),
        cmocka_unit_test(the_older_addressing_is_known),
        cmocka_unit_test(only_the_right_places_count),
        cmocka_unit_test(an_id_with_elements_inside_is_not_repeated),
        cmocka_unit_test(what_cannot_be_served_says_why),
        cmocka_unit_test(ids_have_a_ceiling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
