/* SPDX-License-Identifier: Apache-2.0 */
/* --version begins as ab's does and goes on with one line a subject. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lather/base/str.h"
#include "lather/cli/version.h"

static void the_first_line_is_abs(void **state)
{
    (void)state;
    struct buf text;
    buf_init(&text);
    version_format(&text);
    assert_true(
        str_starts_with(buf_view(&text), STR("This is lather, Version " LATHER_VERSION "\n\n")));
    buf_deinit(&text);
}

static void every_subject_and_library_is_told(void **state)
{
    (void)state;
    static const char *const wanted[] = {
        "\nCommit: ",   "\nTransports: ", "\nAuthentication: ", "\nLibraries: ",
        "OpenSSL 3.",   ", libxml2 2.",   ", libuv 1.",         ", llhttp ",
        ", jansson 2.", ", libzip 1.",    ", zlib 1.",
    };
    struct buf text;
    buf_init(&text);
    version_format(&text);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        assert_int_not_equal(str_find(buf_view(&text), str_from(wanted[i])), SIZE_MAX);
    }
    assert_int_equal(text.data[text.len - 1], '\n');
    buf_deinit(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_line_is_abs),
        cmocka_unit_test(every_subject_and_library_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
