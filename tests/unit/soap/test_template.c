/* SPDX-License-Identifier: Apache-2.0 */
/* Requests are what their template says, slot by slot, and not a byte else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

#include "lather/base/clock.h"
#include "lather/soap/template_layout.h"
#include "template_fixture.h"

static char *environment(const char *name)
{
    static char value[] = "from <outside>";
    return strcmp(name, "STAGE") == 0 ? value : NULL;
}

static const struct slot_variable variables[] = {
    {{"region", 6}, {"north & south", 13}},
    {{"bom", 3}, {"\xEF\xBB\xBFx", 4}},
};

static struct slot_names names_with(const struct csv *data)
{
    return (struct slot_names){
        .variables = variables, .variable_count = 2, .environment = environment, .data = data};
}

/* A template of a body alone. */
static struct template *compile_body(struct str text, enum placeholder_kind kind,
                                     const struct csv *data, struct err *err)
{
    struct body_text body;
    struct edits edits;
    struct slot_names names = names_with(data);
    struct template *template = NULL;
    body_text_init(&body, text);
    edits_init(&edits);
    const struct placeholder_text searched = {body.text, kind, body.encoding, "a.xml"};
    if (placeholder_find(&searched, &names, &edits, err)) {
        struct template_builder *builder = template_builder_new(data);
        template_builder_begin_body(builder);
        template_builder_add_body(builder, &body, &edits);
        template = template_builder_finish(builder);
    }
    edits_deinit(&edits);
    body_text_deinit(&body);
    return template;
}

static void assert_bytes(const struct buf *got, struct str expected)
{
    if (!str_equals(buf_view(got), expected)) {
        fail_msg("\"%.*s\" instead of \"%.*s\"", STR_ARG(buf_view(got)), STR_ARG(expected));
    }
}

/* The first requests of one worker, one behind the other. */
static void assert_requests(struct str text, enum placeholder_kind kind, const struct csv *data,
                            size_t count, struct str expected)
{
    struct fixture fixture;
    struct err err = {0};
    struct buf got;
    fixture_init(&fixture);
    fixture.options.rows = data == NULL ? 0 : csv_row_count(data);
    struct template *template = compile_body(text, kind, data, &err);
    if (template == NULL) {
        fail_msg("%s", err.text);
        return;
    }
    struct template_source *source = template_source_new(&fixture.options);
    buf_init(&got);
    for (size_t i = 0; i < count; i++) {
        assert_true(fixture_append(template, source, &got));
    }
    assert_bytes(&got, expected);
    buf_deinit(&got);
    template_source_free(source);
    template_free(template);
}

static void each_kind_of_slot_is_filled(void **state)
{
    (void)state;
    struct csv *feed = fixture_feed("id,name\n7,Ada\n8,Bob\n");
    assert_requests(STR("[${counter}]"), PLACEHOLDER_PLAIN, NULL, 3, STR("[1][2][3]"));
    assert_requests(STR("${counter:98};"), PLACEHOLDER_PLAIN, NULL, 3, STR("98;99;100;"));
    assert_requests(STR("${counter}=${counter:11} "), PLACEHOLDER_PLAIN, NULL, 2,
                    STR("1=11 2=12 "));
    assert_requests(STR("${uuid}"), PLACEHOLDER_PLAIN, NULL, 1,
                    STR("00010203-0405-4607-8809-0a0b0c0d0e0f"));
    assert_requests(STR("${now}"), PLACEHOLDER_PLAIN, NULL, 1, STR("2031-05-06T07:08:09.010Z"));
    assert_requests(STR("${now:%d.%m.%Y %H:%M}"), PLACEHOLDER_PLAIN, NULL, 1,
                    STR("06.05.2031 07:08"));
    assert_requests(STR("${now+90s} ${now-7d} ${now:%F+30d} ${now:%Y-%m-%d}"), PLACEHOLDER_PLAIN,
                    NULL, 1,
                    STR("2031-05-06T07:09:39.010Z 2031-04-29T07:08:09.010Z 2031-06-05 2031-05-06"));
    assert_requests(STR("${now:%s}"), PLACEHOLDER_PLAIN, NULL, 1, STR("1935817689"));
    assert_requests(STR("${random:5-5} ${random:-3--3}"), PLACEHOLDER_PLAIN, NULL, 1, STR("5 -3"));
    assert_requests(STR("w${worker}"), PLACEHOLDER_PLAIN, NULL, 1, STR("w0"));
    assert_requests(STR("${data.name}/${data.id}\n"), PLACEHOLDER_PLAIN, feed, 3,
                    STR("Ada/7\nBob/8\nAda/7\n"));
    assert_requests(STR("${var.region}, ${env.STAGE}"), PLACEHOLDER_PLAIN, NULL, 1,
                    STR("north & south, from <outside>"));
    csv_free(feed);
}

