/* SPDX-License-Identifier: Apache-2.0 */
/*
 * curl commands as requests: each curl command of a text is a message, and each part of one behind
 * --next. It knows the shape of the command line, as curl's own parser takes it; what an option
 * does to a request is curl_request's matter. Other commands in the text are stepped over.
 */
#include "lather/capture/curl_line.h"

#include "lather/capture/curl_option.h"
#include "lather/capture/curl_request.h"
#include "lather/capture/gather.h"
#include "lather/capture/shell.h"

enum { SHOWN_BYTES = 60 };

static void note_unknown(struct curl_request *request, struct str word)
{
    gather_note(request->capture, CAPTURE_NOTE_REMARK, request->capture->count,
                "left out: %.*s, an option that is not known here; a value behind it may have "
                "been taken for the URL",
                STR_ARG(str_slice(word, 0, SHOWN_BYTES)));
}

static struct str word_at(const struct curl_request *request, size_t index)
{
    return index < request->command->count ? buf_view(&request->command->words[index])
                                           : str_of(NULL, 0);
}

/* The option's value is the next word; returns the index of the last word used. */
static size_t apply_with_next(struct curl_request *request, const struct curl_option *option,
                              size_t index)
{
    if (!option->takes_value) {
        curl_request_apply(request, option, str_of(NULL, 0));
        return index;
    }
    if (index + 1 >= request->command->count) {
        curl_request_refuse(request, "its last option lacks a value");
        return index;
    }
    curl_request_apply(request, option, word_at(request, index + 1));
    return index + 1;
}

/* "--name", "--no-name"; the same for both forms. */
static size_t read_long(struct curl_request *request, size_t index)
{
    struct str word = word_at(request, index);
    const struct curl_option *option = curl_option_by_name(str_slice(word, 2, word.len));
    if (option != NULL) {
        return apply_with_next(request, option, index);
    }
    bool is_negated = str_starts_with(word, STR("--no-")) &&
                      curl_option_by_name(str_slice(word, 5, word.len)) != NULL;
    if (!is_negated && word.len > 2) {
        note_unknown(request, word);
    }
    return index;
}

/* "-sSd value", "-XPOST". */
static size_t read_letters(struct curl_request *request, size_t index)
{
    struct str word = word_at(request, index);
    for (size_t i = 1; i < word.len; i++) {
        const struct curl_option *option = curl_option_by_letter(word.data[i]);
        if (option == NULL) {
            note_unknown(request, word);
            return index;
        }
        if (option->takes_value && i + 1 < word.len) {
            curl_request_apply(request, option, str_slice(word, i + 1, word.len));
            return index;
        }
        index = apply_with_next(request, option, index);
    }
    return index;
}

static bool is_next(struct str word)
{
    return str_equals(word, STR("--next")) || str_equals(word, STR("-:"));
}

/* Reads the words up to --next; returns the index behind. */
static size_t read_words(struct curl_request *request, size_t index)
{
    for (; index < request->command->count && !is_next(word_at(request, index)); index++) {
        struct str word = word_at(request, index);
        if (str_starts_with(word, STR("--"))) {
            index = read_long(request, index);
        } else if (word.len > 1 && word.data[0] == '-') {
            index = read_letters(request, index);
        } else if (word.len > 0) {
            curl_request_set_url(request, word);
        }
    }
    return index + 1;
}

static void read_command(struct capture *capture, const struct shell_command *command, size_t first)
{
    size_t part = 1;
    for (size_t index = first + 1; index <= command->count && !capture->is_full; part++) {
        struct curl_request request;
        curl_request_begin(&request, capture, command, part);
        index = read_words(&request, index);
        if (command->is_cut) {
            curl_request_refuse(&request, "a quote in it is never closed, or it is too long");
        }
        curl_request_finish(&request);
    }
}

/* The index of the program among the words: behind a prompt and assignments. */
static size_t program_index(const struct shell_command *command)
{
    size_t index = 0;
    while (index + 1 < command->count) {
        struct str word = buf_view(&command->words[index]);
        bool is_prompt = str_equals(word, STR("$")) || str_equals(word, STR(">"));
        bool is_assignment = str_find_byte(word, '=') != SIZE_MAX &&
                             str_find_byte(word, '/') == SIZE_MAX && word.data[0] != '-';
        if (!is_prompt && !is_assignment) {
            break;
        }
        index++;
    }
    return index;
}

bool curl_line_read(struct str content, struct capture *capture, struct err *err)
{
    (void)err;
    struct shell shell;
    struct shell_command command;
    shell_begin(&shell, content, shell_dialect_of(content));
    gather_note(capture, CAPTURE_NOTE_ROUTINE, CAPTURE_WHOLE, "read with the quoting of %s",
                shell_dialect_name(shell.dialect));
    while (!capture->is_full && shell_next(&shell, &command)) {
        size_t first = program_index(&command);
        struct str program = shell_program(buf_view(&command.words[first]));
        if (str_equals_nocase(program, STR("curl"))) {
            read_command(capture, &command, first);
        } else if (!command.is_piped) {
            gather_note(capture, CAPTURE_NOTE_SKIPPED, CAPTURE_WHOLE,
                        "line %zu: \"%.*s\" is no curl command", command.line,
                        STR_ARG(str_slice(program, 0, SHOWN_BYTES)));
        }
        shell_command_deinit(&command);
    }
    return true;
}
