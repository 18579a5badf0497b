/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CAPTURE_POSTMAN_REQUEST_H
#define LATHER_CAPTURE_POSTMAN_REQUEST_H

#include "lather/base/str.h"
#include "lather/capture/capture.h"
#include "lather/capture/postman_variables.h"

/* An item of a collection that has a request. JSON slices, borrowed. */
struct postman_item {
    struct str item;
    struct str name;  /* decoded */
    struct str place; /* its folders and name, for sentences */
    struct str auth;  /* of the nearest folder or the collection; empty: none */
};

/* Reads the item's request and hands it to the capture, or notes why it is none. */
void postman_request_read(struct capture *capture, const struct postman_item *item,
                          struct postman_variables *variables);

#endif
