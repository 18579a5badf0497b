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

/* What a good answer is; frozen before the run, shared by all workers. */
struct expect {
    enum validate validate;
    struct status_set statuses;
    bool one_way; /* an empty 200 or 202 is good, an envelope is tolerated, a Fault is a failure */
};

/* The defaults: 2xx, two-way, validation off. */
void expect_init(struct expect *expect);
void expect_deinit(struct expect *expect);

#endif
