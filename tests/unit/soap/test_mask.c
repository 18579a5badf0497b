/* SPDX-License-Identifier: Apache-2.0 */
/* Reasons of one kind become one text; reasons of different kinds stay apart. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lather/soap/mask.h"

static void check(const char *text, const char *expected)
{
    struct buf masked;
    buf_init(&masked);
    buf_append_str(&masked, STR(">"));
    mask_append(&masked, str_from(text));
    assert_int_equal(masked.data[0], '>');
    assert_string_equal(masked.data + 1, expected);
    buf_deinit(&masked);
}

static void plain_sentences_stay(void **state)
{
    (void)state;
    check("The request is not valid.", "The request is not valid.");
    check("Schl\xC3\xBCssel fehlt", "Schl\xC3\xBCssel fehlt");
    check(" two\r\n\t words ", "two words");
}

static void digits_become_one_sign(void **state)
{
    (void)state;
    check("Order 4711 has 3 lines", "Order # has # lines");
    check("ORA-01017: denied", "ORA-#: denied");
    check("12.50 EUR", "#.# EUR");
    check("port 8080", "port #");
}

static void guids_and_long_hexadecimal_words_become_ids(void **state)
{
    (void)state;
    check("id 550e8400-e29b-41d4-a716-446655440000.", "id {id}.");
    check("urn:uuid:550E8400-E29B-41D4-A716-446655440000", "urn:uuid:{id}");
    check("at 0x7ffe12ab", "at {id}");
    check("trace 4bf92f3577b34da6a3ce929d0e0e4736 end", "trace {id} end");
    check("a faced decade", "a faced decade");
    check("deadbeef", "deadbeef");
    check("550e8400-e29b-41d4-a716-44665544000g", "{id}-e#b-#d#-a#-#g");
}

static void dates_and_times_become_one_sign(void **state)
{
    (void)state;
    check("at 2024-01-31T10:15:30.123Z on", "at {date} on");
    check("at 2024-01-31 10:15:30 on", "at {date} on");
    check("at 2024-01-31T10:15:30+01:00.", "at {date}.");
    check("since 1/31/2024 1:15:30 PM", "since {date}");
    check("since 2024-01-31", "since {date}");
    check("at 10:15:30,5", "at {date}");
}

static void quotations_become_one_sign_and_apostrophes_stay(void **state)
{
    (void)state;
    check("The header 'a' from 'urn:x' is wrong", "The header '...' from '...' is wrong");
    check("got \"x y\"", "got '...'");
    check("It doesn't and can't", "It doesn't and can't");
    check("the users' choice", "the users' choice");
    check("'it's here' ok", "'...' ok");
    check("open 'end", "open 'end");
    check("\xE2\x80\x98x\xE2\x80\x99 and \xE2\x80\x9Cy\xE2\x80\x9D", "'...' and '...'");
}

static void long_reasons_are_cut_between_characters(void **state)
{
    (void)state;
    char text[4001];
    for (size_t i = 0; i < 4000; i += 2) {
        memcpy(text + i, "\xC3\xBC", 2);
    }
    text[4000] = '\0';
    for (size_t shift = 0; shift < 2; shift++) {
        text[0] = 'x';
        struct buf masked;
        buf_init(&masked);
        mask_append(&masked, str_from(text + shift));
        assert_true(masked.len <= MASK_CEILING);
        assert_true(str_ends_with(buf_view(&masked), STR("...")));
        assert_true(((unsigned char)masked.data[masked.len - 4] & 0xC0) == 0x80);
        assert_true(((unsigned char)masked.data[masked.len - 5]) == 0xC3);
        buf_deinit(&masked);
    }
}

/* What is looked at ends between characters too, whatever placeholders made of what is before. */
static void a_character_at_the_end_of_the_look_is_left_out_whole(void **state)
{
    (void)state;
    char text[MASK_LOOK + 2];
    memset(text, '9', sizeof(text));
    memcpy(text + MASK_LOOK - 1, "\xC3\xBC", 3);
    check(text, "#");
}

static void any_bytes_are_taken(void **state)
{
    (void)state;
    unsigned char bytes[512];
    for (size_t i = 0; i < sizeof(bytes); i++) {
        bytes[i] = (unsigned char)i;
    }
    for (size_t len = 0; len <= sizeof(bytes); len++) {
        struct buf masked;
        buf_init(&masked);
        mask_append(&masked, str_of((const char *)bytes, len));
        assert_true(masked.len <= MASK_CEILING);
        buf_deinit(&masked);
    }
    check("", "");
    check("'", "'");
    check("'''''", "'...''...''");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_sentences_stay),
        cmocka_unit_test(digits_become_one_sign),
        cmocka_unit_test(guids_and_long_hexadecimal_words_become_ids),
        cmocka_unit_test(dates_and_times_become_one_sign),
        cmocka_unit_test(quotations_become_one_sign_and_apostrophes_stay),
        cmocka_unit_test(long_reasons_are_cut_between_characters),
        cmocka_unit_test(a_character_at_the_end_of_the_look_is_left_out_whole),
        cmocka_unit_test(any_bytes_are_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
