/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_OPTIONS_H
#define LATHER_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lather/base/err.h"
#include "lather/cli/option_table.h"

/* What was given for one option. */
struct option_value {
    bool is_given;
    uint64_t number;    /* numbers, durations (ns), sizes (bytes), fractions (parts per million) */
    const char *text;   /* the last value as typed; NULL for flags and when not given */
    const char **texts; /* every value given, in order; NULL for flags */
    size_t count;       /* how often it was given */
};

/* A command's arguments, read. Texts are borrowed from argv. */
struct options {
    struct option_value values[OPTION_COUNT];
    const char **arguments; /* what is no option, in order */
    size_t argument_count;
};

/* Nothing given. */
void options_init(struct options *options);

/* Frees what options_parse gathered. */
void options_deinit(struct options *options);

/*
 * Reads the arguments behind the command's word as getopt_long does: "-n 200", "-n200", "-kq",
 * "--requests 200", "--requests=200", options and URL in any order, "--" ends the options. Values
 * are read and held against the bounds of the table. Reading stops at --help or --version, as what
 * follows no longer matters. On failure the sentence names the option as it was typed.
 */
bool options_parse(struct options *options, enum command command, int argc, const char *const *argv,
                   struct err *err) MUST_USE;

/* Whether the option was given. */
bool options_has(const struct options *options, enum option option);

/* The number given, or `fallback`. */
uint64_t options_number(const struct options *options, enum option option, uint64_t fallback);

/* The text given, or NULL. */
const char *options_text(const struct options *options, enum option option);

#endif
