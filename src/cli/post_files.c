/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which files are messages: those of -p, with their weights, and what lies in a folder it names.
 * The order is the one they are sent in, so a folder is sorted by bytes, the same on every system.
 * The trap: an @ may be part of a name; it parts a weight off only when no file is called so.
 */
#include "lather/cli/post_files.h"

#include <stdlib.h>
#include <string.h>

#include "lather/base/buf.h"
#include "lather/base/units.h"
#include "lather/cli/folder.h"

#define EXPECT_SUFFIX ".expect"

static bool is_standard_input(const char *path)
{
    return strcmp(path, "-") == 0;
}

bool post_files_is_file(const char *path)
{
    return folder_kind_of(path) == PATH_FILE;
}

static void add(struct post_files *files, struct str path, uint32_t weight)
{
    struct buf expect_path;
    buf_init(&expect_path);
    buf_append_str(&expect_path, path);
    buf_append_str(&expect_path, STR(EXPECT_SUFFIX));
    files->items = check_realloc(files->items, (files->count + 1) * sizeof *files->items);
    char *const text = str_dup(path);
    files->items[files->count++] = (struct post_file){
        .path = text,
        .weight = weight,
        .is_stream = is_standard_input(text) || folder_kind_of(text) == PATH_OTHER,
        .expect_path =
            folder_kind_of(expect_path.data) == PATH_FILE ? str_dup(buf_view(&expect_path)) : NULL,
    };
    buf_deinit(&expect_path);
}

/* --- folders --------------------------------------------------------------------------------- */

static bool has_name(const struct folder_names *names, struct str name)
{
    for (size_t i = 0; i < names->count; i++) {
        if (str_equals(name, str_from(names->items[i]))) {
            return true;
        }
    }
    return false;
}

/* An expectation of no message is most likely one with a wrong name. */
static bool add_name(struct post_files *files, const struct folder_names *names, const char *folder,
                     struct str name, uint32_t weight, struct err *err)
{
    if (str_ends_with(name, STR(EXPECT_SUFFIX))) {
        const struct str message = str_slice(name, 0, name.len - strlen(EXPECT_SUFFIX));
        return has_name(names, message) ||
               err_set(err, ERR_FILE,
                       "-p %.200s: %.*s is of no message: there is no %.*s in the folder", folder,
                       STR_ARG(name), STR_ARG(message));
    }
    struct buf path;
    buf_init(&path);
    folder_append_path(&path, folder, name);
    const enum path_kind kind = folder_kind_of(path.data);
    if (kind == PATH_OTHER) {
        buf_printf(&files->notes, "-p %.300s: left out, it is no regular file\n", path.data);
    } else if (kind != PATH_FOLDER) {
        add(files, buf_view(&path), weight);
    }
    buf_deinit(&path);
    return true;
}

static bool add_folder(struct post_files *files, const char *folder, uint32_t weight,
                       struct err *err)
{
    struct folder_names names;
    const size_t before = files->count;
    bool is_good = folder_read(&names, folder, err);
    if (!is_good) {
        (void)err_set(err, err->code, "-p %s", err->text);
    }
    for (size_t i = 0; i < names.count && is_good; i++) {
        is_good = add_name(files, &names, folder, str_from(names.items[i]), weight, err);
    }
    folder_names_deinit(&names);
    if (is_good && files->count == before) {
        return err_set(err, ERR_FILE,
                       "-p %.300s: no message is in this folder: put files into it (hidden ones, "
                       "folders and those ending in " EXPECT_SUFFIX " are none)",
                       folder);
    }
    return is_good;
}

/* --- weights --------------------------------------------------------------------------------- */

/* "FILE@WEIGHT", where no file is called so; without an @ all of it is the file. */
static bool split_weight(const char *text, struct str *path, uint32_t *weight, struct err *err)
{
    const char *at = strrchr(text, '@');
    *path = str_from(text);
    *weight = 1;
    if (at == NULL || folder_kind_of(text) != PATH_NONE) {
        return true;
    }
    uint64_t number;
    struct err reason;
    *path = str_of(text, (size_t)(at - text));
    if (path->len == 0) {
        return err_set(err, ERR_USAGE,
                       "-p %.100s: name a file in front of the weight, as order.xml%.40s", text,
                       at);
    }
    if (!units_parse_count(str_from(at + 1), 1, POST_FILES_WEIGHT_MOST, &number, &reason)) {
        return err_set(err, ERR_USAGE,
                       "-p %.200s: no file is called so, and \"%.40s\" is no weight: write a whole "
                       "number from 1 to %d behind the @",
                       text, at + 1, POST_FILES_WEIGHT_MOST);
    }
    *weight = (uint32_t)number;
    return true;
}

static bool check_standard_input(const struct post_files *files, struct err *err)
{
    size_t count = 0;
    for (size_t i = 0; i < files->count; i++) {
        count += is_standard_input(files->items[i].path) ? 1 : 0;
    }
    return count < 2 ||
           err_set(err, ERR_USAGE,
                   "-p - is given %zu times, and standard input is read once: give it once, as "
                   "-@%zu for its weight, and the other messages as files",
                   count, count);
}

static bool find(struct post_files *files, const struct option_value *given, struct err *err)
{
    for (size_t i = 0; i < given->count; i++) {
        struct str path;
        uint32_t weight;
        if (!split_weight(given->texts[i], &path, &weight, err)) {
            return false;
        }
        char *text = str_dup(path);
        bool is_good = true;
        if (!is_standard_input(text) && folder_kind_of(text) == PATH_FOLDER) {
            is_good = add_folder(files, text, weight, err);
        } else {
            add(files, path, weight);
        }
        free(text);
        if (!is_good) {
            return false;
        }
    }
    return check_standard_input(files, err);
}

bool post_files_find(struct post_files *files, const struct options *options, struct err *err)
{
    *files = (struct post_files){.count = 0};
    buf_init(&files->notes);
    if (options_has(options, OPTION_PUT)) {
        add(files, str_from(options_text(options, OPTION_PUT)), 1);
        return true;
    }
    if (!find(files, &options->values[OPTION_POST], err)) {
        post_files_deinit(files);
        return false;
    }
    return true;
}

void post_files_deinit(struct post_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        free(files->items[i].path);
        free(files->items[i].expect_path);
    }
    free(files->items);
    buf_deinit(&files->notes);
    *files = (struct post_files){.count = 0};
}
