/* SPDX-License-Identifier: Apache-2.0 */
/* A saved result: what is accepted prints every report, and written and read again it is the same. */
#include <string.h>

#include "fuzz.h"
#include "lather/base/check.h"
#include "lather/report/percentile_csv.h"
#include "lather/report/result_json.h"
#include "lather/report/result_json_read.h"
#include "lather/report/text.h"

static void print_reports(struct buf *out, const struct summary *summary)
{
    static const struct report_options options;
    buf_init(out);
    text_report(out, summary, &options);
    percentile_csv_write(out, summary);
}

static void check_reads_again(const struct summary *summary)
{
    struct buf json;
    buf_init(&json);
    result_json_write(&json, summary);
    struct summary *again = NULL;
    struct err err;
    bool read = result_json_read(buf_view(&json), &again, &err);
    CHECK(read);
    struct buf before;
    struct buf after;
    print_reports(&before, summary);
    print_reports(&after, again);
    CHECK(str_equals(buf_view(&before), buf_view(&after)));
    buf_deinit(&before);
    buf_deinit(&after);
    buf_deinit(&json);
    summary_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct summary *summary = NULL;
    struct err err = {0};
    if (result_json_read(str_of((const char *)data, size), &summary, &err)) {
        check_reads_again(summary);
        summary_free(summary);
    } else {
        CHECK(summary == NULL);
        CHECK(err.code != ERR_NONE && err.text[0] != '\0');
        CHECK(strpbrk(err.text, "\r\n") == NULL);
    }
    return 0;
}
