/* SPDX-License-Identifier: Apache-2.0 */
/* Chunk framing comes off where it is right to its end, and nowhere else. */
#include "reading.h"

#include "lather/capture/transfer.h"

static void framing_is_taken_off(void **state)
{
    (void)state;
    static const struct {
        struct str bytes;
        const char *body;
        size_t rest;
    } cases[] = {
        {{"3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\n\r\n", 32}, "abc0123456789", 0},
        {{"3\nabc\n0\n\nPOST", 13}, "abc", 4},
        {{"1\r\na\r\n0\r\nX-Sum: 1\r\n\r\n", 21}, "a", 0},
        {{"1\r\na\r\n0\r\n", 9}, "a", 0},
        {{"0\r\n\r\n", 5}, "", 0},
        {{"000003\r\nabc\r\n00\r\n\r\n", 19}, "abc", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct buf out;
        buf_init(&out);
        size_t used = 0;
        assert_true(transfer_dechunk(cases[i].bytes, &out, &used));
        assert_int_equal(used, cases[i].bytes.len - cases[i].rest);
        assert_int_equal(out.len, strlen(cases[i].body));
        buf_deinit(&out);
    }
}

/* A plain body under "Transfer-Encoding: chunked". */
static void B114_what_is_not_chunked_stays(void **state)
{
    (void)state;
    static const struct str cases[] = {
        {"<a/>", 4},
        {"", 0},
        {"3\r\nabc", 6},
        {"3\r\nabcd\r\n0\r\n\r\n", 14},
        {"3\r\nabc\r\n", 8},
        {"FFFFFFFFFFFFFFFF\r\nabc\r\n", 23},
        {"FFFFFFFFFFFFFFF\r\nabc\r\n", 22},
        {"-1\r\nabc\r\n0\r\n\r\n", 14},
        {"\r\n\r\n", 4},
        {"0\r\nno colon\r\n\r\n", 15},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct buf out;
        buf_init(&out);
        buf_append_str(&out, STR("kept"));
        size_t used = 0;
        assert_false(transfer_dechunk(cases[i], &out, &used));
        assert_string_equal(out.data, "kept");
        buf_deinit(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(framing_is_taken_off),
        cmocka_unit_test(B114_what_is_not_chunked_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
