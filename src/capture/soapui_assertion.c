/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Assertions of SoapUI in the words of this program's options. It translates only what means the
 * same here; everything else is listed, never weakened. The trap: the type "SOAP Fault Assertion"
 * expects that there is no Fault, and "Not SOAP Fault Assertion" expects one; SoapUI mixed them up
 * long ago and keeps them for old projects.
 */
#include "lather/capture/soapui_assertion.h"

#include <stdint.h>

#include "lather/capture/gather.h"

enum { SHOWN_BYTES = 80 };

enum soapui_setting soapui_assertion_setting(struct str element)
{
    static const struct str names[SOAPUI_SETTING_COUNT] = {
        [SOAPUI_TOKEN] = {"token", 5},
        [SOAPUI_IGNORE_CASE] = {"ignoreCase", 10},
        [SOAPUI_USE_REGEX] = {"useRegEx", 8},
        [SOAPUI_PATH] = {"path", 4},
        [SOAPUI_CONTENT] = {"content", 7},
        [SOAPUI_WILDCARDS] = {"allowWildcards", 14},
        [SOAPUI_SLA] = {"SLA", 3},
        [SOAPUI_CODES] = {"codes", 5},
    };
    for (int i = 0; i < SOAPUI_SETTING_COUNT; i++) {
        if (str_equals(names[i], element)) {
            return (enum soapui_setting)i;
        }
    }
    return SOAPUI_SETTING_COUNT;
}

/* A translation in the making. */
struct translating {
    const struct soapui_assertion *assertion;
    struct buf *expectations;
    struct buf *untranslated;
};

static struct str setting(const struct translating *translating, enum soapui_setting which)
{
    return buf_view(&translating->assertion->settings[which]);
}

static bool is_on(const struct translating *translating, enum soapui_setting which)
{
    return str_equals_nocase(str_trim(setting(translating, which)), STR("true"));
}

static void give_up(struct translating *translating, const char *reason)
{
    struct buf *text = translating->untranslated;
    gather_append_clean(text, buf_view(&translating->assertion->type), SHOWN_BYTES);
    if (translating->assertion->name.len > 0) {
        buf_append_str(text, STR(" \""));
        gather_append_clean(text, buf_view(&translating->assertion->name), SHOWN_BYTES);
        buf_append_byte(text, '"');
    }
    buf_printf(text, ": %s\n", reason);
}

static bool has_line(const struct buf *lines, struct str line)
{
    struct str rest = buf_view(lines);
    struct str head;
    while (rest.len > 0) {
        (void)str_split(rest, '\n', &head, &rest);
        if (str_equals(head, line)) {
            return true;
        }
    }
    return false;
}

/* A line can hold any text but a line break. */
static bool fits_line(struct str value)
{
    return str_find_byte(value, '\n') == SIZE_MAX && str_find_byte(value, '\r') == SIZE_MAX &&
           str_find_byte(value, '\0') == SIZE_MAX;
}

/* "--option value"; an empty value: the option alone. */
static void expect(struct translating *translating, const char *option, struct str value)
{
    struct buf line;
    buf_init(&line);
    buf_append_str(&line, str_from(option));
    if (value.len > 0) {
        buf_append_byte(&line, ' ');
        buf_append_str(&line, value);
    }
    if (!fits_line(buf_view(&line))) {
        give_up(translating, "its text has line breaks");
    } else if (!has_line(translating->expectations, buf_view(&line))) {
        buf_append_str(translating->expectations, buf_view(&line));
        buf_append_byte(translating->expectations, '\n');
    }
    buf_deinit(&line);
}

static void translate_text(struct translating *translating, const char *option)
{
    struct str token = setting(translating, SOAPUI_TOKEN);
    if (is_on(translating, SOAPUI_USE_REGEX)) {
        give_up(translating, "no option takes a regular expression");
    } else if (is_on(translating, SOAPUI_IGNORE_CASE)) {
        give_up(translating, "no option ignores the case of a text");
    } else if (token.len == 0) {
        give_up(translating, "it has no text");
    } else {
        expect(translating, option, token);
    }
}

static void translate_contains(struct translating *translating)
{
    translate_text(translating, "--expect-text");
}

static void translate_contains_not(struct translating *translating)
{
    translate_text(translating, "--reject-text");
}

/* ---- XPath Match */

