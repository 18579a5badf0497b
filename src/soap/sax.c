/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one place where libxml2's push parser is driven: encoding, errors, ceilings, DOCTYPE. What
 * elements mean is its users' matter. A parser context is kept for many texts, which saves most of
 * the cost of a small one; its dictionary of names only grows, so it is renewed by size. The trap:
 * errors of namespaces leave `wellFormed` untouched, and a namespace that is no URI is reported as
 * an error although XML allows it; so errors are judged here, one by one. XML_PARSE_HUGE would lift
 * libxml2's ceilings from entities as well; what it is wanted for, long texts, is fed in such a way
 * that they pass without it.
 */
#include "lather/soap/sax.h"

#include <libxml/parser.h>
#include <libxml/xmlerror.h>
#include <stdlib.h>
#include <string.h>

enum {
    PROBLEM_SIZE = 240,
    SLICE_BYTES = 64 * 1024,          /* the most the parser holds unread of running text */
    DICTIONARY_CEILING = 1024 * 1024, /* of names kept from text to text */
    SUSPICIOUS_TAG_BYTES = 64 * 1024, /* from here on a tag's attributes are counted before */
    CDATA_SLICE_BYTES = 256,          /* libxml2 hands on 300 a call, and rereads all it holds */
    CDATA_SLICE_RAW_BYTES = 64,       /* the same where up to four bytes come out of one */
    CDATA_LOOK_BYTES = 4096,          /* shorter slices are not worth a look for its beginning */
};

struct sax {
    struct sax_events events;
    void *context;
    enum sax_doctype doctype;
    bool has_doctype;
    xmlParserCtxtPtr parser;
    unsigned depth;
    enum sax_end end;
    bool is_started;   /* the encoding is settled and the parser runs */
    bool is_finishing; /* the end of the bytes was told to the parser */
    bool root_is_closed;
    bool starts_like_xml; /* with a '<' */
    unsigned line;
    size_t tag_at; /* the tag whose attributes are counted while it comes: where it begins, */
    size_t tag_seen;
    size_t tag_attributes; /* how far it was looked at, and how many there were */
    char problem[PROBLEM_SIZE];
    size_t problem_len;
    struct charset charset;
    char charset_used[CHARSET_NAME_SIZE];
    bool is_contradictory;
    char http_charset[CHARSET_NAME_SIZE];
    char first[CHARSET_LOOK_BYTES]; /* held back until the encoding can be told */
    size_t first_bytes;
};

/* Only the first finding counts; the parser is stopped at it. */
static void stop(struct sax *sax, enum sax_end end)
{
    if (sax->end == SAX_WHOLE) {
        sax->end = end;
        xmlStopParser(sax->parser);
    }
}

/* libxml2's messages end in a newline and may hold some; names in them may be long. */
static void set_problem(struct sax *sax, const char *text)
{
    size_t len = 0;
    bool is_blank = true;
    for (; *text != '\0' && len < PROBLEM_SIZE - 2; text++) {
        bool blank = (unsigned char)*text <= ' ';
        if (!blank && is_blank && len > 0) {
            sax->problem[len++] = ' ';
        }
        if (!blank) {
            sax->problem[len++] = *text;
        }
        is_blank = blank;
    }
    while (len > 0 && *text != '\0' && ((unsigned char)sax->problem[len - 1] & 0xC0) == 0x80) {
        len--; /* cut between characters */
    }
    sax->problem[len] = '\0';
    sax->problem_len = len;
}

static bool is_breach(const xmlError *error)
{
    if (error->level == XML_ERR_FATAL) {
        return true;
    }
    return error->domain == XML_FROM_NAMESPACE && error->level == XML_ERR_ERROR &&
           error->code != XML_WAR_NS_URI && error->code != XML_WAR_NS_URI_RELATIVE;
}

