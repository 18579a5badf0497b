/* SPDX-License-Identifier: Apache-2.0 */
/* Content-Encoding undone, in pieces of any size, from honest and from lying servers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>

#include "lather/base/buf.h"
#include "lather/soap/decode.h"

enum { BITS_RAW = -MAX_WBITS, BITS_ZLIB = MAX_WBITS, BITS_GZIP = MAX_WBITS + 16 };

static const char text[] = "<s:Envelope>some text, some text, some more text</s:Envelope>";

static int make_decoder(void **state)
{
    *state = decode_new();
    return 0;
}

static int drop_decoder(void **state)
{
    decode_free(*state);
    return 0;
}

static void append_packed(struct buf *packed, struct str plain, int bits)
{
    z_stream zlib;
    memset(&zlib, 0, sizeof(zlib));
    assert_int_equal(deflateInit2(&zlib, 9, Z_DEFLATED, bits, 8, Z_DEFAULT_STRATEGY), Z_OK);
    uLong bound = deflateBound(&zlib, (uLong)plain.len);
    zlib.next_in = (z_const Bytef *)plain.data;
    zlib.avail_in = (uInt)plain.len;
    zlib.next_out = (Bytef *)buf_reserve(packed, bound);
    zlib.avail_out = (uInt)bound;
    assert_int_equal(deflate(&zlib, Z_FINISH), Z_STREAM_END);
    packed->len += zlib.total_out;
    assert_int_equal(deflateEnd(&zlib), Z_OK);
}

static void collect(void *context, struct str bytes)
{
    buf_append_str(context, bytes);
}

static enum decode_end unpack(struct decode *decode, struct str bytes, const char *coding,
                              size_t piece, struct buf *plain)
{
    decode_begin(decode, str_from(coding), 1000000);
    for (size_t at = 0; at < bytes.len; at += piece) {
        decode_feed(decode, str_slice(bytes, at, at + piece), collect, plain);
    }
    return decode_finish(decode);
}

static void check(struct decode *decode, struct str bytes, const char *coding, const char *expected)
{
    for (size_t piece = 1; piece <= bytes.len + 1; piece++) {
        struct buf plain;
        buf_init(&plain);
        assert_int_equal(unpack(decode, bytes, coding, piece, &plain), DECODE_WHOLE);
        assert_true(str_equals(buf_view(&plain), str_from(expected)));
        buf_deinit(&plain);
    }
}

static void check_end(struct decode *decode, struct str bytes, const char *coding,
                      enum decode_end end, const char *problem)
{
    for (size_t piece = 1; piece <= bytes.len + 1; piece += 3) {
        struct buf plain;
        buf_init(&plain);
        assert_int_equal(unpack(decode, bytes, coding, piece, &plain), end);
        assert_true(str_starts_with(decode_problem(decode), str_from(problem)));
        buf_deinit(&plain);
    }
}

static void codings_are_undone(void **state)
{
    struct buf packed;
    buf_init(&packed);
    append_packed(&packed, STR(text), BITS_GZIP);
    check(*state, buf_view(&packed), "gzip", text);
    check(*state, buf_view(&packed), " X-GZip ", text);
    buf_reset(&packed);
    append_packed(&packed, STR(text), BITS_ZLIB);
    check(*state, buf_view(&packed), "deflate", text);
    buf_reset(&packed);
    append_packed(&packed, STR(text), BITS_RAW);
    check(*state, buf_view(&packed), "Deflate", text);
    check(*state, STR(text), "identity", text);
    check(*state, STR(text), "", text);
    buf_deinit(&packed);
}

static void gzip_may_have_members_and_padding(void **state)
{
    struct buf packed;
    buf_init(&packed);
    append_packed(&packed, STR("one "), BITS_GZIP);
    append_packed(&packed, STR("two"), BITS_GZIP);
    check(*state, buf_view(&packed), "gzip", "one two");
    buf_append(&packed, "\0\0\0\0", 4);
    check(*state, buf_view(&packed), "gzip", "one two");
    buf_deinit(&packed);
}

/* A 202 may carry the field and no body. */
static void no_bytes_are_whole(void **state)
{
    check(*state, STR(""), "gzip", "");
    check(*state, STR(""), "deflate", "");
}

