/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CAPTURE_SAZ_H
#define LATHER_CAPTURE_SAZ_H

#include <stdbool.h>

#include "lather/base/err.h"
#include "lather/base/str.h"
#include "lather/capture/capture.h"

/*
 * Reads Fiddler's archive: the requests in raw/, in the order of their numbers. False when it is a
 * damaged ZIP, has a password or holds no session. No entry is unpacked beyond
 * CAPTURE_BODY_CEILING. What it finds goes to capture; the kind is set already.
 */
bool saz_read(struct str content, struct capture *capture, struct err *err) MUST_USE;

#endif
