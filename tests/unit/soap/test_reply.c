/* SPDX-License-Identifier: Apache-2.0 */
/* What is found in the envelope of an answer, in pieces of any size and from any server. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lather/soap/reply.h"
#include "lather/soap/reply_flaw.h"

#define WSA              "http://www.w3.org/2005/08/addressing"
#define OPEN_11          "<s:Envelope xmlns:s='" SOAP_11_NAMESPACE "' xmlns:a='" WSA "'>"
#define OPEN_12          "<s:Envelope xmlns:s='" SOAP_12_NAMESPACE "' xmlns:a='" WSA "'>"
#define CLOSE            "</s:Envelope>"
#define FAULT_11(inside) OPEN_11 "<s:Body><s:Fault>" inside "</s:Fault></s:Body>" CLOSE
#define FAULT_12(inside) OPEN_12 "<s:Body><s:Fault>" inside "</s:Fault></s:Body>" CLOSE

static int make_reply(void **state)
{
    *state = reply_new();
    return 0;
}

static int drop_reply(void **state)
{
    reply_free(*state);
    return 0;
}

static const struct reply_facts *read_pieces(struct reply *reply, struct str text, size_t piece,
                                             const char *charset)
{
    reply_begin(reply, str_from(charset), STR("urn:uuid:2"));
    for (size_t at = 0; at < text.len; at += piece) {
        reply_feed(reply, str_slice(text, at, at + piece));
    }
    return reply_end(reply);
}

static const struct reply_facts *read_text(void **state, const char *text)
{
    return read_pieces(*state, str_from(text), SIZE_MAX / 2, "");
}

static void check_str(struct str text, const char *expected)
{
    if (!str_equals(text, str_from(expected))) {
        fail_msg("\"%.*s\" is not \"%s\"", STR_ARG(text), expected);
    }
}

static void check_flaw(void **state, const char *text, const char *start)
{
    struct buf sentence;
    buf_init(&sentence);
    bool is_flawed = reply_flaw(read_text(state, text), &sentence);
    if (start == NULL) {
        assert_false(is_flawed);
        assert_int_equal(sentence.len, 0);
    } else if (!is_flawed || !str_starts_with(buf_view(&sentence), str_from(start))) {
        fail_msg("\"%.*s\" does not start with \"%s\"", STR_ARG(buf_view(&sentence)), start);
    }
    buf_deinit(&sentence);
}

static void good_envelopes_have_no_flaw(void **state)
{
    check_flaw(state, OPEN_11 "<s:Body><r xmlns='urn:x'/></s:Body>" CLOSE, NULL);
    check_flaw(state, OPEN_12 "\n <s:Header/>\r\n\t<s:Body> </s:Body> " CLOSE, NULL);
    check_flaw(state, OPEN_11 "<s:Body/><extra xmlns='urn:x'/>" CLOSE, NULL);
    check_flaw(state,
               "<?xml version='1.0'?><!-- c --><?p i?>" OPEN_11 "<s:Body/>" CLOSE "<!-- e -->",
               NULL);
    /* A namespace name need be no URI. */
    check_flaw(state, OPEN_11 "<s:Body><r xmlns='no uri at all'/></s:Body>" CLOSE, NULL);
}

static void flaws_are_named(void **state)
{
    check_flaw(state, OPEN_11 CLOSE, "no Body");
    check_flaw(state, OPEN_11 "text" CLOSE, "no Body");
    check_flaw(state, OPEN_11 "<s:Body/><s:Body/><s:Body/>" CLOSE, "3 Body elements");
    check_flaw(state, OPEN_11 "<s:Body/><s:Header/>" CLOSE, "Header after Body");
    check_flaw(state, OPEN_11 "<s:Header/><s:Header/><s:Body/>" CLOSE, "2 Header elements");
    check_flaw(state, OPEN_12 "<s:Body/><extra xmlns='urn:x'/>" CLOSE, "element after Body: extra");
    check_flaw(state, OPEN_12 "<extra/><s:Body/>" CLOSE, "element before Body: extra");
    check_flaw(state, OPEN_12 "hello<s:Body/>" CLOSE, "text in Envelope");
    check_flaw(state, "<html><body/></html>", "root is {}html");
    check_flaw(state, "<Envelope xmlns='urn:x'/>", "root is {urn:x}Envelope");
    check_flaw(state, "<E xmlns='" SOAP_11_NAMESPACE "'/>", "root is {" SOAP_11_NAMESPACE "}E");
    check_flaw(state, "<E xmlns='urn:&#13;&#10;x'/>", "root is {urn:  x}E");
    check_flaw(state, "<Envelope xmlns='http://www.w3.org/2001/12/soap-envelope'/>",
               "root is {http://www.w3.org/2001/12/soap-envelope}Envelope (a draft");
}

