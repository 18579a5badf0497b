/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_LOAD_WORKER_TRACE_H
#define LATHER_LOAD_WORKER_TRACE_H

#include "lather/load/worker_parts.h"

/*
 * Tells run_events.trace, and `ended` if there is one, of an exchange that has ended. Waits for
 * other workers that are telling. Only where there is a trace.
 */
void worker_trace(struct worker *worker, const struct exchange *exchange);

#endif
