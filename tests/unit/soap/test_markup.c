/* SPDX-License-Identifier: Apache-2.0 */
/* Elements are found where they stand, whatever looks like markup around them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "lather/soap/markup.h"
#include "lather/soap/reference.h"

/* All events of a text, written down. */
static void trace(struct str text, struct buf *out)
{
    struct markup *markup = markup_new(text);
    enum markup_event event;
    while ((event = markup_next(markup)) < MARKUP_DONE) {
        const struct markup_element *element = markup_element(markup);
        if (event == MARKUP_START) {
            buf_printf(out, "<%u %.*s {%.*s}", element->depth, STR_ARG(element->name),
                       STR_ARG(element->uri));
            buf_printf(out, " %.*s>", STR_ARG(str_slice(text, element->tag.from, element->tag.to)));
        } else if (event == MARKUP_END) {
            buf_printf(out, "</%u %.*s %.*s>", element->depth, STR_ARG(element->name),
                       STR_ARG(str_slice(text, element->end_tag.from, element->end_tag.to)));
        } else {
            struct markup_span run = markup_text(markup);
            buf_printf(out, markup_text_is_cdata(markup) ? "[%.*s]" : "(%.*s)",
                       STR_ARG(str_slice(text, run.from, run.to)));
        }
    }
    buf_append_str(out, event == MARKUP_DONE ? STR("done") : STR("broken"));
    assert_int_equal(markup_next(markup), event);
    markup_free(markup);
}

static void assert_trace(const char *text, const char *expected)
{
    struct buf out;
    buf_init(&out);
    trace(str_from(text), &out);
    assert_string_equal(out.data, expected);
    buf_deinit(&out);
}

static void elements_have_names_places_and_depths(void **state)
{
    (void)state;
    assert_trace("<a><b/>x<c >y</c ></a>",
                 "<1 a {} <a>><2 b {} <b/>></2 b >(x)<2 c {} <c >>(y)</2 c </c >></1 a </a>>done");
    assert_trace("\xEF\xBB\xBF<?xml version='1.0'?>\n<a/>\n<!-- end -->\n",
                 "<1 a {} <a/>></1 a >done");
}

static void namespaces_are_those_in_force(void **state)
{
    (void)state;
    assert_trace(
        "<p:a xmlns:p='u1' xmlns='u2'><b xmlns=''/><p:c xmlns:p=\"u&amp;3\"/><p:d/><b/></p:a>",
        "<1 a {u1} <p:a xmlns:p='u1' xmlns='u2'>><2 b {} <b xmlns=''/>></2 b >"
        "<2 c {u&3} <p:c xmlns:p=\"u&amp;3\"/>></2 c ><2 d {u1} <p:d/>></2 d >"
        "<2 b {u2} <b/>></2 b ></1 a </p:a>>done");
}

static void what_only_looks_like_markup_is_none(void **state)
{
    (void)state;
    assert_trace("<!DOCTYPE a [<!ENTITY x '<b>]'> <!-- <c> -->]><a><!-- <b> - -- ></a> --><?p <c>?>"
                 "<![CDATA[<d> ]] > &amp;]]><e f='>' g=\"</e>\"/></a>",
                 "<1 a {} <a>>[<d> ]] > &amp;]<2 e {} <e f='>' g=\"</e>\"/>></2 e ></1 a "
                 "</a>>done");
}

static void broken_texts_end(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "<",
        "<a",
        "<a b",
        "<a b=",
        "<a b='",
        "<a b=c/>",
        "<a/ >",
        "<a",
        "<a><!--",
        "<a><?p",
        "<a><![CDATA[x]]",
        "</a>",
        "<a></a",
        "<a>",
        "<a b='1'",
        "<!DOCTYPE a [",
        "<>",
        "< a/>",
        "<a><b></a>",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct buf out;
        buf_init(&out);
        trace(str_from(texts[i]), &out);
        assert_non_null(strstr(out.data, "broken"));
        buf_deinit(&out);
    }
}

