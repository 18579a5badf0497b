/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pull reader for small, hostile XML documents: the caller asks for the next start or end of an
 * element and gets views into the text. It builds nothing and keeps no text of its own, so it is
 * bounded by its two ceilings whatever comes. What a newcomer gets wrong: bytes are checked once,
 * up front (xml_scan_init), so that the rest may look for '<' and '&' only.
 */
#include "lather/serve/xml_scan.h"

#include <stdint.h>
#include <string.h>

#include "lather/soap/reference.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool is_name_start(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

static bool is_name_char(char c)
{
    return is_name_start(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
}

static enum xml_scan_event fail(struct xml_scan *scan, const char *problem)
{
    scan->problem = problem;
    return XML_SCAN_ERROR;
}

/* Char of XML 1.0, 2.2, of code points that are no surrogates */
static bool is_character(uint32_t code)
{
    bool is_control = code < 0x20 && code != '\t' && code != '\n' && code != '\r';
    return !is_control && code != 0xfffe && code != 0xffff && code <= 0x10ffff;
}

/* How many bytes the UTF-8 sequence at `at` has; 0 when it is none, or no character of XML. */
static size_t sequence_bytes(const unsigned char *at, size_t left)
{
    unsigned char lead = at[0];
    size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || left < bytes) {
        return 0;
    }
    uint32_t code = lead & (0x7fU >> bytes);
    for (size_t i = 1; i < bytes; i++) {
        if ((at[i] & 0xc0) != 0x80) {
            return 0;
        }
        code = code << 6 | (at[i] & 0x3fU);
    }
    bool is_short = bytes == 3 ? code >= 0x800 : bytes == 4 ? code >= 0x10000 : true;
    bool is_surrogate = code >= 0xd800 && code <= 0xdfff;
    return is_short && !is_surrogate && is_character(code) ? bytes : 0;
}

/* Whether all bytes are characters of XML in UTF-8 (XML 1.0, 2.2). */
static bool characters_are_good(struct str text)
{
    const unsigned char *at = (const unsigned char *)text.data;
    size_t left = text.len;
    while (left > 0) {
        uint64_t word;
        if (left >= sizeof word) {
            memcpy(&word, at, sizeof word);
            /* High bit set: beyond ASCII. Borrow into it: below 0x20. */
            uint64_t odd = word | ((word - 0x2020202020202020U) & ~word);
            if ((odd & 0x8080808080808080U) == 0) {
                at += sizeof word;
                left -= sizeof word;
                continue;
            }
        }
        size_t bytes = 1;
        if (*at >= 0x80) {
            bytes = sequence_bytes(at, left);
        } else if (*at < 0x20 && !is_blank((char)*at)) {
            bytes = 0;
        }
        if (bytes == 0) {
            return false;
        }
        at += bytes;
        left -= bytes;
    }
    return true;
}

static bool looks_like_utf16(struct str text)
{
    return text.len >= 2 &&
           (memcmp(text.data, "\xff\xfe", 2) == 0 || memcmp(text.data, "\xfe\xff", 2) == 0 ||
            text.data[0] == '\0' || text.data[1] == '\0');
}

void xml_scan_init(struct xml_scan *scan, struct str text)
{
    if (str_starts_with(text, STR("\xef\xbb\xbf"))) {
        text = str_slice(text, 3, text.len);
    }
    scan->name = scan->content = (struct str){.data = NULL, .len = 0};
    scan->depth = 0;
    scan->problem = NULL;
    scan->at = text.data;
    scan->end = text.len > 0 ? text.data + text.len : text.data;
    scan->ends_itself = scan->root_ended = false;
    scan->open_count = scan->binding_count = 0;
    if (text.len == 0) {
        scan->problem = "there is no message: the body is empty";
    } else if (looks_like_utf16(text)) {
        scan->problem = "the message is in UTF-16, and only UTF-8 is read here";
    } else if (!characters_are_good(text)) {
        scan->problem = "a byte is no character of XML in UTF-8";
    }
}

