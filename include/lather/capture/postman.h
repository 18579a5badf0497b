/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CAPTURE_POSTMAN_H
#define LATHER_CAPTURE_POSTMAN_H

#include <stdbool.h>

#include "lather/base/err.h"
#include "lather/base/str.h"
#include "lather/capture/capture.h"

/*
 * Reads a Postman collection 2.0 or 2.1, or a bare array of its items.
 * What it finds goes to capture; the kind is set already.
 */
bool postman_read(struct str content, struct capture *capture, struct err *err) MUST_USE;

#endif
