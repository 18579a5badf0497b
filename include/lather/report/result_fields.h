/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_REPORT_RESULT_FIELDS_H
#define LATHER_REPORT_RESULT_FIELDS_H

#include <stddef.h>

/*
 * The plain members of the result's JSON objects, each once: the writer and the reader both walk
 * these tables, so that neither can forget one. Only for result_json_write and result_json_read.
 */
enum result_fields_kind {
    RESULT_FIELDS_COUNT64 = 0, /* uint64_t */
    RESULT_FIELDS_LATER64,     /* the same; 0 where an older lather did not write it */
    RESULT_FIELDS_COUNT32,     /* uint32_t */
    RESULT_FIELDS_COUNT16,     /* uint16_t */
    RESULT_FIELDS_YES_NO,      /* bool */
    RESULT_FIELDS_TEXT,        /* char *, owned, never NULL */
    RESULT_FIELDS_LATER_TEXT,  /* the same; empty where an older lather did not write it */
    RESULT_FIELDS_COUNT
};

struct result_field {
    const char *key;
    enum result_fields_kind kind;
    size_t offset; /* in the structure the table is of */
};

/* A table; `fields` ends with a NULL key. */
struct result_fields {
    const char *key; /* the member that holds the object */
    const struct result_field *fields;
};

extern const struct result_fields result_fields_plan;    /* of struct summary_plan */
extern const struct result_fields result_fields_run;     /* of struct summary */
extern const struct result_fields result_fields_counts;  /* of struct tally */
extern const struct result_fields result_fields_traffic; /* of struct traffic */
extern const struct result_fields result_fields_tls;     /* of struct summary_tls */
extern const struct result_fields result_fields_health;  /* of struct summary_health */
extern const struct result_fields result_fields_part;    /* of struct summary_part */
extern const struct result_fields result_fields_message; /* of struct summary_message */
extern const struct result_fields result_fields_warmup;  /* of struct summary_warmup */
extern const struct result_fields result_fields_step;    /* of struct summary_step */
extern const struct result_fields result_fields_worker;  /* of struct summary_worker */

#endif
