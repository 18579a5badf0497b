/* SPDX-License-Identifier: Apache-2.0 */
/* The root part of a multipart body, as it comes from real and from broken servers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lather/base/buf.h"
#include "lather/soap/mime.h"

#define TYPE                                                                                       \
    "multipart/related; type=\"application/xop+xml\"; start=\"<http://tempuri.org/0>\"; "          \
    "boundary=\"uuid:1+id=1\"; start-info=\"text/xml\""
#define ROOT_HEAD                                                                                  \
    "Content-ID: <http://tempuri.org/0>\r\nContent-Transfer-Encoding: 8bit\r\n"                    \
    "Content-Type: application/xop+xml;charset=utf-8;type=\"text/xml\"\r\n\r\n"
#define MTOM                                                                                       \
    "\r\n--uuid:1+id=1\r\n" ROOT_HEAD "<e/>\r\n--uuid:1+id=1\r\nContent-ID: <x>\r\n\r\n\0\r\n--\r" \
    "\n--uuid:1+id=1--\r\n"

struct taken {
    struct buf type;
    struct buf bytes;
    size_t roots;
};

static void on_root(void *context, struct str content_type)
{
    struct taken *taken = context;
    taken->roots++;
    buf_reset(&taken->type);
    buf_append_str(&taken->type, content_type);
    buf_reset(&taken->bytes);
}

static void on_bytes(void *context, struct str bytes)
{
    buf_append_str(&((struct taken *)context)->bytes, bytes);
}

static enum mime_end take(struct taken *taken, struct str body, const char *type, size_t piece)
{
    static const struct mime_events events = {.root = on_root, .bytes = on_bytes};
    struct mime *mime = mime_new(&events, taken);
    mime_begin(mime, str_from(type));
    for (size_t at = 0; at < body.len; at += piece) {
        mime_feed(mime, str_slice(body, at, at + piece));
    }
    enum mime_end end = mime_finish(mime);
    mime_free(mime);
    return end;
}

static void drop(struct taken *taken)
{
    buf_deinit(&taken->type);
    buf_deinit(&taken->bytes);
}

/* The same in pieces of every size. */
static void check(struct str body, const char *type, enum mime_end end, const char *root)
{
    for (size_t piece = 1; piece <= body.len + 1; piece++) {
        struct taken taken = {.roots = 0};
        enum mime_end met = take(&taken, body, type, piece);
        if (met != end || !str_equals(buf_view(&taken.bytes), str_from(root))) {
            fail_msg("pieces of %zu: \"%s\", \"%.*s\"", piece, mime_end_text(met),
                     STR_ARG(buf_view(&taken.bytes)));
        }
        drop(&taken);
    }
}

/* B100 */
static void b100_root_part_is_taken_out(void **state)
{
    (void)state;
    check(STR(MTOM), TYPE, MIME_WHOLE, "<e/>");
    struct taken taken = {.roots = 0};
    assert_int_equal(take(&taken, STR(MTOM), TYPE, 1000), MIME_WHOLE);
    assert_int_equal(taken.roots, 1);
    assert_true(str_equals(buf_view(&taken.type),
                           STR("application/xop+xml;charset=utf-8;type=\"text/xml\"")));
    drop(&taken);
}

static void only_one_part_is_enough(void **state)
{
    (void)state;
    check(STR("--b\r\n\r\n<e/>\r\n--b--"), "multipart/related; boundary=b", MIME_WHOLE, "<e/>");
    check(STR("--b\n\n<e/>\n--b--\n"), "multipart/related;BOUNDARY=b", MIME_WHOLE, "<e/>");
    check(STR("preamble\r\n--b \t\r\n\r\n\r\n--b--epilogue\r\n--b\r\n"),
          "Multipart/Related; boundary=\"b\"", MIME_WHOLE, "");
}

