/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_REPORT_HTML_STYLE_H
#define LATHER_REPORT_HTML_STYLE_H

#include "lather/base/buf.h"

/* Appends the style sheet of the page of html.h: light and dark, wide and narrow, paper. */
void html_style_write(struct buf *out);

#endif
