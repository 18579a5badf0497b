/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the user expects of an answer: the values behind --validate, --expect-status and their
 * like. Only values live here; judge.c decides with them. A status set holds statuses from 100 to
 * 999 and nothing else: asking for any other number is answered with no.
 */
#include "lather/soap/expect.h"

#include <stdlib.h>

#include "lather/base/buf.h"
#include "lather/soap/golden.h"
#include "lather/soap/schema.h"

enum { STATUS_LEAST = 100, STATUS_MOST = 999, BITS_PER_WORD = 64 };

const char *validate_name(enum validate validate)
{
    static const char *const names[VALIDATE_COUNT] = {
        [VALIDATE_OFF] = "off", [VALIDATE_SOAP] = "soap", [VALIDATE_FULL] = "full"};
    return validate < VALIDATE_COUNT ? names[validate] : "";
}

bool validate_parse(struct str name, enum validate *validate, struct err *err)
{
    for (int i = 0; i < VALIDATE_COUNT; i++) {
        if (str_equals(name, str_from(validate_name((enum validate)i)))) {
            *validate = (enum validate)i;
            return true;
        }
    }
    return err_set(err, ERR_USAGE,
                   "\"%.*s\" is no way to validate: off, soap, full or a "
                   "part of the answers, as 50%%",
                   STR_ARG(str_slice(name, 0, 40)));
}

void status_set_add(struct status_set *set, unsigned status)
{
    if (status >= STATUS_LEAST && status <= STATUS_MOST) {
        set->bits[status / BITS_PER_WORD] |= UINT64_C(1) << (status % BITS_PER_WORD);
    }
}

bool status_set_has(const struct status_set *set, unsigned status)
{
    return status >= STATUS_LEAST && status <= STATUS_MOST &&
           (set->bits[status / BITS_PER_WORD] >> (status % BITS_PER_WORD) & 1) != 0;
}

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

/* "200" or "2xx" as the first and last status meant. */
static bool status_range_parse(struct str part, unsigned *from, unsigned *to)
{
    if (part.len != 3 || part.data[0] < '1' || !is_digit(part.data[0])) {
        return false;
    }
    unsigned hundreds = (unsigned)(part.data[0] - '0') * 100;
    if (str_equals_nocase(str_slice(part, 1, 3), STR("xx"))) {
        *from = hundreds;
        *to = hundreds + 99;
        return true;
    }
    if (!is_digit(part.data[1]) || !is_digit(part.data[2])) {
        return false;
    }
    *from = hundreds + (unsigned)(part.data[1] - '0') * 10 + (unsigned)(part.data[2] - '0');
    *to = *from;
    return true;
}

bool status_set_parse(struct status_set *set, struct str list, struct err *err)
{
    struct status_set parsed = *set;
    struct str rest = list;
    bool more = true;
    while (more) {
        struct str part;
        more = str_split(rest, ',', &part, &rest);
        part = str_trim(part);
        unsigned from;
        unsigned to;
        if (!status_range_parse(part, &from, &to)) {
            return err_set(err, ERR_USAGE,
                           "\"%.*s\" is no HTTP status: write 100 to 999 or a class such as 5xx, "
                           "separated by commas",
                           STR_ARG(str_slice(part, 0, 40)));
        }
        for (unsigned status = from; status <= to; status++) {
            status_set_add(&parsed, status);
        }
    }
    *set = parsed;
    return true;
}

void expect_init(struct expect *expect)
{
    *expect = (struct expect){.validate = VALIDATE_OFF,
                              .max_answer_bytes = EXPECT_MAX_ANSWER_BYTES,
                              .judged_share = EXPECT_SHARE_ALL};
    for (unsigned status = 200; status <= 299; status++) {
        status_set_add(&expect->statuses, status);
    }
}

static void list_deinit(struct expect_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->items[i]);
    }
    free(list->items);
}