static void an_escaped_dollar_is_literal(void **state)
{
    (void)state;
    assert_requests(STR("$${uuid} $ $$ $x {${worker}} $$${worker}"), PLACEHOLDER_PLAIN, NULL, 1,
                    STR("${uuid} $ $$ $x {0} $${worker}"));
}

static void xml_bodies_get_escaped_values(void **state)
{
    (void)state;
    struct csv *feed = fixture_feed("v\n\"a<b> & \"\"c\"\" ]]> 'd'\"\nplain\n");
    assert_requests(STR("<a b=\"${data.v}\" c='${data.v}'>${data.v}</a>"), PLACEHOLDER_XML, feed, 2,
                    STR("<a b=\"a&lt;b&gt; &amp; &quot;c&quot; ]]&gt; &#39;d&#39;\" "
                        "c='a&lt;b&gt; &amp; &quot;c&quot; ]]&gt; &#39;d&#39;'>"
                        "a&lt;b&gt; &amp; \"c\" ]]&gt; 'd'</a>"
                        "<a b=\"plain\" c='plain'>plain</a>"));
    assert_requests(STR("<a><![CDATA[${data.v}]]>${data.v}</a>"), PLACEHOLDER_XML, feed, 1,
                    STR("<a><![CDATA[a<b> & \"c\" ]]]]><![CDATA[> 'd']]>"
                        "a&lt;b&gt; &amp; \"c\" ]]&gt; 'd'</a>"));
    assert_requests(STR("<a><!-- ' ${var.region} --><?p ${data.v}?>${var.region}</a>"),
                    PLACEHOLDER_XML, feed, 1,
                    STR("<a><!-- ' north & south --><?p a<b_ & \"c\" ]]_ 'd'?>north &amp; "
                        "south</a>"));
    assert_requests(STR("<a q='>' r=\">\">${var.region}</a>"), PLACEHOLDER_XML, NULL, 1,
                    STR("<a q='>' r=\">\">north &amp; south</a>"));
    assert_requests(STR("<a><!-- -${random:-5--5}-${uuid}- --></a>"), PLACEHOLDER_XML, NULL, 1,
                    STR("<a><!-- -_5-00010203_0405_4607_8809_0a0b0c0d0e0f- --></a>"));
    assert_requests(STR("<t>${now:%H&%M}</t>"), PLACEHOLDER_XML, NULL, 1, STR("<t>07&amp;08</t>"));
    csv_free(feed);
}

static void utf16_bodies_are_filled_in_utf16(void **state)
{
    (void)state;
    struct csv *feed = fixture_feed("v\n\xC3\xA9&\n");
    assert_requests(STR("\xFF\xFE<\0a\0>\0$\0{\0d\0a\0t\0a\0.\0v\0}\0\xAC\x20<\0/\0a\0>\0"),
                    PLACEHOLDER_XML, feed, 1,
                    STR("\xFF\xFE<\0a\0>\0\xE9\0&\0a\0m\0p\0;\0\xAC\x20<\0/\0a\0>\0"));
    assert_requests(STR("\xFE\xFF\0<\0a\0>\0$\0{\0c\0o\0u\0n\0t\0e\0r\0}\0<\0/\0a\0>"),
                    PLACEHOLDER_XML, NULL, 1, STR("\xFE\xFF\0<\0a\0>\0001\0<\0/\0a\0>"));
    csv_free(feed);
}

