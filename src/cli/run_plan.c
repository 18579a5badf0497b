/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From options to the plan of a run. Here stands what each option means; how its value is read
 * stands in the table. Contradictions are told apart from wrong values: each names both sides. The
 * order of options never matters, unlike with ab.
 */
#include "lather/cli/run_plan.h"

#include <string.h>

#include "lather/base/units.h"
#include "lather/cli/captured_verdict.h"
#include "lather/cli/load_options.h"
#include "lather/cli/message_file.h"
#include "lather/cli/renewal_options.h"
#include "lather/cli/tls_plan.h"
#include "lather/cli/verdict_lines.h"
#include "lather/cli/verdict_options.h"
#include "lather/cli/way_plan.h"
#include "lather/net/address.h"

static bool check_arguments(const struct options *options, struct err *err)
{
    if (options->argument_count > 1) {
        return err_set(err, ERR_USAGE,
                       "more than one URL: \"%.100s\" and \"%.100s\"; a value with blanks needs "
                       "quotes",
                       options->arguments[0], options->arguments[1]);
    }
    return true;
}

static bool check_methods(const struct options *options, struct err *err)
{
    static const enum option files[] = {OPTION_POST, OPTION_PUT};
    if (options_has(options, OPTION_POST) && options_has(options, OPTION_PUT)) {
        return err_set(err, ERR_USAGE,
                       "-p and -u contradict each other: the message is either posted or put");
    }
    for (size_t i = 0; i < 2; i++) {
        char letter = option_table_row(files[i])->letter;
        if (options->values[files[i]].count > 1) {
            return err_set(err, ERR_USAGE, "-%c is given more than once: one message is sent",
                           letter);
        }
        if (options_has(options, files[i]) && options_has(options, OPTION_HEAD)) {
            return err_set(err, ERR_USAGE,
                           "-i and -%c contradict each other: a HEAD request has no body", letter);
        }
    }
    const char *method = options_text(options, OPTION_METHOD);
    if (options_has(options, OPTION_HEAD) && method != NULL && strcmp(method, "HEAD") != 0) {
        return err_set(err, ERR_USAGE, "-i and -m %.60s contradict each other: give one of them",
                       method);
    }
    return true;
}

static bool check_bind_address(const struct options *options, struct err *err)
{
    const char *address = options_text(options, OPTION_BIND);
    struct address_list parsed;
    return address == NULL || address_list_parse(&parsed, address, err);
}

/* DIR[,K]: a comma and a number behind the last one is the number. */
static bool set_save_failures(struct plan *plan, const struct options *options, struct err *err)
{
    enum { MOST_BY_DEFAULT = 10 };
    const char *text = options_text(options, OPTION_SAVE_FAILURES);
    if (text == NULL) {
        return true;
    }
    struct str folder = str_from(text);
    const char *comma = strrchr(text, ',');
    plan->save_failures_most = MOST_BY_DEFAULT;
    if (comma != NULL) {
        folder = str_of(text, (size_t)(comma - text));
        if (!units_parse_count(str_from(comma + 1), 1, 10000, &plan->save_failures_most, err)) {
            return err_prefix(err, "--save-failures: behind the comma");
        }
    }
    if (folder.len == 0) {
        return err_set(err, ERR_USAGE,
                       "--save-failures: name a folder, as failures or failures,20");
    }
    plan->save_failures_folder = str_dup(folder);
    return true;
}

static bool set_expectations(struct plan *plan, const struct options *options, struct err *err)
{
    plan->same_length = options_has(options, OPTION_SAME_LENGTH);
    plan->any_length = options_has(options, OPTION_ANY_LENGTH);
    return set_save_failures(plan, options, err) &&
           verdict_options_apply(options, &plan->expect, err);
}

