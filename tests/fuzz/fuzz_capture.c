/* SPDX-License-Identifier: Apache-2.0 */
/* Any file given as the message: recognised, read, and the choice of what is sent. */
#include "capture_promises.h"
#include "fuzz.h"
#include "lather/capture/pick.h"

static void check_pick(const struct capture *capture)
{
    struct pick pick;
    struct err err = {.code = ERR_NONE};
    if (pick_messages(capture, NULL, 0, &pick, &err)) {
        CHECK(pick.count > 0 && pick.count <= capture->count);
        CHECK(pick.indices[pick.count - 1] < capture->count);
    } else {
        check_is_printable(err.text);
    }
    pick_deinit(&pick);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str content = str_of((const char *)data, size);
    if (str_find(content, STR("dev")) != SIZE_MAX || str_find(content, STR("proc")) != SIZE_MAX) {
        return 0; /* a curl command may name a device, which has no end */
    }
    struct capture capture;
    struct err err = {.code = ERR_NONE};
    if (capture_read(content, "no/such/folder/fuzz", &capture, &err)) {
        CHECK(capture.count > 0);
        check_capture(&capture);
        check_pick(&capture);
    } else {
        CHECK(err.code == ERR_FORMAT && capture.messages == NULL);
        check_is_printable(err.text);
    }
    capture_deinit(&capture);
    return 0;
}