static void other_encodings_get_references(void **state)
{
    (void)state;
    struct csv *feed = fixture_feed("v\nf\xC3\xBCr\n");
    assert_requests(STR("<?xml version='1.0' encoding='iso-8859-1'?><a b='\xFC'>${data.v}</a>"),
                    PLACEHOLDER_XML, feed, 1,
                    STR("<?xml version='1.0' encoding='iso-8859-1'?><a b='\xFC'>f&#252;r</a>"));
    csv_free(feed);
}

/* B104, B157 */
static void B104_byte_order_marks_stay_in_front(void **state)
{
    (void)state;
    struct csv *feed = fixture_feed("\xEF\xBB\xBFv\nx\n\"\xEF\xBB\xBFy\"\n");
    assert_requests(STR("\xEF\xBB\xBF<a>${data.v}${var.bom}</a>"), PLACEHOLDER_XML, feed, 2,
                    STR("\xEF\xBB\xBF<a>xx</a>\xEF\xBB\xBF<a>yx</a>"));
    csv_free(feed);
}

/* The whole of a request: head with templates in it, length of the body in front of the body. */
static struct template *compile_request(const char *head, const char *text, const struct csv *data,
                                        struct err *err)
{
    struct slot_names names = names_with(data);
    struct body_text body;
    struct edits edits;
    struct template_builder *builder = template_builder_new(data);
    body_text_init(&body, str_from(text));
    edits_init(&edits);
    const struct placeholder_text searched = {body.text, PLACEHOLDER_XML, body.encoding, "a.xml"};
    bool good =
        placeholder_find(&searched, &names, &edits, err) &&
        template_builder_add_head(builder, str_from(head), &names, TEMPLATE_LENGTH_COUNTED, err);
    struct template *template = NULL;
    if (good) {
        template_builder_begin_body(builder);
        template_builder_add_body(builder, &body, &edits);
        template = template_builder_finish(builder);
    } else {
        template_builder_free(builder);
    }
    edits_deinit(&edits);
    body_text_deinit(&body);
    return template;
}

static void the_length_is_that_of_the_filled_body(void **state)
{
    (void)state;
    struct csv *feed = fixture_feed("v\nab\n\"<<<\"\n");
    struct fixture fixture;
    struct buf got;
    fixture_init(&fixture);
    fixture.options.rows = 2;
    struct template *template =
        compile_request("POST /o/${data.v}?n=${counter:9} HTTP/1.1\r\nContent-length: 0\r\n"
                        "X-Region: ${var.region}\r\nX-Length: 0\r\n\r\n",
                        "<a>${data.v}${counter:9}</a>", feed, NULL);
    struct template_source *source = template_source_new(&fixture.options);
    buf_init(&got);
    assert_true(fixture_append(template, source, &got));
    assert_bytes(&got, STR("POST /o/ab?n=9 HTTP/1.1\r\nContent-length: 10\r\n"
                           "X-Region: north & south\r\nX-Length: 0\r\n\r\n<a>ab9</a>"));
    buf_reset(&got);
    assert_true(fixture_append(template, source, &got));
    assert_bytes(&got, STR("POST /o/%3C%3C%3C?n=10 HTTP/1.1\r\nContent-length: 21\r\n"
                           "X-Region: north & south\r\nX-Length: 0\r\n\r\n"
                           "<a>&lt;&lt;&lt;10</a>"));
    struct template_values *values = template_values_new(template_values_bytes(template));
    assert_int_equal(template_fill(template, source, values), TEMPLATE_FILLED);
    struct str pieces[32];
    size_t head_bytes;
    size_t bytes;
    assert_true(template_piece_count(template) <= 32);
    (void)template_pieces(template, values, pieces, &head_bytes, &bytes);
    assert_int_equal(bytes - head_bytes, 11);
    template_values_free(values);
    buf_deinit(&got);
    template_source_free(source);
    template_free(template);
    csv_free(feed);
}

