/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Content-Encoding undone with zlib, in constant memory. A body that is not what its header says
 * is an error and never taken as plain. The trap: "deflate" is zlib by the standard and raw by the
 * habit of IIS; the first two bytes tell, since no encoder starts a raw stream with a low nibble
 * of 8.
 */
#include "lather/soap/decode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { OUTPUT_BYTES = 32 * 1024, PROBLEM_SIZE = 120 };

/* inflateInit2: the window, with what stands around the data. */
enum { BITS_RAW = -MAX_WBITS, BITS_ZLIB = MAX_WBITS, BITS_GZIP = MAX_WBITS + 16 };

enum coding { CODING_IDENTITY = 0, CODING_GZIP, CODING_DEFLATE, CODING_UNKNOWN };

struct decode {
    enum coding coding;
    enum decode_end end;
    bool is_inflating; /* the zlib stream is set to this body's form */
    bool stream_ended; /* the data's own end was met */
    bool has_zlib;     /* the zlib stream was initialised at some time */
    z_stream zlib;
    uint64_t ceiling;
    uint64_t fed_bytes;
    uint64_t decoded_bytes;
    unsigned char first; /* of deflate, until the second byte tells the form */
    char problem[PROBLEM_SIZE];
    unsigned char output[OUTPUT_BYTES];
};

static enum coding coding_of(struct str name)
{
    name = str_trim(name);
    if (name.len == 0 || str_equals_nocase(name, STR("identity"))) {
        return CODING_IDENTITY;
    }
    if (str_equals_nocase(name, STR("gzip")) || str_equals_nocase(name, STR("x-gzip"))) {
        return CODING_GZIP;
    }
    return str_equals_nocase(name, STR("deflate")) ? CODING_DEFLATE : CODING_UNKNOWN;
}

bool decode_is_identity(struct str content_encoding)
{
    return coding_of(content_encoding) == CODING_IDENTITY;
}

struct decode *decode_new(void)
{
    return check_calloc(1, sizeof(struct decode));
}

void decode_free(struct decode *decode)
{
    if (decode != NULL) {
        if (decode->has_zlib) {
            (void)inflateEnd(&decode->zlib);
        }
        free(decode);
    }
}

static void fail(struct decode *decode, enum decode_end end, const char *words)
{
    if (decode->end == DECODE_WHOLE) {
        decode->end = end;
        (void)snprintf(decode->problem, sizeof(decode->problem), "%s: %s",
                       decode->coding == CODING_GZIP ? "gzip" : "deflate", words);
    }
}

void decode_begin(struct decode *decode, struct str content_encoding, uint64_t ceiling)
{
    decode->coding = coding_of(content_encoding);
    decode->end = DECODE_WHOLE;
    decode->is_inflating = false;
    decode->stream_ended = false;
    decode->ceiling = ceiling;
    decode->fed_bytes = 0;
    decode->decoded_bytes = 0;
    decode->problem[0] = '\0';
    if (decode->coding == CODING_UNKNOWN) {
        decode->end = DECODE_UNKNOWN;
        struct str name = str_slice(str_trim(content_encoding), 0, 60);
        (void)snprintf(decode->problem, sizeof(decode->problem), "unknown coding %.*s",
                       STR_ARG(name));
    }
}

static void start_inflating(struct decode *decode, int bits)
{
    int result =
        decode->has_zlib ? inflateReset2(&decode->zlib, bits) : inflateInit2(&decode->zlib, bits);
    CHECK(result == Z_OK);
    decode->has_zlib = true;
    decode->is_inflating = true;
}

static void emit(struct decode *decode, struct str bytes, decode_sink *sink, void *context)
{
    if (bytes.len > decode->ceiling - decode->decoded_bytes) {
        fail(decode, DECODE_TOO_LARGE, "too much comes out");
        return;
    }
    decode->decoded_bytes += bytes.len;
    if (bytes.len > 0) {
        sink(context, bytes);
    }
}

