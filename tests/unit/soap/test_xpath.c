/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions about answers: what is refused, what is true, what is said about namespaces. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "lather/soap/document.h"
#include "lather/soap/judge.h"
#include "lather/soap/lexis.h"
#include "lather/soap/watch.h"

#define WSA     "http://www.w3.org/2005/08/addressing"
#define OLD_WSA "http://schemas.xmlsoap.org/ws/2004/08/addressing"

/* The same document with SOAP 1.1 and 1.2 and two versions of WS-Addressing. */
#define DOCUMENT(soap, wsa)                                                                        \
    "<E:Envelope xmlns:E='" soap "'><E:Header><w:Action xmlns:w='" wsa "'>urn:a</w:Action>"        \
    "</E:Header><E:Body><GetQuoteResponse xmlns='urn:q'><Price currency='EUR'>12.5</Price>"        \
    "<Items><Item n='1'>one</Item><Item n='2'>two</Item></Items><div>4</div><Empty/>"              \
    "<Plain xmlns=''>plain</Plain></GetQuoteResponse></E:Body></E:Envelope>"

static const char *const documents[] = {
    DOCUMENT(SOAP_11_NAMESPACE, WSA),
    DOCUMENT(SOAP_12_NAMESPACE, OLD_WSA),
};

struct fixture {
    struct namespaces namespaces;
    struct document *document;
};

static struct fixture fixture;

static int set_up(void **state)
{
    struct err err;
    fixture = (struct fixture){.document = document_new()};
    assert_true(namespaces_parse(&fixture.namespaces, STR("q=urn:q"), &err));
    assert_true(namespaces_parse(&fixture.namespaces, STR("no=urn:no"), &err));
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    document_free(fixture.document);
    namespaces_deinit(&fixture.namespaces);
    return 0;
}

static void on_start(void *context, const struct sax_element *element)
{
    watch_start(context, element);
}

static bool stream_finds(const struct xpath *xpath, const char *document)
{
    const struct sax_events events = {.start = on_start};
    struct watch *watch = watch_new(xpath, 1);
    struct sax *sax = sax_new(&events, watch, SAX_DOCTYPE_STOPS);
    sax_feed(sax, str_from(document));
    assert_int_equal(sax_finish(sax), SAX_WHOLE);
    bool is_found = watch_has_found(watch, 0);
    sax_free(sax);
    watch_free(watch);
    return is_found;
}

/* By the tree and, for a simple path, by the stream as well: they must agree. */
static void check(const char *text, bool expected)
{
    struct xpath xpath;
    struct err err;
    if (!xpath_parse(&xpath, str_from(text), &fixture.namespaces, &err)) {
        fail_msg("%s", err.text);
    }
    struct xpath_reader *reader = xpath_reader_new(&fixture.namespaces);
    for (size_t i = 0; i < sizeof(documents) / sizeof(documents[0]); i++) {
        struct _xmlDoc *tree = document_parse(fixture.document, str_from(documents[i]), "utf-8");
        assert_non_null(tree);
        xpath_reader_set(reader, tree);
        for (int round = 0; round < 2; round++) {
            if (xpath_is_true(reader, &xpath) != expected) {
                fail_msg("%s is not %d in document %zu", text, expected, i);
            }
        }
        if (xpath.is_simple && stream_finds(&xpath, documents[i]) != expected) {
            fail_msg("%s as a stream is not %d in document %zu", text, expected, i);
        }
    }
    xpath_reader_free(reader);
    xpath_deinit(&xpath);
}

static void check_simple(const char *text, bool is_simple)
{
    struct xpath xpath;
    struct err err;
    assert_true(xpath_parse(&xpath, str_from(text), &fixture.namespaces, &err));
    if (xpath.is_simple != is_simple) {
        fail_msg("%s", text);
    }
    xpath_deinit(&xpath);
}

static void check_refused(const char *text, const char *part)
{
    struct xpath xpath;
    struct err err = {ERR_NONE, ""};
    if (xpath_parse(&xpath, str_from(text), &fixture.namespaces, &err)) {
        fail_msg("%s is taken", text);
    }
    assert_int_equal(err.code, ERR_USAGE);
    if (strstr(err.text, part) == NULL) {
        fail_msg("\"%s\" is not in: %s", part, err.text);
    }
}

