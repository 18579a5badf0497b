/* SPDX-License-Identifier: Apache-2.0 */
/* Each scheme has the name that HTTP writes and the option that asks for it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lather/base/auth_scheme.h"

static void every_scheme_has_its_names(void **state)
{
    (void)state;
    assert_string_equal(auth_scheme_name(AUTH_SCHEME_NONE), "");
    assert_string_equal(auth_scheme_name(AUTH_SCHEME_DIGEST), "Digest");
    assert_string_equal(auth_scheme_name(AUTH_SCHEME_NTLM), "NTLM");
    assert_string_equal(auth_scheme_name(AUTH_SCHEME_NEGOTIATE), "Negotiate");
    for (enum auth_scheme i = AUTH_SCHEME_DIGEST; i < AUTH_SCHEME_COUNT; i++) {
        assert_int_equal(auth_scheme_option(i)[0], '-');
    }
    assert_string_equal(auth_scheme_option(AUTH_SCHEME_NONE), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scheme_has_its_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
