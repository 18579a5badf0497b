/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What keeps an answer from being a SOAP message, in words, from what reply.c found in it. Of
 * several flaws the first in the order of reading is told. The words are printed, counted and
 * compared in groups: they say nothing that differs between two answers with the same flaw but
 * where it stands.
 */
#include "lather/soap/reply_flaw.h"

#include "lather/soap/scope.h"

/* What kept the parser from reading to the end. */
static bool append_break(const struct reply_facts *facts, struct buf *sentence)
{
    switch (facts->end) {
    case SAX_NOT_WELL_FORMED:
        buf_printf(sentence, "not well-formed: line %u: %.*s", facts->line,
                   STR_ARG(facts->problem));
        return true;
    case SAX_CUT_OFF:
        buf_printf(sentence, "not well-formed: cut off after %zu bytes, line %u: %.*s",
                   facts->bytes, facts->line, STR_ARG(facts->problem));
        return true;
    case SAX_DOCTYPE:
        buf_append_str(sentence, STR("DTD in a SOAP message"));
        return true;
    case SAX_UNKNOWN_CHARSET:
        buf_printf(sentence, "unknown charset %.*s", STR_ARG(facts->problem));
        return true;
    case SAX_TOO_DEEP:
        buf_printf(sentence, "more than %d elements inside one another", SAX_DEPTH_CEILING);
        return true;
    case SAX_TOO_MANY_ATTRIBUTES:
        buf_printf(sentence, "more than %d attributes in one element", SAX_ATTRIBUTES_CEILING);
        return true;
    case SAX_TOO_LONG:
        buf_printf(sentence, "a tag, comment or instruction of more than %d bytes",
                   SAX_MARKUP_CEILING);
        return true;
    default:
        return false;
    }
}

/* What is wrong with the order of things in an envelope (SOAP 1.1 section 4, SOAP 1.2 part 1, 5).
 */
static bool append_disorder(const struct reply_facts *facts, struct buf *sentence)
{
    if (facts->bodies == 0) {
        buf_append_str(sentence, STR("no Body"));
    } else if (facts->bodies > 1) {
        buf_printf(sentence, "%zu Body elements", facts->bodies);
    } else if (facts->header_is_late) {
        buf_append_str(sentence, STR("Header after Body"));
    } else if (facts->headers > 1) {
        buf_printf(sentence, "%zu Header elements", facts->headers);
    } else if (facts->before_body != NULL) {
        buf_printf(sentence, "element before Body: %.200s", facts->before_body);
    } else if (facts->after_body != NULL && facts->version == SOAP_VERSION_12) {
        buf_printf(sentence, "element after Body: %.200s", facts->after_body);
    } else if (facts->has_text) {
        buf_append_str(sentence, STR("text in Envelope"));
    } else {
        return false;
    }
    return true;
}

bool reply_flaw(const struct reply_facts *facts, struct buf *sentence)
{
    if (append_break(facts, sentence)) {
        return true;
    }
    if (facts->version != SOAP_VERSION_NONE) {
        return append_disorder(facts, sentence);
    }
    buf_append_str(sentence, STR("root is "));
    const size_t from = sentence->len;
    scope_append_name(facts->root_namespace, str_from(facts->root_name), sentence);
    for (size_t i = from; i < sentence->len; i++) {
        /* a namespace may hold line breaks, written as character references */
        sentence->data[i] = (unsigned char)sentence->data[i] < ' ' ? ' ' : sentence->data[i];
    }
    if (soap_version_is_draft(str_from(facts->root_namespace))) {
        buf_append_str(sentence, STR(" (a draft of SOAP 1.2)"));
    }
    return true;
}
