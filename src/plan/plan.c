/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The plan of a run: defaults, the list of its messages, the check that its figures do not
 * contradict each other, and its end. How a message is built is plan_message.c's. After plan_check
 * nobody writes to a plan any more.
 */
#include "lather/plan/plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lather/base/clock.h"
#include "lather/plan/plan_message.h"
#include "lather/plan/secrets.h"

struct plan *plan_new(void)
{
    struct plan *plan = check_calloc(1, sizeof *plan);
    expect_init(&plan->expect);
    plan->requests = 1;
    plan->concurrency = 1;
    plan->threads = 1;
    plan->timeout_ns = 30 * NS_PER_S;
    return plan;
}

static void free_tls(struct plan_tls *tls)
{
    if (tls->key_password != NULL) {
        memset(tls->key_password, 0, strlen(tls->key_password));
    }
    free(tls->host);
    free(tls->authority_file);
    free(tls->certificate_file);
    free(tls->key_file);
    free(tls->key_password);
    free(tls->ciphers);
    free(tls->protocol);
}

static void free_messages(struct plan *plan)
{
    for (size_t i = 0; i < plan->message_count; i++) {
        plan_message_deinit(&plan->messages[i]);
    }
    for (size_t i = 0; i < plan->own_expect_count; i++) {
        expect_deinit(plan->own_expects[i]);
        free(plan->own_expects[i]);
    }
    free(plan->messages);
    free(plan->own_expects);
    mix_free(plan->mix);
}

void plan_free(struct plan *plan)
{
    if (plan == NULL) {
        return;
    }
    url_deinit(&plan->target);
    expect_deinit(&plan->expect);
    free_messages(plan);
    csv_free(plan->data);
    free(plan->bind_address);
    free(plan->shape.step_rates);
    free(plan->shape.find_rate);
    free(plan->save_failures_folder);
    free_tls(&plan->tls);
    secrets_free(plan);
    way_deinit(&plan->way);
    free(plan);
}

bool plan_check(struct plan *plan, struct err *err)
{
    if (plan->requests == 0 && plan->time_limit_ns == 0) {
        return err_set(err, ERR_USAGE, "nothing ends the run: give -n or -t");
    }
    if (plan->requests > 0 && plan->concurrency > plan->requests) {
        return err_set(err, ERR_USAGE,
                       "-c %" PRIu32 " is more than the number of requests, %" PRIu64
                       ": lower -c or raise -n",
                       plan->concurrency, plan->requests);
    }
    if (plan->sessions.count > 0 && plan->concurrency > plan->sessions.count) {
        return err_set(err, ERR_USAGE,
                       "-c %" PRIu32 " is more than the number of sessions, %" PRIu64
                       ": lower -c or raise it",
                       plan->concurrency, plan->sessions.count);
    }
    if (plan->same_length && plan->any_length) {
        return err_set(err, ERR_USAGE,
                       "--same-length and -l contradict each other: leave one of them out");
    }
    if (plan->threads > plan->concurrency) {
        plan->threads = plan->concurrency;
    }
    return true;
}

bool plan_add_message(struct plan *plan, const struct plan_request *request, struct buf *notes,
                      struct err *err)
{
    struct plan_message message;
    plan->keep_alive = request->keep_alive;
    if (!plan_message_build(plan, &message, request, notes, err)) {
        return false;
    }
    plan->messages =
        check_realloc(plan->messages, (plan->message_count + 1) * sizeof *plan->messages);
    plan->messages[plan->message_count++] = message;
    return true;
}

struct expect *plan_add_expect(struct plan *plan)
{
    struct expect *expect = check_malloc(sizeof *expect);
    expect_init(expect);
    plan->own_expects =
        check_realloc(plan->own_expects, (plan->own_expect_count + 1) * sizeof *plan->own_expects);
    plan->own_expects[plan->own_expect_count++] = expect;
    return expect;
}

/* How an answer's end is found is settled once for a connection. */
static bool check_heads(const struct plan *plan, struct err *err)
{
    const struct plan_message *first = &plan->messages[0];
    for (size_t i = 1; i < plan->message_count; i++) {
        const struct plan_message *other = &plan->messages[i];
        if (other->answer_has_no_body != first->answer_has_no_body) {
            return err_set(err, ERR_USAGE,
                           "%.100s is a %s request and %.100s a %s request: HEAD requests are not "
                           "mixed with others; start a run for each",
                           first->name, first->method, other->name, other->method);
        }
    }
    return true;
}

bool plan_settle_mix(struct plan *plan, struct err *err)
{
    CHECK(plan->message_count > 0);
    if (plan->message_count == 1) {
        return true;
    }
    if (!check_heads(plan, err)) {
        return false;
    }
    uint32_t *weights = check_malloc(plan->message_count * sizeof *weights);
    for (size_t i = 0; i < plan->message_count; i++) {
        weights[i] = plan->messages[i].weight;
    }
    mix_free(plan->mix);
    plan->mix = mix_new(weights, plan->message_count, plan->shuffles ? MIX_SHUFFLED : MIX_IN_ORDER,
                        plan->seed, err);
    free(weights);
    return plan->mix != NULL;
}
