/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines and their sockets: what libcurl waits for, told to libuv. What costs, and what is done
 * about it (docs/ARCHITECTURE.md): libcurl lets go of a socket at the end of each transfer and
 * takes it again for the next one; a uv_poll_t made and closed each time is six epoll_ctl and an
 * ioctl per request, so here it lives as long as the connection and its interest is only changed
 * when it differs. The trap: libcurl closes a socket that never was connected without a word before
 * it is gone, so its number may already be that of another.
 */
#include "lather/net/curl_line.h"

#include "lather/base/platform.h"
#include "lather/net/address.h"
#include "lather/net/curl_engine_parts.h"

/* --- sockets -------------------------------------------------------------------------------- */

static void curl_socket_on_closed(uv_handle_t *handle)
{
    struct curl_socket *record = handle->data;
    record->next = record->engine->free_list;
    record->engine->free_list = record;
}

/* Stops polling; the record is used again when libuv has let go of it. */
static void curl_socket_release(struct curl_socket *record)
{
    if (record->is_polled) {
        (void)uv_poll_stop(&record->poll);
        uv_close((uv_handle_t *)&record->poll, curl_socket_on_closed);
    } else {
        record->next = record->engine->free_list;
        record->engine->free_list = record;
    }
}

static void curl_socket_close(struct curl_socket *record)
{
    curl_socket_release(record);
    platform_socket_close(record->descriptor);
}

static void curl_socket_on_poll(uv_poll_t *poll, int status, int events);

static void curl_socket_arm(struct curl_socket *record, int events)
{
    if (record->armed == events) {
        return;
    }
    record->armed = events;
    if (events == 0) {
        (void)uv_poll_stop(&record->poll);
    } else {
        (void)uv_poll_start(&record->poll, events, curl_socket_on_poll);
    }
}

static void curl_line_drain(struct curl_engine *engine, struct curl_line *line)
{
    const ptrdiff_t bytes = platform_socket_drain(line->lingering->descriptor);
    if (bytes > 0) {
        engine->events.drained(line->owner, (size_t)bytes);
    } else if (bytes == 0) {
        curl_line_drop_lingering(line);
        engine->events.left(line->owner);
    }
}

/* Nobody waits for it: between two transfers that is a close, or bytes that nobody asked for. */
static void curl_socket_stir(struct curl_socket *record)
{
    struct curl_line *line = record->line;
    curl_socket_arm(record, 0);
    const ptrdiff_t bytes = platform_socket_peek(record->descriptor);
    if (!line->is_running && bytes >= 0) {
        record->engine->events.stirred(line->owner, (size_t)bytes);
    }
}

static void curl_socket_on_poll(uv_poll_t *poll, int status, int events)
{
    struct curl_socket *record = poll->data;
    struct curl_engine *engine = record->engine;
    curl_engine_stamp(engine);
    if (status < 0) {
        record->armed = 0;
    }
    if (record->line->lingering == record) {
        curl_socket_arm(record, UV_READABLE);
        curl_line_drain(engine, record->line);
    } else if (!record->is_wanted) {
        curl_socket_stir(record);
    } else {
        /* An error shows when it is read or written; told as such libcurl takes it for a failed
         * send. libuv has stopped polling then. */
        curl_socket_arm(record, record->wish);
        const int ready = status < 0 ? UV_READABLE | UV_WRITABLE : events;
        const int flags = ((ready & UV_READABLE) != 0 ? CURL_CSELECT_IN : 0) |
                          ((ready & UV_WRITABLE) != 0 ? CURL_CSELECT_OUT : 0);
        curl_engine_act(engine, (curl_socket_t)record->descriptor, flags);
    }
    curl_engine_harvest(engine);
}

/* The line's record of a socket, and where it hangs. NULL when it has none. */
static struct curl_socket **curl_line_find(struct curl_line *line, curl_socket_t socket)
{
    struct curl_socket **at = &line->sockets;
    while (*at != NULL && (curl_socket_t)(*at)->descriptor != socket) {
        at = &(*at)->next;
    }
    return *at != NULL ? at : NULL;
}

