/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds out what a request asks for: SOAP version, operation, and the two ids that an answer
 * repeats. It walks the elements of the envelope once and keeps views. It does not judge what a
 * real service would: SOAPAction, To, mustUnderstand and the order's content are not looked at.
 */
#include "lather/serve/message.h"

#include "lather/serve/xml_scan.h"

/* Depths in an envelope. */
enum { AT_ENVELOPE = 1, AT_PART = 2, AT_BLOCK = 3, AT_FIELD = 4 };

enum part { PART_NONE = 0, PART_HEADER, PART_BODY };

struct reader {
    struct message *message;
    struct xml_scan scan;
    struct str envelope_namespace;
    enum part part;
    struct str *wanted; /* where the content of the innermost element goes, or NULL */
    bool has_body;
    bool in_orders; /* the operation is in our namespace */
};

static bool refuse(struct reader *reader, enum message_kind kind, const char *problem)
{
    reader->message->kind = kind;
    reader->message->problem = problem;
    return false;
}

static bool read_envelope(struct reader *reader, struct str uri)
{
    if (!str_equals(reader->scan.name, STR("Envelope"))) {
        return refuse(reader, MESSAGE_BAD, "the root element is no Envelope");
    }
    reader->envelope_namespace = uri;
    if (str_equals(uri, STR(SOAP_12_NAMESPACE))) {
        reader->message->version = SOAP_VERSION_12;
    } else if (str_equals(uri, STR(SOAP_11_NAMESPACE))) {
        reader->message->version = SOAP_VERSION_11;
    } else {
        reader->message->fault = MESSAGE_FAULT_VERSION;
        return refuse(reader, MESSAGE_BAD, "the Envelope is neither of SOAP 1.1 nor of SOAP 1.2");
    }
    return true;
}

static bool read_part(struct reader *reader, struct str uri)
{
    reader->part = PART_NONE;
    if (!str_equals(uri, reader->envelope_namespace)) {
        return true;
    }
    if (str_equals(reader->scan.name, STR("Header"))) {
        reader->part = PART_HEADER;
    } else if (str_equals(reader->scan.name, STR("Body"))) {
        reader->part = PART_BODY;
        reader->has_body = true;
    }
    return true;
}

static void read_header_block(struct reader *reader, struct str uri)
{
    enum message_addressing addressing;
    if (str_equals(uri, STR("http://www.w3.org/2005/08/addressing"))) {
        addressing = MESSAGE_ADDRESSING_10;
    } else if (str_equals(uri, STR("http://schemas.xmlsoap.org/ws/2004/08/addressing"))) {
        addressing = MESSAGE_ADDRESSING_200408;
    } else {
        return;
    }
    reader->message->addressing = addressing;
    if (str_equals(reader->scan.name, STR("MessageID"))) {
        reader->wanted = &reader->message->message_id;
    }
}

static void read_operation(struct reader *reader, struct str uri)
{
    if (reader->message->operation.len > 0) {
        return;
    }
    reader->message->operation = reader->scan.name;
    reader->in_orders = str_equals(uri, STR(MESSAGE_ORDERS_NAMESPACE));
}

/* An element starts: what it means depends on how deep it is. False when the walk is over. */
static bool read_start(struct reader *reader)
{
    reader->wanted = NULL;
    if (reader->scan.depth > AT_FIELD || (reader->scan.depth == AT_FIELD && !reader->in_orders)) {
        return true;
    }
    struct str uri;
    if (!xml_scan_namespace(&reader->scan, &uri)) {
        return refuse(reader, MESSAGE_BAD, reader->scan.problem);
    }
    switch (reader->scan.depth) {
    case AT_ENVELOPE:
        return read_envelope(reader, uri);
    case AT_PART:
        return read_part(reader, uri);
    case AT_BLOCK:
        if (reader->part == PART_HEADER) {
            read_header_block(reader, uri);
        } else if (reader->part == PART_BODY) {
            read_operation(reader, uri);
        }
        return true;
    default:
        if (reader->part == PART_BODY && str_equals(reader->scan.name, STR("orderId")) &&
            str_equals(uri, STR(MESSAGE_ORDERS_NAMESPACE))) {
            reader->wanted = &reader->message->order_id;
        }
        return true;
    }
}

/* The envelope was read whole: which of its requests can be served? */
static void decide_kind(struct reader *reader)
{
    struct message *message = reader->message;
    if (!reader->has_body) {
        (void)refuse(reader, MESSAGE_WRONG, "the Envelope has no Body");
    } else if (message->message_id.len > MESSAGE_ECHO_CEILING ||
               message->order_id.len > MESSAGE_ECHO_CEILING) {
        (void)refuse(reader, MESSAGE_WRONG, "MessageID or orderId is longer than 1024 bytes");
    } else if (reader->in_orders && str_equals(message->operation, STR("NotifyShipment"))) {
        message->kind = MESSAGE_NOTICE;
    } else if (!reader->in_orders || !str_equals(message->operation, STR("PlaceOrder"))) {
        message->fault = MESSAGE_FAULT_ACTION;
        (void)refuse(reader, MESSAGE_WRONG,
                     "Body holds no operation of this service (PlaceOrder and NotifyShipment of "
                     "urn:example:orders)");
    } else if (message->addressing != MESSAGE_ADDRESSING_NONE && message->message_id.len == 0) {
        message->fault = MESSAGE_FAULT_NO_MESSAGE_ID;
        (void)refuse(reader, MESSAGE_WRONG,
                     "a request that wants an answer has addressing headers but no MessageID");
    } else {
        message->kind = MESSAGE_ORDER;
    }
}

void message_read(struct message *message, struct str body)
{
    *message = (struct message){.kind = MESSAGE_BAD};
    struct reader reader;
    reader.message = message;
    reader.part = PART_NONE;
    reader.wanted = NULL;
    reader.has_body = reader.in_orders = false;
    xml_scan_init(&reader.scan, body);
    for (;;) {
        switch (xml_scan_next(&reader.scan)) {
        case XML_SCAN_START:
            if (!read_start(&reader)) {
                return;
            }
            break;
        case XML_SCAN_END:
            if (reader.wanted != NULL) {
                *reader.wanted = str_trim(reader.scan.content);
                reader.wanted = NULL;
            }
            break;
        case XML_SCAN_DONE:
            decide_kind(&reader);
            return;
        case XML_SCAN_ERROR:
        default:
            (void)refuse(&reader, MESSAGE_BAD, reader.scan.problem);
            return;
        }
    }
}
