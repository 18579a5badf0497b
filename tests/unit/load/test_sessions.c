/* SPDX-License-Identifier: Apache-2.0 */
/* The way of a session: bursts, the pauses between them, and its end. */
#include "lather/load/sessions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void pauses_lie_between_bursts(void **state)
{
    (void)state;
    static const enum sessions_step expected[] = {SESSIONS_CALL, SESSIONS_PAUSE, SESSIONS_CALL,
                                                  SESSIONS_PAUSE, SESSIONS_END};
    const struct plan_sessions plan = {.calls = 5, .burst = 2};
    struct sessions *sessions = sessions_new(&plan, 2, 2);
    for (int round = 0; round < 2; round++) {
        assert_true(sessions_begin(sessions, 1));
        for (size_t i = 0; i < 5; i++) {
            assert_int_equal(sessions_next(sessions, 1), expected[i]);
        }
    }
    assert_false(sessions_begin(sessions, 1));
    assert_int_equal(sessions_begun(sessions), 2);
    sessions_free(sessions);
}

static void a_burst_of_the_whole_session_has_no_pause(void **state)
{
    (void)state;
    const struct plan_sessions plan = {.calls = 3, .burst = 3};
    struct sessions *sessions = sessions_new(&plan, 1, 1);
    assert_true(sessions_begin(sessions, 0));
    assert_int_equal(sessions_next(sessions, 0), SESSIONS_CALL);
    assert_int_equal(sessions_next(sessions, 0), SESSIONS_CALL);
    assert_int_equal(sessions_next(sessions, 0), SESSIONS_END);
    sessions_free(sessions);
}

static void slots_are_in_sessions_of_their_own(void **state)
{
    (void)state;
    const struct plan_sessions plan = {.calls = 2, .burst = 1};
    struct sessions *sessions = sessions_new(&plan, 3, 2);
    assert_true(sessions_begin(sessions, 0));
    assert_true(sessions_begin(sessions, 2));
    assert_false(sessions_begin(sessions, 1));
    assert_int_equal(sessions_next(sessions, 0), SESSIONS_PAUSE);
    assert_int_equal(sessions_next(sessions, 2), SESSIONS_PAUSE);
    assert_int_equal(sessions_next(sessions, 0), SESSIONS_END);
    assert_int_equal(sessions_next(sessions, 2), SESSIONS_END);
    sessions_free(sessions);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pauses_lie_between_bursts),
        cmocka_unit_test(a_burst_of_the_whole_session_has_no_pause),
        cmocka_unit_test(slots_are_in_sessions_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
