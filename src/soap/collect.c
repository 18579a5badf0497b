/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gathers schemas so that libxml2 can compile them, which resolves imports by location only and
 * takes one document a namespace. Each schema found becomes a text "lather:N"; for each namespace a
 * text "lather:namespace:N" includes all schemas of it; every import is pointed at the latter and a
 * driver imports them all. The trap: an inline schema uses prefixes declared far outside of it, in
 * attribute values as well, so all that are in scope are declared again.
 */
#include "lather/soap/collect.h"

#include <libxml/parser.h>
#include <libxml/tree.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lather/base/file.h"
#include "lather/soap/locate.h"

#define XSD_NAMESPACE  "http://www.w3.org/2001/XMLSchema"
#define WSDL_NAMESPACE "http://schemas.xmlsoap.org/wsdl/"
#define XML_NAMESPACE  "http://www.w3.org/XML/1998/namespace"

/* What everybody imports from an address: the attributes of XML itself. */
static const char xml_attributes[] =
    "<xs:schema xmlns:xs='" XSD_NAMESPACE "' targetNamespace='" XML_NAMESPACE "'>"
    "<xs:attribute name='lang' type='xs:language'/><xs:attribute name='base' type='xs:anyURI'/>"
    "<xs:attribute name='space'><xs:simpleType><xs:restriction base='xs:NCName'>"
    "<xs:enumeration value='default'/><xs:enumeration value='preserve'/></xs:restriction>"
    "</xs:simpleType></xs:attribute><xs:attribute name='id' type='xs:ID'/>"
    "<xs:attributeGroup name='specialAttrs'><xs:attribute ref='xml:base'/>"
    "<xs:attribute ref='xml:lang'/><xs:attribute ref='xml:space'/></xs:attributeGroup></xs:schema>";

/* One schema element, in a document of its own. */
struct part {
    xmlDocPtr tree;
    char *folder;   /* that its relative locations start from */
    char *file;     /* it came from; for an inline schema: of the WSDL */
    bool is_sought; /* for itself: given, inline or imported; otherwise only included */
    bool is_inline;
};

struct collection {
    struct part parts[COLLECT_FILES_CEILING];
    size_t part_count;
    char *wsdl_files[COLLECT_FILES_CEILING];
    size_t wsdl_count;
    const char *namespaces[COLLECT_FILES_CEILING]; /* of the parts' trees */
    size_t namespace_count;
    bool has_rpc;      /* some binding of RPC style, or some encoded message */
    bool has_document; /* some binding of document style */
    struct err *err;
};

static bool is_element(const xmlNode *node, const char *uri, const char *name)
{
    return node->type == XML_ELEMENT_NODE && node->ns != NULL &&
           strcmp((const char *)node->ns->href, uri) == 0 &&
           strcmp((const char *)node->name, name) == 0;
}

/* An attribute's value, "" when absent; to be freed with free. */
static char *attribute(xmlNodePtr node, const char *name)
{
    xmlChar *value = xmlGetNoNsProp(node, (const xmlChar *)name);
    char *copy = str_dup(str_from((const char *)value));
    xmlFree(value);
    return copy;
}

static void ignore_error(void *context, xmlErrorPtr error)
{
    (void)context;
    (void)error;
}

/* A file as a tree, in whatever encoding; NULL with the sentence in err. */
static xmlDocPtr read_tree(const char *path, struct err *err)
{
    struct buf bytes;
    buf_init(&bytes);
    xmlDocPtr tree = NULL;
    if (file_read(path, COLLECT_BYTES_CEILING, &bytes, err)) {
        xmlParserCtxtPtr parser = xmlNewParserCtxt();
        CHECK(parser != NULL);
        parser->sax->serror = ignore_error;
        tree = xmlCtxtReadMemory(parser, bytes.data, (int)bytes.len, NULL, NULL,
                                 XML_PARSE_NONET | XML_PARSE_BIG_LINES | XML_PARSE_NOCDATA);
        if (tree == NULL) {
            const xmlError *error = xmlCtxtGetLastError(parser);
            (void)err_set(err, ERR_FORMAT, "%s:%d: %.*s", path, error == NULL ? 1 : error->line,
                          STR_ARG(str_trim(str_from(error == NULL ? "no XML" : error->message))));
        }
        xmlFreeParserCtxt(parser);
    }
    buf_deinit(&bytes);
    return tree;
}

