/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one door through which libxml2 gets at texts by name. Its hook for that is one function for
 * the process and gets no context from those who parse, so the loader at work is kept in a variable
 * of the thread: the only one of its kind in this program. It is set while a schema is compiled,
 * before the workers start, and NULL at all other times: nothing is loaded then.
 */
#include "lather/soap/loader.h"

#include <libxml/catalog.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlIO.h>
#include <limits.h>
#include <stdlib.h>

/* mutable: the hook of libxml2 gets no context of ours */
static _Thread_local const struct loader *open_loader;

void loader_deinit(struct loader *loader)
{
    for (size_t i = 0; i < loader->count; i++) {
        free(loader->texts[i].name);
        buf_deinit(&loader->texts[i].bytes);
    }
    free(loader->texts);
    *loader = (struct loader){.count = 0};
}

void loader_add(struct loader *loader, const char *name, struct str bytes)
{
    size_t size = (loader->count + 1) * sizeof(*loader->texts);
    loader->texts = check_realloc(loader->texts, size);
    struct loader_text *text = &loader->texts[loader->count++];
    text->name = str_dup(str_from(name));
    buf_init(&text->bytes);
    buf_append_str(&text->bytes, bytes);
}

/* An entity or DTD named inside a text comes with inputs open already: never loaded. */
static xmlParserInputPtr load(const char *url, const char *id, xmlParserCtxtPtr context)
{
    (void)id;
    const struct loader *loader = open_loader;
    if (loader == NULL || url == NULL || context->inputNr > 0) {
        return NULL;
    }
    for (size_t i = 0; i < loader->count; i++) {
        const struct buf *bytes = &loader->texts[i].bytes;
        if (!str_equals(str_from(url), str_from(loader->texts[i].name)) || bytes->len > INT_MAX) {
            continue;
        }
        xmlParserInputBufferPtr input =
            xmlParserInputBufferCreateMem(bytes->data, (int)bytes->len, XML_CHAR_ENCODING_NONE);
        CHECK(input != NULL);
        xmlParserInputPtr stream = xmlNewIOInputStream(context, input, XML_CHAR_ENCODING_NONE);
        if (stream != NULL) {
            stream->filename = (char *)xmlStrdup((const xmlChar *)url);
        }
        return stream;
    }
    return NULL;
}

void loader_install(void)
{
#if defined(LIBXML_CATALOG_ENABLED)
    xmlCatalogSetDefaults(XML_CATA_ALLOW_NONE);
#endif
    xmlSetExternalEntityLoader(load);
}

void loader_open(const struct loader *loader)
{
    open_loader = loader;
}

void loader_close(void)
{
    open_loader = NULL;
}
