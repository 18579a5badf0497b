/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From what was gathered of a SoapUI project to messages. An interface may stand behind the tests
 * that name it, so this happens when all was read. SoapUI sends more than the text at times: header
 * blocks of WS-Addressing and WS-Security, values of properties; what is missing then is told.
 */
#include "lather/capture/soapui_project.h"

#include <stdlib.h>
#include <string.h>

#include "lather/base/file.h"
#include "lather/capture/gather.h"
#include "lather/capture/import.h"
#include "lather/capture/xml_text.h"
#include "lather/soap/sax.h"

/* Room for one more item of a list; what is new is zeroed. */
static void *grow(void *items, size_t count, size_t *capacity, size_t bytes)
{
    if (count == *capacity) {
        *capacity = *capacity == 0 ? 16 : *capacity * 2;
        items = check_realloc(items, *capacity * bytes);
    }
    memset((char *)items + count * bytes, 0, bytes);
    return items;
}

struct soapui_request *soapui_project_add_request(struct soapui_project *project)
{
    project->requests = grow(project->requests, project->request_count, &project->request_capacity,
                             sizeof project->requests[0]);
    return &project->requests[project->request_count++];
}

struct soapui_operation *soapui_project_add_operation(struct soapui_project *project)
{
    project->operations = grow(project->operations, project->operation_count,
                               &project->operation_capacity, sizeof project->operations[0]);
    return &project->operations[project->operation_count++];
}

struct soapui_interface *soapui_project_add_interface(struct soapui_project *project)
{
    project->interfaces = grow(project->interfaces, project->interface_count,
                               &project->interface_capacity, sizeof project->interfaces[0]);
    return &project->interfaces[project->interface_count++];
}

static const struct soapui_interface *find_interface(const struct soapui_project *project,
                                                     const char *name)
{
    for (size_t i = 0; i < project->interface_count && name != NULL; i++) {
        if (strcmp(project->interfaces[i].name, name) == 0) {
            return &project->interfaces[i];
        }
    }
    return NULL;
}

static const struct soapui_operation *find_operation(const struct soapui_project *project,
                                                     const struct soapui_request *request)
{
    for (size_t i = 0; i < project->operation_count && request->operation_name != NULL &&
                       request->interface_name != NULL;
         i++) {
        const struct soapui_operation *operation = &project->operations[i];
        if (strcmp(operation->name, request->operation_name) == 0 &&
            strcmp(operation->interface_name, request->interface_name) == 0) {
            return operation;
        }
    }
    return NULL;
}

/* ---- header fields: <con:entry key="Name" value="..."/>, one or several, under any root */

struct entries {
    struct capture *capture;
    struct capture_message *message;
    bool is_full;
};

static void on_entry(void *context, const struct sax_element *element)
{
    struct entries *entries = context;
    if (strcmp(element->name, "entry") != 0 || entries->is_full) {
        return;
    }
    char *key = xml_text_attribute(element, "key");
    char *value = xml_text_attribute(element, "value");
    entries->is_full =
        !import_field(entries->capture, entries->message, str_from(key), str_from(value));
    free(key);
    free(value);
}

static void add_fields(struct capture *capture, struct capture_message *message, struct str headers)
{
    if (str_trim(headers).len == 0) {
        return;
    }
    struct entries entries = {.capture = capture, .message = message};
    const struct sax_events events = {.start = on_entry};
    struct sax *sax = sax_new(&events, &entries, SAX_DOCTYPE_STOPS);
    sax_begin(sax, STR("utf-8"));
    sax_feed(sax, STR("<fields xmlns:con=\"http://eviware.com/soapui/config\">"));
    sax_feed(sax, headers);
    sax_feed(sax, STR("</fields>"));
    if (sax_finish(sax) != SAX_WHOLE || entries.is_full) {
        gather_note(capture, CAPTURE_NOTE_REMARK, capture->count,
                    "its list of header fields is damaged or too long: what is behind it is left "
                    "out");
    }
    sax_free(sax);
}

/* ---- one request */