static struct part *add_part(struct collection *all, xmlDocPtr tree, const char *file)
{
    if (all->part_count == COLLECT_FILES_CEILING) {
        xmlFreeDoc(tree);
        (void)err_set(all->err, ERR_FORMAT, "%s: more than %d schemas", file,
                      COLLECT_FILES_CEILING);
        return NULL;
    }
    struct part *part = &all->parts[all->part_count++];
    *part =
        (struct part){.tree = tree, .folder = locate_folder(file), .file = str_dup(str_from(file))};
    return part;
}

/* The schema of a file, read once; NULL with err set. *index tells which part it is. */
static bool add_file(struct collection *all, const char *file, size_t *index)
{
    for (size_t i = 0; i < all->part_count; i++) {
        if (!all->parts[i].is_inline && strcmp(all->parts[i].file, file) == 0) {
            *index = i;
            return true;
        }
    }
    xmlDocPtr tree = read_tree(file, all->err);
    if (tree == NULL) {
        return false;
    }
    if (!is_element(xmlDocGetRootElement(tree), XSD_NAMESPACE, "schema")) {
        xmlFreeDoc(tree);
        return err_set(all->err, ERR_FORMAT, "%s: its root is no xs:schema", file);
    }
    *index = all->part_count;
    return add_part(all, tree, file) != NULL;
}

/* A schema inside a WSDL, with every prefix that is in scope there. */
static bool add_inline(struct collection *all, xmlNodePtr schema, const char *file)
{
    xmlDocPtr tree = xmlNewDoc((const xmlChar *)"1.0");
    xmlNodePtr copy = xmlDocCopyNode(schema, tree, 1);
    CHECK(tree != NULL && copy != NULL);
    (void)xmlDocSetRootElement(tree, copy);
    xmlNsPtr *in_scope = xmlGetNsList(schema->doc, schema);
    for (size_t i = 0; in_scope != NULL && in_scope[i] != NULL; i++) {
        (void)xmlNewNs(copy, in_scope[i]->href, in_scope[i]->prefix); /* NULL when it is there */
    }
    xmlFree(in_scope);
    struct part *part = add_part(all, tree, file);
    if (part != NULL) {
        part->is_inline = true;
        part->is_sought = true;
    }
    return part != NULL;
}

static void note_namespace(struct collection *all, const char *uri)
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
static bool namespace_name(const struct collection *all, const char *uri, char name[40])
{
    for (size_t i = 0; i < all->namespace_count; i++) {
        if (strcmp(all->namespaces[i], uri) == 0) {
            (void)snprintf(name, 40, "lather:namespace:%zu", i);
            return true;
        }
    }
    return false;
}

/* Reads what a schema refers to. Included schemas are pointed at at once, imports later. */
static bool follow_part(struct collection *all, size_t at)
{
    xmlNodePtr node = xmlDocGetRootElement(all->parts[at].tree)->children;
    for (; node != NULL; node = node->next) {
        bool is_import = is_element(node, XSD_NAMESPACE, "import");
        bool is_include = is_element(node, XSD_NAMESPACE, "include") ||
                          is_element(node, XSD_NAMESPACE, "redefine");
        if (!is_import && !is_include) {
            continue;
        }
        char *location = attribute(node, "schemaLocation");
        char *file = locate_file(all->parts[at].folder, location);
        size_t index = 0;
        bool is_good = file == NULL ? !is_include : add_file(all, file, &index);
        if (file == NULL && is_include) {
            (void)err_set(all->err, ERR_FILE, "%s: the schema it includes is not there: %s",
                          all->parts[at].file, location);
        }
        if (is_good && is_include) {
            char name[40];
            (void)snprintf(name, sizeof(name), "lather:%zu", index);
            (void)xmlSetProp(node, (const xmlChar *)"schemaLocation", (const xmlChar *)name);
        }
        if (is_good && is_import && file != NULL) {
            all->parts[index].is_sought = true;
        }
        free(file);
        free(location);
        if (!is_good) {
            return false;
        }
    }
    return true;
}

