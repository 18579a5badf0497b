/* SPDX-License-Identifier: Apache-2.0 */
/* What makes two answers alike and what does not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "lather/base/file.h"
#include "lather/soap/document.h"
#include "lather/soap/golden.h"
#include "lather/soap/judge.h"

#define WSA "http://www.w3.org/2005/08/addressing"
#define WSU "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd"
#define GOLDEN                                                                                     \
    "<s:Envelope xmlns:s='" SOAP_12_NAMESPACE "' xmlns:a='" WSA "'><s:Header>"                     \
    "<a:Action>urn:did</a:Action><a:RelatesTo>urn:uuid:1</a:RelatesTo></s:Header><s:Body>"         \
    "<r xmlns='urn:r' x='1' y='2'><v>one</v><w xmlns:p='urn:p' "                                   \
    "xmlns:i='http://www.w3.org/2001/XMLSchema-instance' i:type='p:T'>2</w></r></s:Body>"          \
    "</s:Envelope>"

static char path[] = "/tmp/lather-golden-XXXXXX";

static int make_file(void **state)
{
    (void)state;
    judge_setup();
    int descriptor = mkstemp(path);
    return descriptor < 0 ? -1 : close(descriptor);
}

static int drop_file(void **state)
{
    (void)state;
    return unlink(path);
}

static struct golden *golden_of(const char *content)
{
    struct err err;
    assert_true(file_write(path, str_from(content), &err));
    struct golden *golden = golden_load(path, &err);
    if (golden == NULL) {
        fail_msg("%s", err.text);
    }
    return golden;
}

static void check(const char *golden_text, const char *answer, const char *ignored,
                  const char *problem)
{
    struct namespaces namespaces = {.count = 0};
    struct xpath xpath = {.text = NULL};
    struct err err;
    struct buf sentence;
    buf_init(&sentence);
    struct golden *golden = golden_of(golden_text);
    namespaces_take(&namespaces, str_from(golden_text));
    struct xpath_reader *reader = xpath_reader_new(&namespaces);
    if (ignored != NULL) {
        assert_true(xpath_parse(&xpath, str_from(ignored), &namespaces, &err));
        golden_ignore(golden, reader, &xpath);
    }
    struct document *document = document_new();
    struct _xmlDoc *tree = document_parse(document, str_from(answer), "utf-8");
    assert_non_null(tree);
    xpath_reader_set(reader, tree);
    bool is_like = golden_is_like(golden, tree, reader, &xpath, ignored != NULL, &sentence);
    if (is_like != (problem == NULL)) {
        fail_msg("%s: %.*s", answer, STR_ARG(buf_view(&sentence)));
    }
    if (problem != NULL && !str_equals(buf_view(&sentence), str_from(problem))) {
        fail_msg("\"%.*s\" is not \"%s\"", STR_ARG(buf_view(&sentence)), problem);
    }
    document_free(document);
    xpath_reader_free(reader);
    golden_free(golden);
    xpath_deinit(&xpath);
    namespaces_deinit(&namespaces);
    buf_deinit(&sentence);
}

static void writing_does_not_count(void **state)
{
    (void)state;
    check(GOLDEN, GOLDEN, NULL, NULL);
    check(GOLDEN,
          "<?xml version='1.0'?><!-- c -->\n<E:Envelope xmlns:E='" SOAP_12_NAMESPACE
          "'>\n <E:Header>"
          "<Action xmlns='" WSA "'>urn:did</Action>\n</E:Header><?pi?><E:Body>\n"
          "<q:r xmlns:q='urn:r' y='2' x='1'>\n<q:v> o<!-- in -->n<![CDATA[e]]>\n</q:v>"
          "<q:w xmlns:n='urn:p' xmlns:k='http://www.w3.org/2001/XMLSchema-instance' k:type='n:T'>"
          "&#50;</q:w></q:r></E:Body></E:Envelope>",
          NULL, NULL);
}

static void differences_are_told_with_their_place(void **state)
{
    (void)state;
    check("<a><b>1</b></a>", "<a><b>2</b></a>", NULL, "the text of /a/b is not \"1\"");
    check("<a><b/></a>", "<a><b>2</b></a>", NULL, "in /a/b comes text where its end should");
    check("<a><b/></a>", "<a><b/><b/></a>", NULL, "in /a comes {}b where its end should");
    check("<a><b/><c/></a>", "<a><b/></a>", NULL, "in /a comes its end where {}c should");
    check("<a><b/></a>", "<a><b xmlns='urn:x'/></a>", NULL,
          "in /a comes {urn:x}b where {}b should");
    check("<a/>", "<b/>", NULL, "in the root comes {}b where {}a should");
    check("<a x='1'/>", "<a x='2'/>", NULL, "the attribute x of /a differs");
    check("<a x='1'/>", "<a/>", NULL, "the attribute x of /a differs");
    check("<a/>", "<a x='1'/>", NULL, "the attribute x of /a differs");
    check("<a>x y</a>", "<a>x  y</a>", NULL, "the text of /a is not \"x y\"");
}

/* xsi:type is a name in text: only its namespace counts, but that does. */
static void types_are_compared_by_namespace(void **state)
{
    (void)state;
#define TYPED(uri)                                                                                 \
    "<a xmlns:i='http://www.w3.org/2001/XMLSchema-instance' xmlns:p='" uri "' i:type='p:T'/>"
    check(TYPED("urn:p"), TYPED("urn:q"), NULL, "the attribute type of /a differs");
}

