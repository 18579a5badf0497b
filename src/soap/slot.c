/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The language of templates: what may stand between "${" and "}". It reads one such expression and
 * fills nothing in. Values that are the same in every request (var, env) come back as text. The
 * trap is `now`: its format may hold colons and signs itself, so an offset is recognised from the
 * end, and only with a unit.
 */
#include "lather/soap/slot.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lather/base/buf.h"

enum { NEAR_ENOUGH = 3 };
#define COUNTER_START_CEILING (UINT64_MAX / 2)

struct reading {
    struct str rest; /* behind the name */
    const struct slot_names *names;
    struct slot *slot;
    struct err *err;
};

static bool refuse_rest(struct reading *reading, const char *usage)
{
    return reading->rest.len == 0 || err_set(reading->err, ERR_FORMAT, "write it as ${%s}", usage);
}

/* What follows a colon; false when there is none. */
static bool take_argument(struct reading *reading, struct str *argument)
{
    if (!str_starts_with(reading->rest, STR(":"))) {
        return false;
    }
    *argument = str_slice(reading->rest, 1, reading->rest.len);
    reading->rest = str_slice(reading->rest, reading->rest.len, reading->rest.len);
    return true;
}

static bool parse_counter(struct reading *reading)
{
    struct str argument;
    reading->slot->start = 1;
    if (take_argument(reading, &argument)) {
        if (!str_to_u64(argument, &reading->slot->start) ||
            reading->slot->start > COUNTER_START_CEILING) {
            return err_set(reading->err, ERR_FORMAT,
                           "a counter starts at a whole number from 0 to "
                           "%" PRIu64 ", not at \"%.*s\"",
                           COUNTER_START_CEILING, STR_ARG(str_slice(argument, 0, 40)));
        }
    }
    return refuse_rest(reading, "counter} or ${counter:START");
}

static bool parse_uuid(struct reading *reading)
{
    reading->slot->style = IDS_DASHED;
    return refuse_rest(reading, "uuid");
}

static bool parse_worker(struct reading *reading)
{
    return refuse_rest(reading, "worker");
}

/* A whole number, of 63 bits, with or without "-" in front; moves over it. */
static bool take_number(struct str *rest, int64_t *number)
{
    bool is_negative = str_starts_with(*rest, STR("-"));
    size_t from = is_negative ? 1 : 0;
    size_t to = from;
    uint64_t value;
    while (to < rest->len && rest->data[to] >= '0' && rest->data[to] <= '9') {
        to++;
    }
    if (!str_to_u64(str_slice(*rest, from, to), &value) || value > INT64_MAX) {
        return false;
    }
    *number = is_negative ? -(int64_t)value : (int64_t)value;
    *rest = str_slice(*rest, to, rest->len);
    return true;
}

static bool parse_random(struct reading *reading)
{
    struct str rest = str_of(NULL, 0);
    int64_t least = 0;
    int64_t most = 0;
    bool good = take_argument(reading, &rest) && take_number(&rest, &least) &&
                str_starts_with(rest, STR("-"));
    rest = str_slice(rest, 1, rest.len);
    if (!good || !take_number(&rest, &most) || rest.len > 0) {
        return err_set(reading->err, ERR_FORMAT, "write it as ${random:A-B}, with whole numbers");
    }
    if (least > most) {
        return err_set(reading->err, ERR_FORMAT, "%" PRId64 " is more than %" PRId64, least, most);
    }
    reading->slot->least = least;
    reading->slot->span = (uint64_t)most - (uint64_t)least;
    return true;
}

/* Where an offset begins: at the last sign that a digit or point follows, if a unit ends it. */
static size_t find_offset(struct str text)
{
    for (size_t at = text.len; at > 0; at--) {
        char byte = text.data[at - 1];
        if (byte == '+' || byte == '-') {
            char next = at < text.len ? text.data[at] : '\0';
            char last = text.data[text.len - 1];
            bool is_offset = ((next >= '0' && next <= '9') || next == '.') && last != '\0' &&
                             strchr("smhd", last) != NULL;
            return is_offset ? at - 1 : text.len;
        }
        if (strchr("0123456789.numsdh", byte) == NULL || byte == '\0') {
            return text.len;
        }
    }
    return text.len;
}