static size_t left_of(const struct xml_scan *scan)
{
    return (size_t)(scan->end - scan->at);
}

static bool is_at(const struct xml_scan *scan, struct str text)
{
    return left_of(scan) >= text.len && memcmp(scan->at, text.data, text.len) == 0;
}

static bool skip_blanks(struct xml_scan *scan)
{
    const char *from = scan->at;
    while (scan->at < scan->end && is_blank(*scan->at)) {
        scan->at++;
    }
    return scan->at > from;
}

/* Goes behind the next `mark`; false when it does not come. */
static bool skip_past(struct xml_scan *scan, struct str mark)
{
    size_t found = str_find(str_of(scan->at, left_of(scan)), mark);
    if (found == SIZE_MAX) {
        return false;
    }
    scan->at += found + mark.len;
    return true;
}

/* Reads "prefix:local" or "local" (Namespaces in XML 1.0, 3). */
static bool read_name(struct xml_scan *scan, struct str *name)
{
    const char *from = scan->at;
    const char *part = from;
    bool has_prefix = false;
    for (; scan->at < scan->end; scan->at++) {
        if (*scan->at == ':' && !has_prefix && scan->at > part) {
            has_prefix = true;
            part = scan->at + 1;
        } else if (scan->at == part ? !is_name_start(*scan->at) : !is_name_char(*scan->at)) {
            break;
        }
    }
    *name = str_of(from, (size_t)(scan->at - from));
    return scan->at > part;
}

static void split_name(struct str name, struct str *prefix, struct str *local)
{
    if (!str_split(name, ':', prefix, local)) {
        *local = name;
        *prefix = (struct str){.data = NULL, .len = 0};
    }
}

/* Whether every '&' starts one of the five entities known without a DTD, or a character number. */
static bool references_are_good(struct str text)
{
    size_t found;
    while ((found = str_find_byte(text, '&')) != SIZE_MAX) {
        struct str name;
        uint32_t code;
        if (!str_split(str_slice(text, found + 1, text.len), ';', &name, &text) ||
            !reference_parse(name, &code) || !is_character(code)) {
            return false;
        }
    }
    return true;
}

/* One `name="value"` of the XML declaration; false when the next is not called `name`. */
static bool read_declared(struct xml_scan *scan, struct str name, struct str *value)
{
    const char *from = scan->at;
    bool found = skip_blanks(scan) && is_at(scan, name);
    if (found) {
        scan->at += name.len;
        skip_blanks(scan);
        found = is_at(scan, STR("="));
    }
    if (found) {
        scan->at++;
        skip_blanks(scan);
        found = is_at(scan, STR("\"")) || is_at(scan, STR("'"));
    }
    const char *to = found ? memchr(scan->at + 1, *scan->at, left_of(scan) - 1) : NULL;
    if (to == NULL) {
        scan->at = from;
        return false;
    }
    *value = str_of(scan->at + 1, (size_t)(to - scan->at) - 1);
    scan->at = to + 1;
    return true;
}

/*
 * The XML declaration, if there is one (XML 1.0, 2.8). Its encoding must be one whose bytes are
 * UTF-8.
 */
static bool skip_declaration(struct xml_scan *scan)
{
    if (!is_at(scan, STR("<?xml"))) {
        return true;
    }
    scan->at += STR("<?xml").len;
    struct str value;
    if (!read_declared(scan, STR("version"), &value) || !str_equals(value, STR("1.0"))) {
        return false;
    }
    if (read_declared(scan, STR("encoding"), &value) && !str_equals_nocase(value, STR("utf-8")) &&
        !str_equals_nocase(value, STR("us-ascii"))) {
        return false;
    }
    if (read_declared(scan, STR("standalone"), &value) && !str_equals(value, STR("yes")) &&
        !str_equals(value, STR("no"))) {
        return false;
    }
    skip_blanks(scan);
    bool ends = is_at(scan, STR("?>"));
    scan->at += ends ? 2 : 0;
    return ends;
}

