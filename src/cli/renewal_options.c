/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Options about what changes from request to request. A password can come from the command line,
 * from a file or from the environment; wherever it comes from it is wiped when the plan is built,
 * and the plan knows it as a secret.
 */
#include "lather/cli/renewal_options.h"

#include <stdlib.h>
#include <string.h>

#include "lather/base/csv.h"
#include "lather/base/file.h"

static const char password_variable[] = "LATHER_WSSE_PASSWORD";

enum { PASSWORD_FILE_CEILING = 4096 };

void renewal_options_deinit(struct renewal_options *read)
{
    if (read->password.data != NULL) {
        memset(read->password.data, 0, read->password.len);
    }
    buf_deinit(&read->password);
    buf_deinit(&read->user);
    free(read->variables);
    *read = (struct renewal_options){.variables = NULL};
}

static bool read_variables(const struct options *options, struct renewal_options *read,
                           struct err *err)
{
    const struct option_value *value = &options->values[OPTION_VARIABLE];
    read->variables = check_calloc(value->count + 1, sizeof *read->variables);
    for (size_t i = 0; i < value->count; i++) {
        struct slot_variable *variable = &read->variables[i];
        const struct str text = str_from(value->texts[i]);
        if (!str_split(text, '=', &variable->name, &variable->value) || variable->name.len == 0) {
            return err_set(err, ERR_USAGE, "--var %.60s: write NAME=VALUE", value->texts[i]);
        }
    }
    read->renewal.names.variables = read->variables;
    read->renewal.names.variable_count = value->count;
    read->renewal.names.environment = getenv;
    return true;
}

static bool read_data(const struct options *options, struct plan *plan,
                      struct renewal_options *read, struct err *err)
{
    const char *path = options_text(options, OPTION_DATA);
    const char *order = options_text(options, OPTION_DATA_ORDER);
    if (order != NULL && path == NULL) {
        return err_set(err, ERR_USAGE, "--data-order says nothing without --data: give both");
    }
    if (path == NULL) {
        return true;
    }
    if (!csv_read(path, &plan->data, err) || !csv_check_utf8(plan->data, err)) {
        return err_prefix(err, "--data");
    }
    read->renewal.names.data = plan->data;
    return order == NULL || feed_order_parse(str_from(order), &plan->data_order, err) ||
           err_prefix(err, "--data-order");
}

/* The first line; editors of Windows put a byte order mark before it, its shells write UTF-16. */
static bool take_password(struct renewal_options *read, const char *path, struct str text,
                          struct err *err)
{
    struct str line;
    struct str rest;
    if (str_starts_with(text, STR("\xFF\xFE")) || str_starts_with(text, STR("\xFE\xFF"))) {
        return err_set(err, ERR_FILE, "%.300s: it is UTF-16: save the password in UTF-8", path);
    }
    if (str_starts_with(text, STR("\xEF\xBB\xBF"))) {
        text = str_slice(text, 3, text.len);
    }
    (void)str_split(text, '\n', &line, &rest);
    if (str_ends_with(line, STR("\r"))) {
        line = str_slice(line, 0, line.len - 1);
    }
    buf_append_str(&read->password, line);
    return line.len > 0 ||
           err_set(err, ERR_FILE, "%.300s: its first line is to be the password, and is empty",
                   path);
}

/* Behind the colon: the password, or @FILE with it in the first line. */
static bool read_password(struct renewal_options *read, struct str given, struct err *err)
{
    if (!str_starts_with(given, STR("@"))) {
        buf_append_str(&read->password, given);
        return true;
    }
    struct buf text;
    buf_init(&text);
    char *path = str_dup(str_slice(given, 1, SIZE_MAX));
    const bool is_read = file_read(path, PASSWORD_FILE_CEILING, &text, err) &&
                         take_password(read, path, buf_view(&text), err);
    free(path);
    buf_deinit(&text);
    return is_read || err_prefix(err, "--wsse-user");
}