static void free_xpaths(struct xpath **xpaths, size_t *count)
{
    for (size_t i = 0; i < *count; i++) {
        xpath_deinit(&(*xpaths)[i]);
    }
    free(*xpaths);
    *xpaths = NULL;
    *count = 0;
}

void expect_deinit(struct expect *expect)
{
    free_xpaths(&expect->xpaths, &expect->xpath_count);
    free_xpaths(&expect->ignored, &expect->ignored_count);
    list_deinit(&expect->ignored_sources);
    schema_free(expect->schema);
    golden_free(expect->golden);
    free(expect->fault_code);
    free(expect->action);
    list_deinit(&expect->texts);
    list_deinit(&expect->rejected);
    list_deinit(&expect->sources);
    namespaces_deinit(&expect->namespaces);
    expect_init(expect);
}

void expect_set_fault(struct expect *expect, struct str code)
{
    free(expect->fault_code);
    expect->wants_fault = true;
    expect->fault_code = code.len > 0 ? str_dup(code) : NULL;
}

/* "12.5" as 1250 of 10,000. */
static bool share_parse(struct str text, uint32_t *share)
{
    struct str whole;
    struct str part;
    bool has_part = str_split(text, '.', &whole, &part);
    uint64_t percent;
    uint64_t hundredths = 0;
    if (!str_to_u64(whole, &percent) || percent > 100 || part.len > 2 ||
        (has_part && !str_to_u64(part, &hundredths))) {
        return false;
    }
    uint64_t value = percent * 100 + hundredths * (part.len == 1 ? 10 : 1);
    *share = (uint32_t)value;
    return value > 0 && value <= EXPECT_SHARE_ALL;
}

bool expect_set_validate(struct expect *expect, struct str text, struct err *err)
{
    if (!str_ends_with(text, STR("%"))) {
        expect->judged_share = EXPECT_SHARE_ALL;
        return validate_parse(text, &expect->validate, err);
    }
    uint32_t share;
    if (!share_parse(str_slice(text, 0, text.len - 1), &share)) {
        return err_set(err, ERR_USAGE, "\"%.*s\" is no share of the answers: from 0.01%% to 100%%",
                       STR_ARG(str_slice(text, 0, 40)));
    }
    expect->validate = VALIDATE_SOAP;
    expect->judged_share = share;
    return true;
}

static bool list_add(struct expect_list *list, struct str text, struct err *err)
{
    if (text.len == 0) {
        return err_set(err, ERR_USAGE, "an empty text says nothing about an answer");
    }
    if (list->count == EXPECT_LIST_CEILING) {
        return err_set(err, ERR_USAGE, "more than %d of a kind", EXPECT_LIST_CEILING);
    }
    list->items = check_realloc(list->items, (list->count + 1) * sizeof(*list->items));
    list->items[list->count++] = str_dup(text);
    return true;
}

bool expect_add_text(struct expect *expect, struct str text, struct err *err)
{
    return list_add(&expect->texts, text, err);
}

bool expect_add_rejected(struct expect *expect, struct str text, struct err *err)
{
    return list_add(&expect->rejected, text, err);
}

bool expect_add_xpath(struct expect *expect, struct str text, struct err *err)
{
    return list_add(&expect->sources, str_trim(text), err);
}

bool expect_add_namespace(struct expect *expect, struct str text, struct err *err)
{
    return namespaces_parse(&expect->namespaces, text, err);
}

void expect_take_namespaces(struct expect *expect, struct str message)
{
    namespaces_take(&expect->namespaces, message);
}

bool expect_add_ignored(struct expect *expect, struct str text, struct err *err)
{
    return list_add(&expect->ignored_sources, str_trim(text), err);
}

static bool set_schema(struct expect *expect, struct schema *schema, struct err *err)
{
    if (schema == NULL) {
        return false;
    }
    if (expect->schema != NULL) {
        schema_free(schema);
        return err_set(err, ERR_USAGE, "one --xsd or --wsdl is enough: a schema may import others");
    }
    expect->schema = schema;
    return true;
}

