/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CAPTURE_SOAPUI_ASSERTION_H
#define LATHER_CAPTURE_SOAPUI_ASSERTION_H

#include <stdbool.h>

#include "lather/base/buf.h"
#include "lather/base/str.h"

/* What an assertion of SoapUI is configured with; the name of the element each stands in. */
enum soapui_setting {
    SOAPUI_TOKEN = 0,   /* token: of Simple Contains */
    SOAPUI_IGNORE_CASE, /* ignoreCase */
    SOAPUI_USE_REGEX,   /* useRegEx */
    SOAPUI_PATH,        /* path: of XPath Match */
    SOAPUI_CONTENT,     /* content */
    SOAPUI_WILDCARDS,   /* allowWildcards */
    SOAPUI_SLA,         /* SLA: milliseconds */
    SOAPUI_CODES,       /* codes: HTTP statuses */
    SOAPUI_SETTING_COUNT
};

/* An assertion as it stands in a project; owned. */
struct soapui_assertion {
    struct buf type;
    struct buf name;
    struct buf settings[SOAPUI_SETTING_COUNT];
};

/* Which setting an element of that name holds; SOAPUI_SETTING_COUNT for none. */
enum soapui_setting soapui_assertion_setting(struct str element);

/*
 * Appends what the assertion expects to expectations, in the options of this program, one a line:
 * "--ns PREFIX=URI", "--expect-xpath EXPRESSION", "--expect-text TEXT", "--reject-text TEXT",
 * "--expect-fault",
 * "--expect-status LIST", "--max-time MS", "--validate soap". What no option can say goes to
 * untranslated, one sentence a line. A line that is there already is not repeated.
 */
void soapui_assertion_translate(const struct soapui_assertion *assertion, struct buf *expectations,
                                struct buf *untranslated);
void soapui_assertion_deinit(struct soapui_assertion *assertion);

#endif
