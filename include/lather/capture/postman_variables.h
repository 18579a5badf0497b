/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CAPTURE_POSTMAN_VARIABLES_H
#define LATHER_CAPTURE_POSTMAN_VARIABLES_H

#include <stdbool.h>
#include <stddef.h>

#include "lather/base/buf.h"
#include "lather/base/http_head.h"
#include "lather/base/str.h"

/* The variables a collection brings along; zeroed is empty. */
struct postman_variables {
    struct http_head values; /* as names and values; Postman's names do count case */
    bool were_used;
    bool were_missing;
};

/* Reads the collection's array of variables (JSON); what is switched off is left out. */
void postman_variables_read(struct postman_variables *variables, struct str array);

/*
 * Appends text with {{NAME}} replaced where the collection has the variable; others stay as they
 * are. What was met is kept in were_used and were_missing. No value is looked at again.
 */
void postman_variables_fill(struct postman_variables *variables, struct str text,
                            struct buf *filled);
void postman_variables_deinit(struct postman_variables *variables);

#endif