static bool read_user(const struct options *options, struct renewal_options *read, struct err *err)
{
    const char *given = options_text(options, OPTION_WSSE_USER);
    if (given == NULL) {
        return true;
    }
    struct str user;
    struct str password;
    const bool has_password = str_split(str_from(given), ':', &user, &password);
    const char *environment = getenv(password_variable);
    if (!has_password && environment == NULL) {
        return err_set(err, ERR_USAGE,
                       "--wsse-user: no password: give USER:PASSWORD, USER:@FILE, or set %s",
                       password_variable);
    }
    if (!read_password(read, has_password ? password : str_from(environment), err)) {
        return false;
    }
    buf_append_str(&read->user, user);
    read->renewal.wsse_user = read->user.data != NULL ? read->user.data : "";
    read->renewal.wsse_password = buf_view(&read->password);
    return true;
}

static bool read_token(const struct options *options, struct renewal_options *read, struct err *err)
{
    const char *kind = options_text(options, OPTION_WSSE);
    const char *variant = options_text(options, OPTION_WSSE_DIGEST);
    struct plan_renewal *renewal = &read->renewal;
    if ((kind != NULL || variant != NULL) && renewal->wsse_user == NULL) {
        return err_set(err, ERR_USAGE, "--%s needs --wsse-user: give both",
                       kind != NULL ? "wsse" : "wsse-digest");
    }
    if (kind != NULL && strcmp(kind, "text") == 0) {
        renewal->adds_token = REFRESH_ADD_TEXT;
    } else if (kind != NULL && strcmp(kind, "digest") == 0) {
        renewal->adds_token = REFRESH_ADD_DIGEST;
    } else if (kind != NULL) {
        return err_set(err, ERR_USAGE, "--wsse: \"%.60s\" is not known: write text or digest",
                       kind);
    }
    return variant == NULL || wsse_variant_parse(str_from(variant), &renewal->wsse_variant, err) ||
           err_prefix(err, "--wsse-digest");
}

static bool read_addressing(const struct options *options, struct plan *plan,
                            struct renewal_options *read, struct err *err)
{
    const char *to = options_text(options, OPTION_WSA_TO);
    const char *offset = options_text(options, OPTION_CLOCK_OFFSET);
    struct plan_renewal *renewal = &read->renewal;
    renewal->adds_message_id = options_has(options, OPTION_ADD_MESSAGE_ID);
    if (to != NULL && strcmp(to, "keep") == 0) {
        renewal->to = REFRESH_TO_KEEP;
    } else if (to != NULL && strcmp(to, "auto") != 0) {
        renewal->to = REFRESH_TO_GIVEN;
        renewal->to_uri = str_from(to);
    }
    return offset == NULL || stamp_parse_distance(str_from(offset), &plan->clock_offset, err) ||
           err_prefix(err, "--clock-offset");
}

static bool check_verbatim(const struct options *options, struct err *err)
{
    static const enum option changing[] = {OPTION_VARIABLE, OPTION_DATA, OPTION_WSSE_USER,
                                           OPTION_WSA_TO, OPTION_ADD_MESSAGE_ID};
    for (size_t i = 0; i < sizeof changing / sizeof *changing; i++) {
        if (options_has(options, OPTION_VERBATIM) && options_has(options, changing[i])) {
            return err_set(err, ERR_USAGE,
                           "--verbatim and --%s contradict each other: the bytes are sent as they "
                           "are, or something in them is changed",
                           option_table_row(changing[i])->name);
        }
    }
    return true;
}

bool renewal_options_read(const struct options *options, struct plan *plan,
                          struct renewal_options *read, struct err *err)
{
    *read = (struct renewal_options){.variables = NULL};
    buf_init(&read->user);
    buf_init(&read->password);
    read->renewal.is_verbatim = options_has(options, OPTION_VERBATIM);
    read->renewal.ignores_templates = options_has(options, OPTION_NO_TEMPLATE);
    return check_verbatim(options, err) && read_variables(options, read, err) &&
           read_data(options, plan, read, err) && read_user(options, read, err) &&
           read_token(options, read, err) && read_addressing(options, plan, read, err);
}
