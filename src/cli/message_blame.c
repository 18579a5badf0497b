/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When a message cannot be made, the line of FILE.expect that is at fault. Expectations and
 * requests are checked as a whole, far from the lines they come from, so each line is tried again
 * by itself. The trap: a line may be good alone and need its neighbours (a prefix, a golden
 * answer); those are given along. Where no line fails alone the file is named.
 */
#include "lather/cli/message_blame.h"

#include "lather/cli/verdict_options.h"

/* What it takes to read one expression as the message's expectations do. */
struct trial {
    const struct options *options;
    struct str body;
};

/* With the prefixes of all, and what --ignore needs beside it. */
static bool is_wrong(void *context, const struct options *line)
{
    const struct trial *trial = context;
    struct options with = *line;
    struct expect expect;
    struct err ignored;
    with.values[OPTION_NAMESPACE] = trial->options->values[OPTION_NAMESPACE];
    if (options_has(line, OPTION_NAMESPACE)) {
        with.values[OPTION_NAMESPACE] = line->values[OPTION_NAMESPACE];
    }
    if (options_has(line, OPTION_IGNORE)) {
        with.values[OPTION_GOLDEN] = trial->options->values[OPTION_GOLDEN];
    }
    expect_init(&expect);
    expect_take_namespaces(&expect, trial->body);
    const bool is_right =
        verdict_options_apply(&with, &expect, &ignored) && expect_freeze(&expect, &ignored);
    expect_deinit(&expect);
    return !is_right;
}

bool message_blame_expectation(const struct message_making *making, struct err *err)
{
    if (making->beside == NULL) {
        return false;
    }
    struct trial trial = {.options = making->own, .body = message_request_body(making)};
    return expect_file_blame(making->beside, is_wrong, &trial, err);
}

/* --- requests --------------------------------------------------------------------------------- */

/* What it takes to make the request once more. */
struct request_trial {
    const struct message_making *making;
    const struct message_setting *setting;
    const struct options *given;
};

/* Into a plan of its own, which borrows what the real one has read. */
static bool can_be_made(const struct request_trial *trial, const struct options *options)
{
    struct message_making making = *trial->making;
    struct plan *plan = plan_new();
    struct plan_request request;
    struct http_head fields;
    struct buf notes;
    struct err ignored;
    making.options = options;
    plan->data = trial->setting->plan->data;
    plan->clock_offset = trial->setting->plan->clock_offset;
    http_head_init(&fields);
    buf_init(&notes);
    const bool is_made =
        message_request_fill(&making, trial->setting, &request, &fields, &ignored) &&
        plan_add_message(plan, &request, &notes, &ignored);
    plan->data = NULL;
    buf_deinit(&notes);
    http_head_deinit(&fields);
    plan_free(plan);
    return is_made;
}

/* The line over the command line, as it counts. */
static bool is_unsendable(void *context, const struct options *line)
{
    const struct request_trial *trial = context;
    const struct expect_file alone = {.options = *line};
    struct options laid;
    expect_file_lay(&alone, trial->given, &laid);
    const bool is_made = can_be_made(trial, &laid);
    expect_file_drop(trial->given, &laid);
    return !is_made;
}

bool message_blame_request(const struct message_making *making,
                           const struct message_setting *setting, const struct options *given,
                           struct err *err)
{
    struct request_trial trial = {.making = making, .setting = setting, .given = given};
    if (making->beside == NULL || can_be_made(&trial, making->options) ||
        !can_be_made(&trial, given)) {
        return false;
    }
    return expect_file_blame(making->beside, is_unsendable, &trial, err);
}