static void on_error(void *user, xmlErrorPtr error)
{
    struct sax *sax = user;
    if (sax->end != SAX_WHOLE || !is_breach(error)) {
        return;
    }
    /* What only the end of the bytes made wrong was right up to there. */
    bool is_cut = sax->is_finishing && !sax->root_is_closed && sax->starts_like_xml;
    sax->end = is_cut ? SAX_CUT_OFF : SAX_NOT_WELL_FORMED;
    sax->line = error->line > 0 ? (unsigned)error->line : 1;
    set_problem(sax, error->message == NULL ? "" : error->message);
}

static void on_doctype(void *user, const xmlChar *name, const xmlChar *external,
                       const xmlChar *location)
{
    (void)name;
    (void)external;
    (void)location;
    struct sax *sax = user;
    sax->has_doctype = true;
    if (sax->doctype == SAX_DOCTYPE_STOPS) {
        stop(sax, SAX_DOCTYPE);
    }
}

static void on_start(void *user, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
                     int namespace_count, const xmlChar **namespaces, int attribute_count,
                     int defaulted, const xmlChar **attributes)
{
    struct sax *sax = user;
    (void)prefix;
    (void)defaulted;
    if (sax->end != SAX_WHOLE) {
        return;
    }
    if (sax->depth == SAX_DEPTH_CEILING) {
        stop(sax, SAX_TOO_DEEP);
        return;
    }
    if (attribute_count > SAX_ATTRIBUTES_CEILING) {
        stop(sax, SAX_TOO_MANY_ATTRIBUTES);
        return;
    }
    sax->depth++;
    const struct sax_element element = {
        .depth = sax->depth,
        .name = (const char *)name,
        .namespace_uri = uri == NULL ? "" : (const char *)uri,
        .namespaces = (const char *const *)namespaces,
        .namespace_count = (size_t)namespace_count,
        .attributes = attributes,
        .attribute_count = (size_t)attribute_count,
    };
    sax->events.start(sax->context, &element);
}

static void on_end(void *user, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
    struct sax *sax = user;
    (void)name;
    (void)prefix;
    (void)uri;
    if (sax->end != SAX_WHOLE || sax->depth == 0) {
        return;
    }
    sax->events.end(sax->context, sax->depth);
    sax->depth--;
    sax->root_is_closed = sax->depth == 0;
}

static void on_text(void *user, const xmlChar *text, int len)
{
    struct sax *sax = user;
    if (sax->end == SAX_WHOLE && len > 0) {
        sax->events.text(sax->context, sax->depth, str_of((const char *)text, (size_t)len));
    }
}

static xmlParserCtxtPtr new_parser(struct sax *sax)
{
    xmlSAXHandler handler;
    memset(&handler, 0, sizeof(handler));
    handler.initialized = XML_SAX2_MAGIC;
    handler.startElementNs = on_start;
    handler.endElementNs = on_end;
    handler.characters = on_text;
    handler.ignorableWhitespace = on_text; /* the same function: no guessing about blanks */
    handler.cdataBlock = on_text;
    handler.internalSubset = on_doctype;
    handler.serror = on_error;
    xmlParserCtxtPtr parser = xmlCreatePushParserCtxt(&handler, sax, NULL, 0, NULL);
    CHECK(parser != NULL);
    /* The encoding is settled here, in all cases: what the declaration says was read before. */
    (void)xmlCtxtUseOptions(parser, XML_PARSE_NONET | XML_PARSE_IGNORE_ENC | XML_PARSE_BIG_LINES);
    return parser;
}

/* Reading an entity's declaration makes libxml2 keep a document for it, which no one else frees. */
static void drop_document(xmlParserCtxtPtr parser)
{
    xmlFreeDoc(parser->myDoc);
    parser->myDoc = NULL;
}

static void free_parser(xmlParserCtxtPtr parser)
{
    drop_document(parser);
    xmlFreeParserCtxt(parser);
}

static void ignore_end(void *context, unsigned depth)
{
    (void)context;
    (void)depth;
}

