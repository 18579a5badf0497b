/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a command's word to its function. A command's word counts only as the first argument, so
 * that a host of the same name can still be reached: `lather run serve/`. What is no command's word
 * belongs to `run`.
 */
#include "lather/cli/commands.h"

#include <string.h>

#include "lather/cli/check_command.h"
#include "lather/cli/compare_command.h"
#include "lather/cli/console.h"
#include "lather/cli/help.h"
#include "lather/cli/judge_command.h"
#include "lather/cli/merge_command.h"
#include "lather/cli/options.h"
#include "lather/cli/report_command.h"
#include "lather/cli/run_command.h"
#include "lather/cli/serve_command.h"
#include "lather/cli/version.h"

typedef enum exit_status command_fn(const struct options *options, int argc,
                                    const char *const *argv);

static command_fn *const functions[COMMAND_COUNT] = {
    [COMMAND_RUN] = run_command,         [COMMAND_CHECK] = check_command,
    [COMMAND_SERVE] = serve_command,     [COMMAND_JUDGE] = judge_command,
    [COMMAND_REPORT] = report_command,   [COMMAND_MERGE] = merge_command,
    [COMMAND_COMPARE] = compare_command,
};

static enum exit_status print_page(void (*format)(struct buf *text))
{
    struct buf text;
    struct err err;
    buf_init(&text);
    format(&text);
    bool is_printed = console_print(&text, &err);
    if (!is_printed) {
        console_error(&err);
    }
    buf_deinit(&text);
    return is_printed ? EXIT_STATUS_GOOD : EXIT_STATUS_NOT_RUN;
}

static enum exit_status run_with_options(enum command command, int argc, const char *const *argv)
{
    enum exit_status status;
    struct options options;
    struct err err;
    options_init(&options);
    if (!options_parse(&options, command, argc, argv, &err)) {
        console_error(&err);
        status = EXIT_STATUS_NOT_RUN;
    } else if (options_has(&options, OPTION_HELP)) {
        status = print_page(help_format);
    } else if (options_has(&options, OPTION_VERSION)) {
        status = print_page(version_format);
    } else {
        status = functions[command](&options, argc, argv);
    }
    options_deinit(&options);
    return status;
}

enum exit_status commands_run(int argc, const char *const *argv)
{
    const char *word = argc > 1 ? argv[1] : "";
    if (strcmp(word, "help") == 0) {
        return print_page(help_format);
    }
    enum command command = command_table_find(str_from(word));
    if (command != COMMAND_COUNT) {
        return run_with_options(command, argc - 2, argv + 2);
    }
    int skipped = argc > 0 ? 1 : 0;
    return run_with_options(COMMAND_RUN, argc - skipped, argv + skipped);
}