/* The user's fields, and behind them those of a capture that the user did not give. */
static bool read_fields(const struct options *options, const struct message_file *file,
                        struct http_head *fields, struct err *err)
{
    const struct option_value *lines = &options->values[OPTION_HEADER];
    for (size_t i = 0; i < lines->count; i++) {
        struct str name;
        struct str value;
        if (!http_head_parse_field(str_from(lines->texts[i]), &name, &value, err)) {
            return err_prefix(err, "-H");
        }
        http_head_add(fields, name, value);
    }
    if (file->message == NULL) {
        return true;
    }
    const struct http_head *captured = &file->message->head;
    const size_t given = fields->count;
    for (size_t i = 0; i < captured->count; i++) {
        const struct str name = str_from(captured->fields[i].name);
        bool is_replaced = (options_has(options, OPTION_CONTENT_TYPE) &&
                            str_equals_nocase(name, STR("Content-Type"))) ||
                           (options_has(options, OPTION_SOAP_ACTION) &&
                            str_equals_nocase(name, STR("SOAPAction")));
        for (size_t k = 0; k < given; k++) {
            is_replaced = is_replaced || str_equals_nocase(name, str_from(fields->fields[k].name));
        }
        if (!is_replaced) {
            http_head_add(fields, name, str_from(captured->fields[i].value));
        }
    }
    return true;
}

static const char *method_of(const struct options *options, const struct message_file *file)
{
    if (options_has(options, OPTION_METHOD)) {
        return options_text(options, OPTION_METHOD);
    }
    if (options_has(options, OPTION_HEAD)) {
        return "HEAD";
    }
    if (options_has(options, OPTION_PUT)) {
        return "PUT";
    }
    const bool is_told = message_file_is_capture(file) && file->message->method[0] != '\0';
    return is_told ? file->message->method : NULL;
}

/* What a plan is built of. */
struct source {
    const struct options *options;
    const struct message_file *file; /* NULL: still to be read */
    const char *url;                 /* where nobody names one */
};

/* A URL on the command line wins over the capture's. */
static bool find_url(const struct source *source, const struct message_file *file, struct str *url,
                     struct err *err)
{
    const struct options *options = source->options;
    if (options->argument_count > 0) {
        *url = str_from(options->arguments[0]);
        return true;
    }
    if (message_file_is_capture(file) && file->message->url[0] != '\0') {
        *url = str_from(file->message->url);
        return true;
    }
    if (source->url != NULL) {
        *url = str_from(source->url);
        return true;
    }
    return err_set(err, ERR_USAGE,
                   "no URL given: lather [options] http://host/path (`lather --help` lists the "
                   "options)");
}

/* Templates are read in bare files; in a capture "${" is what was captured. */
static void settle_templates(const struct options *options, const struct message_file *file,
                             struct plan_renewal *renewal)
{
    if (message_file_is_capture(file) && !options_has(options, OPTION_TEMPLATE)) {
        renewal->ignores_templates = true;
    }
}

/*
 * A captured message's own expectations count too; the command line's come first. *expect is then
 * the message's own, else it stays NULL.
 */
static bool set_captured_expectations(struct plan *plan, const struct source *source,
                                      const struct capture_message *message,
                                      struct verdict_lines *lines, struct expect **expect,
                                      struct buf *notes, struct err *err)
{
    const struct options *options = source->options;
    if (message == NULL || (message->expectations.len == 0 && message->untranslated.len == 0)) {
        return true;
    }
    const char *validate = options_text(options, OPTION_VALIDATE);
    if (validate != NULL && strcmp(validate, "off") == 0) {
        buf_append_str(notes, STR("--validate off: what the capture expects of its answers is left "
                                  "out\n"));
        return true;
    }
    if (!captured_verdict_add(lines, message, notes, err)) {
        return false;
    }
    verdict_lines_add_options(lines, options);
    *expect = plan_add_expect(plan);
    if (!verdict_options_apply(&lines->options, *expect, err)) {
        return false;
    }
    (*expect)->counts_bodies = plan->expect.counts_bodies;
    return true;
}