/* The root part of a MIME body is XML; what is around it is not looked at, but counted. */
static void parts_around_the_xml_are_left_alone(void **state)
{
    (void)state;
    static const char before[] = "--b\r\nContent-Type: application/xop+xml\r\n\r\n";
    static const char after[] = "\r\n--b\r\n\r\n\0${uuid}\xFF\r\n--b--\r\n";
    struct slot_names names = names_with(NULL);
    struct body_text body;
    struct edits edits;
    struct fixture fixture;
    struct buf got;
    struct buf expected;
    body_text_init(&body, STR("<a>${counter:98}</a>"));
    edits_init(&edits);
    fixture_init(&fixture);
    const struct placeholder_text searched = {body.text, PLACEHOLDER_XML, body.encoding, "a.xml"};
    assert_true(placeholder_find(&searched, &names, &edits, NULL));
    struct template_builder *builder = template_builder_new(NULL);
    assert_true(template_builder_add_head(builder,
                                          STR("POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n"),
                                          &names, TEMPLATE_LENGTH_COUNTED, NULL));
    template_builder_begin_body(builder);
    template_builder_add_literal(builder, str_of(before, sizeof before - 1));
    template_builder_add_body(builder, &body, &edits);
    template_builder_add_literal(builder, str_of(after, sizeof after - 1));
    struct template *template = template_builder_finish(builder);
    edits_deinit(&edits);
    body_text_deinit(&body);
    struct template_source *source = template_source_new(&fixture.options);
    buf_init(&got);
    buf_init(&expected);
    for (unsigned i = 98; i < 101; i++) {
        buf_reset(&got);
        buf_reset(&expected);
        assert_true(fixture_append(template, source, &got));
        buf_printf(&expected, "POST / HTTP/1.1\r\nContent-Length: %zu\r\n\r\n%s<a>%u</a>",
                   sizeof before + sizeof after + 5 + (i < 100 ? 2 : 3), before, i);
        buf_append(&expected, after, sizeof after - 1);
        assert_bytes(&got, buf_view(&expected));
    }
    buf_deinit(&got);
    buf_deinit(&expected);
    template_source_free(source);
    template_free(template);
}

static void a_length_that_never_changes_is_a_literal(void **state)
{
    (void)state;
    struct template *template = compile_request("POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n",
                                                "<a>${uuid}${now}</a>", NULL, NULL);
    assert_int_equal(template_least_body_bytes(template), 67);
    assert_int_equal(template_piece_count(template), 4);
    assert_int_equal(template->slot_count, 2);
    template_free(template);
    template =
        compile_request("POST / HTTP/1.1\r\n\r\n", "<a>${uuid} ${now}${uuid}</a>", NULL, NULL);
    assert_int_equal(template_piece_count(template), 4); /* short literals go along */
    template_free(template);
    template = compile_request("POST / HTTP/1.1\r\n\r\n", "<a/>", NULL, NULL);
    assert_true(template_is_constant(template));
    assert_int_equal(template_piece_count(template), 2);
    template_free(template);
}

static void paths_percent_encode_what_is_inserted(void **state)
{
    (void)state;
    struct fixture fixture;
    struct buf got;
    fixture_init(&fixture);
    struct template *template =
        compile_request("GET /a b/${now}/${var.region}?x=%20 HTTP/1.1\r\n\r\n", "", NULL, NULL);
    struct template_source *source = template_source_new(&fixture.options);
    buf_init(&got);
    assert_true(fixture_append(template, source, &got));
    assert_bytes(&got, STR("GET /a b/2031-05-06T07%3A08%3A09.010Z/north%20%26%20south?x=%20 "
                           "HTTP/1.1\r\n\r\n"));
    buf_deinit(&got);
    template_source_free(source);
    template_free(template);
}

