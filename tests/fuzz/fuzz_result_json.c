/* SPDX-License-Identifier: Apache-2.0 */
/* A saved result: refused with a sentence, or read so that writing and reading it again changes
 * nothing. */
#include "fuzz.h"
#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/report/result_json.h"
#include "lather/report/result_json_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct summary *summary = NULL;
    struct err err = {0};
    if (!result_json_read(str_of((const char *)data, size), &summary, &err)) {
        CHECK(err.code != ERR_NONE && err.text[0] != '\0');
        return 0;
    }
    struct buf first;
    struct buf second;
    buf_init(&first);
    buf_init(&second);
    result_json_write(&first, summary);
    summary_free(summary);

    bool read = result_json_read(buf_view(&first), &summary, &err);
    CHECK(read);
    result_json_write(&second, summary);
    CHECK(str_equals(buf_view(&first), buf_view(&second)));
    summary_free(summary);
    buf_deinit(&first);
    buf_deinit(&second);
    return 0;
}
