/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_COMMAND_TABLE_H
#define LATHER_CLI_COMMAND_TABLE_H

#include "lather/base/buf.h"
#include "lather/base/str.h"

/* The commands that options belong to. Without a command's word, `run` is meant. */
enum command {
    COMMAND_RUN = 0,
    COMMAND_CHECK,
    COMMAND_SERVE,
    COMMAND_JUDGE,
    COMMAND_REPORT,
    COMMAND_MERGE,
    COMMAND_COMPARE,
    COMMAND_COUNT
};

/* One command: the only source of its word, --help's line and the man page's. */
struct command_row {
    enum command command;
    const char *word;
    const char *arguments; /* "[options] URL" */
    const char *help;
};

/* The row of a command. Never NULL. */
const struct command_row *command_table_row(enum command command);

/* The command of a word; COMMAND_COUNT when it is none. */
enum command command_table_find(struct str word);

/* Appends how it is called: "lather serve [options]"; that of `run` goes without its word. */
void command_table_format_call(struct buf *text, const struct command_row *row);

#endif