static bool freeze_expectations(struct plan *plan, struct err *err)
{
    for (size_t i = 0; i < plan->own_expect_count; i++) {
        if (!expect_freeze(plan->own_expects[i], err)) {
            return false;
        }
    }
    return expect_freeze(&plan->expect, err);
}

static bool build_from_file(struct plan *plan, const struct source *source,
                            const struct message_file *file, struct buf *notes, struct err *err)
{
    const struct options *options = source->options;
    struct http_head fields;
    struct renewal_options renewal;
    struct verdict_lines lines;
    http_head_init(&fields);
    verdict_lines_init(&lines);
    const char *credentials = options_text(options, OPTION_USER);
    if (credentials == NULL && message_file_is_capture(file)) {
        credentials = file->message->basic_credentials;
    }
    struct plan_request request = {
        .method = method_of(options, file),
        .body_name = file->path,
        .has_body = file->message != NULL && file->message->has_body,
        .content_type = options_text(options, OPTION_CONTENT_TYPE),
        .soap_action = options_text(options, OPTION_SOAP_ACTION),
        .headers = &fields,
        .cookies = options->values[OPTION_COOKIE].texts,
        .cookie_count = options->values[OPTION_COOKIE].count,
        .basic_credentials = plan->way.auth == AUTH_SCHEME_NONE ? credentials : NULL,
        .keep_alive = plan->keep_alive,
    };
    bool is_good = set_captured_expectations(plan, source, file->message, &lines, &request.expect,
                                             notes, err) &&
                   renewal_options_read(options, plan, &renewal, err) &&
                   read_fields(options, file, &fields, err) &&
                   find_url(source, file, &request.url, err);
    settle_templates(options, file, &renewal.renewal);
    request.body = request.has_body ? buf_view(&file->message->body) : str_of(NULL, 0);
    request.renewal = renewal.renewal;
    request.has_validate =
        options_has(options, OPTION_VALIDATE) || options_has(&lines.options, OPTION_VALIDATE);
    is_good = is_good && plan_add_message(plan, &request, notes, err);
    if (is_good && !request.has_body && request.content_type != NULL) {
        buf_append_str(notes, STR("-T has no effect: there is no body\n"));
    }
    renewal_options_deinit(&renewal);
    verdict_lines_deinit(&lines);
    http_head_deinit(&fields);
    return is_good;
}

static bool build_message(struct plan *plan, const struct source *source, struct buf *notes,
                          struct err *err)
{
    if (source->file != NULL) {
        return build_from_file(plan, source, source->file, notes, err);
    }
    struct message_file file;
    bool is_built = message_file_read(source->options, &file, notes, err) &&
                    build_from_file(plan, source, &file, notes, err);
    message_file_deinit(&file);
    return is_built;
}

static bool build(const struct source *source, struct plan **plan, struct buf *notes,
                  struct err *err)
{
    const struct options *options = source->options;
    struct plan *built = plan_new();
    if (check_arguments(options, err) && check_methods(options, err) &&
        load_options_apply(options, built, err) && check_bind_address(options, err) &&
        set_expectations(built, options, err) && plan_check(built, err) &&
        way_plan_set(built, options, notes, err) && build_message(built, source, notes, err) &&
        plan_settle_mix(built, err) && way_plan_set_target(built, options, notes, err) &&
        tls_plan_set(built, options, notes, err) && freeze_expectations(built, err)) {
        *plan = built;
        return true;
    }
    plan_free(built);
    return false;
}

bool run_plan_build(const struct options *options, struct plan **plan, struct buf *notes,
                    struct err *err)
{
    const struct source source = {.options = options};
    return build(&source, plan, notes, err);
}

bool run_plan_build_for(const struct options *options, const struct message_file *file,
                        const char *url, struct plan **plan, struct buf *notes, struct err *err)
{
    const struct source source = {.options = options, .file = file, .url = url};
    return build(&source, plan, notes, err);
}