static void ignore_text(void *context, unsigned depth, struct str text)
{
    (void)context;
    (void)depth;
    (void)text;
}

struct sax *sax_new(const struct sax_events *events, void *context, enum sax_doctype doctype)
{
    struct sax *sax = check_calloc(1, sizeof(*sax));
    sax->events = *events;
    sax->events.end = events->end != NULL ? events->end : ignore_end;
    sax->events.text = events->text != NULL ? events->text : ignore_text;
    sax->context = context;
    sax->doctype = doctype;
    sax->parser = new_parser(sax);
    sax_begin(sax, str_of(NULL, 0));
    return sax;
}

void sax_free(struct sax *sax)
{
    if (sax != NULL) {
        free_parser(sax->parser);
        free(sax);
    }
}

static void copy_name(char target[CHARSET_NAME_SIZE], struct str name)
{
    struct str cut = str_slice(name, 0, CHARSET_NAME_SIZE - 1);
    if (cut.len > 0) {
        memcpy(target, cut.data, cut.len);
    }
    target[cut.len] = '\0';
}

void sax_begin(struct sax *sax, struct str http_charset)
{
    if (xmlDictGetUsage(sax->parser->dict) > DICTIONARY_CEILING) {
        free_parser(sax->parser);
        sax->parser = new_parser(sax);
    }
    drop_document(sax->parser);
    sax->has_doctype = false;
    sax->depth = 0;
    sax->end = SAX_WHOLE;
    sax->is_started = false;
    sax->is_finishing = false;
    sax->root_is_closed = false;
    sax->line = 0;
    sax->tag_at = SIZE_MAX;
    sax->problem[0] = '\0';
    sax->problem_len = 0;
    sax->is_contradictory = false;
    sax->charset_used[0] = '\0';
    sax->first_bytes = 0;
    copy_name(sax->http_charset, str_trim(http_charset));
}

/* Settles the encoding: byte order mark or shape, then Content-Type, then declaration, UTF-8. */
static void choose_charset(struct sax *sax, struct str first)
{
    charset_detect(first, &sax->charset);
    struct str http = str_from(sax->http_charset);
    struct str found = str_from(sax->charset.name);
    bool is_certain = sax->charset.bom_bytes > 0 || str_starts_with(found, STR("utf-16")) ||
                      str_starts_with(found, STR("utf-32"));
    bool is_claimed = is_certain || sax->charset.declared[0] != '\0';
    sax->is_contradictory = sax->charset.declaration_is_wrong ||
                            (http.len > 0 && is_claimed && !charset_agree(http, found));
    copy_name(sax->charset_used, is_certain || http.len == 0 ? found : http);
}

static bool is_utf8_name(const char *name)
{
    struct str text = str_from(name);
    return str_equals_nocase(text, STR("utf-8")) || str_equals_nocase(text, STR("utf8"));
}

/* Names come from the network: only what a name may hold gets to the converters (RFC 2978 2.3). */
static bool encoding_is_known(const char *name)
{
    for (const char *at = name; *at != '\0'; at++) {
        bool is_letter = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z');
        if (!is_letter && !(*at >= '0' && *at <= '9') && strchr("-_.:+()", *at) == NULL) {
            return false;
        }
    }
    xmlCharEncodingHandlerPtr handler = xmlFindCharEncodingHandler(name);
    if (handler == NULL) {
        return false;
    }
    (void)xmlCharEncCloseFunc(handler);
    return true;
}

static void push(struct sax *sax, struct str bytes);

/* NULs are skipped as well: they are the other half of UTF-16. */
static bool starts_with_markup(struct str text)
{
    size_t at = 0;
    while (at < text.len &&
           (text.data[at] == ' ' || text.data[at] == '\t' || text.data[at] == '\r' ||
            text.data[at] == '\n' || text.data[at] == '\0')) {
        at++;
    }
    return at < text.len && text.data[at] == '<';
}

