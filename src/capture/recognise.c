/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a file is, from how it begins; names lie too often (.txt for everything). Signs are few and
 * strong, and what shows none of them is a body to be sent as it is. Formats that look like a
 * capture and cannot be read are refused by name: sent as a message they would only get faults.
 */
#include "lather/capture/recognise.h"

#include <string.h>

#include "lather/capture/http_text.h"
#include "lather/capture/json_cut.h"
#include "lather/capture/mime_body.h"
#include "lather/capture/shell.h"
#include "lather/capture/transcode.h"
#include "lather/soap/charset.h"
#include "lather/soap/sax.h"

enum { LOOK_BYTES = 64 * 1024 };

#define SOAPUI_NAMESPACE "http://eviware.com/soapui/config"
#define E2E_NAMESPACE    "http://schemas.microsoft.com/2004/06/E2ETraceEvent"

/* A kind, or CAPTURE_KIND_COUNT with the reason to refuse it; both unset: not recognised. */
struct finding {
    bool is_found;
    enum capture_kind kind;
    const char *refusal;
};

static struct finding found(enum capture_kind kind)
{
    return (struct finding){.is_found = true, .kind = kind};
}

static struct finding refused(const char *reason)
{
    return (struct finding){.is_found = true, .refusal = reason};
}

static const struct finding nothing = {.is_found = false};

/* ---- XML: its root decides */

static void on_start(void *context, const struct sax_element *element)
{
    struct finding *finding = context;
    if (element->depth != 1 || finding->is_found) {
        return;
    }
    struct str name = str_from(element->name);
    struct str uri = str_from(element->namespace_uri);
    struct str value;
    *finding = found(CAPTURE_XML);
    if (str_equals(uri, STR(SOAPUI_NAMESPACE))) {
        *finding = str_equals(name, STR("soapui-project"))
                       ? found(CAPTURE_SOAPUI)
                       : refused("a part of a composite SoapUI project: save the project as one "
                                 "file and give that");
    } else if (str_equals(uri, STR(E2E_NAMESPACE)) || str_equals(name, STR("E2ETraceEventList"))) {
        *finding = found(CAPTURE_SVCLOG);
    } else if (str_equals(name, STR("jmeterTestPlan")) && uri.len == 0) {
        *finding = found(CAPTURE_JMETER);
    } else if (str_equals(name, STR("items")) &&
               sax_attribute(element, "", "burpVersion", &value)) {
        *finding = refused("an export of Burp, which is not read here: save the request itself "
                           "(Copy to file)");
    }
}

static struct finding look_at_xml(struct str content)
{
    struct charset charset;
    charset_detect(content, &charset);
    struct finding finding = nothing;
    const struct sax_events events = {.start = on_start};
    struct sax *sax = sax_new(&events, &finding, SAX_DOCTYPE_IS_NOTED);
    sax_begin(sax, str_from(charset.name));
    sax_feed(sax, str_slice(content, 0, LOOK_BYTES));
    (void)sax_finish(sax);
    sax_free(sax);
    return finding;
}

/* ---- JSON: the names at its top decide */

static bool has(struct str object, struct str key)
{
    struct str value;
    return json_cut_find(object, key, &value);
}

/* A request as an HTTP archive has it: Postman's has "header". */
static bool is_har_request(struct str object)
{
    return json_cut_begins(object, '{') && has(object, STR("method")) && has(object, STR("url")) &&
           has(object, STR("headers")) && has(object, STR("postData"));
}

static bool is_har_entry(struct str object)
{
    struct str request;
    return json_cut_find(object, STR("request"), &request) && is_har_request(request);
}

static bool is_result(struct str object)
{
    struct str schema;
    return json_cut_find(object, STR("schema"), &schema) &&
           str_starts_with(schema, STR("\"lather/"));
}

static struct finding look_at_object(struct str text)
{
    struct str value;
    if (json_cut_find(text, STR("log"), &value)) {
        return has(value, STR("entries")) ? found(CAPTURE_HAR) : nothing;
    }
    if (is_result(text)) {
        return refused("a result of lather's own (--json), no message: `lather report` prints it; "
                       "give the file that holds the message");
    }
    if (is_har_entry(text) || is_har_request(text)) {
        return found(CAPTURE_HAR);
    }
    if (json_cut_find(text, STR("collection"), &value) && has(value, STR("item"))) {
        return found(CAPTURE_POSTMAN);
    }
    if (has(text, STR("item")) && (has(text, STR("info")) || has(text, STR("name")))) {
        return found(CAPTURE_POSTMAN);
    }
    if (has(text, STR("requests")) && (has(text, STR("order")) || has(text, STR("folders")))) {
        return refused("a Postman collection of version 1: export it as version 2.1");
    }
    return nothing;
}

static struct finding look_at_json(struct str text)
{
    if (json_cut_begins(text, '{')) {
        return look_at_object(text);
    }
    struct json_cut cut;
    struct str key;
    struct str first;
    json_cut_begin(&cut, text);
    if (!json_cut_next(&cut, &key, &first) || !json_cut_begins(first, '{')) {
        return nothing;
    }
    if (is_har_entry(first)) {
        return found(CAPTURE_HAR);
    }
    const bool is_items =
        has(first, STR("item")) || (has(first, STR("request")) && has(first, STR("name")));
    return is_items ? found(CAPTURE_POSTMAN) : nothing;
}

