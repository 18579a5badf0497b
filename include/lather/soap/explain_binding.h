/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_EXPLAIN_BINDING_H
#define LATHER_SOAP_EXPLAIN_BINDING_H

#include "lather/base/buf.h"
#include "lather/soap/explain.h"

/*
 * Appends the binding of WCF (and what other stacks have in its place) that a message was most
 * likely made for: a guess from version, addressing, security and media type.
 */
void explain_binding_append(const struct explain_request *request, struct buf *text);

#endif