static struct curl_socket *curl_line_new_record(struct curl_engine *engine)
{
    struct curl_socket *record = engine->free_list;
    if (record == NULL) {
        return check_calloc(1, sizeof(*record));
    }
    engine->free_list = record->next;
    *record = (struct curl_socket){.engine = NULL};
    return record;
}

static struct curl_socket *curl_line_add_socket(struct curl_line *line, intptr_t descriptor)
{
    struct curl_socket *record = curl_line_new_record(line->engine);
    record->engine = line->engine;
    record->line = line;
    record->descriptor = descriptor;
    record->next = line->sockets;
    line->sockets = record;
    return record;
}

/*
 * libcurl has done with a socket that never was connected. It closes such a socket on its own (7.88
 * does), without a word before it is gone: all that is left to do is to forget it.
 */
static void curl_line_forget(struct curl_line *line, struct curl_socket **at)
{
    struct curl_socket *record = *at;
    *at = record->next;
    (void)line->engine->events.closing(line->owner, record->descriptor, false);
    curl_socket_release(record);
}

static void curl_socket_want(struct curl_socket *record, int what)
{
    record->is_wanted = true;
    if (!record->is_polled) {
        CHECK(uv_poll_init_socket(record->engine->loop, &record->poll,
                                  (uv_os_sock_t)record->descriptor) == 0);
        record->poll.data = record;
        record->is_polled = true;
    }
    record->wish = ((what & CURL_POLL_IN) != 0 ? UV_READABLE : 0) |
                   ((what & CURL_POLL_OUT) != 0 ? UV_WRITABLE : 0);
    curl_socket_arm(record, record->wish);
}

int curl_line_on_socket_wish(CURL *easy, curl_socket_t socket, int what, void *context,
                             void *assigned)
{
    (void)context;
    (void)assigned;
    struct curl_line *line = curl_engine_line_of(easy);
    if (line == NULL) {
        return 0; /* no line's: libcurl's own affairs */
    }
    struct curl_socket **found = curl_line_find(line, socket);
    if (what != CURL_POLL_REMOVE) {
        curl_socket_want(found != NULL ? *found : curl_line_add_socket(line, (intptr_t)socket),
                         what);
    } else if (found != NULL && (*found)->is_open) {
        (*found)->is_wanted = false;
        curl_socket_arm(*found, UV_READABLE);
    } else if (found != NULL) {
        curl_line_forget(line, found);
    }
    return 0;
}

static const struct sockaddr *curl_line_choose_source(const struct curl_line *line, int family)
{
    const struct curl_engine_socket_options *options = &line->engine->sockets;
    return options->choose_source != NULL ? options->choose_source(options->context, family) : NULL;
}

/* A local address without a free port may have others beside it. */
static intptr_t curl_line_make_socket(struct curl_line *line, int family)
{
    const uint64_t buffer_bytes = line->engine->sockets.buffer_bytes;
    const struct sockaddr *const first = curl_line_choose_source(line, family);
    const struct sockaddr *source = first;
    intptr_t descriptor = -1;
    bool lacks_port = false;
    do {
        descriptor = platform_socket_open(family, source, buffer_bytes, &line->socket_error);
        lacks_port = descriptor == -1 &&
                     address_error_is_no_port(uv_translate_sys_error(line->socket_error));
        if (lacks_port) {
            source = curl_line_choose_source(line, family);
        }
    } while (lacks_port && source != first);
    return descriptor;
}

static curl_socket_t curl_line_on_open(void *context, curlsocktype purpose,
                                       struct curl_sockaddr *address)
{
    (void)purpose;
    struct curl_line *line = context;
    struct curl_engine *engine = line->engine;
    if (!engine->events.connecting(line->owner)) {
        return CURL_SOCKET_BAD;
    }
    const intptr_t descriptor = curl_line_make_socket(line, address->family);
    if (descriptor == -1) {
        return CURL_SOCKET_BAD;
    }
    struct curl_socket **stale = curl_line_find(line, (curl_socket_t)descriptor);
    if (stale != NULL) {
        curl_line_forget(line, stale);
    }
    (void)curl_line_add_socket(line, descriptor);
    return (curl_socket_t)descriptor;
}

