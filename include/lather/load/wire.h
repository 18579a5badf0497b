/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_LOAD_WIRE_H
#define LATHER_LOAD_WIRE_H

#include "lather/base/check.h"
#include "lather/net/transport.h"
#include "lather/plan/plan.h"

/* Prepares the libraries that the plan's transport needs. Once, before the first thread. */
bool wire_set_up(const struct plan *plan, struct err *err) MUST_USE;
/* After the last transport of a plan that was set up. */
void wire_tear_down(const struct plan *plan);

/*
 * A transport of the kind the plan has settled on, chosen by a table. The options are a transport's
 * own; origin_addresses (of the URL's host, for a proxy that must be told them) may be NULL. The
 * plan must outlive it.
 */
struct transport *wire_new(const struct plan *plan, const struct transport_options *options,
                           const struct address_list *origin_addresses) MUST_USE;

#endif
