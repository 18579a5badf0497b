/* SPDX-License-Identifier: Apache-2.0 */
/* Fiddler's archive: the ZIP as well as what is in it. */
#include "capture_promises.h"
#include "fuzz.h"
#include "lather/capture/saz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_and_check(saz_read, CAPTURE_SAZ, data, size);
    return 0;
}
