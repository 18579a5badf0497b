/* SPDX-License-Identifier: Apache-2.0 */
/* The envelope of a body is found where it stands, and what is around it stays in order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lather/soap/root_part.h"

#define FIRST  "--b\r\nContent-ID: <a>\r\n\r\n"
#define SECOND "\r\n--b\r\nContent-ID: <r>\r\nContent-Type: text/xml\r\n\r\n"
#define END    "\r\n--b--\r\n"
#define TYPE   "multipart/related; boundary=b"

static void assert_text(struct str text, const char *wanted)
{
    assert_int_equal(text.len, str_from(wanted).len);
    assert_memory_equal(text.data, wanted, text.len);
}

static void assert_found(const char *type, const char *body, const char *before, const char *bytes,
                         const char *behind)
{
    struct root_part part;
    root_part_find(&part, str_from(type), str_from(body));
    assert_int_equal(part.kind, ROOT_PART_PLAIN);
    assert_text(part.before, before);
    assert_text(part.bytes, bytes);
    assert_text(part.behind, behind);
    assert_text(part.text, bytes);
    assert_ptr_equal(part.before.data, body);
    assert_ptr_equal(part.bytes.data, body + part.before.len);
    root_part_deinit(&part);
}

static void the_first_part_is_the_root_unless_start_names_another(void **state)
{
    (void)state;
    const char *body = FIRST "<e/>" SECOND "<other/>" END;
    assert_found(TYPE, body, FIRST, "<e/>", SECOND "<other/>" END);
    assert_found(TYPE "; start=\"<r>\"", body, FIRST "<e/>" SECOND, "<other/>", END);
    assert_found(TYPE "; start=\"<nobody>\"", body, FIRST, "<e/>", SECOND "<other/>" END);
}

static void what_stands_in_front_of_the_first_boundary_is_kept(void **state)
{
    (void)state;
    assert_found(TYPE, "\r\npreamble\r\n" FIRST "<e/>\r\n" SECOND "x" END, "\r\npreamble\r\n" FIRST,
                 "<e/>\r\n", SECOND "x" END);
}

static void a_part_twice_the_same_is_found_at_its_own_place(void **state)
{
    (void)state;
    assert_found(TYPE "; start=\"<r>\"", FIRST "<e/>" SECOND "<e/>" END, FIRST "<e/>" SECOND,
                 "<e/>", END);
}

static void an_encoded_root_is_decoded_and_its_bytes_stay(void **state)
{
    (void)state;
    const char *body = "--b\r\nContent-Transfer-Encoding: base64\r\n\r\nPGUvPg==" END;
    struct root_part part;
    root_part_find(&part, STR(TYPE), str_from(body));
    assert_int_equal(part.kind, ROOT_PART_ENCODED);
    assert_text(part.text, "<e/>");
    assert_text(part.bytes, body);
    assert_int_equal(part.before.len + part.behind.len, 0);
    root_part_deinit(&part);
}

static void a_body_that_is_no_multipart_is_its_own_root(void **state)
{
    (void)state;
    static const struct {
        const char *type;
        enum root_part_kind kind;
    } cases[] = {{"text/xml", ROOT_PART_WHOLE},
                 {"", ROOT_PART_WHOLE},
                 {"multipart/related; boundary=other", ROOT_PART_BROKEN},
                 {TYPE, ROOT_PART_BROKEN}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct root_part part;
        root_part_find(&part, str_from(cases[i].type), STR("<e>--b</e>"));
        assert_int_equal(part.kind, cases[i].kind);
        assert_text(part.bytes, "<e>--b</e>");
        assert_text(part.text, "<e>--b</e>");
        root_part_deinit(&part);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_part_is_the_root_unless_start_names_another),
        cmocka_unit_test(what_stands_in_front_of_the_first_boundary_is_kept),
        cmocka_unit_test(a_part_twice_the_same_is_found_at_its_own_place),
        cmocka_unit_test(an_encoded_root_is_decoded_and_its_bytes_stay),
        cmocka_unit_test(a_body_that_is_no_multipart_is_its_own_root),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
