/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fiddler's archive: a ZIP with raw/N_c.txt for each request and raw/N_s.txt for its answer. Sizes
 * in a ZIP are claims, so an entry is unpacked up to a ceiling and no further, one at a time. Body
 * bytes are what Fiddler saw, or what it made of them: framing that a head names may be gone.
 */
#include "lather/capture/saz.h"

#include <stdlib.h>
#include <zip.h>

#include "lather/base/units.h"
#include "lather/capture/gather.h"
#include "lather/capture/http_text.h"
#include "lather/capture/raw_session.h"
#include "lather/capture/transfer.h"

enum {
    STEP_BYTES = 64 * 1024,
    STATUS_LINE_BYTES = 256,
    ENTRIES_CEILING = 1000000, /* of the archive, answers and metadata included */
    HEAD_BYTES = 1 << 20,      /* a request's entry may be so much larger than its body */
};

/* Entries of a ZIP may overlap, so that a small file unpacks for hours. */
#define UNPACKED_CEILING (2 * (uint64_t)CAPTURE_TOTAL_CEILING)

/* A request's entry. */
struct session {
    uint64_t number; /* of its name; UINT64_MAX when it has none */
    zip_uint64_t entry;
    zip_uint64_t answer; /* UINT64_MAX: none */
};

struct archive {
    struct capture *capture;
    zip_t *zip;
    struct session *sessions;
    size_t count;
    size_t capacity;
    size_t encrypted;
    uint64_t unpacked; /* bytes, of all entries */
};

static bool is_separator(char byte)
{
    return byte == '/' || byte == '\\';
}

/*
 * Whether the name is raw/NUMBER and the ending, in any case and with slashes of either kind; a
 * folder in front is forgiven, archives get packed again. stem is what stands before the ending.
 */
static bool is_raw_name(struct str name, struct str ending, struct str *stem)
{
    if (name.len < ending.len ||
        !str_equals_nocase(str_slice(name, name.len - ending.len, name.len), ending)) {
        return false;
    }
    struct str rest = str_slice(name, 0, name.len - ending.len);
    size_t start = rest.len;
    while (start > 0 && !is_separator(rest.data[start - 1])) {
        start--;
    }
    *stem = str_slice(rest, start, rest.len);
    struct str folder = str_slice(rest, 0, start > 0 ? start - 1 : 0);
    struct str last = str_slice(folder, folder.len < 3 ? 0 : folder.len - 3, folder.len);
    return str_equals_nocase(last, STR("raw")) &&
           (folder.len == 3 || is_separator(folder.data[folder.len - 4]));
}

static struct str entry_name(struct archive *archive, zip_uint64_t entry)
{
    return str_from(zip_get_name(archive->zip, entry, ZIP_FL_ENC_GUESS));
}

static bool is_encrypted(struct archive *archive, zip_uint64_t entry)
{
    zip_stat_t stat;
    return zip_stat_index(archive->zip, entry, 0, &stat) == 0 &&
           (stat.valid & ZIP_STAT_ENCRYPTION_METHOD) != 0 && stat.encryption_method != ZIP_EM_NONE;
}

static void add_session(struct archive *archive, zip_uint64_t entry, struct str stem)
{
    if (archive->count == archive->capacity) {
        archive->capacity = archive->capacity == 0 ? 64 : archive->capacity * 2;
        archive->sessions =
            check_realloc(archive->sessions, archive->capacity * sizeof archive->sessions[0]);
    }
    uint64_t number = 0;
    if (!str_to_u64(stem, &number)) {
        number = UINT64_MAX;
    }
    archive->encrypted += is_encrypted(archive, entry) ? 1 : 0;
    archive->sessions[archive->count++] =
        (struct session){.number = number, .entry = entry, .answer = UINT64_MAX};
}

/* By number; entries without one keep their order at the end. */
static int compare_sessions(const void *a, const void *b)
{
    const struct session *left = a;
    const struct session *right = b;
    if (left->number != right->number) {
        return left->number < right->number ? -1 : 1;
    }
    return left->entry < right->entry ? -1 : left->entry > right->entry;
}

