/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_REPORT_DETAILS_WIRE_H
#define LATHER_REPORT_DETAILS_WIRE_H

#include "lather/base/buf.h"
#include "lather/measure/summary.h"

/* Blocks of details_write. */

/* Of a run with an answer: by status, with what was odd about them; distinct_bodies may be 0. */
void details_write_answers(struct buf *out, const struct tally *tally, uint64_t distinct_bodies);

/* What was sent and what the connections did: always there. */
void details_write_traffic(struct buf *out, const struct summary *summary);

/* What was said before requests were taken; nothing without a scheme. */
void details_write_auth(struct buf *out, const struct summary *summary);

/* Handshakes and what was verified; nothing of a plain run. */
void details_write_tls(struct buf *out, const struct summary *summary);

#endif
