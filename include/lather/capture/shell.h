/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CAPTURE_SHELL_H
#define LATHER_CAPTURE_SHELL_H

#include <stdbool.h>
#include <stddef.h>

#include "lather/base/buf.h"
#include "lather/base/str.h"

/* How a command line is quoted. */
enum shell_dialect {
    SHELL_BASH = 0,    /* POSIX quoting and $'...' */
    SHELL_CMD,         /* cmd.exe, then the C runtime's rules for arguments */
    SHELL_CMD_CARETS,  /* as browsers copy for cmd: ^" and ^\^" (Chrome, newer Firefox) */
    SHELL_CMD_DOUBLED, /* as browsers copied for cmd: "" for a quote, "%", "^ at line ends */
    SHELL_DIALECT_COUNT
};

/* "bash", "cmd", "cmd, with carets", "cmd, with doubled quotes". */
const char *shell_dialect_name(enum shell_dialect dialect);

/* Which one it is, from the quotes used; bash when nothing tells. Linear. */
enum shell_dialect shell_dialect_of(struct str text);

/*
 * Whether the first command is of that program: its name alone, with ".exe" or with a path, behind
 * comments, a prompt ("$ ") and assignments. In a script ("#!") any line may be the one.
 */
bool shell_begins_with(struct str text, struct str program);

enum { SHELL_WORDS_CEILING = 4096 };

/* One simple command. The words are owned. */
struct shell_command {
    struct buf *words;
    size_t count;
    size_t capacity;
    struct buf input_file; /* of "< file"; empty: none */
    struct buf input;      /* of a here-document or here-string */
    bool has_input;
    bool is_piped;      /* its input is another command's output */
    bool has_expansion; /* $NAME, $(...) or `...` was met; it stands there as written */
    bool is_cut;        /* a quote or here-document has no end, or there are too many words */
    size_t line;        /* on which it begins, from 1 */
};

/* Where reading is in a text of commands; borrowed. */
struct shell {
    struct str rest;
    enum shell_dialect dialect;
    size_t line;
    bool next_is_piped;
};

/* Starts at the first command. */
void shell_begin(struct shell *shell, struct str text, enum shell_dialect dialect);

/*
 * Reads the next command; false at the end. Nothing is expanded or executed. The command needs no
 * init and must be deinited when true was returned. Linear over all calls.
 */
bool shell_next(struct shell *shell, struct shell_command *command);
void shell_command_deinit(struct shell_command *command);

/* For the dialects' readers: an empty word at the end of the command, or NULL when it is full. */
struct buf *shell_command_add(struct shell_command *command);

/* A word's last part behind slashes, without ".exe". */
struct str shell_program(struct str word);

#endif
