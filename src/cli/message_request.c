/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is asked for with one message: options, capture and list of URLs put together. Who wins is
 * the same everywhere: a line of a list over an option, an option over the capture. The request
 * only borrows; what it is made of must outlive it.
 */
#include "lather/cli/message_request.h"

/* The user's fields, and behind them those of a capture that the user did not give. */
static bool read_fields(const struct message_making *making, struct http_head *fields,
                        struct err *err)
{
    const struct options *options = making->options;
    const struct message_file *file = making->file;
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

static const char *method_of(const struct message_making *making)
{
    const struct options *options = making->options;
    const struct message_file *file = making->file;
    if (making->url != NULL && making->url->method != NULL) {
        return making->url->method;
    }
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

/* A URL on the command line wins over the capture's. */
static bool find_url(const struct message_making *making, const struct message_setting *setting,
                     struct str *url, struct err *err)
{
    const struct message_file *file = making->file;
    if (making->url != NULL) {
        *url = str_from(making->url->url);
        return true;
    }
    if (message_file_is_capture(file) && file->message->url[0] != '\0') {
        *url = str_from(file->message->url);
        return true;
    }
    if (setting->url != NULL) {
        *url = str_from(setting->url);
        return true;
    }
    return err_set(
        err, ERR_USAGE,
        "%.200s%sno URL given: lather [options] http://host/path (`lather --help` lists the "
        "options)",
        setting->file_count > 1 ? file->path : "", setting->file_count > 1 ? ": " : "");
}

/* Templates are read in bare files; in a capture "${" is what was captured. */
static bool ignores_templates(const struct message_making *making)
{
    return message_file_is_capture(making->file) && !options_has(making->options, OPTION_TEMPLATE);
}

static struct str last_part(const char *path)
{
    struct str name = str_from(path);
    for (size_t i = name.len; i > 0; i--) {
        if (name.data[i - 1] == '/' || name.data[i - 1] == '\\') {
            return str_slice(name, i, name.len);
        }
    }
    return name;
}

void message_request_append_name(const struct message_making *making,
                                 const struct message_setting *setting, struct buf *name)
{
    const struct message_file *file = making->file;
    const bool is_one_of_urls = setting->url_count > 1;
    if (file->message == NULL || is_one_of_urls) {
        return;
    }
    if (!message_file_is_capture(file) || making->count == 1) {
        buf_append_str(name, last_part(file->path));
        return;
    }
    if (setting->file_count > 1) {
        buf_append_str(name, last_part(file->path));
        buf_append_str(name, STR(": "));
    }
    buf_append_str(name, str_from(file->message->name));
}

struct str message_request_body(const struct message_making *making)
{
    if (making->url != NULL && making->url->method != NULL) {
        return buf_view(&making->url->body);
    }
    const struct message_file *file = making->file;
    const bool has_body = file->message != NULL && file->message->has_body;
    return has_body ? buf_view(&file->message->body) : str_of(NULL, 0);
}

static bool has_body(const struct message_making *making)
{
    const struct message_file *file = making->file;
    return (making->url != NULL && making->url->method != NULL) ||
           (file->message != NULL && file->message->has_body);
}

bool message_request_fill(const struct message_making *making,
                          const struct message_setting *setting, struct plan_request *request,
                          struct http_head *fields, struct err *err)
{
    const struct options *options = making->options;
    const struct message_file *file = making->file;
    const char *credentials = options_text(options, OPTION_USER);
    if (credentials == NULL && message_file_is_capture(file)) {
        credentials = file->message->basic_credentials;
    }
    const bool is_list_body = making->url != NULL && making->url->method != NULL;
    *request = (struct plan_request){
        .weight = making->found == NULL ? 1 : making->found->weight,
        .method = method_of(making),
        .body_name = is_list_body ? making->url->body_name : file->path,
        .body = message_request_body(making),
        .has_body = has_body(making),
        .content_type = options_text(options, OPTION_CONTENT_TYPE),
        .soap_action = options_text(options, OPTION_SOAP_ACTION),
        .headers = fields,
        .cookies = options->values[OPTION_COOKIE].texts,
        .cookie_count = options->values[OPTION_COOKIE].count,
        .basic_credentials = setting->plan->way.auth == AUTH_SCHEME_NONE ? credentials : NULL,
        .keep_alive = setting->plan->keep_alive,
        .has_validate = options_has(making->own != NULL ? making->own : options, OPTION_VALIDATE),
        .renewal = *setting->renewal,
    };
    request->renewal.ignores_templates =
        request->renewal.ignores_templates || ignores_templates(making);
    return read_fields(making, fields, err) && find_url(making, setting, &request->url, err);
}
