/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fiddler's archives: as Fiddler writes them, as others do, damaged, locked, and made to burst.
 * Rows of the conformance list: B114.
 */
#include "reading.h"

#include <zip.h>

#include "lather/capture/saz.h"

/* An archive being built in memory. */
struct making {
    zip_source_t *source;
    zip_t *zip;
};

static void begin(struct making *making)
{
    zip_error_t error;
    zip_error_init(&error);
    making->source = zip_source_buffer_create(NULL, 0, 0, &error);
    assert_non_null(making->source);
    zip_source_keep(making->source);
    making->zip = zip_open_from_source(making->source, ZIP_TRUNCATE, &error);
    assert_non_null(making->zip);
}

static void add(struct making *making, const char *name, struct str bytes)
{
    char *copy = check_malloc(bytes.len + 1);
    memcpy(copy, bytes.data, bytes.len);
    zip_source_t *source = zip_source_buffer(making->zip, copy, bytes.len, 1);
    assert_non_null(source);
    assert_true(zip_file_add(making->zip, name, source, 0) >= 0);
}

static void finish(struct making *making, struct buf *archive)
{
    assert_int_equal(zip_close(making->zip), 0);
    assert_int_equal(zip_source_open(making->source), 0);
    zip_int64_t got = 0;
    char bytes[4096];
    while ((got = zip_source_read(making->source, bytes, sizeof bytes)) > 0) {
        buf_append(archive, bytes, (size_t)got);
    }
    (void)zip_source_close(making->source);
    zip_source_free(making->source);
}

#define REQUEST "POST http://h/S.svc HTTP/1.1\r\nContent-Type: text/xml\r\n\r\n"

static void real_shapes_give_the_order(void **state)
{
    (void)state;
    assert_sample_is_order(SAMPLES "capture_saz/order", CAPTURE_SAZ);
    assert_sample_is_order(SAMPLES "capture_saz/order-backslashes", CAPTURE_SAZ);
}

/* Chunked, encoded, and plain under heads that say so. */
static void B114_bodies_are_decoded_or_taken_as_they_are(void **state)
{
    (void)state;
    struct capture capture;
    assert_sample_is_order(SAMPLES "capture_saz/order-chunked", CAPTURE_SAZ);
    assert_sample_is_order(SAMPLES "capture_saz/order-chunked-plain", CAPTURE_SAZ);
    read_sample(&capture, SAMPLES "capture_saz/order-gzip");
    assert_order(&capture.messages[0]);
    assert_string_equal(field(&capture.messages[0], "Content-Encoding"), "(none)");
    assert_note(&capture, CAPTURE_NOTE_REMARK, "is sent decoded");
    capture_deinit(&capture);
    read_sample(&capture, SAMPLES "capture_saz/order-chunked-plain");
    assert_note(&capture, CAPTURE_NOTE_REMARK, "dropped Content-Encoding: gzip");
    capture_deinit(&capture);
}

static void an_encoding_that_is_not_known_is_kept(void **state)
{
    (void)state;
    struct making making;
    struct buf archive;
    struct capture capture;
    buf_init(&archive);
    begin(&making);
    add(&making, "raw/1_c.txt",
        STR("POST http://h/ HTTP/1.1\r\nContent-Encoding: br\r\n\r\n\x0b\x02"));
    finish(&making, &archive);
    read_content(&capture, buf_view(&archive), "x.saz");
    assert_string_equal(field(&capture.messages[0], "Content-Encoding"), "br");
    assert_body(&capture.messages[0], STR("\x0b\x02"));
    assert_note(&capture, CAPTURE_NOTE_REMARK, "which is not decoded here");
    capture_deinit(&capture);
    buf_deinit(&archive);
}

static void sessions_come_in_the_order_of_their_numbers(void **state)
{
    (void)state;
    struct making making;
    struct buf archive;
    struct capture capture;
    buf_init(&archive);
    begin(&making);
    static const char *const names[] = {"raw/10_c.txt", "raw/2_c.txt", "raw/001_c.txt",
                                        "raw/x_c.txt", "again/raw/3_c.txt"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct buf request;
        buf_init(&request);
        buf_printf(&request, REQUEST "<n>%zu</n>", i);
        add(&making, names[i], buf_view(&request));
        buf_deinit(&request);
    }
    add(&making, "raw/2_s.txt", STR("HTTP/1.1 202 Accepted\r\n\r\n"));
    add(&making, "notraw/5_c.txt", STR(REQUEST "<n/>"));
    finish(&making, &archive);
    read_content(&capture, buf_view(&archive), "x.saz");
    assert_int_equal(capture.count, 5);
    static const char *const bodies[] = {"<n>2</n>", "<n>1</n>", "<n>4</n>", "<n>0</n>",
                                         "<n>3</n>"};
    for (size_t i = 0; i < 5; i++) {
        assert_body(&capture.messages[i], str_from(bodies[i]));
    }
    assert_int_equal(capture.messages[1].answer_status, 202);
    assert_int_equal(capture.messages[0].answer_status, 0);
    capture_deinit(&capture);
    buf_deinit(&archive);
}