static void check_advice(const char *text, const char *part)
{
    struct xpath xpath;
    struct err err;
    struct buf sentence;
    buf_init(&sentence);
    assert_true(xpath_parse(&xpath, str_from(text), &fixture.namespaces, &err));
    struct xpath_reader *reader = xpath_reader_new(&fixture.namespaces);
    xpath_reader_set(reader, document_parse(fixture.document, str_from(documents[0]), "utf-8"));
    assert_int_equal(xpath_diagnose(reader, &xpath, &sentence), part != NULL);
    if (part == NULL) {
        assert_int_equal(sentence.len, 0);
    } else if (str_find(buf_view(&sentence), str_from(part)) == SIZE_MAX) {
        fail_msg("\"%s\" is not in: %.*s", part, STR_ARG(buf_view(&sentence)));
    }
    xpath_reader_free(reader);
    xpath_deinit(&xpath);
    buf_deinit(&sentence);
}

static void node_sets_are_true_when_not_empty(void **state)
{
    (void)state;
    check("/s:Envelope/s:Body/q:GetQuoteResponse/q:Price", true);
    check("/soap:Envelope/soap:Body", true);
    check("//q:Price", true);
    check("//q:Items/q:Item", true);
    check("//q:Items//q:Item", true);
    check("s:Envelope//q:Item", true);
    check("/s:Envelope/q:Price", false);
    check("//q:Item/q:Items", false);
    check("//s:Body/*/*", true);
    check("/*/*/*/*/*", true);
    check("/*/*/*/*/*/*", false);
    check("//q:*/q:Item", true);
    check("//no:*", false);
    check("//q:Envelope", false);
    check("/", true);
    check("//@currency", true);
    check("//q:Item[@n='2']", true);
    check("//q:Item[@n='3']", false);
}

static void addressing_prefixes_follow_the_answers_version(void **state)
{
    (void)state;
    check("//a:Action", true);
    check("//wsa:Action[.='urn:a']", true);
    check("/s:Envelope/s:Header/wsa:Action", true);
    check("//a:To", false);
}

static void values_are_true_by_their_type(void **state)
{
    (void)state;
    check("count(//q:Item)=2", true);
    check("count(//q:Item)", true);
    check("count(//q:Nothing)", false);
    check("0", false);
    check("number('x')", false);
    check("-1", true);
    check("true()", true);
    check("not(//q:Price)", false);
    check("string(//q:Price)", true);
    check("string(//q:Empty)", false);
    check("//q:Empty", true);
    check("//q:Price > 12 and //q:Price < 13", true);
    check("//q:div div 2 = 2", true);
    check("//q:div*2=8", true);
    check("contains(//q:Item[1], 'on')", true);
}

/* B096 */
static void b096_the_short_form_takes_any_namespace(void **state)
{
    (void)state;
    check("//~Price", true);
    check("~Envelope/~Body/~GetQuoteResponse", true);
    check("//~Plain", true);
    check("//~Nothing", false);
    check("~Price", true);
    check("~Body/~GetQuoteResponse", true);
    check("~Nothing", false);
    check("count(//~Item)=2", true);
    check("//~Item[.='~Item']", false);
    check(" ~Item", true);
    check("count(~Item)=2", true);
    check("count(~Item)=0", false);
    check("not(~Item)", false);
    check("~Items and ~Item", true);
    check("~Nothing | ~Item", true);
    check("count(~Items/~Item[~Item or . = 'one'])=1", true);
    check("~Items[~Item]", true);
    check("~Items[~Items]", false);
    check("sum(~Item/@n)*~div=12", true);
    check("//Price", false);
    check("//Plain", true);
}

static void names_alone_need_no_tree(void **state)
{
    (void)state;
    check_simple("/s:Envelope/s:Body//q:Price", true);
    check_simple(" //~Price ", true);
    check_simple("~Price", true);
    check_simple("//*", true);
    check_simple("s:Envelope//q:Price", true);
    check_simple("//q:Item[1]", false);
    check_simple("//@x", false);
    check_simple("//q:Item/text()", false);
    check_simple("count(//q:Item)", false);
    check_simple("//q:a|//q:b", false);
    check_simple("/", false);
    check_simple("//q:Item/..", false);
    check_simple("//q:Item / q:b", false);
}