static void settle_credentials(struct capture *capture, struct capture_message *message,
                               const struct soapui_request *request)
{
    struct str scheme = str_trim(buf_view(&request->scheme));
    if (str_trim(buf_view(&request->user)).len == 0 ||
        str_equals(scheme, STR("No Authorization"))) {
        return;
    }
    bool is_basic = scheme.len == 0 || str_equals(scheme, STR("Basic")) ||
                    str_equals(scheme, STR("Preemptive")) ||
                    str_equals(scheme, STR("Global HTTP Settings"));
    if (!is_basic) {
        gather_note(capture, CAPTURE_NOTE_REMARK, capture->count,
                    "credentials for %.*s are left out: give -A and the option of that scheme",
                    STR_ARG(str_slice(scheme, 0, 40)));
        return;
    }
    struct buf credentials;
    buf_init(&credentials);
    buf_append_str(&credentials, buf_view(&request->user));
    buf_append_byte(&credentials, ':');
    buf_append_str(&credentials, buf_view(&request->password));
    message->basic_credentials = buf_take(&credentials);
}

static bool has_placeholder(struct str text)
{
    return str_find(text, STR("${")) != SIZE_MAX;
}

static void note_what_is_missing(struct capture *capture, const struct capture_message *message,
                                 const struct soapui_request *request)
{
    if (has_placeholder(buf_view(&message->body)) || has_placeholder(str_from(message->url)) ||
        has_placeholder(buf_view(&request->headers))) {
        gather_note(capture, CAPTURE_NOTE_REMARK, capture->count,
                    "placeholders of SoapUI (${...}) stand in it as written");
    }
    if (request->wants_addressing) {
        gather_note(capture, CAPTURE_NOTE_REMARK, capture->count,
                    "SoapUI adds WS-Addressing to it, which is not in its text");
    }
    if (request->wants_security) {
        gather_note(capture, CAPTURE_NOTE_REMARK, capture->count,
                    "SoapUI adds WS-Security to it, which is not in its text; --wsse-user can");
    }
}

static void note_version(struct capture *capture, const struct soapui_interface *interface)
{
    const struct capture_message *message = &capture->messages[capture->count - 1];
    bool is_12 = message->soap_version == SOAP_VERSION_12;
    if (interface == NULL || interface->version == NULL ||
        message->soap_version == SOAP_VERSION_NONE ||
        is_12 == (strcmp(interface->version, "1_2") == 0)) {
        return;
    }
    gather_note(capture, CAPTURE_NOTE_REMARK, capture->count - 1,
                "its envelope is SOAP %s, its interface says SOAP %s: sent as the envelope is",
                soap_version_name(message->soap_version), is_12 ? "1.1" : "1.2");
}

static struct buf take_buf(struct buf *from)
{
    struct buf taken = *from;
    buf_init(from);
    return taken;
}

/* The last part of "file:/C:/wsdl/Orders.wsdl" or "http://host/Orders.svc?wsdl". */
static struct str file_of(struct str definition)
{
    size_t to = str_find_byte(definition, '?');
    to = to == SIZE_MAX ? definition.len : to;
    size_t from = to;
    while (from > 0 && definition.data[from - 1] != '/' && definition.data[from - 1] != '\\') {
        from--;
    }
    return str_slice(definition, from, to);
}

/* Whether a WSDL of that name lies beside the project; then path is it. */
static bool find_beside(const struct capture *capture, struct str name, const char *ending,
                        struct buf *path)
{
    struct buf content;
    buf_init(&content);
    buf_reset(path);
    buf_printf(path, "%s%.*s%s", capture->folder, STR_ARG(name), ending);
    const bool is_there =
        name.len > 0 && file_read(path->data, CAPTURE_BODY_CEILING, &content, NULL);
    buf_deinit(&content);
    return is_there;
}

/* A schema is read from files only; the project keeps a copy of its own, but nothing is unpacked.
 */
static void expect_schema(const struct capture *capture, struct soapui_request *request,
                          const struct soapui_interface *interface)
{
    struct buf path;
    const struct str name = interface == NULL ? STR("") : file_of(str_from(interface->definition));
    if (!request->wants_schema) {
        return;
    }
    buf_init(&path);
    if (find_beside(capture, name, "", &path) || find_beside(capture, name, ".wsdl", &path)) {
        buf_printf(&request->expectations, "--wsdl %s\n", path.data);
    } else {
        buf_append_str(&request->untranslated, STR("Schema Compliance: "));
        if (name.len > 0) {
            gather_append_clean(&request->untranslated, name, CAPTURE_TEXT_CEILING);
            buf_append_str(&request->untranslated, STR(" is not beside the project: "));
        }
        buf_append_str(&request->untranslated, STR("give the schema with --xsd or --wsdl\n"));
    }
    buf_deinit(&path);
}

