/* SPDX-License-Identifier: Apache-2.0 */
/* Saved results, for the commands that need no run. What is in them is for the report floor. */
#include "lather/cli/result_file.h"

#include "lather/base/file.h"
#include "lather/report/result_json_read.h"

/* The largest lather writes is some 10 MB: every interval full and 1000 long reasons. */
static const uint64_t RESULT_CEILING = 256ULL << 20;

bool result_file_read(const char *path, struct summary **summary, struct err *err)
{
    struct buf content;
    buf_init(&content);
    bool is_read = file_read(path, RESULT_CEILING, &content, err);
    if (is_read && !result_json_read(buf_view(&content), summary, err)) {
        struct err reason = *err;
        is_read = err_set(err, reason.code, "%.200s: not a result that can be read: %.280s", path,
                          reason.text);
    }
    buf_deinit(&content);
    return is_read;
}