static void wrong_expressions_are_refused_with_their_place(void **state)
{
    (void)state;
    check_refused("", "XPath");
    check_refused("//q:Item[", "XPath //q:Item[: ");
    check_refused("//", "XPath //");
    check_refused("//q:Item]]", "at \"]]\"");
    check_refused("//x:Item", "the prefix x is not declared: give it with --ns x=URI");
    check_refused("//q:Item[@x:y]", "the prefix x");
    check_refused("$a = 1", "no variables");
    check_refused("lower-case(//q:Item)", "no function lower-case");
    check_refused("q:f(1)", "no function q:f");
    check_refused("//q:Item and", "XPath");
    check_refused("'open", "XPath");
    check_refused("string-length(", "at its end");
    check_refused("//q:Item[true(]", "at");
    check_refused("count(//q:Item", "at its end");
    check_refused("true(", "at its end");
    check_refused("//q:Item | ", "at its end");
    check_refused("concat(1)", "too many arguments, or too few");
    check_refused("true(1)", "too many arguments, or too few");
    check_refused("count(1)", "wrong type");
    check_refused("~", "XPath");
}

/* Wherever a wrong call stands: libxml2 would come across it in the answers, or never. */
static void calls_that_always_fail_are_refused_wherever_they_stand(void **state)
{
    (void)state;
    static const char *const calls[] = {
        "last(1)", "position(1)", "count()", "count(//a,//b)", "id()", "id(1,2)", "local-name(/,/)",
        "namespace-uri(/,/)", "name(/,/)", "string(1,2)", "concat()", "concat(1)",
        "starts-with('a')", "starts-with('a','b','c')", "contains('a')", "contains('a','b','c')",
        "substring-before('a')", "substring-before('a','b','c')", "substring-after('a')",
        "substring-after('a','b','c')", "substring('a')", "substring('a',1,2,3)",
        "string-length(1,2)", "normalize-space(1,2)", "translate('a','b')",
        "translate('a','b','c','d')", "boolean()", "boolean(1,2)", "not()", "not(1,2)", "true(1)",
        "false(1)", "lang()", "lang('a','b')", "number(1,2)", "sum()", "sum(/,/)", "floor()",
        "floor(1,2)", "ceiling()", "ceiling(1,2)", "round()", "round(1,2)",
        /* of the wrong type */
        "count(1)", "sum('1')", "name(1)", "local-name(true())", "namespace-uri('a')",
        "count(//a = 1)", "1|//a", "string(1)/a", "(1)[1]"};
    static const char *const places[] = {"%s",
                                         "//a[%s]",
                                         "//a[b[%s]]/c",
                                         "//~a[~b = %s]",
                                         "not(//a[%s])",
                                         "false() and %s",
                                         "true() or %s",
                                         "//a[b and (c or %s)]",
                                         "//a/b[1][2]/c[@d][%s = 1]",
                                         "string(%s)"};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        for (size_t j = 0; j < sizeof places / sizeof *places; j++) {
            char text[128];
            const char *at = strstr(places[j], "%s");
            (void)snprintf(text, sizeof text, "%.*s%s%s", (int)(at - places[j]), places[j],
                           calls[i], at + 2);
            check_refused(text,
                          strstr(calls[i], "1|") || strstr(calls[i], ")[1]") ? "XPath" : "a ");
        }
    }
    check_refused("//a[concat(1)]", "too many arguments, or too few, in \"concat(1)\"");
    check_refused("//a[x:b]", "the prefix x is not declared");
    check_refused("//a[@x:b = 1 or lower-case(c)]", "the prefix x is not declared");
    check_refused("//a[lower-case(c)]", "no function lower-case");
    check_refused("//a[key('k', 1)]", "no function key");
    check_refused("//a[$b]", "no variables");
    check_refused("position() = 1", "write them in [ ]");
    check_refused("//a and last()", "write them in [ ]");
}

/* The same calls as they are right. */
static void right_calls_are_taken_wherever_they_stand(void **state)
{
    (void)state;
    check("//q:Item[position() = last() and not(@x or @y) and string-length() = 3]", true);
    check("//q:Item[count(../q:Item) = 2][concat('a', 'b', name()) != ''][1]", true);
    check("//q:Item[lang('en') or id('a') or boolean(sum(@n))]", true);
    check("//q:Items[q:Item[@n = '2' and last()]]", true);
    check("translate(//q:Item[substring(., 1, 1) = 't'], 'two', 'abc') = 'abc'", true);
    check("//q:Item[starts-with(., 'o') or (position() > 1 and false())]/@n = 1 and true()", true);
    check("//q:Price[string() and number() and normalize-space() and local-name()]", true);
    check("//q:Price | //q:Item and //q:Item", true);
    check("round(//q:Price) + floor(2.5) * -ceiling(0.1) = 11 or false()", true);
    check("(//q:Item)[last()] = 'two'", true);
    check("//s:Body[a:b or soap:c or wsa:d or not(q:x)]", true);
}

