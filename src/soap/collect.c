/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gathers schemas so that libxml2 can compile them, which resolves imports by location only and
 * takes one document a namespace. Here files are read and what they refer to is followed; a WSDL is
 * collect_wsdl.c's, and what libxml2 gets to see in the end collect_texts.c's. The trap: an include
 * must be there, as a part of the schema would be missing; an import may be without a location, or
 * with one that is not here, as its namespace may come from elsewhere in the WSDL.
 */
#include "lather/soap/collect.h"

#include <libxml/parser.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lather/base/file.h"
#include "lather/soap/collect_parts.h"
#include "lather/soap/collect_texts.h"
#include "lather/soap/collect_wsdl.h"
#include "lather/soap/locate.h"

bool collect_is_element(const xmlNode *node, const char *uri, const char *name)
{
    return node->type == XML_ELEMENT_NODE && node->ns != NULL &&
           strcmp((const char *)node->ns->href, uri) == 0 &&
           strcmp((const char *)node->name, name) == 0;
}

char *collect_attribute(xmlNodePtr node, const char *name)
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

xmlDocPtr collect_read_tree(const char *path, struct err *err)
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

struct collect_part *collect_add_part(struct collect *all, xmlDocPtr tree, const char *file)
{
    if (all->part_count == COLLECT_FILES_CEILING) {
        xmlFreeDoc(tree);
        (void)err_set(all->err, ERR_FORMAT, "%s: more than %d schemas", file,
                      COLLECT_FILES_CEILING);
        return NULL;
    }
    struct collect_part *part = &all->parts[all->part_count++];
    *part = (struct collect_part){
        .tree = tree, .folder = file_folder(file), .file = str_dup(str_from(file))};
    return part;
}

bool collect_add_file(struct collect *all, const char *file, size_t *index)
{
    for (size_t i = 0; i < all->part_count; i++) {
        if (!all->parts[i].is_inline && strcmp(all->parts[i].file, file) == 0) {
            *index = i;
            return true;
        }
    }
    xmlDocPtr tree = collect_read_tree(file, all->err);
    if (tree == NULL) {
        return false;
    }
    if (!collect_is_element(xmlDocGetRootElement(tree), XSD_NAMESPACE, "schema")) {
        xmlFreeDoc(tree);
        return err_set(all->err, ERR_FORMAT, "%s: its root is no xs:schema", file);
    }
    *index = all->part_count;
    return collect_add_part(all, tree, file) != NULL;
}

/* Reads what a schema refers to. Included schemas are pointed at at once, imports later. */
static bool follow_part(struct collect *all, size_t at)
{
    xmlNodePtr node = xmlDocGetRootElement(all->parts[at].tree)->children;
    for (; node != NULL; node = node->next) {
        bool is_import = collect_is_element(node, XSD_NAMESPACE, "import");
        bool is_include = collect_is_element(node, XSD_NAMESPACE, "include") ||
                          collect_is_element(node, XSD_NAMESPACE, "redefine");
        if (!is_import && !is_include) {
            continue;
        }
        char *location = collect_attribute(node, "schemaLocation");
        char *file = locate_file(all->parts[at].folder, location);
        size_t index = 0;
        bool is_good = file == NULL ? !is_include : collect_add_file(all, file, &index);
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

bool collect_schemas(struct loader *loader, const char *path, enum collect_kind kind,
                     struct err *err)
{
    struct collect *all = check_calloc(1, sizeof(*all));
    all->err = err;
    size_t index;
    bool is_good = kind == COLLECT_XSD ? collect_add_file(all, path, &index)
                                       : collect_wsdl_add(all, path) && collect_wsdl_read(all);
    if (is_good && kind == COLLECT_XSD) {
        all->parts[0].is_sought = true;
    }
    for (size_t i = 0; is_good && i < all->part_count; i++) {
        is_good = follow_part(all, i);
    }
    if (is_good) {
        collect_texts_add(loader, all);
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
