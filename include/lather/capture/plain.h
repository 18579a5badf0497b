/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CAPTURE_PLAIN_H
#define LATHER_CAPTURE_PLAIN_H

#include <stdbool.h>

#include "lather/base/err.h"
#include "lather/base/str.h"
#include "lather/capture/capture.h"

/*
 * Takes the whole content as one body, without method, URL or fields: XML and any other bytes.
 * What it finds goes to capture; the kind is set already.
 */
bool plain_read(struct str content, struct capture *capture, struct err *err) MUST_USE;

#endif