static void breaks_are_named_with_their_line(void **state)
{
    check_flaw(state, OPEN_11 "\n<s:Body>\n</s:Boby>" CLOSE, "not well-formed: line 3: ");
    check_flaw(state, OPEN_11 "<s:Body>&nbsp;</s:Body>" CLOSE, "not well-formed: line 1: ");
    check_flaw(state, OPEN_11 "<s:Body><x:y/></s:Body>" CLOSE, "not well-formed: line 1: ");
    check_flaw(state, OPEN_11 "<s:Body>\x01</s:Body>" CLOSE, "not well-formed: line 1: ");
    check_flaw(state, OPEN_11 "<s:Body>\xF1 </s:Body>" CLOSE, "not well-formed: line 1: ");
    check_flaw(state, OPEN_11 "<s:Body>&#x0;</s:Body>" CLOSE, "not well-formed: line 1: ");
    check_flaw(state, OPEN_11 "<s:Body/>" CLOSE "<more/>", "not well-formed: line 1: ");
    check_flaw(state, " <?xml version='1.0'?>" OPEN_11 "<s:Body/>" CLOSE,
               "not well-formed: line 1");
    check_flaw(state, "hello", "not well-formed: line 1: ");
    check_flaw(state, "", "not well-formed: line 1: ");
    check_flaw(state, OPEN_11 "<s:Body>\n<r", "not well-formed: cut off after ");
    check_flaw(state, OPEN_11 "<s:Body>", "not well-formed: cut off after ");
}

static void fault_of_soap11_is_read(void **state)
{
    const struct reply_facts *facts = read_text(
        state, FAULT_11("<faultcode>s:Client</faultcode><faultstring xml:lang='en'>\n No\n "
                        "</faultstring><faultactor>urn:me</faultactor>"
                        "<detail>text<d:Why xmlns:d='urn:d'><d:More/></d:Why><other/></detail>"));
    assert_true(facts->is_fault);
    check_str(facts->fault_code, "{" SOAP_11_NAMESPACE "}Client");
    check_str(facts->fault_subcodes, "");
    check_str(facts->fault_reason, "No");
    check_str(facts->fault_detail, "{urn:d}Why");
}

static void fault_of_soap12_is_read_with_its_chain_of_subcodes(void **state)
{
    const struct reply_facts *facts = read_text(
        state, FAULT_12("<s:Code><s:Value>s:Sender</s:Value><s:Subcode><s:Value xmlns:m='urn:m'>"
                        "m:Timeout</s:Value><s:Subcode><s:Value>a:Deep</s:Value></s:Subcode>"
                        "</s:Subcode></s:Code><s:Reason><s:Text xml:lang='de'>Nein</s:Text>"
                        "<s:Text xml:lang='en-US'>No</s:Text><s:Text xml:lang='en'>Nope</s:Text>"
                        "</s:Reason><s:Node>n</s:Node><s:Role>r</s:Role>"
                        "<s:Detail><e xmlns='urn:e'/></s:Detail>"));
    assert_true(facts->is_fault);
    check_str(facts->fault_code, "{" SOAP_12_NAMESPACE "}Sender");
    check_str(facts->fault_subcodes, "{urn:m}Timeout/{" WSA "}Deep");
    check_str(facts->fault_reason, "No");
    check_str(facts->fault_detail, "{urn:e}e");
}

static void first_reason_counts_when_none_is_english(void **state)
{
    const struct reply_facts *facts =
        read_text(state, FAULT_12("<s:Code><s:Value>s:Sender</s:Value></s:Code><s:Reason>"
                                  "<s:Text xml:lang='de'>Nein</s:Text>"
                                  "<s:Text xml:lang='fr'>Non</s:Text></s:Reason>"));
    check_str(facts->fault_reason, "Nein");
}

