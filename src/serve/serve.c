/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The service as a whole: listens, hands connections out, and ends on a signal. Everything runs in
 * one loop on the calling thread; what a connection does is in client.c. The order at the end
 * matters: handles are closed first, the loop runs on until they are, then memory is freed.
 */
#include "lather/serve/serve.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include <uv.h>

#include "lather/base/platform.h"
#include "lather/serve/client.h"

enum {
    BACKLOG = 65535,           /* the system cuts it to its own limit */
    DESCRIPTORS_WANTED = 65536 /* halved until the system agrees */
};

struct service {
    uv_loop_t loop;
    uv_tcp_t listener;
    uv_signal_t interrupt;
    uv_signal_t terminate;
    struct client_host host;
};

static bool check_options(const struct serve_options *options, struct err *err)
{
    if (!(options->fault_rate >= 0 && options->fault_rate <= 1)) {
        return err_set(err, ERR_USAGE, "a fault rate lies between 0 and 1");
    }
    if (options->size_bytes > SERVE_SIZE_CEILING) {
        return err_set(err, ERR_USAGE, "an answer may have %d bytes at the most",
                       SERVE_SIZE_CEILING);
    }
    return true;
}

/* Best effort: what cannot be accepted later is counted. */
static void raise_descriptor_limit(void)
{
    uint64_t wanted = DESCRIPTORS_WANTED;
    while (!platform_raise_descriptor_limit(wanted, NULL) && wanted > 1) {
        wanted /= 2;
    }
}

static void on_connection(uv_stream_t *listener, int status)
{
    struct service *service = listener->data;
    if (status != 0) {
        service->host.dispatch.counts.not_accepted++;
        return;
    }
    client_accept(&service->host, listener);
}

static bool listen_on(struct service *service, uint16_t *port, struct err *err)
{
    struct sockaddr_in address;
    int length = sizeof address;
    int status = uv_ip4_addr("127.0.0.1", *port, &address);
    if (status == 0) {
        status = uv_tcp_bind(&service->listener, (const struct sockaddr *)&address, 0);
    }
    if (status == 0) {
        /* Accepted sockets inherit it: answers of many segments would otherwise wait for an ACK. */
        status = uv_tcp_nodelay(&service->listener, 1);
    }
    if (status == 0) {
        status = uv_listen((uv_stream_t *)&service->listener, BACKLOG, on_connection);
    }
    if (status == 0) {
        status = uv_tcp_getsockname(&service->listener, (struct sockaddr *)&address, &length);
    }
    if (status != 0) {
        bool is_ours = status == UV_EADDRINUSE || status == UV_EACCES;
        return err_set(err, is_ours ? ERR_USAGE : ERR_SYSTEM, "cannot listen on 127.0.0.1:%u: %s",
                       (unsigned)*port, uv_strerror(status));
    }
    *port = ntohs(address.sin_port);
    return true;
}

static void on_signal(uv_signal_t *handle, int number)
{
    (void)number;
    uv_stop(handle->loop);
}

static void service_begin(struct service *service, const struct serve_options *options)
{
    CHECK(uv_loop_init(&service->loop) == 0);
    CHECK(uv_tcp_init(&service->loop, &service->listener) == 0);
    service->listener.data = service;
    CHECK(uv_signal_init(&service->loop, &service->interrupt) == 0);
    CHECK(uv_signal_init(&service->loop, &service->terminate) == 0);
    CHECK(uv_signal_start(&service->interrupt, on_signal, platform_stop_signals[0]) == 0);
    CHECK(uv_signal_start(&service->terminate, on_signal, platform_stop_signals[1]) == 0);
    client_host_init(&service->host, &service->loop, options);
}

/* The TCP handles of a loop are its listener and its connections. */
static void on_walk(uv_handle_t *handle, void *context)
{
    struct service *service = context;
    if (handle->type == UV_TCP && handle != (uv_handle_t *)&service->listener) {
        client_close(handle->data);
    }
}

static void service_end(struct service *service, struct serve_counts *counts)
{
    uv_walk(&service->loop, on_walk, service);
    *counts = service->host.dispatch.counts;
    client_host_close(&service->host);
    uv_close((uv_handle_t *)&service->listener, NULL);
    uv_close((uv_handle_t *)&service->interrupt, NULL);
    uv_close((uv_handle_t *)&service->terminate, NULL);
    CHECK(uv_run(&service->loop, UV_RUN_DEFAULT) == 0);
    CHECK(uv_loop_close(&service->loop) == 0);
    client_host_deinit(&service->host);
    free(service);
}

bool serve_run(const struct serve_options *options, struct serve_counts *counts, struct err *err)
{
    if (!check_options(options, err)) {
        return false;
    }
#ifdef SIGPIPE
    signal(SIGPIPE, SIG_IGN); /* a client that goes away is an error of write, not our end */
#endif
    raise_descriptor_limit();
    struct service *service = check_calloc(1, sizeof *service);
    service_begin(service, options);
    uint16_t port = options->port;
    bool listens = listen_on(service, &port, err);
    if (listens) {
        if (options->started != NULL) {
            options->started(options->context, port);
        }
        uv_run(&service->loop, UV_RUN_DEFAULT);
    }
    service_end(service, counts);
    return listens;
}

const char *serve_format_counts(const struct serve_counts *counts, char text[SERVE_LINE_SIZE])
{
    snprintf(text, SERVE_LINE_SIZE,
             "served: %" PRIu64 " requests on %" PRIu64 " connections (orders %" PRIu64
             ", one-way %" PRIu64 ", faults %" PRIu64 ", bad requests %" PRIu64 ", pages %" PRIu64
             ", unanswered %" PRIu64 ", not accepted %" PRIu64 "), %" PRIu64 " bytes in, %" PRIu64
             " bytes out",
             counts->requests, counts->connections, counts->orders, counts->one_way, counts->faults,
             counts->bad_requests, counts->pages, counts->unanswered, counts->not_accepted,
             counts->bytes_in, counts->bytes_out);
    return text;
}
