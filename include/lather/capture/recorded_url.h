/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CAPTURE_RECORDED_URL_H
#define LATHER_CAPTURE_RECORDED_URL_H

#include "lather/capture/capture.h"

/*
 * Makes a message's recorded URL one that url_parse takes, or "": a path is put behind the Host
 * field (the scheme is then a guess), a missing scheme is http, blanks are escaped, user
 * information becomes basic_credentials. Notes tell each, and why a URL cannot be used.
 */
void recorded_url_settle(struct capture *capture, struct capture_message *message);

#endif
