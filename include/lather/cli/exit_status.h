/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_EXIT_STATUS_H
#define LATHER_CLI_EXIT_STATUS_H

#include "lather/measure/summary.h"

/* How the program ends. */
enum exit_status {
    EXIT_STATUS_GOOD = 0,
    EXIT_STATUS_FAILED = 1,    /* the run ended and a request failed, or none was finished; with
                                  --fail-if: a condition holds */
    EXIT_STATUS_NOT_RUN = 2,   /* nothing was run: usage, a file, a name without address */
    EXIT_STATUS_UNTRUSTED = 3, /* this machine was out of ports, descriptors, memory or disk */
    EXIT_STATUS_INTERRUPTED = 130
};

/*
 * The status of a run: the first that applies of 130, 3, 1, 0. Conditions, where there are some,
 * decide alone between 1 and 0; of a search for a rate it is whether one was found.
 */
enum exit_status exit_status_of(const struct summary *summary);

/* Of a saved result that was printed again: 3 when it cannot be trusted, 1 by conditions only. */
enum exit_status exit_status_of_saved(const struct summary *summary);

/* The one that comes first in that order, so that a later trouble never makes it better. */
enum exit_status exit_status_worse(enum exit_status a, enum exit_status b);

#endif
