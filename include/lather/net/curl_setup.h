/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_NET_CURL_SETUP_H
#define LATHER_NET_CURL_SETUP_H

#include <curl/curl.h>
#include <stddef.h>

#include "lather/base/buf.h"
#include "lather/net/curl_request.h"
#include "lather/net/curl_transport.h"

/*
 * What a way to the server means in libcurl's options, worked out once and then given to every
 * handle of a transport.
 */
struct curl_setup {
    const struct curl_transport_options *way;
    struct buf origin; /* "http://host:port": what stands before a request's target */
    /* The addresses, so that libcurl never asks a resolver: all of them, and at N those of the Nth
     * one's family beginning with it. libcurl 8 takes IPv6 first whatever the order. */
    struct curl_slist *resolve_all;
    struct curl_slist *resolve[ADDRESS_CEILING];
    struct curl_slist *connect_to; /* or NULL */
    struct buf proxy;              /* "http://host:port", empty without */
};

/* Works the options out. `peer` are the addresses connected to. */
void curl_setup_init(struct curl_setup *setup, const struct curl_transport_options *way,
                     const struct address_list *peer);
/* Frees what was worked out, after the last handle. */
void curl_setup_deinit(struct curl_setup *setup);

/* Gives a handle all that does not change from request to request. */
void curl_setup_apply(const struct curl_setup *setup, CURL *easy);

/* Gives a handle the request. Its parts must stay until the transfer has ended. */
void curl_setup_apply_request(const struct curl_setup *setup, CURL *easy,
                              struct curl_request *request);

/* Gives a handle that has the request's head its body: CURL_REQUEST_BODY. */
void curl_setup_apply_body(CURL *easy, const struct curl_request *request);

#endif
