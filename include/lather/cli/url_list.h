/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_URL_LIST_H
#define LATHER_CLI_URL_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/cli/options.h"

/* A URL to be asked for. Owned. */
struct url_item {
    char *url;
    char *place;  /* for sentences: "urls.txt:3"; NULL: an argument */
    char *method; /* "POST" or "PUT" of a line with a body; NULL: as for any other request */
    struct buf body;
    char *body_name; /* of the file the body is from, else place; NULL without a body */
};

struct url_list {
    struct url_item *items;
    size_t count;
};

/*
 * The URLs of the arguments, then those of --urls: one a line, empty lines and those that begin
 * with # left out. Behind a URL may stand POST or PUT and the body, or "<FILE" with the body in
 * a file, as siege has it. Several arguments must all look like URLs: a value that fell apart at a
 * blank is told as such. After a failure the list is empty.
 */
bool url_list_read(struct url_list *list, const struct options *options, struct err *err) MUST_USE;
void url_list_deinit(struct url_list *list);

#endif