static void nesting_has_a_ceiling(void **state)
{
    (void)state;
    for (size_t depth = 256; depth <= 257; depth++) {
        struct buf text;
        struct buf out;
        buf_init(&text);
        buf_init(&out);
        for (size_t i = 0; i < depth; i++) {
            buf_append_str(&text, STR("<a>"));
        }
        for (size_t i = 0; i < depth; i++) {
            buf_append_str(&text, STR("</a>"));
        }
        trace(buf_view(&text), &out);
        assert_int_equal(strstr(out.data, "broken") == NULL, depth == 256);
        buf_deinit(&text);
        buf_deinit(&out);
    }
}

static void attributes_are_found_by_their_local_name(void **state)
{
    (void)state;
    struct str text = STR("<a u:Id = '_1' b=\"x&amp;y\" Id='2'/>");
    struct markup *markup = markup_new(text);
    struct markup_span span;
    struct buf value;
    buf_init(&value);
    assert_int_equal(markup_next(markup), MARKUP_START);
    assert_true(markup_attribute(markup, STR("Id"), &span));
    assert_true(str_equals(str_slice(text, span.from, span.to), STR("_1")));
    assert_true(markup_attribute(markup, STR("b"), &span));
    reference_append_resolved(str_slice(text, span.from, span.to), &value);
    assert_string_equal(value.data, "x&y");
    assert_false(markup_attribute(markup, STR("c"), &span));
    buf_deinit(&value);
    markup_free(markup);
}

static void assert_leaf(const char *text, const char *value, const char *content, bool is_simple)
{
    struct markup *markup = markup_new(str_from(text));
    struct markup_leaf leaf;
    assert_int_equal(markup_next(markup), MARKUP_START);
    assert_true(markup_read_leaf(markup, &leaf));
    struct str got = str_slice(str_from(text), leaf.value.from, leaf.value.to);
    if (!str_equals(got, str_from(value))) {
        fail_msg("%s: %.*s", text, STR_ARG(got));
    }
    got = str_slice(str_from(text), leaf.content.from, leaf.content.to);
    assert_true(str_equals(got, str_from(content)));
    assert_int_equal(leaf.is_simple, is_simple);
    assert_int_equal(leaf.whole.to, strlen(text));
    assert_int_equal(markup_next(markup), MARKUP_DONE);
    markup_free(markup);
}

static void leaves_tell_where_their_value_is(void **state)
{
    (void)state;
    assert_leaf("<a>x</a>", "x", "x", true);
    assert_leaf("<a>\r\n x y\t</a >", "x y", "\r\n x y\t", true);
    assert_leaf("<a/>", "", "", true);
    assert_leaf("<a></a>", "", "", true);
    assert_leaf("<a>  </a>", "", "  ", true);
    assert_leaf("<a> <![CDATA[ x ]]> </a>", "x", " <![CDATA[ x ]]> ", true);
    assert_leaf("<a><!-- c --> x</a>", "x", "<!-- c --> x", true);
    assert_leaf("<a>x<!-- c -->y</a>", "y", "x<!-- c -->y", false);
    assert_leaf("<a>x<b>y</b></a>", "y", "x<b>y</b>", false);
}

static void any_bytes_come_to_an_end(void **state)
{
    (void)state;
    static const char sample[] =
        "<?xml version='1.0'?><!DOCTYPE a [x]><p:a xmlns:p='u&#65;' b=\"1\">"
        "t<!-- c --><![CDATA[d]]><b/>&amp;</p:a>";
    for (size_t len = 0; len < sizeof sample; len++) {
        for (size_t change = 0; change < 10; change++) {
            char text[sizeof sample];
            struct buf out;
            buf_init(&out);
            memcpy(text, sample, sizeof sample);
            text[len] = "<>&'\"/=!\0]"[change];
            trace(str_of(text, sizeof sample - 1), &out);
            trace(str_of(text, len), &out);
            buf_deinit(&out);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_have_names_places_and_depths),
        cmocka_unit_test(namespaces_are_those_in_force),
        cmocka_unit_test(what_only_looks_like_markup_is_none),
        cmocka_unit_test(broken_texts_end),
        cmocka_unit_test(nesting_has_a_ceiling),
        cmocka_unit_test(attributes_are_found_by_their_local_name),
        cmocka_unit_test(leaves_tell_where_their_value_is),
        cmocka_unit_test(any_bytes_come_to_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