static void headers_are_read_liberally(void **state)
{
    (void)state;
    check(STR("--b\ncontent-id:\n <root>\nCONTENT-TYPE: text/xml;\n charset=utf-16\n\n<e/>\n--b--"),
          "multipart/related; start=root; boundary=b", MIME_WHOLE, "<e/>");
    struct taken taken = {.roots = 0};
    assert_int_equal(
        take(&taken, STR("--b\nX: y\ncontent-type : text/xml;\n\tcharset=utf-16\n\n<e/>\n--b--"),
             "multipart/related; boundary=b", 3),
        MIME_WHOLE);
    assert_true(str_equals(buf_view(&taken.type), STR("text/xml; charset=utf-16")));
    drop(&taken);
}

static void start_names_the_root_wherever_it_is(void **state)
{
    (void)state;
    static const char body[] =
        "--b\r\nContent-ID: <one>\r\n\r\nfirst\r\n--b\r\nContent-ID: two\r\n\r\n"
        "second\r\n--b\r\nContent-ID: <two>\r\n\r\nthird\r\n--b--";
    check(STR(body), "multipart/related; start=\"<two>\"; boundary=b", MIME_WHOLE, "second");
    check(STR(body), "multipart/related; start=\"one\"; boundary=b", MIME_WHOLE, "first");
    check(STR(body), "multipart/related; boundary=b", MIME_WHOLE, "first");
    check(STR(body), "multipart/related; start=\"<none>\"; boundary=b", MIME_WHOLE, "first");
}

static void without_a_type_the_first_line_is_the_boundary(void **state)
{
    (void)state;
    check(STR("\r\n--x y\r\n\r\n<e/>\r\n--x y--\r\n"), "", MIME_WHOLE, "<e/>");
    check(STR("--\r\n\r\n<e/>"), "", MIME_NO_BOUNDARY, "");
    check(STR("hello\r\nworld"), "", MIME_NO_BOUNDARY, "");
    check(STR(""), "", MIME_NO_BOUNDARY, "");
    assert_true(mime_is_likely(STR("\r\n--x")));
    assert_false(mime_is_likely(STR(" <e/>")));
}

static void what_looks_like_a_boundary_stays_content(void **state)
{
    (void)state;
    check(STR("--b\r\n\r\na--b\r\n--bc\r\n--b-\r\n--b x\r\n--b--"), "multipart/related; boundary=b",
          MIME_WHOLE, "a--b\r\n--bc\r\n--b-\r\n--b x");
    check(STR("--b\r\n\r\n\r\n\r\n-\r\n--\r\r\n--b--"), "multipart/related; boundary=b", MIME_WHOLE,
          "\r\n\r\n-\r\n--\r");
}

static void transfer_encodings_are_undone(void **state)
{
    (void)state;
    check(STR("--b\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n<e a=3D\"=C3=BC\"=\r\n/=\n"
              "=zz>=3d\r\n--b--"),
          "multipart/related; boundary=b", MIME_WHOLE, "<e a=\"\xC3\xBC\"/=>=");
    check(
        STR("--b\r\nContent-Transfer-Encoding: BASE64\r\n\r\nPGUg\r\nYT0n\nMSc v\r\nPg==\r\n--b--"),
        "multipart/related; boundary=b", MIME_WHOLE, "<e a='1'/>");
    check(STR("--b\r\nContent-Transfer-Encoding: x-zip\r\n\r\n<e/>\r\n--b--"),
          "multipart/related; boundary=b", MIME_BAD_ENCODING, "");
}

static void missing_ends_are_told(void **state)
{
    (void)state;
    check(STR("--b\r\n\r\n<e/>\r\n--c--"), "multipart/related; boundary=b", MIME_CUT_OFF,
          "<e/>\r\n");
    check(STR("nothing"), "multipart/related; boundary=b", MIME_NO_PART, "");
    for (size_t len = 1; len < sizeof(MTOM) - 4; len++) {
        char *copy = check_malloc(len);
        memcpy(copy, MTOM, len);
        struct taken taken = {.roots = 0};
        assert_int_not_equal(take(&taken, str_of(copy, len), TYPE, 7), MIME_WHOLE);
        drop(&taken);
        free(copy);
    }
}

