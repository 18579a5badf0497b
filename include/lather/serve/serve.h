/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SERVE_SERVE_H
#define LATHER_SERVE_SERVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/serve/delays.h"

/*
 * What the service did. Each request read whole is in exactly one of orders, one_way, faults,
 * bad_requests and pages; they add up to requests.
 */
struct serve_counts {
    uint64_t connections;  /* accepted */
    uint64_t not_accepted; /* tried, but there was no descriptor left for them */
    uint64_t requests;     /* read whole, or refused before their end */
    uint64_t orders;       /* two-way, answered with a PlaceOrderResponse */
    uint64_t one_way;      /* answered 202 without a body */
    uint64_t faults; /* well-formed envelopes answered with a Fault, those of fault_rate included */
    uint64_t bad_requests; /* not HTTP, not XML, not an envelope, wrong media type or method */
    uint64_t pages;        /* GET and HEAD of the help page */
    uint64_t unanswered;   /* of the requests: the connection or the service ended before the answer
                              went out whole */
    uint64_t bytes_in;     /* heads and bodies */
    uint64_t bytes_out;
};

/* How to serve. A zeroed struct is a good default but for the callbacks. */
struct serve_options {
    uint16_t port;        /* on 127.0.0.1; 0: a free one */
    size_t threads;       /* 0: 1 */
    struct delays delays; /* from a request's last byte to its answer's first; never less, seldom
                             0.1 ms more */
    double fault_rate;    /* 0..1: of the n orders of a thread n * fault_rate, rounded down or up,
                             get a Fault, evenly spread and in no rhythm; to 1e-6 */
    uint64_t size_bytes;  /* an order's answer has a body of at least this, by padding its text; 0:
                             as it comes */
    uint64_t close_after; /* the answer of that rank on a connection says close; 0: no limit */

    /* Called once, when connections are accepted, with the port. May be NULL. */
    void (*started)(void *context, uint16_t port);
    void *context;
};

enum { SERVE_SIZE_CEILING = 64 << 20 }; /* of size_bytes: one copy in memory, sent to each client */

/* The path in the address to print; every path is answered alike. */
#define SERVE_PATH "/OrderService.svc"

enum { SERVE_THREADS_MOST = 256 };

/* The threads that serve, at least 1. */
size_t serve_thread_count(const struct serve_options *options);

/* Adds what a thread did to what all did. */
void serve_counts_add(struct serve_counts *sum, const struct serve_counts *more);

/*
 * Serves until one of platform_stop_signals (the calling thread waits for them), then closes
 * everything and returns true with *counts filled. With several threads the calling one accepts the
 * connections and hands them to the others in turn. Requests are orders, one-way messages
 * (payloads/README.md) and GETs of a help page, over HTTP/1.1 or 1.0. False, with err set and
 * nothing served, when an option is out of its range or the port cannot be had.
 */
bool serve_run(const struct serve_options *options, struct serve_counts *counts,
               struct err *err) MUST_USE;

enum { SERVE_LINE_SIZE = 400 };

/*
 * The line for the end, without a line end: "served: N requests on N connections (orders N,
 * one-way N, faults N, bad requests N, pages N, unanswered N, not accepted N), N bytes in, N bytes
 * out". Returns text.
 */
const char *serve_format_counts(const struct serve_counts *counts, char text[SERVE_LINE_SIZE]);

#endif
