/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads SoapUI projects: which element is what, by name, namespace and parent, and where its text
 * goes. What becomes of it is soapui_project's matter. A project that breaks off keeps what was
 * whole before. REST requests, scripts and mock services are stepped over; CDATA in several
 * sections and escaped text are the same to the parser.
 */
#include "lather/capture/soapui.h"

#include <stdlib.h>
#include <string.h>

#include "lather/capture/gather.h"
#include "lather/capture/soapui_assertion.h"
#include "lather/capture/soapui_project.h"
#include "lather/capture/xml_text.h"
#include "lather/soap/sax.h"

#define CONFIG_NAMESPACE "http://eviware.com/soapui/config"
#define HEADERS_SETTING  "WsdlRequest@request-headers"

/* What an open element is. */
enum place {
    PLACE_OTHER = 0,
    PLACE_PROJECT,
    PLACE_ENCRYPTED,
    PLACE_INTERFACE,
    PLACE_ENDPOINTS,
    PLACE_INTERFACE_ENDPOINT,
    PLACE_OPERATION,
    PLACE_SUITE,
    PLACE_CASE,
    PLACE_STEP,
    PLACE_STEP_CONFIG,
    PLACE_STEP_INTERFACE,
    PLACE_STEP_OPERATION,
    PLACE_REQUEST, /* con:call of an operation, con:request of a step */
    PLACE_ENDPOINT,
    PLACE_ENCODING,
    PLACE_BODY,
    PLACE_SETTINGS,
    PLACE_FIELDS,
    PLACE_ASSERTION,
    PLACE_CONFIGURATION,
    PLACE_ASSERTION_SETTING,
    PLACE_CREDENTIALS,
    PLACE_USER,
    PLACE_PASSWORD,
    PLACE_SCHEME,
};

static const struct {
    enum place parent;
    const char *name;
    enum place place;
} places[] = {
    {PLACE_PROJECT, "encryptedContent", PLACE_ENCRYPTED},
    {PLACE_PROJECT, "interface", PLACE_INTERFACE},
    {PLACE_INTERFACE, "endpoints", PLACE_ENDPOINTS},
    {PLACE_ENDPOINTS, "endpoint", PLACE_INTERFACE_ENDPOINT},
    {PLACE_INTERFACE, "operation", PLACE_OPERATION},
    {PLACE_OPERATION, "call", PLACE_REQUEST},
    {PLACE_PROJECT, "testSuite", PLACE_SUITE},
    {PLACE_SUITE, "testCase", PLACE_CASE},
    {PLACE_CASE, "testStep", PLACE_STEP},
    {PLACE_STEP, "config", PLACE_STEP_CONFIG},
    {PLACE_STEP_CONFIG, "interface", PLACE_STEP_INTERFACE},
    {PLACE_STEP_CONFIG, "operation", PLACE_STEP_OPERATION},
    {PLACE_STEP_CONFIG, "request", PLACE_REQUEST},
    {PLACE_REQUEST, "endpoint", PLACE_ENDPOINT},
    {PLACE_REQUEST, "encoding", PLACE_ENCODING},
    {PLACE_REQUEST, "request", PLACE_BODY},
    {PLACE_REQUEST, "settings", PLACE_SETTINGS},
    {PLACE_SETTINGS, "setting", PLACE_FIELDS},
    {PLACE_REQUEST, "assertion", PLACE_ASSERTION},
    {PLACE_ASSERTION, "configuration", PLACE_CONFIGURATION},
    {PLACE_REQUEST, "credentials", PLACE_CREDENTIALS},
    {PLACE_CREDENTIALS, "username", PLACE_USER},
    {PLACE_CREDENTIALS, "password", PLACE_PASSWORD},
    {PLACE_CREDENTIALS, "authType", PLACE_SCHEME},
};

/* What of the tree is open, by name. */
struct open_names {
    char *interface;
    char *operation;
    char *suite;
    char *test_case;
    char *step;
    char *step_interface;
    char *step_operation;
};

