/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What signatures protect. Only references are followed here; whether a signature is right is the
 * service's business, and a captured one no longer is if anything under it changed. Signatures in
 * the body are somebody else's documents and ask nothing of the header. The trap is the indirect
 * reference: a signed SecurityTokenReference may stand for the token it names (STR-Transform).
 */
#include "lather/soap/coverage.h"

#include <stdlib.h>

#include "lather/base/buf.h"
#include "lather/soap/reference.h"

enum {
    IDS_CEILING = 4096, /* more references than any message has */
    ROUNDS_CEILING = 8, /* of references that lead to references */
    HEADER_DEPTH = 2,
    SIGNATURE_DEPTH = 4 /* Envelope, Header, Security, Signature */
};

#define SIGNATURE_NAMESPACE "http://www.w3.org/2000/09/xmldsig#"

/* Ids that references name, in one run of bytes. */
struct ids_wanted {
    struct buf bytes;
    size_t *ends;
    size_t count;
};

struct finding {
    struct coverage *coverage;
    struct str text;
    struct ids_wanted wanted;
    struct markup *markup;
};

static struct str wanted_id(const struct ids_wanted *wanted, size_t index)
{
    return str_slice(buf_view(&wanted->bytes), index == 0 ? 0 : wanted->ends[index - 1],
                     wanted->ends[index]);
}

static bool is_wanted(const struct ids_wanted *wanted, struct str id)
{
    for (size_t i = 0; i < wanted->count; i++) {
        if (str_equals(wanted_id(wanted, i), id)) {
            return true;
        }
    }
    return false;
}

static void want(struct finding *finding, struct str id)
{
    struct ids_wanted *wanted = &finding->wanted;
    if (is_wanted(wanted, id)) {
        return;
    }
    if (wanted->count == IDS_CEILING) {
        finding->coverage->is_whole = true;
        return;
    }
    buf_append_str(&wanted->bytes, id);
    wanted->ends = check_realloc(wanted->ends, (wanted->count + 1) * sizeof(*wanted->ends));
    wanted->ends[wanted->count++] = wanted->bytes.len;
}

/* Only a message's own signature can mean the message when it means the whole document. */
static void follow_uri(struct finding *finding, struct str uri, unsigned signature_depth)
{
    struct str inside;
    struct str rest;
    if (uri.len == 0 || str_equals(uri, STR("#xpointer(/)"))) {
        finding->coverage->is_whole |= signature_depth == SIGNATURE_DEPTH;
    } else if (str_starts_with(uri, STR("#xpointer(id("))) {
        (void)str_split(str_slice(uri, 14, uri.len), uri.len > 13 ? uri.data[13] : '\'', &inside,
                        &rest);
        want(finding, inside);
    } else if (uri.data[0] == '#') {
        want(finding, str_slice(uri, 1, uri.len));
    }
    /* cid: and other documents are not in the envelope. */
}

static void follow_reference(struct finding *finding, unsigned signature_depth)
{
    struct markup_span span;
    struct buf uri;
    if (!markup_attribute(finding->markup, STR("URI"), &span)) {
        finding->coverage->is_whole |= signature_depth == SIGNATURE_DEPTH;
        return;
    }
    buf_init(&uri);
    reference_append_resolved(str_slice(finding->text, span.from, span.to), &uri);
    follow_uri(finding, buf_view(&uri), signature_depth);
    buf_deinit(&uri);
}

static bool is_signature_element(const struct markup_element *element, struct str name)
{
    return str_equals(element->name, name) && str_equals(element->uri, STR(SIGNATURE_NAMESPACE));
}

/* The references of the signatures in the header. */
static void collect_references(struct finding *finding)
{
    unsigned signature_depth = 0;
    enum markup_event event;
    finding->markup = markup_new(finding->text);
    while ((event = markup_next(finding->markup)) < MARKUP_DONE) {
        const struct markup_element *element = markup_element(finding->markup);
        if (event == MARKUP_END) {
            if (element->depth == HEADER_DEPTH) {
                break;
            }
            signature_depth = element->depth == signature_depth ? 0 : signature_depth;
        } else if (event == MARKUP_START) {
            if (element->depth == HEADER_DEPTH && str_equals(element->name, STR("Body"))) {
                break;
            }
            if (is_signature_element(element, STR("Signature")) && signature_depth == 0) {
                signature_depth = element->depth;
            } else if (is_signature_element(element, STR("Reference")) && signature_depth != 0) {
                follow_reference(finding, signature_depth);
            }
        }
    }
    markup_free(finding->markup);
}

static bool has_wanted_id(struct finding *finding)
{
    static const char *const names[] = {"Id", "ID", "id", "AssertionID"};
    struct markup_span span;
    bool found = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !found; i++) {
        if (markup_attribute(finding->markup, str_from(names[i]), &span)) {
            struct buf value;
            buf_init(&value);
            reference_append_resolved(str_slice(finding->text, span.from, span.to), &value);
            found = is_wanted(&finding->wanted, buf_view(&value));
            buf_deinit(&value);
        }
    }
    return found;
}

static void add_span(struct coverage *coverage, struct markup_span span)
{
    coverage->spans =
        check_realloc(coverage->spans, (coverage->count + 1) * sizeof(*coverage->spans));
    coverage->spans[coverage->count++] = span;
}

/* The outermost elements with wanted ids; what stands inside of one is covered with it. */
static void collect_spans(struct finding *finding)
{
    unsigned covered_depth = 0;
    bool is_token_reference = false;
    size_t from = 0;
    enum markup_event event;
    finding->coverage->count = 0;
    finding->markup = markup_new(finding->text);
    while ((event = markup_next(finding->markup)) < MARKUP_DONE) {
        const struct markup_element *element = markup_element(finding->markup);
        if (event == MARKUP_END && element->depth == covered_depth) {
            add_span(finding->coverage, (struct markup_span){from, element->end_tag.to});
            covered_depth = 0;
        } else if (event == MARKUP_START && covered_depth == 0 && has_wanted_id(finding)) {
            covered_depth = element->depth;
            from = element->tag.from;
            is_token_reference = str_equals(element->name, STR("SecurityTokenReference"));
        } else if (event == MARKUP_START && covered_depth != 0 && is_token_reference &&
                   str_equals(element->name, STR("Reference"))) {
            follow_reference(finding, 0);
        }
    }
    if (event == MARKUP_BROKEN) {
        finding->coverage->is_whole = true;
    }
    markup_free(finding->markup);
}

void coverage_init(struct coverage *coverage, struct str text)
{
    *coverage = (struct coverage){.is_whole = false};
    struct finding finding = {.coverage = coverage, .text = text};
    collect_references(&finding);
    size_t before = 0;
    for (int round = 0; finding.wanted.count > before; round++) {
        if (round == ROUNDS_CEILING) {
            coverage->is_whole = true;
            break;
        }
        before = finding.wanted.count;
        collect_spans(&finding);
    }
    buf_deinit(&finding.wanted.bytes);
    free(finding.wanted.ends);
}

void coverage_deinit(struct coverage *coverage)
{
    free(coverage->spans);
    *coverage = (struct coverage){.is_whole = false};
}

bool coverage_has(const struct coverage *coverage, size_t from, size_t to)
{
    bool is_covered = coverage->is_whole;
    for (size_t i = 0; i < coverage->count && !is_covered; i++) {
        is_covered = from < coverage->spans[i].to && to > coverage->spans[i].from;
    }
    return is_covered;
}
