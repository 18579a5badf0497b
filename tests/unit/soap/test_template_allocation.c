/* SPDX-License-Identifier: Apache-2.0 */
/*
 * After warm-up filling allocates nothing. The C library's allocator is counted, where it can be
 * replaced: with glibc and without sanitizers, which bring their own.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lather/soap/judge.h"
#include "lather/soap/refresh.h"
#include "template_fixture.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED 1
#endif

#if defined(__GLIBC__) && !defined(IS_SANITIZED)
#define COUNTS_ALLOCATIONS 1

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *memory, size_t bytes);

static size_t allocations;

void *malloc(size_t bytes)
{
    allocations++;
    return __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    allocations++;
    return __libc_calloc(count, bytes);
}

void *realloc(void *memory, size_t bytes)
{
    allocations++;
    return __libc_realloc(memory, bytes);
}
#endif

#define NS_WSSE                                                                                    \
    "xmlns:o='http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd'"
#define NS_WSU                                                                                     \
    "xmlns:u='http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd'"

static const char text[] =
    "<s:Envelope xmlns:s='http://www.w3.org/2003/05/soap-envelope'><s:Header>"
    "<a:MessageID xmlns:a='http://www.w3.org/2005/08/addressing'>urn:uuid:"
    "00000000-0000-0000-0000-000000000000</a:MessageID><o:Security " NS_WSSE " " NS_WSU ">"
    "<u:Timestamp><u:Created>2020-01-01T00:00:00Z</u:Created><u:Expires>2020-01-01T00:05:00Z"
    "</u:Expires></u:Timestamp><o:UsernameToken><o:Username>u</o:Username><o:Password "
    "Type='#PasswordDigest'>d</o:Password><o:Nonce>n</o:Nonce><u:Created>2020-01-01T00:00:00Z"
    "</u:Created></o:UsernameToken></o:Security></s:Header><s:Body>${counter} ${uuid} "
    "${now:%d.%m.%Y > %s} ${random:1-1000} ${worker} ${data.v} ${data.plain}</s:Body></s:Envelope>";

static struct template *compile(const struct csv *feed)
{
    struct slot_names names = {.data = feed};
    struct refresh_options options = {.user = "u", .password = STR("secret")};
    struct envelope envelope;
    struct body_text body;
    struct edits edits;
    struct refresh_result result;
    struct buf notes;
    envelope_read(&envelope, str_from(text));
    body_text_init(&body, str_from(text));
    edits_init(&edits);
    refresh_result_init(&result);
    buf_init(&notes);
    const struct placeholder_text searched = {body.text, PLACEHOLDER_XML, body.encoding, "a.xml"};
    assert_true(placeholder_find(&searched, &names, &edits, NULL));
    assert_true(refresh_find(&options, &body, &envelope, &edits, &result, &notes, NULL));
    struct template_builder *builder = template_builder_new(feed);
    assert_true(template_builder_add_head(
        builder, STR("POST /${counter} HTTP/1.1\r\nContent-Length: 0\r\n\r\n"), &names,
        TEMPLATE_LENGTH_COUNTED, NULL));
    template_builder_begin_body(builder);
    template_builder_add_body(builder, &body, &edits);
    struct template *template = template_builder_finish(builder);
    assert_int_equal(result.items[REFRESH_USERNAME_TOKEN].state, REFRESH_RENEWED);
    buf_deinit(&notes);
    refresh_result_deinit(&result);
    edits_deinit(&edits);
    body_text_deinit(&body);
    envelope_deinit(&envelope);
    return template;
}

static void filling_allocates_nothing(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture);
    struct csv *feed = fixture_feed("v,plain\n<a>,x\n<b>,y\n<c>,z\n");
    struct template *template = compile(feed);
    fixture.options.rows = 3;
    fixture.options.order = FEED_SHUFFLE;
    fixture.options.ids = ids_system_origin();
    struct template_source *source = template_source_new(&fixture.options);
    struct template_values *values = template_values_new(template_values_bytes(template));
    struct str *pieces = test_malloc(template_piece_count(template) * sizeof(*pieces));
    assert_int_equal(template_fill(template, source, values), TEMPLATE_FILLED);
#if defined(COUNTS_ALLOCATIONS)
    size_t before = allocations;
#endif
    size_t bytes = 0;
    bool all_filled = true;
    for (int i = 0; i < 1000; i++) {
        all_filled = all_filled && template_fill(template, source, values) == TEMPLATE_FILLED;
        (void)template_pieces(template, values, pieces, NULL, &bytes);
        (void)template_message_id(template, values);
    }
#if defined(COUNTS_ALLOCATIONS)
    assert_int_equal(allocations - before, 0);
    void *volatile memory = malloc(1); /* or a compiler sees that nobody needs it */
    free(memory);
    assert_true(allocations > before); /* or nothing is counted */
#endif
    assert_true(all_filled);
    test_free(pieces);
    template_values_free(values);
    template_source_free(source);
    template_free(template);
    csv_free(feed);
}

int main(void)
{
    judge_setup();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(filling_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
