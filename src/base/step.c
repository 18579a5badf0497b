/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The closed list of checks an answer goes through, with their words. Which of them refused an
 * answer is for soap/judge to say. A step is finer than an outcome: not_soap may be any of six.
 */
#include "lather/base/step.h"

#include <stddef.h>

static const char *const names[STEP_COUNT] = {
    [STEP_NONE] = "none",
    [STEP_SIZE] = "size",
    [STEP_DECODING] = "decoding",
    [STEP_STATUS] = "status",
    [STEP_MEDIA_TYPE] = "media_type",
    [STEP_EMPTY] = "empty",
    [STEP_MULTIPART] = "multipart",
    [STEP_CHARSET] = "charset",
    [STEP_DTD] = "dtd",
    [STEP_XML] = "xml",
    [STEP_CUT_OFF] = "cut_off",
    [STEP_ENVELOPE] = "envelope",
    [STEP_FAULT] = "fault",
    [STEP_NO_FAULT] = "no_fault",
    [STEP_RELATES_TO] = "relates_to",
    [STEP_ACTION] = "action",
    [STEP_XPATH] = "xpath",
    [STEP_TEXT] = "text",
    [STEP_GOLDEN] = "golden",
    [STEP_SCHEMA] = "schema",
    [STEP_TIME] = "time",
    [STEP_LENGTH] = "length",
};

const char *step_name(enum step step)
{
    CHECK((unsigned)step < STEP_COUNT);
    return names[step];
}

bool step_parse(struct str name, enum step *step)
{
    for (size_t i = 0; i < STEP_COUNT; i++) {
        if (str_equals(name, str_from(names[i]))) {
            *step = (enum step)i;
            return true;
        }
    }
    return false;
}
