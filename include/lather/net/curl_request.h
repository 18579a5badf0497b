/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_NET_CURL_REQUEST_H
#define LATHER_NET_CURL_REQUEST_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/base/str.h"
#include "lather/net/curl_body.h"
#include "lather/net/transport.h"

/*
 * A request's bytes taken apart, as libcurl wants them: it writes the head itself, once for each
 * leg of a conversation. What it writes has the same fields and length as the bytes given, in
 * another order; fields it would add of itself are held back.
 */
struct curl_request {
    char *method;
    char *target;             /* path and query, as in the request line */
    CURLU *url;               /* for whom it is given to libcurl: filled by net/curl_setup */
    struct curl_slist *lines; /* for CURLOPT_HTTPHEADER */
    struct str body;          /* in one run: in its piece, or in `joined`; see is_in_pieces */
    struct curl_body pieces;  /* as it lies in the exchange */
    bool is_in_pieces;        /* it is large and lies in several: to be read, not viewed */
    bool has_length;          /* a Content-Length belongs to it, even to an empty body */
    struct buf joined;
    struct buf head;  /* that lines and target were made of */
    struct str *seen; /* the pieces read last, when they hold constant bytes */
    size_t seen_count;
};

/* Holds nothing yet. */
void curl_request_init(struct curl_request *request);
/* Frees what it holds. */
void curl_request_deinit(struct curl_request *request);

/* libcurl sends a body up to this size in one write with its head, but for one that is read. */
enum { CURL_REQUEST_JOIN_CEILING = 64 * 1024 };

/* What came of reading. */
enum curl_request_state {
    CURL_REQUEST_NEW = 0, /* read: its parts are to be given to libcurl */
    CURL_REQUEST_SAME,    /* the constant bytes of the last time: nothing changed */
    CURL_REQUEST_BODY,    /* read: the head of the last time before another body as long */
    CURL_REQUEST_BAD      /* no HTTP/1.1 request with a head, or a body of unknown length */
};

/*
 * Reads an exchange's request. Constant bytes are read once. A body that lies in one piece is not
 * copied but borrowed, and so is a large one in several (CURL_REQUEST_JOIN_CEILING): the exchange's
 * pieces must stay until the transfer has ended.
 */
enum curl_request_state curl_request_read(struct curl_request *request,
                                          const struct exchange *exchange) MUST_USE;

#endif
