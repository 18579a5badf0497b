/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads JMeter's test plans: an element, and behind it a hashTree with what hangs under it, so that
 * the tree is not the tree of the XML. Only HTTP samplers, the old SOAP sampler, header managers
 * and request defaults are looked at. Assertions, timers and logic of a plan are not taken over.
 */
#include "lather/capture/jmeter.h"

#include <stdlib.h>
#include <string.h>

#include "lather/capture/gather.h"
#include "lather/capture/jmeter_plan.h"
#include "lather/capture/xml_text.h"
#include "lather/soap/sax.h"

enum { ELEMENTS_CEILING = 2 * CAPTURE_MESSAGES_CEILING };

enum place {
    PLACE_OTHER = 0,
    PLACE_ROOT,
    PLACE_HASH_TREE,
    PLACE_ELEMENT,      /* a child of a hashTree that means something here */
    PLACE_GROUP,        /* collectionProp */
    PLACE_ELEMENT_PROP, /* one header, one argument, or a list of them */
    PLACE_PROPERTY,
};

struct reading {
    struct capture *capture;
    struct jmeter_plan plan;
    enum place open[SAX_DEPTH_CEILING + 1];
    size_t scope;   /* the innermost hashTree; JMETER_NONE: outside of all */
    size_t element; /* being read; JMETER_NONE */
    size_t owner;   /* of the next hashTree; JMETER_NONE */
    bool owner_is_off;
    struct buf property; /* its name */
    struct buf text;     /* its text */
    struct buf name;     /* of the header or argument */
    struct buf value;
    bool has_value;
    bool is_header;
    bool has_credentials; /* an authorization manager was met */
};

static enum jmeter_kind kind_of(const struct sax_element *element)
{
    struct str name = str_from(element->name);
    if (str_equals(name, STR("HTTPSamplerProxy")) || str_equals(name, STR("HTTPSampler")) ||
        str_equals(name, STR("HTTPSampler2")) || str_equals(name, STR("SoapSampler"))) {
        return JMETER_SAMPLER;
    }
    if (str_equals(name, STR("HeaderManager"))) {
        return JMETER_HEADERS;
    }
    bool is_defaults = str_equals(name, STR("ConfigTestElement")) &&
                       xml_text_attribute_is(element, "guiclass", "HttpDefaultsGui");
    return is_defaults ? JMETER_DEFAULTS : JMETER_OTHER;
}

static bool is_off(const struct sax_element *element)
{
    return xml_text_attribute_is(element, "enabled", "false");
}

static void begin_hash_tree(struct reading *reading)
{
    size_t scope = jmeter_plan_add_scope(&reading->plan, reading->scope);
    bool parent_is_off =
        reading->scope != JMETER_NONE && reading->plan.scopes[reading->scope].is_off;
    reading->plan.scopes[scope].is_off = parent_is_off || reading->owner_is_off;
    if (reading->owner != JMETER_NONE) {
        reading->plan.elements[reading->owner].own_scope = scope;
    }
    reading->scope = scope;
    reading->owner = JMETER_NONE;
    reading->owner_is_off = false;
}

static enum place begin_element(struct reading *reading, const struct sax_element *element)
{
    enum jmeter_kind kind = kind_of(element);
    reading->owner = JMETER_NONE;
    reading->owner_is_off = is_off(element);
    reading->has_credentials |= strcmp(element->name, "AuthManager") == 0 && !is_off(element);
    if (kind == JMETER_OTHER || reading->plan.element_count == ELEMENTS_CEILING) {
        return PLACE_OTHER;
    }
    size_t index = jmeter_plan_add_element(&reading->plan, kind, reading->scope);
    reading->plan.elements[index].name = xml_text_attribute(element, "testname");
    reading->plan.elements[index].is_off = reading->owner_is_off;
    reading->element = index;
    reading->owner = index;
    return PLACE_ELEMENT;
}

static enum place begin_inside(struct reading *reading, const struct sax_element *element)
{
    struct str name = str_from(element->name);
    struct str property = str_of(NULL, 0);
    (void)sax_attribute(element, "", "name", &property);
    buf_reset(&reading->property);
    buf_append_str(&reading->property, property);
    buf_reset(&reading->text);
    if (str_equals(name, STR("collectionProp"))) {
        return PLACE_GROUP;
    }
    if (str_equals(name, STR("elementProp"))) {
        buf_reset(&reading->name);
        reading->has_value = false;
        return PLACE_ELEMENT_PROP;
    }
    return PLACE_PROPERTY;
}

