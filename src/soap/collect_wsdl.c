/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The schemas of a WSDL 1.1: those inside its types, and the files it imports. Of its bindings only
 * the style is looked at, since messages of RPC style are not described by schemas. The trap: an
 * inline schema uses prefixes declared far outside of it, in attribute values as well, so all that
 * are in scope are declared again.
 */
#include "lather/soap/collect_wsdl.h"

#include <stdlib.h>
#include <string.h>

#include "lather/base/file.h"
#include "lather/soap/collect_parts.h"
#include "lather/soap/locate.h"

/* A schema inside a WSDL, with every prefix that is in scope there. */
static bool add_inline(struct collect *all, xmlNodePtr schema, const char *file)
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
    struct collect_part *part = collect_add_part(all, tree, file);
    if (part != NULL) {
        part->is_inline = true;
        part->is_sought = true;
    }
    return part != NULL;
}

bool collect_wsdl_add(struct collect *all, const char *file)
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

static bool read_types(struct collect *all, xmlNodePtr types, const char *file)
{
    for (xmlNodePtr node = types->children; node != NULL; node = node->next) {
        if (collect_is_element(node, XSD_NAMESPACE, "schema") && !add_inline(all, node, file)) {
            return false;
        }
    }
    return true;
}

/* A wsdl:import may name a schema file as well, as old tools wrote it. */
static bool read_wsdl_import(struct collect *all, xmlNodePtr node, const char *file)
{
    char *folder = file_folder(file);
    char *location = collect_attribute(node, "location");
    char *found = locate_file(folder, location);
    bool is_good = found != NULL;
    if (found == NULL) {
        (void)err_set(all->err, ERR_FILE, "%s: the file it imports is not there: %s", file,
                      location);
    } else if (str_ends_with(str_from(found), STR(".xsd"))) {
        size_t index;
        is_good = collect_add_file(all, found, &index);
        if (is_good) {
            all->parts[index].is_sought = true;
        }
    } else {
        is_good = collect_wsdl_add(all, found);
    }
    free(found);
    free(location);
    free(folder);
    return is_good;
}

/* soap:binding style and soap:body use, of either SOAP version (WSDL 1.1, 3.3 and 3.5). */
static void note_style(struct collect *all, xmlNodePtr node)
{
    bool is_soap =
        node->type == XML_ELEMENT_NODE && node->ns != NULL &&
        str_starts_with(str_from((const char *)node->ns->href), STR(WSDL_NAMESPACE "soap"));
    if (!is_soap) {
        return;
    }
    char *style = collect_attribute(node, "style");
    char *use = collect_attribute(node, "use");
    bool is_binding = strcmp((const char *)node->name, "binding") == 0;
    bool is_rpc = strcmp(style, "rpc") == 0 || strcmp(use, "encoded") == 0;
    all->has_rpc |= is_rpc;
    all->has_document |= !is_rpc && (is_binding || strcmp(style, "document") == 0);
    free(style);
    free(use);
}

static void note_styles(struct collect *all, xmlNodePtr binding)
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

static bool read_definitions(struct collect *all, xmlNodePtr root, const char *file)
{
    if (root == NULL || !collect_is_element(root, WSDL_NAMESPACE, "definitions")) {
        return err_set(all->err, ERR_FORMAT, "%s: its root is no definitions of WSDL 1.1", file);
    }
    for (xmlNodePtr node = root->children; node != NULL; node = node->next) {
        bool is_good = true;
        if (collect_is_element(node, WSDL_NAMESPACE, "types")) {
            is_good = read_types(all, node, file);
        } else if (collect_is_element(node, WSDL_NAMESPACE, "import")) {
            is_good = read_wsdl_import(all, node, file);
        } else if (collect_is_element(node, WSDL_NAMESPACE, "binding")) {
            note_styles(all, node);
        }
        if (!is_good) {
            return false;
        }
    }
    return true;
}

bool collect_wsdl_read(struct collect *all)
{
    for (size_t i = 0; i < all->wsdl_count; i++) {
        xmlDocPtr tree = collect_read_tree(all->wsdl_files[i], all->err);
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
