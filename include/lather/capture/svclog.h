/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CAPTURE_SVCLOG_H
#define LATHER_CAPTURE_SVCLOG_H

#include <stdbool.h>

#include "lather/base/err.h"
#include "lather/base/str.h"
#include "lather/capture/capture.h"

/*
 * Reads a message log of WCF: the requests of the transport level, or else of the service level.
 * What it finds goes to capture; the kind is set already.
 */
bool svclog_read(struct str content, struct capture *capture, struct err *err) MUST_USE;

#endif
