/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From options to the plan of a run. Here stands what each option means; how its value is read
 * stands in the table. Contradictions are told apart from wrong values: each names both sides. The
 * order of options never matters, unlike with ab.
 */
#include "lather/cli/run_plan.h"

#include <string.h>

#include "lather/base/units.h"
#include "lather/cli/load_options.h"
#include "lather/cli/message_plan.h"
#include "lather/cli/tls_plan.h"
#include "lather/cli/verdict_options.h"
#include "lather/cli/way_plan.h"
#include "lather/net/address.h"

static bool check_methods(const struct options *options, struct err *err)
{
    static const enum option files[] = {OPTION_POST, OPTION_PUT};
    if (options_has(options, OPTION_POST) && options_has(options, OPTION_PUT)) {
        return err_set(err, ERR_USAGE,
                       "-p and -u contradict each other: the message is either posted or put");
    }
    for (size_t i = 0; i < 2; i++) {
        char letter = option_table_row(files[i])->letter;
        if (files[i] == OPTION_PUT && options->values[files[i]].count > 1) {
            return err_set(err, ERR_USAGE,
                           "-u is given more than once: one message is put; a mix is posted (-p)");
        }
        if (options_has(options, files[i]) && options_has(options, OPTION_HEAD)) {
            return err_set(err, ERR_USAGE,
                           "-i and -%c contradict each other: a HEAD request has no body", letter);
        }
    }
    const char *method = options_text(options, OPTION_METHOD);
    if (options_has(options, OPTION_HEAD) && method != NULL && strcmp(method, "HEAD") != 0) {
        return err_set(err, ERR_USAGE, "-i and -m %.60s contradict each other: give one of them",
                       method);
    }
    return true;
}

static bool check_bind_address(const struct options *options, struct err *err)
{
    const char *address = options_text(options, OPTION_BIND);
    struct address_list parsed;
    return address == NULL || address_list_parse(&parsed, address, err);
}

/* DIR[,K]: a comma and a number behind the last one is the number. */
static bool set_save_failures(struct plan *plan, const struct options *options, struct err *err)
{
    enum { MOST_BY_DEFAULT = 10 };
    const char *text = options_text(options, OPTION_SAVE_FAILURES);
    if (text == NULL) {
        return true;
    }
    struct str folder = str_from(text);
    const char *comma = strrchr(text, ',');
    plan->save_failures_most = MOST_BY_DEFAULT;
    if (comma != NULL) {
        folder = str_of(text, (size_t)(comma - text));
        if (!units_parse_count(str_from(comma + 1), 1, 10000, &plan->save_failures_most, err)) {
            return err_prefix(err, "--save-failures: behind the comma");
        }
    }
    if (folder.len == 0) {
        return err_set(err, ERR_USAGE,
                       "--save-failures: name a folder, as failures or failures,20");
    }
    plan->save_failures_folder = str_dup(folder);
    return true;
}

static bool set_expectations(struct plan *plan, const struct options *options, struct err *err)
{
    plan->same_length = options_has(options, OPTION_SAME_LENGTH);
    plan->any_length = options_has(options, OPTION_ANY_LENGTH);
    return set_save_failures(plan, options, err) &&
           verdict_options_apply(options, &plan->expect, err);
}

static bool build(const struct message_plan_source *source, struct plan **plan, struct buf *notes,
                  struct err *err)
{
    const struct options *options = source->options;
    struct plan *built = plan_new();
    if (check_methods(options, err) && load_options_apply(options, built, err) &&
        check_bind_address(options, err) && set_expectations(built, options, err) &&
        plan_check(built, err) && way_plan_set(built, options, notes, err) &&
        message_plan_build(built, source, notes, err) &&
        way_plan_set_target(built, options, notes, err) &&
        tls_plan_set(built, options, notes, err)) {
        *plan = built;
        return true;
    }
    plan_free(built);
    return false;
}

bool run_plan_build(const struct options *options, struct plan **plan, struct buf *notes,
                    struct err *err)
{
    const struct message_plan_source source = {.options = options};
    return build(&source, plan, notes, err);
}

bool run_plan_build_for(const struct options *options, const struct message_file *file,
                        const char *url, struct plan **plan, struct buf *notes, struct err *err)
{
    const struct message_plan_source source = {.options = options, .file = file, .url = url};
    return build(&source, plan, notes, err);
}
