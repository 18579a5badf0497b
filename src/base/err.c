/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Failures as values: a code and a sentence, carried up by parameter to the one place that prints.
 * Nothing here prints or exits. The sentence is composed aside and then copied, so that it may
 * quote the text that err holds already.
 */
#include "lather/base/err.h"

#include <stdio.h>
#include <string.h>

bool err_set(struct err *err, enum err_code code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    err_set_list(err, code, format, arguments);
    va_end(arguments);
    return false;
}

bool err_set_list(struct err *err, enum err_code code, const char *format, va_list arguments)
{
    if (err == NULL) {
        return false;
    }
    char text[ERR_TEXT_SIZE] = "";
    (void)vsnprintf(text, sizeof text, format, arguments);
    err->code = code;
    memcpy(err->text, text, sizeof text);
    return false;
}

bool err_prefix(struct err *err, const char *prefix)
{
    if (err == NULL) {
        return false;
    }
    return err_set(err, err->code, "%s: %s", prefix, err->text);
}
