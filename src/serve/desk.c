/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One of several threads of the service. Sockets are handed over as the system knows them, before
 * any loop has touched them, because on Windows a socket belongs to the first loop for good. The
 * lock guards the list of those handed over and the wish to end; all else is the thread's own.
 */
#include "lather/serve/desk.h"

#include <stdlib.h>

#include <uv.h>

#include "lather/base/platform.h"
#include "lather/serve/client.h"

enum { FIRST_ROOM = 16 };

struct desk {
    uv_loop_t loop;
    uv_async_t call; /* something was handed over, or it is to end */
    uv_thread_t thread;
    struct client_host host;

    uv_mutex_t lock; /* of the rest */
    intptr_t *handed;
    size_t count;
    size_t room;
    bool ends;
};

/* Takes all that was handed over; whether the desk is to end. */
static bool take_handed(struct desk *desk)
{
    uv_mutex_lock(&desk->lock);
    intptr_t *handed = desk->handed;
    size_t count = desk->count;
    bool ends = desk->ends;
    desk->handed = NULL;
    desk->count = desk->room = 0;
    uv_mutex_unlock(&desk->lock);
    for (size_t i = 0; i < count; i++) {
        client_adopt(&desk->host, &desk->loop, handed[i]);
    }
    free(handed);
    return ends;
}

static void on_call(uv_async_t *call)
{
    struct desk *desk = call->data;
    if (take_handed(desk)) {
        client_close_all(&desk->loop, NULL);
        client_host_close(&desk->host);
        uv_close((uv_handle_t *)&desk->call, NULL);
    }
}

static void run(void *context)
{
    struct desk *desk = context;
    platform_name_thread("serve");
    CHECK(uv_run(&desk->loop, UV_RUN_DEFAULT) == 0);
}

/* What is left of a desk whose loop has run to its end. */
static void desk_free(struct desk *desk)
{
    CHECK(uv_loop_close(&desk->loop) == 0);
    client_host_deinit(&desk->host);
    uv_mutex_destroy(&desk->lock);
    free(desk);
}

/* Has the loop end as soon as it runs. */
static void ask_to_end(struct desk *desk)
{
    uv_mutex_lock(&desk->lock);
    desk->ends = true;
    uv_mutex_unlock(&desk->lock);
    CHECK(uv_async_send(&desk->call) == 0);
}

struct desk *desk_begin(const struct serve_options *options, size_t index, struct err *err)
{
    struct desk *desk = check_calloc(1, sizeof *desk);
    CHECK(uv_mutex_init(&desk->lock) == 0);
    CHECK(uv_loop_init(&desk->loop) == 0);
    CHECK(uv_async_init(&desk->loop, &desk->call, on_call) == 0);
    desk->call.data = desk;
    client_host_init(&desk->host, &desk->loop, options, index);
    int status = uv_thread_create(&desk->thread, run, desk);
    if (status != 0) {
        (void)err_set(err, ERR_LIMIT, "cannot start thread %zu: %s", index + 1,
                      uv_strerror(status));
        ask_to_end(desk);
        run(desk);
        desk_free(desk);
        return NULL;
    }
    return desk;
}

void desk_hand(struct desk *desk, intptr_t socket)
{
    uv_mutex_lock(&desk->lock);
    if (desk->count == desk->room) {
        desk->room = desk->room > 0 ? 2 * desk->room : FIRST_ROOM;
        desk->handed = check_realloc(desk->handed, desk->room * sizeof *desk->handed);
    }
    desk->handed[desk->count++] = socket;
    uv_mutex_unlock(&desk->lock);
    CHECK(uv_async_send(&desk->call) == 0);
}

void desk_end(struct desk *desk, struct serve_counts *counts)
{
    if (desk == NULL) {
        return;
    }
    ask_to_end(desk);
    CHECK(uv_thread_join(&desk->thread) == 0);
    serve_counts_add(counts, &desk->host.dispatch.counts);
    desk_free(desk);
}
