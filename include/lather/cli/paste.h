/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_PASTE_H
#define LATHER_CLI_PASTE_H

#include <stdbool.h>

#include "lather/base/err.h"
#include "lather/base/str.h"

/* False, with the mark named, when a word that is no option begins with a typographic dash or
   quote, or ends with such a quote. */
bool paste_check_word(struct str word, struct err *err) MUST_USE;

/* False, with the mark named, when an option's value begins with a typographic quote. */
bool paste_check_value(const char *option, struct str value, struct err *err) MUST_USE;

#endif