struct reading {
    struct capture *capture;
    struct soapui_project project;
    enum place open[SAX_DEPTH_CEILING + 1];
    struct open_names names;
    bool suite_is_off;
    bool case_is_off;
    bool step_is_off; /* switched off, or no SOAP request */
    bool is_encrypted;
    struct soapui_request *request; /* being read; NULL: none */
    struct buf *target;             /* of the open element's text; NULL: nobody wants it */
    struct buf text;                /* target of elements without a place of their own */
    struct soapui_assertion assertion;
    bool assertion_is_off;
};

static void set(char **text, char *value)
{
    free(*text);
    *text = value;
}

static enum place place_of(enum place parent, const struct sax_element *element)
{
    struct str id;
    if (parent == PLACE_CONFIGURATION) {
        return PLACE_ASSERTION_SETTING;
    }
    if (strcmp(element->namespace_uri, CONFIG_NAMESPACE) != 0) {
        return PLACE_OTHER;
    }
    if (element->depth == 1) {
        return PLACE_PROJECT;
    }
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        if (places[i].parent == parent && strcmp(places[i].name, element->name) == 0) {
            bool is_fields = places[i].place == PLACE_FIELDS;
            return is_fields && !(sax_attribute(element, "", "id", &id) &&
                                  str_ends_with(id, STR(HEADERS_SETTING)))
                       ? PLACE_OTHER
                       : places[i].place;
        }
    }
    return PLACE_OTHER;
}

/* ---- elements begin */

static void begin_interface(struct reading *reading, const struct sax_element *element)
{
    struct soapui_interface *interface = soapui_project_add_interface(&reading->project);
    interface->name = xml_text_attribute(element, "name");
    interface->version = xml_text_attribute(element, "soapVersion");
    interface->definition = xml_text_attribute(element, "definition");
    set(&reading->names.interface, str_dup(str_from(interface->name)));
}

static void begin_operation(struct reading *reading, const struct sax_element *element)
{
    struct soapui_operation *operation = soapui_project_add_operation(&reading->project);
    operation->interface_name = str_dup(str_from(reading->names.interface));
    operation->name = xml_text_attribute(element, "name");
    operation->action = xml_text_attribute(element, "action");
    set(&reading->names.operation, str_dup(str_from(operation->name)));
}

static char *step_place(const struct reading *reading)
{
    struct buf place;
    buf_init(&place);
    buf_printf(&place, "test suite \"%s\", case \"%s\", step \"%s\"",
               reading->names.suite == NULL ? "" : reading->names.suite,
               reading->names.test_case == NULL ? "" : reading->names.test_case,
               reading->names.step == NULL ? "" : reading->names.step);
    char *clean = gather_clean(buf_view(&place));
    buf_deinit(&place);
    return clean;
}

static void begin_step(struct reading *reading, const struct sax_element *element)
{
    set(&reading->names.step, xml_text_attribute(element, "name"));
    set(&reading->names.step_interface, NULL);
    set(&reading->names.step_operation, NULL);
    bool is_off = reading->suite_is_off || reading->case_is_off ||
                  xml_text_attribute_is(element, "disabled", "true");
    char *type = xml_text_attribute(element, "type");
    bool is_soap = strcmp(type, "request") == 0;
    reading->step_is_off = is_off || !is_soap;
    if (reading->step_is_off) {
        char *place = step_place(reading);
        gather_note(reading->capture, CAPTURE_NOTE_SKIPPED, CAPTURE_WHOLE, "%.600s: %s (%.40s)",
                    place, is_soap ? "it is switched off" : "it is no SOAP request", type);
        free(place);
    }
    free(type);
}

/* "Case/Step", "Operation/Request 1". */
static char *request_name(const char *group, const char *name)
{
    struct buf text;
    buf_init(&text);
    buf_printf(&text, "%s/%s", group == NULL ? "" : group, name == NULL ? "" : name);
    return buf_take(&text);
}

static char *call_place(const struct reading *reading, const char *call)
{
    struct buf place;
    buf_init(&place);
    buf_printf(&place, "interface \"%s\", operation \"%s\", \"%s\"", reading->names.interface,
               reading->names.operation, call);
    char *clean = gather_clean(buf_view(&place));
    buf_deinit(&place);
    return clean;
}

