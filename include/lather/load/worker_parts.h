/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_LOAD_WORKER_PARTS_H
#define LATHER_LOAD_WORKER_PARTS_H

#include "lather/load/pace.h"
#include "lather/load/requests.h"
#include "lather/load/worker.h"

/*
 * The inside of a worker, for the worker*.c alone: everybody else keeps to load/worker.h and
 * load/worker_talk.h. All of it is the worker's thread's own but for what says otherwise.
 */
struct worker {
    struct run_shared *shared;
    const struct plan *plan;
    struct worker_share share;
    uv_thread_t thread;
    uv_loop_t loop;
    uv_async_t wake;
    uv_prepare_t prepare;
    uv_check_t check;
    uv_idle_t idle;         /* running: the next poll does not wait */
    uv_timer_t limit_timer; /* --time */
    uv_timer_t drain_timer;
    struct transport *transport;
    struct pace *pace;
    struct recorder *recorder;
    struct tally *tally; /* the recorder's */
    struct requests *requests;
    struct recorder_place *places; /* one a slot */
    uint64_t requests_left;
    uint32_t busy;      /* slots that were sent on and are not ready again */
    uint32_t in_flight; /* exchanges with the transport */
    bool connected;     /* this worker has told that a connection was established */
    bool tls_traced;
    bool draining;
    bool paused; /* the pace has stopped */
    bool halted;
    struct worker_result result;
    atomic_int command;       /* from here on read or written by other threads, too */
    atomic_bool second_asked; /* the live line wants the last second */
    uv_mutex_t second_lock;   /* for the next three */
    bool is_deaf;             /* its wake-up is closed: nobody may send to it any more */
    struct span *second;
    uint64_t second_backlog;
    atomic_uint_least64_t seen_finished; /* copies for the live line */
    atomic_uint_least64_t seen_failed;
    atomic_uint_least64_t seen_in_flight;
};

#endif
