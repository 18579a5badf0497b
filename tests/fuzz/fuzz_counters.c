/* SPDX-License-Identifier: Apache-2.0 */
/* A server's counters: refused with a sentence that names the file, or drawn whatever they hold. */
#include "fuzz.h"
#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/measure/summary.h"
#include "lather/report/counters.h"
#include "lather/report/html.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct buf content;
    struct counters *counters = NULL;
    struct err err = {0};
    buf_init(&content);
    buf_append(&content, data, size);
    if (!counters_parse("c.csv", &content, &counters, &err)) {
        CHECK(str_starts_with(str_from(err.text), STR("c.csv")));
        return 0;
    }
    CHECK(content.len == 0 && counters_rows(counters) > 0);
    for (size_t i = 1; i < counters_rows(counters); i++) {
        CHECK(counters_time_ns(counters, i - 1) <= counters_time_ns(counters, i));
    }
    struct summary *summary = summary_new();
    summary->wall_start_ns = counters_time_ns(counters, 0);
    summary->duration_ns = 2000000000;
    summary->tally->started = 1;
    tally_add(summary->tally,
              &(struct sample){.outcome = OUTCOME_OK, .status = 200, .total_ns = 1000}, NULL);
    html_write(&content, summary, counters);
    CHECK(str_find(buf_view(&content), STR("id=\"counter-1\"")) != SIZE_MAX);
    summary_free(summary);
    counters_free(counters);
    buf_deinit(&content);
    return 0;
}