static bool bind_namespace(struct xml_scan *scan, struct str prefix, struct str uri)
{
    if (scan->binding_count == XML_SCAN_BINDINGS_CEILING) {
        return false;
    }
    scan->bindings[scan->binding_count++] = (struct xml_scan_binding){.prefix = prefix, .uri = uri};
    return true;
}

/* One attribute, `name="value"`. */
static const char *read_attribute(struct xml_scan *scan)
{
    struct str name;
    if (!read_name(scan, &name)) {
        return "a tag holds a character that no attribute may start with";
    }
    skip_blanks(scan);
    if (scan->at == scan->end || *scan->at != '=') {
        return "an attribute has no value";
    }
    scan->at++;
    skip_blanks(scan);
    if (scan->at == scan->end || (*scan->at != '"' && *scan->at != '\'')) {
        return "an attribute's value is not in quotes";
    }
    char quote = *scan->at++;
    const char *from = scan->at;
    const char *to = memchr(from, quote, left_of(scan));
    if (to == NULL) {
        return "an attribute's value does not end";
    }
    struct str value = str_of(from, (size_t)(to - from));
    scan->at = to + 1;
    if (str_find_byte(value, '<') != SIZE_MAX || !references_are_good(value)) {
        return "an attribute's value holds a '<' or an '&' that no entity follows";
    }
    struct str prefix;
    struct str local;
    split_name(name, &prefix, &local);
    bool is_default = prefix.len == 0 && str_equals(local, STR("xmlns"));
    if (is_default || str_equals(prefix, STR("xmlns"))) {
        if (!bind_namespace(scan, is_default ? (struct str){.data = NULL, .len = 0} : local,
                            value)) {
            return "there are too many namespace declarations";
        }
    }
    return NULL;
}

static void set_event_name(struct xml_scan *scan, struct str name)
{
    struct str prefix;
    split_name(name, &prefix, &scan->name);
    scan->depth = scan->open_count;
}

static enum xml_scan_event read_start(struct xml_scan *scan)
{
    scan->at++;
    struct str name;
    if (!read_name(scan, &name)) {
        return fail(scan, "a '<' is not followed by a name");
    }
    if (scan->root_ended) {
        return fail(scan, "there is a second root element");
    }
    if (scan->open_count == XML_SCAN_DEPTH_CEILING) {
        return fail(scan, "elements are nested too deeply");
    }
    if (scan->open_count > 0) {
        scan->open[scan->open_count - 1].has_elements = true;
    }
    struct xml_scan_element *element = &scan->open[scan->open_count++];
    *element = (struct xml_scan_element){.name = name, .bindings_before = scan->binding_count};
    for (;;) {
        bool blank = skip_blanks(scan);
        if (is_at(scan, STR(">"))) {
            scan->at++;
            break;
        }
        if (is_at(scan, STR("/>"))) {
            scan->at += 2;
            scan->ends_itself = true;
            break;
        }
        const char *problem = blank ? read_attribute(scan) : "a tag does not end";
        if (problem != NULL) {
            return fail(scan, problem);
        }
    }
    element->content = scan->at;
    set_event_name(scan, name);
    return XML_SCAN_START;
}

/* Closes the innermost element, whose content ended at `content_end`. */
static enum xml_scan_event end_element(struct xml_scan *scan, const char *content_end)
{
    const struct xml_scan_element *element = &scan->open[scan->open_count - 1];
    set_event_name(scan, element->name);
    scan->content = str_of(element->content,
                           element->has_elements ? 0 : (size_t)(content_end - element->content));
    scan->binding_count = element->bindings_before;
    scan->open_count--;
    scan->root_ended = scan->open_count == 0;
    return XML_SCAN_END;
}

