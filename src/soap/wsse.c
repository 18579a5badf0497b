/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a UsernameToken proves with: nonces, digests and their Base64. It knows nothing of XML. The
 * common mistake is to hash the nonce as it stands in the message: its decoded bytes go in. SHA-1
 * is called by its own functions, since OpenSSL's general ones allocate for each hash.
 */
#define OPENSSL_API_COMPAT 0x10100000L /* they are deprecated in favour of the general ones */

#include "lather/soap/wsse.h"

#include <openssl/sha.h>
#include <string.h>

static const char *const variant_names[WSSE_VARIANT_COUNT] = {
    [WSSE_PLAIN] = "plain",
    [WSSE_SHA1_RAW] = "sha1raw",
    [WSSE_SHA1_B64] = "sha1b64",
};

const char *wsse_variant_name(enum wsse_variant variant)
{
    return variant_names[variant];
}

bool wsse_variant_parse(struct str name, enum wsse_variant *variant, struct err *err)
{
    for (size_t i = 0; i < WSSE_VARIANT_COUNT; i++) {
        if (str_equals(name, str_from(variant_names[i]))) {
            *variant = (enum wsse_variant)i;
            return true;
        }
    }
    return err_set(err, ERR_USAGE,
                   "\"%.*s\" is no way to digest a password: plain, sha1raw or "
                   "sha1b64",
                   STR_ARG(str_slice(name, 0, 40)));
}

static void hash(const struct str *parts, size_t count, unsigned char digest[WSSE_SHA1_BYTES])
{
    SHA_CTX context;
    CHECK(SHA1_Init(&context) == 1);
    for (size_t i = 0; i < count; i++) {
        if (parts[i].len > 0) {
            CHECK(SHA1_Update(&context, parts[i].data, parts[i].len) == 1);
        }
    }
    CHECK(SHA1_Final(digest, &context) == 1);
}

bool wsse_key_init(struct wsse_key *key, enum wsse_variant variant, struct str password,
                   struct err *err)
{
    if (password.len > WSSE_KEY_CEILING) {
        return err_set(err, ERR_USAGE, "the password is longer than %d bytes", WSSE_KEY_CEILING);
    }
    if (variant == WSSE_PLAIN) {
        key->len = password.len;
        if (password.len > 0) {
            memcpy(key->bytes, password.data, password.len);
        }
        return true;
    }
    unsigned char digest[WSSE_SHA1_BYTES];
    hash(&password, 1, digest);
    if (variant == WSSE_SHA1_RAW) {
        key->len = sizeof digest;
        memcpy(key->bytes, digest, sizeof digest);
    } else {
        key->len = wsse_put_base64(digest, sizeof digest, key->bytes);
    }
    return true;
}

void wsse_put_digest(struct str nonce, struct str created, const struct wsse_key *key, char *target)
{
    const struct str parts[] = {nonce, created, str_of(key->bytes, key->len)};
    unsigned char digest[WSSE_SHA1_BYTES];
    hash(parts, sizeof parts / sizeof parts[0], digest);
    (void)wsse_put_base64(digest, sizeof digest, target);
}

size_t wsse_put_base64(const void *bytes, size_t count, char *target)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *source = bytes;
    size_t len = 0;
    for (size_t at = 0; at < count; at += 3) {
        size_t left = count - at;
        unsigned group = (unsigned)source[at] << 16;
        group |= left > 1 ? (unsigned)source[at + 1] << 8 : 0;
        group |= left > 2 ? (unsigned)source[at + 2] : 0;
        target[len++] = letters[group >> 18];
        target[len++] = letters[group >> 12 & 63];
        target[len++] = left > 1 ? letters[group >> 6 & 63] : '=';
        target[len++] = left > 2 ? letters[group & 63] : '=';
    }
    return len;
}
