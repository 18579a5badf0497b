/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CAPTURE_PICK_H
#define LATHER_CAPTURE_PICK_H

#include <stdbool.h>
#include <stddef.h>

#include "lather/base/err.h"
#include "lather/capture/capture.h"

/* Chosen messages: indices into the capture's, ascending unless picked in another order. */
struct pick {
    size_t *indices;
    size_t count;
};

/*
 * Chooses what is sent. Without words (count 0): the SOAP messages among the POSTs, in order; a
 * capture that is the body itself gives that; a capture of one single message with a body gives
 * that one, SOAP or not. With words, as --pick takes them: each is a number, from 1 in the order of
 * the capture, or a name, which takes every message of that name (case counts, unless nothing fits
 * then). A message picked twice is taken once. Errors (ERR_FORMAT for a capture without a POST,
 * ERR_USAGE for a wrong word) say what there is. The caller deinits in both cases.
 */
bool pick_messages(const struct capture *capture, const char *const *words, size_t count,
                   struct pick *pick, struct err *err) MUST_USE;
void pick_deinit(struct pick *pick);

/* Whether a message is a POST whose body is a SOAP message. */
bool pick_is_soap_post(const struct capture_message *message);

#endif
