/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The service as a whole: listens, hands connections out, and ends on a signal. With one thread
 * everything runs in one loop on the calling thread; with several that loop only accepts, and the
 * desks (desk.c) serve. What a connection does is in client.c. The order at the end matters:
 * handles are closed first, the loop runs on until they are, then memory is freed.
 */
#include "lather/serve/serve.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include <uv.h>

#include "lather/base/platform.h"
#include "lather/serve/client.h"
#include "lather/serve/desk.h"

enum {
    BACKLOG = 65535,           /* the system cuts it to its own limit */
    DESCRIPTORS_WANTED = 65536 /* halved until the system agrees */
};

/* What several threads need instead of a listener: a socket of no loop, and who gets the next. */
struct acceptor {
    intptr_t socket; /* -1: not listening */
    intptr_t spare;  /* given up for a moment to get rid of a client for whom there is no room */
    uv_poll_t poll;
    struct desk **desks;
    size_t count; /* 0: one thread, and all of this is unused */
    size_t next;
    uint64_t not_accepted;
};

struct service {
    uv_loop_t loop;
    uv_tcp_t listener;
    uv_signal_t signals[PLATFORM_STOP_SIGNALS];
    struct client_host host;
    struct acceptor acceptor;
};

size_t serve_thread_count(const struct serve_options *options)
{
    return options->threads > 0 ? options->threads : 1;
}

void serve_counts_add(struct serve_counts *sum, const struct serve_counts *more)
{
    sum->connections += more->connections;
    sum->not_accepted += more->not_accepted;
    sum->requests += more->requests;
    sum->orders += more->orders;
    sum->one_way += more->one_way;
    sum->faults += more->faults;
    sum->bad_requests += more->bad_requests;
    sum->pages += more->pages;
    sum->unanswered += more->unanswered;
    sum->bytes_in += more->bytes_in;
    sum->bytes_out += more->bytes_out;
}

static bool check_options(const struct serve_options *options, struct err *err)
{
    if (!(options->fault_rate >= 0 && options->fault_rate <= 1)) {
        return err_set(err, ERR_USAGE, "a fault rate lies between 0 and 1");
    }
    if (options->size_bytes > SERVE_SIZE_CEILING) {
        return err_set(err, ERR_USAGE, "an answer may have %d bytes at the most",
                       SERVE_SIZE_CEILING);
    }
    if (options->threads > SERVE_THREADS_MOST) {
        return err_set(err, ERR_USAGE, "there may be %d threads at the most", SERVE_THREADS_MOST);
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

/* Why the port cannot be had, and what to do. */
static bool refuse_port(uint16_t port, int status, struct err *err)
{
    const char *advice = "";
    if (status == UV_EADDRINUSE) {
        advice = ": another program listens there (ss -ltnp shows which, on Windows netstat -ano); "
                 "choose another --port, or --port 0 for a free one";
    } else if (status == UV_EACCES) {
        advice = ": choose a --port of 1024 or more, or --port 0 for a free one";
    }
    return err_set(err, advice[0] != '\0' ? ERR_USAGE : ERR_SYSTEM,
                   "cannot listen on 127.0.0.1:%u: %s%s", (unsigned)port, uv_strerror(status),
                   advice);
}

static bool listen_alone(struct service *service, uint16_t *port, struct err *err)
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
        return refuse_port(*port, status, err);
    }
    *port = ntohs(address.sin_port);
    return true;
}

/* Several threads */

/*
 * A client that cannot be served for want of descriptors would wait, and the loop spin: it is taken
 * with the spare one and let go. Without a descriptor the system says so even when nobody waits.
 */
static void turn_away(struct acceptor *acceptor)
{
    int error;
    if (acceptor->spare >= 0) {
        platform_socket_close(acceptor->spare);
    }
    intptr_t unwanted = platform_accept(acceptor->socket, &error);
    if (unwanted >= 0) {
        platform_socket_close(unwanted);
        acceptor->not_accepted++;
    }
    acceptor->spare = platform_socket_open(AF_INET, NULL, 0, &error);
}

