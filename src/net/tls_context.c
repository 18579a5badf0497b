/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The settings of a run's TLS, put into one SSL_CTX before the first connection. The parts have
 * files of their own: authorities, identity, suites. What a newcomer gets wrong: the name sent to
 * the server (SNI) and the name the certificate must bear are one and the same, the Host field's,
 * but an IP literal is never sent, only verified.
 */
#include "lather/net/tls_context.h"

#include <openssl/err.h>
#include <openssl/provider.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdlib.h>

#include "lather/base/str.h"
#include "lather/net/tls_authority.h"
#include "lather/net/tls_identity.h"
#include "lather/net/tls_stream.h"
#include "lather/net/tls_suite.h"

struct tls_context {
    SSL_CTX *handle;
    OSSL_PROVIDER *legacy; /* NULL unless an old PFX needed it */
    char *host;
    bool host_is_address;
    bool omits_server_name;
    bool verifies;
    bool resumes;
    bool has_certificate;
};

/* The name without a root's dot, which certificates and SNI never have (RFC 6066 3). */
static char *tls_context_plain_host(const char *host)
{
    struct str name = str_from(host);
    if (str_ends_with(name, STR("."))) {
        name.len--;
    }
    return str_dup(name);
}

static bool tls_context_is_address(const char *host)
{
    ASN1_OCTET_STRING *address = a2i_IPADDRESS(host);
    ASN1_OCTET_STRING_free(address);
    ERR_clear_error();
    return address != NULL;
}

static bool tls_context_set_trust(struct tls_context *context, const struct tls_options *options,
                                  struct err *err)
{
    if (options->insecure) {
        SSL_CTX_set_verify(context->handle, SSL_VERIFY_NONE, NULL);
        /* Servers older than RFC 5746 (2010) would otherwise be refused. */
        SSL_CTX_set_options(context->handle, SSL_OP_LEGACY_SERVER_CONNECT);
        return true;
    }
    X509_VERIFY_PARAM *wanted = SSL_CTX_get0_param(context->handle);
    SSL_CTX_set_verify(context->handle, SSL_VERIFY_PEER, NULL);
    X509_VERIFY_PARAM_set_hostflags(wanted, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    const int named = context->host_is_address
                          ? X509_VERIFY_PARAM_set1_ip_asc(wanted, context->host)
                          : X509_VERIFY_PARAM_set1_host(wanted, context->host, 0);
    if (named != 1) {
        return err_set(err, ERR_USAGE, "\"%.100s\" cannot be the name in a certificate",
                       context->host);
    }
    if (options->authority_file == NULL) {
        return tls_authority_load_system(context->handle, err);
    }
    return tls_authority_load_file(context->handle, options->authority_file, err) ||
           err_prefix(err, "--cacert");
}

static bool tls_context_set_identity(struct tls_context *context, const struct tls_options *options,
                                     struct buf *notes, struct err *err)
{
    if (options->certificate_file == NULL) {
        return options->key_file == NULL ||
               err_set(err, ERR_USAGE, "--key without -E: name the certificate's file with -E");
    }
    const struct tls_identity_files files = {
        .certificate = options->certificate_file,
        .key = options->key_file,
        .password = options->key_password,
    };
    context->has_certificate = true;
    return tls_identity_load(context->handle, &files, &context->legacy, notes, err) ||
           err_prefix(err, "-E");
}

static bool tls_context_set_suites(struct tls_context *context, const struct tls_options *options,
                                   struct buf *notes, struct err *err)
{
    if (!tls_suite_set_protocol(context->handle, options->protocol, notes, err)) {
        return err_prefix(err, "-f");
    }
    return options->ciphers == NULL ||
           tls_suite_set_ciphers(context->handle, options->ciphers, notes, err) ||
           err_prefix(err, "-Z");
}

/* What does not depend on options. */
static void tls_context_set_manner(struct tls_context *context)
{
    SSL_CTX *handle = context->handle;
    /* An idle connection gives its two buffers of 16 KiB back; that costs some 3,000 of the 34,000
       instructions of a kept request, and 34 MB at 1,000 connections are more than that is worth.
     */
    SSL_CTX_set_mode(handle, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                 SSL_MODE_AUTO_RETRY);
    /* IIS asks for a certificate when it has read the request: by renegotiation up to TLS 1.2,
       which a client allows anyway, and by this since 1.3. */
    SSL_CTX_set_post_handshake_auth(handle, 1);
    tls_stream_set_up(handle);
    SSL_CTX_set_session_cache_mode(handle, context->resumes
                                               ? SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL
                                               : SSL_SESS_CACHE_OFF);
    if (!context->resumes) {
        SSL_CTX_set_options(handle, SSL_OP_NO_TICKET);
    }
}

struct tls_context *tls_context_new(const struct tls_options *options, struct buf *notes,
                                    struct err *err)
{
    struct tls_context *context = check_calloc(1, sizeof *context);
    context->handle = SSL_CTX_new(TLS_client_method());
    context->host = tls_context_plain_host(options->host);
    context->host_is_address = tls_context_is_address(context->host);
    context->omits_server_name = options->omit_server_name || context->host_is_address;
    context->verifies = !options->insecure;
    context->resumes = !options->no_resume;
    if (context->handle == NULL) {
        (void)err_set(err, ERR_SYSTEM, "OpenSSL does not start: %s",
                      ERR_reason_error_string(ERR_peek_error()));
        ERR_clear_error();
        tls_context_free(context);
        return NULL;
    }
    tls_context_set_manner(context);
    if (tls_context_set_suites(context, options, notes, err) &&
        tls_context_set_trust(context, options, err) &&
        tls_context_set_identity(context, options, notes, err)) {
        return context;
    }
    tls_context_free(context);
    return NULL;
}

void tls_context_free(struct tls_context *context)
{
    if (context == NULL) {
        return;
    }
    if (context->handle != NULL) {
        tls_stream_tear_down(context->handle);
    }
    SSL_CTX_free(context->handle);
    if (context->legacy != NULL) {
        OSSL_PROVIDER_unload(context->legacy);
    }
    free(context->host);
    free(context);
}

const char *tls_context_server_name(const struct tls_context *context)
{
    return context->omits_server_name ? NULL : context->host;
}

const char *tls_context_host(const struct tls_context *context)
{
    return context->host;
}

bool tls_context_verifies(const struct tls_context *context)
{
    return context->verifies;
}

bool tls_context_resumes(const struct tls_context *context)
{
    return context->resumes;
}

bool tls_context_has_certificate(const struct tls_context *context)
{
    return context->has_certificate;
}

struct ssl_ctx_st *tls_context_handle(const struct tls_context *context)
{
    return context->handle;
}
