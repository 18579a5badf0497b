/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CAPTURE_CURL_LINE_H
#define LATHER_CAPTURE_CURL_LINE_H

#include <stdbool.h>

#include "lather/base/err.h"
#include "lather/base/str.h"
#include "lather/capture/capture.h"

/*
 * Reads curl command lines as copied from browsers and tools for bash or cmd. Files they name are
 * read from the capture's folder. What it finds goes to capture; the kind is set already.
 */
bool curl_line_read(struct str content, struct capture *capture, struct err *err) MUST_USE;

#endif
