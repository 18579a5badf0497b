/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_REFRESH_ADDRESSING_H
#define LATHER_SOAP_REFRESH_ADDRESSING_H

struct refresh_work;

/* Each is called after the MARKUP_START of its header block, and moves to its MARKUP_END. */
void refresh_addressing_message_id(struct refresh_work *work);
void refresh_addressing_to(struct refresh_work *work);
void refresh_addressing_activity_id(struct refresh_work *work);

#endif