static void curl_line_keep_lingering(struct curl_line *line, struct curl_socket *record)
{
    if (line->lingering != NULL) {
        curl_line_drop_lingering(line);
    }
    if (!record->is_polled || platform_socket_peek(record->descriptor) == 0) {
        curl_socket_close(record);
        return;
    }
    record->next = NULL;
    record->is_wanted = false;
    line->lingering = record;
    curl_socket_arm(record, UV_READABLE);
}

static int curl_line_on_close(void *context, curl_socket_t socket)
{
    struct curl_line *line = context;
    struct curl_socket **found = curl_line_find(line, socket);
    if (found == NULL) {
        platform_socket_close((intptr_t)socket); /* one that was forgotten */
        return 0;
    }
    struct curl_socket *record = *found;
    *found = record->next;
    switch (line->engine->events.closing(line->owner, record->descriptor, record->is_open)) {
    case CURL_ENGINE_CLOSE_LINGER:
        curl_line_keep_lingering(line, record);
        break;
    case CURL_ENGINE_CLOSE_NOW:
        curl_socket_close(record);
        break;
    }
    return 0;
}

/* --- lines ---------------------------------------------------------------------------------- */

/* What the engine needs of every easy handle. */
static void curl_line_set_up(struct curl_line *line)
{
    CURL *easy = line->easy;
    (void)curl_easy_setopt(easy, CURLOPT_PRIVATE, line);
    (void)curl_easy_setopt(easy, CURLOPT_SHARE, line->pool);
    (void)curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    (void)curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, curl_line_on_open);
    (void)curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, line);
    (void)curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, curl_line_on_close);
    (void)curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, line);
}

bool curl_line_open(struct curl_line *line, struct curl_engine *engine, void *owner)
{
    *line = (struct curl_line){.engine = engine, .owner = owner};
    line->easy = curl_easy_init();
    line->pool = curl_share_init();
    if (line->easy == NULL || line->pool == NULL ||
        curl_share_setopt(line->pool, CURLSHOPT_SHARE, CURL_LOCK_DATA_CONNECT) != CURLSHE_OK ||
        curl_share_setopt(line->pool, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION) != CURLSHE_OK) {
        curl_line_close(line);
        return false;
    }
    curl_line_set_up(line);
    return true;
}

void curl_line_reset(struct curl_line *line)
{
    curl_easy_reset(line->easy);
    curl_line_set_up(line);
}

void curl_line_close(struct curl_line *line)
{
    if (line->is_running) {
        curl_line_cancel(line);
    }
    curl_easy_cleanup(line->easy);
    (void)curl_share_cleanup(line->pool);
    while (line->sockets != NULL) {
        curl_line_forget(line, &line->sockets);
    }
    if (line->lingering != NULL) {
        curl_line_drop_lingering(line);
    }
    line->easy = NULL;
    line->pool = NULL;
}

void curl_line_send(struct curl_line *line)
{
    struct curl_engine *engine = line->engine;
    line->is_running = true;
    CHECK(curl_multi_add_handle(engine->multi, line->easy) == CURLM_OK);
    curl_engine_act(engine, CURL_SOCKET_TIMEOUT, 0);
    curl_engine_harvest_soon(engine);
}

void curl_line_cancel(struct curl_line *line)
{
    line->is_running = false;
    CHECK(curl_multi_remove_handle(line->engine->multi, line->easy) == CURLM_OK);
}

bool curl_line_mark_open(struct curl_line *line)
{
    struct curl_socket *newest = line->sockets;
    if (newest == NULL || newest->is_open) {
        return false;
    }
    newest->is_open = true;
    return true;
}

bool curl_line_is_open(const struct curl_line *line)
{
    return line->sockets != NULL && line->sockets->is_open;
}

bool curl_line_is_lingering(const struct curl_line *line)
{
    return line->lingering != NULL;
}

intptr_t curl_line_descriptor(const struct curl_line *line)
{
    return curl_line_is_open(line) ? line->sockets->descriptor : -1;
}

void curl_line_drop_lingering(struct curl_line *line)
{
    struct curl_socket *record = line->lingering;
    line->lingering = NULL;
    curl_socket_close(record);
}

int curl_line_take_socket_error(struct curl_line *line)
{
    const int error = line->socket_error;
    line->socket_error = 0;
    return error;
}
