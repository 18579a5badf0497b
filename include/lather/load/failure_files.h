/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_LOAD_FAILURE_FILES_H
#define LATHER_LOAD_FAILURE_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/measure/groups.h"
#include "lather/net/transport.h"
#include "lather/plan/plan.h"

/*
 * --save-failures: the first K failed exchanges of each kind (outcome, status, fault code, reason)
 * as files, three each, for looking at afterwards:
 *
 *   0001-fault.request   the bytes sent
 *   0001-fault.answer    head and body (failure_text.h); absent without an answer
 *   0001-fault.why       outcome, status, reason, times
 *
 * What the plan knows to be secret is replaced by *** wherever it stands. One object a run; any
 * worker's thread may call it, one at a time gets in.
 */
struct failure_files;

/*
 * Makes the folder when it is not there, and removes the files of such names that an earlier run
 * left in it. plan is borrowed.
 */
struct failure_files *failure_files_new(const struct plan *plan, struct err *err) MUST_USE;
void failure_files_free(struct failure_files *files);

/*
 * Saves an exchange of this kind, unless K of it are saved already. start_ns is that of the run. A
 * file that cannot be written is counted and costs nothing else.
 */
void failure_files_save(struct failure_files *files, const struct group_key *kind,
                        const struct exchange *exchange, uint64_t start_ns);

/* How many exchanges were saved, and how many could not be. */
uint64_t failure_files_saved(const struct failure_files *files);
uint64_t failure_files_lost(const struct failure_files *files);

#endif