/* Counts over several workers that take turns in no order. */
static void each_number_comes_once_over_three_workers(void **state)
{
    (void)state;
    enum { WORKERS = 3, TOTAL = 1000 };
    unsigned seen[TOTAL + 2] = {0};
    struct template *template = compile_body(STR("${counter}"), PLACEHOLDER_PLAIN, NULL, NULL);
    for (uint32_t worker = 0; worker < WORKERS; worker++) {
        struct fixture fixture;
        struct buf got;
        fixture_init(&fixture);
        fixture.options.worker = worker;
        fixture.options.workers = WORKERS;
        struct template_source *source = template_source_new(&fixture.options);
        buf_init(&got);
        for (uint32_t i = worker; i < TOTAL; i += WORKERS) {
            uint64_t number;
            buf_reset(&got);
            assert_true(fixture_append(template, source, &got));
            assert_true(str_to_u64(buf_view(&got), &number));
            assert_in_range(number, 1, TOTAL);
            seen[number]++;
        }
        buf_deinit(&got);
        template_source_free(source);
    }
    for (size_t i = 1; i <= TOTAL; i++) {
        assert_int_equal(seen[i], 1);
    }
    template_free(template);
}

static void random_numbers_stay_in_their_range_and_repeat_with_the_seed(void **state)
{
    (void)state;
    struct template *template = compile_body(STR("${random:-2-2}"), PLACEHOLDER_PLAIN, NULL, NULL);
    unsigned seen[5] = {0};
    struct buf runs[3];
    for (size_t run = 0; run < 3; run++) {
        struct fixture fixture;
        fixture_init(&fixture);
        fixture.options.seed = run == 2 ? 1 : 0;
        struct template_source *source = template_source_new(&fixture.options);
        buf_init(&runs[run]);
        for (size_t i = 0; i < 200; i++) {
            size_t from = runs[run].len;
            assert_true(fixture_append(template, source, &runs[run]));
            long number = strtol(runs[run].data + from, NULL, 10);
            assert_in_range(number + 2, 0, 4);
            seen[number + 2]++;
            buf_append_byte(&runs[run], ' ');
        }
        template_source_free(source);
    }
    for (size_t i = 0; i < 5; i++) {
        assert_true(seen[i] > 0);
    }
    assert_true(str_equals(buf_view(&runs[0]), buf_view(&runs[1])));
    assert_false(str_equals(buf_view(&runs[0]), buf_view(&runs[2])));
    for (size_t run = 0; run < 3; run++) {
        buf_deinit(&runs[run]);
    }
    template_free(template);
    template = compile_body(STR("${random:0-9223372036854775807}"), PLACEHOLDER_PLAIN, NULL, NULL);
    template_free(template);
}

/* B103: no row, no request. */
static void B103_data_taken_once_end_without_a_request(void **state)
{
    (void)state;
    struct csv *feed = fixture_feed("v\na\nb\n");
    struct fixture fixture;
    struct buf got;
    fixture_init(&fixture);
    fixture.options.rows = 2;
    fixture.options.order = FEED_ONCE;
    struct template *template =
        compile_body(STR("${counter}${data.v}"), PLACEHOLDER_PLAIN, feed, NULL);
    struct template_source *source = template_source_new(&fixture.options);
    buf_init(&got);
    assert_true(template_uses_data(template));
    assert_true(fixture_append(template, source, &got));
    assert_true(fixture_append(template, source, &got));
    assert_false(fixture_append(template, source, &got));
    assert_bytes(&got, STR("1a2b"));
    buf_deinit(&got);
    template_source_free(source);
    template_free(template);
    csv_free(feed);
}

/* B109: moments are the service's when its clock is known to be off. */
static void B109_the_clock_offset_is_added_to_every_moment(void **state)
{
    (void)state;
    struct fixture fixture;
    struct buf got;
    fixture_init(&fixture);
    fixture.options.clock_offset = (struct stamp){-181, 500000000};
    struct template *template =
        compile_body(STR("${now} ${now+1h}"), PLACEHOLDER_PLAIN, NULL, NULL);
    struct template_source *source = template_source_new(&fixture.options);
    buf_init(&got);
    assert_true(fixture_append(template, source, &got));
    assert_bytes(&got, STR("2031-05-06T07:05:08.510Z 2031-05-06T08:05:08.510Z"));
    buf_deinit(&got);
    template_source_free(source);
    template_free(template);
}

