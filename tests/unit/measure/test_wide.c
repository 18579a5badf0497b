/* SPDX-License-Identifier: Apache-2.0 */
/* The exact sums rest on these few operations; each is checked against values worked out apart. */
#include "lather/measure/wide.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define GREATEST "115792089237316195423570985008687907853269984665640564039457584007913129639935"

static const struct wide greatest = {{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX}};

static void assert_near(double said, double exact, double tolerance)
{
    assert_true(fabs(said - exact) <= tolerance);
}

static void assert_digits(const struct wide *value, const char *digits)
{
    struct buf text;
    buf_init(&text);
    wide_format(value, &text);
    assert_string_equal(text.data, digits);
    buf_deinit(&text);
}

static void digits_are_written_and_read_back(void **state)
{
    (void)state;
    static const char *const numbers[] = {
        "0",
        "9",
        "10",
        "18446744073709551615",
        "18446744073709551616",
        "340282366920938463463374607431768211456",
        GREATEST,
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct wide value;
        assert_true(wide_parse(str_from(numbers[i]), &value));
        assert_digits(&value, numbers[i]);
    }
    assert_digits(&greatest, GREATEST);
}

static void what_is_no_number_or_too_great_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "-1",
        "+1",
        " 1",
        "1 ",
        "0x10",
        "1.0",
        "115792089237316195423570985008687907853269984665640564039457584007913129639936",
        "999999999999999999999999999999999999999999999999999999999999999999999999999999",
        "0000000000000000000000000000000000000000000000000000000000000000000000000000001",
    };
    struct wide value;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_false(wide_parse(str_from(texts[i]), &value));
    }
    assert_false(wide_parse(STR("1\0"), &value));
}

static void sums_carry_and_differences_borrow_across_limbs(void **state)
{
    (void)state;
    struct wide one = wide_from_u64(1);
    struct wide sum = {{UINT64_MAX, UINT64_MAX, UINT64_MAX, 0}};
    wide_add(&sum, &one);
    assert_memory_equal(&sum, (&(struct wide){{0, 0, 0, 1}}), sizeof sum);
    struct wide back = wide_subtract(&sum, &one);
    assert_memory_equal(&back, (&(struct wide){{UINT64_MAX, UINT64_MAX, UINT64_MAX, 0}}),
                        sizeof back);
    back = wide_subtract(&greatest, &greatest);
    assert_digits(&back, "0");
}

static void products_are_exact(void **state)
{
    (void)state;
    struct wide square = wide_from_product(UINT64_MAX, UINT64_MAX);
    assert_digits(&square, "340282366920938463426481119284349108225");
    struct wide fourth = wide_multiply(&square, &square);
    assert_digits(&fourth, "115792089237316195398462578067141184799968521174335529155754622898352"
                           "762650625");
}

static void comparison_looks_at_the_highest_limb_first(void **state)
{
    (void)state;
    struct wide low = {{UINT64_MAX, UINT64_MAX, UINT64_MAX, 1}};
    struct wide high = {{0, 0, 0, 2}};
    assert_true(wide_compare(&low, &high) < 0);
    assert_true(wide_compare(&high, &low) > 0);
    assert_int_equal(wide_compare(&high, &high), 0);
}

static void doubles_are_near(void **state)
{
    (void)state;
    struct wide value = {{0, 0, 0, 1}};
    assert_near(wide_to_double(&value), 6.2771017353866808e57, 1e42);
    value = wide_from_u64(12345);
    assert_near(wide_to_double(&value), 12345, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(digits_are_written_and_read_back),
        cmocka_unit_test(what_is_no_number_or_too_great_is_refused),
        cmocka_unit_test(sums_carry_and_differences_borrow_across_limbs),
        cmocka_unit_test(products_are_exact),
        cmocka_unit_test(comparison_looks_at_the_highest_limb_first),
        cmocka_unit_test(doubles_are_near),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
