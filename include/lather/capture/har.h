/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CAPTURE_HAR_H
#define LATHER_CAPTURE_HAR_H

#include <stdbool.h>

#include "lather/base/err.h"
#include "lather/base/str.h"
#include "lather/capture/capture.h"

/*
 * Reads an HTTP archive 1.2, entry by entry: a damaged or cut off end costs only what is behind it.
 * What it finds goes to capture; the kind is set already.
 */
bool har_read(struct str content, struct capture *capture, struct err *err) MUST_USE;

#endif