static void import_request(const struct soapui_project *project, struct soapui_request *request,
                           struct capture *capture)
{
    const struct soapui_interface *interface = find_interface(project, request->interface_name);
    const struct soapui_operation *operation = find_operation(project, request);
    if (request->is_cut || str_trim(buf_view(&request->body)).len == 0) {
        gather_skip(capture, request->place, "%s",
                    request->is_cut
                        ? "the project is damaged inside of it, or it is larger than a body may be"
                        : "it has no text");
        return;
    }
    struct str endpoint = str_trim(buf_view(&request->endpoint));
    if (endpoint.len == 0 && interface != NULL) {
        endpoint = str_from(interface->endpoint);
    }
    expect_schema(capture, request, interface);
    struct capture_message message = {
        .name = str_dup(str_from(request->name)),
        .place = gather_clean(str_from(request->place)),
        .method = str_dup(STR("POST")),
        .url = str_dup(endpoint),
        .expectations = take_buf(&request->expectations),
        .untranslated = take_buf(&request->untranslated),
    };
    add_fields(capture, &message, buf_view(&request->headers));
    if (!import_text(capture, &message, buf_view(&request->body), buf_view(&request->encoding))) {
        buf_reset(&request->encoding);
    }
    buf_deinit(&request->body); /* a project may be large: not twice */
    settle_credentials(capture, &message, request);
    note_what_is_missing(capture, &message, request);
    const char *action = operation == NULL ? NULL : operation->action;
    bool is_12 =
        interface != NULL && interface->version != NULL && strcmp(interface->version, "1_2") == 0;
    const struct import_facts facts = {
        .implied_action = is_12 && action != NULL && action[0] == '\0' ? NULL : action,
        .charset = request->encoding.len > 0 ? request->encoding.data : NULL,
    };
    if (import_message(capture, &message, &facts)) {
        note_version(capture, interface);
    }
}

void soapui_project_import(struct soapui_project *project, struct capture *capture)
{
    bool has_steps = false;
    for (size_t i = 0; i < project->request_count; i++) {
        has_steps = has_steps || project->requests[i].is_of_step;
    }
    size_t samples = 0;
    for (size_t i = 0; i < project->request_count && !capture->is_full; i++) {
        if (project->requests[i].is_of_step == has_steps) {
            import_request(project, &project->requests[i], capture);
        } else {
            samples++;
        }
    }
    if (samples > 0) {
        gather_note(capture, CAPTURE_NOTE_ROUTINE, CAPTURE_WHOLE,
                    "the project has test steps, so the %zu sample requests of its interfaces are "
                    "not taken",
                    samples);
    }
}

static void deinit_request(struct soapui_request *request)
{
    free(request->name);
    free(request->place);
    free(request->interface_name);
    free(request->operation_name);
    buf_deinit(&request->endpoint);
    buf_deinit(&request->encoding);
    buf_deinit(&request->headers);
    buf_deinit(&request->user);
    buf_deinit(&request->password);
    buf_deinit(&request->scheme);
    buf_deinit(&request->body);
    buf_deinit(&request->expectations);
    buf_deinit(&request->untranslated);
}

void soapui_project_deinit(struct soapui_project *project)
{
    for (size_t i = 0; i < project->request_count; i++) {
        deinit_request(&project->requests[i]);
    }
    for (size_t i = 0; i < project->operation_count; i++) {
        free(project->operations[i].interface_name);
        free(project->operations[i].name);
        free(project->operations[i].action);
    }
    for (size_t i = 0; i < project->interface_count; i++) {
        free(project->interfaces[i].name);
        free(project->interfaces[i].version);
        free(project->interfaces[i].definition);
        free(project->interfaces[i].endpoint);
    }
    free(project->requests);
    free(project->operations);
    free(project->interfaces);
    *project = (struct soapui_project){.requests = NULL};
}
