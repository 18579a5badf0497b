/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the answers of the service, head and body, as bytes. An answer to an order is put
 * together from literals and two ids; what follows the last id, padding included, is one run of
 * bytes shared by all answers. Ids are copied as markup: message_read has seen that they are
 * well-formed, so they are never escaped again.
 */
#include "lather/serve/response.h"

#include <stdlib.h>

#include "lather/soap/reference.h"

#define NOTHING ((struct str){.data = NULL, .len = 0})

struct response_book {
    uint64_t size_bytes;
    struct buf padded_end; /* padding, then ORDER_END: answers send it from some offset on */
    size_t padding_bytes;
};

static const char *const envelope_namespaces[SOAP_VERSION_COUNT] = {
    SOAP_11_NAMESPACE, SOAP_11_NAMESPACE, SOAP_12_NAMESPACE};

static const char *const addressing_namespaces[MESSAGE_ADDRESSING_COUNT] = {
    "", "http://www.w3.org/2005/08/addressing", "http://schemas.xmlsoap.org/ws/2004/08/addressing"};

#define ORDER_OPEN  "<PlaceOrderResponse xmlns=\"" MESSAGE_ORDERS_NAMESPACE "\"><orderId>"
#define ORDER_STATE "</orderId><state>accepted</state><deliveryDays>3</deliveryDays><note>"
#define ORDER_END   "</note></PlaceOrderResponse></s:Body></s:Envelope>"

static const char padding_text[] = "Thank you for your order. It is on its way to the warehouse. ";

struct response_book *response_book_new(uint64_t size_bytes)
{
    struct response_book *book = check_calloc(1, sizeof *book);
    book->size_bytes = size_bytes;
    book->padding_bytes = (size_t)size_bytes;
    buf_init(&book->padded_end);
    char *at = buf_reserve(&book->padded_end, book->padding_bytes + sizeof ORDER_END);
    for (size_t i = 0; i < book->padding_bytes; i++) {
        at[i] = padding_text[i % (sizeof padding_text - 1)];
    }
    book->padded_end.len = book->padding_bytes;
    buf_append_str(&book->padded_end, STR(ORDER_END));
    return book;
}

void response_book_free(struct response_book *book)
{
    if (book == NULL) {
        return;
    }
    buf_deinit(&book->padded_end);
    free(book);
}

struct str response_content_type(enum soap_version version)
{
    return version == SOAP_VERSION_12 ? STR("application/soap+xml; charset=utf-8")
                                      : STR("text/xml; charset=utf-8");
}

static void append_number(struct buf *out, uint64_t number)
{
    char digits[20];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    buf_append(out, digits + at, sizeof digits - at);
}

static void append_head(struct buf *out, const struct response_frame *frame, struct str status_line,
                        struct str content_type, uint64_t body_bytes)
{
    const struct str connections[RESPONSE_CONNECTION_COUNT] = {
        STR(""), STR("Connection: keep-alive\r\n"), STR("Connection: close\r\n")};
    buf_append_str(out, STR("HTTP/1.1 "));
    buf_append_str(out, status_line);
    buf_append_str(out, STR("\r\nServer: lather/" LATHER_VERSION "\r\nDate: "));
    buf_append_str(out, frame->date);
    if (content_type.len > 0) {
        buf_append_str(out, STR("\r\nContent-Type: "));
        buf_append_str(out, content_type);
    }
    buf_append_str(out, STR("\r\nContent-Length: "));
    append_number(out, body_bytes);
    buf_append_str(out, STR("\r\n"));
    buf_append_str(out, connections[frame->connection]);
    buf_append_str(out, STR("\r\n"));
}

