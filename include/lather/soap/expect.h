/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_EXPECT_H
#define LATHER_SOAP_EXPECT_H

#include <stdbool.h>
#include <stdint.h>

#include "lather/base/err.h"
#include "lather/base/str.h"
#include "lather/soap/version.h"

/* How far answers are judged. */
enum validate {
    VALIDATE_OFF = 0, /* status only */
    VALIDATE_SOAP,    /* envelope and Fault, and what --expect-* asks */
    VALIDATE_COUNT
};

/* "off", "soap". */
const char *validate_name(enum validate validate);
bool validate_parse(struct str name, enum validate *validate, struct err *err) MUST_USE;

/* HTTP statuses from 100 to 999, as a set. */
struct status_set {
    uint64_t bits[16];
};

/* "200,202,5xx": adds to the set. Errors name the part that is wrong. */
bool status_set_parse(struct status_set *set, struct str list, struct err *err) MUST_USE;
void status_set_add(struct status_set *set, unsigned status);
bool status_set_has(const struct status_set *set, unsigned status);

/* Answers beyond this many bytes, decoded, are cut off and counted; --max-answer changes it. */
#define EXPECT_MAX_ANSWER_BYTES (64ULL * 1024 * 1024)

/* What a good answer is; frozen before the run, shared by all workers. */
struct expect {
    enum validate validate;
    struct status_set statuses;
    bool one_way; /* an empty 200 or 202 is good, an envelope is tolerated, a Fault is a failure */
    uint64_t max_answer_bytes; /* --max-answer: what comes out of decoding; more is too_large */
    bool wants_fault;          /* --expect-fault: a Fault is good, 400 and 500 are expected */
    char *fault_code;          /* its code or one of its subcodes; NULL: any */
};

/* The defaults: 2xx, two-way, validation off. */
void expect_init(struct expect *expect);
void expect_deinit(struct expect *expect);

/*
 * --expect-fault [CODE]: an answer is good when it holds a Fault whose code or one of whose
 * subcodes is `code`: "{namespace}name", or a bare name for any namespace; empty: any Fault. A
 * Fault of another code stays a fault, an answer without one is a mismatch.
 */
void expect_set_fault(struct expect *expect, struct str code);

#endif
