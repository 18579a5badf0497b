/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One event of a WCF message log, as a small tree. The envelope is copied into a document of its
 * own, which brings the namespaces along that were declared around it. Taken out of its Header:
 * To and Action in WCF's addressing/none namespace, which must never be on the wire, and
 * ActivityId, which groups traces. The tree is libxml2's, within its ceilings; a DTD is refused.
 */
#include "lather/capture/svclog_record.h"

#include <libxml/parser.h>
#include <libxml/tree.h>
#include <stdlib.h>
#include <string.h>

#include "lather/soap/addressing.h"

#define DIAGNOSTICS_NAMESPACE "http://schemas.microsoft.com/2004/09/ServiceModel/Diagnostics"

static struct str name_of(const xmlNode *node)
{
    return str_from((const char *)node->name);
}

static struct str namespace_of(const xmlNode *node)
{
    return str_from(node->ns == NULL ? NULL : (const char *)node->ns->href);
}

static xmlNode *first_element(xmlNode *node)
{
    while (node != NULL && node->type != XML_ELEMENT_NODE) {
        node = node->next;
    }
    return node;
}

/* The first child element of that local name; NULL for none, or for no parent. */
static xmlNode *child(xmlNode *parent, const char *name)
{
    xmlNode *node = parent == NULL ? NULL : first_element(parent->children);
    while (node != NULL && !str_equals(name_of(node), str_from(name))) {
        node = first_element(node->next);
    }
    return node;
}

/* The trimmed text of an element; NULL when there is none. */
static char *text_of(xmlNode *node)
{
    xmlChar *content = node == NULL ? NULL : xmlNodeGetContent(node);
    struct str text = str_trim(str_from((const char *)content));
    char *copy = text.len == 0 ? NULL : str_dup(text);
    xmlFree(content);
    return copy;
}

static void keep(char **text, char *value)
{
    if (*text == NULL) {
        *text = value;
    } else {
        free(value);
    }
}

static void read_http_request(struct svclog_record *record, xmlNode *request)
{
    record->method = text_of(child(request, "Method"));
    record->query = text_of(child(request, "QueryString"));
    xmlNode *headers = child(request, "WebHeaders");
    xmlNode *field = headers == NULL ? NULL : first_element(headers->children);
    for (; field != NULL; field = first_element(field->next)) {
        xmlChar *value = xmlNodeGetContent(field);
        http_head_add(&record->fields, name_of(field), str_from((const char *)value));
        xmlFree(value);
    }
}

static bool is_of_wcf_only(const xmlNode *block)
{
    struct str name = name_of(block);
    if (addressing_is_none_namespace(namespace_of(block))) {
        return str_equals(name, STR("To")) || str_equals(name, STR("Action"));
    }
    return str_equals(name, STR("ActivityId")) &&
           str_equals(namespace_of(block), STR(DIAGNOSTICS_NAMESPACE));
}

/* Whether the block relates an answer to its request. */
static bool read_block(struct svclog_record *record, xmlNode *block)
{
    struct str name = name_of(block);
    struct str uri = namespace_of(block);
    if (!addressing_is_namespace(uri) && !addressing_is_none_namespace(uri)) {
        return false;
    }
    if (str_equals(name, STR("To"))) {
        keep(&record->to, text_of(block));
    } else if (str_equals(name, STR("Action"))) {
        keep(&record->action, text_of(block));
    } else if (str_equals(name, STR("MessageID"))) {
        keep(&record->message_id, text_of(block));
    }
    return str_equals(name, STR("RelatesTo"));
}

/* Reads the header blocks and takes out WCF's own; true when it is the header of an answer. */
static bool clean_header(struct svclog_record *record, xmlNode *header)
{
    bool is_reply = false;
    xmlNode *block = header == NULL ? NULL : first_element(header->children);
    while (block != NULL) {
        xmlNode *next = first_element(block->next);
        is_reply = read_block(record, block) || is_reply;
        if (is_of_wcf_only(block)) {
            xmlUnlinkNode(block);
            xmlFreeNode(block);
        }
        block = next;
    }
    return is_reply;
}

static void write_envelope(struct svclog_record *record, xmlNode *envelope)
{
    xmlDoc *document = xmlNewDoc(BAD_CAST "1.0");
    xmlBuffer *text = xmlBufferCreate();
    CHECK(document != NULL && text != NULL);
    xmlNode *copy = xmlDocCopyNode(envelope, document, 1);
    CHECK(copy != NULL);
    (void)xmlDocSetRootElement(document, copy);
    (void)xmlNodeDump(text, document, copy, 0, 0);
    buf_append(&record->envelope, xmlBufferContent(text), (size_t)xmlBufferLength(text));
    xmlBufferFree(text);
    xmlFreeDoc(document);
    struct str bytes = buf_view(&record->envelope);
    record->has_removed = str_find(bytes, STR("<!-- Removed")) != SIZE_MAX ||
                          str_find(bytes, STR("<!--Removed")) != SIZE_MAX;
    record->has_stream = str_find(bytes, STR("... stream ...")) != SIZE_MAX;
}

