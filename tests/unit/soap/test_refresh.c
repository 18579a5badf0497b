/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is stale in a message is new in each request; what is not, and what must not be touched,
 * stays byte for byte.
 * Rows of the conformance list: B105, B106, B107, B110.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

#include "lather/base/clock.h"
#include "lather/base/utf8.h"
#include "lather/soap/judge.h"
#include "lather/soap/refresh.h"
#include "lather/soap/utf16.h"
#include "template_fixture.h"

#define SOAP_11 "http://schemas.xmlsoap.org/soap/envelope/"
#define SOAP_12 "http://www.w3.org/2003/05/soap-envelope"
#define DSIG    "http://www.w3.org/2000/09/xmldsig#"
#define WSA_10  "http://www.w3.org/2005/08/addressing"
#define ID      "8b8a2b0c-1d0e-4f5a-9c3d-0123456789ab"
#define NEW_ID  "00010203-0405-4607-8809-0a0b0c0d0e0f"
#define NOW     "2031-05-06T07:08:09" /* the fixture's */

/* A SOAP 1.2 envelope with these header blocks. a is addressing, o and u are security. */
#define ENVELOPE(blocks)                                                                           \
    "<s:Envelope xmlns:s=\"" SOAP_12 "\" xmlns:a=\"" WSA_10 "\" xmlns:o=\"" WSSE_NAMESPACE         \
    "\" xmlns:u=\"" WSSE_UTILITY_NAMESPACE "\">\r\n <s:Header>" blocks                             \
    "</s:Header>\r\n <s:Body u:Id='body'><x>caf\xC3\xA9</x></s:Body>\r\n</s:Envelope>\n"
#define SECURITY(children)  ENVELOPE("<o:Security s:mustUnderstand='1'>" children "</o:Security>")
#define TIMESTAMP(children) SECURITY("<u:Timestamp u:Id='ts'>" children "</u:Timestamp>")
#define SIGNATURE(uri)                                                                             \
    "<Signature xmlns='" DSIG "'><SignedInfo><Reference URI='" uri "'/></SignedInfo></Signature>"

struct renewal {
    struct refresh_result result;
    struct buf notes;
    struct buf line;
    struct buf request;
    char id[256];
};

static void renewal_deinit(struct renewal *renewal)
{
    refresh_result_deinit(&renewal->result);
    buf_deinit(&renewal->notes);
    buf_deinit(&renewal->line);
    buf_deinit(&renewal->request);
}

/* Templates, then refreshing, then the first request of a worker. */
static void run(struct str text, const struct refresh_options *options, struct renewal *renewal)
{
    struct envelope envelope;
    struct body_text body;
    struct edits edits;
    struct fixture fixture;
    struct slot_names names = {.variable_count = 0};
    struct err err = {0};
    *renewal = (struct renewal){.id = ""};
    refresh_result_init(&renewal->result);
    envelope_read(&envelope, text);
    body_text_init(&body, text);
    edits_init(&edits);
    fixture_init(&fixture);
    const struct placeholder_text searched = {body.text, PLACEHOLDER_XML, body.encoding, "a.xml"};
    assert_true(placeholder_find(&searched, &names, &edits, &err));
    struct refresh_options with_now = *options;
    with_now.now = stamp_of_ns(fixture.wall_ns);
    assert_true(
        refresh_find(&with_now, &body, &envelope, &edits, &renewal->result, &renewal->notes, &err));
    refresh_append_line(&renewal->result, &renewal->line);
    struct template_builder *builder = template_builder_new(NULL);
    template_builder_begin_body(builder);
    template_builder_add_body(builder, &body, &edits);
    template_builder_set_message_id(builder, str_from(envelope.message_id));
    struct template *template = template_builder_finish(builder);
    struct template_source *source = template_source_new(&fixture.options);
    struct template_values *values = template_values_new(template_values_bytes(template));
    assert_int_equal(template_fill(template, source, values), TEMPLATE_FILLED);
    template_append(template, values, &renewal->request);
    struct str id = template_message_id(template, values);
    (void)snprintf(renewal->id, sizeof renewal->id, "%.*s", STR_ARG(id));
    template_values_free(values);
    template_source_free(source);
    template_free(template);
    edits_deinit(&edits);
    body_text_deinit(&body);
    envelope_deinit(&envelope);
}

static void assert_text(const struct buf *got, struct str expected)
{
    if (!str_equals(buf_view(got), expected)) {
        fail_msg("\n%.*s\ninstead of\n%.*s", STR_ARG(buf_view(got)), STR_ARG(expected));
    }
}

/* The request with those options, and the line of the head. */
static void assert_request_with(const struct refresh_options *options, const char *text,
                                const char *expected, const char *line)
{
    struct renewal renewal;
    run(str_from(text), options, &renewal);
    assert_text(&renewal.request, str_from(expected));
    assert_text(&renewal.line, str_from(line));
    renewal_deinit(&renewal);
}

static void assert_request(const char *text, const char *expected, const char *line)
{
    const struct refresh_options options = {.to = REFRESH_TO_AUTO};
    assert_request_with(&options, text, expected, line);
}

static void ids_of_all_addressing_namespaces_are_renewed(void **state)
{
    (void)state;
    static const char *const namespaces[] = {
        WSA_10,
        "http://schemas.xmlsoap.org/ws/2004/08/addressing",
        "http://schemas.xmlsoap.org/ws/2004/03/addressing",
        "http://schemas.xmlsoap.org/ws/2003/03/addressing",
    };
    for (size_t i = 0; i < 4; i++) {
        struct buf text;
        struct buf expected;
        buf_init(&text);
        buf_init(&expected);
        static const char form[] = "<e:Envelope xmlns:e='" SOAP_11 "'><e:Header><MessageID xmlns='"
                                   "%s'>urn:uuid:%s</MessageID></e:Header><e:Body/></e:Envelope>";
        buf_printf(&text, form, namespaces[i], ID);
        buf_printf(&expected, form, namespaces[i], NEW_ID);
        assert_request(text.data, expected.data, "refreshing: MessageID");
        buf_deinit(&text);
        buf_deinit(&expected);
    }
    /* Another namespace's MessageID, and one that is no header block, are somebody else's. */
    static const char foreign[] =
        "<e:Envelope xmlns:e='" SOAP_11 "' xmlns:a='" WSA_10 "'><e:Header><MessageID>urn:uuid:" ID
        "</MessageID><b>"
        "<a:MessageID>urn:uuid:" ID "</a:MessageID></b></e:Header><e:Body>"
        "<a:MessageID>urn:uuid:" ID "</a:MessageID></e:Body></e:Envelope>";
    assert_request(foreign, foreign, "");
}

