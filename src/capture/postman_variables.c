/* SPDX-License-Identifier: Apache-2.0 */
/*
 * {{NAME}} in Postman's texts, as far as the collection itself has the value: most collections keep
 * at least their host so. Environments are files of their own and not read; what only they have
 * stays text, and so do dynamic variables ({{$guid}}).
 */
#include "lather/capture/postman_variables.h"

#include <stdlib.h>
#include <string.h>

#include "lather/capture/capture.h"
#include "lather/capture/json_cut.h"

enum { VARIABLES_CEILING = 1000, NAME_CEILING = 200 };

void postman_variables_read(struct postman_variables *variables, struct str array)
{
    struct json_cut cut;
    struct str key;
    struct str entry;
    json_cut_begin(&cut, array);
    while (variables->values.count < VARIABLES_CEILING && json_cut_next(&cut, &key, &entry)) {
        char *name = json_cut_member(entry, STR("key"));
        char *value = json_cut_member(entry, STR("value"));
        char *is_off = json_cut_member(entry, STR("disabled"));
        if (name != NULL && value != NULL && (is_off == NULL || strcmp(is_off, "true") != 0)) {
            http_head_add(&variables->values, str_from(name), str_from(value));
        }
        free(name);
        free(value);
        free(is_off);
    }
}

/* The last of that name, as in Postman; NULL when there is none. */
static const char *find(const struct postman_variables *variables, struct str name)
{
    for (size_t i = variables->values.count; i > 0; i--) {
        if (str_equals(str_from(variables->values.fields[i - 1].name), name)) {
            return variables->values.fields[i - 1].value;
        }
    }
    return NULL;
}

void postman_variables_fill(struct postman_variables *variables, struct str text,
                            struct buf *filled)
{
    size_t start = str_find(text, STR("{{"));
    while (start != SIZE_MAX) {
        struct str rest = str_slice(text, start + 2, text.len);
        size_t len = str_find(str_slice(rest, 0, NAME_CEILING), STR("}}"));
        struct str name = str_trim(str_slice(rest, 0, len == SIZE_MAX ? 0 : len));
        const char *value = len == SIZE_MAX ? NULL : find(variables, name);
        buf_append_str(filled, str_slice(text, 0, start));
        if (value != NULL && filled->len + strlen(value) <= CAPTURE_BODY_CEILING) {
            variables->were_used = true;
            buf_append_str(filled, str_from(value));
            text = str_slice(rest, len + 2, rest.len);
        } else {
            variables->were_missing = variables->were_missing || len != SIZE_MAX;
            buf_append_str(filled, STR("{{"));
            text = rest;
        }
        start = str_find(text, STR("{{"));
    }
    buf_append_str(filled, text);
}

void postman_variables_deinit(struct postman_variables *variables)
{
    http_head_deinit(&variables->values);
    *variables = (struct postman_variables){.were_used = false};
}
