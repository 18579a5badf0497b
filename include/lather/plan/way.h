/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_PLAN_WAY_H
#define LATHER_PLAN_WAY_H

#include <stdbool.h>
#include <stdint.h>

#include "lather/base/auth_scheme.h"
#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/base/proxy.h"
#include "lather/base/str.h"
#include "lather/base/url.h"

/* Who speaks HTTP for us. */
enum way_transport {
    WAY_TRANSPORT_AUTO = 0, /* until way_settle */
    WAY_TRANSPORT_DIRECT,   /* lather itself */
    WAY_TRANSPORT_CURL,     /* libcurl */
    WAY_TRANSPORT_COUNT
};

/* By which way the service is reached, and as whom. Owned; zeroed it is the plain way. */
struct way {
    enum way_transport transport;
    enum auth_scheme auth;
    char *user;        /* of -A with a scheme; NULL: whoever the system says we are */
    char *password;    /* never shown */
    char *spn_service; /* --spn SERVICE/HOST; NULL when not given */
    char *spn_host;
    struct proxy proxy;
    char *proxy_user; /* NULL when not given */
    char *proxy_password;
    bool http2;
    bool resolve_each;  /* look the name up for each connection */
    char *connect_host; /* whom to connect to in place of the URL's host; NULL: nobody else */
    uint16_t connect_port;
};

/* Frees the strings, passwords wiped; safe on a zeroed way. */
void way_deinit(struct way *way);

/* The transport of a name, "auto", "direct", "curl"; false when there is none. */
bool way_transport_parse(struct str name, enum way_transport *transport) MUST_USE;

/* The name; never NULL. */
const char *way_transport_name(enum way_transport transport);

/*
 * Splits "USER:PASSWORD" at the first colon into copies; the password may be empty. False, with
 * nothing allocated, when there is no colon or no user.
 */
bool way_parse_credentials(struct str text, char **user, char **password) MUST_USE;

/* Reads "SERVICE/HOST", the principal of the service for Kerberos. */
bool way_parse_spn(struct way *way, struct str text, struct err *err) MUST_USE;

/*
 * Reads "HOST:PORT:HOST2:PORT2": who asks for the first connects to the second. An empty part means
 * any host or port, or the one that is there anyway. Has no effect when the target is another or a
 * rule before matched.
 */
bool way_parse_connect_to(struct way *way, struct str text, const struct url *target,
                          struct err *err) MUST_USE;

/* What asks for libcurl, as an option's name ("--ntlm", "-X"); NULL when nothing does. */
const char *way_needs_curl(const struct way *way);

/*
 * Whether authentication belongs to the connection, so that it must outlive the first answer
 * whatever else is wanted.
 */
bool way_binds_connection(const struct way *way);

/* Refuses contradictions and chooses the transport: direct whenever it can serve. */
bool way_settle(struct way *way, struct err *err) MUST_USE;

#endif
