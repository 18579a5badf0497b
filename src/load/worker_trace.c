/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What -v shows of a worker's exchanges: the heads as they went over the wire, and once in a run
 * what the first TLS handshake agreed upon. One message at a time for all workers.
 */
#include "lather/load/worker_trace.h"

/* Once in a run, by the first worker. */
static void worker_trace_tls(struct worker *worker)
{
    const struct run_events *events = worker->shared->events;
    if (worker->share.index > 0 || worker->tls_traced || worker->result.tls.protocol[0] == '\0') {
        return;
    }
    struct buf lines;
    buf_init(&lines);
    tls_facts_format(&worker->result.tls, &lines);
    events->trace(events->context, RUN_TRACE_TLS, buf_view(&lines));
    buf_deinit(&lines);
    worker->tls_traced = true;
}

void worker_trace(struct worker *worker, const struct exchange *exchange)
{
    struct run_shared *shared = worker->shared;
    struct buf request;
    buf_init(&request);
    for (size_t i = 0; i < exchange->piece_count; i++) {
        buf_append_str(&request, exchange->pieces[i]);
    }
    const size_t head_end = str_find(buf_view(&request), STR("\r\n\r\n"));
    uv_mutex_lock(&shared->trace_lock);
    worker_trace_tls(worker);
    shared->events->trace(shared->events->context, RUN_TRACE_SENT,
                          str_slice(buf_view(&request), 0, head_end + 4));
    if (exchange->answer.lines.len > 0) {
        shared->events->trace(shared->events->context, RUN_TRACE_RECEIVED,
                              buf_view(&exchange->answer.lines));
    }
    if (shared->events->ended != NULL) {
        shared->events->ended(shared->events->context, exchange);
    }
    uv_mutex_unlock(&shared->trace_lock);
    buf_deinit(&request);
}