/* Another member follows at once (RFC 1952 2.2); anything else behind the end is padding. */
static bool next_member_starts(struct decode *decode, struct str rest)
{
    if (decode->coding != CODING_GZIP || rest.len == 0 || rest.data[0] != '\x1F') {
        return false;
    }
    start_inflating(decode, BITS_GZIP);
    decode->stream_ended = false;
    return true;
}

/* Inflates until the input is used up; returns what is behind the end of the data. */
static struct str inflate_some(struct decode *decode, struct str bytes, decode_sink *sink,
                               void *context)
{
    z_stream *zlib = &decode->zlib;
    uInt len = bytes.len > UINT32_MAX / 2 ? UINT32_MAX / 2 : (uInt)bytes.len;
    zlib->next_in = (z_const Bytef *)bytes.data;
    zlib->avail_in = len;
    do {
        zlib->next_out = decode->output;
        zlib->avail_out = OUTPUT_BYTES;
        int result = inflate(zlib, Z_NO_FLUSH);
        size_t made = OUTPUT_BYTES - zlib->avail_out;
        emit(decode, str_of((const char *)decode->output, made), sink, context);
        if (result == Z_STREAM_END) {
            decode->stream_ended = true;
        } else if (result != Z_OK && result != Z_BUF_ERROR) {
            fail(decode, DECODE_BROKEN, zlib->msg == NULL ? "the data is damaged" : zlib->msg);
        }
    } while (decode->end == DECODE_WHOLE && !decode->stream_ended &&
             (zlib->avail_in > 0 || zlib->avail_out == 0));
    return str_slice(bytes, len - zlib->avail_in, bytes.len);
}

static void inflate_all(struct decode *decode, struct str bytes, decode_sink *sink, void *context)
{
    while (bytes.len > 0 && decode->end == DECODE_WHOLE) {
        if (decode->stream_ended && !next_member_starts(decode, bytes)) {
            return;
        }
        bytes = inflate_some(decode, bytes, sink, context);
    }
}

/* Chooses zlib or raw by the first two bytes (RFC 1950 2.2: a multiple of 31, method 8). */
static void start_deflate(struct decode *decode, struct str bytes, decode_sink *sink, void *context)
{
    if (decode->fed_bytes == 0 && bytes.len == 1) {
        decode->first = (unsigned char)bytes.data[0];
        return;
    }
    bool is_split = decode->fed_bytes > 0;
    unsigned first = is_split ? decode->first : (unsigned char)bytes.data[0];
    unsigned second = (unsigned char)bytes.data[is_split ? 0 : 1];
    bool is_zlib = (first & 0x0F) == 8 && (first * 256 + second) % 31 == 0;
    start_inflating(decode, is_zlib ? BITS_ZLIB : BITS_RAW);
    if (is_split) {
        inflate_all(decode, str_of((const char *)&decode->first, 1), sink, context);
    }
    inflate_all(decode, bytes, sink, context);
}

void decode_feed(struct decode *decode, struct str bytes, decode_sink *sink, void *context)
{
    if (decode->end != DECODE_WHOLE || bytes.len == 0) {
        return;
    }
    if (decode->coding == CODING_IDENTITY) {
        emit(decode, bytes, sink, context);
    } else if (decode->is_inflating) {
        inflate_all(decode, bytes, sink, context);
    } else if (decode->coding == CODING_GZIP) {
        start_inflating(decode, BITS_GZIP);
        inflate_all(decode, bytes, sink, context);
    } else {
        start_deflate(decode, bytes, sink, context);
    }
    decode->fed_bytes += bytes.len;
}

enum decode_end decode_finish(struct decode *decode)
{
    if (decode->fed_bytes > 0 && decode->coding != CODING_IDENTITY && !decode->stream_ended) {
        fail(decode, DECODE_CUT_OFF, "the data stops before its end");
    }
    return decode->end;
}

struct str decode_problem(const struct decode *decode)
{
    return str_from(decode->problem);
}
