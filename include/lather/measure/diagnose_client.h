/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_MEASURE_DIAGNOSE_CLIENT_H
#define LATHER_MEASURE_DIAGNOSE_CLIENT_H

#include "lather/measure/summary.h"

/*
 * Notes on what limited the client. Each looks at the summary and adds one note, or none; for
 * diagnose.c, which knows the order. The books are closed and health is filled in.
 */

/* Requests failed for want of ports, descriptors or memory. */
void diagnose_client_local(struct summary *summary);

/* Workers used 90 % of a core or more. Sets cpu_share_warning. */
void diagnose_client_cpu_share(struct summary *summary);

/* Bytes waited more than 1 ms for their time stamp. Sets loop_lag_warning. */
void diagnose_client_loop_lag(struct summary *summary);

/* B124: an open loop ran out of free connections. */
void diagnose_client_rate_not_reached(struct summary *summary);

/* The same of the first of --steps that was not reached: what its connections could make at most.
 */
void diagnose_client_step_not_reached(struct summary *summary);

#endif