/* The message: the one child that is none of the log's own elements. */
static xmlNode *find_message(xmlNode *entry)
{
    static const char *const own[] = {"Addressing", "HttpRequest", "HttpResponse", "Properties",
                                      "Security"};
    xmlNode *node = first_element(entry->children);
    for (; node != NULL; node = first_element(node->next)) {
        bool is_own = false;
        for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
            is_own = is_own || str_equals(name_of(node), str_from(own[i]));
        }
        if (!is_own) {
            break;
        }
    }
    return node;
}

static enum svclog_record_kind kind_of(const struct svclog_record *record, bool has_request,
                                       bool is_reply)
{
    struct str source = str_from(record->source);
    bool is_sent = str_starts_with(source, STR("TransportSend"));
    if (is_sent || str_starts_with(source, STR("TransportReceive"))) {
        /* Requests go to an address; answers of basicHttpBinding show nothing else. */
        if (is_reply || (!has_request && record->to == NULL)) {
            return SVCLOG_RECORD_REPLY;
        }
        return is_sent ? SVCLOG_RECORD_SENT : SVCLOG_RECORD_RECEIVED;
    }
    if (str_ends_with(source, STR("Request")) || str_ends_with(source, STR("Datagram"))) {
        return SVCLOG_RECORD_SERVICE;
    }
    return str_ends_with(source, STR("Reply")) ? SVCLOG_RECORD_REPLY : SVCLOG_RECORD_OTHER;
}

static char *attribute(xmlNode *node, const char *name)
{
    xmlChar *value = xmlGetNoNsProp(node, BAD_CAST name);
    char *copy = value == NULL ? NULL : str_dup(str_from((const char *)value));
    xmlFree(value);
    return copy;
}

static bool read_entry(struct svclog_record *record, xmlNode *entry, struct err *err)
{
    record->source = attribute(entry, "Source");
    xmlNode *message = find_message(entry);
    if (message == NULL) {
        return err_set(err, ERR_FORMAT, "the log of a malformed message (%.40s)",
                       record->source == NULL ? "no source" : record->source);
    }
    xmlNode *addressing = child(entry, "Addressing");
    record->to = text_of(child(addressing, "To"));
    record->action = text_of(child(addressing, "Action"));
    record->message_id = text_of(child(addressing, "MessageId"));
    xmlNode *request = child(entry, "HttpRequest");
    read_http_request(record, request);
    bool is_reply = child(entry, "HttpResponse") != NULL;
    if (str_equals(name_of(message), STR("Envelope"))) {
        is_reply = clean_header(record, child(message, "Header")) || is_reply;
        record->lacks_body = child(message, "Body") == NULL;
    }
    record->kind = kind_of(record, request != NULL, is_reply);
    if (record->kind != SVCLOG_RECORD_REPLY && record->kind != SVCLOG_RECORD_OTHER) {
        write_envelope(record, message);
    }
    return true;
}

static bool fail_to_parse(xmlParserCtxtPtr parser, struct err *err)
{
    const xmlError *error = xmlCtxtGetLastError(parser);
    struct str words =
        str_trim(str_from(error == NULL || error->message == NULL ? "" : error->message));
    return err_set(err, ERR_FORMAT, "damaged or cut off (%.*s)", STR_ARG(str_slice(words, 0, 200)));
}

bool svclog_record_read(struct str event, struct svclog_record *record, struct err *err)
{
    *record = (struct svclog_record){.kind = SVCLOG_RECORD_OTHER};
    xmlParserCtxtPtr parser = xmlNewParserCtxt();
    CHECK(parser != NULL);
    xmlDoc *document = xmlCtxtReadMemory(parser, event.data, (int)event.len, NULL, "UTF-8",
                                         XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    bool is_read = document != NULL ? true : fail_to_parse(parser, err);
    if (is_read && document->intSubset != NULL) {
        is_read = err_set(err, ERR_FORMAT, "it has a DOCTYPE, which WCF does not write");
    }
    if (is_read) {
        xmlNode *data =
            child(child(xmlDocGetRootElement(document), "ApplicationData"), "TraceData");
        xmlNode *entry = child(child(data, "DataItem"), "MessageLogTraceRecord");
        is_read = entry == NULL || read_entry(record, entry, err);
    }
    xmlFreeDoc(document);
    xmlFreeParserCtxt(parser);
    return is_read;
}

void svclog_record_deinit(struct svclog_record *record)
{
    free(record->source);
    free(record->method);
    free(record->to);
    free(record->query);
    free(record->action);
    free(record->message_id);
    http_head_deinit(&record->fields);
    buf_deinit(&record->envelope);
    *record = (struct svclog_record){.kind = SVCLOG_RECORD_OTHER};
}
