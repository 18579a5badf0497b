/* SPDX-License-Identifier: Apache-2.0 */
/* Postman collections. */
#include "capture_promises.h"
#include "fuzz.h"
#include "lather/capture/postman.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_and_check(postman_read, CAPTURE_POSTMAN, data, size);
    return 0;
}
