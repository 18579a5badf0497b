/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One template filled by several workers side by side, from sources of their own and the system's
 * generator: no MessageID comes twice, each is well-formed, and the numbers have no gap.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "lather/plan/plan.h"
#include "lather/soap/template_source.h"

enum { WORKERS = 4, EACH = 250000, ALL = WORKERS * EACH, ID_BYTES = 45 };

#define ENVELOPE                                                                                   \
    "<s:Envelope xmlns:s='http://www.w3.org/2003/05/soap-envelope' "                               \
    "xmlns:a='http://www.w3.org/2005/08/addressing'><s:Header><a:Action>urn:x</a:Action>"          \
    "<a:MessageID>urn:uuid:6f1d2c58-0f6b-4c0e-9a37-3c5b0b6f9d21</a:MessageID></s:Header>"          \
    "<s:Body><n xmlns=''>${counter:0}</n></s:Body></s:Envelope>"

struct worker {
    const struct template *template;
    uint32_t number;
    char (*ids)[ID_BYTES]; /* EACH of them */
    unsigned char *counts; /* how often each number came, of all; no two workers touch one */
    size_t wrong;
    uv_thread_t thread;
};

static bool is_urn_of_version_4(struct str id)
{
    if (id.len != ID_BYTES || memcmp(id.data, "urn:uuid:", 9) != 0) {
        return false;
    }
    const char *uuid = id.data + 9;
    for (size_t i = 0; i < 36; i++) {
        const bool is_dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (is_dash ? uuid[i] != '-' : memchr("0123456789abcdef", uuid[i], 16) == NULL) {
            return false;
        }
    }
    return uuid[14] == '4' && memchr("89ab", uuid[19], 4) != NULL;
}

/* Whether the id and a new number stand in the request as it goes out; counts the number. */
static bool is_sent(struct worker *worker, struct str id, struct str request)
{
    struct str number;
    struct str rest;
    const size_t at = str_find(request, STR("<n xmlns=''>"));
    uint64_t value = ALL;
    if (at == SIZE_MAX || str_find(request, id) == SIZE_MAX) {
        return false;
    }
    (void)str_split(str_slice(request, at + 12, request.len), '<', &number, &rest);
    if (!str_to_u64(number, &value) || value >= ALL) {
        return false;
    }
    worker->counts[value]++;
    return true;
}

static void fill_all(void *context)
{
    struct worker *worker = context;
    struct template_source *source = template_source_new(
        &(struct template_source_options){.worker = worker->number, .workers = WORKERS});
    struct template_values *values = template_values_new(template_values_bytes(worker->template));
    struct buf request;
    buf_init(&request);
    for (size_t i = 0; i < EACH; i++) {
        const bool is_filled = template_fill(worker->template, source, values) == TEMPLATE_FILLED;
        const struct str id = template_message_id(worker->template, values);
        buf_reset(&request);
        template_append(worker->template, values, &request);
        if (!is_filled || !is_urn_of_version_4(id) || !is_sent(worker, id, buf_view(&request))) {
            worker->wrong++;
            continue;
        }
        memcpy(worker->ids[i], id.data, ID_BYTES);
    }
    buf_deinit(&request);
    template_values_free(values);
    template_source_free(source);
}

static int compare_ids(const void *a, const void *b)
{
    return memcmp(a, b, ID_BYTES);
}

static struct plan *make_plan(void)
{
    struct plan *plan = plan_new();
    struct buf notes;
    struct err err;
    buf_init(&notes);
    const struct plan_request request = {
        .url = STR("http://h/a"), .method = "POST", .body = STR(ENVELOPE), .has_body = true};
    if (!plan_add_message(plan, &request, &notes, &err)) {
        fail_msg("refused: %s", err.text);
    }
    buf_deinit(&notes);
    return plan;
}

static void a_million_message_ids_of_four_workers_are_different_and_well_formed(void **state)
{
    (void)state;
    struct plan *plan = make_plan();
    char(*ids)[ID_BYTES] = malloc((size_t)ALL * sizeof *ids);
    unsigned char *counts = calloc(ALL, 1);
    struct worker workers[WORKERS];
    assert_non_null(ids);
    assert_non_null(counts);
    for (uint32_t i = 0; i < WORKERS; i++) {
        workers[i] = (struct worker){.template = plan->messages[0].template,
                                     .number = i,
                                     .ids = ids + (size_t)i * EACH,
                                     .counts = counts};
        assert_int_equal(uv_thread_create(&workers[i].thread, fill_all, &workers[i]), 0);
    }
    for (size_t i = 0; i < WORKERS; i++) {
        (void)uv_thread_join(&workers[i].thread);
    }
    for (size_t i = 0; i < WORKERS; i++) {
        assert_int_equal(workers[i].wrong, 0);
    }
    qsort(ids, ALL, sizeof *ids, compare_ids);
    for (size_t i = 1; i < ALL; i++) {
        assert_true(memcmp(ids[i - 1], ids[i], ID_BYTES) != 0);
    }
    for (size_t i = 0; i < ALL; i++) {
        assert_int_equal(counts[i], 1);
    }
    free(counts);
    free(ids);
    plan_free(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_million_message_ids_of_four_workers_are_different_and_well_formed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
