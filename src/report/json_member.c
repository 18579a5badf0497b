/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Members of a JSON object that may hold anything, by the kind they must have. Each is looked at
 * before it is used, and the sentence names the one that is wrong. What the members mean is the
 * reader's to know.
 */
#include "lather/report/json_member.h"

#include <string.h>

#include "lather/measure/summary.h"

bool json_member_wrong(struct err *err, const char *key, const char *must_be)
{
    return err_set(err, ERR_FORMAT, "\"%s\" is missing or is not %s", key, must_be);
}

bool json_member_get(const json_t *object, const char *key, json_type type, json_t **member,
                     struct err *err)
{
    *member = json_object_get(object, key);
    if (*member == NULL || json_typeof(*member) != type) {
        return json_member_wrong(err, key, type == JSON_OBJECT ? "an object" : "a list");
    }
    return true;
}

struct str json_member_text_of(const json_t *json)
{
    return str_of(json_string_value(json), json_string_length(json));
}

bool json_member_count_of(const json_t *json, uint64_t *count)
{
    if (json_is_integer(json) && json_integer_value(json) >= 0) {
        *count = (uint64_t)json_integer_value(json);
        return true;
    }
    return json_is_string(json) && str_to_u64(json_member_text_of(json), count);
}

bool json_member_count(const json_t *object, const char *key, uint64_t most, uint64_t *count,
                       struct err *err)
{
    if (!json_member_count_of(json_object_get(object, key), count) || *count > most) {
        return json_member_wrong(err, key, "a whole number in its range");
    }
    return true;
}

bool json_member_text(const json_t *object, const char *key, struct str *text, struct err *err)
{
    const json_t *member = json_object_get(object, key);
    if (!json_is_string(member)) {
        return json_member_wrong(err, key, "a string");
    }
    *text = json_member_text_of(member);
    return true;
}

bool json_member_wide(const json_t *object, const char *key, struct wide *value, struct err *err)
{
    struct str digits;
    if (!json_member_text(object, key, &digits, err)) {
        return false;
    }
    return wide_parse(digits, value) || json_member_wrong(err, key, "a string of decimal digits");
}

static bool read_count_field(const json_t *object, void *place, const struct result_field *field,
                             struct err *err)
{
    uint64_t most = UINT64_MAX;
    uint64_t count;
    if (field->kind == RESULT_FIELDS_COUNT32) {
        most = UINT32_MAX;
    } else if (field->kind == RESULT_FIELDS_COUNT16) {
        most = UINT16_MAX;
    }
    if (field->kind == RESULT_FIELDS_LATER64 && json_object_get(object, field->key) == NULL) {
        count = 0;
    } else if (!json_member_count(object, field->key, most, &count, err)) {
        return false;
    }
    if (field->kind == RESULT_FIELDS_COUNT64 || field->kind == RESULT_FIELDS_LATER64) {
        memcpy(place, &count, sizeof count);
    } else if (field->kind == RESULT_FIELDS_COUNT32) {
        memcpy(place, &(uint32_t){(uint32_t)count}, sizeof(uint32_t));
    } else {
        memcpy(place, &(uint16_t){(uint16_t)count}, sizeof(uint16_t));
    }
    return true;
}

static bool read_field(const json_t *object, void *base, const struct result_field *field,
                       struct err *err)
{
    char *place = (char *)base + field->offset;
    if (field->kind == RESULT_FIELDS_YES_NO) {
        const json_t *member = json_object_get(object, field->key);
        if (!json_is_boolean(member)) {
            return json_member_wrong(err, field->key, "true or false");
        }
        memcpy(place, &(bool){json_is_true(member)}, sizeof(bool));
        return true;
    }
    if (field->kind == RESULT_FIELDS_LATER_TEXT && json_object_get(object, field->key) == NULL) {
        return true;
    }
    if (field->kind == RESULT_FIELDS_TEXT || field->kind == RESULT_FIELDS_LATER_TEXT) {
        struct str text;
        if (!json_member_text(object, field->key, &text, err)) {
            return false;
        }
        summary_set_text((char **)(void *)place, text);
        return true;
    }
    return read_count_field(object, place, field, err);
}

bool json_member_fields(const json_t *object, void *base, const struct result_fields *table,
                        struct err *err)
{
    for (const struct result_field *field = table->fields; field->key != NULL; field++) {
        if (!read_field(object, base, field, err)) {
            return err_prefix(err, table->key);
        }
    }
    return true;
}

bool json_member_table(const json_t *root, void *base, const struct result_fields *table,
                       json_t **object, struct err *err)
{
    return json_member_get(root, table->key, JSON_OBJECT, object, err) &&
           json_member_fields(*object, base, table, err);
}
