/* SPDX-License-Identifier: Apache-2.0 */
/* Text from a server on its way into a report: it cannot end the line, drive a terminal or break
 * out of HTML. */
#include <string.h>

#include "fuzz.h"
#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/report/clean.h"

static void check_no_control(struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        CHECK((unsigned char)text.data[i] >= ' ' && text.data[i] != 0x7F);
        bool is_c1 =
            i > 0 && (unsigned char)text.data[i - 1] == 0xC2 && (unsigned char)text.data[i] < 0xA0;
        CHECK(!is_c1);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = str_of((const char *)data, size);
    struct buf once;
    struct buf twice;
    buf_init(&once);
    buf_init(&twice);

    clean_utf8(&once, text);
    clean_utf8(&twice, buf_view(&once));
    CHECK(str_equals(buf_view(&once), buf_view(&twice)));

    buf_reset(&once);
    clean_line(&once, text);
    check_no_control(buf_view(&once));

    buf_reset(&twice);
    clean_html(&twice, text);
    check_no_control(buf_view(&twice));
    CHECK(twice.len == 0 || (memchr(twice.data, '<', twice.len) == NULL &&
                             memchr(twice.data, '"', twice.len) == NULL &&
                             memchr(twice.data, '\'', twice.len) == NULL));
    buf_deinit(&once);
    buf_deinit(&twice);
    return 0;
}