static void the_way_an_id_is_written_is_kept(void **state)
{
    (void)state;
    static const struct {
        const char *captured;
        const char *expected;
    } cases[] = {
        {"urn:uuid:" ID, "urn:uuid:" NEW_ID},
        {"uuid:" ID, "uuid:" NEW_ID},
        {ID, NEW_ID},
        {"uuid:8B8A2B0C-1D0E-4F5A-9C3D-0123456789AB", "uuid:00010203-0405-4607-8809-0A0B0C0D0E0F"},
        {"urn:uuid:8B8A2B0C1D0E4F5A9C3D0123456789AB", "urn:uuid:00010203040546078809"
                                                      "0A0B0C0D0E0F"},
        {"http://h/ids/" ID "?n=1", "http://h/ids/" NEW_ID "?n=1"},
        {"urn:uuid:not-really", "urn:uuid:" NEW_ID},
        {"uuid:12345", "uuid:" NEW_ID},
        {"12345", "urn:uuid:" NEW_ID},
        {"http://h/1", "urn:uuid:" NEW_ID},
        {"", "urn:uuid:" NEW_ID},
        {"a&amp;" ID, "urn:uuid:" NEW_ID},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct buf text;
        struct buf expected;
        struct renewal renewal;
        const struct refresh_options options = {.to = REFRESH_TO_AUTO};
        buf_init(&text);
        buf_init(&expected);
        static const char form[] = ENVELOPE("<a:MessageID s:x='1'>%s</a:MessageID>");
        buf_printf(&text, form, cases[i].captured);
        buf_printf(&expected, form, cases[i].expected);
        run(buf_view(&text), &options, &renewal);
        assert_text(&renewal.request, buf_view(&expected));
        assert_string_equal(renewal.id, cases[i].expected);
        renewal_deinit(&renewal);
        buf_deinit(&text);
        buf_deinit(&expected);
    }
}

static void white_space_cdata_and_empty_tags_are_kept(void **state)
{
    (void)state;
    struct renewal renewal;
    const struct refresh_options options = {.to = REFRESH_TO_AUTO};
    assert_request(ENVELOPE("<a:MessageID>\r\n\t uuid:" ID " \n</a:MessageID>"),
                   ENVELOPE("<a:MessageID>\r\n\t uuid:" NEW_ID " \n</a:MessageID>"),
                   "refreshing: MessageID");
    assert_request(ENVELOPE("<a:MessageID><![CDATA[uuid:" ID "]]></a:MessageID>"),
                   ENVELOPE("<a:MessageID><![CDATA[uuid:" NEW_ID "]]></a:MessageID>"),
                   "refreshing: MessageID");
    run(STR(ENVELOPE("<a:MessageID />")), &options, &renewal);
    assert_text(&renewal.request, STR(ENVELOPE("<a:MessageID >urn:uuid:" NEW_ID "</a:MessageID>")));
    assert_string_equal(renewal.id, "urn:uuid:" NEW_ID);
    renewal_deinit(&renewal);
    run(STR(ENVELOPE("<a:MessageID>uuid:<!-- c -->" ID "</a:MessageID>")), &options, &renewal);
    assert_text(&renewal.request,
                STR(ENVELOPE("<a:MessageID>uuid:<!-- c -->" ID "</a:MessageID>")));
    assert_text(&renewal.notes, STR("wsa:MessageID is not written in one piece: it is sent as "
                                    "captured, the same in every request\n"));
    assert_string_equal(renewal.id, "uuid:" ID);
    renewal_deinit(&renewal);
}

static void several_ids_differ_and_equal_ones_stay_equal(void **state)
{
    (void)state;
    assert_request(ENVELOPE("<a:MessageID>uuid:" ID
                            "</a:MessageID><a:MessageID>uuid:x</a:MessageID>"
                            "<a:MessageID>uuid:" ID "</a:MessageID>"),
                   ENVELOPE("<a:MessageID>uuid:" NEW_ID "</a:MessageID><a:MessageID>uuid:"
                            "10111213-1415-4617-9819-1a1b1c1d1e1f</a:MessageID>"
                            "<a:MessageID>uuid:" NEW_ID "</a:MessageID>"),
                   "refreshing: MessageID (3)");
}

static void wcf_activities_are_renewed(void **state)
{
    (void)state;
    static const char form[] =
        "<ActivityId CorrelationId=\"%s\" "
        "xmlns=\"http://schemas.microsoft.com/2004/09/ServiceModel/Diagnostics\">%s</ActivityId>";
    struct buf block;
    struct buf text;
    struct buf expected;
    buf_init(&block);
    buf_init(&text);
    buf_init(&expected);
    buf_printf(&block, form, ID, ID);
    buf_printf(&text, ENVELOPE("%s"), block.data);
    buf_reset(&block);
    buf_printf(&block, form, NEW_ID, "10111213-1415-4617-9819-1a1b1c1d1e1f");
    buf_printf(&expected, ENVELOPE("%s"), block.data);
    assert_request(text.data, expected.data, "refreshing: ActivityId");
    buf_deinit(&block);
    buf_deinit(&text);
    buf_deinit(&expected);
}

