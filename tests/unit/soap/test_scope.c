/* SPDX-License-Identifier: Apache-2.0 */
/* Prefixes in scope on one path, and the names that need them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lather/soap/scope.h"

static void enter(struct scope *scope, unsigned depth, const char *prefix, const char *uri)
{
    const char *const declared[] = {prefix, uri};
    const struct sax_element element = {
        .depth = depth, .namespaces = declared, .namespace_count = 1};
    scope_enter(scope, &element);
}

static void check(const struct scope *scope, const char *text, const char *expected)
{
    struct buf name;
    buf_init(&name);
    scope_append_resolved(scope, str_from(text), &name);
    if (!str_equals(buf_view(&name), str_from(expected))) {
        fail_msg("\"%.*s\" is not \"%s\"", STR_ARG(buf_view(&name)), expected);
    }
    buf_deinit(&name);
}

static void the_innermost_declaration_counts_and_goes_with_its_element(void **state)
{
    (void)state;
    struct scope scope = {.count = 0};
    enter(&scope, 1, "p", "urn:outer");
    enter(&scope, 3, "p", "urn:inner");
    check(&scope, "p:Name", "{urn:inner}Name");
    scope_leave(&scope, 4);
    check(&scope, "p:Name", "{urn:inner}Name");
    scope_leave(&scope, 3);
    check(&scope, "p:Name", "{urn:outer}Name");
    scope_reset(&scope);
    check(&scope, "p:Name", "p:Name");
}

static void a_name_without_prefix_is_in_the_default_namespace(void **state)
{
    (void)state;
    struct scope scope = {.count = 0};
    check(&scope, "Name", "{}Name");
    enter(&scope, 1, NULL, "urn:x");
    check(&scope, "Name", "{urn:x}Name");
    enter(&scope, 2, NULL, NULL);
    check(&scope, "Name", "{}Name");
}

static void what_is_no_name_stays_as_it_is(void **state)
{
    (void)state;
    struct scope scope = {.count = 0};
    enter(&scope, 1, "p", "urn:x");
    check(&scope, "p:two words", "p:two words");
    check(&scope, "p:", "p:");
    check(&scope, "-1", "-1");
    check(&scope, "q:Name", "q:Name");
}

static void more_declarations_than_the_ceiling_are_not_kept(void **state)
{
    (void)state;
    struct scope scope = {.count = 0};
    for (unsigned i = 0; i < SCOPE_CEILING; i++) {
        enter(&scope, i + 1, "p", "urn:x");
    }
    enter(&scope, SCOPE_CEILING + 1, "q", "urn:y");
    assert_int_equal(scope.count, SCOPE_CEILING);
    check(&scope, "q:Name", "q:Name");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_innermost_declaration_counts_and_goes_with_its_element),
        cmocka_unit_test(a_name_without_prefix_is_in_the_default_namespace),
        cmocka_unit_test(what_is_no_name_stays_as_it_is),
        cmocka_unit_test(more_declarations_than_the_ceiling_are_not_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
