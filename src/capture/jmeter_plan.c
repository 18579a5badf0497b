/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the elements of a JMeter plan to messages. Header managers and request defaults apply to
 * their scope and everything below it, the nearest one first, and may stand behind the samplers
 * they apply to; so this is done when the whole plan is known. Variables (${...}) stay text.
 */
#include "lather/capture/jmeter_plan.h"

#include <stdlib.h>
#include <string.h>

#include "lather/capture/gather.h"
#include "lather/capture/import.h"

enum jmeter_property jmeter_plan_property(struct str name)
{
    static const char *const names[JMETER_PROPERTY_COUNT] = {
        [JMETER_DOMAIN] = "HTTPSampler.domain",
        [JMETER_PORT] = "HTTPSampler.port",
        [JMETER_PROTOCOL] = "HTTPSampler.protocol",
        [JMETER_PATH] = "HTTPSampler.path",
        [JMETER_METHOD] = "HTTPSampler.method",
        [JMETER_ENCODING] = "HTTPSampler.contentEncoding",
        [JMETER_BODY_IS_RAW] = "HTTPSampler.postBodyRaw",
        [JMETER_FILE] = "File.path",
        [JMETER_XML_DATA] = "HTTPSamper.xml_data",
        [JMETER_URL_DATA] = "SoapSampler.URL_DATA",
        [JMETER_SOAP_ACTION] = "SoapSampler.SOAP_ACTION",
        [JMETER_SENDS_ACTION] = "SoapSampler.SEND_SOAP_ACTION",
    };
    for (int i = 0; i < JMETER_PROPERTY_COUNT; i++) {
        if (str_equals(str_from(names[i]), name)) {
            return (enum jmeter_property)i;
        }
    }
    return JMETER_PROPERTY_COUNT;
}

size_t jmeter_plan_add_element(struct jmeter_plan *plan, enum jmeter_kind kind, size_t scope)
{
    if (plan->element_count == plan->element_capacity) {
        plan->element_capacity = plan->element_capacity == 0 ? 16 : plan->element_capacity * 2;
        plan->elements =
            check_realloc(plan->elements, plan->element_capacity * sizeof plan->elements[0]);
    }
    size_t index = plan->element_count++;
    plan->elements[index] = (struct jmeter_element){
        .kind = kind,
        .scope = scope,
        .own_scope = JMETER_NONE,
        .next = plan->scopes[scope].last,
    };
    if (kind != JMETER_SAMPLER) {
        plan->scopes[scope].last = index; /* samplers are not looked for in scopes */
    }
    return index;
}

size_t jmeter_plan_add_scope(struct jmeter_plan *plan, size_t parent)
{
    if (plan->scope_count == plan->scope_capacity) {
        plan->scope_capacity = plan->scope_capacity == 0 ? 16 : plan->scope_capacity * 2;
        plan->scopes = check_realloc(plan->scopes, plan->scope_capacity * sizeof plan->scopes[0]);
    }
    plan->scopes[plan->scope_count] = (struct jmeter_scope){.parent = parent, .last = JMETER_NONE};
    return plan->scope_count++;
}

/* The scopes that apply to a sampler: what hangs under it, then outwards. */
static size_t first_scope(const struct jmeter_element *sampler)
{
    return sampler->own_scope != JMETER_NONE ? sampler->own_scope : sampler->scope;
}

/* A property of the sampler itself, else of the nearest defaults; empty when there is none. */
static struct str property(const struct jmeter_plan *plan, const struct jmeter_element *sampler,
                           enum jmeter_property which)
{
    struct str own = str_trim(buf_view(&sampler->properties[which]));
    for (size_t scope = first_scope(sampler); own.len == 0 && scope != JMETER_NONE;
         scope = plan->scopes[scope].parent) {
        for (size_t i = plan->scopes[scope].last; own.len == 0 && i != JMETER_NONE;
             i = plan->elements[i].next) {
            const struct jmeter_element *element = &plan->elements[i];
            if (element->kind == JMETER_DEFAULTS && !element->is_off) {
                own = str_trim(buf_view(&element->properties[which]));
            }
        }
    }
    return own;
}

static bool has_field(const struct http_head *head, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (str_equals_nocase(str_from(head->fields[i].name), str_from(name))) {
            return true;
        }
    }
    return false;
}

/* False when there are too many. */
static bool add_manager(struct capture *capture, struct capture_message *message,
                        const struct jmeter_element *manager)
{
    size_t nearer = message->head.count;
    for (size_t i = 0; i < manager->fields.count; i++) {
        const struct http_field *field = &manager->fields.fields[i];
        if (!has_field(&message->head, nearer, field->name) &&
            !import_field(capture, message, str_from(field->name), str_from(field->value))) {
            return false;
        }
    }
    return true;
}

static bool add_fields(struct capture *capture, struct capture_message *message,
                       const struct jmeter_plan *plan, const struct jmeter_element *sampler)
{
    for (size_t scope = first_scope(sampler); scope != JMETER_NONE;
         scope = plan->scopes[scope].parent) {
        for (size_t i = plan->scopes[scope].last; i != JMETER_NONE; i = plan->elements[i].next) {
            const struct jmeter_element *element = &plan->elements[i];
            if (element->kind == JMETER_HEADERS && !element->is_off &&
                !add_manager(capture, message, element)) {
                return false;
            }
        }
    }
    return true;
}