static bool parse_now(struct reading *reading)
{
    struct slot *slot = reading->slot;
    size_t at = find_offset(reading->rest);
    struct str offset = str_slice(reading->rest, at, reading->rest.len);
    reading->rest = str_slice(reading->rest, 0, at);
    slot->distance = (struct stamp){0, 0};
    if (offset.len > 0 && !stamp_parse_distance(offset, &slot->distance, reading->err)) {
        return false;
    }
    struct str format;
    if (!take_argument(reading, &format)) {
        stamp_format_iso(&slot->format, (struct stamp_style){3, '.'});
    } else if (format.len > 0 && str_find_byte(format, '%') == SIZE_MAX) {
        return err_set(
            reading->err, ERR_FORMAT,
            "its form has no code, which begin with %%: write %%Y-%%m-%%d or %%H:%%M:%%S");
    } else if (!stamp_format_parse(&slot->format, format, reading->err)) {
        return false;
    }
    return refuse_rest(reading, "now}, ${now:FORMAT}, ${now+OFFSET} or ${now:FORMAT+OFFSET} with "
                                "an OFFSET such as 90s, 15m, 2h or 7d");
}

/* The text in lower case, for comparison; cut at the size. */
static struct str lower(struct str text, char place[32])
{
    text = str_slice(text, 0, 32);
    for (size_t i = 0; i < text.len; i++) {
        char byte = text.data[i];
        place[i] = byte >= 'A' && byte <= 'Z' ? (char)(byte - 'A' + 'a') : byte;
    }
    return str_of(place, text.len);
}

/* The nearest of several names, as they are shown one after the other. */
struct nearest {
    struct str wanted;
    struct str name;
    size_t distance;
};

static void nearest_show(struct nearest *nearest, struct str name)
{
    char wanted_place[32];
    char name_place[32];
    size_t distance = str_distance(lower(nearest->wanted, wanted_place), lower(name, name_place));
    if (distance < nearest->distance && distance <= NEAR_ENOUGH && distance < name.len) {
        nearest->name = name;
        nearest->distance = distance;
    }
}

static bool refuse_unknown(struct reading *reading, struct str what, const struct nearest *nearest,
                           const char *prefix, const char *otherwise)
{
    if (nearest->name.len > 0) {
        return err_set(reading->err, ERR_FORMAT, "%.*s: did you mean ${%s%.*s}?", STR_ARG(what),
                       prefix, STR_ARG(str_slice(nearest->name, 0, 60)));
    }
    return err_set(reading->err, ERR_FORMAT, "%.*s%s", STR_ARG(what), otherwise);
}

/* "x.csv has no column order" */
static bool refuse_column(struct reading *reading, struct str column)
{
    const struct csv *data = reading->names->data;
    struct nearest nearest = {.wanted = column, .distance = SIZE_MAX};
    struct buf what;
    struct buf list;
    buf_init(&what);
    buf_init(&list);
    buf_printf(&what, "%.200s has no column %.*s", csv_name(data),
               STR_ARG(str_slice(column, 0, 60)));
    buf_append_str(&list, STR("; its columns are"));
    for (size_t i = 0; i < csv_column_count(data); i++) {
        struct str name = csv_column_name(data, i);
        nearest_show(&nearest, name);
        if (list.len < 100) {
            buf_printf(&list, "%s %.*s", i == 0 ? "" : ",", STR_ARG(str_slice(name, 0, 40)));
        }
    }
    const struct str advice = str_from(csv_separator_advice(data));
    if (advice.len > 0) {
        nearest.name.len = 0; /* all columns in one are near nothing */
        buf_append_str(&list, advice);
    }
    (void)refuse_unknown(reading, buf_view(&what), &nearest, "data.", list.data);
    buf_deinit(&what);
    buf_deinit(&list);
    return false;
}

