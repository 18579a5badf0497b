/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists of URLs, as siege's users have them. A line is a URL, or a URL with a method and a body;
 * variables of siege's are not read, and a line with one is told. Files named in the list are
 * looked for in its folder, so that list and bodies can be moved together.
 */
#include "lather/cli/url_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lather/base/file.h"
#include "lather/cli/command_table.h"
#include "lather/cli/line_reader.h"
#include "lather/cli/post_files.h"

enum { LIST_CEILING = 16 << 20, BODY_CEILING = 256 << 20 };

static void add(struct url_list *list, struct str url, const char *place)
{
    list->items = check_realloc(list->items, (list->count + 1) * sizeof *list->items);
    struct url_item *item = &list->items[list->count++];
    *item = (struct url_item){.url = str_dup(url)};
    item->place = place == NULL ? NULL : str_dup(str_from(place));
    buf_init(&item->body);
}

/* --- arguments -------------------------------------------------------------------------------- */

static bool looks_like_url(const char *text)
{
    return strchr(text, '/') != NULL;
}

/* Where a message was meant: -p forgotten, or given once in front of what a shell made of *.xml. */
static bool check_is_no_file(const char *argument, struct err *err)
{
    return strstr(argument, "://") != NULL || !post_files_is_file(argument) ||
           err_set(err, ERR_USAGE,
                   "%.200s is a file: give it with -p (each message with a -p of its own, or their "
                   "folder); for a host of that name write http://%.60s/",
                   argument, argument);
}

/* What a word that is no URL was meant for; "" if that cannot be told. */
static const char *advice_for(const struct options *options, const char *word, char text[64])
{
    for (enum command command = 0; command < COMMAND_COUNT; command++) {
        const char *name = command_table_row(command)->word;
        if (str_distance(str_from(word), str_from(name)) <= strlen(name) / 3) {
            (void)snprintf(text, 64, "; did you mean `lather %s`?", name);
            return text;
        }
    }
    return options_has(options, OPTION_EXPECT_FAULT)
               ? "; a code of --expect-fault stands behind =: --expect-fault=CODE"
               : "";
}

static bool add_arguments(struct url_list *list, const struct options *options, struct err *err)
{
    for (size_t i = 0; i < options->argument_count; i++) {
        if (!check_is_no_file(options->arguments[i], err)) {
            return false;
        }
        if (options->argument_count > 1 && !looks_like_url(options->arguments[i])) {
            const size_t other = i == 0 ? 1 : 0;
            char text[64];
            return err_set(err, ERR_USAGE,
                           "\"%.100s\" beside \"%.100s\" is no URL: a value with blanks needs "
                           "quotes, and of several URLs each has a / in it%s",
                           options->arguments[i], options->arguments[other],
                           advice_for(options, options->arguments[i], text));
        }
        add(list, str_from(options->arguments[i]), NULL);
    }
    return true;
}

/* --- the file --------------------------------------------------------------------------------- */

/* The first word, and what is behind the blanks that follow it. */
static struct str take_word(struct str *rest)
{
    size_t at = 0;
    while (at < rest->len && rest->data[at] != ' ' && rest->data[at] != '\t') {
        at++;
    }
    const struct str word = str_slice(*rest, 0, at);
    *rest = str_trim(str_slice(*rest, at, rest->len));
    return word;
}

static bool take_body(struct url_item *item, struct str text, const char *list_path,
                      struct err *err)
{
    if (!str_starts_with(text, STR("<")) || str_starts_with(text, STR("<?")) ||
        str_ends_with(text, STR(">"))) {
        buf_append_str(&item->body, text);
        item->body_name = str_dup(str_from(item->place));
        return true;
    }
    item->body_name = file_beside(list_path, str_trim(str_slice(text, 1, text.len)));
    return file_read(item->body_name, BODY_CEILING, &item->body, err);
}

static bool take_line(struct url_list *list, struct str line, const char *place,
                      const char *list_path, struct err *err)
{
    const struct str url = take_word(&line);
    if (str_find_byte(url, '=') < str_find_byte(url, '/') || str_find(url, STR("$(")) != SIZE_MAX) {
        return err_set(err, ERR_USAGE,
                       "\"%.*s\" is a variable of siege's: write the URLs out, or use templates in "
                       "them, as ${var.NAME} with --var",
                       STR_ARG(str_slice(url, 0, 60)));
    }
    add(list, url, place);
    if (line.len == 0) {
        return true;
    }
    const struct str method = take_word(&line);
    if (!str_equals(method, STR("POST")) && !str_equals(method, STR("PUT"))) {
        return err_set(
            err, ERR_USAGE,
            "behind the URL stands \"%.*s\": write nothing, or POST or PUT with the body "
            "or <FILE",
            STR_ARG(str_slice(method, 0, 60)));
    }
    struct url_item *item = &list->items[list->count - 1];
    item->method = str_dup(method);
    return take_body(item, line, list_path, err);
}

static bool add_file(struct url_list *list, const char *path, struct err *err)
{
    struct buf text;
    buf_init(&text);
    if (!file_read(path, LIST_CEILING, &text, err)) {
        buf_deinit(&text);
        return err_prefix(err, "--urls");
    }
    const size_t before = list->count;
    bool is_good = true;
    struct line_reader reader;
    line_reader_begin(&reader, buf_view(&text), path);
    while (is_good && line_reader_next(&reader)) {
        char place[LINE_READER_PLACE_SIZE];
        (void)line_reader_place(path, reader.number, place);
        is_good = take_line(list, str_trim(reader.line), place, path, err) ||
                  line_reader_blame(&reader, err);
    }
    buf_deinit(&text);
    if (is_good && list->count == before) {
        return err_set(err, ERR_FILE, "--urls: %.300s holds no URL: write one a line", path);
    }
    return is_good;
}

bool url_list_read(struct url_list *list, const struct options *options, struct err *err)
{
    const char *path = options_text(options, OPTION_URLS);
    *list = (struct url_list){.count = 0};
    if (add_arguments(list, options, err) && (path == NULL || add_file(list, path, err))) {
        return true;
    }
    url_list_deinit(list);
    return false;
}

void url_list_deinit(struct url_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->items[i].url);
        free(list->items[i].place);
        free(list->items[i].method);
        free(list->items[i].body_name);
        buf_deinit(&list->items[i].body);
    }
    free(list->items);
    *list = (struct url_list){.count = 0};
}
