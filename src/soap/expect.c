/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the user expects of an answer: the values behind --validate, --expect-status and their
 * like. Only values live here; judge.c decides with them. A status set holds statuses from 100 to
 * 999 and nothing else: asking for any other number is answered with no.
 */
#include "lather/soap/expect.h"

#include <stdlib.h>

enum { STATUS_LEAST = 100, STATUS_MOST = 999, BITS_PER_WORD = 64 };

const char *validate_name(enum validate validate)
{
    static const char *const names[VALIDATE_COUNT] = {
        [VALIDATE_OFF] = "off", [VALIDATE_SOAP] = "soap"};
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
    return err_set(err, ERR_USAGE, "\"%.*s\" is no way to validate: off or soap",
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
    *expect =
        (struct expect){.validate = VALIDATE_OFF, .max_answer_bytes = EXPECT_MAX_ANSWER_BYTES};
    for (unsigned status = 200; status <= 299; status++) {
        status_set_add(&expect->statuses, status);
    }
}

void expect_deinit(struct expect *expect)
{
    free(expect->fault_code);
    expect_init(expect);
}

void expect_set_fault(struct expect *expect, struct str code)
{
    free(expect->fault_code);
    expect->wants_fault = true;
    expect->fault_code = code.len > 0 ? str_dup(code) : NULL;
}