static void values_serve_one_template_after_the_other(void **state)
{
    (void)state;
    struct fixture fixture;
    struct buf got;
    fixture_init(&fixture);
    struct template *first =
        compile_body(STR("<a>${uuid}-first-${now}</a>"), PLACEHOLDER_XML, NULL, NULL);
    struct template *second = compile_body(STR("<b>${counter}</b>"), PLACEHOLDER_XML, NULL, NULL);
    struct template_source *source = template_source_new(&fixture.options);
    size_t bytes = template_values_bytes(first) > template_values_bytes(second)
                       ? template_values_bytes(first)
                       : template_values_bytes(second);
    struct template_values *values = template_values_new(bytes);
    buf_init(&got);
    for (size_t i = 0; i < 2; i++) {
        fixture.next_byte = 0;
        assert_int_equal(template_fill(first, source, values), TEMPLATE_FILLED);
        template_append(first, values, &got);
        assert_int_equal(template_fill(second, source, values), TEMPLATE_FILLED);
        template_append(second, values, &got);
    }
    assert_bytes(&got, STR("<a>00010203-0405-4607-8809-0a0b0c0d0e0f-first-2031-05-06T07:08:09.010Z"
                           "</a><b>1</b>"
                           "<a>10111213-1415-4617-9819-1a1b1c1d1e1f-first-2031-05-06T07:08:09.010Z"
                           "</a><b>2</b>"));
    /* The request can be put together again as long as it was not filled anew. */
    struct buf again;
    buf_init(&again);
    template_append(second, values, &again);
    assert_bytes(&again, STR("<b>2</b>"));
    buf_deinit(&again);
    buf_deinit(&got);
    template_values_free(values);
    template_source_free(source);
    template_free(first);
    template_free(second);
}

static void assert_refused(struct str text, enum placeholder_kind kind, const struct csv *data,
                           const char *sentence)
{
    struct err err = {0};
    struct template *template = compile_body(text, kind, data, &err);
    assert_null(template);
    assert_string_equal(err.text, sentence);
}

static void wrong_templates_are_named_with_place_and_way_out(void **state)
{
    (void)state;
    struct csv *feed = fixture_feed("order,name\n1,\x01\n");
    assert_refused(STR("<a>\n  <b>\xC3\xA9${cuonter}</b>"), PLACEHOLDER_XML, NULL,
                   "a.xml:2:7 (byte 12): ${cuonter}: it is not known: did you mean ${counter}? "
                   "(--no-template sends ${ as it is)");
    assert_refused(STR("${UUID}"), PLACEHOLDER_PLAIN, NULL,
                   "a.xml:1:1 (byte 1): ${UUID}: it is not known: did you mean ${uuid}? "
                   "(--no-template sends ${ as it is)");
    assert_refused(STR("${price}"), PLACEHOLDER_PLAIN, NULL,
                   "a.xml:1:1 (byte 1): ${price}: it is not known: there are counter, uuid, now, "
                   "random, worker, data.COLUMN, var.NAME and env.NAME (--no-template sends ${ as "
                   "it is)");
    assert_refused(STR("${}"), PLACEHOLDER_PLAIN, NULL,
                   "a.xml:1:1 (byte 1): ${}: it is not known: there are counter, uuid, now, "
                   "random, worker, data.COLUMN, var.NAME and env.NAME (--no-template sends ${ as "
                   "it is)");
    assert_refused(STR("${now:yyyy-MM-dd}"), PLACEHOLDER_PLAIN, NULL,
                   "a.xml:1:1 (byte 1): ${now:yyyy-MM-dd}: its form has no code, which begin with "
                   "%: write %Y-%m-%d or %H:%M:%S (--no-template sends ${ as it is)");
    assert_refused(STR("x ${uuid"), PLACEHOLDER_PLAIN, NULL,
                   "a.xml:1:3 (byte 3): ${uuid}: it is not closed with } (--no-template sends ${ "
                   "as it is)");
    assert_refused(STR("${data.order}"), PLACEHOLDER_PLAIN, NULL,
                   "a.xml:1:1 (byte 1): ${data.order}: it needs a file of values: --data FILE.csv "
                   "(--no-template sends ${ as it is)");
    assert_refused(STR("${data.oder}"), PLACEHOLDER_PLAIN, feed,
                   "a.xml:1:1 (byte 1): ${data.oder}: feed.csv has no column oder: did you mean "
                   "${data.order}? (--no-template sends ${ as it is)");
    assert_refused(STR("${data.customer_number}"), PLACEHOLDER_PLAIN, feed,
                   "a.xml:1:1 (byte 1): ${data.customer_number}: feed.csv has no column "
                   "customer_number; its columns are order, name (--no-template sends ${ as it "
                   "is)");
    assert_refused(STR("${data.name}"), PLACEHOLDER_XML, feed,
                   "a.xml:1:1 (byte 1): ${data.name}: feed.csv:2: in the value of name byte 1 is "
                   "the character U+0001, which XML cannot hold (--no-template sends ${ as it is)");
    assert_refused(STR("${var.regoin}"), PLACEHOLDER_PLAIN, NULL,
                   "a.xml:1:1 (byte 1): ${var.regoin}: it has no value: did you mean "
                   "${var.region}? (--no-template sends ${ as it is)");
    assert_refused(STR("${var.x}"), PLACEHOLDER_PLAIN, NULL,
                   "a.xml:1:1 (byte 1): ${var.x}: it has no value: give it with --var NAME=VALUE "
                   "(--no-template sends ${ as it is)");
    assert_refused(STR("${env.NOPE}"), PLACEHOLDER_PLAIN, NULL,
                   "a.xml:1:1 (byte 1): ${env.NOPE}: the environment has no variable of that name "
                   "(--no-template sends ${ as it is)");
    assert_refused(STR("${now:%Q}"), PLACEHOLDER_PLAIN, NULL,
                   "a.xml:1:1 (byte 1): ${now:%Q}: %Q is no code of a date or time (%Y %m %d %H %M "
                   "%S %F %T %L %s and some more are) (--no-template sends ${ as it is)");
    assert_refused(STR("\xFF\xFE$\0$\0{\0$\0{\0}\0"), PLACEHOLDER_PLAIN, NULL,
                   "a.xml:1:4 (byte 9): ${}: it is not known: there are counter, uuid, now, "
                   "random, worker, data.COLUMN, var.NAME and env.NAME (--no-template sends ${ as "
                   "it is)");
    csv_free(feed);
}

