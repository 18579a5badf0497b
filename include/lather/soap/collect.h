/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_COLLECT_H
#define LATHER_SOAP_COLLECT_H

#include <stdbool.h>

#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/soap/loader.h"

enum {
    COLLECT_FILES_CEILING = 500,              /* schema and WSDL files of one service */
    COLLECT_BYTES_CEILING = 64 * 1024 * 1024, /* of one file */
};

/* The name under which the collected schemas' driver is loaded: it imports all the others. */
#define COLLECT_DRIVER "lather:driver"

/* What to read. */
enum collect_kind { COLLECT_XSD = 0, COLLECT_WSDL };

/*
 * Collects a schema, or the schemas of a WSDL, and everything they refer to into texts for the
 * loader, with every location rewritten to the name of a text. From disk only.
 */
bool collect_schemas(struct loader *loader, const char *path, enum collect_kind kind,
                     struct err *err) MUST_USE;

#endif
