/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SERVE_XML_SCAN_H
#define LATHER_SERVE_XML_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#include "lather/base/check.h"
#include "lather/base/str.h"

/*
 * Reads the elements of a SOAP message one by one, without a tree and without allocating: about
 * 1 us a KB, so that the service is never what a load test measures. It refuses what is not
 * well-formed, not UTF-8, or not allowed in SOAP (DOCTYPE, processing instructions). Two things
 * are left unchecked: attributes given twice, and letters beyond ASCII in names.
 */
enum {
    XML_SCAN_DEPTH_CEILING = 128,   /* elements inside each other */
    XML_SCAN_BINDINGS_CEILING = 256 /* namespace declarations in force at one place */
};

enum xml_scan_event {
    XML_SCAN_START = 0, /* of an element: name and depth are set */
    XML_SCAN_END,       /* of an element: name, depth and content are set */
    XML_SCAN_DONE,      /* the document is over, and was well-formed */
    XML_SCAN_ERROR,     /* it is not: problem is set */
    XML_SCAN_EVENT_COUNT
};

struct xml_scan_element {
    struct str name;        /* as written, with its prefix */
    const char *content;    /* behind the start tag */
    size_t bindings_before; /* declarations in force outside of it */
    bool has_elements;
};

struct xml_scan_binding {
    struct str prefix; /* empty for the default namespace */
    struct str uri;    /* as written */
};

/* The state of a scan, in caller's storage; read-only but for the fields named above. */
struct xml_scan {
    struct str name;     /* local part, of the element that starts or ends */
    struct str content;  /* at an end: the markup between the tags; empty if elements are inside */
    size_t depth;        /* of the element that starts or ends; the root has 1 */
    const char *problem; /* after XML_SCAN_ERROR: what is wrong, in a few words */

    const char *at;
    const char *end;
    bool ends_itself; /* <a/>: its end is the next event */
    bool root_ended;
    size_t open_count;
    size_t binding_count;
    struct xml_scan_element open[XML_SCAN_DEPTH_CEILING];
    struct xml_scan_binding bindings[XML_SCAN_BINDINGS_CEILING];
};

/* Starts a scan; text is borrowed until its end. Looks at every byte once (UTF-8, characters). */
void xml_scan_init(struct xml_scan *scan, struct str text);

/* The next event. After XML_SCAN_DONE and XML_SCAN_ERROR there is none. */
enum xml_scan_event xml_scan_next(struct xml_scan *scan) MUST_USE;

/*
 * The namespace of the element that has just started; empty when it has none. False, with problem
 * set, when its prefix is not declared.
 */
bool xml_scan_namespace(struct xml_scan *scan, struct str *uri) MUST_USE;

#endif
