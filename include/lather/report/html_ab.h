/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_REPORT_HTML_AB_H
#define LATHER_REPORT_HTML_AB_H

#include "lather/base/buf.h"
#include "lather/measure/summary.h"
#include "lather/report/options.h"

/* Appends the banner in ab's HTML form: a paragraph. With -w nothing else is printed before. */
void html_ab_banner(struct buf *out);

/*
 * Appends the report as ab's -w table, with the attributes of the options, then a second table of
 * outcomes and the notes. The figures are those of the text report; what came from a server is
 * escaped.
 */
void html_ab_report(struct buf *out, const struct summary *summary,
                    const struct report_options *options);

#endif