static bool add_wsdl_file(struct collection *all, const char *file)
{
    for (size_t i = 0; i < all->wsdl_count; i++) {
        if (strcmp(all->wsdl_files[i], file) == 0) {
            return true;
        }
    }
    if (all->wsdl_count == COLLECT_FILES_CEILING) {
        return err_set(all->err, ERR_FORMAT, "%s: more than %d WSDL files", file,
                       COLLECT_FILES_CEILING);
    }
    all->wsdl_files[all->wsdl_count++] = str_dup(str_from(file));
    return true;
}

static bool read_types(struct collection *all, xmlNodePtr types, const char *file)
{
    for (xmlNodePtr node = types->children; node != NULL; node = node->next) {
        if (is_element(node, XSD_NAMESPACE, "schema") && !add_inline(all, node, file)) {
            return false;
        }
    }
    return true;
}

/* A wsdl:import may name a schema file as well, as old tools wrote it. */
static bool read_wsdl_import(struct collection *all, xmlNodePtr node, const char *file)
{
    char *folder = locate_folder(file);
    char *location = attribute(node, "location");
    char *found = locate_file(folder, location);
    bool is_good = found != NULL;
    if (found == NULL) {
        (void)err_set(all->err, ERR_FILE, "%s: the file it imports is not there: %s", file,
                      location);
    } else if (str_ends_with(str_from(found), STR(".xsd"))) {
        size_t index;
        is_good = add_file(all, found, &index);
        if (is_good) {
            all->parts[index].is_sought = true;
        }
    } else {
        is_good = add_wsdl_file(all, found);
    }
    free(found);
    free(location);
    free(folder);
    return is_good;
}

/* soap:binding style and soap:body use, of either SOAP version (WSDL 1.1, 3.3 and 3.5). */
static void note_style(struct collection *all, xmlNodePtr node)
{
    bool is_soap =
        node->type == XML_ELEMENT_NODE && node->ns != NULL &&
        str_starts_with(str_from((const char *)node->ns->href), STR(WSDL_NAMESPACE "soap"));
    if (!is_soap) {
        return;
    }
    char *style = attribute(node, "style");
    char *use = attribute(node, "use");
    bool is_binding = strcmp((const char *)node->name, "binding") == 0;
    bool is_rpc = strcmp(style, "rpc") == 0 || strcmp(use, "encoded") == 0;
    all->has_rpc |= is_rpc;
    all->has_document |= !is_rpc && (is_binding || strcmp(style, "document") == 0);
    free(style);
    free(use);
}

static void note_styles(struct collection *all, xmlNodePtr binding)
{
    for (xmlNodePtr node = binding->children; node != NULL; node = node->next) {
        note_style(all, node);
        for (xmlNodePtr part = node->children; part != NULL; part = part->next) {
            note_style(all, part);
            for (xmlNodePtr body = part->children; body != NULL; body = body->next) {
                note_style(all, body);
            }
        }
    }
}

static bool read_definitions(struct collection *all, xmlNodePtr root, const char *file)
{
    if (root == NULL || !is_element(root, WSDL_NAMESPACE, "definitions")) {
        return err_set(all->err, ERR_FORMAT, "%s: its root is no definitions of WSDL 1.1", file);
    }
    for (xmlNodePtr node = root->children; node != NULL; node = node->next) {
        bool is_good = true;
        if (is_element(node, WSDL_NAMESPACE, "types")) {
            is_good = read_types(all, node, file);
        } else if (is_element(node, WSDL_NAMESPACE, "import")) {
            is_good = read_wsdl_import(all, node, file);
        } else if (is_element(node, WSDL_NAMESPACE, "binding")) {
            note_styles(all, node);
        }
        if (!is_good) {
            return false;
        }
    }
    return true;
}

