/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_LOAD_REQUESTS_H
#define LATHER_LOAD_REQUESTS_H

#include <stdint.h>

#include "lather/base/check.h"
#include "lather/load/recorder.h"
#include "lather/net/transport.h"
#include "lather/plan/plan.h"
#include "lather/soap/template_source.h"

/*
 * What one worker sends: for each of its slots two exchanges, so that the next request can go out
 * while the answer to the last is unjudged. All calls are on the worker's thread.
 */
struct requests;

struct requests_options {
    const struct plan *plan;   /* outlives the requests */
    struct recorder *recorder; /* whose books are kept of each message; outlives them too */
    uint32_t worker;           /* from 0 */
    uint32_t workers;
    uint32_t slots;
    struct template_taken taken; /* by this worker in earlier stretches of the run */
    uint32_t stretch;            /* from 0 */
};

/* All memory that requests will need; free with requests_free. */
struct requests *requests_new(const struct requests_options *options) MUST_USE;

/* The exchanges must be done. NULL is fine. */
void requests_free(struct requests *requests);

/*
 * The slot's next request, ready to be sent, in the exchange that is not its last. NULL when the
 * feed of --data has no row left. Allocates nothing.
 */
struct exchange *requests_next(struct requests *requests, uint32_t slot) MUST_USE;

/* What the worker has taken since the run began: what its next stretch goes on from. */
struct template_taken requests_taken(const struct requests *requests);

#endif
