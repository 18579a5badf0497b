/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_LAST_GOOD_H
#define LATHER_SOAP_LAST_GOOD_H

#include <stdbool.h>
#include <stddef.h>

#include "lather/soap/judge.h"

/*
 * The last answer to each message that was judged ok, to know its like without judging; all zero
 * is empty. Answers above JUDGE_WHOLE_CEILING and messages from JUDGE_MESSAGE_CEILING on are not
 * remembered.
 */
struct last_good {
    struct last_good_entry *entries; /* by message */
    size_t count;
};

/* Frees what it holds; it is empty again. */
void last_good_deinit(struct last_good *last_good);

/* What the texts of a good answer had to do with its verdict, but for RelatesTo and Action. */
enum last_good_texts {
    LAST_GOOD_TEXTS_COUNT = 0, /* something looked at them, or they are not UTF-8 as it came */
    LAST_GOOD_TEXTS_ARE_FREE,  /* nothing did: only that they are well-formed matters */
};

/* Remembers an answer with its verdict, which is ok; copies what it needs. */
void last_good_remember(struct last_good *last_good, const struct answer *answer,
                        const struct verdict *verdict, enum last_good_texts texts);

/* As judge_is_last_good, but for the time. */
bool last_good_is(const struct last_good *last_good, const struct answer *answer);

/* As judge_repeat. */
void last_good_repeat(struct last_good *last_good, const struct answer *answer,
                      struct verdict *verdict);

#endif