static bool read_wsdl_files(struct collection *all)
{
    for (size_t i = 0; i < all->wsdl_count; i++) {
        xmlDocPtr tree = read_tree(all->wsdl_files[i], all->err);
        bool is_good =
            tree != NULL && read_definitions(all, xmlDocGetRootElement(tree), all->wsdl_files[i]);
        xmlFreeDoc(tree);
        if (!is_good) {
            return false;
        }
    }
    if (all->has_rpc && !all->has_document) {
        return err_set(all->err, ERR_FORMAT,
                       "%s: its messages are RPC or encoded: they cannot be checked by schema",
                       all->wsdl_files[0]);
    }
    return all->part_count > 0 ||
           err_set(all->err, ERR_FORMAT, "%s: it holds no schema", all->wsdl_files[0]);
}

/* Points every import at the text of its namespace; one without any is taken out. */
static void point_imports(struct collection *all, xmlDocPtr tree)
{
    xmlNodePtr node = xmlDocGetRootElement(tree)->children;
    while (node != NULL) {
        xmlNodePtr next = node->next;
        if (is_element(node, XSD_NAMESPACE, "import")) {
            char name[40];
            char *uri = attribute(node, "namespace");
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

static void append_escaped(struct buf *target, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '&' || *text == '<' || *text == '"') {
            buf_printf(target, "&#%d;", *text);
        } else {
            buf_append_byte(target, *text);
        }
    }
}

static const char *target_of(const struct part *part)
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

/* A schema with the namespace that includes every part that belongs to it. */
static void add_namespace(struct loader *loader, const struct collection *all, const char *uri,
                          const char *name)
{
    struct buf text;
    buf_init(&text);
    buf_append_str(&text, STR("<xs:schema xmlns:xs=\"" XSD_NAMESPACE "\""));
    if (uri[0] != '\0') {
        buf_append_str(&text, STR(" targetNamespace=\""));
        append_escaped(&text, uri);
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

static void add_driver(struct loader *loader, const struct collection *all)
{
    struct buf text;
    buf_init(&text);
    buf_append_str(&text, STR("<xs:schema xmlns:xs=\"" XSD_NAMESPACE
                              "\" targetNamespace=\"urn:lather:driver\">"));
    for (size_t i = 0; i < all->namespace_count; i++) {
        buf_append_str(&text, STR("<xs:import"));
        if (all->namespaces[i][0] != '\0') {
            buf_append_str(&text, STR(" namespace=\""));
            append_escaped(&text, all->namespaces[i]);
            buf_append_byte(&text, '"');
        }
        buf_printf(&text, " schemaLocation=\"lather:namespace:%zu\"/>", i);
    }
    buf_append_str(&text, STR("</xs:schema>"));
    loader_add(loader, COLLECT_DRIVER, buf_view(&text));
    buf_deinit(&text);
}

static void add_texts(struct loader *loader, struct collection *all)
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

bool collect_schemas(struct loader *loader, const char *path, enum collect_kind kind,
                     struct err *err)
{
    struct collection *all = check_calloc(1, sizeof(*all));
    all->err = err;
    size_t index;
    bool is_good = kind == COLLECT_XSD ? add_file(all, path, &index)
                                       : add_wsdl_file(all, path) && read_wsdl_files(all);
    if (is_good && kind == COLLECT_XSD) {
        all->parts[0].is_sought = true;
    }
    for (size_t i = 0; is_good && i < all->part_count; i++) {
        is_good = follow_part(all, i);
    }
    if (is_good) {
        add_texts(loader, all);
    }
    for (size_t i = 0; i < all->part_count; i++) {
        xmlFreeDoc(all->parts[i].tree);
        free(all->parts[i].folder);
        free(all->parts[i].file);
    }
    for (size_t i = 0; i < all->wsdl_count; i++) {
        free(all->wsdl_files[i]);
    }
    free(all);
    return is_good;
}
