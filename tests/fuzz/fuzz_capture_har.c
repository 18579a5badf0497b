/* SPDX-License-Identifier: Apache-2.0 */
/* HTTP archives. */
#include "capture_promises.h"
#include "fuzz.h"
#include "lather/capture/har.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_and_check(har_read, CAPTURE_HAR, data, size);
    return 0;
}
