/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_EXPECT_H
#define LATHER_SOAP_EXPECT_H

#include <stdbool.h>
#include <stdint.h>

#include "lather/base/err.h"
#include "lather/base/str.h"
#include "lather/soap/namespaces.h"
#include "lather/soap/version.h"
#include "lather/soap/xpath.h"

/* How far answers are judged. */
enum validate {
    VALIDATE_OFF = 0, /* status only */
    VALIDATE_SOAP,    /* envelope and Fault, and what --expect-* asks */
    VALIDATE_FULL,    /* also that wsa:Action is `action`, where that is known */
    VALIDATE_COUNT
};

/* "off", "soap", "full". */
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

struct schema;
struct golden;

/* Owned texts in the order they were given. */
struct expect_list {
    char **items;
    size_t count;
};

/* What a good answer is; frozen before the run, shared by all workers. */
struct expect {
    enum validate validate;
    struct status_set statuses;
    bool one_way; /* an empty 200 or 202 is good, an envelope is tolerated, a Fault is a failure */
    uint64_t max_answer_bytes; /* --max-answer: what comes out of decoding; more is too_large */
    bool limits_unread; /* --max-answer was given: it holds for answers nobody looks into as well */
    bool wants_fault;   /* --expect-fault: a Fault is good, 400 and 500 are expected */
    char *fault_code;   /* its code or one of its subcodes; NULL: any */
    uint32_t judged_share;    /* --validate N%: of 10,000 answers so many are judged; all: 10,000 */
    uint64_t max_time_ns;     /* --max-time: slower answers are a mismatch; 0: none are */
    char *action;             /* wsa:Action of a good answer, for VALIDATE_FULL; NULL: unknown */
    struct expect_list texts; /* --expect-text: each must be in the XML text */
    struct expect_list rejected; /* --reject-text: none may be */
    struct expect_list sources;  /* --expect-xpath, as given */
    struct namespaces namespaces;
    struct xpath *xpaths; /* of sources, once expect_freeze has read them */
    size_t xpath_count;
    struct schema *schema;              /* --xsd or --wsdl: Body's content must fit; NULL: none */
    struct golden *golden;              /* --golden: what answers must be like; NULL: none */
    struct expect_list ignored_sources; /* --ignore, as given */
    struct xpath *ignored;              /* of ignored_sources, once frozen */
    size_t ignored_count;
    bool counts_bodies; /* --count-bodies: distinct answers are counted */
};

enum { EXPECT_SHARE_ALL = 10000, EXPECT_LIST_CEILING = 200 };

/* The defaults: 2xx, two-way, validation off. */
void expect_init(struct expect *expect);
void expect_deinit(struct expect *expect);

/*
 * --expect-fault [CODE]: an answer is good when it holds a Fault whose code or one of whose
 * subcodes is `code`: "{namespace}name", or a bare name for any namespace; empty: any Fault. A
 * Fault of another code stays a fault, an answer without one is a mismatch.
 */
void expect_set_fault(struct expect *expect, struct str code);

/*
 * --validate: "off", "soap", "full", or "N%" (soap for so many of the answers, chosen evenly and
 * without a pattern; up to two decimals).
 */
bool expect_set_validate(struct expect *expect, struct str text, struct err *err) MUST_USE;

/* --expect-text, --reject-text, --expect-xpath: one more; empty texts are an error. */
bool expect_add_text(struct expect *expect, struct str text, struct err *err) MUST_USE;
bool expect_add_rejected(struct expect *expect, struct str text, struct err *err) MUST_USE;
bool expect_add_xpath(struct expect *expect, struct str text, struct err *err) MUST_USE;

/* --ns p=uri: a prefix for expressions. */
bool expect_add_namespace(struct expect *expect, struct str text, struct err *err) MUST_USE;

/* Takes the prefixes of a message that is sent, so that its own names serve in expressions. */
void expect_take_namespaces(struct expect *expect, struct str message);

/*
 * --xsd FILE, --wsdl FILE: one of them, once; read at once (schema.h). --golden FILE: an answer to
 * compare with (golden.h), whose wsa:Action is that of a good answer; --ignore XPATH: what does not
 * count in it.
 */
bool expect_set_xsd(struct expect *expect, const char *path, struct err *err) MUST_USE;
bool expect_set_wsdl(struct expect *expect, const char *path, struct err *err) MUST_USE;
bool expect_set_golden(struct expect *expect, const char *path, struct err *err) MUST_USE;
bool expect_add_ignored(struct expect *expect, struct str text, struct err *err) MUST_USE;

/* Whether something is asked of answers that only a look inside can tell. */
bool expect_asks_inside(const struct expect *expect);

/*
 * Once all options are in, whatever their order: reads the expressions; those that find nothing in
 * the golden answer only because of a namespace are refused. The names in err are the options'.
 * Must come before judge_new when anything was added; nothing may be added after it.
 */
bool expect_freeze(struct expect *expect, struct err *err) MUST_USE;

#endif
