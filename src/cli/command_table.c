/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The commands, in the order of --help: one row each, from which the parser's sentences, --help and
 * the man page are made. Which options a command takes is the option table's to say, and what it
 * does is commands.c's.
 */
#include "lather/cli/command_table.h"

static const struct command_row rows[COMMAND_COUNT] = {
    {COMMAND_RUN, "run", "[options] URL", "run a load test; `lather run` is the same"},
    {COMMAND_CHECK, "check", "[options] URL",
     "say what the messages given are, what goes stale in them and what cannot be replayed; then "
     "send one request and explain the answer; takes the options of a run"},
    {COMMAND_SERVE, "serve", "[options]",
     "a SOAP service on 127.0.0.1 to test against; any path and SOAPAction will do: the message "
     "decides, those of "
     "payloads/ are known and others get a Fault"},
    {COMMAND_JUDGE, "judge", "[options] FILE|FOLDER...",
     "judge saved answers as a run does: one line \"FILE: outcome: reason\" each"},
    {COMMAND_REPORT, "report", "[options] FILE",
     "print a result saved with --json again, in any format; takes the output options and "
     "--fail-if, and exits with 1 only by such conditions"},
    {COMMAND_MERGE, "merge", "[options] FILE...",
     "one report out of several boxes' results; takes what `lather report` takes"},
    {COMMAND_COMPARE, "compare", "OLD NEW",
     "what changed between two results, with an interval for each figure; exits with 1 if one is "
     "worse beyond it"},
};

const struct command_row *command_table_row(enum command command)
{
    return &rows[command];
}

enum command command_table_find(struct str word)
{
    for (enum command command = 0; command < COMMAND_COUNT; command++) {
        if (str_equals(word, str_from(rows[command].word))) {
            return command;
        }
    }
    return COMMAND_COUNT;
}

void command_table_format_call(struct buf *text, const struct command_row *row)
{
    buf_append_str(text, STR("lather "));
    if (row->command != COMMAND_RUN) {
        buf_printf(text, "%s ", row->word);
    }
    buf_append_str(text, str_from(row->arguments));
}
