/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_SCHEMA_H
#define LATHER_SOAP_SCHEMA_H

#include <stdbool.h>

#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/base/err.h"

struct _xmlNode;

/*
 * XML schemas (XSD 1.0) of the contents of Body, compiled once; any thread may validate with them.
 * Made before threads start: libxml2's hook for loading is set up by then (judge_setup).
 */
struct schema;

/*
 * Reads a schema file with all it imports and includes, from disk only: relative locations beside
 * it. For a location of the network a file of that name beside the schema is taken, when there is
 * one; imports without a file are left out. NULL with the sentence in err.
 */
struct schema *schema_load_xsd(const char *path, struct err *err) MUST_USE;

/*
 * The schemas inside a WSDL 1.1 file, in its imported WSDL files and beside them. They may import
 * each other without a location, several may have one namespace. RPC and encoded messages cannot be
 * checked by schema: a WSDL that has only those is refused.
 */
struct schema *schema_load_wsdl(const char *path, struct err *err) MUST_USE;
void schema_free(struct schema *schema);

/* What validates: one a thread, kept for many answers; schema must outlive it. */
struct schema_reader;

/* Freed with schema_reader_free, which takes NULL. */
struct schema_reader *schema_reader_new(const struct schema *schema) MUST_USE;
void schema_reader_free(struct schema_reader *reader);

/*
 * Whether every element in Body fits the schemas. Otherwise appends the first violations, each
 * with its element and reason. xop:Include elements stand for the binary text they replace; they
 * are taken out of the tree.
 */
bool schema_is_valid(struct schema_reader *reader, struct _xmlNode *body,
                     struct buf *sentence) MUST_USE;

/* Of one answer, so many violations are told. */
enum { SCHEMA_VIOLATIONS_TOLD = 3 };

#endif
