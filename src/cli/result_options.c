/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The options that are part of a result: which percentiles to show and what fails the run. They are
 * checked before anything is sent and put into the summary afterwards, so that every format, and
 * every later report of the same result, knows them.
 */
#include "lather/cli/result_options.h"

#include <stdlib.h>

static bool add_conditions(const struct options *options, struct summary *summary, struct err *err)
{
    const struct option_value *conditions = &options->values[OPTION_FAIL_IF];
    for (size_t i = 0; i < conditions->count; i++) {
        if (!summary_add_condition(summary, str_trim(str_from(conditions->texts[i])), err)) {
            return err_prefix(err, "--fail-if");
        }
    }
    return true;
}

bool result_options_check(const struct options *options, struct err *err)
{
    struct percentiles percentiles;
    const char *list = options_text(options, OPTION_PERCENTILES);
    if (list != NULL && !percentiles_parse(str_from(list), &percentiles, err)) {
        return err_prefix(err, "--percentiles");
    }
    struct summary *trial = summary_new();
    bool is_good = add_conditions(options, trial, err);
    summary_free(trial);
    return is_good;
}

void result_options_apply(const struct options *options, struct summary *summary)
{
    if (options_has(options, OPTION_PERCENTILES)) {
        summary_set_text(&summary->plan.percentiles,
                         str_from(options_text(options, OPTION_PERCENTILES)));
    }
    if (options_has(options, OPTION_FAIL_IF)) {
        summary_forget_conditions(summary);
        bool is_good = add_conditions(options, summary, NULL);
        CHECK(is_good);
    }
}
