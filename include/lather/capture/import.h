/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CAPTURE_IMPORT_H
#define LATHER_CAPTURE_IMPORT_H

#include <stdbool.h>

#include "lather/base/str.h"
#include "lather/capture/capture.h"

/* Whether a body may have lost its end on the way, so that broken XML means a damaged entry. */
enum import_body { IMPORT_BODY_WHOLE = 0, IMPORT_BODY_MAY_BE_CUT };

/* What a reader knows beside the message itself. NULL: not known. */
struct import_facts {
    const char *implied_type;   /* the Content-Type the tool sends when the capture names none */
    const char *implied_action; /* the SOAPAction the tool sends when the capture names none */
    const char *charset;        /* the body's, where it is not the one its XML says */
    enum import_body body;
};

/*
 * Adds a field as recorded to a message's head. Names and values no field may hold are left out
 * with a remark; pseudo-fields of HTTP/2 (":path") are left out. False when the head is full.
 */
bool import_field(struct capture *capture, struct capture_message *message, struct str name,
                  struct str value);

/*
 * Makes text that a capture keeps decoded (UTF-8) the message's body, in the encoding it is sent
 * in. False, with a remark and the body in UTF-8, when it cannot be written in that.
 */
bool import_text(struct capture *capture, struct capture_message *message, struct str text,
                 struct str charset);

/*
 * Makes a recorded message ready to be sent again, and hands it to the capture: the URL is made
 * absolute (with the Host field where it is a path), its user information becomes credentials; the
 * header rules are applied; an encoded body is decoded; version and action are found; Content-Type
 * and SOAPAction are settled where the capture has none (soap/binding). Each change is noted.
 * Damage leaves it out, with a note. The message's content is taken in every case; place must be
 * set, name may be NULL (then action or URL name it), method, url and the rest may be NULL. True
 * when it is in the capture's list.
 */
bool import_message(struct capture *capture, struct capture_message *message,
                    const struct import_facts *facts);

#endif
