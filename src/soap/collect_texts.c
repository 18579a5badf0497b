/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What libxml2 gets of the schemas collected, as it takes one document a namespace. Each schema
 * becomes a text "lather:N"; for each namespace a text "lather:namespace:N" includes all schemas of
 * it; every import is pointed at the latter and a driver imports them all. Nothing is read here.
 * The trap: the namespace of XML itself is imported by nearly everybody, and nobody sends its
 * schema along.
 */
#include "lather/soap/collect_texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lather/soap/collect_parts.h"
#include "lather/soap/reference.h"

#define XML_NAMESPACE "http://www.w3.org/XML/1998/namespace"

/* What everybody imports from an address: the attributes of XML itself. */
static const char xml_attributes[] =
    "<xs:schema xmlns:xs='" XSD_NAMESPACE "' targetNamespace='" XML_NAMESPACE "'>"
    "<xs:attribute name='lang' type='xs:language'/><xs:attribute name='base' type='xs:anyURI'/>"
    "<xs:attribute name='space'><xs:simpleType><xs:restriction base='xs:NCName'>"
    "<xs:enumeration value='default'/><xs:enumeration value='preserve'/></xs:restriction>"
    "</xs:simpleType></xs:attribute><xs:attribute name='id' type='xs:ID'/>"
    "<xs:attributeGroup name='specialAttrs'><xs:attribute ref='xml:base'/>"
    "<xs:attribute ref='xml:lang'/><xs:attribute ref='xml:space'/></xs:attributeGroup></xs:schema>";

static void note_namespace(struct collect *all, const char *uri)
{
    for (size_t i = 0; i < all->namespace_count; i++) {
        if (strcmp(all->namespaces[i], uri) == 0) {
            return;
        }
    }
    if (all->namespace_count < COLLECT_FILES_CEILING) {
        all->namespaces[all->namespace_count++] = uri;
    }
}

/* The text's name for a namespace; false when no schema has it. */
static bool namespace_name(const struct collect *all, const char *uri, char name[40])
{
    for (size_t i = 0; i < all->namespace_count; i++) {
        if (strcmp(all->namespaces[i], uri) == 0) {
            (void)snprintf(name, 40, "lather:namespace:%zu", i);
            return true;
        }
    }
    return false;
}

static const char *target_of(const struct collect_part *part)
{
    for (const xmlAttr *at = xmlDocGetRootElement(part->tree)->properties; at != NULL;
         at = at->next) {
        if (at->ns == NULL && strcmp((const char *)at->name, "targetNamespace") == 0 &&
            at->children != NULL && at->children->content != NULL) {
            return (const char *)at->children->content;
        }
    }
    return "";
}

/* Points every import at the text of its namespace; one without any is taken out. */
static void point_imports(struct collect *all, xmlDocPtr tree)
{
    xmlNodePtr node = xmlDocGetRootElement(tree)->children;
    while (node != NULL) {
        xmlNodePtr next = node->next;
        if (collect_is_element(node, XSD_NAMESPACE, "import")) {
            char name[40];
            char *uri = collect_attribute(node, "namespace");
            if (namespace_name(all, uri, name)) {
                (void)xmlSetProp(node, (const xmlChar *)"schemaLocation", (const xmlChar *)name);
            } else {
                (void)xmlUnsetProp(node, (const xmlChar *)"schemaLocation");
            }
            free(uri);
        }
        node = next;
    }
}

static void add_tree(struct loader *loader, const char *name, xmlDocPtr tree)
{
    xmlChar *bytes = NULL;
    int len = 0;
    xmlDocDumpMemoryEnc(tree, &bytes, &len, "UTF-8");
    loader_add(loader, name, str_of((const char *)bytes, len > 0 ? (size_t)len : 0));
    xmlFree(bytes);
}

/* A schema with the namespace that includes every part that belongs to it. */
static void add_namespace(struct loader *loader, const struct collect *all, const char *uri,
                          const char *name)
{
    struct buf text;
    buf_init(&text);
    buf_append_str(&text, STR("<xs:schema xmlns:xs=\"" XSD_NAMESPACE "\""));
    if (uri[0] != '\0') {
        buf_append_str(&text, STR(" targetNamespace=\""));
        reference_append_escaped(str_from(uri), REFERENCE_ATTRIBUTE, &text);
        buf_append_byte(&text, '"');
    }
    buf_append_byte(&text, '>');
    for (size_t i = 0; i < all->part_count; i++) {
        if (all->parts[i].is_sought && strcmp(target_of(&all->parts[i]), uri) == 0) {
            buf_printf(&text, "<xs:include schemaLocation=\"lather:%zu\"/>", i);
        }
    }
    buf_append_str(&text, STR("</xs:schema>"));
    loader_add(loader, name, buf_view(&text));
    buf_deinit(&text);
}

static void add_driver(struct loader *loader, const struct collect *all)
{
    struct buf text;
    buf_init(&text);
    buf_append_str(&text, STR("<xs:schema xmlns:xs=\"" XSD_NAMESPACE
                              "\" targetNamespace=\"urn:lather:driver\">"));
    for (size_t i = 0; i < all->namespace_count; i++) {
        buf_append_str(&text, STR("<xs:import"));
        if (all->namespaces[i][0] != '\0') {
            buf_append_str(&text, STR(" namespace=\""));
            reference_append_escaped(str_from(all->namespaces[i]), REFERENCE_ATTRIBUTE, &text);
            buf_append_byte(&text, '"');
        }
        buf_printf(&text, " schemaLocation=\"lather:namespace:%zu\"/>", i);
    }
    buf_append_str(&text, STR("</xs:schema>"));
    loader_add(loader, COLLECT_DRIVER, buf_view(&text));
    buf_deinit(&text);
}

void collect_texts_add(struct loader *loader, struct collect *all)
{
    char name[40];
    for (size_t i = 0; i < all->part_count; i++) {
        if (all->parts[i].is_sought) {
            note_namespace(all, target_of(&all->parts[i]));
        }
    }
    bool has_xml = namespace_name(all, XML_NAMESPACE, name);
    if (!has_xml) {
        note_namespace(all, XML_NAMESPACE);
    }
    for (size_t i = 0; i < all->part_count; i++) {
        point_imports(all, all->parts[i].tree);
        (void)snprintf(name, sizeof(name), "lather:%zu", i);
        add_tree(loader, name, all->parts[i].tree);
    }
    for (size_t i = 0; i < all->namespace_count; i++) {
        (void)snprintf(name, sizeof(name), "lather:namespace:%zu", i);
        if (!has_xml && strcmp(all->namespaces[i], XML_NAMESPACE) == 0) {
            loader_add(loader, name, STR(xml_attributes));
        } else {
            add_namespace(loader, all, all->namespaces[i], name);
        }
    }
    add_driver(loader, all);
}