static enum xml_scan_event read_end(struct xml_scan *scan)
{
    const char *content_end = scan->at;
    scan->at += 2;
    struct str name;
    if (!read_name(scan, &name) || scan->open_count == 0 ||
        !str_equals(name, scan->open[scan->open_count - 1].name)) {
        return fail(scan, "an end tag does not match its start tag");
    }
    skip_blanks(scan);
    if (!is_at(scan, STR(">"))) {
        return fail(scan, "an end tag does not end");
    }
    scan->at++;
    return end_element(scan, content_end);
}

/* Text up to the next '<'. */
static bool skip_text(struct xml_scan *scan)
{
    const char *to = memchr(scan->at, '<', left_of(scan));
    struct str text = str_of(scan->at, to == NULL ? left_of(scan) : (size_t)(to - scan->at));
    scan->at += text.len;
    if (scan->open_count == 0) {
        return str_trim(text).len == 0;
    }
    return references_are_good(text) &&
           (str_find_byte(text, ']') == SIZE_MAX || str_find(text, STR("]]>")) == SIZE_MAX);
}

/* <!-- -->, in which "--" must not be. */
static bool skip_comment(struct xml_scan *scan)
{
    scan->at += 4;
    return skip_past(scan, STR("--")) && is_at(scan, STR(">")) && scan->at++ != NULL;
}

/* Comment, CDATA section or what SOAP does not allow. True when it was passed over. */
static bool skip_markup(struct xml_scan *scan)
{
    if (is_at(scan, STR("<!--"))) {
        if (!skip_comment(scan)) {
            scan->problem = "a comment does not end";
        }
    } else if (is_at(scan, STR("<![CDATA[")) && scan->open_count > 0) {
        if (!skip_past(scan, STR("]]>"))) {
            scan->problem = "a CDATA section does not end";
        }
    } else if (is_at(scan, STR("<!DOCTYPE"))) {
        scan->problem = "there is a DOCTYPE, which SOAP does not allow";
    } else if (is_at(scan, STR("<?"))) {
        scan->problem = "there is a processing instruction, which SOAP does not allow";
    } else {
        scan->problem = "a '<!' starts nothing that is known";
    }
    return scan->problem == NULL;
}

enum xml_scan_event xml_scan_next(struct xml_scan *scan)
{
    if (scan->problem != NULL) {
        return XML_SCAN_ERROR;
    }
    if (scan->ends_itself) {
        scan->ends_itself = false;
        return end_element(scan, scan->at);
    }
    if (scan->depth == 0 && !skip_declaration(scan)) {
        return fail(scan, "the XML declaration is wrong, or names an encoding other than UTF-8");
    }
    while (scan->at < scan->end) {
        if (*scan->at != '<') {
            if (!skip_text(scan)) {
                return fail(scan, scan->open_count == 0
                                      ? "there is text outside of the root element"
                                      : "a text holds an '&' that no entity follows, or ']]>'");
            }
        } else if (is_at(scan, STR("</"))) {
            return read_end(scan);
        } else if (is_at(scan, STR("<!")) || is_at(scan, STR("<?"))) {
            if (!skip_markup(scan)) {
                return XML_SCAN_ERROR;
            }
        } else {
            return read_start(scan);
        }
    }
    return scan->root_ended ? XML_SCAN_DONE : fail(scan, "the message ends before its root does");
}

bool xml_scan_namespace(struct xml_scan *scan, struct str *uri)
{
    struct str prefix;
    struct str local;
    split_name(scan->open[scan->open_count - 1].name, &prefix, &local);
    for (size_t i = scan->binding_count; i > 0; i--) {
        if (str_equals(scan->bindings[i - 1].prefix, prefix)) {
            *uri = scan->bindings[i - 1].uri;
            return true;
        }
    }
    *uri = (struct str){.data = NULL, .len = 0};
    if (prefix.len > 0) {
        scan->problem = "a prefix is not declared";
    }
    return prefix.len == 0;
}
