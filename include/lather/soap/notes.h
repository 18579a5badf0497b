/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_NOTES_H
#define LATHER_SOAP_NOTES_H

#include "lather/base/buf.h"
#include "lather/soap/binding.h"

/*
 * Appends what a tester should know before the run, a line each ("...\n"): type and envelope that
 * do not fit, an action that is absent or contradicts wsa:Action, addressing that lacks a block, a
 * byte order mark, a wrong declaration, an envelope that is not well-formed. Nothing when all is
 * usual.
 */
void notes_append(const struct binding_request *request, const struct binding *binding,
                  struct buf *notes);

#endif