static void wrong_arguments_are_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "${counter:}",
        "${counter:-1}",
        "${counter:x}",
        "${counter 5}",
        "${uuid:4}",
        "${uuid }",
        "${random}",
        "${random:5}",
        "${random:5-}",
        "${random:-}",
        "${random:a-b}",
        "${random:6-5}",
        "${random:1-2x}",
        "${worker:1}",
        "${now+5}",
        "${now+5x}",
        "${now:%F}}${now+",
        "${now 5m}",
        "${data.}",
        "${env.}",
        "${env.A\nB}",
        "${var.}",
        "${counter:18446744073709551615}",
        "${random:0-9223372036854775808}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct err err = {0};
        struct template *template = compile_body(str_from(texts[i]), PLACEHOLDER_PLAIN, NULL, &err);
        if (template != NULL) {
            fail_msg("%s", texts[i]);
        }
        assert_non_null(strstr(err.text, "--no-template"));
    }
}

static void line_breaks_do_not_get_into_the_head(void **state)
{
    (void)state;
    struct csv *feed = fixture_feed("v\n\"a\nX: y\"\n");
    struct err err = {0};
    assert_null(compile_request("GET / HTTP/1.1\r\nX-V: ${data.v}\r\n\r\n", "", feed, &err));
    assert_string_equal(err.text, "X-V:1:6 (byte 6): ${data.v}: feed.csv:2: in the value of v byte "
                                  "2 is a line break, which no header field can hold "
                                  "(--no-template sends ${ as it is)");
    struct template *template = compile_request("GET /${data.v} HTTP/1.1\r\n\r\n", "", feed, &err);
    assert_non_null(template);
    template_free(template);
    assert_null(compile_request("GET /${nwo} HTTP/1.1\r\n\r\n", "", feed, &err));
    assert_non_null(strstr(err.text, "the URL:1:2"));
    csv_free(feed);
}

