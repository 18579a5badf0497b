/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words for a failed handshake. OpenSSL's own name the symptom ("wrong version number", "sslv3
 * alert handshake failure"); what a tester needs is the cause and the option to try. An alert alone
 * does not tell the cause: the same handshake_failure means no common cipher or a client
 * certificate missing, so what went before it is looked at too.
 */
#include "lather/net/tls_reason.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <string.h>

#include "lather/base/str.h"

enum { NAME_BYTES = 40 };

#define HINT_WANTED  "the server wants a client certificate: -E FILE"
#define HINT_REFUSED "the server does not take the client certificate of -E"
#define HINT_NO_TLS  "the port does not speak TLS: use http://"
#define HINT_LEVEL   "too weak for OpenSSL's default: -Z DEFAULT@SECLEVEL=0 allows it"

struct reason_hint {
    int reason;
    const char *hint;
};

/* By OpenSSL's reason (openssl/sslerr.h); alerts 42 to 51 and 116 are about our certificate. */
static const struct reason_hint hints[] = {
    {SSL_R_TLSV1_ALERT_PROTOCOL_VERSION, "other versions with -f: TLS1.1, TLS1.2, TLS1.3 or ALL"},
    {SSL_R_UNSUPPORTED_PROTOCOL, "the server chose an older version: -f ALL offers them all"},
    {SSL_R_SSLV3_ALERT_HANDSHAKE_FAILURE, "no cipher or version in common? -Z, -f"},
    {SSL_R_TLSV1_ALERT_INSUFFICIENT_SECURITY, "other ciphers with -Z"},
    {SSL_R_NO_PROTOCOLS_AVAILABLE, "OpenSSL's configuration forbids the version of -f"},
    {SSL_R_NO_CIPHERS_AVAILABLE, "the ciphers of -Z are none for the version of -f"},
    {SSL_R_DH_KEY_TOO_SMALL, HINT_LEVEL},
    {SSL_R_EE_KEY_TOO_SMALL, HINT_LEVEL},
    {SSL_R_CA_KEY_TOO_SMALL, HINT_LEVEL},
    {SSL_R_CA_MD_TOO_WEAK, HINT_LEVEL},
    {SSL_R_LEGACY_SIGALG_DISALLOWED_OR_UNSUPPORTED, HINT_LEVEL},
    {SSL_R_UNSAFE_LEGACY_RENEGOTIATION_DISABLED, "an old server (RFC 5746): --insecure allows it"},
    {SSL_R_TLSV1_UNRECOGNIZED_NAME, "the server does not know the name: -H \"Host: NAME\", or -I"},
    {SSL_R_TLSV1_ALERT_INTERNAL_ERROR, "the server failed: look into its log"},
    {SSL_R_SSLV3_ALERT_BAD_CERTIFICATE, HINT_REFUSED},
    {SSL_R_SSLV3_ALERT_UNSUPPORTED_CERTIFICATE, HINT_REFUSED},
    {SSL_R_SSLV3_ALERT_CERTIFICATE_REVOKED, HINT_REFUSED},
    {SSL_R_SSLV3_ALERT_CERTIFICATE_EXPIRED, HINT_REFUSED},
    {SSL_R_SSLV3_ALERT_CERTIFICATE_UNKNOWN, HINT_REFUSED},
    {SSL_R_TLSV1_ALERT_UNKNOWN_CA, HINT_REFUSED},
    {SSL_R_TLSV1_ALERT_ACCESS_DENIED, HINT_REFUSED},
    {SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED, HINT_WANTED},
};

/* Whether what the server sent first can be a TLS record: content type, then version 3.x. */
static bool tls_reason_began_as_tls(const struct tls_trouble *trouble)
{
    const unsigned char *first = (const unsigned char *)trouble->first;
    return trouble->first_len == 0 ||
           (first[0] >= 20 && first[0] <= 24 && (trouble->first_len < 2 || first[1] == 3));
}

static const char *tls_reason_hint(const struct tls_trouble *trouble)
{
    const int reason = ERR_GET_REASON(trouble->code);
    if (!tls_reason_began_as_tls(trouble)) {
        return HINT_NO_TLS;
    }
    if (trouble->certificate_wanted && !trouble->certificate_given &&
        reason >= SSL_AD_REASON_OFFSET) {
        return HINT_WANTED;
    }
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++) {
        if (hints[i].reason == reason && ERR_GET_LIB(trouble->code) == ERR_LIB_SSL) {
            return hints[i].hint;
        }
    }
    return NULL;
}

/* --- the server's certificate --------------------------------------------------------------- */

