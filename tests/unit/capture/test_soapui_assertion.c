/* SPDX-License-Identifier: Apache-2.0 */
/* Assertions become options that mean the same, or are listed. */
#include "reading.h"

#include "lather/capture/soapui_assertion.h"

struct value {
    enum soapui_setting setting;
    const char *text;
};

/* Translates an assertion behind what `expectations` already has. */
static void translate(const char *type, const struct value *values, size_t count,
                      struct buf *expectations, struct buf *untranslated)
{
    struct soapui_assertion assertion = {.type = {.data = NULL}};
    buf_append_str(&assertion.type, str_from(type));
    buf_append_str(&assertion.name, STR("it"));
    for (size_t i = 0; i < count; i++) {
        buf_append_str(&assertion.settings[values[i].setting], str_from(values[i].text));
    }
    soapui_assertion_translate(&assertion, expectations, untranslated);
    soapui_assertion_deinit(&assertion);
}

static void assert_text(const struct buf *text, const char *expected)
{
    assert_string_equal(text->data == NULL ? "" : text->data, expected);
}

static void assert_translation(const char *type, const struct value *values, size_t count,
                               const char *expected)
{
    struct buf expectations;
    struct buf untranslated;
    buf_init(&expectations);
    buf_init(&untranslated);
    translate(type, values, count, &expectations, &untranslated);
    assert_text(&expectations, expected);
    assert_text(&untranslated, "");
    buf_deinit(&expectations);
    buf_deinit(&untranslated);
}

static void assert_listed(const char *type, const struct value *values, size_t count,
                          const char *part)
{
    struct buf expectations;
    struct buf untranslated;
    buf_init(&expectations);
    buf_init(&untranslated);
    translate(type, values, count, &expectations, &untranslated);
    assert_text(&expectations, "");
    assert_non_null(untranslated.data);
    assert_non_null(strstr(untranslated.data, part));
    assert_ptr_equal(strstr(untranslated.data, type), untranslated.data);
    assert_int_equal(untranslated.data[untranslated.len - 1], '\n');
    buf_deinit(&expectations);
    buf_deinit(&untranslated);
}

/* The type that is called so expects no Fault; SoapUI's own mistake. */
static void the_two_fault_assertions_are_not_mixed_up(void **state)
{
    (void)state;
    assert_translation("SOAP Fault Assertion", NULL, 0, "--validate soap\n");
    assert_translation("Not SOAP Fault Assertion", NULL, 0, "--expect-fault\n");
}

static void simple_kinds(void **state)
{
    (void)state;
    assert_translation("SOAP Response", NULL, 0, "--validate soap\n");
    const struct value token = {SOAPUI_TOKEN, " a & b"};
    assert_translation("Simple Contains", &token, 1, "--expect-text  a & b\n");
    assert_translation("Simple NotContains", &token, 1, "--reject-text  a & b\n");
    const struct value sla = {SOAPUI_SLA, " 250 "};
    assert_translation("Response SLA Assertion", &sla, 1, "--max-time 250\n");
    const struct value codes = {SOAPUI_CODES, "200, 202"};
    assert_translation("Valid HTTP Status Codes", &codes, 1, "--expect-status 200,202\n");
}

static void paths_with_namespaces(void **state)
{
    (void)state;
    const struct value values[] = {
        {SOAPUI_PATH, "declare namespace a='urn:a';\r\ndeclare namespace b = \"urn:b\";\n"
                      "//a:x[b:y\n > 1]"},
        {SOAPUI_CONTENT, "it's"},
    };
    assert_translation("XPath Match", values, 2,
                       "--ns a=urn:a\n--ns b=urn:b\n"
                       "--expect-xpath string(//a:x[b:y  > 1])=\"it's\"\n");
    const struct value any[] = {
        {SOAPUI_PATH, "//x"}, {SOAPUI_CONTENT, "*"}, {SOAPUI_WILDCARDS, "true"}};
    assert_translation("XPath Match", any, 3, "--expect-xpath boolean(//x)\n");
    const struct value exists[] = {{SOAPUI_PATH, "exists(//x[y(1)])"}, {SOAPUI_CONTENT, "true"}};
    assert_translation("XPath Match", exists, 2, "--expect-xpath boolean(//x[y(1)])\n");
    const struct value absent[] = {{SOAPUI_PATH, "exists(//x)"}, {SOAPUI_CONTENT, "False"}};
    assert_translation("XPath Match", absent, 2, "--expect-xpath not(//x)\n");
    const struct value both[] = {{SOAPUI_PATH, "exists(//x) and (//y)"}, {SOAPUI_CONTENT, "true"}};
    assert_translation("XPath Match", both, 2,
                       "--expect-xpath string(exists(//x) and (//y))='true'\n");
    const struct value star[] = {{SOAPUI_PATH, "//x"}, {SOAPUI_CONTENT, "*"}};
    assert_translation("XPath Match", star, 2, "--expect-xpath string(//x)='*'\n");
}