static void timestamps_keep_span_and_precision(void **state)
{
    (void)state;
    static const struct {
        const char *captured[2];
        const char *expected[2];
    } cases[] = {
        {{"2009-12-25T15:43:22.687Z", "2009-12-25T15:48:22.687Z"},
         {NOW ".010Z", "2031-05-06T07:13:09.010Z"}},
        {{"2009-12-25T15:43:22Z", "2009-12-25T15:44:22Z"}, {NOW "Z", "2031-05-06T07:09:09Z"}},
        {{"2009-12-25T15:43:22.6875432Z", "2009-12-26T15:43:22.6875432Z"},
         {NOW ".0100000Z", "2031-05-07T07:08:09.0100000Z"}},
        {{"2009-12-25T15:43:22.5Z", "2009-12-25T15:43:23.250Z"},
         {NOW ".0Z", "2031-05-06T07:08:09.760Z"}},
        {{"2009-12-25T15:43:22:687Z", "2009-12-25T15:48:22:687Z"},
         {NOW ":010Z", "2031-05-06T07:13:09:010Z"}},
        /* Another zone: the same in UTC. */
        {{"2009-12-25T17:43:22+02:00", "2009-12-25T15:53:22Z"}, {NOW "Z", "2031-05-06T07:18:09Z"}},
        /* No span, a negative one, none that can be read: five minutes. */
        {{"2009-12-25T15:43:22Z", "2009-12-25T15:43:22Z"}, {NOW "Z", "2031-05-06T07:13:09Z"}},
        {{"2009-12-25T15:43:22Z", "2009-12-25T15:43:21Z"}, {NOW "Z", "2031-05-06T07:13:09Z"}},
        {{"yesterday", "2009-12-25T15:43:22Z"}, {NOW ".010Z", "2031-05-06T07:13:09Z"}},
        {{"", ""}, {NOW ".010Z", "2031-05-06T07:13:09.010Z"}},
        /* Thirty years, and to the end of all time. */
        {{"2006-06-01T22:14:15Z", "2036-06-01T22:19:15Z"}, {NOW "Z", "2061-05-06T07:13:09Z"}},
        {{"2006-06-01T22:14:15Z", "9999-12-31T23:59:59Z"}, {NOW "Z", "9999-12-31T23:59:59Z"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct buf text;
        struct buf expected;
        buf_init(&text);
        buf_init(&expected);
        static const char form[] =
            TIMESTAMP("\n<u:Created>%s</u:Created>\n<u:Expires> %s </u:Expires>");
        buf_printf(&text, form, cases[i].captured[0], cases[i].captured[1]);
        buf_printf(&expected, form, cases[i].expected[0], cases[i].expected[1]);
        if (cases[i].captured[1][0] == '\0') {
            buf_reset(&expected);
            buf_printf(&expected,
                       TIMESTAMP("\n<u:Created>%s</u:Created>\n<u:Expires>%s  "
                                 "</u:Expires>"),
                       cases[i].expected[0], cases[i].expected[1]);
        }
        assert_request(text.data, expected.data, "refreshing: Timestamp");
        buf_deinit(&text);
        buf_deinit(&expected);
    }
}

/* B105 */
static void B105_a_timestamp_has_exactly_one_created(void **state)
{
    (void)state;
    assert_request(TIMESTAMP("<u:Created>2009-12-25T15:43:22Z</u:Created>"
                             "<u:Created>2009-12-25T15:43:22Z</u:Created>"
                             "<u:Expires>2009-12-25T15:48:22Z</u:Expires>"),
                   TIMESTAMP("<u:Created>" NOW "Z</u:Created>"
                             "<u:Expires>2031-05-06T07:13:09Z</u:Expires>"),
                   "refreshing: Timestamp");
    assert_request(TIMESTAMP("<u:Expires>2009-12-25T15:48:22Z</u:Expires>"),
                   TIMESTAMP("<u:Created>" NOW "Z</u:Created>"
                             "<u:Expires>2031-05-06T07:13:09Z</u:Expires>"),
                   "refreshing: Timestamp");
    assert_request(TIMESTAMP(""),
                   TIMESTAMP("<u:Created>" NOW ".010Z</u:Created>"
                             "<u:Expires>2031-05-06T07:13:09.010Z</u:Expires>"),
                   "refreshing: Timestamp");
    assert_request(SECURITY("<u:Timestamp/>"),
                   SECURITY("<u:Timestamp><u:Created>" NOW ".010Z</u:Created>"
                            "<u:Expires>2031-05-06T07:13:09.010Z</u:Expires></u:Timestamp>"),
                   "refreshing: Timestamp");
    assert_request(SECURITY("<Timestamp xmlns='" WSSE_UTILITY_NAMESPACE "'><Created/></Timestamp>"),
                   SECURITY("<Timestamp xmlns='" WSSE_UTILITY_NAMESPACE "'><Created>" NOW
                            ".010Z</Created></Timestamp>"),
                   "refreshing: Timestamp");
    /* Expires is optional: it is not added to a Created. */
    assert_request(TIMESTAMP("<u:Created>2009-12-25T15:43:22Z</u:Created>"),
                   TIMESTAMP("<u:Created>" NOW "Z</u:Created>"), "refreshing: Timestamp");
}

#define PASSWORD(kind, value) "<o:Password Type=\"" WSSE_TYPE_START kind "\">" value "</o:Password>"
#define NONCE(value)          "<o:Nonce EncodingType=\"" WSSE_BASE64_TYPE "\">" value "</o:Nonce>"
#define TOKEN(name, rest)                                                                          \
    SECURITY("<o:UsernameToken u:Id='t'><o:Username>" name "</o:Username>" rest                    \
             "</o:UsernameToken>")

/* The digests were computed with another program over the fixture's bytes and time. */
static void B107_nonce_created_and_digest_are_renewed_with_the_password(void **state)
{
    (void)state;
    struct refresh_options options = {.user = "ada", .password = STR("s3cret & more")};
    static const char captured[] =
        TOKEN("ada", PASSWORD("PasswordDigest", "x")
                         NONCE("eA==") "<u:Created>2009-12-25T15:43:22Z</u:Created>");
    assert_request_with(&options, captured,
                        TOKEN("ada", PASSWORD("PasswordDigest", "hHjrLxi5+ZdXW/diCcHFsgCyOuA=")
                                         NONCE("AAECAwQFBgcICQoLDA0ODw==") "<u:Created>" NOW
                                                                           "Z</u:Created>"),
                        "refreshing: UsernameToken");
    options.variant = WSSE_SHA1_RAW;
    assert_request_with(&options, captured,
                        TOKEN("ada", PASSWORD("PasswordDigest", "lbCF6cLMXslweVEkwu4a7osU7zg=")
                                         NONCE("AAECAwQFBgcICQoLDA0ODw==") "<u:Created>" NOW
                                                                           "Z</u:Created>"),
                        "refreshing: UsernameToken");
    options.variant = WSSE_SHA1_B64;
    assert_request_with(&options, captured,
                        TOKEN("ada", PASSWORD("PasswordDigest", "xfAYNVckIqnFgJTjkzYyFad03vY=")
                                         NONCE("AAECAwQFBgcICQoLDA0ODw==") "<u:Created>" NOW
                                                                           "Z</u:Created>"),
                        "refreshing: UsernameToken");
}

/* B110 */
static void B110_only_elements_that_are_there_are_renewed(void **state)
{
    (void)state;
    struct refresh_options options = {.user = "a<b", .password = STR("p&q")};
    assert_request_with(&options, TOKEN("ada", PASSWORD("PasswordText", "old")),
                        TOKEN("a&lt;b", PASSWORD("PasswordText", "p&amp;q")),
                        "refreshing: UsernameToken");
    assert_request_with(&options, TOKEN("ada", "<o:Password/>"),
                        TOKEN("a&lt;b", "<o:Password>p&amp;q</o:Password>"),
                        "refreshing: UsernameToken");
    assert_request_with(
        &options, TOKEN("a&lt;b", PASSWORD("PasswordText", "old") NONCE("eA==")),
        TOKEN("a&lt;b", PASSWORD("PasswordText", "p&amp;q") NONCE("AAECAwQFBgcICQoLDA0ODw==")),
        "refreshing: UsernameToken");
    assert_request_with(&options, TOKEN("a&lt;b", PASSWORD("PasswordDigest", "x")),
                        TOKEN("a&lt;b", PASSWORD("PasswordDigest", "jU57aV5+hCzd+gzClMbXEekceJY=")),
                        "refreshing: UsernameToken");
}

static void a_text_password_needs_no_option_for_a_new_nonce(void **state)
{
    (void)state;
    assert_request(TOKEN("ada", PASSWORD("PasswordText", "old") NONCE("eA==") "<u:Created/>"),
                   TOKEN("ada", PASSWORD("PasswordText", "old")
                                    NONCE("AAECAwQFBgcICQoLDA0ODw==") "<u:Created>" NOW
                                                                      ".010Z</u:Created>"),
                   "refreshing: UsernameToken");
    static const char text[] = TOKEN("ada", PASSWORD("PasswordText", "old"));
    assert_request(text, text, "");
}

static void a_digest_without_its_password_is_kept_and_explained(void **state)
{
    (void)state;
    static const char text[] = TOKEN("ada", PASSWORD("PasswordDigest", "x") NONCE("eA=="));
    struct renewal renewal;
    const struct refresh_options options = {.to = REFRESH_TO_AUTO};
    run(STR(text), &options, &renewal);
    assert_text(&renewal.request, STR(text));
    assert_int_equal(renewal.result.items[REFRESH_USERNAME_TOKEN].state, REFRESH_KEPT);
    assert_non_null(strstr(renewal.notes.data, "--wsse-user"));
    renewal_deinit(&renewal);
}

static void a_password_of_any_length_is_refused_where_it_is_too_long(void **state)
{
    (void)state;
    static const char text[] = TOKEN("ada", PASSWORD("PasswordDigest", "x"));
    static const char password[WSSE_KEY_CEILING + 1] = {'x'};
    const struct refresh_options options = {.user = "ada", .password = {password, sizeof password}};
    struct envelope envelope;
    struct body_text body;
    struct edits edits;
    struct refresh_result result;
    struct buf notes;
    struct err err = {0};
    envelope_read(&envelope, STR(text));
    body_text_init(&body, STR(text));
    edits_init(&edits);
    refresh_result_init(&result);
    buf_init(&notes);
    assert_false(refresh_find(&options, &body, &envelope, &edits, &result, &notes, &err));
    assert_string_equal(err.text, "the password is longer than 1024 bytes");
    refresh_result_deinit(&result);
    buf_deinit(&notes);
    edits_deinit(&edits);
    body_text_deinit(&body);
    envelope_deinit(&envelope);
}

#define TO(value) ENVELOPE("<a:To s:mustUnderstand='1'>" value "</a:To>")

static void to_is_rewritten_where_wcf_would_refuse_it(void **state)
{
    (void)state;
    struct url target;
    assert_true(url_parse(&target, STR("http://here:81/Order.svc?x=1&y"), NULL));
    struct refresh_options options = {.target = &target};
    static const char *const fitting[] = {
        TO("http://here:81/Order.svc"),
        TO("http://elsewhere:81/order.SVC"),
        TO("HTTP://h:81/Order.svc?z"),
        TO("urn:service:orders"),
        TO("http://www.w3.org/2005/08/addressing/anonymous"),
        TO(""),
        TO("http://user:secret@h/"),
    };
    for (size_t i = 0; i < sizeof fitting / sizeof fitting[0]; i++) {
        assert_request_with(&options, fitting[i], fitting[i], "");
    }
    static const char *const others[] = {"https://here:81/Order.svc", "http://here/Order.svc",
                                         "http://here:81/Order.svc/soap", "net.tcp://here:81/x"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        struct buf text;
        struct buf line;
        buf_init(&text);
        buf_init(&line);
        buf_printf(&text, TO("\n %s"), others[i]);
        buf_printf(&line, "To rewritten to http://here:81/Order.svc?x=1&y (captured: %s)",
                   others[i]);
        assert_request_with(&options, text.data, TO("\n http://here:81/Order.svc?x=1&amp;y"),
                            line.data);
        buf_deinit(&text);
        buf_deinit(&line);
    }
    url_deinit(&target);
}

static void to_is_as_the_user_wants_it(void **state)
{
    (void)state;
    struct url target;
    struct renewal renewal;
    assert_true(url_parse(&target, STR("http://here:81/Order.svc"), NULL));
    struct refresh_options options = {.target = &target, .to = REFRESH_TO_KEEP};
    run(STR(TO("https://h/x")), &options, &renewal);
    assert_text(&renewal.request, STR(TO("https://h/x")));
    assert_text(&renewal.notes, STR("wsa:To is https://h/x, which differs from the URL in scheme, "
                                    "port or path: WCF answers DestinationUnreachable\n"));
    renewal_deinit(&renewal);
    options.to = REFRESH_TO_GIVEN;
    options.to_uri = STR("urn:x");
    assert_request_with(&options, TO("http://here:81/Order.svc"), TO("urn:x"),
                        "To rewritten to urn:x (captured: http://here:81/Order.svc)");
    assert_request_with(&options, TO("urn:x"), TO("urn:x"), "");
    url_deinit(&target);
}

static void what_is_signed_is_not_touched(void **state)
{
    (void)state;
    struct url target;
    struct renewal renewal;
    assert_true(url_parse(&target, STR("http://here:81/Order.svc"), NULL));
    const struct refresh_options options = {.target = &target, .user = "ada", .password = STR("p")};
#define SIGNABLE(id, uri)                                                                          \
    ENVELOPE("<a:MessageID u:Id='id'>urn:uuid:" id                                                 \
             "</a:MessageID><a:To u:Id='to'>http://h/x</a:To>"                                     \
             "<o:Security><u:Timestamp u:Id='ts'><u:Created>2031-05-06T07:00:00Z</u:Created>"      \
             "<u:Expires>2031-05-06T07:05:00Z</u:Expires></u:Timestamp><o:UsernameToken u:Id='t'>" \
             "<o:Username>bob</o:Username>" PASSWORD(                                              \
                 "PasswordText", "old") "</o:UsernameToken>" SIGNATURE(uri) "</o:Security>")
    run(STR(SIGNABLE(ID, "")), &options, &renewal);
    assert_text(&renewal.request, STR(SIGNABLE(ID, "")));
    assert_text(&renewal.line, STR(""));
    assert_string_equal(renewal.id, "urn:uuid:" ID);
    for (int what = REFRESH_MESSAGE_ID; what <= REFRESH_TO; what++) {
        assert_int_equal(renewal.result.items[what].state, REFRESH_SIGNED);
    }
    assert_true(renewal.result.has_deadline);
    assert_text(&renewal.notes,
                STR("wsa:To is http://h/x, which differs from the URL in scheme, port or path; a "
                    "signature covers it, so it is not rewritten: WCF answers "
                    "DestinationUnreachable\n"
                    "a signature covers the Timestamp, so it is sent as captured: services refuse "
                    "it from 2031-05-06T07:10:00Z on, in 1 minute\n"
                    "a signature covers wsa:MessageID, so it is sent as captured, the same in "
                    "every request\n"));
    renewal_deinit(&renewal);
    run(STR(SIGNABLE(ID, "#ts")), &options, &renewal);
    assert_text(&renewal.line, STR("refreshing: MessageID, UsernameToken; To rewritten to "
                                   "http://here:81/Order.svc (captured: http://h/x)"));
    assert_int_equal(renewal.result.items[REFRESH_TIMESTAMP].state, REFRESH_SIGNED);
    assert_non_null(strstr(renewal.request.data, "<u:Created>2031-05-06T07:00:00Z</u:Created>"));
    renewal_deinit(&renewal);
    run(STR(SIGNABLE(ID, "#id")), &options, &renewal);
    assert_int_equal(renewal.result.items[REFRESH_MESSAGE_ID].state, REFRESH_SIGNED);
    assert_int_equal(renewal.result.items[REFRESH_TIMESTAMP].state, REFRESH_RENEWED);
    assert_true(renewal.result.has_deadline); /* that of the captured one */
    assert_int_equal(renewal.result.deadline.seconds, 1935817689 + 111);
    renewal_deinit(&renewal);
    run(STR(SIGNABLE(ID, "#body")), &options, &renewal);
    assert_text(&renewal.notes, STR("a signature covers parts of the message: they are sent as "
                                    "captured, and a service that detects replays refuses the "
                                    "second request\n"));
    renewal_deinit(&renewal);
    url_deinit(&target);
}

static void templates_of_the_user_win(void **state)
{
    (void)state;
    struct renewal renewal;
    const struct refresh_options options = {.to = REFRESH_TO_AUTO};
    run(STR(ENVELOPE("<a:MessageID> order&amp;${counter:7}-${uuid} </a:MessageID>")), &options,
        &renewal);
    assert_text(&renewal.request,
                STR(ENVELOPE("<a:MessageID> order&amp;7-" NEW_ID " </a:MessageID>")));
    assert_text(&renewal.line, STR(""));
    assert_string_equal(renewal.id, "order&7-" NEW_ID);
    assert_int_equal(renewal.result.items[REFRESH_MESSAGE_ID].state, REFRESH_TEMPLATED);
    renewal_deinit(&renewal);
    run(STR(TIMESTAMP("<u:Created>${now:%F}</u:Created>")), &options, &renewal);
    assert_text(&renewal.request, STR(TIMESTAMP("<u:Created>2031-05-06</u:Created>")));
    renewal_deinit(&renewal);
    /* A template beside of a piece is none in it. */
    run(STR(ENVELOPE("${worker}<a:MessageID>uuid:x</a:MessageID>${worker}")), &options, &renewal);
    assert_text(&renewal.request, STR(ENVELOPE("0<a:MessageID>uuid:" NEW_ID "</a:MessageID>0")));
    renewal_deinit(&renewal);
    run(STR("<s:Envelope xmlns:s='" SOAP_11 "'><s:Header><o:Security xmlns:o='" WSSE_NAMESPACE
            "'>" SIGNATURE("#b") "</o:Security></s:Header><s:Body Id='b'>${worker}</s:Body>"
                                 "</s:Envelope>"),
        &options, &renewal);
    assert_non_null(strstr(renewal.notes.data, "a template changes what a signature covers"));
    renewal_deinit(&renewal);
}

static void looking_changes_nothing(void **state)
{
    (void)state;
    static const char text[] =
        ENVELOPE("<a:MessageID>uuid:" ID "</a:MessageID><o:Security><u:Timestamp><u:Created>"
                 "2031-05-06T06:00:00Z</u:Created></u:Timestamp></o:Security>");
    struct renewal renewal;
    const struct refresh_options options = {.mode = REFRESH_LOOKS,
                                            .adds_message_id = true,
                                            .user = "a",
                                            .adds_token = REFRESH_ADD_TEXT};
    run(STR(text), &options, &renewal);
    assert_text(&renewal.request, STR(text));
    assert_text(&renewal.line, STR(""));
    assert_text(&renewal.notes, STR("the Timestamp is sent as captured: services refuse it from "
                                    "2031-05-06T06:10:00Z on, 58 minutes ago\n"));
    assert_string_equal(renewal.id, "uuid:" ID);
    renewal_deinit(&renewal);
}

static void an_id_is_added_where_there_is_none(void **state)
{
    (void)state;
    struct renewal renewal;
    const struct refresh_options options = {.adds_message_id = true};
    run(STR(ENVELOPE("<a:Action>x</a:Action>")), &options, &renewal);
    assert_text(&renewal.request, STR(ENVELOPE("<a:Action>x</a:Action><MessageID xmlns=\"" WSA_10
                                               "\">urn:uuid:" NEW_ID "</MessageID>")));
    assert_text(&renewal.line, STR("adding: MessageID"));
    assert_string_equal(renewal.id, "urn:uuid:" NEW_ID);
    renewal_deinit(&renewal);
    assert_request_with(&options, "<Envelope xmlns='" SOAP_11 "'><Body/></Envelope>",
                        "<Envelope xmlns='" SOAP_11 "'><Header><MessageID xmlns=\"" WSA_10
                        "\">urn:uuid:" NEW_ID "</MessageID></Header><Body/></Envelope>",
                        "adding: MessageID");
    assert_request_with(&options,
                        "<e:Envelope xmlns:e='" SOAP_11 "'><e:Header/><e:Body/></e:Envelope>",
                        "<e:Envelope xmlns:e='" SOAP_11 "'><e:Header><MessageID xmlns=\"" WSA_10
                        "\">urn:uuid:" NEW_ID "</MessageID></e:Header><e:Body/></e:Envelope>",
                        "adding: MessageID");
    assert_request_with(
        &options,
        "<e:Envelope xmlns:e='" SOAP_11 "'><e:Header><To "
        "xmlns='http://schemas.xmlsoap.org/ws/2004/08/addressing'>urn:x</To></e:Header><e:Body/>"
        "</e:Envelope>",
        "<e:Envelope xmlns:e='" SOAP_11 "'><e:Header><To "
        "xmlns='http://schemas.xmlsoap.org/ws/2004/08/addressing'>urn:x</To><MessageID "
        "xmlns=\"http://schemas.xmlsoap.org/ws/2004/08/addressing\">urn:uuid:" NEW_ID
        "</MessageID></e:Header><e:Body/></e:Envelope>",
        "adding: MessageID");
    /* One that is there is renewed, and none is added beside it. */
    assert_request_with(&options, ENVELOPE("<a:MessageID>uuid:x</a:MessageID>"),
                        ENVELOPE("<a:MessageID>uuid:" NEW_ID "</a:MessageID>"),
                        "refreshing: MessageID");
    static const char closed[] =
        "<e:Envelope xmlns:e='" SOAP_11 "'><e:Header Id='h'><o:Security "
        "xmlns:o='" WSSE_NAMESPACE
        "'>" SIGNATURE("#h") "</o:Security></e:Header><e:Body/></e:Envelope>";
    assert_request_with(&options, closed, closed, "");
}

static void tokens_are_added_where_there_are_none(void **state)
{
    (void)state;
    struct refresh_options options = {
        .user = "a&b", .password = STR("p"), .adds_token = REFRESH_ADD_TEXT};
#define ADDED_TIMESTAMP                                                                            \
    "<u:Timestamp xmlns:u=\"" WSSE_UTILITY_NAMESPACE "\"><u:Created>" NOW ".010Z</u:Created>"      \
    "<u:Expires>2031-05-06T07:13:09.010Z</u:Expires></u:Timestamp>"
#define ADDED_TOKEN(rest)                                                                          \
    "<o:UsernameToken xmlns:o=\"" WSSE_NAMESPACE "\"><o:Username>a&amp;b</o:Username>" rest        \
    "</o:UsernameToken>"
    assert_request_with(&options, "<e:Envelope xmlns:e='" SOAP_11 "'><e:Body/></e:Envelope>",
                        "<e:Envelope xmlns:e='" SOAP_11
                        "'><e:Header><o:Security xmlns:o=\"" WSSE_NAMESPACE "\" xmlns:s=\"" SOAP_11
                        "\" s:mustUnderstand=\"1\">" ADDED_TIMESTAMP ADDED_TOKEN(PASSWORD(
                            "PasswordText", "p")) "</o:Security></e:Header><e:Body/></e:Envelope>",
                        "adding: Timestamp, UsernameToken");
    options.adds_token = REFRESH_ADD_DIGEST;
    assert_request_with(
        &options, SECURITY("<u:Timestamp><u:Created/></u:Timestamp>"),
        SECURITY("<u:Timestamp><u:Created>" NOW ".010Z</u:Created></u:Timestamp>" ADDED_TOKEN(
            PASSWORD("PasswordDigest", "Etu7OYprMnPif2XQbOohnMhYlHA=")
                NONCE("AAECAwQFBgcICQoLDA0ODw==") "<u:Created xmlns:u=\"" WSSE_UTILITY_NAMESPACE
                                                  "\">" NOW ".010Z</u:Created>")),
        "refreshing: Timestamp; adding: UsernameToken");
    options.adds_token = REFRESH_ADD_TEXT;
    assert_request_with(&options, ENVELOPE("<o:Security/>"),
                        ENVELOPE("<o:Security>" ADDED_TIMESTAMP ADDED_TOKEN(
                            PASSWORD("PasswordText", "p")) "</o:Security>"),
                        "adding: Timestamp, UsernameToken");
}

static void assertions_are_told_when_they_end(void **state)
{
    (void)state;
#define ASSERTION(end)                                                                             \
    SECURITY("<Assertion xmlns='urn:oasis:names:tc:SAML:2.0:assertion'><Subject>"                  \
             "<SubjectConfirmationData NotOnOrAfter='2031-05-06T09:00:00.000Z'/></Subject>"        \
             "<Conditions NotBefore='2031-05-06T06:00:00Z' NotOnOrAfter='" end "'/></Assertion>")
    struct renewal renewal;
    struct refresh_options options = {.to = REFRESH_TO_AUTO};
    run(STR(ASSERTION("2031-05-06T05:08:09Z")), &options, &renewal);
    assert_text(&renewal.notes, STR("the SAML assertion ended at 2031-05-06T05:08:09Z, 2 hours "
                                    "ago: services refuse it\n"));
    renewal_deinit(&renewal);
    run(STR(ASSERTION("2031-05-06T08:08:10Z")), &options, &renewal);
    assert_text(&renewal.notes, STR(""));
    assert_true(renewal.result.has_assertion_end);
    renewal_deinit(&renewal);
    options.has_end = true;
    options.end = (struct stamp){1935817689 + 7200, 0};
    run(STR(ASSERTION("2031-05-06T08:08:10Z")), &options, &renewal);
    assert_text(&renewal.notes, STR("the SAML assertion ends at 2031-05-06T08:08:10Z, in 1 hour, "
                                    "before the run does\n"));
    renewal_deinit(&renewal);
}

static void what_cannot_be_replayed_is_refused_with_its_reason(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *names;
        const char *sentence;
    } cases[] = {
        {ENVELOPE("<e:EncryptedData xmlns:e='http://www.w3.org/2001/04/xmlenc#'/>"),
         "EncryptedData ",
         "the message cannot be replayed: it is encrypted, and nothing in it can be made anew "
         "(EncryptedData); --verbatim sends it as it is"},
        {SECURITY("<c:SecurityContextToken "
                  "xmlns:c='http://schemas.xmlsoap.org/ws/2005/02/sc'/>" SIGNATURE("#x")),
         "SCT Signature ",
         "the message cannot be replayed: it belongs to a secure conversation (or opens or ends "
         "one), whose keys are gone (SCT); --verbatim sends it as it is"},
        {ENVELOPE("<a:Action>http://schemas.xmlsoap.org/ws/2005/02/trust/RST/SCT</a:Action>"),
         "SCT ", NULL},
        {ENVELOPE("<a:Action>http://schemas.xmlsoap.org/ws/2005/02/trust/RST/Issue</a:Action>"),
         "SCT ", NULL},
        {ENVELOPE("<r:Sequence xmlns:r='http://schemas.xmlsoap.org/ws/2005/02/rm'/>"), "RM ",
         "the message cannot be replayed: it is a numbered message of WS-ReliableMessaging, and "
         "its number has been used (RM); --verbatim sends it as it is"},
        {SECURITY(SIGNATURE("#x")), "Signature ", ""},
        {ASSERTION("2031-05-06T05:08:09Z"), "SAML ", ""},
        {"<!DOCTYPE s:Envelope []>" ENVELOPE(""), "DOCTYPE ", ""},
        {ENVELOPE(
             "<a:Action>http://docs.oasis-open.org/ws-sx/ws-trust/200512/RST/Issue</a:Action>"),
         "", ""},
        {ENVELOPE(""), "", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct envelope envelope;
        struct refresh_block list[REFRESH_BLOCKS];
        struct buf names;
        struct err err = {0};
        buf_init(&names);
        buf_append_str(&names, STR(""));
        envelope_read(&envelope, str_from(cases[i].text));
        size_t count = refresh_list_blocks(&envelope, list);
        for (size_t k = 0; k < count; k++) {
            buf_printf(&names, "%s ", list[k].name);
        }
        assert_string_equal(names.data, cases[i].names);
        bool is_refused = !refresh_check(&envelope, &err);
        assert_int_equal(is_refused, cases[i].sentence == NULL || cases[i].sentence[0] != '\0');
        if (cases[i].sentence != NULL) {
            assert_string_equal(err.text, cases[i].sentence);
        }
        envelope_deinit(&envelope);
        buf_deinit(&names);
    }
}

/* The text in another encoding. */
static void encode(struct str text, const char *encoding, struct buf *bytes)
{
    bool is_wide = strncmp(encoding, "utf-16", 6) == 0;
    enum utf16_order order = strcmp(encoding, "utf-16be") == 0 ? UTF16_BIG : UTF16_LITTLE;
    char units[4];
    uint32_t code;
    if (is_wide) {
        buf_append(bytes, units, utf16_put(units, 0xFEFF, order));
    }
    while (utf8_next(&text, &code)) {
        if (is_wide) {
            buf_append(bytes, units, utf16_put(units, code, order));
        } else if (strcmp(encoding, "iso-8859-1") == 0) {
            buf_append_byte(bytes, (char)code);
        } else {
            buf_append(bytes, units, utf8_put(units, code));
        }
    }
}

static void utf16_and_other_encodings_are_kept(void **state)
{
    (void)state;
    static const char form[] = "<?xml version='1.0' encoding='%s'?>\r\n" ENVELOPE(
        "\xC3\xA9<a:MessageID>urn:uuid:%s</a:MessageID><!-- \xC3\xA9 --><o:Security "
        "u:x='\xC3\xA9'><u:Timestamp><u:Created>%s</u:Created><u:Expires>%s</u:Expires>"
        "</u:Timestamp>"
        "<o:UsernameToken><o:Username>\xC3\xA9</o:Username>" PASSWORD("PasswordDigest", "%s")
            NONCE("%s") "<u:Created>%s</u:Created>"
                        "</o:UsernameToken></o:Security>");
    static const char *const encodings[][2] = {{"utf-8", "utf-8"},
                                               {"utf-16", "utf-16le"},
                                               {"utf-16", "utf-16be"},
                                               {"iso-8859-1", "iso-8859-1"}};
    const struct refresh_options options = {.user = "\xC3\xA9", .password = STR("p")};
    for (size_t i = 0; i < 4; i++) {
        struct buf text;
        struct buf bytes;
        struct buf expected;
        struct renewal renewal;
        buf_init(&text);
        buf_init(&bytes);
        buf_init(&expected);
        buf_printf(&text, form, encodings[i][0], ID, "2009-12-25T15:43:22Z", "2009-12-25T15:44:22Z",
                   "x", "eA==", "2009-12-25T15:43:22Z");
        encode(buf_view(&text), encodings[i][1], &bytes);
        buf_reset(&text);
        buf_printf(&text, form, encodings[i][0], NEW_ID, NOW "Z", "2031-05-06T07:09:09Z",
                   "Tls1WHDwbLo7LuFIGiUBHfaPhE4=", "EBESExQVFhcYGRobHB0eHw==", NOW "Z");
        encode(buf_view(&text), encodings[i][1], &expected);
        if (strcmp(encodings[i][1], "iso-8859-1") == 0) {
            /* The name is compared as UTF-8; in this encoding it is written as a reference. */
            renewal.id[0] = '\0';
            run(buf_view(&bytes), &options, &renewal);
            assert_non_null(strstr(renewal.request.data, "<o:Username>&#233;</o:Username>"));
            assert_non_null(strstr(renewal.request.data, "<a:MessageID>urn:uuid:" NEW_ID));
        } else {
            run(buf_view(&bytes), &options, &renewal);
            assert_text(&renewal.request, buf_view(&expected));
        }
        assert_string_equal(renewal.id, "urn:uuid:" NEW_ID);
        renewal_deinit(&renewal);
        buf_deinit(&text);
        buf_deinit(&bytes);
        buf_deinit(&expected);
    }
}

/* B106: eleven minutes pass, and each request is fresh. */
static void B106_a_long_run_stays_fresh(void **state)
{
    (void)state;
    static const char text[] = TIMESTAMP("<u:Created>2009-12-25T15:43:22Z</u:Created>"
                                         "<u:Expires>2009-12-25T15:48:22Z</u:Expires>");
    const struct refresh_options options = {.to = REFRESH_TO_AUTO};
    struct envelope envelope;
    struct body_text body;
    struct edits edits;
    struct refresh_result result;
    struct fixture fixture;
    struct buf notes;
    envelope_read(&envelope, STR(text));
    body_text_init(&body, STR(text));
    edits_init(&edits);
    refresh_result_init(&result);
    fixture_init(&fixture);
    buf_init(&notes);
    assert_true(refresh_find(&options, &body, &envelope, &edits, &result, &notes, NULL));
    struct template_builder *builder = template_builder_new(NULL);
    template_builder_begin_body(builder);
    template_builder_add_body(builder, &body, &edits);
    struct template *template = template_builder_finish(builder);
    struct template_source *source = template_source_new(&fixture.options);
    for (int second = 0; second <= 660; second++) {
        struct buf request;
        buf_init(&request);
        assert_true(fixture_append(template, source, &request));
        struct str created = str_from(strstr(request.data, "<u:Created>") + 11);
        struct str expires = str_from(strstr(request.data, "<u:Expires>") + 11);
        struct stamp moments[2];
        struct stamp_style style;
        assert_true(stamp_parse(str_slice(created, 0, 20), &moments[0], &style));
        assert_true(stamp_parse(str_slice(expires, 0, 20), &moments[1], &style));
        assert_int_equal(moments[0].seconds, fixture.wall_ns / NS_PER_S);
        assert_int_equal(moments[1].seconds - moments[0].seconds, 300);
        fixture.wall_ns += NS_PER_S;
        buf_deinit(&request);
    }
    template_source_free(source);
    template_free(template);
    buf_deinit(&notes);
    refresh_result_deinit(&result);
    edits_deinit(&edits);
    body_text_deinit(&body);
    envelope_deinit(&envelope);
}

static void what_is_no_envelope_is_left_alone(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "plain",
                                        "<a><MessageID xmlns='" WSA_10 "'>x</MessageID></a>"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_request(texts[i], texts[i], "");
    }
    struct renewal renewal;
    const struct refresh_options options = {.adds_message_id = true};
    run(STR("<s:Envelope xmlns:s='" SOAP_12 "'><s:Header><MessageID xmlns='" WSA_10 "'>x</"),
        &options, &renewal);
    assert_text(&renewal.notes,
                STR("the envelope cannot be read as XML: nothing in it is refreshed\n"));
    renewal_deinit(&renewal);
    run(STR("<!DOCTYPE x [<!ENTITY m 'uuid:1'>]>" ENVELOPE("<a:MessageID>&m;</a:MessageID>")),
        &options, &renewal);
    assert_text(&renewal.notes, STR("the envelope holds a DOCTYPE: nothing in it is refreshed\n"));
    renewal_deinit(&renewal);
}

/* The text with every value that may be renewed taken out of it: another way to find them. */
static void without_values(struct str text, struct buf *rest)
{
    static const char *const names[] = {"MessageID", "Created", "Expires", "Nonce",
                                        "Password",  "To",      "Username"};
    for (size_t at = 0; at < text.len; at++) {
        struct str tail = str_slice(text, at, text.len);
        buf_append_byte(rest, text.data[at]);
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
            size_t len = strlen(names[i]);
            bool is_tag = at > 0 && (text.data[at - 1] == ':' || text.data[at - 1] == '<') &&
                          str_starts_with(tail, str_from(names[i])) && tail.len > len &&
                          strchr(" >", tail.data[len]) != NULL;
            size_t close = is_tag ? str_find_byte(tail, '>') : SIZE_MAX;
            size_t next = is_tag ? str_find_byte(tail, '<') : SIZE_MAX;
            if (close != SIZE_MAX && next != SIZE_MAX && close < next) {
                buf_append_str(rest, str_slice(tail, 1, close + 1));
                at += next - 1;
                break;
            }
        }
    }
}

