/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `lather merge FILE...`: one report out of several boxes' results. All files are read before
 * anything is added, so that one that cannot be read costs nothing but a sentence.
 */
#include "lather/cli/merge_command.h"

#include <stdlib.h>

#include "lather/cli/console.h"
#include "lather/cli/result_file.h"
#include "lather/cli/result_options.h"
#include "lather/cli/run_output.h"
#include "lather/measure/merge.h"

static bool check_arguments(const struct options *options, struct err *err)
{
    if (options->argument_count < 2 || options->argument_count > SUMMARY_PARTS_CEILING) {
        return err_set(
            err, ERR_USAGE,
            "`lather merge` takes 2 to %d files, results saved with --json: lather merge "
            "box1.json box2.json",
            SUMMARY_PARTS_CEILING);
    }
    return true;
}

static bool read_all(const struct options *options, struct merge_source *sources, struct err *err)
{
    for (size_t i = 0; i < options->argument_count; i++) {
        sources[i].name = options->arguments[i];
        if (!result_file_read(sources[i].name, &sources[i].summary, err)) {
            return false;
        }
    }
    return true;
}

static enum exit_status merge_and_print(struct run_output *output, const struct options *options)
{
    struct err err = {0};
    enum exit_status status = EXIT_STATUS_NOT_RUN;
    size_t count = options->argument_count;
    struct merge_source *sources = check_calloc(count, sizeof *sources);
    if (!read_all(options, sources, &err) || !merge_results(sources, count, &err)) {
        console_error(&err);
    } else {
        struct summary *merged = sources[0].summary;
        result_options_apply(options, merged);
        status = exit_status_of_saved(merged);
        if (!run_output_print_saved(output, merged)) {
            status = exit_status_worse(status, EXIT_STATUS_UNTRUSTED);
        }
    }
    for (size_t i = 0; i < count; i++) {
        summary_free(sources[i].summary);
    }
    free(sources);
    return status;
}

enum exit_status merge_command(const struct options *options, int argc, const char *const *argv)
{
    (void)argc;
    (void)argv;
    enum exit_status status = EXIT_STATUS_NOT_RUN;
    struct err err = {0};
    struct run_output output = {.options = options};
    if (!check_arguments(options, &err) || !result_options_check(options, &err) ||
        !run_output_open(&output, options, &err)) {
        console_error(&err);
    } else {
        status = merge_and_print(&output, options);
    }
    run_output_close(&output);
    return status;
}