/* B071, B072: by namespace and name, not by prefix, and children under any namespace. */
static void b071_b072_fault_is_known_by_namespace_and_name(void **state)
{
    const struct reply_facts *facts = read_text(
        state,
        "<E:Envelope xmlns:E='" SOAP_11_NAMESPACE "'><E:Body><Fault xmlns='" SOAP_11_NAMESPACE
        "'><faultcode>E:Server</faultcode><faultstring>x</faultstring></Fault></E:Body>"
        "</E:Envelope>");
    assert_true(facts->is_fault);
    check_str(facts->fault_code, "{" SOAP_11_NAMESPACE "}Server");
    facts = read_text(state, FAULT_11("<Code><Value>s:Sender</Value></Code>"
                                      "<Reason><Text>r</Text></Reason>"));
    check_str(facts->fault_code, "{" SOAP_11_NAMESPACE "}Sender");
    check_str(facts->fault_reason, "r");
    facts = read_text(state, OPEN_11 "<s:Body><Fault xmlns='urn:x'><faultcode>a</faultcode></Fault>"
                                     "</s:Body>" CLOSE);
    assert_false(facts->is_fault);
    check_str(facts->fault_code, "");
    facts = read_text(state, OPEN_11 "<s:Body><r/><s:Fault/></s:Body>" CLOSE);
    assert_false(facts->is_fault);
    assert_int_equal(facts->body_children, 2);
    facts = read_text(state, OPEN_11 "<s:Header><s:Fault/></s:Header><s:Body/>" CLOSE);
    assert_false(facts->is_fault);
}

static void codes_that_are_no_names_stay_text(void **state)
{
    check_str(read_text(state, FAULT_12("<s:Code><s:Value>5</s:Value></s:Code>"))->fault_code, "5");
    check_str(read_text(state, FAULT_11("<faultcode>no:Client</faultcode>"))->fault_code,
              "no:Client");
    check_str(read_text(state, FAULT_11("<faultcode>not a name</faultcode>"))->fault_code,
              "not a name");
    check_str(read_text(state, FAULT_11("<faultcode>Client</faultcode>"))->fault_code, "{}Client");
    check_str(
        read_text(state, FAULT_11("<faultcode xmlns='urn:d'>Client.Auth</faultcode>"))->fault_code,
        "{urn:d}Client.Auth");
    check_str(read_text(state, FAULT_11("<faultcode></faultcode>"))->fault_code, "");
}

/* A prefix declared again further in means the inner namespace, and only there. */
static void prefixes_are_resolved_where_they_stand(void **state)
{
    const struct reply_facts *facts =
        read_text(state, FAULT_12("<s:Code><s:Value xmlns:s='urn:inner'>s:A</s:Value><s:Subcode>"
                                  "<s:Value>s:B</s:Value></s:Subcode></s:Code>"));
    check_str(facts->fault_code, "{urn:inner}A");
    check_str(facts->fault_subcodes, "{" SOAP_12_NAMESPACE "}B");
}

static void relations_and_action_are_read_from_the_header(void **state)
{
    const struct reply_facts *facts = read_text(
        state, OPEN_12 "<s:Header><a:Action>urn:r</a:Action>"
                       "<a:RelatesTo RelationshipType='urn:other'>urn:no</a:RelatesTo>"
                       "<a:RelatesTo> urn:uuid:1 </a:RelatesTo><a:RelatesTo RelationshipType='" WSA
                       "/reply'>urn:uuid:2</a:RelatesTo></s:Header><s:Body><a:RelatesTo>x"
                       "</a:RelatesTo></s:Body>" CLOSE);
    assert_int_equal(facts->relations, 2);
    check_str(facts->relates_to, "urn:uuid:1");
    assert_true(facts->relates_to_request);
    check_str(facts->action, "urn:r");
    facts =
        read_text(state, OPEN_12 "<s:Header><a:RelatesTo RelationshipType='urn:other'>urn:uuid:2"
                                 "</a:RelatesTo></s:Header><s:Body/>" CLOSE);
    assert_int_equal(facts->relations, 0);
    assert_false(facts->relates_to_request);
    facts = read_text(state, OPEN_12 "<s:Body/>" CLOSE);
    assert_int_equal(facts->relations, 0);
    check_str(facts->relates_to, "");
    assert_false(facts->relates_to_request);
}

