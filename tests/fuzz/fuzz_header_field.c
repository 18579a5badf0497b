/* SPDX-License-Identifier: Apache-2.0 */
/* A field as -H takes it, and its value read as a media type: nothing that could end the line gets
 * through. */
#include <string.h>

#include "fuzz.h"
#include "lather/base/check.h"
#include "lather/base/http_head.h"

static bool lies_within(struct str part, struct str whole)
{
    return part.len == 0 ||
           (part.data >= whole.data && part.data + part.len <= whole.data + whole.len);
}

static void check_clean(struct str text)
{
    CHECK(text.len == 0 || memchr(text.data, '\r', text.len) == NULL);
    CHECK(text.len == 0 || memchr(text.data, '\n', text.len) == NULL);
    CHECK(text.len == 0 || memchr(text.data, '\0', text.len) == NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str line = str_of((const char *)data, size);
    struct str name;
    struct str value;
    struct err err = {0};
    if (http_head_parse_field(line, &name, &value, &err)) {
        CHECK(name.len > 0 && lies_within(name, line) && lies_within(value, line));
        check_clean(name);
        check_clean(value);

        struct http_head head;
        http_head_init(&head);
        http_head_add(&head, name, value);
        const char *found = http_head_find(&head, name);
        CHECK(found != NULL && strlen(found) == value.len);
        CHECK(http_head_remove(&head, name) == 1);
        http_head_deinit(&head);
    } else {
        CHECK(err.code != ERR_NONE && err.text[0] != '\0');
    }

    struct str type;
    struct str parameter;
    http_head_split_media_type(line, &type, STR("charset"), &parameter);
    CHECK(lies_within(type, line) && lies_within(parameter, line));
    return 0;
}
