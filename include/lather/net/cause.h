/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_NET_CAUSE_H
#define LATHER_NET_CAUSE_H

#include "lather/base/outcome.h"
#include "lather/net/transport.h"

/*
 * The outcome of an exchange that did not get a whole answer: from how far it came and libuv's
 * error. This machine's own lacks (ports, descriptors, memory) are OUTCOME_LOCAL wherever they
 * show. For TRANSPORT_END_ANSWERED it gives OUTCOME_OK: the judge decides.
 */
enum outcome cause_outcome(enum transport_end end, int error);

enum { CAUSE_TEXT_SIZE = 160 };

/*
 * Why, in a few words for a tester: "connection refused", "closed before any answer", "closed
 * after 812 of 1766 body bytes". Returns text.
 */
const char *cause_format(const struct exchange *exchange, char text[CAUSE_TEXT_SIZE]);

#endif
