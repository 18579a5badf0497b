/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One option's value, read by its kind and held against its bounds. The sentences quote the value
 * and tell what may be given instead; the caller puts the option in front.
 */
#include "lather/cli/option_rule.h"

#include <inttypes.h>

#include "lather/base/buf.h"
#include "lather/base/clock.h"
#include "lather/base/units.h"

enum { QUOTED_BYTES = 60 };

static struct str quoted(struct str text)
{
    return str_slice(text, 0, QUOTED_BYTES);
}

static bool read_duration(const struct option_rule *rule, struct str text, uint64_t *ns,
                          struct err *err)
{
    if (!units_parse_duration_ns(text, ns, err)) {
        return false;
    }
    if (*ns < rule->least || *ns > rule->most) {
        char bound[UNITS_TEXT_SIZE];
        bool is_short = *ns < rule->least;
        return err_set(err, ERR_USAGE, "\"%.*s\" is too %s: give at %s %s", STR_ARG(quoted(text)),
                       is_short ? "short" : "long", is_short ? "least" : "most",
                       units_format_duration(is_short ? rule->least : rule->most, bound));
    }
    return true;
}

/* "800" is 800 ms and "0.5" half of one; with a unit it is what it says. */
static bool read_milliseconds(const struct option_rule *rule, struct str text, uint64_t *ns,
                              struct err *err)
{
    const char last = text.len > 0 ? text.data[text.len - 1] : '\0';
    if (last < '0' || last > '9') {
        return read_duration(rule, text, ns, err);
    }
    struct buf with_unit;
    buf_init(&with_unit);
    buf_append_str(&with_unit, text);
    buf_append_str(&with_unit, STR("ms"));
    const bool is_good = read_duration(rule, buf_view(&with_unit), ns, err);
    buf_deinit(&with_unit);
    return is_good;
}

static bool read_size(const struct option_rule *rule, struct str text, uint64_t *bytes,
                      struct err *err)
{
    if (!units_parse_size_bytes(text, bytes, err)) {
        return false;
    }
    if (*bytes < rule->least || *bytes > rule->most) {
        return err_set(err, ERR_USAGE,
                       "\"%.*s\" is not allowed: give %" PRIu64 " to %" PRIu64 " bytes",
                       STR_ARG(quoted(text)), rule->least, rule->most);
    }
    return true;
}

/*
 * "0.05" and "5%" are 50000 parts per million. Digits finer than one part are refused unless they
 * are zeros, so that nothing asked for is rounded away.
 */
static bool read_fraction(const struct option_rule *rule, struct str text, uint64_t *ppm,
                          struct err *err)
{
    bool is_percent = str_ends_with(text, STR("%"));
    struct str whole;
    struct str decimals;
    bool has_point =
        str_split(str_slice(text, 0, text.len - (is_percent ? 1 : 0)), '.', &whole, &decimals);
    uint64_t scale = is_percent ? 10000 : 1000000;
    uint64_t units = 0;
    bool is_good = (whole.len > 0 || decimals.len > 0) && (!has_point || decimals.len > 0) &&
                   (whole.len == 0 || str_to_u64(whole, &units)) && units <= 1000000;
    uint64_t sum = units * scale;
    for (size_t i = 0; i < decimals.len && is_good; i++) {
        scale /= 10;
        is_good = decimals.data[i] >= '0' && decimals.data[i] <= '9' &&
                  (scale > 0 || decimals.data[i] == '0');
        sum += is_good ? (uint64_t)(decimals.data[i] - '0') * scale : 0;
    }
    if (!is_good || sum < rule->least || sum > rule->most) {
        return err_set(err, ERR_USAGE,
                       "\"%.*s\" is not allowed: give a part as 0.05 or 5%%, from 0 to 1, in "
                       "steps of 0.000001",
                       STR_ARG(quoted(text)));
    }
    *ppm = sum;
    return true;
}

static bool read_text(const struct option_rule *rule, struct str text, struct err *err)
{
    return text.len >= rule->least ||
           err_set(err, ERR_USAGE, "the value is empty: give %s", rule->argument);
}

bool option_rule_read(const struct option_rule *rule, struct str text, uint64_t *number,
                      struct err *err)
{
    switch (rule->kind) {
    case OPTION_KIND_NUMBER:
        return units_parse_count(text, rule->least, rule->most, number, err);
    case OPTION_KIND_DURATION:
        return read_duration(rule, text, number, err);
    case OPTION_KIND_MILLISECONDS:
        return read_milliseconds(rule, text, number, err);
    case OPTION_KIND_SIZE:
        return read_size(rule, text, number, err);
    case OPTION_KIND_RATE:
        return units_parse_rate(text, number, err);
    case OPTION_KIND_FRACTION:
        return read_fraction(rule, text, number, err);
    case OPTION_KIND_TEXT:
    case OPTION_KIND_LIST:
    case OPTION_KIND_OPTIONAL:
        return read_text(rule, text, err);
    default:
        return true;
    }
}