/* The envelope up to the text of RelatesTo, or up to Body when there is no addressing. */
static struct str envelope_start(const struct message *message)
{
#define BEGIN(soap) "<s:Envelope xmlns:s=\"" soap "\""
#define ADDRESSED(soap, addressing)                                                                \
    STR(BEGIN(soap) " xmlns:a=\"" addressing                                                       \
                    "\"><s:Header><a:Action s:mustUnderstand=\"1\">" MESSAGE_ORDERS_NAMESPACE      \
                    "/PlaceOrderResponse</a:Action><a:RelatesTo>")
    const struct str starts[2][MESSAGE_ADDRESSING_COUNT] = {
        {STR(BEGIN(SOAP_11_NAMESPACE) ">"),
         ADDRESSED(SOAP_11_NAMESPACE, "http://www.w3.org/2005/08/addressing"),
         ADDRESSED(SOAP_11_NAMESPACE, "http://schemas.xmlsoap.org/ws/2004/08/addressing")},
        {STR(BEGIN(SOAP_12_NAMESPACE) ">"),
         ADDRESSED(SOAP_12_NAMESPACE, "http://www.w3.org/2005/08/addressing"),
         ADDRESSED(SOAP_12_NAMESPACE, "http://schemas.xmlsoap.org/ws/2004/08/addressing")}};
#undef ADDRESSED
#undef BEGIN
    return starts[message->version == SOAP_VERSION_12][message->addressing];
}

void response_order(const struct response_book *book, const struct response_frame *frame,
                    const struct message *message, struct buf *lead, struct str *tail)
{
    struct str start = envelope_start(message);
    struct str middle = message->addressing == MESSAGE_ADDRESSING_NONE
                            ? STR("<s:Body>" ORDER_OPEN)
                            : STR("</a:RelatesTo></s:Header><s:Body>" ORDER_OPEN);
    struct str relates_to =
        message->addressing == MESSAGE_ADDRESSING_NONE ? NOTHING : message->message_id;
    uint64_t needed = start.len + relates_to.len + middle.len + message->order_id.len +
                      STR(ORDER_STATE).len + STR(ORDER_END).len;
    uint64_t body_bytes = needed < book->size_bytes ? book->size_bytes : needed;
    size_t padding = (size_t)(body_bytes - needed);

    append_head(lead, frame, STR("200 OK"), response_content_type(message->version), body_bytes);
    buf_append_str(lead, start);
    buf_append_str(lead, relates_to);
    buf_append_str(lead, middle);
    buf_append_str(lead, message->order_id);
    buf_append_str(lead, STR(ORDER_STATE));
    *tail =
        str_slice(buf_view(&book->padded_end), book->padding_bytes - padding, book->padded_end.len);
}

void response_accepted(const struct response_frame *frame, struct buf *out)
{
    append_head(out, frame, STR("202 Accepted"), NOTHING, 0);
}

/* What a Fault says, in both versions' words. */
struct fault_words {
    const char *code_11;
    const char *code_12;
    const char *subcode; /* of WS-Addressing; NULL for none */
};

static const struct fault_words fault_words[MESSAGE_FAULT_COUNT] = {
    [MESSAGE_FAULT_SENDER] = {"Client", "Sender", NULL},
    [MESSAGE_FAULT_VERSION] = {"VersionMismatch", "VersionMismatch", NULL},
    [MESSAGE_FAULT_ACTION] = {"Client", "Sender", "ActionNotSupported"},
    [MESSAGE_FAULT_NO_MESSAGE_ID] = {"Client", "Sender", "MessageAddressingHeaderRequired"},
};

static void append_fault_header(struct buf *body, const struct message *message)
{
    buf_printf(body, "<s:Envelope xmlns:s=\"%s\"", envelope_namespaces[message->version]);
    if (message->addressing != MESSAGE_ADDRESSING_NONE) {
        const char *uri = addressing_namespaces[message->addressing];
        buf_printf(
            body, " xmlns:a=\"%s\"><s:Header><a:Action s:mustUnderstand=\"1\">%s%s</a:Action>", uri,
            uri, message->addressing == MESSAGE_ADDRESSING_10 ? "/soap/fault" : "/fault");
        if (message->message_id.len > 0 && message->message_id.len <= MESSAGE_ECHO_CEILING) {
            buf_printf(body, "<a:RelatesTo>%.*s</a:RelatesTo>", STR_ARG(message->message_id));
        }
        buf_append_str(body, STR("</s:Header"));
    }
    buf_append_str(body, STR("><s:Body><s:Fault>"));
}

