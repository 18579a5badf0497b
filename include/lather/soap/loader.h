/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_LOADER_H
#define LATHER_SOAP_LOADER_H

#include <stddef.h>

#include "lather/base/buf.h"
#include "lather/base/str.h"

/* A text that libxml2 may load under a made-up name. */
struct loader_text {
    char *name;
    struct buf bytes;
};

/* The texts of one schema; owned. All zero is empty. */
struct loader {
    struct loader_text *texts;
    size_t count;
};

/* Frees what it holds; it is empty again. */
void loader_deinit(struct loader *loader);

/* Adds a text; copies both. */
void loader_add(struct loader *loader, const char *name, struct str bytes);

/*
 * Closes libxml2 to files, addresses and catalogs for the whole process: from now on it can load
 * nothing but the texts of an open loader. Once, before threads.
 */
void loader_install(void);

/* Lets this thread's libxml2 load the texts of a loader by their exact names, until closed. */
void loader_open(const struct loader *loader);
void loader_close(void);

#endif
