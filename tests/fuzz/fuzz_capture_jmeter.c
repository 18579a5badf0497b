/* SPDX-License-Identifier: Apache-2.0 */
/* JMeter's test plans. */
#include "capture_promises.h"
#include "fuzz.h"
#include "lather/capture/jmeter.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_and_check(jmeter_read, CAPTURE_JMETER, data, size);
    return 0;
}
