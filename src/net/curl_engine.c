/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libcurl's timer on libuv, and the ends of its transfers. A timer of 0 ms is passed on as 0, and a
 * transfer is kicked as soon as it is added: rounding either up to the next turn or millisecond
 * would be in every latency. Sockets and lines are net/curl_line's. The trap: inside a callback of
 * libcurl nothing may call libcurl, so ends are harvested after each action, outside of it.
 */
#include "lather/net/curl_engine.h"

#include <stdlib.h>

#include "lather/base/clock.h"
#include "lather/net/curl_engine_parts.h"

void curl_engine_stamp(struct curl_engine *engine)
{
    if (engine->turn_start_ns == 0) {
        engine->turn_start_ns = clock_now_ns();
    }
}

/* --- ends ----------------------------------------------------------------------------------- */

struct curl_line *curl_engine_line_of(CURL *easy)
{
    char *line = NULL;
    (void)curl_easy_getinfo(easy, CURLINFO_PRIVATE, &line);
    return (struct curl_line *)(void *)line;
}

void curl_engine_harvest(struct curl_engine *engine)
{
    CURLMsg *message = NULL;
    int left = 0;
    engine->is_harvesting = true;
    while ((message = curl_multi_info_read(engine->multi, &left)) != NULL) {
        if (message->msg != CURLMSG_DONE) {
            continue;
        }
        const CURLcode result = message->data.result;
        struct curl_line *line = curl_engine_line_of(message->easy_handle);
        CHECK(curl_multi_remove_handle(engine->multi, line->easy) == CURLM_OK);
        line->is_running = false;
        engine->events.ended(line->owner, result);
    }
    engine->is_harvesting = false;
}

void curl_engine_act(struct curl_engine *engine, curl_socket_t socket, int flags)
{
    int running = 0;
    (void)curl_multi_socket_action(engine->multi, socket, flags, &running);
}

static void curl_engine_on_soon(uv_idle_t *soon)
{
    struct curl_engine *engine = soon->data;
    (void)uv_idle_stop(soon);
    curl_engine_stamp(engine);
    if (engine->must_act) {
        engine->must_act = false;
        curl_engine_act(engine, CURL_SOCKET_TIMEOUT, 0);
    }
    curl_engine_harvest(engine);
}

void curl_engine_harvest_soon(struct curl_engine *engine)
{
    if (!engine->is_harvesting) {
        (void)uv_idle_start(&engine->soon, curl_engine_on_soon);
    }
}

/* --- timer ---------------------------------------------------------------------------------- */

static void curl_engine_on_timer(uv_timer_t *timer)
{
    struct curl_engine *engine = timer->data;
    curl_engine_stamp(engine);
    engine->is_in_timer = true;
    curl_engine_act(engine, CURL_SOCKET_TIMEOUT, 0);
    engine->is_in_timer = false;
    curl_engine_harvest(engine);
}

/*
 * libcurl asks for 0 ms again and again while an answer pours in. From within a timer that would
 * not let libuv out of its timers (before 1.45): no deadline would be met, no other socket read.
 */
static int curl_engine_on_timer_wish(CURLM *multi, long timeout_ms, void *context)
{
    (void)multi;
    struct curl_engine *engine = context;
    engine->must_act = timeout_ms == 0 && engine->is_in_timer;
    if (engine->must_act) {
        (void)uv_timer_stop(&engine->timer);
        (void)uv_idle_start(&engine->soon, curl_engine_on_soon);
    } else if (timeout_ms < 0) {
        (void)uv_timer_stop(&engine->timer);
    } else {
        (void)uv_timer_start(&engine->timer, curl_engine_on_timer, (uint64_t)timeout_ms, 0);
    }
    return 0;
}

/* --- life ----------------------------------------------------------------------------------- */

struct curl_engine *curl_engine_new(uv_loop_t *loop, const struct curl_engine_events *events,
                                    uint32_t lines)
{
    struct curl_engine *engine = check_calloc(1, sizeof(*engine));
    engine->loop = loop;
    engine->events = *events;
    engine->multi = curl_multi_init();
    CHECK(engine->multi != NULL);
    (void)uv_timer_init(loop, &engine->timer);
    (void)uv_idle_init(loop, &engine->soon);
    engine->timer.data = engine;
    engine->soon.data = engine;
    CURLM *multi = engine->multi;
    (void)curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, curl_line_on_socket_wish);
    (void)curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, engine);
    (void)curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, curl_engine_on_timer_wish);
    (void)curl_multi_setopt(multi, CURLMOPT_TIMERDATA, engine);
    /* The pools belong to the lines; these make sure that no other limit ever queues or closes. */
    (void)curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, (long)lines + 1);
    (void)curl_multi_setopt(multi, CURLMOPT_PIPELINING, (long)CURLPIPE_NOTHING);
    return engine;
}

void curl_engine_set_sockets(struct curl_engine *engine,
                             const struct curl_engine_socket_options *options)
{
    engine->sockets = *options;
}

void curl_engine_stop(struct curl_engine *engine)
{
    (void)curl_multi_cleanup(engine->multi);
    engine->multi = NULL;
    uv_close((uv_handle_t *)&engine->timer, NULL);
    uv_close((uv_handle_t *)&engine->soon, NULL);
}

void curl_engine_free(struct curl_engine *engine)
{
    while (engine->free_list != NULL) {
        struct curl_socket *record = engine->free_list;
        engine->free_list = record->next;
        free(record);
    }
    free(engine);
}

uint64_t curl_engine_take_turn_start(struct curl_engine *engine)
{
    const uint64_t start_ns = engine->turn_start_ns;
    engine->turn_start_ns = 0;
    return start_ns;
}
