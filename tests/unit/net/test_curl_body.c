/* SPDX-License-Identifier: Apache-2.0 */
/* A body in pieces reads as if it lay in one, from any byte on, in portions of any size. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "lather/net/curl_body.h"

static const char whole[] = "<order><id>17</id></order>";
enum { WHOLE = sizeof whole - 1 };

/* Cut at two places, an empty piece between, and 4 bytes in front that are not the body's. */
static void begin(struct curl_body *body, struct str pieces[4], char *first, size_t cut, size_t end)
{
    memcpy(first, "\r\n\r\n", 4);
    memcpy(first + 4, whole, cut);
    pieces[0] = str_of(first, 4 + cut);
    pieces[1] = str_of(NULL, 0);
    pieces[2] = str_of(whole + cut, end - cut);
    pieces[3] = str_of(whole + end, WHOLE - end);
    curl_body_begin(body, pieces, 4, 4);
}

static void it_is_read_whole_in_portions_of_any_size(void **state)
{
    (void)state;
    for (size_t cut = 0; cut <= WHOLE; cut++) {
        for (size_t size = 1; size <= WHOLE + 1; size++) {
            struct curl_body body;
            struct str pieces[4];
            char first[WHOLE + 4];
            begin(&body, pieces, first, cut, (cut + WHOLE) / 2);
            assert_int_equal(body.bytes, WHOLE);
            char got[WHOLE + 8];
            size_t len = 0;
            size_t some = 0;
            while ((some = curl_body_read(&body, got + len, size)) > 0) {
                len += some;
                assert_true(len <= WHOLE);
            }
            assert_int_equal(len, WHOLE);
            assert_memory_equal(got, whole, WHOLE);
        }
    }
}

static void it_goes_on_from_wherever_it_is_told(void **state)
{
    (void)state;
    struct curl_body body;
    struct str pieces[4];
    char first[WHOLE + 4];
    begin(&body, pieces, first, 5, 12);
    for (size_t offset = 0; offset <= WHOLE; offset++) {
        char got[WHOLE];
        curl_body_seek(&body, offset);
        assert_int_equal(curl_body_read(&body, got, sizeof got), WHOLE - offset);
        assert_memory_equal(got, whole + offset, WHOLE - offset);
        assert_int_equal(curl_body_read(&body, got, sizeof got), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_read_whole_in_portions_of_any_size),
        cmocka_unit_test(it_goes_on_from_wherever_it_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
