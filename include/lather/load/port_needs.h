/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_LOAD_PORT_NEEDS_H
#define LATHER_LOAD_PORT_NEEDS_H

#include "lather/base/buf.h"
#include "lather/plan/plan.h"

/* The local ports of this machine, as far as it tells. */
struct port_supply {
    uint64_t ports;  /* for new connections, of all local addresses together; 0: not known */
    uint64_t rest_s; /* how long one rests after its connection; 0: not known */
};

/*
 * Adds a line to the notes when the plan asks for more connections than there are ports: more at
 * once, or more one after another than can be opened while closed ones keep theirs. Says how many
 * new ones a second the ports allow, and with a rate, when they will be used up. A run that ends
 * before, or whose rate they allow, gets none. Pure.
 */
void port_needs_note(const struct plan *plan, const struct port_supply *supply, struct buf *notes);

#endif