static void b155_plain_body_under_a_coding_is_broken(void **state)
{
    check_end(*state, STR(text), "gzip", DECODE_BROKEN, "gzip: ");
    check_end(*state, STR(text), "deflate", DECODE_BROKEN, "deflate: ");
}

static void b155_cut_off_data_is_told_from_damaged(void **state)
{
    struct buf packed;
    buf_init(&packed);
    append_packed(&packed, STR(text), BITS_GZIP);
    for (size_t len = 1; len < packed.len; len++) {
        check_end(*state, str_of(packed.data, len), "gzip", DECODE_CUT_OFF, "gzip: ");
    }
    packed.data[packed.len - 1] ^= 1;
    check_end(*state, buf_view(&packed), "gzip", DECODE_BROKEN, "gzip: incorrect");
    buf_reset(&packed);
    append_packed(&packed, STR(text), BITS_RAW);
    for (size_t len = 1; len < packed.len; len++) {
        check_end(*state, str_of(packed.data, len), "deflate", DECODE_CUT_OFF, "deflate: ");
    }
    buf_deinit(&packed);
}

static void unknown_codings_are_named(void **state)
{
    check_end(*state, STR("abc"), "br", DECODE_UNKNOWN, "unknown coding br");
    check_end(*state, STR("abc"), "gzip, gzip", DECODE_UNKNOWN, "unknown coding gzip, gzip");
    check_end(*state, STR(""), "zstd", DECODE_UNKNOWN, "unknown coding zstd");
}

static void count(void *context, struct str bytes)
{
    *(uint64_t *)context += bytes.len;
}

static void bombs_stop_at_the_ceiling(void **state)
{
    struct buf zeros;
    struct buf packed;
    buf_init(&zeros);
    buf_init(&packed);
    memset(buf_reserve(&zeros, 1 << 20), 0, 1 << 20);
    zeros.len = 1 << 20;
    for (int i = 0; i < 20; i++) {
        append_packed(&packed, buf_view(&zeros), BITS_GZIP);
    }
    uint64_t bytes = 0;
    decode_begin(*state, STR("gzip"), 5000000);
    decode_feed(*state, buf_view(&packed), count, &bytes);
    assert_int_equal(decode_finish(*state), DECODE_TOO_LARGE);
    assert_true(bytes <= 5000000);
    bytes = 0;
    decode_begin(*state, STR("gzip"), 20 << 20);
    decode_feed(*state, buf_view(&packed), count, &bytes);
    assert_int_equal(decode_finish(*state), DECODE_WHOLE);
    assert_int_equal(bytes, 20 << 20);
    buf_deinit(&packed);
    buf_deinit(&zeros);
}

/* B036: what one body left behind must not reach the next. */
static void b036_each_body_starts_anew(void **state)
{
    struct buf packed;
    buf_init(&packed);
    append_packed(&packed, STR(text), BITS_GZIP);
    for (size_t len = 0; len <= packed.len; len++) {
        struct buf plain;
        buf_init(&plain);
        (void)unpack(*state, str_of(packed.data, len), "gzip", 4, &plain);
        buf_deinit(&plain);
        check(*state, STR("plain"), "", "plain");
        buf_init(&plain);
        assert_int_equal(unpack(*state, buf_view(&packed), "gzip", 7, &plain), DECODE_WHOLE);
        assert_true(str_equals(buf_view(&plain), STR(text)));
        buf_deinit(&plain);
    }
    buf_deinit(&packed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(codings_are_undone),
        cmocka_unit_test(gzip_may_have_members_and_padding),
        cmocka_unit_test(no_bytes_are_whole),
        cmocka_unit_test(b155_plain_body_under_a_coding_is_broken),
        cmocka_unit_test(b155_cut_off_data_is_told_from_damaged),
        cmocka_unit_test(unknown_codings_are_named),
        cmocka_unit_test(bombs_stop_at_the_ceiling),
        cmocka_unit_test(b036_each_body_starts_anew),
    };
    return cmocka_run_group_tests(tests, make_decoder, drop_decoder);
}