/* A name in the certificate, printable: the first DNS name or address, else the common name. */
static void tls_reason_name(X509 *certificate, char name[NAME_BYTES + 1])
{
    struct str found = str_from("another name");
    GENERAL_NAMES *names = X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
    for (int i = 0; i < sk_GENERAL_NAME_num(names); i++) {
        const GENERAL_NAME *each = sk_GENERAL_NAME_value(names, i);
        if (each->type == GEN_DNS) {
            found = str_of((const char *)ASN1_STRING_get0_data(each->d.dNSName),
                           (size_t)ASN1_STRING_length(each->d.dNSName));
            break;
        }
    }
    char common[NAME_BYTES + 1];
    if (names == NULL && X509_NAME_get_text_by_NID(X509_get_subject_name(certificate),
                                                   NID_commonName, common, sizeof common) > 0) {
        found = str_from(common);
    }
    found = str_slice(found, 0, NAME_BYTES);
    for (size_t i = 0; i < found.len; i++) {
        name[i] = found.data[i] > ' ' && found.data[i] < 0x7f ? found.data[i] : '?';
    }
    name[found.len] = '\0';
    GENERAL_NAMES_free(names);
}

static void tls_reason_format_name(const struct tls_trouble *trouble, char text[TLS_REASON_SIZE])
{
    char name[NAME_BYTES + 1] = "another name";
    if (trouble->certificate != NULL) {
        tls_reason_name(trouble->certificate, name);
    }
    (void)snprintf(text, TLS_REASON_SIZE,
                   "certificate is for %s, not for %.*s: test by that name, or with --insecure",
                   name, NAME_BYTES, trouble->host);
}

static void tls_reason_format_verify(const struct tls_trouble *trouble, char text[TLS_REASON_SIZE])
{
    const char *words = X509_verify_cert_error_string(trouble->verify_result);
    const char *hint = "--insecure tests all the same";
    switch (trouble->verify_result) {
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH:
        tls_reason_format_name(trouble, text);
        return;
    case X509_V_ERR_CERT_HAS_EXPIRED:
        hint = "renew it, or test all the same with --insecure";
        break;
    case X509_V_ERR_CERT_NOT_YET_VALID:
        hint = "is a clock wrong? --insecure tests all the same";
        break;
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
        words = "unknown issuer of the certificate";
        hint = "trust it with --cacert FILE, or test with --insecure";
        break;
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
        words = "self-signed certificate";
        hint = "trust it with --cacert FILE, or test with --insecure";
        break;
    case X509_V_ERR_EE_KEY_TOO_SMALL:
    case X509_V_ERR_CA_KEY_TOO_SMALL:
    case X509_V_ERR_CA_MD_TOO_WEAK:
        hint = HINT_LEVEL;
        break;
    default:
        break;
    }
    (void)snprintf(text, TLS_REASON_SIZE, "%s: %s", words, hint);
}

/* --- all ------------------------------------------------------------------------------------ */

static void tls_reason_format_end(const struct tls_trouble *trouble, char text[TLS_REASON_SIZE])
{
    static const char *const ends[TLS_END_COUNT] = {
        [TLS_END_NONE] = "",
        [TLS_END_CLOSED] = "connection closed during the handshake",
        [TLS_END_RESET] = "connection reset during the handshake",
        [TLS_END_LATE] = "no handshake in time",
        [TLS_END_FLOODED] = "the server keeps asking and does not read the answers",
    };
    const char *hint = "no cipher or version in common? -Z, -f";
    if (!tls_reason_began_as_tls(trouble)) {
        hint = HINT_NO_TLS;
    } else if (trouble->certificate_wanted && !trouble->certificate_given) {
        hint = HINT_WANTED;
    } else if (trouble->first_len == 0) {
        hint = "does the port speak TLS? else -f, -Z or -I may help";
    }
    if (trouble->end == TLS_END_FLOODED) {
        hint = "look into its log";
    }
    (void)snprintf(text, TLS_REASON_SIZE, "%s: %s", ends[trouble->end], hint);
}

const char *tls_reason_format(const struct tls_trouble *trouble, char text[TLS_REASON_SIZE])
{
    if (trouble->verify_result != X509_V_OK) {
        tls_reason_format_verify(trouble, text);
        return text;
    }
    if (trouble->end != TLS_END_NONE) {
        tls_reason_format_end(trouble, text);
        return text;
    }
    const char *words = ERR_reason_error_string(trouble->code);
    const char *hint = tls_reason_hint(trouble);
    (void)snprintf(text, TLS_REASON_SIZE, "%s%s%s", words != NULL ? words : "TLS failed",
                   hint != NULL ? ": " : "", hint != NULL ? hint : "");
    return text;
}