static struct session *find_session(struct archive *archive, uint64_t number)
{
    size_t low = 0;
    size_t high = archive->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (archive->sessions[middle].number < number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < archive->count && archive->sessions[low].number == number ? &archive->sessions[low]
                                                                           : NULL;
}

static void list_sessions(struct archive *archive)
{
    zip_int64_t entries = zip_get_num_entries(archive->zip, 0);
    zip_uint64_t count = entries < 0 ? 0 : (zip_uint64_t)entries;
    struct str stem;
    count = count > ENTRIES_CEILING ? ENTRIES_CEILING : count;
    for (zip_uint64_t i = 0; i < count; i++) {
        if (is_raw_name(entry_name(archive, i), STR("_c.txt"), &stem)) {
            add_session(archive, i, stem);
        }
    }
    if (archive->count == 0) {
        return;
    }
    qsort(archive->sessions, archive->count, sizeof archive->sessions[0], compare_sessions);
    for (zip_uint64_t i = 0; i < count; i++) {
        uint64_t number = 0;
        if (is_raw_name(entry_name(archive, i), STR("_s.txt"), &stem) &&
            str_to_u64(stem, &number)) {
            struct session *session = find_session(archive, number);
            if (session != NULL) {
                session->answer = i;
            }
        }
    }
}

/* Unpacks an entry, or as much of it as the ceiling lets. False, with the reason, at damage. */
static bool unpack(struct archive *archive, zip_uint64_t entry, size_t ceiling, struct buf *bytes,
                   struct err *err)
{
    zip_file_t *file = zip_fopen_index(archive->zip, entry, 0);
    if (file == NULL) {
        return err_set(err, ERR_FORMAT, "%.200s", zip_strerror(archive->zip));
    }
    zip_int64_t got = 1;
    while (got > 0 && bytes->len < ceiling) {
        size_t room = ceiling - bytes->len < STEP_BYTES ? ceiling - bytes->len : STEP_BYTES;
        got = zip_fread(file, buf_reserve(bytes, room), room);
        bytes->len += got > 0 ? (size_t)got : 0;
    }
    buf_append(bytes, NULL, 0); /* its NUL */
    archive->unpacked += bytes->len;
    if (got < 0) {
        (void)err_set(err, ERR_FORMAT, "%.200s", zip_file_strerror(file));
    }
    (void)zip_fclose(file);
    return got >= 0;
}

static unsigned answer_status(struct archive *archive, const struct session *session)
{
    if (session->answer == UINT64_MAX || is_encrypted(archive, session->answer)) {
        return 0;
    }
    struct buf bytes;
    buf_init(&bytes);
    unsigned status = 0;
    (void)!unpack(archive, session->answer, STATUS_LINE_BYTES, &bytes, NULL);
    struct str rest = buf_view(&bytes);
    struct str line;
    if (!http_text_take_line(&rest, &line) || !http_text_parse_status_line(line, &status)) {
        status = 0;
    }
    buf_deinit(&bytes);
    return status;
}

static bool is_request(struct str text)
{
    struct str line;
    struct str method;
    struct str target;
    return http_text_take_line(&text, &line) &&
           http_text_parse_request_line(line, &method, &target);
}

/* The entry's bytes behind the head; without chunk framing, if that is what they are in. */
static void take_body(struct capture_message *message, struct str rest)
{
    size_t used = 0;
    const char *coding = http_head_find(&message->head, STR("Transfer-Encoding"));
    bool is_chunked = coding != NULL &&
                      str_find_nocase(str_from(coding), STR("chunked")) != SIZE_MAX &&
                      transfer_dechunk(rest, &message->body, &used);
    if (!is_chunked) {
        buf_append_str(&message->body, rest);
    }
}

static void import_session(struct archive *archive, const struct session *session, struct str text)
{
    struct capture *capture = archive->capture;
    struct capture_message message = {.place = gather_clean(entry_name(archive, session->entry))};
    if (!is_request(text)) {
        gather_skip(capture, message.place, "no HTTP request");
        capture_message_deinit(&message);
        return;
    }
    enum raw_session_head head = raw_session_take_head(&text, capture, &message);
    take_body(&message, text);
    message.answer_status = answer_status(archive, session);
    (void)raw_session_import(capture, &message, head);
}

static void read_session(struct archive *archive, const struct session *session)
{
    char *place = gather_clean(entry_name(archive, session->entry));
    const size_t ceiling = (size_t)CAPTURE_BODY_CEILING + HEAD_BYTES;
    struct err err;
    struct buf bytes;
    buf_init(&bytes);
    if (is_encrypted(archive, session->entry)) {
        gather_skip(archive->capture, place, "it needs a password");
    } else if (!unpack(archive, session->entry, ceiling, &bytes, &err)) {
        gather_skip(archive->capture, place, "damaged: %.300s", err.text);
    } else if (bytes.len == ceiling) {
        char limit[UNITS_TEXT_SIZE];
        gather_skip(archive->capture, place, "larger than %s when unpacked",
                    units_format_size(ceiling, limit));
    } else {
        import_session(archive, session, buf_view(&bytes));
    }
    if (archive->unpacked > UNPACKED_CEILING) {
        gather_skip(archive->capture, place,
                    "the archive is too large when unpacked; what "
                    "follows is left out");
        archive->capture->is_full = true;
    }
    buf_deinit(&bytes);
    free(place);
}

static bool check_sessions(const struct archive *archive, struct err *err)
{
    const char *name = archive->capture->name;
    if (archive->count == 0) {
        return err_set(err, ERR_FORMAT,
                       "%.200s: a ZIP file, but no Fiddler archive: no raw/N_c.txt is in it", name);
    }
    if (archive->encrypted == archive->count) {
        return err_set(err, ERR_FORMAT,
                       "%.200s: the archive has a password: save the sessions in Fiddler without "
                       "one (File > Save > All Sessions)",
                       name);
    }
    return true;
}

static zip_t *open_archive(struct str content, const char *name, struct err *err)
{
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t *source = zip_source_buffer_create(content.data, content.len, 0, &error);
    zip_t *zip = source == NULL ? NULL : zip_open_from_source(source, ZIP_RDONLY, &error);
    if (zip == NULL) {
        (void)err_set(err, ERR_FORMAT,
                      "%.200s: begins as a ZIP file, but cannot be read (%.100s): was it copied "
                      "whole?",
                      name, zip_error_strerror(&error));
        zip_source_free(source);
    }
    zip_error_fini(&error);
    return zip;
}

bool saz_read(struct str content, struct capture *capture, struct err *err)
{
    zip_t *zip = open_archive(content, capture->name, err);
    if (zip == NULL) {
        return false;
    }
    struct archive archive = {.capture = capture, .zip = zip};
    list_sessions(&archive);
    bool is_readable = check_sessions(&archive, err);
    for (size_t i = 0; i < archive.count && is_readable && !capture->is_full; i++) {
        read_session(&archive, &archive.sessions[i]);
    }
    free(archive.sessions);
    zip_discard(zip);
    return is_readable;
}