static void outside_of_the_values_not_a_byte_changes(void **state)
{
    (void)state;
    static const char *const lines[] = {"\n", "\r\n", "", " \t\n\n"};
    static const char *const encodings[] = {"utf-8", "utf-16le", "utf-16be"};
    const struct refresh_options options = {
        .to = REFRESH_TO_GIVEN, .to_uri = STR("urn:to"), .user = "ada", .password = STR("p")};
    for (unsigned variant = 0; variant < 4 * 3 * 16; variant++) {
        const char *line = lines[variant % 4];
        const char *encoding = encodings[variant / 4 % 3];
        unsigned bits = variant / 12;
        struct buf text;
        struct buf bytes;
        struct buf before;
        struct buf after;
        struct buf request;
        struct renewal renewal;
        buf_init(&text);
        buf_init(&bytes);
        buf_init(&before);
        buf_init(&after);
        buf_init(&request);
        buf_printf(&text, "<s:Envelope%sxmlns:s='%s'%s>%s<!-- <a:MessageID>no</a:MessageID> -->%s",
                   line[0] == '\0' ? " " : line, (bits & 1) != 0 ? SOAP_11 : SOAP_12, line, line,
                   line);
        buf_printf(&text,
                   "<s:Header>%s<a:MessageID xmlns:a='%s' z=\"&gt;'>\">%suuid:%s%s</a:MessageID>",
                   line, WSA_10, line, ID, line);
        buf_printf(&text, "<To xmlns=\"%s\">http://h/%s</To>%s", WSA_10, "\xE2\x82\xAC", line);
        buf_printf(&text, "<o:Security xmlns:o='%s' xmlns:u='%s'>%s", WSSE_NAMESPACE,
                   WSSE_UTILITY_NAMESPACE, line);
        if ((bits & 2) != 0) {
            buf_printf(&text,
                       "<u:Timestamp>%s<u:Expires>2009-12-25T15:48:22Z</u:Expires><?p >?>%s"
                       "<u:Created>2009-12-25T15:43:22Z%s</u:Created></u:Timestamp>",
                       line, line, line);
        }
        if ((bits & 4) != 0) {
            buf_printf(
                &text,
                "<o:UsernameToken>%s" NONCE("eA==") "%s<o:Username>bob</o:Username>" PASSWORD(
                    "PasswordDigest", "x") "<u:Created>2009-12-25T15:43:22Z"
                                           "</u:Created></o:UsernameToken>%s",
                line, line, line);
        }
        buf_printf(&text,
                   "</o:Security></s:Header>%s<s:Body>%s<![CDATA[<a:To>x]]>%s</s:Body>%s"
                   "</s:Envelope>%s",
                   line, (bits & 8) != 0 ? "\xF0\x9F\x98\x80" : "", line, line, line);
        encode(buf_view(&text), encoding, &bytes);
        run(buf_view(&bytes), &options, &renewal);
        if (bytes.data[0] == '<') {
            buf_append_str(&request, buf_view(&renewal.request));
        } else {
            utf16_append_as_utf8(str_slice(buf_view(&renewal.request), 2, renewal.request.len),
                                 variant / 4 % 3 == 1 ? UTF16_LITTLE : UTF16_BIG, &request);
        }
        assert_false(str_equals(buf_view(&request), buf_view(&text)));
        without_values(buf_view(&text), &before);
        without_values(buf_view(&request), &after);
        assert_text(&after, buf_view(&before));
        assert_int_equal(renewal.result.items[REFRESH_TIMESTAMP].changed, (bits & 2) != 0);
        assert_int_equal(renewal.result.items[REFRESH_USERNAME_TOKEN].changed, (bits & 4) != 0);
        renewal_deinit(&renewal);
        buf_deinit(&text);
        buf_deinit(&bytes);
        buf_deinit(&before);
        buf_deinit(&after);
        buf_deinit(&request);
    }
}

