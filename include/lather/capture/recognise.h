/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CAPTURE_RECOGNISE_H
#define LATHER_CAPTURE_RECOGNISE_H

#include <stdbool.h>

#include "lather/base/buf.h"
#include "lather/base/err.h"
#include "lather/capture/capture.h"

/*
 * Tells what kind of file this is, from its first bytes. Text formats that are no XML are converted
 * when they begin with a UTF-16 byte order mark (as Windows PowerShell writes): then decoded (which
 * must be initialised) gets the UTF-8. False for formats of other tools that are known and not read
 * (PowerShell commands, Burp, Postman 1, an answer...) and for files of no known format whose name
 * claims one. name is for sentences and that claim.
 */
bool recognise(struct str content, const char *name, struct buf *decoded, enum capture_kind *kind,
               struct err *err) MUST_USE;

#endif