/* Both ways of locking: PKZIP's and WinZip's. Not every libzip can lock or unlock. */
static void a_password_is_named(void **state)
{
    (void)state;
    assert_sample_refused(SAMPLES "capture_saz/password", "the archive has a password");
}

static void what_is_no_archive_of_fiddler_is_refused(void **state)
{
    (void)state;
    assert_sample_refused(SAMPLES "capture_saz/no-session", "no raw/N_c.txt is in it");
    assert_sample_refused(SAMPLES "capture_saz/connects", "HTTPS was not decrypted");
    assert_refused(STR("I am none."), "some.saz", "not a ZIP file");
    assert_refused(STR("I am none."), "SOME.SAZ", "not a ZIP file");
    assert_refused(STR("PK\x03\x04 and then nothing of a ZIP"), "broken", "cannot be read");
    assert_refused(str_of("PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 22), "empty.saz",
                   "no raw/N_c.txt");
}

static void a_damaged_session_costs_only_itself(void **state)
{
    (void)state;
    struct making making;
    struct buf archive;
    struct capture capture;
    buf_init(&archive);
    begin(&making);
    struct buf large;
    buf_init(&large);
    buf_append_str(&large, STR(REQUEST));
    for (int i = 0; i < 4000; i++) {
        buf_printf(&large, "<n>%d</n>", i * 7919 % 10007);
    }
    add(&making, "raw/1_c.txt", buf_view(&large));
    add(&making, "raw/2_c.txt", STR(REQUEST "<a/>"));
    add(&making, "raw/3_c.txt", STR("no request at all"));
    finish(&making, &archive);
    archive.data[2000] = (char)(archive.data[2000] ^ 0x55); /* in the first one's data */
    read_content(&capture, buf_view(&archive), "x.saz");
    assert_int_equal(capture.count, 1);
    assert_string_equal(capture.messages[0].place, "raw/2_c.txt");
    assert_note(&capture, CAPTURE_NOTE_SKIPPED, "raw/1_c.txt: damaged");
    assert_note(&capture, CAPTURE_NOTE_SKIPPED, "raw/3_c.txt: no HTTP request");
    capture_deinit(&capture);
    buf_deinit(&large);
    buf_deinit(&archive);
}

/* 260 MB of blanks in 260 KB: unpacked up to the ceiling, then left. */
static void a_bomb_is_left_at_the_ceiling(void **state)
{
    (void)state;
    enum { BLOCK_BYTES = 1 << 20, BLOCKS = (CAPTURE_BODY_CEILING >> 20) + 4 };
    struct making making;
    struct buf archive;
    struct capture capture;
    buf_init(&archive);
    begin(&making);
    char *block = check_malloc(BLOCK_BYTES);
    memset(block, ' ', BLOCK_BYTES);
    zip_buffer_fragment_t fragments[BLOCKS + 1] = {
        {.data = (zip_uint8_t *)REQUEST, .length = sizeof REQUEST - 1}};
    for (size_t i = 1; i <= BLOCKS; i++) {
        fragments[i] = (zip_buffer_fragment_t){.data = (zip_uint8_t *)block, .length = BLOCK_BYTES};
    }
    zip_source_t *bomb = zip_source_buffer_fragment(making.zip, fragments, BLOCKS + 1, 0);
    assert_non_null(bomb);
    assert_true(zip_file_add(making.zip, "raw/1_c.txt", bomb, 0) >= 0);
    add(&making, "raw/2_c.txt", STR(REQUEST "<a/>"));
    finish(&making, &archive);
    free(block);
    assert_true(archive.len < 1 << 20);
    read_content(&capture, buf_view(&archive), "bomb.saz");
    assert_int_equal(capture.count, 1);
    assert_note(&capture, CAPTURE_NOTE_SKIPPED, "raw/1_c.txt: larger than 257.0 MB");
    capture_deinit(&capture);
    buf_deinit(&archive);
}

static void no_cut_breaks_the_reader(void **state)
{
    (void)state;
    assert_cuts_are_told(SAMPLES "capture_saz/order", 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(real_shapes_give_the_order),
        cmocka_unit_test(B114_bodies_are_decoded_or_taken_as_they_are),
        cmocka_unit_test(an_encoding_that_is_not_known_is_kept),
        cmocka_unit_test(sessions_come_in_the_order_of_their_numbers),
        cmocka_unit_test(a_password_is_named),
        cmocka_unit_test(what_is_no_archive_of_fiddler_is_refused),
        cmocka_unit_test(a_damaged_session_costs_only_itself),
        cmocka_unit_test(a_bomb_is_left_at_the_ceiling),
        cmocka_unit_test(no_cut_breaks_the_reader),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
