/* SPDX-License-Identifier: Apache-2.0 */
/*
 * llhttp behind a narrow door: one answer, its status, the few fields somebody looks at, and where
 * its body ends. llhttp calls back with pieces that may be cut anywhere, so names and values are
 * gathered before they are compared. The parser pauses at the end of each answer: whatever a
 * server sends behind it is left to the caller and never read as part of the next one.
 */
#include "lather/net/http1.h"

#include <string.h>

void http1_answer_init(struct http1_answer *answer)
{
    *answer = (struct http1_answer){.content_length = UINT64_MAX};
}

void http1_answer_deinit(struct http1_answer *answer)
{
    buf_deinit(&answer->text);
    buf_deinit(&answer->lines);
}

struct str http1_answer_reason(const struct http1_answer *answer)
{
    return str_of(answer->text.data, answer->reason_len);
}

struct str http1_answer_field(const struct http1_answer *answer, enum http1_field field)
{
    if (answer->field_len[field] == 0) {
        return str_of(NULL, 0);
    }
    return str_of(answer->text.data + answer->field_at[field], answer->field_len[field]);
}

static void http1_forget_head(struct http1_answer *answer)
{
    answer->status = 0;
    answer->reason_len = 0;
    answer->content_length = UINT64_MAX;
    answer->is_chunked = false;
    memset(answer->field_len, 0, sizeof(answer->field_len));
    buf_reset(&answer->text);
}

/* All but what belongs to one reading: the body and the interim answers before it. */
static void http1_copy_head(struct http1_answer *to, const struct http1_answer *from)
{
    to->status = from->status;
    to->keep_alive = from->keep_alive;
    to->content_length = from->content_length;
    to->reason_len = from->reason_len;
    memcpy(to->field_at, from->field_at, sizeof(to->field_at));
    memcpy(to->field_len, from->field_len, sizeof(to->field_len));
    buf_reset(&to->text);
    buf_append(&to->text, from->text.data, from->text.len);
}

/* Interim answers are followed by another; 101 is not, it ends HTTP on this connection. */
static bool http1_is_interim(const struct http1_answer *answer)
{
    return answer->status / 100 == 1 && answer->status != 101;
}

static int http1_refuse_nul(llhttp_t *parser)
{
    llhttp_set_error_reason(parser, HTTP1_NUL_IN_HEAD);
    return HPE_USER;
}

static int http1_on_status(llhttp_t *parser, const char *data, size_t len)
{
    struct http1_reader *reader = parser->data;
    if (memchr(data, '\0', len) != NULL) {
        return http1_refuse_nul(parser);
    }
    buf_append(&reader->answer->text, data, len);
    reader->answer->reason_len += len;
    return 0;
}

/* llhttp also takes HTTP/0.9 and HTTP/2.0, which have no such head. */
static bool http1_is_version_known(llhttp_t *parser)
{
    return llhttp_get_http_major(parser) == 1 && llhttp_get_http_minor(parser) <= 1;
}

static int http1_on_status_complete(llhttp_t *parser)
{
    struct http1_reader *reader = parser->data;
    const int status = llhttp_get_status_code(parser);
    if (status < 100 || status > 999 || !http1_is_version_known(parser)) {
        return HPE_USER; /* llhttp has a reason of its own then: see http1_error */
    }
    reader->answer->status = (uint16_t)status;
    if (reader->keep_lines) {
        buf_printf(&reader->answer->lines, "HTTP/%d.%d %d %.*s\r\n", llhttp_get_http_major(parser),
                   llhttp_get_http_minor(parser), llhttp_get_status_code(parser),
                   STR_ARG(http1_answer_reason(reader->answer)));
    }
    return 0;
}

static int http1_on_name(llhttp_t *parser, const char *data, size_t len)
{
    struct http1_reader *reader = parser->data;
    const size_t room = sizeof(reader->name) - reader->name_len;
    const size_t taken = len < room ? len : room;
    memcpy(reader->name + reader->name_len, data, taken);
    reader->name_len += taken;
    if (reader->keep_lines) {
        buf_append(&reader->answer->lines, data, len);
    }
    return 0;
}

