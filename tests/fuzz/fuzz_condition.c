/* SPDX-License-Identifier: Apache-2.0 */
/* A condition and a list of percentiles: refused with a sentence, or judged without harm. */
#include "fuzz.h"
#include "lather/base/check.h"
#include "lather/measure/condition.h"
#include "lather/measure/percentiles.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct str text = str_of((const char *)data, size);
    struct condition condition;
    struct percentiles percentiles;
    struct err err = {0};
    if (condition_parse(text, &condition, &err)) {
        struct condition_verdict verdict;
        struct tally *tally = tally_new();
        condition_judge(&condition, tally, 1, &verdict);
        CHECK(verdict.found[0] != '\0');
        tally->started = 1;
        const struct group_key why = {.code = STR("{a}b"), .subcodes = STR("{c/d}e/{f}g")};
        tally_add(tally, &(struct sample){.outcome = OUTCOME_FAULT, .status = 500}, &why);
        condition_judge(&condition, tally, 1, &verdict);
        CHECK(verdict.found[0] != '\0');
        tally_free(tally);
    } else {
        CHECK(err.text[0] != '\0');
    }
    if (percentiles_parse(text, &percentiles, &err)) {
        CHECK(percentiles.count > 0 && percentiles.count <= PERCENTILES_CEILING);
    }
    return 0;
}
