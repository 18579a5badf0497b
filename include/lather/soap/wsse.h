/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_WSSE_H
#define LATHER_SOAP_WSSE_H

#include <stdbool.h>
#include <stddef.h>

#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/base/str.h"

#define WSSE_NAMESPACE                                                                             \
    "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd"
#define WSSE_UTILITY_NAMESPACE                                                                     \
    "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd"
#define WSSE_TYPE_START                                                                            \
    "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-username-token-profile-1.0#"
#define WSSE_BASE64_TYPE                                                                           \
    "http://docs.oasis-open.org/wss/2004/01/"                                                      \
    "oasis-200401-wss-soap-message-security-1.0#Base64Binary"

/* What goes into a PasswordDigest in the password's place. */
enum wsse_variant {
    WSSE_PLAIN = 0, /* the password (Web Services Security UsernameToken Profile 1.0, 3.1) */
    WSSE_SHA1_RAW,  /* the 20 bytes of its SHA-1: Amadeus */
    WSSE_SHA1_B64,  /* those in Base64: what SoapUI calls "PasswordDigest Ext" */
    WSSE_VARIANT_COUNT
};

/* "plain", "sha1raw", "sha1b64". */
const char *wsse_variant_name(enum wsse_variant variant);
bool wsse_variant_parse(struct str name, enum wsse_variant *variant, struct err *err) MUST_USE;

enum {
    WSSE_NONCE_BYTES = 16,      /* what services expect; new for every request */
    WSSE_NONCE_TEXT_BYTES = 24, /* in Base64 */
    WSSE_SHA1_BYTES = 20,
    WSSE_DIGEST_TEXT_BYTES = 28, /* in Base64 */
};

/* The bytes that stand for a password in a digest of that variant; at most WSSE_KEY_CEILING. */
enum { WSSE_KEY_CEILING = 1024 };
struct wsse_key {
    size_t len;
    char bytes[WSSE_KEY_CEILING];
};

/* Fails when the password is longer than WSSE_KEY_CEILING. */
bool wsse_key_init(struct wsse_key *key, enum wsse_variant variant, struct str password,
                   struct err *err) MUST_USE;

/*
 * Writes the PasswordDigest: Base64(SHA-1(nonce + created + key)), WSSE_DIGEST_TEXT_BYTES long.
 * The nonce is the decoded one; it and created may be empty, as they may be absent from a token.
 * Allocates nothing.
 */
void wsse_put_digest(struct str nonce, struct str created, const struct wsse_key *key,
                     char *target);

/* Writes Base64 without line ends: 4 bytes for every 3 begun. Returns the length. */
size_t wsse_put_base64(const void *bytes, size_t count, char *target);

#endif