static void begin_request(struct reading *reading, const struct sax_element *element,
                          enum place parent)
{
    struct str value;
    struct soapui_request *request = soapui_project_add_request(&reading->project);
    reading->request = request;
    request->is_of_step = parent == PLACE_STEP_CONFIG;
    request->wants_addressing = xml_text_attribute_is(element, "useWsAddressing", "true");
    request->wants_security = sax_attribute(element, "", "outgoingWss", &value) && value.len > 0;
    if (request->is_of_step) {
        request->name = request_name(reading->names.test_case, reading->names.step);
        request->place = step_place(reading);
        return;
    }
    char *call = xml_text_attribute(element, "name");
    request->name = request_name(reading->names.operation, call);
    request->place = call_place(reading, call);
    request->interface_name = str_dup(str_from(reading->names.interface));
    request->operation_name = str_dup(str_from(reading->names.operation));
    free(call);
}

static void begin_assertion(struct reading *reading, const struct sax_element *element)
{
    char *type = xml_text_attribute(element, "type");
    char *name = xml_text_attribute(element, "name");
    soapui_assertion_deinit(&reading->assertion);
    buf_append_str(&reading->assertion.type, str_from(type));
    buf_append_str(&reading->assertion.name, str_from(name));
    free(type);
    free(name);
    reading->assertion_is_off = xml_text_attribute_is(element, "disabled", "true");
}

/* Where an element's text goes, or NULL. */
static struct buf *target_of(struct reading *reading, enum place place, const char *name)
{
    struct soapui_request *request = reading->request;
    enum soapui_setting setting = SOAPUI_SETTING_COUNT;
    switch (place) {
    case PLACE_INTERFACE_ENDPOINT:
    case PLACE_STEP_INTERFACE:
    case PLACE_STEP_OPERATION:
        return &reading->text;
    case PLACE_ENDPOINT:
        return &request->endpoint;
    case PLACE_ENCODING:
        return &request->encoding;
    case PLACE_BODY:
        return &request->body;
    case PLACE_FIELDS:
        return &request->headers;
    case PLACE_USER:
        return &request->user;
    case PLACE_PASSWORD:
        return &request->password;
    case PLACE_SCHEME:
        return &request->scheme;
    case PLACE_ASSERTION_SETTING:
        setting = soapui_assertion_setting(str_from(name));
        return setting == SOAPUI_SETTING_COUNT ? NULL : &reading->assertion.settings[setting];
    default:
        return NULL;
    }
}

static void on_start(void *context, const struct sax_element *element)
{
    struct reading *reading = context;
    enum place parent = reading->open[element->depth - 1];
    enum place place = place_of(parent, element);
    if (place == PLACE_REQUEST && parent == PLACE_STEP_CONFIG && reading->step_is_off) {
        place = PLACE_OTHER;
    }
    if (place == PLACE_REQUEST && reading->project.request_count == CAPTURE_MESSAGES_CEILING) {
        place = PLACE_OTHER; /* of steps and samples together; so many are a mistake */
    }
    reading->open[element->depth] = place;
    switch (place) {
    case PLACE_INTERFACE:
        begin_interface(reading, element);
        break;
    case PLACE_OPERATION:
        begin_operation(reading, element);
        break;
    case PLACE_SUITE:
        set(&reading->names.suite, xml_text_attribute(element, "name"));
        reading->suite_is_off = xml_text_attribute_is(element, "disabled", "true");
        break;
    case PLACE_CASE:
        set(&reading->names.test_case, xml_text_attribute(element, "name"));
        reading->case_is_off = xml_text_attribute_is(element, "disabled", "true");
        break;
    case PLACE_STEP:
        begin_step(reading, element);
        break;
    case PLACE_REQUEST:
        begin_request(reading, element, parent);
        break;
    case PLACE_ASSERTION:
        begin_assertion(reading, element);
        break;
    case PLACE_ENCRYPTED:
        reading->is_encrypted = true;
        break;
    default:
        break;
    }
    reading->target = target_of(reading, place, element->name);
    if (reading->target != NULL) {
        buf_reset(reading->target);
    }
}

/* ---- text, and elements end */

static void on_text(void *context, unsigned depth, struct str text)
{
    struct reading *reading = context;
    if (reading->target != NULL && reading->open[depth] != PLACE_OTHER &&
        !buf_append_capped(reading->target, text.data, text.len, CAPTURE_BODY_CEILING)) {
        reading->target = NULL;
        if (reading->request != NULL) {
            reading->request->is_cut = true;
        }
    }
}