static void append_fault(struct buf *out, const struct response_frame *frame,
                         const struct message *message, const struct fault_words *words,
                         const char *reason, struct str detail)
{
    struct buf body;
    buf_init(&body);
    append_fault_header(&body, message);
    const char *subcode = message->addressing != MESSAGE_ADDRESSING_NONE ? words->subcode : NULL;
    if (message->version == SOAP_VERSION_12) {
        buf_printf(&body, "<s:Code><s:Value>s:%s</s:Value>", words->code_12);
        if (subcode != NULL) {
            buf_printf(&body, "<s:Subcode><s:Value>a:%s</s:Value></s:Subcode>", subcode);
        }
        buf_append_str(&body, STR("</s:Code><s:Reason><s:Text xml:lang=\"en\">"));
        reference_append_escaped(str_from(reason), REFERENCE_TEXT, &body);
        buf_append_str(&body, STR("</s:Text></s:Reason>"));
    } else {
        buf_printf(&body, "<faultcode>%s:%s</faultcode><faultstring xml:lang=\"en\">",
                   subcode != NULL ? "a" : "s", subcode != NULL ? subcode : words->code_11);
        reference_append_escaped(str_from(reason), REFERENCE_TEXT, &body);
        buf_append_str(&body, STR("</faultstring>"));
    }
    if (detail.len > 0) {
        const char *name = message->version == SOAP_VERSION_12 ? "s:Detail" : "detail";
        buf_printf(&body, "<%s>%.*s</%s>", name, STR_ARG(detail), name);
    }
    buf_append_str(&body, STR("</s:Fault></s:Body></s:Envelope>"));
    append_head(out, frame, STR("500 Internal Server Error"),
                response_content_type(message->version), body.len);
    buf_append_str(out, buf_view(&body));
    buf_deinit(&body);
}

void response_fault(const struct response_frame *frame, const struct message *message,
                    struct buf *out)
{
    append_fault(out, frame, message, &fault_words[message->fault], message->problem, NOTHING);
}

void response_refusal(const struct response_frame *frame, const struct message *message,
                      struct buf *out)
{
    static const struct fault_words words = {"Server", "Receiver", NULL};
    struct buf detail;
    buf_init(&detail);
    buf_printf(&detail,
               "<OrderFault xmlns=\"" MESSAGE_ORDERS_NAMESPACE
               "\"><orderId>%.*s</orderId><state>refused</state></OrderFault>",
               STR_ARG(message->order_id));
    append_fault(out, frame, message, &words,
                 "The order was refused: this service was told to refuse some.", buf_view(&detail));
    buf_deinit(&detail);
}

void response_page(const struct response_frame *frame, enum response_part part, struct buf *out)
{
    const struct str page =
        STR("<!DOCTYPE html>\n<html lang=\"en\"><head><title>OrderService</title></head><body>\n"
            "<h1>OrderService</h1>\n<p>A SOAP service to test against, part of lather. POST an "
            "envelope of SOAP 1.1 or 1.2 to any path here.</p>\n"
            "<p>Operations of " MESSAGE_ORDERS_NAMESPACE ": PlaceOrder (answered with "
            "PlaceOrderResponse), NotifyShipment (one-way, answered 202).</p>\n</body></html>\n");
    append_head(out, frame, STR("200 OK"), STR("text/html; charset=utf-8"), page.len);
    if (part == RESPONSE_WHOLE) {
        buf_append_str(out, page);
    }
}

void response_plain(const struct response_frame *frame, struct str status_line, struct str fields,
                    struct str sentence, struct buf *out)
{
    append_head(out, frame, status_line, STR("text/plain; charset=utf-8"), sentence.len + 1);
    if (fields.len > 0) {
        out->len -= STR("\r\n").len; /* in front of the blank line */
        buf_append_str(out, fields);
        buf_append_str(out, STR("\r\n"));
    }
    buf_append_str(out, sentence);
    buf_append_byte(out, '\n');
}
