/* SPDX-License-Identifier: Apache-2.0 */
/* The scanner takes what is well-formed, refuses what is not, and agrees with libxml2 about it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <libxml/parser.h>
#include <stdlib.h>
#include <string.h>

#include "lather/base/buf.h"
#include "lather/base/file.h"
#include "lather/base/rng.h"
#include "lather/serve/xml_scan.h"

static const char *const payloads[] = {"payloads/order-soap11.xml", "payloads/order-soap12-wsa.xml",
                                       "payloads/notify-oneway.xml"};

/* Walks to the end; NULL when the text is well-formed, else what is wrong with it. */
static const char *problem_of(struct str text)
{
    /* A copy of exact size, so that a sanitizer sees each byte read beyond the end. */
    char *exact = malloc(text.len > 0 ? text.len : 1);
    assert_non_null(exact);
    memcpy(exact, text.data, text.len);
    struct xml_scan scan;
    xml_scan_init(&scan, str_of(exact, text.len));
    enum xml_scan_event event;
    size_t events = 0;
    do {
        event = xml_scan_next(&scan);
        if (event == XML_SCAN_START) {
            struct str uri;
            if (!xml_scan_namespace(&scan, &uri)) {
                scan.problem = NULL; /* whether it matters is the caller's to say */
            }
        }
        events++;
    } while (event != XML_SCAN_DONE && event != XML_SCAN_ERROR);
    assert_true(events <= 2 * text.len + 2);
    free(exact);
    if (event == XML_SCAN_ERROR) {
        assert_non_null(scan.problem);
    }
    return event == XML_SCAN_DONE ? NULL : scan.problem;
}

static const char *problem_in(const char *text)
{
    return problem_of(str_from(text));
}

static void what_is_well_formed_is_taken(void **state)
{
    (void)state;
    static const char *const good[] = {
        "<a/>",
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a></a >\n",
        "<?xml version='1.0' encoding = 'utf-8' standalone='yes'?><a/>",
        "\xef\xbb\xbf<a/>",
        "<a b='1' c = \"2\"><d/>t<d>&amp;&lt;&gt;&quot;&apos;&#65;&#x41;</d></a>",
        "<!-- c --><a><!-- < & - --><![CDATA[ <&]] ]]></a><!-- d -->",
        "<p:a xmlns:p='u'><p:b p:c='&#10;'/></p:a>",
        "<\xc3\xa9>\xe2\x82\xac\xf0\x9f\x98\x80</\xc3\xa9>",
        "<a>]] > ]></a>",
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_null(problem_in(good[i]));
    }
}

static void what_is_not_well_formed_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",
        " ",
        "a",
        "<a>",
        "</a>",
        "<a></b>",
        "<a/><b/>",
        "<a/>x",
        "x<a/>",
        "<a",
        "<a b",
        "<a b=",
        "<a b='",
        "<a b='1'",
        "<a b=1/>",
        "<a b='<'/>",
        "<a b='&'/>",
        "<a b='1'c='2'/>",
        "< a/>",
        "<1/>",
        "<a>&</a>",
        "<a>&x;</a>",
        "<a>&#;</a>",
        "<a>&#0;</a>",
        "<a>&#x110000;</a>",
        "<a>&#xd800;</a>",
        "<a>&#99999999999999;</a>",
        "<a>&amp</a>",
        "<a>]]></a>",
        "<a><!-- -- --></a>",
        "<a><!--",
        "<a><![CDATA[</a>",
        "<!DOCTYPE a><a/>",
        "<a><?x y?></a>",
        "<?x y?><a/>",
        "<a:/>",
        "<:a/>",
        "<a:b:c/>",
        "<a/ >",
        "<a></a",
        "<a>\x01</a>",
        "<a>\xff</a>",
        "<a>\xc0\x80</a>",
        "<a>\xed\xa0\x80</a>",
        "<a>\xef\xbf\xbf</a>",
        "<a>\xe2\x82</a>",
        "<a>\xf5\x80\x80\x80</a>",
        "<?xml version='1.0' encoding='utf-16'?><a/>",
        "<?xml version='1.0' encoding='utf-8'",
        "<![CDATA[a]]>",
        "<a/><![CDATA[a]]>",
        "<!ELEMENT a><a/>",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (problem_in(bad[i]) == NULL) {
            fail_msg("taken: %s", bad[i]);
        }
    }
    assert_non_null(problem_of(str_of("<a>\0</a>", 8)));
    assert_string_equal(problem_of(str_of("\xff\xfe<\0a\0/\0>\0", 10)),
                        "the message is in UTF-16, and only UTF-8 is read here");
}

static void elements_are_told_with_depth_namespace_and_content(void **state)
{
    (void)state;
    struct xml_scan scan;
    struct str uri;
    xml_scan_init(&scan, STR("<a xmlns='u1' xmlns:p='u2'><p:b> x </p:b><c xmlns=''/></a>"));
    assert_int_equal(xml_scan_next(&scan), XML_SCAN_START);
    assert_true(str_equals(scan.name, STR("a")) && scan.depth == 1);
    assert_true(xml_scan_namespace(&scan, &uri) && str_equals(uri, STR("u1")));
    assert_int_equal(xml_scan_next(&scan), XML_SCAN_START);
    assert_true(str_equals(scan.name, STR("b")) && scan.depth == 2);
    assert_true(xml_scan_namespace(&scan, &uri) && str_equals(uri, STR("u2")));
    assert_int_equal(xml_scan_next(&scan), XML_SCAN_END);
    assert_true(str_equals(scan.content, STR(" x ")) && scan.depth == 2);
    assert_int_equal(xml_scan_next(&scan), XML_SCAN_START);
    assert_true(xml_scan_namespace(&scan, &uri) && uri.len == 0);
    assert_int_equal(xml_scan_next(&scan), XML_SCAN_END);
    assert_int_equal(scan.content.len, 0);
    assert_int_equal(xml_scan_next(&scan), XML_SCAN_END);
    assert_true(str_equals(scan.name, STR("a")) && scan.depth == 1);
    assert_int_equal(scan.content.len, 0);
    assert_int_equal(xml_scan_next(&scan), XML_SCAN_DONE);
}