static void start(struct sax *sax, struct str first)
{
    choose_charset(sax, first);
    sax->starts_like_xml = starts_with_markup(str_slice(first, sax->charset.bom_bytes, first.len));
    sax->is_started = true;
    /* UTF-8 is what the parser speaks: naming it would put a converter before it. */
    const char *encoding = is_utf8_name(sax->charset_used) ? NULL : sax->charset_used;
    if (encoding != NULL && !encoding_is_known(encoding)) {
        sax->end = SAX_UNKNOWN_CHARSET;
        set_problem(sax, encoding);
        return;
    }
    CHECK(xmlCtxtResetPush(sax->parser, NULL, 0, NULL, encoding) == 0);
    push(sax, str_slice(first, sax->charset.bom_bytes, first.len));
}

/* What the parser holds unread: a tag, comment or the like whose end has not come. */
static size_t unread_bytes(const struct sax *sax)
{
    const xmlParserInput *input = sax->parser->input;
    return input == NULL || input->cur == NULL ? 0 : (size_t)(input->end - input->cur);
}

/*
 * Whether the tag the parser is waiting to see the end of has more attributes than the ceiling:
 * once it were complete they would be compared each with each. Counts what looks like one; each
 * byte once, however often more of the tag comes.
 */
static bool tag_is_overloaded(struct sax *sax)
{
    size_t unread = unread_bytes(sax);
    if (unread < SUSPICIOUS_TAG_BYTES || *sax->parser->input->cur != '<') {
        return false;
    }
    const xmlParserInput *input = sax->parser->input;
    size_t at = (size_t)(input->cur - input->base) + input->consumed;
    if (at != sax->tag_at || sax->tag_seen > unread) {
        sax->tag_at = at;
        sax->tag_seen = 0;
        sax->tag_attributes = 0;
    }
    for (; sax->tag_seen + 1 < unread; sax->tag_seen++) {
        const xmlChar *byte = input->cur + sax->tag_seen;
        sax->tag_attributes += byte[0] == '=' && (byte[1] == '"' || byte[1] == '\'');
    }
    return sax->tag_attributes > SAX_ATTRIBUTES_CEILING;
}

static bool is_in_cdata(const struct sax *sax)
{
    return sax->parser->instate == XML_PARSER_CDATA_SECTION;
}

/* Up to behind the first "<![CDATA[" whose section goes on beyond these bytes; else all of them. */
static size_t cdata_begins(struct str bytes)
{
    const struct str mark = STR("<![CDATA[");
    size_t at = 0;
    for (size_t end = str_find(bytes, STR("]]>")); end != SIZE_MAX;
         end = str_find(str_slice(bytes, at, bytes.len), STR("]]>"))) {
        at += end + 1;
    }
    size_t found = str_find(str_slice(bytes, at, bytes.len), mark);
    return found == SIZE_MAX ? bytes.len : at + found + mark.len;
}

static void parse(struct sax *sax, struct str slice)
{
    if (slice.len == 0 || sax->end != SAX_WHOLE) {
        return;
    }
    (void)xmlParseChunk(sax->parser, slice.data, (int)slice.len, 0);
    if (sax->end == SAX_WHOLE && is_in_cdata(sax)) {
        (void)xmlParseChunk(sax->parser, NULL, 0, 0); /* it waits for a '>' otherwise */
    }
    if (sax->end == SAX_WHOLE && unread_bytes(sax) > SAX_MARKUP_CEILING) {
        stop(sax, SAX_TOO_LONG);
    } else if (sax->end == SAX_WHOLE && tag_is_overloaded(sax)) {
        stop(sax, SAX_TOO_MANY_ATTRIBUTES);
    }
}

/*
 * A CDATA section is read by the piece. libxml2 2.9 hands on 300 bytes of an unfinished one a call
 * and looks through all it holds for its end, so it must never hold much: it gets no more behind
 * the beginning of one. What looks like a beginning in a comment is parsed with what follows.
 */