/* B156: neither expanded, nor opened, nor fetched; nothing behind it is read. */
static void b156_doctype_ends_reading_at_once(void **state)
{
    check_flaw(state, "<!DOCTYPE a>" OPEN_11 "<s:Body/>" CLOSE, "DTD in a SOAP message");
    check_flaw(state, "<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>", "DTD in a SOAP message");
    check_flaw(state,
               "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY x 'xxxxxxxxxx'><!ENTITY y "
               "'&x;&x;&x;&x;'><!ENTITY z SYSTEM 'http://127.0.0.1:1/'>]><a>&y;&z;",
               "DTD in a SOAP message");
    const struct reply_facts *facts = read_text(state, "<!DOCTYPE a>" OPEN_11 "<s:Body/>" CLOSE);
    assert_int_equal(facts->bodies, 0);
}

static void pieces_of_any_size_give_the_same(void **state)
{
    static const char text[] =
        "\xEF\xBB\xBF<?xml version='1.0' encoding='utf-8'?>" OPEN_12
        "<s:Header><a:RelatesTo>urn:\xC3\xBC</a:RelatesTo></s:Header><s:Body><s:Fault><s:Code>"
        "<s:Value>s:Sender</s:Value></s:Code><s:Reason><s:Text xml:lang='en'>a &amp; <![CDATA[b]]>"
        "</s:Text></s:Reason></s:Fault></s:Body>" CLOSE;
    for (size_t piece = 1; piece < sizeof(text); piece++) {
        const struct reply_facts *facts = read_pieces(*state, STR(text), piece, "utf-8");
        assert_int_equal(facts->end, SAX_WHOLE);
        assert_int_equal(facts->bytes, sizeof(text) - 1);
        check_str(facts->relates_to, "urn:\xC3\xBC");
        check_str(facts->fault_code, "{" SOAP_12_NAMESPACE "}Sender");
        check_str(facts->fault_reason, "a & b");
        assert_false(facts->charset_contradicts);
    }
}

static void cut_at_each_byte_a_reply_is_never_whole(void **state)
{
    static const char text[] = "<?xml version='1.0'?>" FAULT_12(
        "<s:Code><s:Value>s:Sender</s:Value></s:Code><s:Reason><s:Text>x</s:Text></s:Reason>"
        "<s:Detail a='b'><!-- c --><?p i?><![CDATA[d]]>&lt;</s:Detail>");
    for (size_t len = 0; len + 1 < sizeof(text); len++) {
        char *copy = check_malloc(len + 1);
        memcpy(copy, text, len);
        const struct reply_facts *facts = read_pieces(*state, str_of(copy, len), len + 1, "");
        assert_int_equal(facts->end, len == 0 ? SAX_NOT_WELL_FORMED : SAX_CUT_OFF);
        free(copy);
    }
}

/* B088 */
static void b088_byte_order_marks_are_accepted(void **state)
{
    check_flaw(state, "\xEF\xBB\xBF" OPEN_11 "<s:Body/>" CLOSE, NULL);
    static const char text[] = FAULT_12("<s:Code><s:Value>s:Sender</s:Value></s:Code>");
    for (size_t offset = 0; offset < 2; offset++) {
        struct buf wide;
        buf_init(&wide);
        buf_append(&wide, offset == 0 ? "\xFF\xFE" : "\xFE\xFF", 2);
        for (size_t i = 0; i + 1 < sizeof(text); i++) {
            buf_append_byte(&wide, offset == 0 ? text[i] : '\0');
            buf_append_byte(&wide, offset == 0 ? '\0' : text[i]);
        }
        for (size_t piece = 1; piece < 2000; piece = piece * 3 + 1) {
            const struct reply_facts *facts = read_pieces(*state, buf_view(&wide), piece, "utf-16");
            assert_int_equal(facts->end, SAX_WHOLE);
            assert_true(facts->is_fault);
            assert_false(facts->charset_contradicts);
        }
        buf_deinit(&wide);
    }
}