static void on_waiting(uv_poll_t *poll, int status, int events)
{
    struct acceptor *acceptor = &((struct service *)poll->data)->acceptor;
    int error = 0;
    intptr_t socket;
    (void)status;
    (void)events;
    while ((socket = platform_accept(acceptor->socket, &error)) >= 0) {
        desk_hand(acceptor->desks[acceptor->next], socket);
        acceptor->next = (acceptor->next + 1) % acceptor->count;
    }
    if (error != 0) {
        turn_away(acceptor);
    }
}

static bool listen_for_desks(struct service *service, const struct serve_options *options,
                             uint16_t *port, struct err *err)
{
    struct acceptor *acceptor = &service->acceptor;
    int error;
    acceptor->socket = platform_listen(port, BACKLOG, &error);
    if (acceptor->socket < 0) {
        return refuse_port(*port, uv_translate_sys_error(error), err);
    }
    acceptor->spare = platform_socket_open(AF_INET, NULL, 0, &error);
    acceptor->desks = check_calloc(serve_thread_count(options), sizeof(struct desk *));
    while (acceptor->count < serve_thread_count(options)) {
        struct desk *desk = desk_begin(options, acceptor->count, err);
        if (desk == NULL) {
            return false;
        }
        acceptor->desks[acceptor->count++] = desk;
    }
    CHECK(uv_poll_init_socket(&service->loop, &acceptor->poll, (uv_os_sock_t)acceptor->socket) ==
          0);
    acceptor->poll.data = service;
    CHECK(uv_poll_start(&acceptor->poll, UV_READABLE, on_waiting) == 0);
    return true;
}

/* Ends the threads and adds up what they did. The loop must run on. */
static void acceptor_end(struct acceptor *acceptor, struct serve_counts *counts)
{
    if (acceptor->poll.data != NULL) {
        uv_close((uv_handle_t *)&acceptor->poll, NULL);
    }
    for (size_t i = 0; i < acceptor->count; i++) {
        desk_end(acceptor->desks[i], counts);
    }
    counts->not_accepted += acceptor->not_accepted;
    free(acceptor->desks);
    if (acceptor->spare >= 0) {
        platform_socket_close(acceptor->spare);
    }
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
    for (int i = 0; i < PLATFORM_STOP_SIGNALS; i++) {
        const int number = platform_stop_signals[i];
        CHECK(uv_signal_init(&service->loop, &service->signals[i]) == 0);
        /* Shells start what they put behind with Ctrl-C ignored; that one is always taken. */
        if (number != 0 && (i == 0 || !platform_signal_is_ignored(number))) {
            CHECK(uv_signal_start(&service->signals[i], on_signal, number) == 0);
        }
    }
    client_host_init(&service->host, &service->loop, options, 0);
    service->acceptor.socket = service->acceptor.spare = -1;
}

static void service_end(struct service *service, struct serve_counts *counts)
{
    client_close_all(&service->loop, &service->listener);
    *counts = service->host.dispatch.counts;
    acceptor_end(&service->acceptor, counts);
    client_host_close(&service->host);
    uv_close((uv_handle_t *)&service->listener, NULL);
    for (int i = 0; i < PLATFORM_STOP_SIGNALS; i++) {
        uv_close((uv_handle_t *)&service->signals[i], NULL);
    }
    CHECK(uv_run(&service->loop, UV_RUN_DEFAULT) == 0);
    CHECK(uv_loop_close(&service->loop) == 0);
    if (service->acceptor.socket >= 0) {
        platform_socket_close(service->acceptor.socket); /* no loop looks at it any more */
    }
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
    bool listens = serve_thread_count(options) == 1
                       ? listen_alone(service, &port, err)
                       : listen_for_desks(service, options, &port, err);
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
