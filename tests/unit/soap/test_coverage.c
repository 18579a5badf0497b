/* SPDX-License-Identifier: Apache-2.0 */
/* What signatures cover is known, and rather too much than too little. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "lather/soap/coverage.h"

#define DSIG "xmlns='http://www.w3.org/2000/09/xmldsig#'"
#define SIGNED(references)                                                                         \
    "<Signature " DSIG "><SignedInfo>" references                                                  \
    "</SignedInfo><KeyInfo><o:SecurityTokenReference "                                             \
    "u:Id='str'><o:Reference URI='#token'/></o:SecurityTokenReference></KeyInfo></Signature>"
#define MESSAGE(security)                                                                          \
    "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/' xmlns:o='o' xmlns:u='u'>"     \
    "<s:Header><To u:Id='to'>x</To><o:Security>" security                                          \
    "<o:Token u:Id='token'>x</o:Token></o:Security></s:Header>"                                    \
    "<s:Body Id='body'><order ID='order'>x</order><Signature " DSIG "><SignedInfo><Reference "     \
    "URI='#to'/><Reference URI=''/></SignedInfo></Signature></s:Body></s:Envelope>"

/* A letter for each of To, token, Body that is covered, and for the whole. */
static void assert_coverage(const char *text, const char *expected)
{
    static const struct {
        const char *start;
        char letter;
    } parts[] = {{"<To", 't'}, {"<o:Token", 'k'}, {"<order", 'b'}};
    struct coverage coverage;
    char got[8];
    size_t len = 0;
    coverage_init(&coverage, str_from(text));
    for (size_t i = 0; i < 3; i++) {
        const char *found = strstr(text, parts[i].start);
        assert_non_null(found);
        size_t at = (size_t)(strchr(found, '>') + 1 - text);
        if (coverage_has(&coverage, at, at + 1)) {
            got[len++] = parts[i].letter;
        }
    }
    if (coverage.is_whole) {
        got[len++] = 'w';
    }
    got[len] = '\0';
    assert_string_equal(got, expected);
    coverage_deinit(&coverage);
}

static void references_are_followed(void **state)
{
    (void)state;
    assert_coverage(MESSAGE(""), "");
    assert_coverage(MESSAGE(SIGNED("<Reference URI='#to'/>")), "t");
    assert_coverage(MESSAGE(SIGNED("<Reference URI='#body'/><Reference URI='#to'/>")), "tb");
    assert_coverage(MESSAGE(SIGNED("<Reference URI='#order'/>")), "b");
    assert_coverage(MESSAGE(SIGNED("<Reference URI='#&#116;o'/>")), "t");
    assert_coverage(MESSAGE(SIGNED("<Reference URI=\"#xpointer(id('to'))\"/>")), "t");
    assert_coverage(MESSAGE(SIGNED("<Reference URI='cid:attachment'/>")), "");
    assert_coverage(MESSAGE(SIGNED("<Reference URI='#nowhere'/>")), "");
    assert_coverage(MESSAGE(SIGNED("<Object><Manifest><Reference URI='#to'/></Manifest></Object>")),
                    "t");
}

static void a_signature_over_the_document_covers_everything(void **state)
{
    (void)state;
    assert_coverage(MESSAGE(SIGNED("<Reference URI=''/>")), "tkbw");
    assert_coverage(MESSAGE(SIGNED("<Reference URI='#xpointer(/)'/>")), "tkbw");
    assert_coverage(MESSAGE(SIGNED("<Reference/>")), "tkbw");
    /* That of an assertion means the assertion, and that of a document in the body the document. */
    assert_coverage(MESSAGE("<Assertion>" SIGNED("<Reference URI=''/>") "</Assertion>"), "");
}

static void a_signed_reference_to_a_token_covers_the_token(void **state)
{
    (void)state;
    assert_coverage(MESSAGE(SIGNED("<Reference URI='#str'/>")), "k");
}

static void the_ends_of_covered_elements_are_exact(void **state)
{
    (void)state;
    static const char text[] = MESSAGE(SIGNED("<Reference URI='#to'/>"));
    struct coverage coverage;
    coverage_init(&coverage, str_from(text));
    assert_int_equal(coverage.count, 1);
    size_t from = (size_t)(strstr(text, "<To") - text);
    size_t to = (size_t)(strstr(text, "</To>") - text) + 5;
    assert_int_equal(coverage.spans[0].from, from);
    assert_int_equal(coverage.spans[0].to, to);
    assert_false(coverage_has(&coverage, from, from));
    assert_true(coverage_has(&coverage, from, from + 1));
    assert_true(coverage_has(&coverage, from + 1, from + 1));
    assert_true(coverage_has(&coverage, to - 1, to - 1));
    assert_false(coverage_has(&coverage, to, to));
    assert_true(coverage_has(&coverage, 0, to + 10));
    coverage_deinit(&coverage);
}

static void endless_references_count_as_a_signature_over_everything(void **state)
{
    (void)state;
    struct buf text;
    buf_init(&text);
    buf_append_str(&text, STR("<s:Envelope xmlns:s='s'><s:Header><Security><Signature " DSIG ">"));
    for (int i = 0; i < 5000; i++) {
        buf_printf(&text, "<Reference URI='#r%d'/>", i);
    }
    buf_append_str(&text, STR("</Signature></Security></s:Header><s:Body/></s:Envelope>"));
    struct coverage coverage;
    coverage_init(&coverage, buf_view(&text));
    assert_true(coverage.is_whole);
    coverage_deinit(&coverage);
    buf_deinit(&text);
}

static void broken_texts_are_survived(void **state)
{
    (void)state;
    static const char text[] = MESSAGE(SIGNED("<Reference URI=\"#xpointer(id('to'))\"/>"));
    for (size_t len = 0; len < sizeof text; len++) {
        struct coverage coverage;
        coverage_init(&coverage, str_of(text, len));
        (void)coverage_has(&coverage, 0, len);
        coverage_deinit(&coverage);
    }
    struct coverage coverage;
    coverage_init(&coverage, STR("<a><h><s><Signature " DSIG "><Reference URI='#xpointer(id('/>"));
    coverage_deinit(&coverage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(references_are_followed),
        cmocka_unit_test(a_signature_over_the_document_covers_everything),
        cmocka_unit_test(a_signed_reference_to_a_token_covers_the_token),
        cmocka_unit_test(the_ends_of_covered_elements_are_exact),
        cmocka_unit_test(endless_references_count_as_a_signature_over_everything),
        cmocka_unit_test(broken_texts_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
