/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `lather merge FILE...`: one report out of several boxes' results. All files are read before
 * anything is added, so that one that cannot be read costs nothing but a sentence.
 */
#include "lather/cli/merge_command.h"

#include <stdlib.h>

#include "lather/cli/result_command.h"
#include "lather/cli/result_file.h"
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

/* The first result becomes the whole. */
static bool read_merged(const struct options *options, struct summary **summary, struct err *err)
{
    size_t count = options->argument_count;
    struct merge_source *sources = check_calloc(count, sizeof *sources);
    const bool is_merged = read_all(options, sources, err) && merge_results(sources, count, err);
    if (is_merged) {
        *summary = sources[0].summary;
        sources[0].summary = NULL;
    }
    for (size_t i = 0; i < count; i++) {
        summary_free(sources[i].summary);
    }
    free(sources);
    return is_merged;
}

enum exit_status merge_command(const struct options *options, int argc, const char *const *argv)
{
    (void)argc;
    (void)argv;
    const struct result_command command = {.check = check_arguments, .read = read_merged};
    return result_command_run(&command, options);
}
