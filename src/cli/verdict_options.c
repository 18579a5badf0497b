/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a good answer is, from the command line: the same options for a run and for judging saved
 * answers. Each option's sentence says its name; what an expression means is settled when all
 * options are in (expect_freeze).
 */
#include "lather/cli/verdict_options.h"

#include <stdio.h>

typedef bool apply_fn(struct expect *expect, struct str text, struct err *err);
typedef bool apply_file_fn(struct expect *expect, const char *path, struct err *err);

/* "--xsd: file: what is wrong" */
static bool fail_at(enum option option, struct err *err)
{
    char spelling[40];
    (void)snprintf(spelling, sizeof spelling, "--%s", option_table_row(option)->name);
    return err_prefix(err, spelling);
}

/* Every value of a repeatable option. */
static bool apply_each(const struct options *options, enum option option, apply_fn *apply,
                       struct expect *expect, struct err *err)
{
    const struct option_value *value = &options->values[option];
    for (size_t i = 0; i < value->count; i++) {
        if (!apply(expect, str_from(value->texts[i]), err)) {
            return fail_at(option, err);
        }
    }
    return true;
}

static bool apply_file(const struct options *options, enum option option, apply_file_fn *apply,
                       struct expect *expect, struct err *err)
{
    const char *path = options_text(options, option);
    return path == NULL || apply(expect, path, err) || fail_at(option, err);
}

/* Blanks that a shell kept would make a code that no Fault has. */
static bool apply_fault(const struct options *options, struct expect *expect, struct err *err)
{
    const char *code = options_text(options, OPTION_EXPECT_FAULT);
    if (!options_has(options, OPTION_EXPECT_FAULT)) {
        return true;
    }
    const struct str text = str_from(code);
    if (str_trim(text).len < text.len) {
        return err_set(err, ERR_USAGE,
                       "--expect-fault: \"%.200s\" has blanks around the code: give it without, as "
                       "Client or {urn:example:orders}OutOfStock, or leave it out for any Fault",
                       code);
    }
    expect_set_fault(expect, text);
    return true;
}

static bool apply_statuses(const struct options *options, struct expect *expect, struct err *err)
{
    const char *statuses = options_text(options, OPTION_EXPECT_STATUS);
    if (statuses == NULL) {
        return true;
    }
    expect->statuses = (struct status_set){{0}};
    return status_set_parse(&expect->statuses, str_from(statuses), err) ||
           fail_at(OPTION_EXPECT_STATUS, err);
}

static bool apply_validate(const struct options *options, struct expect *expect, struct err *err)
{
    const char *validate = options_text(options, OPTION_VALIDATE);
    return validate == NULL || expect_set_validate(expect, str_from(validate), err) ||
           fail_at(OPTION_VALIDATE, err);
}

/* Nothing that is asked is silently not looked at: answers to one-way messages never are. */
static bool check_one_way(const struct options *options, struct err *err)
{
    static const enum option asking[] = {
        OPTION_EXPECT_XPATH, OPTION_EXPECT_TEXT, OPTION_REJECT_TEXT,
        OPTION_XSD,          OPTION_WSDL,        OPTION_GOLDEN,
    };
    if (!options_has(options, OPTION_ONE_WAY)) {
        return true;
    }
    if (options_has(options, OPTION_EXPECT_FAULT)) {
        return err_set(err, ERR_USAGE,
                       "--one-way and --expect-fault contradict each other: a Fault is an answer");
    }
    for (size_t i = 0; i < sizeof asking / sizeof asking[0]; i++) {
        if (options_has(options, asking[i])) {
            return err_set(err, ERR_USAGE,
                           "--one-way and --%s contradict each other: a one-way message has no "
                           "answer to look into, and what comes all the same is tolerated; leave "
                           "--one-way out when an answer is to come",
                           option_table_row(asking[i])->name);
        }
    }
    return true;
}

static bool check_together(const struct options *options, struct err *err)
{
    if (options_has(options, OPTION_XSD) && options_has(options, OPTION_WSDL)) {
        return err_set(err, ERR_USAGE,
                       "--xsd and --wsdl contradict each other: give the one that has the types");
    }
    if (options_has(options, OPTION_IGNORE) && !options_has(options, OPTION_GOLDEN)) {
        return err_set(err, ERR_USAGE, "--ignore says nothing without --golden: give both");
    }
    return check_one_way(options, err);
}

/* What only a look into the answers can tell, by the name of the first option that asks for it. */
static bool check_is_looked_at(const struct options *options, const struct expect *expect,
                               struct err *err)
{
    static const enum option asking[] = {
        OPTION_EXPECT_XPATH, OPTION_EXPECT_TEXT,  OPTION_REJECT_TEXT,
        OPTION_EXPECT_FAULT, OPTION_XSD,          OPTION_WSDL,
        OPTION_GOLDEN,       OPTION_COUNT_BODIES, OPTION_ONE_WAY,
    };
    if (!options_has(options, OPTION_VALIDATE) || expect->validate != VALIDATE_OFF) {
        return true;
    }
    for (size_t i = 0; i < sizeof asking / sizeof asking[0]; i++) {
        if (options_has(options, asking[i])) {
            return err_set(err, ERR_USAGE,
                           "--validate off looks at the status only, and --%s asks what is in the "
                           "answers: leave one of them out",
                           option_table_row(asking[i])->name);
        }
    }
    return true;
}

bool verdict_options_apply(const struct options *options, struct expect *expect, struct err *err)
{
    if (!check_together(options, err)) {
        return false;
    }
    expect->one_way = options_has(options, OPTION_ONE_WAY);
    expect->counts_bodies = options_has(options, OPTION_COUNT_BODIES);
    expect->max_time_ns = options_number(options, OPTION_MAX_TIME, 0);
    expect->max_answer_bytes = options_number(options, OPTION_MAX_ANSWER, EXPECT_MAX_ANSWER_BYTES);
    expect->limits_unread = options_has(options, OPTION_MAX_ANSWER);
    return apply_fault(options, expect, err) && apply_statuses(options, expect, err) &&
           apply_validate(options, expect, err) && check_is_looked_at(options, expect, err) &&
           apply_each(options, OPTION_NAMESPACE, expect_add_namespace, expect, err) &&
           apply_each(options, OPTION_EXPECT_XPATH, expect_add_xpath, expect, err) &&
           apply_each(options, OPTION_EXPECT_TEXT, expect_add_text, expect, err) &&
           apply_each(options, OPTION_REJECT_TEXT, expect_add_rejected, expect, err) &&
           apply_each(options, OPTION_IGNORE, expect_add_ignored, expect, err) &&
           apply_file(options, OPTION_XSD, expect_set_xsd, expect, err) &&
           apply_file(options, OPTION_WSDL, expect_set_wsdl, expect, err) &&
           apply_file(options, OPTION_GOLDEN, expect_set_golden, expect, err);
}
