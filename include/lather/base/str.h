/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_BASE_STR_H
#define LATHER_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lather/base/check.h"

/*
 * A borrowed run of bytes: not owned, not ended by a NUL, valid as long as what it points into.
 * The empty string has len 0; data may then be NULL.
 */
struct str {
    const char *data;
    size_t len;
};

/* Initialiser of a str from a string literal. */
#define STR(literal) ((struct str){.data = (literal), .len = sizeof(literal) - 1})

/* The arguments of a "%.*s" conversion. */
#define STR_ARG(s) (int)(s).len, (s).data

/* A view of a NUL-ended string; NULL gives the empty string. */
struct str str_from(const char *text);

/* A view of len bytes at data. */
struct str str_of(const char *data, size_t len);

/* Byte for byte the same. */
bool str_equals(struct str a, struct str b);

/* ASCII case is ignored (HTTP header names and media types, RFC 9110 5.1, 8.3.1). */
bool str_equals_nocase(struct str a, struct str b);

/* Whether text begins or ends so; the empty string is a prefix and a suffix of everything. */
bool str_starts_with(struct str text, struct str prefix);
bool str_starts_with_nocase(struct str text, struct str prefix);
bool str_ends_with(struct str text, struct str suffix);

/* The first byte offset of needle in text, or SIZE_MAX when it is not there. Linear. */
size_t str_find(struct str text, struct str needle);

/* As str_find, ASCII case ignored. */
size_t str_find_nocase(struct str text, struct str needle);

/* The first offset of byte in text, or SIZE_MAX. */
size_t str_find_byte(struct str text, char byte);

/* Without leading and trailing spaces, tabs, CR and LF. */
struct str str_trim(struct str text);

/* text[from, to); both are cut to the length. */
struct str str_slice(struct str text, size_t from, size_t to);

/*
 * Splits text at the first `separator`: *head gets what is before, *rest what is after. Returns
 * false, with *head all of text and *rest empty, when there is no separator.
 */
bool str_split(struct str text, char separator, struct str *head, struct str *rest);

/* Decimal digits only, no sign, no blanks; false on anything else and on overflow. */
bool str_to_u64(struct str text, uint64_t *value) MUST_USE;

/* What a hexadecimal digit stands for, 0 to 15, in either case; -1 for any other byte. */
int str_hex_value(char digit);

/* A NUL-ended copy; the caller frees it. */
char *str_dup(struct str text) MUST_USE;

/* The Damerau-Levenshtein distance of two short words (each cut at 32 bytes), for "did you mean".
 */
size_t str_distance(struct str a, struct str b);

/*
 * Whether the UTF-8 text holds a typographic quote (U+2018 U+2019 U+201C U+201D U+201E, the primes
 * U+2032 U+2033, the guillemets U+00AB U+00BB), as options copied from a web page do.
 */
bool str_has_typographic_quote(struct str text);

#endif
