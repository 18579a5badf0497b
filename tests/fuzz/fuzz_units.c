/* SPDX-License-Identifier: Apache-2.0 */
/* Durations, sizes and counts as options take them: a value within its bounds, or a sentence. */
#include <string.h>

#include "fuzz.h"
#include "lather/base/check.h"
#include "lather/base/units.h"

static const uint64_t TEN_YEARS_NS = 10ULL * 365 * 24 * 3600 * 1000000000;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = str_of((const char *)data, size);
    char words[UNITS_TEXT_SIZE];
    uint64_t value = 0;
    struct err err = {0};

    if (units_parse_duration_ns(text, &value, &err)) {
        CHECK(value <= TEN_YEARS_NS);
        CHECK(strlen(units_format_duration(value, words)) < sizeof words);
    } else {
        CHECK(err.text[0] != '\0');
    }

    err = (struct err){0};
    if (units_parse_size_bytes(text, &value, &err)) {
        CHECK(strlen(units_format_size(value, words)) < sizeof words);
    } else {
        CHECK(err.text[0] != '\0');
    }

    err = (struct err){0};
    if (units_parse_count(text, 1, 1000000, &value, &err)) {
        CHECK(value >= 1 && value <= 1000000);
    } else {
        CHECK(err.text[0] != '\0');
    }
    return 0;
}