static bool parse_data(struct reading *reading)
{
    if (reading->names->data == NULL) {
        return err_set(reading->err, ERR_FORMAT, "it needs a file of values: --data FILE.csv");
    }
    size_t column = csv_find_column(reading->names->data, reading->rest);
    reading->slot->column = column;
    return column != SIZE_MAX || refuse_column(reading, reading->rest);
}

static bool parse_variable(struct reading *reading)
{
    struct nearest nearest = {.wanted = reading->rest, .distance = SIZE_MAX};
    for (size_t i = 0; i < reading->names->variable_count; i++) {
        const struct slot_variable *variable = &reading->names->variables[i];
        if (str_equals(variable->name, reading->rest)) {
            reading->slot->text = variable->value;
            return true;
        }
        nearest_show(&nearest, variable->name);
    }
    return refuse_unknown(reading, STR("it has no value"), &nearest, "var.",
                          ": give it with --var NAME=VALUE");
}

static bool parse_environment(struct reading *reading)
{
    char *name = str_dup(reading->rest);
    bool is_name = strlen(name) == reading->rest.len && name[0] != '\0';
    const char *value =
        is_name && reading->names->environment != NULL ? reading->names->environment(name) : NULL;
    free(name);
    reading->slot->text = str_from(value);
    return value != NULL ||
           err_set(reading->err, ERR_FORMAT, "the environment has no variable of that name");
}

/* Each name, and what reads the rest of the expression. Those with a dot take a name of the user's.
 */
static const struct {
    const char *name;
    enum slot_kind kind;
    bool (*parse)(struct reading *reading);
} words[] = {
    {"counter", SLOT_COUNTER, parse_counter},
    {"uuid", SLOT_UUID, parse_uuid},
    {"now", SLOT_NOW, parse_now},
    {"random", SLOT_RANDOM, parse_random},
    {"worker", SLOT_WORKER, parse_worker},
    {"data.", SLOT_DATA, parse_data},
    {"var.", SLOT_TEXT, parse_variable},
    {"env.", SLOT_TEXT, parse_environment},
};
enum { WORD_COUNT = sizeof words / sizeof words[0] };

/* The leading letters, and the dot behind them if there is one. */
static struct str word_of(struct str expression)
{
    size_t len = 0;
    while (len < expression.len && ((expression.data[len] >= 'a' && expression.data[len] <= 'z') ||
                                    (expression.data[len] >= 'A' && expression.data[len] <= 'Z') ||
                                    expression.data[len] == '_')) {
        len++;
    }
    bool has_dot = len < expression.len && expression.data[len] == '.';
    return str_slice(expression, 0, has_dot ? len + 1 : len);
}

static bool refuse_word(struct reading *reading, struct str word)
{
    struct nearest nearest = {.wanted = word, .distance = SIZE_MAX};
    for (size_t i = 0; i < WORD_COUNT; i++) {
        nearest_show(&nearest, str_from(words[i].name));
    }
    bool wants_name = str_ends_with(nearest.name, STR("."));
    return nearest.name.len > 0
               ? err_set(reading->err, ERR_FORMAT, "it is not known: did you mean ${%.*s%s}?",
                         STR_ARG(nearest.name), wants_name ? "NAME" : "")
               : err_set(reading->err, ERR_FORMAT,
                         "it is not known: there are counter, uuid, now, "
                         "random, worker, data.COLUMN, var.NAME and env.NAME");
}

bool slot_parse(struct str expression, const struct slot_names *names, struct slot *slot,
                struct err *err)
{
    struct str word = word_of(expression);
    struct reading reading = {.names = names, .slot = slot, .err = err};
    reading.rest = str_slice(expression, word.len, expression.len);
    *slot = (struct slot){.kind = SLOT_TEXT};
    for (size_t i = 0; i < WORD_COUNT; i++) {
        if (str_equals(word, str_from(words[i].name))) {
            slot->kind = words[i].kind;
            return words[i].parse(&reading);
        }
    }
    return refuse_word(&reading, word);
}
