/* SPDX-License-Identifier: Apache-2.0 */
/* Fields keep their order and spelling; names are found in any case. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "lather/base/http_head.h"

static int set_up(void **state)
{
    struct http_head *head = check_malloc(sizeof *head);
    http_head_init(head);
    *state = head;
    return 0;
}

static int tear_down(void **state)
{
    http_head_deinit(*state);
    http_head_deinit(*state);
    free(*state);
    return 0;
}

static void assert_field(const struct http_head *head, size_t at, const char *name,
                         const char *value)
{
    assert_true(at < head->count);
    assert_string_equal(head->fields[at].name, name);
    assert_string_equal(head->fields[at].value, value);
}

/* B025: no canonical form. */
static void names_keep_the_spelling_given(void **state)
{
    struct http_head *head = *state;
    http_head_add(head, STR("soapaction"), STR("\"urn:a\""));
    http_head_add(head, STR("SOAPAction"), STR(""));
    assert_field(head, 0, "soapaction", "\"urn:a\"");
    assert_field(head, 1, "SOAPAction", "");
}

static void find_gives_the_first_in_any_case(void **state)
{
    struct http_head *head = *state;
    http_head_add(head, STR("X-Content-Length"), STR("5"));
    http_head_add(head, STR("content-length"), STR("7"));
    http_head_add(head, STR("Content-Length"), STR("9"));
    assert_string_equal(http_head_find(head, STR("CONTENT-LENGTH")), "7");
    assert_null(http_head_find(head, STR("Content-Lengt")));
    assert_null(http_head_find(head, STR("")));
    assert_null(http_head_find(NULL, STR("Content-Length")));
}

/* B002: the user's field replaces the built-in one, whatever the case. */
static void set_replaces_in_place_and_drops_the_others(void **state)
{
    struct http_head *head = *state;
    http_head_add(head, STR("Host"), STR("h"));
    http_head_add(head, STR("Content-Type"), STR("text/plain"));
    http_head_add(head, STR("Accept"), STR("*/*"));
    http_head_add(head, STR("CONTENT-TYPE"), STR("text/html"));
    http_head_set(head, STR("content-type"), STR("text/xml; charset=utf-8"));
    assert_int_equal(head->count, 3);
    assert_field(head, 0, "Host", "h");
    assert_field(head, 1, "content-type", "text/xml; charset=utf-8");
    assert_field(head, 2, "Accept", "*/*");
}

static void set_appends_what_was_not_there(void **state)
{
    struct http_head *head = *state;
    http_head_set(head, STR("A"), STR("1"));
    http_head_set(head, STR("B"), STR("2"));
    assert_int_equal(head->count, 2);
    assert_field(head, 0, "A", "1");
    assert_field(head, 1, "B", "2");
}

static void set_may_be_given_views_of_the_field_it_replaces(void **state)
{
    struct http_head *head = *state;
    http_head_add(head, STR("A"), STR("first second"));
    http_head_add(head, STR("a"), STR("third"));
    struct str value = str_from(head->fields[0].value);
    http_head_set(head, str_from(head->fields[1].name), str_slice(value, 6, value.len));
    assert_int_equal(head->count, 1);
    assert_field(head, 0, "a", "second");
}

static void remove_takes_all_of_the_name_and_counts_them(void **state)
{
    struct http_head *head = *state;
    http_head_add(head, STR("a"), STR("1"));
    http_head_add(head, STR("b"), STR("2"));
    http_head_add(head, STR("A"), STR("3"));
    assert_int_equal(http_head_remove(head, STR("c")), 0);
    assert_int_equal(http_head_remove(head, STR("A")), 2);
    assert_int_equal(head->count, 1);
    assert_field(head, 0, "b", "2");
    assert_int_equal(http_head_remove(head, STR("B")), 1);
    assert_int_equal(head->count, 0);
}

/* B021: neither the number nor the length of fields has a fixed limit. */
static void many_and_long_fields_are_kept(void **state)
{
    struct http_head *head = *state;
    char value[9000];
    memset(value, 'v', sizeof value);
    for (int i = 0; i < 1000; i++) {
        http_head_add(head, STR("X"), str_of(value, sizeof value));
    }
    http_head_add(head, STR("Y"), STR("last"));
    assert_int_equal(head->count, 1001);
    assert_int_equal(strlen(head->fields[500].value), sizeof value);
    assert_string_equal(http_head_find(head, STR("y")), "last");
}

