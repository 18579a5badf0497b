/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_COLLECT_PARTS_H
#define LATHER_SOAP_COLLECT_PARTS_H

#include <libxml/tree.h>
#include <stdbool.h>
#include <stddef.h>

#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/soap/collect.h"

/*
 * The inside of collecting schemas, for the collect*.c alone: everybody else keeps to
 * soap/collect.h. First all files are read (collect.c, collect_wsdl.c), then texts are made of what
 * was found (collect_texts.c).
 */

#define XSD_NAMESPACE  "http://www.w3.org/2001/XMLSchema"
#define WSDL_NAMESPACE "http://schemas.xmlsoap.org/wsdl/"

/* One schema element, in a document of its own. */
struct collect_part {
    xmlDocPtr tree;
    char *folder;   /* that its relative locations start from */
    char *file;     /* it came from; for an inline schema: of the WSDL */
    bool is_sought; /* for itself: given, inline or imported; otherwise only included */
    bool is_inline;
};

/* What was collected so far; owned by collect_schemas. */
struct collect {
    struct collect_part parts[COLLECT_FILES_CEILING];
    size_t part_count;
    char *wsdl_files[COLLECT_FILES_CEILING];
    size_t wsdl_count;
    const char *namespaces[COLLECT_FILES_CEILING]; /* of the parts' trees */
    size_t namespace_count;
    bool has_rpc;      /* some binding of RPC style, or some encoded message */
    bool has_document; /* some binding of document style */
    struct err *err;   /* where all failures go */
};

/* Whether a node is the element {uri}name. */
bool collect_is_element(const xmlNode *node, const char *uri, const char *name);

/* An attribute's value, "" when absent; to be freed with free. */
char *collect_attribute(xmlNodePtr node, const char *name) MUST_USE;

/* A file as a tree, in whatever encoding; NULL with the sentence in err. The caller frees it. */
xmlDocPtr collect_read_tree(const char *path, struct err *err) MUST_USE;

/* Adds a schema found in `file`; takes the tree, also when there are too many: NULL then. */
struct collect_part *collect_add_part(struct collect *all, xmlDocPtr tree,
                                      const char *file) MUST_USE;

/* The schema of a file, read once; *index tells which part it is. */
bool collect_add_file(struct collect *all, const char *file, size_t *index) MUST_USE;

#endif
