/* SPDX-License-Identifier: Apache-2.0 */
/* SoapUI projects, their assertions included. */
#include "capture_promises.h"
#include "fuzz.h"
#include "lather/capture/soapui.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_and_check(soapui_read, CAPTURE_SOAPUI, data, size);
    return 0;
}
