/* SPDX-License-Identifier: Apache-2.0 */
/* Command lines in every dialect. Devices are not opened: they have no end. */
#include "capture_promises.h"
#include "fuzz.h"
#include "lather/capture/curl_line.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = str_of((const char *)data, size);
    if (str_find(text, STR("dev")) != SIZE_MAX || str_find(text, STR("proc")) != SIZE_MAX) {
        return 0;
    }
    read_and_check(curl_line_read, CAPTURE_CURL, data, size);
    return 0;
}