static void endless_headers_and_boundaries_have_a_ceiling(void **state)
{
    (void)state;
    struct buf body;
    buf_init(&body);
    buf_append_str(&body, STR("--b\r\nX: "));
    for (int i = 0; i < 100000; i++) {
        buf_append_byte(&body, 'x');
    }
    struct taken taken = {.roots = 0};
    assert_int_equal(take(&taken, buf_view(&body), "multipart/related; boundary=b", 1000),
                     MIME_BAD_HEADER);
    assert_int_equal(take(&taken, str_slice(buf_view(&body), 8, body.len), "", 1000),
                     MIME_NO_BOUNDARY);
    buf_reset(&body);
    buf_append_str(&body, STR("--b\r\n\r\n"));
    for (int i = 0; i < 20000; i++) {
        buf_append_str(&body, STR("\r\n--b \r\n\r\n"));
    }
    buf_append_str(&body, STR("\r\n--b--"));
    assert_int_equal(take(&taken, buf_view(&body), "multipart/related; boundary=b", 1000),
                     MIME_WHOLE);
    drop(&taken);
    buf_deinit(&body);
}

static void append_times(struct buf *body, struct str text, size_t times)
{
    for (size_t i = 0; i < times; i++) {
        buf_append_str(body, text);
    }
}

/* What would take minutes if each byte were looked at, or moved up, with every piece or part. */
static void time_is_linear_whatever_pieces_and_parts_come(void **state)
{
    (void)state;
    struct buf body;
    struct taken taken = {.roots = 0};
    buf_init(&body);
    append_times(&body, STR("\r\n"), 1 << 20);
    buf_append_str(&body, STR("--b\r\n\r\n<e/>\r\n--b--"));
    assert_int_equal(take(&taken, buf_view(&body), "", 1), MIME_WHOLE);
    buf_reset(&body);
    for (int i = 0; i < 200; i++) {
        buf_append_str(&body, STR("--b\n"));
        append_times(&body, STR("x\n"), 8000);
        append_times(&body, STR("\n"), 2);
    }
    buf_append_str(&body, STR("--b--"));
    assert_int_equal(take(&taken, buf_view(&body), "", 1), MIME_WHOLE);
    buf_reset(&body);
    append_times(&body, STR("--b\n\n\n"), 1 << 21);
    buf_append_str(&body, STR("--b--"));
    assert_int_equal(take(&taken, buf_view(&body), "", body.len), MIME_WHOLE);
    assert_int_equal(taken.roots, 3);
    drop(&taken);
    buf_deinit(&body);
}

static void blanks_behind_a_boundary_have_a_ceiling(void **state)
{
    (void)state;
    struct buf body;
    struct taken taken = {.roots = 0};
    for (size_t blanks = MIME_PADDING_CEILING; blanks <= MIME_PADDING_CEILING + 1; blanks++) {
        for (size_t piece = 1; piece < 3000; piece += 1499) {
            buf_init(&body);
            buf_append_str(&body, STR("--b\r\n\r\n<e/>\r\n--b"));
            append_times(&body, STR(" "), blanks);
            buf_append_str(&body, STR("\n\n</e>\r\n--b--"));
            assert_int_equal(take(&taken, buf_view(&body), "", piece), MIME_WHOLE);
            bool is_boundary = str_equals(buf_view(&taken.bytes), STR("<e/>"));
            assert_int_equal(is_boundary, blanks <= MIME_PADDING_CEILING);
            buf_deinit(&body);
        }
    }
    drop(&taken);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(b100_root_part_is_taken_out),
        cmocka_unit_test(only_one_part_is_enough),
        cmocka_unit_test(headers_are_read_liberally),
        cmocka_unit_test(start_names_the_root_wherever_it_is),
        cmocka_unit_test(without_a_type_the_first_line_is_the_boundary),
        cmocka_unit_test(what_looks_like_a_boundary_stays_content),
        cmocka_unit_test(transfer_encodings_are_undone),
        cmocka_unit_test(missing_ends_are_told),
        cmocka_unit_test(endless_headers_and_boundaries_have_a_ceiling),
        cmocka_unit_test(time_is_linear_whatever_pieces_and_parts_come),
        cmocka_unit_test(blanks_behind_a_boundary_have_a_ceiling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
