/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CAPTURE_SOAPUI_H
#define LATHER_CAPTURE_SOAPUI_H

#include <stdbool.h>

#include "lather/base/err.h"
#include "lather/base/str.h"
#include "lather/capture/capture.h"

/*
 * Reads a SoapUI project: the requests of its test steps, or, where it has none, of its interfaces.
 * False for encrypted and composite projects.
 * What it finds goes to capture; the kind is set already.
 */
bool soapui_read(struct str content, struct capture *capture, struct err *err) MUST_USE;

#endif