/* Texts that no parser has passed: nothing but a result or nothing at all. */
static void any_bytes_are_survived(void **state)
{
    (void)state;
    static const char text[] =
        "<s:Envelope xmlns:s='" SOAP_12 "'><s:Header><a:MessageID xmlns:a='" WSA_10 "'>uuid:" ID
        "</a:MessageID><To xmlns='" WSA_10 "'>x</To><o:Security xmlns:o='" WSSE_NAMESPACE
        "'><Timestamp><Created/><Expires>x</Expires></Timestamp><UsernameToken><Username>x</"
        "Username>"
        "<Password Type='#PasswordDigest'/><Nonce/><Created/></UsernameToken><Assertion><C "
        "NotOnOrAfter='x'/></Assertion><Signature xmlns='" DSIG
        "'><Reference URI='#&#98;'/></Signature>"
        "</o:Security></s:Header><s:Body Id='b'/></s:Envelope>";
    struct url target;
    assert_true(url_parse(&target, STR("http://h/"), NULL));
    const struct refresh_options options = {.target = &target,
                                            .user = "u",
                                            .password = STR("p"),
                                            .adds_message_id = true,
                                            .adds_token = REFRESH_ADD_DIGEST};
    for (size_t at = 0; at < sizeof text - 1; at++) {
        for (size_t change = 0; change < 9; change++) {
            char changed[sizeof text];
            struct envelope envelope;
            struct body_text body;
            struct edits edits;
            struct refresh_result result;
            struct buf notes;
            memcpy(changed, text, sizeof text);
            changed[at] = "<>/'= &\0"[change % 8];
            struct str bytes = str_of(changed, change == 8 ? at : sizeof text - 1);
            envelope = (struct envelope){.is_well_formed = true, .version = SOAP_VERSION_12};
            body_text_init(&body, bytes);
            edits_init(&edits);
            refresh_result_init(&result);
            buf_init(&notes);
            assert_true(refresh_find(&options, &body, &envelope, &edits, &result, &notes, NULL));
            struct template_builder *builder = template_builder_new(NULL);
            template_builder_begin_body(builder);
            template_builder_add_body(builder, &body, &edits);
            template_free(template_builder_finish(builder));
            buf_deinit(&notes);
            refresh_result_deinit(&result);
            edits_deinit(&edits);
            body_text_deinit(&body);
        }
    }
    url_deinit(&target);
}