/* The old SOAP sampler sends its action quoted. */
static void add_action(struct capture *capture, struct capture_message *message,
                       const struct jmeter_element *sampler)
{
    struct str action = str_trim(buf_view(&sampler->properties[JMETER_SOAP_ACTION]));
    struct str sends = str_trim(buf_view(&sampler->properties[JMETER_SENDS_ACTION]));
    if (sampler->properties[JMETER_URL_DATA].len == 0 || !str_equals(sends, STR("true"))) {
        return;
    }
    struct buf quoted;
    buf_init(&quoted);
    buf_printf(&quoted, "\"%.*s\"", STR_ARG(action));
    (void)import_field(capture, message, STR("SOAPAction"), buf_view(&quoted));
    buf_deinit(&quoted);
}

static bool is_url(struct str text)
{
    return str_starts_with_nocase(text, STR("http://")) ||
           str_starts_with_nocase(text, STR("https://"));
}

static char *url_of(const struct jmeter_plan *plan, const struct jmeter_element *sampler)
{
    struct str whole = str_trim(buf_view(&sampler->properties[JMETER_URL_DATA]));
    struct str path = property(plan, sampler, JMETER_PATH);
    if (whole.len > 0 || is_url(path)) {
        return str_dup(whole.len > 0 ? whole : path);
    }
    struct str protocol = property(plan, sampler, JMETER_PROTOCOL);
    struct str domain = property(plan, sampler, JMETER_DOMAIN);
    struct str port = property(plan, sampler, JMETER_PORT);
    struct buf url;
    buf_init(&url);
    if (domain.len > 0) {
        buf_append_str(&url, protocol.len == 0 ? STR("http") : protocol);
        buf_append_str(&url, STR("://"));
        buf_append_str(&url, domain);
        buf_append_str(&url, port.len == 0 ? STR("") : STR(":"));
        buf_append_str(&url, port);
        buf_append_str(&url, str_starts_with(path, STR("/")) ? STR("") : STR("/"));
        buf_append_str(&url, path);
    }
    return buf_take(&url);
}

/* NULL, or why it is no message. */
static const char *fault_of(const struct jmeter_element *sampler)
{
    bool is_raw =
        str_equals(str_trim(buf_view(&sampler->properties[JMETER_BODY_IS_RAW])), STR("true"));
    if (sampler->is_too_large) {
        return "its body is larger than a body may be";
    }
    if (sampler->has_named_arguments && !is_raw) {
        return "it sends a form, which is not read here";
    }
    if (str_trim(buf_view(&sampler->properties[JMETER_FILE])).len > 0) {
        return "its body lies in a file (Files Upload), which is not read here";
    }
    return NULL;
}

static void note_variables(struct capture *capture, const struct capture_message *message)
{
    if (str_find(buf_view(&message->body), STR("${")) != SIZE_MAX ||
        str_find(str_from(message->url), STR("${")) != SIZE_MAX) {
        gather_note(capture, CAPTURE_NOTE_REMARK, capture->count,
                    "variables and functions of JMeter (${...}) stand in it as written");
    }
}

static char *place_of(const struct jmeter_element *sampler)
{
    struct buf place;
    buf_init(&place);
    buf_append_str(&place, STR("sampler \""));
    gather_append_clean(&place, str_from(sampler->name), 200);
    buf_append_byte(&place, '"');
    return buf_take(&place);
}

static void import_sampler(const struct jmeter_plan *plan, const struct jmeter_element *sampler,
                           struct capture *capture)
{
    struct str method = property(plan, sampler, JMETER_METHOD);
    bool is_soap = sampler->properties[JMETER_URL_DATA].len > 0;
    struct capture_message message = {
        .name = str_dup(str_from(sampler->name)),
        .place = place_of(sampler),
        .method = str_dup(is_soap          ? STR("POST")
                          : method.len > 0 ? method
                                           : STR("GET")),
        .url = url_of(plan, sampler),
    };
    const char *fault = fault_of(sampler);
    if (fault == NULL && !add_fields(capture, &message, plan, sampler)) {
        fault = "more header fields than any server takes";
    }
    if (fault != NULL) {
        gather_skip(capture, message.place, "%s", fault);
        capture_message_deinit(&message);
        return;
    }
    add_action(capture, &message, sampler);
    struct str text = buf_view(is_soap ? &sampler->properties[JMETER_XML_DATA] : &sampler->body);
    (void)import_text(capture, &message, text, property(plan, sampler, JMETER_ENCODING));
    note_variables(capture, &message);
    const struct import_facts facts = {.body = IMPORT_BODY_WHOLE};
    (void)import_message(capture, &message, &facts);
}

void jmeter_plan_import(struct jmeter_plan *plan, struct capture *capture)
{
    for (size_t i = 0; i < plan->element_count && !capture->is_full; i++) {
        const struct jmeter_element *element = &plan->elements[i];
        if (element->kind != JMETER_SAMPLER) {
            continue;
        }
        if (element->is_off || plan->scopes[element->scope].is_off) {
            char *place = place_of(element);
            gather_skip(capture, place, "it is switched off");
            free(place);
        } else {
            import_sampler(plan, element, capture);
        }
    }
}

void jmeter_plan_deinit(struct jmeter_plan *plan)
{
    for (size_t i = 0; i < plan->element_count; i++) {
        struct jmeter_element *element = &plan->elements[i];
        free(element->name);
        for (int property = 0; property < JMETER_PROPERTY_COUNT; property++) {
            buf_deinit(&element->properties[property]);
        }
        buf_deinit(&element->body);
        http_head_deinit(&element->fields);
    }
    free(plan->elements);
    free(plan->scopes);
    *plan = (struct jmeter_plan){.elements = NULL};
}