static enum http1_field http1_field_of(struct str name)
{
    static const struct str known[HTTP1_FIELD_COUNT] = {
        [HTTP1_FIELD_CONTENT_TYPE] = {.data = "content-type", .len = 12},
        [HTTP1_FIELD_CONTENT_ENCODING] = {.data = "content-encoding", .len = 16},
        [HTTP1_FIELD_SERVER] = {.data = "server", .len = 6},
        [HTTP1_FIELD_DATE] = {.data = "date", .len = 4},
        [HTTP1_FIELD_LOCATION] = {.data = "location", .len = 8},
    };
    for (enum http1_field field = 0; field < HTTP1_FIELD_COUNT; field++) {
        if (name.len == known[field].len && str_equals_nocase(name, known[field])) {
            return field;
        }
    }
    return HTTP1_FIELD_COUNT;
}

static int http1_on_name_complete(llhttp_t *parser)
{
    struct http1_reader *reader = parser->data;
    struct http1_answer *answer = reader->answer;
    reader->field = http1_field_of(str_of(reader->name, reader->name_len));
    reader->name_len = 0;
    if (reader->field != HTTP1_FIELD_COUNT) {
        answer->field_at[reader->field] = answer->text.len;
        answer->field_len[reader->field] = 0;
    }
    if (reader->keep_lines) {
        buf_append_str(&answer->lines, STR(": "));
    }
    return 0;
}

static int http1_on_value(llhttp_t *parser, const char *data, size_t len)
{
    struct http1_reader *reader = parser->data;
    struct http1_answer *answer = reader->answer;
    if (memchr(data, '\0', len) != NULL) {
        return http1_refuse_nul(parser);
    }
    if (reader->field != HTTP1_FIELD_COUNT) {
        buf_append(&answer->text, data, len);
        answer->field_len[reader->field] += len;
    }
    if (reader->keep_lines) {
        buf_append(&answer->lines, data, len);
    }
    return 0;
}

static int http1_on_value_complete(llhttp_t *parser)
{
    struct http1_reader *reader = parser->data;
    if (reader->keep_lines) {
        buf_append_str(&reader->answer->lines, STR("\r\n"));
    }
    return 0;
}

/* RFC 9112 6.3: these end with their head whatever their fields say; llhttp only looks at fields.
 */
static bool http1_has_no_body(const struct http1_reader *reader)
{
    const uint16_t status = reader->answer->status;
    return reader->body == HTTP1_BODY_NONE || status / 100 == 1 || status == 204 || status == 304;
}

static int http1_on_headers_complete(llhttp_t *parser)
{
    struct http1_reader *reader = parser->data;
    struct http1_answer *answer = reader->answer;
    reader->head_complete = true;
    answer->is_chunked = (parser->flags & F_CHUNKED) != 0;
    if ((parser->flags & F_CONTENT_LENGTH) != 0) {
        answer->content_length = parser->content_length;
        if (answer->content_length == UINT64_MAX) {
            return -1; /* the greatest number stands for "not announced": see http1_error */
        }
    }
    if (reader->keep_lines) {
        buf_append_str(&answer->lines, STR("\r\n"));
    }
    return http1_has_no_body(reader) ? 1 : 0;
}

static int http1_on_body(llhttp_t *parser, const char *data, size_t len)
{
    struct http1_reader *reader = parser->data;
    reader->answer->body_bytes += len;
    if (reader->on_body != NULL) {
        reader->on_body(reader->context, data, len);
    }
    return 0;
}

static int http1_on_message_complete(llhttp_t *parser)
{
    struct http1_reader *reader = parser->data;
    reader->message_complete = true;
    reader->answer->keep_alive = llhttp_should_keep_alive(parser) != 0 && parser->upgrade == 0;
    return HPE_PAUSED;
}