static void on_start(void *context, const struct sax_element *element)
{
    struct reading *reading = context;
    enum place parent = reading->open[element->depth - 1];
    enum place place = PLACE_OTHER;
    bool is_tree = strcmp(element->name, "hashTree") == 0;
    if (element->depth == 1) {
        place = PLACE_ROOT;
    } else if (is_tree && (parent == PLACE_ROOT || parent == PLACE_HASH_TREE)) {
        begin_hash_tree(reading);
        place = PLACE_HASH_TREE;
    } else if (parent == PLACE_HASH_TREE) {
        place = begin_element(reading, element);
    } else if (parent == PLACE_ELEMENT || parent == PLACE_GROUP || parent == PLACE_ELEMENT_PROP) {
        place = begin_inside(reading, element);
    }
    reading->open[element->depth] = place;
}

static void on_text(void *context, unsigned depth, struct str text)
{
    struct reading *reading = context;
    if (reading->open[depth] == PLACE_PROPERTY &&
        !buf_append_capped(&reading->text, text.data, text.len, CAPTURE_BODY_CEILING)) {
        reading->plan.elements[reading->element].is_too_large = true;
    }
}

static void copy(struct buf *target, const struct buf *source)
{
    buf_reset(target);
    buf_append_str(target, buf_view(source));
}

static void end_property(struct reading *reading)
{
    struct str name = buf_view(&reading->property);
    enum jmeter_property property = jmeter_plan_property(name);
    if (property != JMETER_PROPERTY_COUNT) {
        copy(&reading->plan.elements[reading->element].properties[property], &reading->text);
    } else if (str_equals(name, STR("Header.name")) || str_equals(name, STR("Argument.name"))) {
        copy(&reading->name, &reading->text);
    } else if (str_equals(name, STR("Header.value")) || str_equals(name, STR("Argument.value"))) {
        copy(&reading->value, &reading->text);
        reading->has_value = true;
        reading->is_header = str_starts_with(name, STR("Header"));
    }
}

/* One header or argument is complete. */
static void end_element_prop(struct reading *reading)
{
    struct jmeter_element *element = &reading->plan.elements[reading->element];
    if (!reading->has_value) {
        return;
    }
    reading->has_value = false;
    if (!reading->is_header) {
        element->has_named_arguments = element->has_named_arguments || reading->name.len > 0;
        if (!buf_append_capped(&element->body, reading->value.data, reading->value.len,
                               CAPTURE_BODY_CEILING)) {
            element->is_too_large = true;
        }
    } else if (element->fields.count <= CAPTURE_FIELDS_CEILING) {
        http_head_add(&element->fields, buf_view(&reading->name), buf_view(&reading->value));
    }
    buf_reset(&reading->name);
}

static void on_end(void *context, unsigned depth)
{
    struct reading *reading = context;
    switch (reading->open[depth]) {
    case PLACE_HASH_TREE:
        reading->scope = reading->plan.scopes[reading->scope].parent;
        reading->owner = JMETER_NONE;
        reading->owner_is_off = false;
        break;
    case PLACE_PROPERTY:
        end_property(reading);
        break;
    case PLACE_ELEMENT_PROP:
        end_element_prop(reading);
        break;
    case PLACE_ELEMENT:
        reading->element = JMETER_NONE;
        break;
    default:
        break;
    }
}

/* damage: where and why reading broke off; NULL: it did not. */
static void note_end(struct reading *reading, const char *damage)
{
    if (reading->has_credentials) {
        gather_note(reading->capture, CAPTURE_NOTE_REMARK, CAPTURE_WHOLE,
                    "its HTTP Authorization Manager is not read: give -A");
    }
    if (damage == NULL) {
        return;
    }
    if (reading->element != JMETER_NONE) {
        /* The element in which it broke off has no end. */
        reading->plan.elements[reading->element].kind = JMETER_OTHER;
    }
    gather_note(reading->capture, CAPTURE_NOTE_SKIPPED, CAPTURE_WHOLE, "%s", damage);
}

static void deinit(struct reading *reading)
{
    buf_deinit(&reading->property);
    buf_deinit(&reading->text);
    buf_deinit(&reading->name);
    buf_deinit(&reading->value);
    jmeter_plan_deinit(&reading->plan);
    free(reading);
}

bool jmeter_read(struct str content, struct capture *capture, struct err *err)
{
    (void)err;
    struct reading *reading = check_calloc(1, sizeof *reading);
    reading->capture = capture;
    reading->scope = JMETER_NONE;
    reading->element = JMETER_NONE;
    reading->owner = JMETER_NONE;
    const struct sax_events events = {.start = on_start, .end = on_end, .text = on_text};
    struct buf damage;
    buf_init(&damage);
    const bool is_whole = xml_text_read(content, &events, reading, "test plan", &damage);
    note_end(reading, is_whole ? NULL : damage.data);
    buf_deinit(&damage);
    jmeter_plan_import(&reading->plan, capture);
    deinit(reading);
    return true;
}
