/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CAPTURE_HEAD_RULES_H
#define LATHER_CAPTURE_HEAD_RULES_H

#include "lather/capture/capture.h"

/*
 * Takes out of a recorded head what is not sent again: what belongs to the connection or is
 * computed anew (Host, Content-Length, Transfer-Encoding, hop-by-hop fields, Expect), handshakes of
 * authentication, cookies, conditions, debugger data. Accept-Encoding is reduced to "gzip,
 * deflate". Everything else stays as it was written. Credentials for Basic stay a field. Notes tell
 * all of it, and what is kept but may not fit any more (digests, tokens). Content-Encoding is not
 * touched.
 */
void head_rules_apply(struct capture *capture, struct capture_message *message);

#endif