static const llhttp_settings_t http1_settings = {
    .on_status = http1_on_status,
    .on_status_complete = http1_on_status_complete,
    .on_header_field = http1_on_name,
    .on_header_field_complete = http1_on_name_complete,
    .on_header_value = http1_on_value,
    .on_header_value_complete = http1_on_value_complete,
    .on_headers_complete = http1_on_headers_complete,
    .on_body = http1_on_body,
    .on_message_complete = http1_on_message_complete,
};

void http1_begin(struct http1_reader *reader, struct http1_answer *answer, enum http1_body body,
                 http1_body_fn *on_body, void *context)
{
    llhttp_init(&reader->parser, HTTP_RESPONSE, &http1_settings);
    /*
     * A client may take LF for a line end (RFC 9112 2.2), and Transfer-Encoding overrides a
     * Content-Length beside it (6.3): both are the server's flaw, not the end of its answer.
     */
    llhttp_set_lenient_headers(&reader->parser, 1);
    llhttp_set_lenient_chunked_length(&reader->parser, 1);
    reader->parser.data = reader;
    reader->answer = answer;
    reader->memo = NULL;
    reader->on_body = on_body;
    reader->context = context;
    reader->body = body;
    reader->field = HTTP1_FIELD_COUNT;
    reader->name_len = 0;
    reader->head_bytes = 0;
    reader->keep_lines = false;
    reader->head_complete = false;
    reader->message_complete = false;
    reader->speaks_tls = false;
    http1_forget_head(answer);
    answer->keep_alive = false;
    answer->interim = 0;
    answer->body_bytes = 0;
    buf_reset(&answer->lines);
}

void http1_keep_lines(struct http1_reader *reader)
{
    reader->keep_lines = true;
}

bool http1_has_head(const struct http1_reader *reader)
{
    return reader->head_complete;
}

/* The words for what libcurl finds too, in words of its own; NULL: llhttp's say it. */
static const char *http1_common_words(llhttp_t *parser)
{
    switch (llhttp_get_errno(parser)) {
    case HPE_INVALID_VERSION:
        return HTTP1_BAD_VERSION;
    case HPE_CB_STATUS_COMPLETE:
        return http1_is_version_known(parser) ? HTTP1_BAD_STATUS : HTTP1_BAD_VERSION;
    case HPE_INVALID_STATUS:
        return HTTP1_BAD_STATUS;
    case HPE_INVALID_HEADER_TOKEN:
        return HTTP1_BAD_FIELD;
    case HPE_CB_HEADERS_COMPLETE:
        return "Content-Length overflow";
    case HPE_INVALID_CONTENT_LENGTH:
        return str_find(str_from(llhttp_get_error_reason(parser)), STR("overflow")) == SIZE_MAX
                   ? HTTP1_BAD_LENGTH
                   : NULL;
    default:
        return NULL;
    }
}

const char *http1_error(struct http1_reader *reader)
{
    if (reader->head_bytes >= HTTP1_HEAD_CEILING) {
        return HTTP1_HEAD_TOO_LARGE;
    }
    if (reader->speaks_tls) {
        return "a TLS record in place of HTTP: this port speaks TLS";
    }
    const char *common = http1_common_words(&reader->parser);
    if (common != NULL) {
        return common;
    }
    const char *reason = llhttp_get_error_reason(&reader->parser);
    return reason != NULL && reason[0] != '\0' ? reason : "not an HTTP answer";
}

/* An alert or a handshake record (RFC 8446, 5.1): how servers of TLS answer a plain request. */
static bool http1_is_tls(const char *data, size_t len)
{
    return len >= 2 && (data[0] == 0x15 || data[0] == 0x16) && data[1] == 0x03;
}

/* How much may be parsed of a head until it is too large, so that it is however it was cut. */
static size_t http1_head_left(const struct http1_reader *reader)
{
    return HTTP1_HEAD_CEILING - reader->head_bytes;
}

