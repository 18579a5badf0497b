/* SPDX-License-Identifier: Apache-2.0 */
/* Sessions as text. */
#include "capture_promises.h"
#include "fuzz.h"
#include "lather/capture/raw.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_and_check(raw_read, CAPTURE_RAW, data, size);
    return 0;
}