/* ---- text: its first line that says something decides */

static bool is_power_shell(struct str line)
{
    return str_find_nocase(line, STR("Invoke-WebRequest")) != SIZE_MAX ||
           str_find_nocase(line, STR("Invoke-RestMethod")) != SIZE_MAX ||
           str_find_nocase(line, STR("New-Object Microsoft.PowerShell")) != SIZE_MAX;
}

static struct finding look_at_line(struct str line, struct str text)
{
    struct str method;
    struct str target;
    unsigned status = 0;
    if (http_text_parse_request_line(line, &method, &target)) {
        return found(CAPTURE_RAW);
    }
    if (http_text_parse_status_line(line, &status)) {
        return found(CAPTURE_RAW); /* requests may follow; if none does, its reader says so */
    }
    if (is_power_shell(line)) {
        return refused("a PowerShell command (Invoke-WebRequest), which is not read here: copy "
                       "the request as cURL instead");
    }
    if (str_starts_with(line, STR("fetch(")) || str_starts_with(line, STR("await fetch("))) {
        return refused("a JavaScript fetch() call, which is not read here: copy the request as "
                       "cURL instead");
    }
    if (shell_begins_with(text, STR("curl"))) {
        return found(CAPTURE_CURL);
    }
    return nothing;
}

/* Over empty lines and rulers. */
static struct finding look_at_text(struct str content)
{
    struct str rest = content;
    struct str line;
    struct str before = rest;
    while (http_text_take_line(&rest, &line)) {
        if (str_trim(line).len > 0 && !http_text_is_ruler(line)) {
            break;
        }
        before = rest;
    }
    if (before.len == 0) {
        return nothing;
    }
    struct finding finding = look_at_line(str_slice(line, 0, LOOK_BYTES), before);
    if (finding.is_found) {
        return finding;
    }
    return mime_body_begins(content) ? found(CAPTURE_MIME) : nothing;
}

/* ---- all together */

static struct finding look(struct str content)
{
    struct str text = content;
    if (str_starts_with(text, STR("\xEF\xBB\xBF"))) {
        text = str_slice(text, 3, text.len);
    }
    struct str begin = str_trim(str_slice(text, 0, LOOK_BYTES));
    if (json_cut_begins(begin, '{') || json_cut_begins(begin, '[')) {
        return look_at_json(str_trim(text));
    }
    if (json_cut_begins(begin, '<')) {
        return look_at_xml(content);
    }
    return look_at_text(text);
}

/* Text in UTF-16 with its mark, as UTF-8. False when it is something else. */
static bool decode_utf16(struct str content, struct buf *decoded)
{
    const char *charset = str_starts_with(content, STR("\xFF\xFE"))   ? "UTF-16LE"
                          : str_starts_with(content, STR("\xFE\xFF")) ? "UTF-16BE"
                                                                      : NULL;
    return charset != NULL &&
           transcode_to_utf8(str_slice(content, 2, content.len), str_from(charset), decoded);
}

/* A file that claims by its name to be what its content is not; NULL when it claims nothing. */
static const char *broken_claim(const char *name)
{
    static const struct {
        struct str end;
        const char *sentence;
    } claims[] = {
        {{".saz", 4}, "not a ZIP file, so no Fiddler archive, though it is named so"},
        {{".har", 4}, "no HTTP archive in it, though it is named so"},
        {{".svclog", 7}, "no WCF message log in it, though it is named so"},
        {{".jmx", 4}, "no JMeter test plan in it, though it is named so"},
    };
    struct str text = str_from(name);
    for (size_t i = 0; i < sizeof claims / sizeof claims[0]; i++) {
        size_t len = claims[i].end.len;
        if (text.len > len &&
            str_equals_nocase(str_slice(text, text.len - len, text.len), claims[i].end)) {
            return claims[i].sentence;
        }
    }
    return NULL;
}

bool recognise(struct str content, const char *name, struct buf *decoded, enum capture_kind *kind,
               struct err *err)
{
    *kind = CAPTURE_BYTES;
    if (str_starts_with(content, STR("PK\x03\x04")) ||
        str_starts_with(content, STR("PK\x05\x06"))) {
        *kind = CAPTURE_SAZ;
        return true;
    }
    struct finding finding = look(content);
    if (!finding.is_found && decode_utf16(content, decoded)) {
        finding = look(buf_view(decoded));
        if (!finding.is_found || finding.kind == CAPTURE_XML) {
            buf_reset(decoded); /* goes out in the encoding it has */
        }
    }
    if (finding.refusal != NULL) {
        return err_set(err, ERR_FORMAT, "%.200s: %s", name, finding.refusal);
    }
    if (finding.is_found) {
        *kind = finding.kind;
        return true;
    }
    const char *claim = broken_claim(name);
    return claim == NULL || err_set(err, ERR_FORMAT, "%.200s: %s", name, claim);
}
