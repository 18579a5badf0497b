/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Expectations that come with a capture. They are the tester's own, so each of them is either
 * expected or told to be left out; none keeps the run from starting. SoapUI reads expressions as
 * XPath 2.0, and only that reader knows all that is in it: what does not parse here is left out.
 */
#include "lather/cli/captured_verdict.h"

#include <stdlib.h>

#include "lather/soap/expect.h"
#include "lather/soap/xpath.h"

static const char XPATH_START[] = "--expect-xpath ";
static const char NAMESPACE_START[] = "--ns ";
static const char WSDL_START[] = "--wsdl ";

enum { SHOWN_BYTES = 120 };

/* The prefixes of the lines and of the message itself, as the run will have them. */
static void gather_namespaces(struct expect *expect, const struct capture_message *message)
{
    struct str rest = buf_view(&message->expectations);
    bool is_good = true; /* those that are not are told when the lines are applied */
    while (rest.len > 0) {
        struct str line;
        (void)str_split(rest, '\n', &line, &rest);
        if (str_starts_with(line, str_from(NAMESPACE_START))) {
            const struct str binding = str_slice(line, sizeof NAMESPACE_START - 1, SIZE_MAX);
            is_good = expect_add_namespace(expect, binding, NULL) && is_good;
        }
    }
    expect_take_namespaces(expect, buf_view(&message->body));
}

static bool is_xpath_1(const struct expect *expect, struct str expression, struct err *err)
{
    struct xpath xpath;
    if (!xpath_parse(&xpath, expression, &expect->namespaces, err)) {
        return false;
    }
    xpath_deinit(&xpath);
    return true;
}

/* A schema that cannot be read is the project's trouble, not the run's. */
static bool is_wsdl(struct str path, struct err *err)
{
    struct expect expect;
    char *name = str_dup(path);
    expect_init(&expect);
    const bool is_read = expect_set_wsdl(&expect, name, err);
    expect_deinit(&expect);
    free(name);
    return is_read;
}

/* Whether a line can be expected. */
static bool can_be_expected(const struct expect *expect, struct str line, struct err *err)
{
    if (str_starts_with(line, str_from(XPATH_START))) {
        return is_xpath_1(expect, str_slice(line, sizeof XPATH_START - 1, SIZE_MAX), err);
    }
    return !str_starts_with(line, str_from(WSDL_START)) ||
           is_wsdl(str_slice(line, sizeof WSDL_START - 1, SIZE_MAX), err);
}

/* The lines that can be expected, the others told. */
static void sift(const struct capture_message *message, struct buf *kept, struct buf *notes)
{
    struct expect expect;
    expect_init(&expect);
    gather_namespaces(&expect, message);
    struct str rest = buf_view(&message->expectations);
    while (rest.len > 0) {
        struct str line;
        struct err err;
        (void)str_split(rest, '\n', &line, &rest);
        if (!can_be_expected(&expect, line, &err)) {
            buf_printf(notes, "%s: not expected, as the capture wants it: %.*s: %s\n",
                       message->name, STR_ARG(str_slice(line, 0, SHOWN_BYTES)), err.text);
            continue;
        }
        buf_append_str(kept, line);
        buf_append_byte(kept, '\n');
    }
    expect_deinit(&expect);
}

bool captured_verdict_add(struct verdict_lines *lines, const struct capture_message *message,
                          struct buf *notes, struct err *err)
{
    struct buf kept;
    buf_init(&kept);
    sift(message, &kept, notes);
    const bool is_added = verdict_lines_add(lines, buf_view(&kept), message->place, err);
    if (kept.len > 0) {
        buf_printf(notes,
                   "%s: what the capture expects of the answer is expected (`lather check` "
                   "lists it)\n",
                   message->name);
    }
    struct str rest = buf_view(&message->untranslated);
    while (rest.len > 0) {
        struct str line;
        (void)str_split(rest, '\n', &line, &rest);
        buf_printf(notes, "%s: not expected, as the capture wants it: %.*s\n", message->name,
                   STR_ARG(line));
    }
    buf_deinit(&kept);
    return is_added;
}
