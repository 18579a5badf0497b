/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_MANUAL_H
#define LATHER_CLI_MANUAL_H

#include "lather/base/buf.h"

/* The man page, docs/lather.1, in roff with the man macros. */
void manual_format_roff(struct buf *text);

/* docs/OPTIONS.md: every option with its bounds and default. */
void manual_format_markdown(struct buf *text);

#endif
