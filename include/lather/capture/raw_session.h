/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CAPTURE_RAW_SESSION_H
#define LATHER_CAPTURE_RAW_SESSION_H

#include <stdbool.h>

#include "lather/base/str.h"
#include "lather/capture/capture.h"

/* How the head of a recorded request was. */
enum raw_session_head {
    RAW_SESSION_HEAD_WHOLE = 0,
    RAW_SESSION_HEAD_TOO_LARGE,
    RAW_SESSION_HEAD_COUNT
};

/*
 * Takes a request line and its fields off the front of rest into message, whose place must be set;
 * rest is then the body. rest must begin with a request line (http_text).
 */
enum raw_session_head raw_session_take_head(struct str *rest, struct capture *capture,
                                            struct capture_message *message);

/*
 * Hands the message, body included, to the capture, or skips it with the reason: a CONNECT, a head
 * too large, a body that was announced and is not there, XML that ends before it should. Its
 * content is taken in every case. True when it is in the list.
 */
bool raw_session_import(struct capture *capture, struct capture_message *message,
                        enum raw_session_head head);

#endif
