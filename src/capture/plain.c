/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The file that is the body itself, which most messages given are: nothing is taken off or added,
 * byte order mark and last line end included. Content type and action follow later from the
 * envelope and the options, so the head stays empty here.
 */
#include "lather/capture/plain.h"

#include "lather/capture/gather.h"
#include "lather/soap/envelope.h"

bool plain_read(struct str content, struct capture *capture, struct err *err)
{
    (void)err;
    struct envelope envelope;
    envelope_read(&envelope, content);
    struct capture_message message = {
        .name = str_dup(STR("message")),
        .place = str_dup(STR("the whole file")),
        .method = str_dup(STR("")),
        .url = str_dup(STR("")),
        .soap_action = str_dup(STR("")),
        .has_body = true,
        .soap_version = envelope.version,
    };
    buf_append_str(&message.body, content);
    envelope_deinit(&envelope);
    (void)gather_message(capture, &message);
    return true;
}
