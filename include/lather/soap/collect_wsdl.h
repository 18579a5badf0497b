/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_COLLECT_WSDL_H
#define LATHER_SOAP_COLLECT_WSDL_H

#include <stdbool.h>

#include "lather/base/check.h"

struct collect;

/* Adds a WSDL file to those to be read, once; the path is copied. False when there are too many. */
bool collect_wsdl_add(struct collect *all, const char *file) MUST_USE;

/*
 * Reads all WSDL files, also those that they import, and adds their schemas (WSDL 1.1, 2.1.1 and
 * 2.2). False, with the sentence in all->err, when one cannot be read, when all of its messages are
 * RPC or encoded, or when none holds a schema.
 */
bool collect_wsdl_read(struct collect *all) MUST_USE;

#endif
