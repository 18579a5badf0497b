/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a UsernameToken proves with: nonces, digests and their Base64. It knows nothing of XML. The
 * common mistake is to hash the nonce as it stands in the message: its decoded bytes go in. SHA-1
 * is fetched once; asking OpenSSL for it by name on each request costs more than the hash.
 */
#include "lather/soap/wsse.h"

#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

struct wsse_hasher {
    EVP_MD *sha1;
    EVP_MD_CTX *context;
};

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

struct wsse_hasher *wsse_hasher_new(void)
{
    struct wsse_hasher *hasher = check_calloc(1, sizeof(*hasher));
    hasher->sha1 = EVP_MD_fetch(NULL, "SHA1", NULL);
    hasher->context = EVP_MD_CTX_new();
    CHECK(hasher->sha1 != NULL && hasher->context != NULL);
    CHECK(EVP_DigestInit_ex(hasher->context, hasher->sha1, NULL) == 1);
    return hasher;
}

void wsse_hasher_free(struct wsse_hasher *hasher)
{
    if (hasher == NULL) {
        return;
    }
    EVP_MD_CTX_free(hasher->context);
    EVP_MD_free(hasher->sha1);
    free(hasher);
}

static void hash(struct wsse_hasher *hasher, const struct str *parts, size_t count,
                 unsigned char digest[WSSE_SHA1_BYTES])
{
    EVP_MD_CTX *context = hasher->context;
    unsigned len = 0;
    CHECK(EVP_DigestInit_ex(context, NULL, NULL) == 1);
    for (size_t i = 0; i < count; i++) {
        CHECK(EVP_DigestUpdate(context, parts[i].data, parts[i].len) == 1);
    }
    CHECK(EVP_DigestFinal_ex(context, digest, &len) == 1 && len == WSSE_SHA1_BYTES);
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
    struct wsse_hasher *hasher = wsse_hasher_new();
    unsigned char digest[WSSE_SHA1_BYTES];
    hash(hasher, &password, 1, digest);
    wsse_hasher_free(hasher);
    if (variant == WSSE_SHA1_RAW) {
        key->len = sizeof digest;
        memcpy(key->bytes, digest, sizeof digest);
    } else {
        key->len = wsse_put_base64(digest, sizeof digest, key->bytes);
    }
    return true;
}

void wsse_put_digest(struct wsse_hasher *hasher, struct str nonce, struct str created,
                     const struct wsse_key *key, char *target)
{
    const struct str parts[] = {nonce, created, str_of(key->bytes, key->len)};
    unsigned char digest[WSSE_SHA1_BYTES];
    hash(hasher, parts, sizeof parts / sizeof parts[0], digest);
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