static void a_field_is_split_at_its_first_colon_and_trimmed(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        const char *name;
        const char *value;
    } cases[] = {
        {"A: b", "A", "b"},
        {"A:b", "A", "b"},
        {"A:", "A", ""},
        {"A:  \t b c \t", "A", "b c"},
        {"SOAPAction: \"http://tempuri.org/I/Do\"", "SOAPAction", "\"http://tempuri.org/I/Do\""},
        {"!#$%&'*+-.^_`|~09azAZ: x", "!#$%&'*+-.^_`|~09azAZ", "x"},
        {"X: \xC3\xA9", "X", "\xC3\xA9"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct str name;
        struct str value;
        assert_true(http_head_parse_field(str_from(cases[i].line), &name, &value, NULL));
        assert_true(str_equals(name, str_from(cases[i].name)));
        assert_true(str_equals(value, str_from(cases[i].value)));
    }
}

static void what_is_no_field_is_refused_with_a_sentence(void **state)
{
    (void)state;
    static const struct {
        struct str line;
        const char *hint;
    } cases[] = {
        {{"", 0}, "no colon"},
        {{"Accept", 6}, "no colon"},
        {{": x", 3}, "no name"},
        {{" A: x", 5}, "no blanks"},
        {{"A : x", 5}, "no blanks"},
        {{"A B: x", 6}, "no blanks"},
        {{"A\t: x", 5}, "no blanks"},
        {{"(A): x", 6}, "a name holds"},
        {{"\xC3\x84: x", 5}, "a name holds"},
        {{"A\x7F: x", 5}, "a name holds"},
        {{"A: x\r\nB: y", 10}, "line break"},
        {{"A: x\n", 5}, "line break"},
        {{"A: x\ry", 6}, "line break"},
        {{"A: x\0y", 6}, "NUL"},
        {{"A\0: x", 5}, "NUL"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct str name;
        struct str value;
        struct err err = {0};
        assert_false(http_head_parse_field(cases[i].line, &name, &value, &err));
        assert_int_equal(err.code, ERR_USAGE);
        if (strstr(err.text, cases[i].hint) == NULL) {
            fail_msg("case %zu: %s", i, err.text);
        }
        assert_null(strchr(err.text, '\n'));
    }
}

/* B004: quotes, any case and any blanks are read; B101's start-info is one parameter of many. */
static void media_types_are_split_from_their_parameters(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *name;
        const char *type;
        const char *value;
    } cases[] = {
        {"text/xml; charset=utf-8", "charset", "text/xml", "utf-8"},
        {"text/xml;charset=\"utf-8\"", "charset", "text/xml", "utf-8"},
        {" Text/XML ; CharSet = \"UTF-8\" ", "charset", "Text/XML", "UTF-8"},
        {"text/xml", "charset", "text/xml", ""},
        {"text/xml;", "charset", "text/xml", ""},
        {"text/xml;;; charset=a", "charset", "text/xml", "a"},
        {"text/xml; charset", "charset", "text/xml", ""},
        {"text/xml; charset=", "charset", "text/xml", ""},
        {"text/xml; charset=\"\"", "charset", "text/xml", ""},
        {"text/xml; charset=\"", "charset", "text/xml", ""},
        {"text/xml; charset=\"utf-8", "charset", "text/xml", "utf-8"},
        {"text/xml; xcharset=a; charset=b; charset=c", "charset", "text/xml", "b"},
        {"a/b; action=\"x; charset=no\"; charset=yes", "charset", "a/b", "yes"},
        {"a/b; action=\"x\\\"; charset=no\"; charset=yes", "charset", "a/b", "yes"},
        {"a/b; action=\"urn:a=b\"", "action", "a/b", "urn:a=b"},
        {"multipart/related; type=\"application/xop+xml\"; start=\"<r@x>\"; "
         "boundary=\"uuid:1+id=2\"; start-info=\"text/xml\"",
         "boundary", "multipart/related", "uuid:1+id=2"},
        {"multipart/related; start-info=\"text/xml\"; start=\"<r@x>\"", "start",
         "multipart/related", "<r@x>"},
        {"", "charset", "", ""},
        {"; charset=a", "charset", "", "a"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct str type;
        struct str value;
        http_head_split_media_type(str_from(cases[i].text), &type, str_from(cases[i].name), &value);
        if (!str_equals(type, str_from(cases[i].type)) ||
            !str_equals(value, str_from(cases[i].value))) {
            fail_msg("%s: type \"%.*s\", value \"%.*s\"", cases[i].text, STR_ARG(type),
                     STR_ARG(value));
        }
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(names_keep_the_spelling_given),
        TEST(find_gives_the_first_in_any_case),
        TEST(set_replaces_in_place_and_drops_the_others),
        TEST(set_appends_what_was_not_there),
        TEST(set_may_be_given_views_of_the_field_it_replaces),
        TEST(remove_takes_all_of_the_name_and_counts_them),
        TEST(many_and_long_fields_are_kept),
        cmocka_unit_test(a_field_is_split_at_its_first_colon_and_trimmed),
        cmocka_unit_test(what_is_no_field_is_refused_with_a_sentence),
        cmocka_unit_test(media_types_are_split_from_their_parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
