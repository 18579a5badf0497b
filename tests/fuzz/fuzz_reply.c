/* SPDX-License-Identifier: Apache-2.0 */
/* An answer's envelope: what is found does not depend on the pieces it came in, nor on the answer
 * before; what is called good is good, and kept texts have their ceilings. */
#include <string.h>

#include "fuzz.h"
#include "lather/base/check.h"
#include "lather/soap/judge.h"
#include "lather/soap/reply.h"
#include "lather/soap/reply_flaw.h"

/* A name with its namespace is cut at 512 bytes each, "{}" and '/' apart. */
enum { NAME_MOST = 2 * 512 + 3, PIECE_MOST = 700 };

/* All that was found, in one text: equal texts, equal findings. */
struct found {
    struct buf text;
    enum sax_end end;
};

static void add_text(struct buf *text, const char *name, struct str value)
{
    buf_printf(text, "%s=%zu:", name, value.len);
    buf_append_str(text, value);
}

static void add_names(struct buf *text, const struct reply_facts *facts)
{
    const char *names[] = {facts->root_namespace, facts->root_name,   facts->child_namespace,
                           facts->child_name,     facts->before_body, facts->after_body};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        add_text(text, names[i] == NULL ? "none" : "name", str_from(names[i]));
    }
}

static void check_facts(const struct reply_facts *facts, size_t size)
{
    struct buf flaw;
    buf_init(&flaw);
    CHECK(facts->bytes == size);
    CHECK(!facts->is_fault || (facts->bodies > 0 && facts->body_children > 0));
    CHECK(!facts->relates_to_request || facts->relations > 0);
    CHECK(!facts->header_is_late || (facts->headers > 0 && facts->bodies > 0));
    CHECK(facts->bodies == 0 || facts->version != SOAP_VERSION_NONE);
    CHECK(facts->fault_code.len <= NAME_MOST && facts->fault_detail.len <= NAME_MOST);
    CHECK(facts->fault_subcodes.len <= REPLY_TEXT_CEILING + NAME_MOST);
    CHECK(facts->fault_reason.len <= REPLY_TEXT_CEILING);
    CHECK(facts->relates_to.len <= REPLY_TEXT_CEILING && facts->action.len <= REPLY_TEXT_CEILING);
    if (!reply_flaw(facts, &flaw)) {
        CHECK(flaw.len == 0 && facts->end == SAX_WHOLE && facts->bodies == 1);
        CHECK(facts->version != SOAP_VERSION_NONE && facts->headers <= 1 && !facts->has_text);
    } else {
        CHECK(flaw.len > 0 && str_find_byte(buf_view(&flaw), '\n') == SIZE_MAX);
    }
    buf_deinit(&flaw);
}

static void read_in_pieces(struct reply *reply, struct str bytes, size_t piece, struct found *found)
{
    reply_begin(reply, str_from(""), str_from("urn:uuid:1"));
    for (size_t at = 0; at < bytes.len; at += piece) {
        size_t left = bytes.len - at;
        reply_feed(reply, str_slice(bytes, at, at + (left < piece ? left : piece)));
    }
    const struct reply_facts *facts = reply_end(reply);
    check_facts(facts, bytes.len);
    buf_reset(&found->text);
    found->end = facts->end;
    buf_printf(&found->text, "%d %zu %zu %zu %zu %d %d %d %d %d ", (int)facts->version,
               facts->headers, facts->bodies, facts->body_children, facts->relations,
               facts->header_is_late, facts->has_text, facts->is_fault, facts->relates_to_request,
               facts->charset_contradicts);
    add_names(&found->text, facts);
    add_text(&found->text, "code", facts->fault_code);
    add_text(&found->text, "subcodes", facts->fault_subcodes);
    add_text(&found->text, "reason", facts->fault_reason);
    add_text(&found->text, "detail", facts->fault_detail);
    add_text(&found->text, "relates", facts->relates_to);
    add_text(&found->text, "action", facts->action);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    judge_setup();
    struct str bytes = str_of((const char *)data, size);
    struct reply *reply = reply_new();
    struct found whole;
    struct found other;
    buf_init(&whole.text);
    buf_init(&other.text);
    read_in_pieces(reply, bytes, size > 0 ? size : 1, &whole);
    read_in_pieces(reply, bytes, 1 + size % PIECE_MOST, &other);
    CHECK((whole.end == SAX_WHOLE) == (other.end == SAX_WHOLE));
    if (whole.end == SAX_WHOLE) {
        CHECK(str_equals(buf_view(&whole.text), buf_view(&other.text)));
    }
    read_in_pieces(reply, bytes, size > 0 ? size : 1, &other);
    CHECK(whole.end == other.end);
    CHECK(str_equals(buf_view(&whole.text), buf_view(&other.text)));
    buf_deinit(&other.text);
    buf_deinit(&whole.text);
    reply_free(reply);
    return 0;
}