bool expect_set_xsd(struct expect *expect, const char *path, struct err *err)
{
    return set_schema(expect, schema_load_xsd(path, err), err);
}

bool expect_set_wsdl(struct expect *expect, const char *path, struct err *err)
{
    return set_schema(expect, schema_load_wsdl(path, err), err);
}

bool expect_set_golden(struct expect *expect, const char *path, struct err *err)
{
    struct golden *golden = golden_load(path, err);
    if (golden == NULL) {
        return false;
    }
    golden_free(expect->golden);
    expect->golden = golden;
    if (expect->action == NULL && golden_action(golden)[0] != '\0') {
        expect->action = str_dup(str_from(golden_action(golden)));
    }
    return true;
}

static bool read_xpaths(const struct expect *expect, const struct expect_list *sources,
                        struct xpath **xpaths, size_t *count, struct err *err)
{
    free_xpaths(xpaths, count);
    *xpaths = check_calloc(sources->count + 1, sizeof(**xpaths));
    for (size_t i = 0; i < sources->count; i++) {
        if (!xpath_parse(&(*xpaths)[i], str_from(sources->items[i]), &expect->namespaces, err)) {
            return false;
        }
        (*count)++;
    }
    return true;
}

/* What a path does not find in an answer known to be good it will not find in others. */
static bool xpath_suits_golden(struct xpath_reader *reader, const struct xpath *xpath,
                               struct err *err)
{
    struct buf advice;
    buf_init(&advice);
    bool is_lost = !xpath_is_true(reader, xpath) && xpath_diagnose(reader, xpath, &advice);
    if (is_lost) {
        (void)err_set(
            err, ERR_USAGE, "--expect-xpath: XPath %.*s is not true of the golden answer%.*s",
            STR_ARG(str_slice(str_from(xpath->text), 0, 100)), STR_ARG(buf_view(&advice)));
    }
    buf_deinit(&advice);
    return !is_lost;
}

static bool check_golden(struct expect *expect, struct err *err)
{
    struct xpath_reader *reader = xpath_reader_new(&expect->namespaces);
    bool is_good = true;
    for (size_t i = 0; i < expect->ignored_count; i++) {
        golden_ignore(expect->golden, reader, &expect->ignored[i]);
    }
    xpath_reader_set(reader, golden_tree(expect->golden));
    for (size_t i = 0; i < expect->xpath_count && is_good; i++) {
        is_good = xpath_suits_golden(reader, &expect->xpaths[i], err);
    }
    xpath_reader_free(reader);
    return is_good;
}

bool expect_asks_inside(const struct expect *expect)
{
    return expect->sources.count > 0 || expect->texts.count > 0 || expect->rejected.count > 0 ||
           expect->schema != NULL || expect->golden != NULL || expect->wants_fault;
}

bool expect_freeze(struct expect *expect, struct err *err)
{
    if (expect->golden != NULL) {
        namespaces_take(&expect->namespaces, golden_text(expect->golden));
    }
    if (!read_xpaths(expect, &expect->sources, &expect->xpaths, &expect->xpath_count, err)) {
        return err_prefix(err, "--expect-xpath");
    }
    if (!read_xpaths(expect, &expect->ignored_sources, &expect->ignored, &expect->ignored_count,
                     err)) {
        return err_prefix(err, "--ignore");
    }
    for (size_t i = 0; i < expect->ignored_count; i++) {
        if (!expect->ignored[i].selects_nodes) {
            return err_set(err, ERR_USAGE, "--ignore: XPath %.*s selects no nodes, it is a value",
                           STR_ARG(str_slice(str_from(expect->ignored[i].text), 0, 100)));
        }
    }
    if (expect->golden == NULL && expect->ignored_count > 0) {
        return err_set(err, ERR_USAGE, "--ignore is about the comparison with --golden FILE");
    }
    return expect->golden == NULL || check_golden(expect, err);
}