static size_t push_some(struct sax *sax, struct str bytes)
{
    bool is_converted = sax->parser->input != NULL && sax->parser->input->buf != NULL &&
                        sax->parser->input->buf->encoder != NULL;
    if (is_in_cdata(sax)) {
        struct str piece =
            str_slice(bytes, 0, is_converted ? CDATA_SLICE_RAW_BYTES : CDATA_SLICE_BYTES);
        parse(sax, piece);
        return piece.len;
    }
    struct str slice = str_slice(bytes, 0, SLICE_BYTES);
    bool is_looked_at = !is_converted && slice.len > CDATA_LOOK_BYTES;
    size_t first = is_looked_at ? cdata_begins(slice) : slice.len;
    parse(sax, str_slice(slice, 0, first));
    if (is_in_cdata(sax)) {
        return first;
    }
    parse(sax, str_slice(slice, first, slice.len));
    return slice.len;
}

static void push(struct sax *sax, struct str bytes)
{
    while (bytes.len > 0 && sax->end == SAX_WHOLE) {
        bytes = str_slice(bytes, push_some(sax, bytes), bytes.len);
    }
}

void sax_feed(struct sax *sax, struct str bytes)
{
    if (sax->is_started) {
        push(sax, bytes);
        return;
    }
    if (sax->first_bytes == 0 && bytes.len >= CHARSET_LOOK_BYTES) {
        start(sax, bytes);
        return;
    }
    struct str part = str_slice(bytes, 0, CHARSET_LOOK_BYTES - sax->first_bytes);
    if (part.len > 0) {
        memcpy(sax->first + sax->first_bytes, part.data, part.len);
    }
    sax->first_bytes += part.len;
    if (sax->first_bytes == CHARSET_LOOK_BYTES) {
        start(sax, str_of(sax->first, sax->first_bytes));
        push(sax, str_slice(bytes, part.len, bytes.len));
    }
}

enum sax_end sax_finish(struct sax *sax)
{
    if (!sax->is_started) {
        start(sax, str_of(sax->first, sax->first_bytes));
    }
    sax->is_finishing = true;
    if (sax->end == SAX_WHOLE) {
        (void)xmlParseChunk(sax->parser, NULL, 0, 1);
    }
    if (sax->end == SAX_WHOLE && (!sax->root_is_closed || sax->parser->wellFormed == 0)) {
        sax->end = !sax->root_is_closed && sax->starts_like_xml ? SAX_CUT_OFF : SAX_NOT_WELL_FORMED;
        sax->line = 1;
        set_problem(sax, sax->root_is_closed ? "refused by the parser" : "there is no element");
    }
    return sax->end;
}

struct str sax_problem(const struct sax *sax)
{
    return str_of(sax->problem, sax->problem_len);
}

bool sax_has_doctype(const struct sax *sax)
{
    return sax->has_doctype;
}

unsigned sax_line(const struct sax *sax)
{
    return sax->line;
}

const struct charset *sax_charset(const struct sax *sax)
{
    return &sax->charset;
}

const char *sax_charset_used(const struct sax *sax)
{
    return sax->charset_used;
}

bool sax_charset_is_contradictory(const struct sax *sax)
{
    return sax->is_contradictory;
}

bool sax_attribute(const struct sax_element *element, const char *namespace_uri, const char *name,
                   struct str *value)
{
    for (size_t i = 0; i < element->attribute_count; i++) {
        /* name, prefix, URI, begin and end of the value */
        const unsigned char **five = element->attributes + i * 5;
        const char *uri = five[2] == NULL ? "" : (const char *)five[2];
        if (strcmp((const char *)five[0], name) == 0 && strcmp(uri, namespace_uri) == 0) {
            *value = str_of((const char *)five[3], (size_t)(five[4] - five[3]));
            return true;
        }
    }
    return false;
}
