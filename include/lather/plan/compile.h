/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_PLAN_COMPILE_H
#define LATHER_PLAN_COMPILE_H

#include <stdbool.h>
#include <stdint.h>

#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/plan/plan.h"
#include "lather/soap/envelope.h"
#include "lather/soap/root_part.h"
#include "lather/soap/template_builder.h"

/* A message to be compiled; all borrowed. */
struct compile_request {
    const struct plan_renewal *renewal;
    const struct url *target;
    const struct envelope *envelope; /* of the body */
    struct str head;                 /* of the request, the empty line included */
    const struct root_part *root;    /* of the body: where in it the envelope stands */
    const char *body_name;           /* for errors: the file */
    struct stamp clock_offset;
    const struct csv *data;
    uint64_t time_limit_ns;           /* of the run; 0: it may end at any time */
    struct refresh_result *refreshed; /* initialised; filled with what was found */
};

/*
 * Compiles head and body into the template of a request: templates are read, what is stale in an
 * envelope is found, and what is made anew is announced in a line of notes, as are remarks. Fails
 * for a template that is wrong, and for a message that cannot be sent twice unless it is sent
 * verbatim. The template is the caller's.
 */
struct template *compile_message(const struct compile_request *request, struct buf *notes,
                                 struct err *err) MUST_USE;

#endif
