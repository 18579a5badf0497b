/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CAPTURE_JMETER_H
#define LATHER_CAPTURE_JMETER_H

#include <stdbool.h>

#include "lather/base/err.h"
#include "lather/base/str.h"
#include "lather/capture/capture.h"

/*
 * Reads the HTTP samplers of a JMeter test plan, with the headers and defaults of their scopes.
 * What it finds goes to capture; the kind is set already.
 */
bool jmeter_read(struct str content, struct capture *capture, struct err *err) MUST_USE;

#endif
