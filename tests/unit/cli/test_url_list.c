/* SPDX-License-Identifier: Apache-2.0 */
/* URLs of the command line and of lists: in order, with the bodies that stand behind them. */
#include "typed.h"

#include <stdio.h>
#include <string.h>

#include "lather/base/file.h"
#include "lather/cli/url_list.h"

#define LIST_NAME "test_url_list.tmp"
#define BODY_NAME "test_url_list_body.tmp"

static void read_list(struct url_list *list, const char *const *words)
{
    struct options options;
    struct err err = {0};
    typed_run(&options, words);
    if (!url_list_read(list, &options, &err)) {
        fail_msg("refused: %s", err.text);
    }
    options_deinit(&options);
}

static void assert_refuses(const char *sentence, const char *const *words)
{
    struct options options;
    struct url_list list;
    struct err err = {0};
    typed_run(&options, words);
    assert_false(url_list_read(&list, &options, &err));
    assert_string_equal(err.text, sentence);
    assert_int_equal(list.count, 0);
    options_deinit(&options);
}

#define READ(list, ...) read_list(list, (const char *const[WORDS_MOST]){__VA_ARGS__})
#define REFUSES(sentence, ...)                                                                     \
    assert_refuses(sentence, (const char *const[WORDS_MOST]){__VA_ARGS__})

static void write_list(const char *text)
{
    struct err err;
    assert_true(file_write(LIST_NAME, str_from(text), &err));
}

static void arguments_come_before_the_list(void **state)
{
    (void)state;
    struct url_list list;
    write_list("\xEF\xBB\xBF# remark\n\n http://h/c?a=b \r\nh/d");
    READ(&list, "h/a", "http://h/b", "--urls", LIST_NAME);
    assert_int_equal(list.count, 4);
    assert_string_equal(list.items[0].url, "h/a");
    assert_null(list.items[0].place);
    assert_string_equal(list.items[1].url, "http://h/b");
    assert_string_equal(list.items[2].url, "http://h/c?a=b");
    assert_string_equal(list.items[2].place, LIST_NAME ":3");
    assert_string_equal(list.items[3].url, "h/d");
    assert_null(list.items[3].method);
    url_list_deinit(&list);
}

static void a_body_may_stand_behind_a_url(void **state)
{
    (void)state;
    struct url_list list;
    struct err err;
    assert_true(file_write(BODY_NAME, STR("<a/>\n"), &err));
    write_list("h/a POST a=1&b= 2 \nh/b PUT\nh/c POST <" BODY_NAME "\nh/d POST <e x='y'/>\n");
    READ(&list, "--urls", LIST_NAME);
    assert_string_equal(list.items[0].method, "POST");
    assert_string_equal(list.items[0].body.data, "a=1&b= 2");
    assert_string_equal(list.items[1].method, "PUT");
    assert_int_equal(list.items[1].body.len, 0);
    assert_string_equal(list.items[2].body.data, "<a/>\n");
    assert_string_equal(list.items[2].body_name, BODY_NAME);
    assert_string_equal(list.items[3].body.data, "<e x='y'/>");
    url_list_deinit(&list);
    (void)remove(BODY_NAME);
}

static void what_is_no_url_is_refused(void **state)
{
    (void)state;
    REFUSES("\"urn:x\" beside \"http://h/\" is no URL: a value with blanks needs quotes, and of "
            "several URLs each has a / in it",
            "http://h/", "urn:x");
    REFUSES("\"cehck\" beside \"http://h/\" is no URL: a value with blanks needs quotes, and of "
            "several URLs each has a / in it; did you mean `lather check`?",
            "cehck", "http://h/");
    REFUSES("\"Client\" beside \"http://h/\" is no URL: a value with blanks needs quotes, and of "
            "several URLs each has a / in it; a code of --expect-fault stands behind =: "
            "--expect-fault=CODE",
            "--expect-fault", "Client", "http://h/");
    write_list("# none\n");
    REFUSES(LIST_NAME " is a file: give it with -p (each message with a -p of its own, or their "
                      "folder); for a host of that name write http://" LIST_NAME "/",
            LIST_NAME);
    REFUSES("--urls: " LIST_NAME " holds no URL: write one a line", "--urls", LIST_NAME);
    write_list("h/a\nh/a GET\n");
    REFUSES(LIST_NAME
            ":2: behind the URL stands \"GET\": write nothing, or POST or PUT with the body "
            "or <FILE",
            "--urls", LIST_NAME);
    write_list("HOST=h\n");
    REFUSES(LIST_NAME
            ":1: \"HOST=h\" is a variable of siege's: write the URLs out, or use templates "
            "in them, as ${var.NAME} with --var",
            "--urls", LIST_NAME);
}

static int remove_list(void **state)
{
    (void)state;
    (void)remove(LIST_NAME);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arguments_come_before_the_list),
        cmocka_unit_test(a_body_may_stand_behind_a_url),
        cmocka_unit_test(what_is_no_url_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, remove_list);
}