/* The prefix is bound to another URI by a line that is there already. */
static bool is_bound_otherwise(const struct buf *lines, struct str prefix, struct str binding)
{
    struct str rest = buf_view(lines);
    struct str line;
    while (rest.len > 0) {
        (void)str_split(rest, '\n', &line, &rest);
        struct str name;
        struct str uri;
        if (str_starts_with(line, STR("--ns ")) &&
            str_split(str_slice(line, 5, line.len), '=', &name, &uri) && str_equals(name, prefix) &&
            !str_equals(str_slice(line, 5, line.len), binding)) {
            return true;
        }
    }
    return false;
}

/* Takes "declare namespace p='uri';" off the front. Binding: "p=uri". False when there is none. */
static bool take_declaration(struct str *path, struct buf *binding)
{
    struct str declaration;
    struct str rest;
    struct str name;
    struct str uri;
    if (!str_starts_with(*path, STR("declare namespace ")) ||
        !str_split(*path, ';', &declaration, &rest) ||
        !str_split(str_slice(declaration, 18, declaration.len), '=', &name, &uri)) {
        return false;
    }
    name = str_trim(name);
    uri = str_trim(uri);
    bool is_quoted = uri.len > 2 && (uri.data[0] == '\'' || uri.data[0] == '"') &&
                     uri.data[uri.len - 1] == uri.data[0];
    if (!is_quoted || name.len == 0) {
        return false;
    }
    buf_reset(binding);
    buf_append_str(binding, name);
    buf_append_byte(binding, '=');
    buf_append_str(binding, str_slice(uri, 1, uri.len - 1));
    *path = str_trim(rest);
    return true;
}

/* NULL, or why the declarations cannot be taken over; they are added to lines. */
static const char *translate_declarations(struct translating *translating, struct str *path,
                                          struct buf *lines)
{
    const char *problem = NULL;
    struct buf binding;
    buf_init(&binding);
    while (problem == NULL && take_declaration(path, &binding)) {
        struct str name;
        struct str uri;
        (void)str_split(buf_view(&binding), '=', &name, &uri);
        if (!fits_line(buf_view(&binding))) {
            problem = "its namespaces have line breaks";
        } else if (is_bound_otherwise(translating->expectations, name, buf_view(&binding))) {
            problem = "another assertion uses one of its prefixes for another namespace";
        } else {
            buf_append_str(lines, buf_view(&binding));
            buf_append_byte(lines, '\n');
        }
    }
    buf_deinit(&binding);
    if (problem == NULL && str_starts_with(*path, STR("declare "))) {
        problem = "its declarations are not those of XPath 1.0";
    }
    return problem;
}

/* An expression on one line, as blanks and line ends mean the same outside of literals. */
static void append_on_line(struct buf *text, struct str expression)
{
    for (size_t i = 0; i < expression.len; i++) {
        char byte = expression.data[i];
        buf_append_byte(text, byte == '\n' || byte == '\r' || byte == '\t' ? ' ' : byte);
    }
}

/* "exists(PATH)" of XPath 2.0, the whole of it; then *inner is PATH. */
static bool is_exists(struct str path, struct str *inner)
{
    unsigned depth = 0;
    if (!str_starts_with(path, STR("exists(")) || !str_ends_with(path, STR(")"))) {
        return false;
    }
    for (size_t i = 0; i < path.len; i++) {
        depth += path.data[i] == '(' ? 1 : 0;
        depth -= path.data[i] == ')' && depth > 0 ? 1 : 0;
        if (depth == 0 && path.data[i] == ')' && i + 1 < path.len) {
            return false; /* it was closed before: "exists(a) and exists(b)" */
        }
    }
    *inner = str_slice(path, sizeof "exists(" - 1, path.len - 1);
    return true;
}

/* "boolean(PATH)", or "not(PATH)" where it must not exist. */
static void append_existence(struct buf *text, struct str path, struct str content)
{
    buf_append_str(text, str_equals_nocase(content, STR("false")) ? STR("not(") : STR("boolean("));
    append_on_line(text, path);
    buf_append_byte(text, ')');
}

/* "string(PATH)='CONTENT'", or "boolean(PATH)" for any content. */
static void append_comparison(struct buf *text, struct str path, struct str content, bool is_any)
{
    buf_append_str(text, is_any ? STR("boolean(") : STR("string("));
    append_on_line(text, path);
    buf_append_byte(text, ')');
    if (!is_any) {
        char quote = str_find_byte(content, '\'') == SIZE_MAX ? '\'' : '"';
        buf_append_byte(text, '=');
        buf_append_byte(text, quote);
        buf_append_str(text, content);
        buf_append_byte(text, quote);
    }
}

