/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CAPTURE_SOAPUI_PROJECT_H
#define LATHER_CAPTURE_SOAPUI_PROJECT_H

#include <stdbool.h>
#include <stddef.h>

#include "lather/base/buf.h"
#include "lather/capture/capture.h"

/* A request of a project as it stands there. Owned; empty where the project has nothing. */
struct soapui_request {
    char *name;
    char *place;
    char *interface_name;
    char *operation_name;
    struct buf endpoint;
    struct buf encoding;
    struct buf headers; /* XML: entries with key and value */
    struct buf user;
    struct buf password;
    struct buf scheme;
    struct buf body;
    struct buf expectations;
    struct buf untranslated;
    bool is_of_step;       /* of a test step, not a sample of an interface */
    bool wants_addressing; /* SoapUI adds header blocks that are not in the text */
    bool wants_security;
    bool wants_schema; /* it asserts that answers fit the schema of its interface */
    bool is_cut;       /* the project is damaged inside of it, or it is too large */
};

struct soapui_operation {
    char *interface_name;
    char *name;
    char *action;
};

struct soapui_interface {
    char *name;
    char *version;    /* "1_1", "1_2" */
    char *definition; /* where its WSDL was read from; NULL: not told */
    char *endpoint;   /* the first of its list; NULL: none */
};

/* What was gathered of a project; all owned. Zeroed is empty. */
struct soapui_project {
    struct soapui_request *requests;
    size_t request_count;
    size_t request_capacity;
    struct soapui_operation *operations;
    size_t operation_count;
    size_t operation_capacity;
    struct soapui_interface *interfaces;
    size_t interface_count;
    size_t interface_capacity;
};

/* Appends a zeroed one; the pointer is valid until the next of its kind is added. */
struct soapui_request *soapui_project_add_request(struct soapui_project *project);
struct soapui_operation *soapui_project_add_operation(struct soapui_project *project);
struct soapui_interface *soapui_project_add_interface(struct soapui_project *project);

/*
 * Completes the requests with action, version and endpoint of their operations and hands them to
 * the capture: those of test steps, or the samples where there are none. The bodies are taken.
 */
void soapui_project_import(struct soapui_project *project, struct capture *capture);
void soapui_project_deinit(struct soapui_project *project);

#endif