/* Outside of predicates a path begins at the document, whose one element is the Envelope. */
static void paths_that_no_envelope_has_are_refused(void **state)
{
    (void)state;
    check_refused("q:Price", "no q:Price, only the Envelope: write //q:Price to find it anywhere");
    check_refused("not(Fault)", "write //Fault");
    check_refused("count(q:Item) = 0", "write //q:Item");
    check_refused("//q:Price and q:Item", "write //q:Item");
    check_refused("q:Item/q:b", "write //q:Item");
    check_refused("@n = 1", "write //@n");
    check("s:Envelope", true);
    check("*/*/*", true);
    check("count(descendant::q:Item) = 2", true);
    check("//q:Items[q:Item and count(q:Item/@n) = 2]/q:Item/@n", true);
}

static void literals_hold_what_they_like(void **state)
{
    (void)state;
    check("'x:y $z ~a f('", true);
    check("\"it's x:y\"", true);
    check("//*[local-name()='Price']", true);
    check("//*[namespace-uri()='urn:q']", true);
    check("self::node()", true);
    check("descendant::q:Item[position()=last()]", true);
    check("//attribute::n", true);
    check("//@*", true);
    check("//q:Item[@n = 1 or @n = 5]", true);
}

/* B096: the sentence names the namespace that would do. */
static void b096_namespaces_in_the_way_are_named(void **state)
{
    (void)state;
    check_advice("//Price", "{urn:q}Price is there: write p:Price with --ns p=urn:q, or ~Price");
    check_advice("/s:Envelope/s:Body/no:GetQuoteResponse", "{urn:q}GetQuoteResponse is there");
    check_advice("count(//Item)=2", "{urn:q}Item");
    check_advice("//q:Plain", "Plain is there without a namespace");
    check_advice("//Nothing", NULL);
    check_advice("count(//Item)=3", NULL);
    check_advice("//q:Item[@n='9']", NULL);
    check_advice("false()", NULL);
}

static void prefixes_of_a_message_serve_in_expressions(void **state)
{
    (void)state;
    struct namespaces namespaces = {.count = 0};
    struct err err;
    const char *uri;
    assert_true(namespaces_parse(&namespaces, STR(" mine = urn:mine "), &err));
    namespaces_take(&namespaces, STR("<x:a xmlns:x='urn:x' xmlns='urn:d'><b xmlns='urn:e' "
                                     "xmlns:x='urn:other' xmlns:mine='urn:no'/><c xmlns='urn:d'/>"
                                     "<s:d xmlns:s='urn:not-soap'/></x:a>"));
    assert_int_equal(namespaces_find(&namespaces, STR("x"), &uri), NAMESPACE_URI);
    assert_string_equal(uri, "urn:x");
    assert_int_equal(namespaces_find(&namespaces, STR("d"), &uri), NAMESPACE_URI);
    assert_string_equal(uri, "urn:d");
    assert_int_equal(namespaces_find(&namespaces, STR("d1"), &uri), NAMESPACE_URI);
    assert_string_equal(uri, "urn:e");
    assert_int_equal(namespaces_find(&namespaces, STR("d2"), &uri), NAMESPACE_UNKNOWN);
    assert_int_equal(namespaces_find(&namespaces, STR("mine"), &uri), NAMESPACE_URI);
    assert_string_equal(uri, "urn:mine");
    assert_int_equal(namespaces_find(&namespaces, STR("s"), &uri), NAMESPACE_SOAP);
    assert_int_equal(namespaces_find(&namespaces, STR("wsa"), &uri), NAMESPACE_ADDRESSING);
    assert_false(namespaces_parse(&namespaces, STR("mine=urn:again"), &err));
    assert_false(namespaces_parse(&namespaces, STR("urn:x"), &err));
    assert_false(namespaces_parse(&namespaces, STR("1p=urn:x"), &err));
    assert_false(namespaces_parse(&namespaces, STR("p="), &err));
    assert_false(namespaces_parse(&namespaces, STR("=urn:x"), &err));
    assert_false(namespaces_parse(&namespaces, STR("xmlns=urn:x"), &err));
    assert_non_null(strstr(err.text, "no default namespace"));
    assert_false(namespaces_parse(&namespaces, STR("xml=urn:x"), &err));
    assert_true(namespaces_parse(&namespaces, STR("s2=urn:a=b"), &err));
    namespaces_deinit(&namespaces);
    assert_true(namespaces_parse(&namespaces, STR("s=urn:mine"), &err));
    assert_int_equal(namespaces_find(&namespaces, STR("s"), &uri), NAMESPACE_URI);
    namespaces_deinit(&namespaces);
}

