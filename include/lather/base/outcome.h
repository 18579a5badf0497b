/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_BASE_OUTCOME_H
#define LATHER_BASE_OUTCOME_H

#include <stdbool.h>

#include "lather/base/str.h"

/*
 * How a request ended: exactly one each, the first of this list that applies. docs/OUTCOMES.md
 * tells the cause of each and what to try next.
 */
enum outcome {
    OUTCOME_CUT = 0,   /* unfinished when the run stopped; never a failure */
    OUTCOME_LOCAL,     /* we lacked ports, descriptors or memory: the run is not trustworthy */
    OUTCOME_RESOLVE,   /* the name has no address */
    OUTCOME_CONNECT,   /* no connection: refused, unreachable, timed out */
    OUTCOME_TLS,       /* the TLS handshake failed */
    OUTCOME_TIMEOUT,   /* no whole answer within the time of one request */
    OUTCOME_SEND,      /* the request could not be written */
    OUTCOME_RECEIVE,   /* reset, or closed before the answer was whole */
    OUTCOME_PROTOCOL,  /* not HTTP, wrong framing, body that does not decode */
    OUTCOME_TOO_LARGE, /* the answer passed a ceiling */
    OUTCOME_STATUS,    /* unexpected status, and no well-formed Fault inside */
    OUTCOME_NOT_SOAP,  /* not the envelope that was to come */
    OUTCOME_FAULT,     /* a SOAP Fault, whatever the status */
    OUTCOME_MISMATCH,  /* a good envelope that is not what was expected */
    OUTCOME_OK,
    OUTCOME_COUNT
};

/* ab's four brackets behind "Failed requests"; they add up to it. */
enum outcome_bracket {
    OUTCOME_BRACKET_NONE = 0, /* ok and cut */
    OUTCOME_BRACKET_CONNECT,
    OUTCOME_BRACKET_RECEIVE,
    OUTCOME_BRACKET_LENGTH, /* --same-length only; a mismatch of another kind is an exception */
    OUTCOME_BRACKET_EXCEPTIONS,
    OUTCOME_BRACKET_COUNT
};

/* The word printed in reports and read in conditions: "ok", "not_soap"... Never NULL. */
const char *outcome_name(enum outcome outcome);

/* The outcome of a word; false when there is none of that name. */
bool outcome_parse(struct str name, enum outcome *outcome) MUST_USE;

/* Whether the request counts under "Failed requests": all but ok and cut. */
bool outcome_is_failure(enum outcome outcome);

/* Whether a whole HTTP answer had arrived, so that the request has a place in the latencies. */
bool outcome_has_answer(enum outcome outcome);

/* ab's bracket; OUTCOME_MISMATCH gives exceptions (the tally counts --same-length apart). */
enum outcome_bracket outcome_bracket(enum outcome outcome);

#endif
