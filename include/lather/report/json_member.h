/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_REPORT_JSON_MEMBER_H
#define LATHER_REPORT_JSON_MEMBER_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/base/str.h"
#include "lather/measure/wide.h"
#include "lather/report/result_fields.h"

/*
 * Reading members of an object that is not trusted. Each returns false with the member's name in
 * err when it is missing or of another kind. Texts are borrowed from the JSON.
 */

/* False, with '"key" is missing or is not MUST_BE' in err. */
bool json_member_wrong(struct err *err, const char *key, const char *must_be);

/* An object or an array, borrowed. */
bool json_member_get(const json_t *object, const char *key, json_type type, json_t **member,
                     struct err *err) MUST_USE;

/* A whole number, 0 to most; above 2^63 - 1 it is a string of digits. */
bool json_member_count(const json_t *object, const char *key, uint64_t most, uint64_t *count,
                       struct err *err) MUST_USE;

/* A string. */
bool json_member_text(const json_t *object, const char *key, struct str *text,
                      struct err *err) MUST_USE;

/* A string of decimal digits. */
bool json_member_wide(const json_t *object, const char *key, struct wide *value,
                      struct err *err) MUST_USE;

/*
 * All members of a table into the structure at base that the table is of. Texts are replaced
 * (summary_set_text). An error is prefixed with the table's key.
 */
bool json_member_fields(const json_t *object, void *base, const struct result_fields *table,
                        struct err *err) MUST_USE;

/* The object that holds the table's members, borrowed, then the members. */
bool json_member_table(const json_t *root, void *base, const struct result_fields *table,
                       json_t **object, struct err *err) MUST_USE;

/* The value of a JSON string; empty of anything else. */
struct str json_member_text_of(const json_t *json);

/* The number of a JSON value as of json_member_count; false when it is none. */
bool json_member_count_of(const json_t *json, uint64_t *count) MUST_USE;

#endif