/* B093: an encoding that is not UTF-8 changes nothing. */
static void b093_trees_and_texts_know_the_encoding(void **state)
{
    (void)state;
    static const char latin[] = "<?xml version='1.0' encoding='utf-8'?><a>\xFC\x80</a>";
    struct buf converted;
    struct str text;
    struct err err;
    struct xpath xpath;
    buf_init(&converted);
    struct xpath_reader *reader = xpath_reader_new(&fixture.namespaces);
    assert_true(xpath_parse(&xpath, STR("/a='\xC3\xBC\xE2\x82\xAC'"), &fixture.namespaces, &err));
    struct _xmlDoc *tree = document_parse(fixture.document, STR(latin), "windows-1252");
    assert_non_null(tree);
    xpath_reader_set(reader, tree);
    assert_true(xpath_is_true(reader, &xpath));
    assert_true(document_text(STR(latin), "windows-1252", &converted, &text));
    assert_true(str_find(text, STR("<a>\xC3\xBC\xE2\x82\xAC</a>")) != SIZE_MAX);
    assert_true(document_text(STR("\xEF\xBB\xBF<a/>"), "utf-8", &converted, &text));
    assert_true(str_equals(text, STR("<a/>")));
    assert_true(document_text(STR("\xFE\xFF\0<\0a\0/\0>"), "utf-16be", &converted, &text));
    assert_true(str_equals(text, STR("<a/>")));
    assert_null(document_parse(fixture.document, STR("<!DOCTYPE a><a/>"), "utf-8"));
    assert_null(document_parse(fixture.document, STR("<a>"), "utf-8"));
    xpath_reader_free(reader);
    xpath_deinit(&xpath);
    buf_deinit(&converted);
}

/* Tokens laid end to end are the expression, whatever it is. */
static void tokens_lose_nothing(void **state)
{
    (void)state;
    static const char *const texts[] = {"//a[b:c='x' and $y*2 div 3 > f(~z)]/@q|attribute::p:*",
                                        "a : b::c:*d'", "~~ $ @ :: :: a:", "1.5.6e7 \"open"};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        for (size_t from = 0; from < strlen(texts[i]); from++) {
            struct str text = str_from(texts[i] + from);
            struct buf joined;
            struct lexis lexis;
            buf_init(&joined);
            lexis_begin(&lexis, text);
            for (struct lexis_token token = lexis_next(&lexis); token.kind != LEXIS_END;
                 token = lexis_next(&lexis)) {
                assert_true(token.text.len > 0);
                buf_append_str(&joined, token.text);
            }
            assert_true(str_equals(buf_view(&joined), text));
            buf_deinit(&joined);
        }
    }
}

int main(void)
{
    judge_setup();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(node_sets_are_true_when_not_empty),
        cmocka_unit_test(addressing_prefixes_follow_the_answers_version),
        cmocka_unit_test(values_are_true_by_their_type),
        cmocka_unit_test(b096_the_short_form_takes_any_namespace),
        cmocka_unit_test(names_alone_need_no_tree),
        cmocka_unit_test(wrong_expressions_are_refused_with_their_place),
        cmocka_unit_test(calls_that_always_fail_are_refused_wherever_they_stand),
        cmocka_unit_test(right_calls_are_taken_wherever_they_stand),
        cmocka_unit_test(paths_that_no_envelope_has_are_refused),
        cmocka_unit_test(literals_hold_what_they_like),
        cmocka_unit_test(b096_namespaces_in_the_way_are_named),
        cmocka_unit_test(prefixes_of_a_message_serve_in_expressions),
        cmocka_unit_test(b093_trees_and_texts_know_the_encoding),
        cmocka_unit_test(tokens_lose_nothing),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
