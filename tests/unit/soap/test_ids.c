/* SPDX-License-Identifier: Apache-2.0 */
/* Ids are UUIDs of version 4, each handed out once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "lather/base/str.h"
#include "lather/soap/ids.h"

/* Counts upward, so that what should come out is known. */
static void take_counted(void *context, void *bytes, size_t count)
{
    unsigned *next = context;
    unsigned char *place = bytes;
    for (size_t i = 0; i < count; i++) {
        place[i] = (unsigned char)(*next)++;
    }
}

static void ids_are_written_in_each_style(void **state)
{
    (void)state;
    static const char *const expected[IDS_STYLE_COUNT] = {
        [IDS_DASHED] = "f0f1f2f3-f4f5-46f7-b8f9-fafbfcfdfeff",
        [IDS_BARE] = "f0f1f2f3f4f546f7b8f9fafbfcfdfeff",
        [IDS_DASHED | IDS_UPPER] = "F0F1F2F3-F4F5-46F7-B8F9-FAFBFCFDFEFF",
        [IDS_BARE | IDS_UPPER] = "F0F1F2F3F4F546F7B8F9FAFBFCFDFEFF",
    };
    for (int style = 0; style < IDS_STYLE_COUNT; style++) {
        unsigned next = 0xF0;
        struct ids ids;
        ids_init(&ids, (struct ids_origin){take_counted, &next});
        char text[40];
        size_t len = ids_put_uuid(&ids, (enum ids_style)style, text);
        assert_int_equal(len, ids_uuid_bytes((enum ids_style)style));
        assert_true(str_equals(str_of(text, len), str_from(expected[style])));
    }
}

static void no_byte_is_handed_out_twice(void **state)
{
    (void)state;
    unsigned next = 0;
    struct ids ids;
    ids_init(&ids, (struct ids_origin){take_counted, &next});
    assert_int_equal(next, 0); /* nothing is drawn before it is needed */
    unsigned char expected = 0;
    for (size_t i = 0; i < IDS_BLOCK_BYTES / 16; i++) {
        const unsigned char *bytes = ids_take(&ids, 16);
        for (size_t j = 0; j < 16; j++) {
            assert_int_equal(bytes[j], expected++);
        }
        assert_int_equal(next, IDS_BLOCK_BYTES);
    }
    (void)ids_take(&ids, 1);
    assert_int_equal(next, 2 * IDS_BLOCK_BYTES);
    /* What does not fit into the rest of a block comes whole from the next one. */
    for (size_t i = 0; i < 63; i++) {
        (void)ids_take(&ids, 64);
    }
    (void)ids_take(&ids, 64);
    assert_int_equal(next, 3 * IDS_BLOCK_BYTES);
}

static int compare_ids(const void *a, const void *b)
{
    return memcmp(a, b, 36);
}

static bool is_version_4(const char *id)
{
    for (size_t i = 0; i < 36; i++) {
        bool is_dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (is_dash ? id[i] != '-' : strchr("0123456789abcdef", id[i]) == NULL) {
            return false;
        }
    }
    return id[14] == '4' && strchr("89ab", id[19]) != NULL;
}

static void a_million_ids_of_four_workers_are_different_and_well_formed(void **state)
{
    (void)state;
    enum { WORKERS = 4, EACH = 250000 };
    char(*all)[36] = malloc((size_t)WORKERS * EACH * sizeof *all);
    assert_non_null(all);
    size_t count = 0;
    for (size_t worker = 0; worker < WORKERS; worker++) {
        struct ids ids;
        ids_init(&ids, ids_system_origin());
        for (size_t i = 0; i < EACH; i++) {
            (void)ids_put_uuid(&ids, IDS_DASHED, all[count]);
            assert_true(is_version_4(all[count]));
            count++;
        }
    }
    qsort(all, count, sizeof *all, compare_ids);
    for (size_t i = 1; i < count; i++) {
        assert_true(memcmp(all[i - 1], all[i], 36) != 0);
    }
    free(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_are_written_in_each_style),
        cmocka_unit_test(no_byte_is_handed_out_twice),
        cmocka_unit_test(a_million_ids_of_four_workers_are_different_and_well_formed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
