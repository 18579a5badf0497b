/* SPDX-License-Identifier: Apache-2.0 */
/* WCF's message log. */
#include "capture_promises.h"
#include "fuzz.h"
#include "lather/capture/svclog.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_and_check(svclog_read, CAPTURE_SVCLOG, data, size);
    return 0;
}