static void a_prefix_means_one_namespace_in_a_message(void **state)
{
    (void)state;
    struct buf expectations;
    struct buf untranslated;
    buf_init(&expectations);
    buf_init(&untranslated);
    const struct value first[] = {{SOAPUI_PATH, "declare namespace a='urn:a'; //a:x"},
                                  {SOAPUI_CONTENT, "1"}};
    const struct value same[] = {{SOAPUI_PATH, "declare namespace a='urn:a'; //a:y"},
                                 {SOAPUI_CONTENT, "2"}};
    const struct value other[] = {{SOAPUI_PATH, "declare namespace a='urn:b'; //a:y"},
                                  {SOAPUI_CONTENT, "3"}};
    translate("XPath Match", first, 2, &expectations, &untranslated);
    translate("XPath Match", same, 2, &expectations, &untranslated);
    translate("XPath Match", other, 2, &expectations, &untranslated);
    assert_text(&expectations, "--ns a=urn:a\n--expect-xpath string(//a:x)='1'\n"
                               "--expect-xpath string(//a:y)='2'\n");
    assert_non_null(strstr(untranslated.data, "another assertion uses one of its prefixes"));
    buf_deinit(&expectations);
    buf_deinit(&untranslated);
}

static void what_no_option_says_is_listed(void **state)
{
    (void)state;
    const struct value regex[] = {{SOAPUI_TOKEN, "a.*"}, {SOAPUI_USE_REGEX, "true"}};
    assert_listed("Simple Contains", regex, 2, "regular expression");
    const struct value ignoring[] = {{SOAPUI_TOKEN, "a"}, {SOAPUI_IGNORE_CASE, "true"}};
    assert_listed("Simple Contains", ignoring, 2, "ignores the case");
    const struct value broken = {SOAPUI_TOKEN, "a\nb"};
    assert_listed("Simple Contains", &broken, 1, "line breaks");
    const struct value wild[] = {
        {SOAPUI_PATH, "//x"}, {SOAPUI_CONTENT, "a*"}, {SOAPUI_WILDCARDS, "true"}};
    assert_listed("XPath Match", wild, 3, "wildcards");
    const struct value xml[] = {{SOAPUI_PATH, "//x"}, {SOAPUI_CONTENT, " <x/>"}};
    assert_listed("XPath Match", xml, 2, "XML, not text");
    const struct value quotes[] = {{SOAPUI_PATH, "//x"}, {SOAPUI_CONTENT, "'\""}};
    assert_listed("XPath Match", quotes, 2, "quotes of both kinds");
    const struct value property[] = {{SOAPUI_PATH, "//x"}, {SOAPUI_CONTENT, "${#Project#y}"}};
    assert_listed("XPath Match", property, 2, "a property of the project");
    const struct value two = {SOAPUI_PATH, "declare default element namespace 'urn:x'; //x"};
    assert_listed("XPath Match", &two, 1, "not those of XPath 1.0");
    assert_listed("XPath Match", NULL, 0, "no expression");
    const struct value sla = {SOAPUI_SLA, "${limit}"};
    assert_listed("Response SLA Assertion", &sla, 1, "no number");
    const struct value codes = {SOAPUI_CODES, "200,20x"};
    assert_listed("Valid HTTP Status Codes", &codes, 1, "no list of numbers");
    assert_listed("GroovyScriptAssertion", NULL, 0, "no option expects that");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_two_fault_assertions_are_not_mixed_up),
        cmocka_unit_test(simple_kinds),
        cmocka_unit_test(paths_with_namespaces),
        cmocka_unit_test(a_prefix_means_one_namespace_in_a_message),
        cmocka_unit_test(what_no_option_says_is_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
