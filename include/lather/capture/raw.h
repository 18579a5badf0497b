/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CAPTURE_RAW_H
#define LATHER_CAPTURE_RAW_H

#include <stdbool.h>

#include "lather/base/err.h"
#include "lather/base/str.h"
#include "lather/capture/capture.h"

/*
 * Reads HTTP messages as text, as Fiddler saves and copies them: one session or several, answers
 * in between, CONNECTs skipped, line ends of either kind (docs/CAPTURES, "Fiddler raw text").
 * What it finds goes to capture; the kind is set already.
 */
bool raw_read(struct str content, struct capture *capture, struct err *err) MUST_USE;

#endif
