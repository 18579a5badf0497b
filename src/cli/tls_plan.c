/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The options about TLS. A password is never typed on the command line, where every user of the
 * machine can read it: it comes from a file or from the environment. Whether files and names are
 * good is found out by the preflight, which has OpenSSL.
 */
#include "lather/cli/tls_plan.h"

#include <stdlib.h>

#include "lather/base/file.h"

enum { PASSWORD_FILE_CEILING = 64 * 1024 };

static bool is_given(const struct options *options, enum option option)
{
    return options_has(options, option);
}

static bool check_pairs(const struct options *options, struct err *err)
{
    if (is_given(options, OPTION_INSECURE) && is_given(options, OPTION_AUTHORITY)) {
        return err_set(err, ERR_USAGE,
                       "--insecure and --cacert contradict each other: leave one of them out");
    }
    static const enum option parts[] = {OPTION_KEY, OPTION_KEY_PASSWORD_FILE};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (is_given(options, parts[i]) && !is_given(options, OPTION_CERTIFICATE)) {
            return err_set(err, ERR_USAGE, "--%s without -E: name the client certificate with -E",
                           option_table_row(parts[i])->name);
        }
    }
    return true;
}

static void note_without_effect(const struct options *options, struct buf *notes)
{
    for (int i = OPTION_AUTHORITY; i <= OPTION_NO_RESUME; i++) {
        const struct option_row *row = option_table_row((enum option)i);
        if (!is_given(options, row->option)) {
            continue;
        }
        if (row->letter != 0) {
            buf_printf(notes, "-%c has no effect: the URL is http://\n", row->letter);
        } else {
            buf_printf(notes, "--%s has no effect: the URL is http://\n", row->name);
        }
    }
}

/* A copy of what was given, or NULL. */
static char *copy_of(const struct options *options, enum option option)
{
    return is_given(options, option) ? str_dup(str_from(options_text(options, option))) : NULL;
}

/* The file's first line. */
static bool read_password(const char *path, char **password, struct err *err)
{
    struct buf content;
    struct str line;
    struct str rest;
    buf_init(&content);
    const bool is_read = file_read(path, PASSWORD_FILE_CEILING, &content, err);
    if (is_read) {
        (void)str_split(buf_view(&content), '\n', &line, &rest);
        *password =
            str_dup(str_ends_with(line, STR("\r")) ? str_slice(line, 0, line.len - 1) : line);
    }
    buf_deinit(&content);
    return is_read || err_prefix(err, "--key-password-file");
}

static bool set_password(struct plan_tls *tls, const struct options *options, struct err *err)
{
    const char *path = options_text(options, OPTION_KEY_PASSWORD_FILE);
    const char *variable = getenv("LATHER_KEY_PASSWORD");
    if (path != NULL) {
        return read_password(path, &tls->key_password, err);
    }
    if (variable != NULL && tls->certificate_file != NULL) {
        tls->key_password = str_dup(str_from(variable));
    }
    return true;
}

bool tls_plan_set(struct plan *plan, const struct options *options, struct buf *notes,
                  struct err *err)
{
    struct plan_tls *tls = &plan->tls;
    if (!check_pairs(options, err)) {
        return false;
    }
    if (plan->target.scheme != URL_SCHEME_HTTPS) {
        note_without_effect(options, notes);
        return true;
    }
    tls->authority_file = copy_of(options, OPTION_AUTHORITY);
    tls->certificate_file = copy_of(options, OPTION_CERTIFICATE);
    tls->key_file = copy_of(options, OPTION_KEY);
    tls->ciphers = copy_of(options, OPTION_CIPHERS);
    tls->protocol = copy_of(options, OPTION_PROTOCOL);
    tls->insecure = is_given(options, OPTION_INSECURE);
    tls->omit_server_name = is_given(options, OPTION_NO_SERVER_NAME);
    tls->no_resume = is_given(options, OPTION_NO_RESUME);
    return set_password(tls, options, err);
}
