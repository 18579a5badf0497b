/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_LOAD_FAILURE_TEXT_H
#define LATHER_LOAD_FAILURE_TEXT_H

#include <stdint.h>

#include "lather/base/buf.h"
#include "lather/load/secret_mask.h"
#include "lather/measure/groups.h"
#include "lather/net/transport.h"

/*
 * The contents of the files that keep a failed exchange, with secrets masked. Lengths in heads are
 * those of the masked bodies, so that both messages can be read again.
 */

/* The bytes sent. */
void failure_text_request(struct buf *out, const struct exchange *exchange,
                          const struct secret_mask *mask);

/*
 * Head and body of the (final) answer. A whole one has its chunks joined and is announced by its
 * length; one that was cut off, or of which not all was kept, announces more than there is, as it
 * did itself. A compressed body that holds a secret is written plain. Nothing without an answer.
 */
void failure_text_answer(struct buf *out, const struct exchange *exchange,
                         const struct secret_mask *mask);

/* Outcome, status, reason, times, a line each. start_ns is that of the run. */
void failure_text_why(struct buf *out, const struct group_key *kind,
                      const struct exchange *exchange, uint64_t start_ns,
                      const struct secret_mask *mask);

#endif