/* B092: Content-Type wins over the declaration, and the contradiction is told. */
static void b092_content_type_wins_over_the_declaration(void **state)
{
    static const char latin[] =
        "<?xml version='1.0' encoding='ISO-8859-1'?>" OPEN_11 "<s:Body><r>\xFC</r></s:Body>" CLOSE;
    const struct reply_facts *facts = read_pieces(*state, STR(latin), 5, "");
    assert_int_equal(facts->end, SAX_WHOLE);
    assert_false(facts->charset_contradicts);
    facts = read_pieces(*state, STR(latin), 5, "utf-8");
    assert_int_equal(facts->end, SAX_NOT_WELL_FORMED);
    assert_true(facts->charset_contradicts);
    static const char utf8[] = "<?xml version='1.0' encoding='ISO-8859-1'?>" OPEN_11
                               "<s:Body><r>\xC3\xBC</r></s:Body>" CLOSE;
    facts = read_pieces(*state, STR(utf8), 5, "UTF-8");
    assert_int_equal(facts->end, SAX_WHOLE);
    assert_true(facts->charset_contradicts);
}

static void unknown_charsets_end_reading(void **state)
{
    static const char *const names[] = {"x-unknown", "../../etc/passwd", "utf-8//IGNORE", "a b",
                                        "%s%n"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const struct reply_facts *facts =
            read_pieces(*state, STR(OPEN_11 "<s:Body/>" CLOSE), 1000, names[i]);
        assert_int_equal(facts->end, SAX_UNKNOWN_CHARSET);
        assert_true(str_find(facts->problem, str_from(names[i])) != SIZE_MAX);
    }
}

static void bombs_end_reading_early(void **state)
{
    struct buf text;
    buf_init(&text);
    buf_append_str(&text, STR(OPEN_11 "<s:Body>"));
    for (int i = 0; i < 300000; i++) {
        buf_append_str(&text, STR("<a>"));
    }
    assert_int_equal(read_pieces(*state, buf_view(&text), SIZE_MAX / 2, "")->end, SAX_TOO_DEEP);
    buf_reset(&text);
    buf_append_str(&text, STR(OPEN_11 "<s:Body><r "));
    for (int i = 0; i < 1000000; i++) {
        buf_printf(&text, "a%d='' ", i);
    }
    buf_append_str(&text, STR("/></s:Body>" CLOSE));
    assert_int_equal(read_pieces(*state, buf_view(&text), 4096, "")->end, SAX_TOO_MANY_ATTRIBUTES);
    buf_deinit(&text);
}

/* B095: 200 namespaces and 10,000 attributes are many, but no bomb. */
static void b095_many_namespaces_and_attributes_are_read(void **state)
{
    struct buf text;
    buf_init(&text);
    buf_append_str(&text, STR(OPEN_11 "<s:Body><r "));
    for (int i = 0; i < 200; i++) {
        buf_printf(&text, "xmlns:n%d='urn:n%d' ", i, i);
    }
    buf_append_byte(&text, '>');
    for (int i = 0; i < 1000; i++) {
        buf_append_str(&text, STR("<e"));
        for (int k = 0; k < 10; k++) {
            buf_printf(&text, " n%d:a='%d'", (i + k * 7) % 200, k);
        }
        buf_append_str(&text, STR("/>"));
    }
    buf_append_str(&text, STR("</r></s:Body>" CLOSE));
    assert_int_equal(read_pieces(*state, buf_view(&text), 10000, "")->end, SAX_WHOLE);
    buf_deinit(&text);
}

/* A service may name things as long as it likes; what is kept for the report has its ceiling. */
static void names_are_kept_up_to_a_ceiling(void **state)
{
    enum { LONG = 600, KEPT = 512 };
    char name[LONG + 1];
    memset(name, 'n', LONG);
    name[LONG] = '\0';
    struct buf text;
    buf_init(&text);
    buf_printf(&text,
               OPEN_11 "<s:Body><s:Fault xmlns:f='urn:%s'><faultcode>f:%s</faultcode><detail>"
                       "<f:%s/></detail></s:Fault></s:Body>" CLOSE,
               name, name, name);
    const struct reply_facts *facts = read_text(state, text.data);
    assert_int_equal(facts->end, SAX_WHOLE);
    assert_int_equal(facts->fault_code.len, 2 * KEPT + 2);
    assert_int_equal(facts->fault_detail.len, 2 * KEPT + 2);
    buf_reset(&text);
    buf_printf(&text, OPEN_11 "<s:Body><s:Fault><faultcode>%s</faultcode></s:Fault></s:Body>" CLOSE,
               name);
    assert_int_equal(read_text(state, text.data)->fault_code.len, KEPT + 2);
    buf_deinit(&text);
}