/* Whatever is cut off or changed: a template or a sentence, never a crash. */
static void any_bytes_end_in_a_template_or_a_sentence(void **state)
{
    (void)state;
    static const char text[] = "<a b='${uuid}'>${now:%F+1d}$${x}<![CDATA[${random:1-9}]]>"
                               "<!--${counter:5}--><?p ${worker}?>${var.region}\xC3\xA9</a>";
    struct fixture fixture;
    fixture_init(&fixture);
    struct template_source *source = template_source_new(&fixture.options);
    for (size_t len = 0; len < sizeof text; len++) {
        for (size_t change = 0; change < 8; change++) {
            char changed[sizeof text];
            memcpy(changed, text, sizeof text);
            changed[len] = "\0${}<\xFF]'"[change];
            for (int kind = 0; kind < PLACEHOLDER_KIND_COUNT; kind++) {
                struct err err = {0};
                size_t end = change == 0 ? len : sizeof text - 1;
                struct template *template =
                    compile_body(str_of(changed, end), (enum placeholder_kind)kind, NULL, &err);
                struct buf got;
                buf_init(&got);
                assert_true(template != NULL ? fixture_append(template, source, &got)
                                             : err.text[0] != '\0');
                buf_deinit(&got);
                template_free(template);
            }
        }
    }
    template_source_free(source);
}

/* Outside the slots not a byte changes: what is sent, without what was filled, is the file. */
static void literals_are_the_bytes_of_the_file(void **state)
{
    (void)state;
    struct buf text;
    buf_init(&text);
    for (size_t i = 0; i < 300; i++) {
        for (size_t byte = 0; byte < 1 + i * 7 % 600; byte++) {
            char next = (char)(byte * 31 + i);
            buf_append_byte(&text, next == '$' ? '#' : next);
        }
        buf_append_str(&text, i % 3 == 0 ? STR("${uuid}") : STR("${var.region}"));
    }
    struct template *template = compile_body(buf_view(&text), PLACEHOLDER_PLAIN, NULL, NULL);
    struct fixture fixture;
    struct buf got;
    fixture_init(&fixture);
    struct template_source *source = template_source_new(&fixture.options);
    buf_init(&got);
    assert_true(fixture_append(template, source, &got));
    size_t at = 0;
    size_t from = 0;
    for (size_t i = 0; i < 300; i++) {
        size_t run = 1 + i * 7 % 600;
        assert_memory_equal(got.data + at, text.data + from, run);
        at += run + (i % 3 == 0 ? 36 : 13);
        from += run + (i % 3 == 0 ? 7 : 13);
    }
    assert_int_equal(at, got.len);
    buf_deinit(&got);
    buf_deinit(&text);
    template_source_free(source);
    template_free(template);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_of_slot_is_filled),
        cmocka_unit_test(an_escaped_dollar_is_literal),
        cmocka_unit_test(xml_bodies_get_escaped_values),
        cmocka_unit_test(utf16_bodies_are_filled_in_utf16),
        cmocka_unit_test(other_encodings_get_references),
        cmocka_unit_test(B104_byte_order_marks_stay_in_front),
        cmocka_unit_test(the_length_is_that_of_the_filled_body),
        cmocka_unit_test(parts_around_the_xml_are_left_alone),
        cmocka_unit_test(a_length_that_never_changes_is_a_literal),
        cmocka_unit_test(paths_percent_encode_what_is_inserted),
        cmocka_unit_test(each_number_comes_once_over_three_workers),
        cmocka_unit_test(random_numbers_stay_in_their_range_and_repeat_with_the_seed),
        cmocka_unit_test(B103_data_taken_once_end_without_a_request),
        cmocka_unit_test(B109_the_clock_offset_is_added_to_every_moment),
        cmocka_unit_test(values_serve_one_template_after_the_other),
        cmocka_unit_test(wrong_templates_are_named_with_place_and_way_out),
        cmocka_unit_test(wrong_arguments_are_refused),
        cmocka_unit_test(line_breaks_do_not_get_into_the_head),
        cmocka_unit_test(any_bytes_end_in_a_template_or_a_sentence),
        cmocka_unit_test(literals_are_the_bytes_of_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
