/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_BASE_HOST_PORT_H
#define LATHER_BASE_HOST_PORT_H

#include <stdbool.h>
#include <stdint.h>

#include "lather/base/check.h"
#include "lather/base/str.h"

/*
 * Takes "HOST:PORT" off the front of *text: a name, an IPv4 address or an IPv6 address in brackets,
 * which *host then is without. What follows the port, from a ':' on, stays in *text. The host may
 * be empty and the port absent (0). False when the port is no number of 1 to 65535, a bracket is
 * missing or the host holds what no host does.
 */
bool host_port_take(struct str *text, struct str *host, uint16_t *port) MUST_USE;

#endif
