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

/* Prints the page and frees it. */
static enum exit_status print_page(struct buf *text)
{
    struct err err;
    bool is_printed = console_print(text, &err);
    if (!is_printed) {
        console_error(&err);
    }
    buf_deinit(text);
    return is_printed ? EXIT_STATUS_GOOD : EXIT_STATUS_NOT_RUN;
}

static enum exit_status print_help(enum command command)
{
    struct buf text;
    buf_init(&text);
    help_format(&text, command);
    return print_page(&text);
}

static enum exit_status print_version(void)
{
    struct buf text;
    buf_init(&text);
    version_format(&text);
    return print_page(&text);
}

/* Who asks without a command, or for `lather run`, gets to know the others too. */
static enum command command_of_help(enum command command)
{
    return command == COMMAND_RUN ? COMMAND_COUNT : command;
}

static enum exit_status help_command(int argc, const char *const *argv)
{
    struct err err;
    const enum command command = argc > 0 ? command_table_find(str_from(argv[0])) : COMMAND_COUNT;
    if (argc > 0 && (command == COMMAND_COUNT || argc > 1)) {
        (void)err_set(&err, ERR_USAGE, "\"%.100s\" is no command: `lather help` lists them",
                      argv[argc > 1 && command != COMMAND_COUNT ? 1 : 0]);
        console_error(&err);
        return EXIT_STATUS_NOT_RUN;
    }
    return print_help(command_of_help(command));
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
        status = print_help(command_of_help(command));
    } else if (options_has(&options, OPTION_VERSION)) {
        status = print_version();
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
        return help_command(argc - 2, argv + 2);
    }
    enum command command = command_table_find(str_from(word));
    if (command != COMMAND_COUNT) {
        return run_with_options(command, argc - 2, argv + 2);
    }
    int skipped = argc > 0 ? 1 : 0;
    return run_with_options(COMMAND_RUN, argc - skipped, argv + skipped);
}