static const char *content_fault(struct translating *translating, struct str content, bool is_any)
{
    if (str_starts_with(str_trim(content), STR("<"))) {
        return "it compares XML, not text";
    }
    if (is_on(translating, SOAPUI_WILDCARDS) && !is_any &&
        str_find_byte(content, '*') != SIZE_MAX) {
        return "no option takes wildcards in a text";
    }
    if (str_find(content, STR("${")) != SIZE_MAX) {
        return "it compares with a property of the project";
    }
    if (str_find_byte(content, '\'') != SIZE_MAX && str_find_byte(content, '"') != SIZE_MAX) {
        return "its text has quotes of both kinds";
    }
    return NULL;
}

static void translate_xpath(struct translating *translating)
{
    struct str path = str_trim(setting(translating, SOAPUI_PATH));
    struct str content = setting(translating, SOAPUI_CONTENT);
    bool is_any = is_on(translating, SOAPUI_WILDCARDS) && str_equals(str_trim(content), STR("*"));
    struct buf bindings;
    buf_init(&bindings);
    const char *problem = translate_declarations(translating, &path, &bindings);
    if (problem == NULL) {
        problem =
            path.len == 0 ? "it has no expression" : content_fault(translating, content, is_any);
    }
    if (problem != NULL) {
        give_up(translating, problem);
        buf_deinit(&bindings);
        return;
    }
    struct str rest = buf_view(&bindings);
    struct str binding;
    while (rest.len > 0) {
        (void)str_split(rest, '\n', &binding, &rest);
        expect(translating, "--ns", binding);
    }
    struct buf expression;
    buf_init(&expression);
    struct str inner;
    if (is_exists(path, &inner)) {
        append_existence(&expression, inner, str_trim(content));
    } else {
        append_comparison(&expression, path, content, is_any);
    }
    expect(translating, "--expect-xpath", buf_view(&expression));
    buf_deinit(&expression);
    buf_deinit(&bindings);
}

/* ---- the other kinds */

static void translate_sla(struct translating *translating)
{
    struct str limit = str_trim(setting(translating, SOAPUI_SLA));
    uint64_t ms = 0;
    if (str_to_u64(limit, &ms)) {
        expect(translating, "--max-time", limit);
    } else {
        give_up(translating, "its limit is no number of milliseconds");
    }
}

static void translate_codes(struct translating *translating)
{
    struct buf list;
    buf_init(&list);
    struct str rest = setting(translating, SOAPUI_CODES);
    struct str code;
    bool is_good = str_trim(rest).len > 0;
    while (rest.len > 0) {
        uint64_t status = 0;
        (void)str_split(rest, ',', &code, &rest);
        code = str_trim(code);
        is_good = is_good && str_to_u64(code, &status) && status >= 100 && status <= 999;
        buf_append_str(&list, list.len == 0 ? STR("") : STR(","));
        buf_append_str(&list, code);
    }
    if (is_good) {
        expect(translating, "--expect-status", buf_view(&list));
    } else {
        give_up(translating, "its statuses are no list of numbers");
    }
    buf_deinit(&list);
}

static void translate_fault(struct translating *translating)
{
    expect(translating, "--expect-fault", STR(""));
}

static void translate_response(struct translating *translating)
{
    expect(translating, "--validate", STR("soap"));
}

void soapui_assertion_translate(const struct soapui_assertion *assertion, struct buf *expectations,
                                struct buf *untranslated)
{
    static const struct {
        struct str type;
        void (*translate)(struct translating *translating);
    } kinds[] = {
        {{"SOAP Response", 13}, translate_response},
        {{"SOAP Fault Assertion", 20}, translate_response}, /* no Fault: what is judged anyway */
        {{"Not SOAP Fault Assertion", 24}, translate_fault},
        {{"XPath Match", 11}, translate_xpath},
        {{"Simple Contains", 15}, translate_contains},
        {{"Simple NotContains", 18}, translate_contains_not},
        {{"Response SLA Assertion", 22}, translate_sla},
        {{"Valid HTTP Status Codes", 23}, translate_codes},
    };
    struct translating translating = {
        .assertion = assertion, .expectations = expectations, .untranslated = untranslated};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (str_equals(kinds[i].type, buf_view(&assertion->type))) {
            kinds[i].translate(&translating);
            return;
        }
    }
    give_up(&translating, "no option expects that");
}

void soapui_assertion_deinit(struct soapui_assertion *assertion)
{
    buf_deinit(&assertion->type);
    buf_deinit(&assertion->name);
    for (int i = 0; i < SOAPUI_SETTING_COUNT; i++) {
        buf_deinit(&assertion->settings[i]);
    }
}