static void ids_and_times_do_not_count(void **state)
{
    (void)state;
#define HEADED(inside) "<e xmlns:a='" WSA "' xmlns:u='" WSU "'><h>" inside "</h><b>x</b></e>"
    check(HEADED("<a:MessageID>1</a:MessageID><u:Timestamp><u:Created>x</u:Created></u:Timestamp>"),
          HEADED("<a:RelatesTo>2</a:RelatesTo>"), NULL, NULL);
    check(
        HEADED(""),
        HEADED(
            "<ActivityId CorrelationId='c' "
            "xmlns='http://schemas.microsoft.com/2004/09/ServiceModel/Diagnostics'>9</ActivityId>"),
        NULL, NULL);
    check(HEADED("<MessageID>1</MessageID>"), HEADED("<MessageID>2</MessageID>"), NULL,
          "the text of /e/h/MessageID is not \"1\"");
}

static void what_is_ignored_does_not_count(void **state)
{
    (void)state;
    check("<a><b>1</b><c/></a>", "<a><b>2</b><c/></a>", "//b", NULL);
    check("<a><b>1</b><c/></a>", "<a><c/></a>", "//b", NULL);
    check("<a><c/></a>", "<a><b>1</b><b>2</b><c/></a>", "//b", NULL);
    check("<a x='1'/>", "<a x='2'/>", "//@x", NULL);
    check("<a x='1'/>", "<a/>", "//@x", NULL);
    check("<a>1</a>", "<a>2</a>", "//a/text()", NULL);
    check("<a xmlns:p='urn:p'>1</a>", "<a>2</a>", "//namespace::*", "the text of /a is not \"1\"");
    check("<a><b>1</b></a>", "<a><b>2</b></a>", "count(//b)", "the text of /a/b is not \"1\"");
}

static void golden_answers_may_have_a_head(void **state)
{
    (void)state;
    struct golden *golden = golden_of("HTTP/1.1 200 OK\r\nA: b\r\n\r\n" GOLDEN);
    assert_string_equal(golden_action(golden), "urn:did");
    assert_true(str_starts_with(golden_text(golden), STR("<s:Envelope")));
    golden_free(golden);
    golden = golden_of("HTTP/1.1 200 OK\nA: b\n\n<a/>");
    assert_string_equal(golden_action(golden), "");
    golden_free(golden);
    struct err err;
    assert_true(file_write(path, STR("HTTP/1.1 200 OK\r\n"), &err));
    assert_null(golden_load(path, &err));
    assert_int_equal(err.code, ERR_FORMAT);
    assert_null(golden_load("/nonexistent", &err));
    assert_int_equal(err.code, ERR_FILE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writing_does_not_count),
        cmocka_unit_test(differences_are_told_with_their_place),
        cmocka_unit_test(types_are_compared_by_namespace),
        cmocka_unit_test(ids_and_times_do_not_count),
        cmocka_unit_test(what_is_ignored_does_not_count),
        cmocka_unit_test(golden_answers_may_have_a_head),
    };
    return cmocka_run_group_tests(tests, make_file, drop_file);
}