static char *trimmed(const struct buf *text)
{
    return str_dup(str_trim(buf_view(text)));
}

static void end_interface_endpoint(struct reading *reading)
{
    struct soapui_project *project = &reading->project;
    struct soapui_interface *interface = &project->interfaces[project->interface_count - 1];
    if (interface->endpoint == NULL) {
        interface->endpoint = trimmed(&reading->text);
    }
}

static void end_assertion(struct reading *reading)
{
    if (reading->assertion_is_off) {
        return;
    }
    if (str_equals(buf_view(&reading->assertion.type), STR("Schema Compliance"))) {
        reading->request->wants_schema = true; /* of its interface, which may come later */
    } else {
        soapui_assertion_translate(&reading->assertion, &reading->request->expectations,
                                   &reading->request->untranslated);
    }
}

/* The names stand before or behind the request in the step. */
static void end_step(struct reading *reading)
{
    struct soapui_project *project = &reading->project;
    struct soapui_request *request =
        project->request_count == 0 ? NULL : &project->requests[project->request_count - 1];
    if (request != NULL && request->is_of_step && request->interface_name == NULL) {
        request->interface_name = str_dup(str_from(reading->names.step_interface));
        request->operation_name = str_dup(str_from(reading->names.step_operation));
    }
}

static void on_end(void *context, unsigned depth)
{
    struct reading *reading = context;
    switch (reading->open[depth]) {
    case PLACE_INTERFACE_ENDPOINT:
        end_interface_endpoint(reading);
        break;
    case PLACE_STEP_INTERFACE:
        set(&reading->names.step_interface, trimmed(&reading->text));
        break;
    case PLACE_STEP_OPERATION:
        set(&reading->names.step_operation, trimmed(&reading->text));
        break;
    case PLACE_ASSERTION:
        end_assertion(reading);
        break;
    case PLACE_STEP_CONFIG:
        end_step(reading);
        break;
    case PLACE_REQUEST:
        reading->request = NULL;
        break;
    default:
        break;
    }
    reading->target = NULL;
}

/* ---- the whole */

/* damage: where and why reading broke off; NULL: it did not. */
static void note_end(struct reading *reading, const char *damage)
{
    if (damage == NULL) {
        return;
    }
    if (reading->request != NULL) {
        reading->request->is_cut = true;
    }
    gather_note(reading->capture, CAPTURE_NOTE_SKIPPED, CAPTURE_WHOLE, "%s", damage);
}

static bool check(const struct reading *reading, struct err *err)
{
    if (reading->is_encrypted) {
        return err_set(err, ERR_FORMAT,
                       "%.200s: an encrypted SoapUI project: take its password off in SoapUI and "
                       "save it again",
                       reading->capture->name);
    }
    if (reading->project.request_count == 0 && reading->capture->note_count == 0) {
        return err_set(err, ERR_FORMAT,
                       "%.200s: a SoapUI project without a SOAP request: a composite project has "
                       "them in files of their own; save it as one file",
                       reading->capture->name);
    }
    return true;
}

static void deinit(struct reading *reading)
{
    char **names[] = {&reading->names.interface,     &reading->names.operation,
                      &reading->names.suite,         &reading->names.test_case,
                      &reading->names.step,          &reading->names.step_interface,
                      &reading->names.step_operation};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        set(names[i], NULL);
    }
    buf_deinit(&reading->text);
    soapui_assertion_deinit(&reading->assertion);
    soapui_project_deinit(&reading->project);
    free(reading);
}

bool soapui_read(struct str content, struct capture *capture, struct err *err)
{
    struct reading *reading = check_calloc(1, sizeof *reading);
    reading->capture = capture;
    const struct sax_events events = {.start = on_start, .end = on_end, .text = on_text};
    struct buf damage;
    buf_init(&damage);
    const bool is_whole = xml_text_read(content, &events, reading, "project", &damage);
    note_end(reading, is_whole ? NULL : damage.data);
    buf_deinit(&damage);
    bool is_readable = check(reading, err);
    if (is_readable) {
        soapui_project_import(&reading->project, capture);
    }
    deinit(reading);
    return is_readable;
}
