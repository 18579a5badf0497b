/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_MEASURE_DIAGNOSE_CONNECTIONS_H
#define LATHER_MEASURE_DIAGNOSE_CONNECTIONS_H

#include <stdbool.h>

#include "lather/measure/groups.h"
#include "lather/measure/summary.h"

/*
 * Notes on what connections went through. Each looks at the summary and adds one note, or none; for
 * diagnose.c, which knows the order. The books are closed.
 */

/* Whether a failure is a connect that was refused, by the service or a proxy. */
bool diagnose_connections_is_refusal(const struct group_key *key);

/* Connects were refused: all of them, or for a while. */
void diagnose_connections_nobody_listens(struct summary *summary);

/* Requests that the server may not have taken, so that its own count is lower. */
void diagnose_connections_lost_maybe(struct summary *summary);

/* Connections closed while idle; keep-alive that the server does not grant. */
void diagnose_connections_reopened(struct summary *summary);

/* NTLM or Negotiate was gone through for nearly every request. */
void diagnose_connections_handshakes(struct summary *summary);

/* Answers cluster where a delayed acknowledgement puts them: 38 to 52 ms. */
void diagnose_connections_delayed_ack(struct summary *summary);

/* B134: connects took about 1, 3 or 7 s. */
void diagnose_connections_syn_retries(struct summary *summary);

#endif
