/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CAPTURE_JMETER_PLAN_H
#define LATHER_CAPTURE_JMETER_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include "lather/base/buf.h"
#include "lather/base/http_head.h"
#include "lather/base/str.h"
#include "lather/capture/capture.h"

/* Properties of samplers and of their defaults; the property each is kept in. */
enum jmeter_property {
    JMETER_DOMAIN = 0,   /* HTTPSampler.domain */
    JMETER_PORT,         /* HTTPSampler.port */
    JMETER_PROTOCOL,     /* HTTPSampler.protocol */
    JMETER_PATH,         /* HTTPSampler.path: may be a whole URL */
    JMETER_METHOD,       /* HTTPSampler.method */
    JMETER_ENCODING,     /* HTTPSampler.contentEncoding */
    JMETER_BODY_IS_RAW,  /* HTTPSampler.postBodyRaw */
    JMETER_FILE,         /* File.path: a body in a file */
    JMETER_XML_DATA,     /* HTTPSamper.xml_data: the old SOAP sampler's body, so spelled */
    JMETER_URL_DATA,     /* SoapSampler.URL_DATA */
    JMETER_SOAP_ACTION,  /* SoapSampler.SOAP_ACTION */
    JMETER_SENDS_ACTION, /* SoapSampler.SEND_SOAP_ACTION */
    JMETER_PROPERTY_COUNT
};

/* Which one a property of that name is; JMETER_PROPERTY_COUNT for none. */
enum jmeter_property jmeter_plan_property(struct str name);

enum jmeter_kind { JMETER_OTHER = 0, JMETER_SAMPLER, JMETER_DEFAULTS, JMETER_HEADERS };

#define JMETER_NONE ((size_t)-1)

/* An element of a plan that means something here. Owned. */
struct jmeter_element {
    enum jmeter_kind kind;
    bool is_off;
    char *name;
    size_t scope;     /* in which it stands */
    size_t own_scope; /* of what hangs under it; JMETER_NONE: nothing */
    size_t next;      /* in its scope, before it; JMETER_NONE */
    struct buf properties[JMETER_PROPERTY_COUNT];
    struct buf body;          /* values of its arguments, joined */
    bool has_named_arguments; /* a form */
    bool is_too_large;        /* for a body */
    struct http_head fields;  /* of a header manager */
};

/* A hashTree: what stands in it applies to it and to all below. */
struct jmeter_scope {
    size_t parent; /* JMETER_NONE: the root */
    size_t last;   /* of its managers and defaults; JMETER_NONE */
    bool is_off;
};

/* Zeroed is empty. */
struct jmeter_plan {
    struct jmeter_element *elements;
    size_t element_count;
    size_t element_capacity;
    struct jmeter_scope *scopes;
    size_t scope_count;
    size_t scope_capacity;
};

/* Appends an element to a scope, or a scope below one. The index. */
size_t jmeter_plan_add_element(struct jmeter_plan *plan, enum jmeter_kind kind, size_t scope);
size_t jmeter_plan_add_scope(struct jmeter_plan *plan, size_t parent);

/* Hands the samplers that are switched on to the capture, with headers and defaults in force. */
void jmeter_plan_import(struct jmeter_plan *plan, struct capture *capture);
void jmeter_plan_deinit(struct jmeter_plan *plan);

#endif
