/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_REFRESH_ADDRESSING_H
#define LATHER_SOAP_REFRESH_ADDRESSING_H

struct refresh_work;

/*
 * Header blocks that name a message and its receiver (WS-Addressing 1.0 core, 3.1 and 3.2), for
 * soap/refresh alone. Each is called after the MARKUP_START of its block and moves to its
 * MARKUP_END, or stops where the text breaks off. Each adds its edits and notes to the work, and
 * counts what it found; what a signature covers stays as it is. Linear in the block.
 */

/* wsa:MessageID: the UUID in it is new in each request. Equal ones in a message stay equal. */
void refresh_addressing_message_id(struct refresh_work *work);

/* wsa:To: what --wsa-to gives, or the URL that is asked where scheme, port or path are others. */
void refresh_addressing_to(struct refresh_work *work);

/* WCF's ActivityId and the CorrelationId in it: new, as the traces of requests would mix. */
void refresh_addressing_activity_id(struct refresh_work *work);

#endif
