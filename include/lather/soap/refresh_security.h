/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_REFRESH_SECURITY_H
#define LATHER_SOAP_REFRESH_SECURITY_H

#include <stdbool.h>

#include "lather/base/check.h"
#include "lather/base/err.h"

struct refresh_work;

/*
 * Called after the MARKUP_START of a Security header; moves to its MARKUP_END. Fails only for a
 * password that is too long.
 */
bool refresh_security(struct refresh_work *work, struct err *err) MUST_USE;

/*
 * Adds the token and Timestamp of options->adds_token, those that are not there, to the edit that
 * is begun: as children of a Security header.
 */
bool refresh_security_add(struct refresh_work *work, struct err *err) MUST_USE;

#endif
