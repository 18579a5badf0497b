/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CAPTURE_MIME_BODY_H
#define LATHER_CAPTURE_MIME_BODY_H

#include <stdbool.h>

#include "lather/base/err.h"
#include "lather/base/str.h"
#include "lather/capture/capture.h"

/*
 * Whether a file is a multipart body: its first line that is not empty is a boundary, with fields
 * of a part behind it, or it begins with MIME's own fields.
 */
bool mime_body_begins(struct str content);

/*
 * Reads a multipart body. The fields in front of it, if there are any, become the message's;
 * without them Content-Type is made from the boundary and the root part (RFC 2387, XOP 1.0
 * section 4.1). The body's bytes stay as they are.
 */
bool mime_body_read(struct str content, struct capture *capture, struct err *err) MUST_USE;

#endif