/* One run of the parser: to the end of the bytes, the end of a message, or an error. */
static llhttp_errno_t http1_step(struct http1_reader *reader, const char *data, size_t len,
                                 size_t *taken)
{
    const bool in_head = !reader->head_complete;
    const llhttp_errno_t error = llhttp_execute(&reader->parser, data, len);
    *taken = error == HPE_OK ? len : (size_t)(llhttp_get_error_pos(&reader->parser) - data);
    if (in_head && !reader->head_complete) {
        reader->head_bytes += *taken;
    }
    return error;
}

static enum http1_progress http1_parse(struct http1_reader *reader, const char *data, size_t len,
                                       size_t *used)
{
    *used = 0;
    while (*used < len) {
        size_t taken = 0;
        const size_t rest = len - *used;
        const size_t most = reader->head_complete ? rest : http1_head_left(reader);
        const llhttp_errno_t error =
            http1_step(reader, data + *used, rest < most ? rest : most, &taken);
        *used += taken;
        if (reader->message_complete) {
            if (!http1_is_interim(reader->answer)) {
                return HTTP1_DONE;
            }
            reader->answer->interim++;
            reader->message_complete = false;
            reader->head_complete = false;
            http1_forget_head(reader->answer);
            llhttp_resume(&reader->parser);
        } else if (error != HPE_OK || reader->head_bytes >= HTTP1_HEAD_CEILING) {
            return HTTP1_BAD;
        }
    }
    return HTTP1_MORE;
}

/* --- heads seen before ---------------------------------------------------------------------- */

void http1_memo_init(struct http1_memo *memo)
{
    memo->head_len = 0;
    http1_answer_init(&memo->answer);
}

void http1_memo_deinit(struct http1_memo *memo)
{
    http1_answer_deinit(&memo->answer);
}

void http1_use_memo(struct http1_reader *reader, struct http1_memo *memo)
{
    reader->memo = memo;
}

/* The whole answer is in these bytes, behind a head that was read before. */
static bool http1_recall(struct http1_reader *reader, const char *data, size_t len, size_t *used)
{
    const struct http1_memo *memo = reader->memo;
    const size_t head_len = memo->head_len;
    if (head_len == 0 || len < head_len || len - head_len < memo->answer.content_length ||
        memcmp(data, memo->head, head_len) != 0) {
        return false;
    }
    const size_t body_len = (size_t)memo->answer.content_length;
    http1_copy_head(reader->answer, &memo->answer);
    reader->head_complete = true;
    reader->message_complete = true;
    if (body_len > 0) {
        (void)http1_on_body(&reader->parser, data + head_len, body_len);
    }
    *used = head_len + body_len;
    return true;
}

/* Only an answer whose end its own length tells: what else ends one is not in the head's bytes. */
static void http1_remember(struct http1_memo *memo, const struct http1_answer *answer,
                           const char *data, size_t used)
{
    const size_t head_len = used - (size_t)answer->body_bytes;
    if (answer->interim > 0 || answer->body_bytes != answer->content_length || answer->is_chunked ||
        head_len > sizeof(memo->head)) {
        return;
    }
    memcpy(memo->head, data, head_len);
    memo->head_len = head_len;
    http1_copy_head(&memo->answer, answer);
}

enum http1_progress http1_feed(struct http1_reader *reader, const char *data, size_t len,
                               size_t *used)
{
    const bool is_first = reader->head_bytes == 0 && !reader->head_complete;
    if (is_first && http1_is_tls(data, len)) {
        reader->speaks_tls = true;
    }
    if (!is_first || reader->memo == NULL) {
        return http1_parse(reader, data, len, used);
    }
    if (http1_recall(reader, data, len, used)) {
        return HTTP1_DONE;
    }
    const enum http1_progress progress = http1_parse(reader, data, len, used);
    if (progress == HTTP1_DONE) {
        http1_remember(reader->memo, reader->answer, data, *used);
    }
    return progress;
}

enum http1_progress http1_end(struct http1_reader *reader)
{
    if (!reader->head_complete) {
        return HTTP1_MORE;
    }
    (void)llhttp_finish(&reader->parser);
    return reader->message_complete ? HTTP1_DONE : HTTP1_MORE;
}
