/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_CHECKS_H
#define LATHER_SOAP_CHECKS_H

#include <stdbool.h>

#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/base/step.h"
#include "lather/soap/expect.h"
#include "lather/soap/intake.h"
#include "lather/soap/watch.h"

/*
 * What the user expects of a good envelope: action, expressions, texts, likeness, schema. One a
 * judge; it holds the trees and compiled expressions that they need.
 */
struct checks;

/* The checks of expect, which must outlive them. Freed with checks_free, which takes NULL. */
struct checks *checks_new(const struct expect *expect) MUST_USE;
void checks_free(struct checks *checks);

/* Whether the XML text must be kept for them. */
bool checks_need_document(const struct checks *checks);

/* Whether they depend on more of an answer than its markup and its wsa:Action. */
bool checks_read_texts(const struct checks *checks);

/*
 * The first check that an answer does not pass, with one sentence on it in `sentence`; STEP_NONE
 * and an empty sentence when it passes them all. watch is that of the answer's stream, NULL when
 * there is none.
 */
enum step checks_find(struct checks *checks, const struct intake_facts *facts,
                      const struct watch *watch, struct buf *sentence) MUST_USE;

#endif
