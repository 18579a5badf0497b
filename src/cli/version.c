/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --version. Builds differ in what they can do and in whose faults they have: a tester who reads
 * "401" looks here for the scheme that is missing, and whoever reads a report of a security hole
 * for the library that has it. What is linked is asked, not the headers it was compiled with.
 */
#include "lather/cli/version.h"

#include <jansson.h>
#include <libxml/parser.h>
#include <llhttp.h>
#include <openssl/crypto.h>
#include <stdlib.h>
#include <uv.h>
#include <zip.h>
#include <zlib.h>

#include "lather/net/curl_features.h"
#include "lather/report/text.h"

static void add_commit(struct buf *text)
{
    buf_append_str(text, version_commit[0] != '\0' ? str_from(version_commit) : STR("not known"));
}

static void add_transports(struct buf *text)
{
    buf_append_str(text, STR("direct (HTTP/1.1, TLS), "));
    curl_features_add_transport(text);
}

static void add_authentication(struct buf *text)
{
    buf_append_str(text, STR("Basic, client certificates, "));
    curl_features_add_authentication(text);
}

/* libxml2 tells 2.9.14 as "20914", with a suffix in some builds. */
static void add_libxml2(struct buf *text)
{
    const unsigned long number = strtoul(xmlParserVersion, NULL, 10);
    buf_printf(text, ", libxml2 %lu.%lu.%lu", number / 10000, number / 100 % 100, number % 100);
}

static void add_missing(struct buf *text)
{
    curl_features_add_missing(text);
}

static void add_libraries(struct buf *text)
{
    buf_printf(text, "OpenSSL %s", OpenSSL_version(OPENSSL_FULL_VERSION_STRING));
    add_libxml2(text);
    buf_append_str(text, STR(", "));
    curl_features_add_libraries(text);
    buf_printf(text, ", libuv %s", uv_version_string());
    buf_printf(text, ", llhttp %d.%d.%d", LLHTTP_VERSION_MAJOR, LLHTTP_VERSION_MINOR,
               LLHTTP_VERSION_PATCH);
    buf_printf(text, ", jansson %s", jansson_version_str());
    buf_printf(text, ", libzip %s, zlib %s", zip_libzip_version(), zlibVersion());
    if (version_parts[0] != '\0') {
        buf_printf(text, ", %s", version_parts);
    }
}

/* A row a subject; whoever brings a transport, a scheme or a library adds its words here. */
static const struct {
    const char *label;
    void (*add)(struct buf *text);
} rows[] = {
    {"Commit:", add_commit},
    {"Transports:", add_transports},
    {"Authentication:", add_authentication},
    {"Not in it:", add_missing},
    {"Libraries:", add_libraries},
};

void version_format(struct buf *text)
{
    text_banner(text);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        buf_printf(text, "%-16s", rows[i].label);
        rows[i].add(text);
        buf_append_byte(text, '\n');
    }
}
