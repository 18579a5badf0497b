/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_RESULT_FILE_H
#define LATHER_CLI_RESULT_FILE_H

#include "lather/base/err.h"
#include "lather/measure/summary.h"

/*
 * Reads a result that --json wrote; "-" is standard input. *summary is the caller's to free. The
 * sentence in err begins with the file's name.
 */
bool result_file_read(const char *path, struct summary **summary, struct err *err) MUST_USE;

#endif
