/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_COLLECT_TEXTS_H
#define LATHER_SOAP_COLLECT_TEXTS_H

#include "lather/soap/loader.h"

struct collect;

/*
 * Adds a text for each part, one for each namespace, and the driver (COLLECT_DRIVER) to the loader.
 * Changes the trees: their locations are names of texts from here on.
 */
void collect_texts_add(struct loader *loader, struct collect *all);

#endif
