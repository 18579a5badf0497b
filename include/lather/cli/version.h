/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_VERSION_H
#define LATHER_CLI_VERSION_H

#include "lather/base/buf.h"

/* The text of --version: ab's line, then where this build comes from, what it can do and what is in
 * it. */
void version_format(struct buf *text);

/*
 * Written by the build (cmake/facts.cmake): the commit, and the parts that no library of C code can
 * tell the version of, parted by ", "; empty where there is nothing to say.
 */
extern const char version_commit[];
extern const char version_parts[];

#endif