static void a_prefix_must_be_declared(void **state)
{
    (void)state;
    struct xml_scan scan;
    struct str uri;
    xml_scan_init(&scan, STR("<a><b xmlns:p='u'/><p:c/></a>"));
    for (int i = 0; i < 4; i++) {
        assert_int_equal(xml_scan_next(&scan), i == 2 ? XML_SCAN_END : XML_SCAN_START);
    }
    assert_true(str_equals(scan.name, STR("c")));
    assert_false(xml_scan_namespace(&scan, &uri));
}

static void depth_and_declarations_have_ceilings(void **state)
{
    (void)state;
    struct buf text;
    buf_init(&text);
    for (int i = 0; i < XML_SCAN_DEPTH_CEILING; i++) {
        buf_append_str(&text, STR("<a>"));
    }
    for (int i = 0; i < XML_SCAN_DEPTH_CEILING; i++) {
        buf_append_str(&text, STR("</a>"));
    }
    assert_null(problem_of(buf_view(&text)));
    buf_reset(&text);
    for (int i = 0; i < 100000; i++) {
        buf_append_str(&text, STR("<a>"));
    }
    assert_string_equal(problem_of(buf_view(&text)), "elements are nested too deeply");
    buf_reset(&text);
    buf_append_str(&text, STR("<a"));
    for (int i = 0; i < XML_SCAN_BINDINGS_CEILING; i++) {
        buf_printf(&text, " xmlns:p%d='u'", i);
    }
    size_t full = text.len;
    buf_append_str(&text, STR("/>"));
    assert_null(problem_of(buf_view(&text)));
    text.len = full;
    buf_append_str(&text, STR(" xmlns:more='u'/>"));
    assert_string_equal(problem_of(buf_view(&text)), "there are too many namespace declarations");
    buf_deinit(&text);
}

static void declarations_end_with_their_element(void **state)
{
    (void)state;
    struct buf text;
    buf_init(&text);
    buf_append_str(&text, STR("<a>"));
    for (int i = 0; i < 10 * XML_SCAN_BINDINGS_CEILING; i++) {
        buf_append_str(&text, STR("<b xmlns='u'/>"));
    }
    buf_append_str(&text, STR("</a>"));
    assert_null(problem_of(buf_view(&text)));
    buf_deinit(&text);
}

static void a_payload_cut_anywhere_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof payloads / sizeof payloads[0]; i++) {
        struct buf content;
        struct err err;
        buf_init(&content);
        assert_true(file_read(payloads[i], 1 << 20, &content, &err));
        struct str whole = str_trim(buf_view(&content));
        assert_null(problem_of(whole));
        for (size_t end = 0; end < whole.len; end++) {
            assert_non_null(problem_of(str_slice(whole, 0, end)));
        }
        buf_deinit(&content);
    }
}

static bool libxml2_takes(struct str text)
{
    xmlDocPtr document = xmlReadMemory(text.data, (int)text.len, NULL, NULL,
                                       XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    bool taken = document != NULL;
    xmlFreeDoc(document);
    return taken;
}

/* What the scanner takes libxml2 takes too. No element here has two attributes, which are not
 * compared. */
static void bytes_changed_at_random_are_judged_as_libxml2_does(void **state)
{
    (void)state;
    static const char letters[] = "<>&;'\"/=:!?-[]#xa 0\n";
    struct buf content;
    struct err err;
    struct rng rng;
    size_t taken = 0;
    rng_init(&rng, 4711, 0);
    buf_init(&content);
    assert_true(file_read(payloads[0], 1 << 20, &content, &err));
    for (int round = 0; round < 20000; round++) {
        size_t at = (size_t)rng_below(&rng, content.len);
        char before = content.data[at];
        content.data[at] = letters[rng_below(&rng, sizeof letters - 1)];
        if (problem_of(buf_view(&content)) == NULL) {
            taken++;
            if (!libxml2_takes(buf_view(&content))) {
                fail_msg("libxml2 refuses byte %zu as '%c'", at, content.data[at]);
            }
        }
        content.data[at] = before;
    }
    assert_true(taken > 1000);
    buf_deinit(&content);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_well_formed_is_taken),
        cmocka_unit_test(what_is_not_well_formed_is_refused),
        cmocka_unit_test(elements_are_told_with_depth_namespace_and_content),
        cmocka_unit_test(a_prefix_must_be_declared),
        cmocka_unit_test(depth_and_declarations_have_ceilings),
        cmocka_unit_test(declarations_end_with_their_element),
        cmocka_unit_test(a_payload_cut_anywhere_is_refused),
        cmocka_unit_test(bytes_changed_at_random_are_judged_as_libxml2_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
