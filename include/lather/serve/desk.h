/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SERVE_DESK_H
#define LATHER_SERVE_DESK_H

#include <stddef.h>
#include <stdint.h>

#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/serve/serve.h"

/* A thread with a loop of its own that serves the connections it is handed. */
struct desk;

/* The index-th desk, running. The options must outlive it. NULL, with err set, when there is no
 * thread to be had. */
struct desk *desk_begin(const struct serve_options *options, size_t index,
                        struct err *err) MUST_USE;

/* Hands it a connection (platform_accept), which it takes. Any thread. */
void desk_hand(struct desk *desk, intptr_t socket);

/*
 * Has it take what it was handed, end all its connections and its thread, adds its counts and frees
 * it. NULL is fine.
 */
void desk_end(struct desk *desk, struct serve_counts *counts);

#endif