int main(void)
{
    judge_setup();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_of_all_addressing_namespaces_are_renewed),
        cmocka_unit_test(the_way_an_id_is_written_is_kept),
        cmocka_unit_test(white_space_cdata_and_empty_tags_are_kept),
        cmocka_unit_test(several_ids_differ_and_equal_ones_stay_equal),
        cmocka_unit_test(wcf_activities_are_renewed),
        cmocka_unit_test(timestamps_keep_span_and_precision),
        cmocka_unit_test(B105_a_timestamp_has_exactly_one_created),
        cmocka_unit_test(B107_nonce_created_and_digest_are_renewed_with_the_password),
        cmocka_unit_test(B110_only_elements_that_are_there_are_renewed),
        cmocka_unit_test(a_text_password_needs_no_option_for_a_new_nonce),
        cmocka_unit_test(a_digest_without_its_password_is_kept_and_explained),
        cmocka_unit_test(a_password_of_any_length_is_refused_where_it_is_too_long),
        cmocka_unit_test(to_is_rewritten_where_wcf_would_refuse_it),
        cmocka_unit_test(to_is_as_the_user_wants_it),
        cmocka_unit_test(what_is_signed_is_not_touched),
        cmocka_unit_test(templates_of_the_user_win),
        cmocka_unit_test(looking_changes_nothing),
        cmocka_unit_test(an_id_is_added_where_there_is_none),
        cmocka_unit_test(tokens_are_added_where_there_are_none),
        cmocka_unit_test(assertions_are_told_when_they_end),
        cmocka_unit_test(what_cannot_be_replayed_is_refused_with_its_reason),
        cmocka_unit_test(utf16_and_other_encodings_are_kept),
        cmocka_unit_test(B106_a_long_run_stays_fresh),
        cmocka_unit_test(what_is_no_envelope_is_left_alone),
        cmocka_unit_test(outside_of_the_values_not_a_byte_changes),
        cmocka_unit_test(any_bytes_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
