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

/*
 * What an answer in the clear, of this status (0: not HTTP), asks for when it says that its port
 * speaks TLS: by a TLS alert in place of HTTP, or by a 400 in the words that nginx, Apache, Tomcat
 * and Go have for it. bytes are the last ones read; `known` is what was found in earlier ones.
 */
const char *cause_hint_in_clear(uint16_t status, struct str bytes, const char *known);

/* What an answer of this status asks for when the server had asked for a certificate in vain. */
const char *cause_hint_without_certificate(uint16_t status);

#endif
