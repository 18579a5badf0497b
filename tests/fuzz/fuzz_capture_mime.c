/* SPDX-License-Identifier: Apache-2.0 */
/* Multipart bodies. */
#include "capture_promises.h"
#include "fuzz.h"
#include "lather/capture/mime_body.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_and_check(mime_body_read, CAPTURE_MIME, data, size);
    return 0;
}