/* B094 */
static void b094_text_of_more_than_ten_million_bytes_is_read(void **state)
{
    struct reply *reply = *state;
    char block[4096];
    memset(block, 'A', sizeof(block));
    reply_begin(reply, STR("utf-8"), STR(""));
    reply_feed(reply, STR(OPEN_11 "<s:Body><r>"));
    for (size_t sent = 0; sent < 12000000; sent += sizeof(block)) {
        reply_feed(reply, str_of(block, sizeof(block)));
    }
    reply_feed(reply, STR("</r></s:Body>" CLOSE));
    assert_int_equal(reply_end(reply)->end, SAX_WHOLE);
}

/* The dictionary of names must not fill up from answer to answer. */
static void names_of_earlier_replies_cost_later_ones_nothing(void **state)
{
    struct buf text;
    buf_init(&text);
    for (int i = 0; i < 2000; i++) {
        buf_reset(&text);
        buf_append_str(&text, STR(OPEN_11 "<s:Body>"));
        for (int k = 0; k < 200; k++) {
            buf_printf(&text, "<name_that_is_rather_long_and_never_comes_again_%d_%d/>", i, k);
        }
        buf_append_str(&text, STR("</s:Body>" CLOSE));
        assert_int_equal(read_pieces(*state, buf_view(&text), 100000, "")->end, SAX_WHOLE);
    }
    buf_deinit(&text);
}

static void texts_that_are_kept_have_a_ceiling(void **state)
{
    struct buf text;
    buf_init(&text);
    buf_append_str(&text, STR(OPEN_12 "<s:Body><s:Fault><s:Code><s:Value>"));
    for (int i = 0; i < 100000; i++) {
        buf_append_str(&text, STR("code"));
    }
    buf_append_str(&text, STR("</s:Value><s:Subcode>"));
    for (int i = 0; i < 100000; i++) {
        buf_append_str(&text, STR("<s:Value>a:b</s:Value>"));
    }
    buf_append_str(&text, STR("</s:Subcode></s:Code></s:Fault></s:Body>" CLOSE));
    const struct reply_facts *facts = read_pieces(*state, buf_view(&text), 5000, "");
    assert_int_equal(facts->end, SAX_WHOLE);
    assert_true(facts->fault_code.len <= REPLY_TEXT_CEILING);
    assert_true(facts->fault_subcodes.len <= REPLY_TEXT_CEILING + 1100);
    buf_deinit(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_envelopes_have_no_flaw),
        cmocka_unit_test(flaws_are_named),
        cmocka_unit_test(breaks_are_named_with_their_line),
        cmocka_unit_test(fault_of_soap11_is_read),
        cmocka_unit_test(fault_of_soap12_is_read_with_its_chain_of_subcodes),
        cmocka_unit_test(first_reason_counts_when_none_is_english),
        cmocka_unit_test(b071_b072_fault_is_known_by_namespace_and_name),
        cmocka_unit_test(codes_that_are_no_names_stay_text),
        cmocka_unit_test(prefixes_are_resolved_where_they_stand),
        cmocka_unit_test(relations_and_action_are_read_from_the_header),
        cmocka_unit_test(b156_doctype_ends_reading_at_once),
        cmocka_unit_test(pieces_of_any_size_give_the_same),
        cmocka_unit_test(cut_at_each_byte_a_reply_is_never_whole),
        cmocka_unit_test(b088_byte_order_marks_are_accepted),
        cmocka_unit_test(b092_content_type_wins_over_the_declaration),
        cmocka_unit_test(unknown_charsets_end_reading),
        cmocka_unit_test(bombs_end_reading_early),
        cmocka_unit_test(b095_many_namespaces_and_attributes_are_read),
        cmocka_unit_test_setup_teardown(names_are_kept_up_to_a_ceiling, make_reply, drop_reply),
        cmocka_unit_test(b094_text_of_more_than_ten_million_bytes_is_read),
        cmocka_unit_test(names_of_earlier_replies_cost_later_ones_nothing),
        cmocka_unit_test(texts_that_are_kept_have_a_ceiling),
    };
    return cmocka_run_group_tests(tests, make_reply, drop_reply);
}
