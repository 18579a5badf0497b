/* SPDX-License-Identifier: Apache-2.0 */
/* Which messages of a capture are sent. */
#include "reading.h"

#define SOAP "<e:Envelope xmlns:e='http://www.w3.org/2003/05/soap-envelope'/>"

/* 1 logo.png, 2 Place, 3 rest, 4 Place, 5 2 (a name that is a number) */
static void read_mixture(struct capture *capture)
{
    read_literal(capture, "GET http://h/logo.png HTTP/1.1\nContent-Length: 0\n\n\n"
                          "POST http://h/Place HTTP/1.1\n\n" SOAP "\n\n"
                          "POST http://h/rest HTTP/1.1\n\n{}\n\n"
                          "POST http://h/Place HTTP/1.1\n\n" SOAP "\n\n"
                          "PUT http://h/7 HTTP/1.1\n\n" SOAP);
    assert_int_equal(capture->count, 5);
}

static void assert_picked(const struct capture *capture, const char *const *words, size_t count,
                          const char *expected)
{
    struct pick pick;
    struct err err = {.code = ERR_NONE};
    struct buf text;
    buf_init(&text);
    if (!pick_messages(capture, words, count, &pick, &err)) {
        fail_msg("%s", err.text);
    }
    for (size_t i = 0; i < pick.count; i++) {
        buf_printf(&text, "%zu ", pick.indices[i] + 1);
    }
    assert_string_equal(text.data, expected);
    buf_deinit(&text);
    pick_deinit(&pick);
}

static void assert_not_picked(const struct capture *capture, const char *word, enum err_code code,
                              const char *part)
{
    struct pick pick;
    struct err err = {.code = ERR_NONE};
    assert_false(pick_messages(capture, &word, word == NULL ? 0 : 1, &pick, &err));
    assert_int_equal(err.code, code);
    if (strstr(err.text, part) == NULL) {
        fail_msg("unexpected sentence: %s", err.text);
    }
    pick_deinit(&pick);
}

static void soap_posts_are_taken_in_order(void **state)
{
    (void)state;
    struct capture capture;
    read_mixture(&capture);
    assert_picked(&capture, NULL, 0, "2 4 ");
    capture_deinit(&capture);
}

static void words_are_numbers_or_names(void **state)
{
    (void)state;
    struct capture capture;
    read_mixture(&capture);
    const char *const number[] = {"3"};
    assert_picked(&capture, number, 1, "3 ");
    const char *const name[] = {"Place"};
    assert_picked(&capture, name, 1, "2 4 ");
    const char *const other_case[] = {"PLACE"};
    assert_picked(&capture, other_case, 1, "2 4 ");
    const char *const several[] = {"rest", " 1 ", "Place", "3"};
    assert_picked(&capture, several, 4, "3 1 2 4 ");
    const char *const name_first[] = {"7"};
    assert_picked(&capture, name_first, 1, "5 ");
    capture_deinit(&capture);
}

static void wrong_words_are_told_with_what_there_is(void **state)
{
    (void)state;
    struct capture capture;
    read_mixture(&capture);
    assert_not_picked(&capture, "6", ERR_USAGE, "the numbers go from 1 to 5");
    assert_not_picked(&capture, "0", ERR_USAGE, "the numbers go from 1 to 5");
    assert_not_picked(&capture, "Plaec", ERR_USAGE, "the nearest is \"Place\"");
    assert_not_picked(&capture, "nothing like it", ERR_USAGE, "1 logo.png (GET), 2 Place (POST)");
    capture_deinit(&capture);
}

static void an_empty_choice_is_an_error(void **state)
{
    (void)state;
    struct capture capture;
    read_literal(&capture, "GET http://h/a HTTP/1.1\n\n");
    assert_not_picked(&capture, NULL, ERR_FORMAT, "no POST is in it");
    capture_deinit(&capture);
    read_literal(&capture, "POST http://h/a HTTP/1.1\n\n{}\n\nPOST http://h/b HTTP/1.1\n\n{}");
    assert_not_picked(&capture, NULL, ERR_FORMAT, "no POST in it has a SOAP message");
    capture_deinit(&capture);
}

static void one_message_with_a_body_needs_no_envelope(void **state)
{
    (void)state;
    struct capture capture;
    read_literal(&capture, "POST http://h/a HTTP/1.1\n\n{}");
    assert_picked(&capture, NULL, 0, "1 ");
    capture_deinit(&capture);
    read_literal(&capture, "any bytes");
    assert_picked(&capture, NULL, 0, "1 ");
    capture_deinit(&capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(soap_posts_are_taken_in_order),
        cmocka_unit_test(words_are_numbers_or_names),
        cmocka_unit_test(wrong_words_are_told_with_what_there_is),
        cmocka_unit_test(an_empty_choice_is_an_error),
        cmocka_unit_test(one_message_with_a_body_needs_no_envelope),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
