/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The options about TLS come into the plan, contradict each other aloud, and never take a password
 * from the command line.
 */
#include "typed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lather/base/file.h"
#include "lather/cli/run_plan.h"

#define PASSWORD_FILE "test_tls_plan.tmp"

/* What became of a command line. */
struct built {
    struct plan *plan; /* NULL: refused */
    struct buf notes;
    struct err err;
};

static struct built build_words(const char *const *words)
{
    struct built built = {.plan = NULL};
    struct options options;
    buf_init(&built.notes);
    buf_append_str(&built.notes, STR(""));
    if (typed_parse(&options, COMMAND_RUN, words, &built.err)) {
        (void)!run_plan_build(&options, &built.plan, &built.notes, &built.err);
    }
    options_deinit(&options);
    return built;
}

static void drop(struct built *built)
{
    plan_free(built->plan);
    buf_deinit(&built->notes);
}

#define BUILD(...) build_words((const char *const[WORDS_MOST]){__VA_ARGS__})

static void assert_is_refused(struct built built, const char *sentence)
{
    assert_null(built.plan);
    assert_string_equal(built.err.text, sentence);
    drop(&built);
}

static void https_is_spoken_on_port_443(void **state)
{
    (void)state;
    struct built built = BUILD("https://web.example.test/a");
    assert_non_null(built.plan);
    assert_int_equal(built.plan->target.port, 443);
    assert_string_equal(built.plan->tls.host, "web.example.test");
    assert_false(built.plan->tls.insecure);
    assert_false(built.plan->tls.no_resume);
    assert_null(built.plan->tls.ciphers);
    assert_string_equal(built.notes.data, "");
    drop(&built);
}

/* B060: all of them are there, by ab's letters too. */
static void each_option_has_its_place_in_the_plan(void **state)
{
    (void)state;
    struct built built = BUILD("-E", "client.pem", "--key", "client.key", "--cacert", "ca.pem",
                               "-Z", "HIGH", "-f", "TLS1.2", "-I", "--no-resume", "https://host/");
    const struct plan_tls *tls = &built.plan->tls;
    assert_string_equal(tls->certificate_file, "client.pem");
    assert_string_equal(tls->key_file, "client.key");
    assert_string_equal(tls->authority_file, "ca.pem");
    assert_string_equal(tls->ciphers, "HIGH");
    assert_string_equal(tls->protocol, "TLS1.2");
    assert_true(tls->omit_server_name);
    assert_true(tls->no_resume);
    assert_false(tls->insecure);
    assert_null(tls->key_password);
    drop(&built);
    built = BUILD("--insecure", "https://host/");
    assert_true(built.plan->tls.insecure);
    drop(&built);
}

/* B059: behind one address there can be many hosts. */
static void the_host_field_names_whom_we_talk_to(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"Host: web.example.test", "web.example.test"},
        {"host:  web.example.test:8443 ", "web.example.test"},
        {"Host: [::1]:8443", "::1"},
        {"Host: [::1]", "::1"},
        {"Host:", "10.0.0.1"},
        {"Host: :80", "10.0.0.1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct built built = BUILD("-H", cases[i][0], "https://10.0.0.1/");
        assert_string_equal(built.plan->tls.host, cases[i][1]);
        drop(&built);
    }
    struct built built = BUILD("https://[::1]:8443/");
    assert_string_equal(built.plan->tls.host, "::1");
    drop(&built);
}

static void contradictions_name_both_sides(void **state)
{
    (void)state;
    assert_is_refused(BUILD("--insecure", "--cacert", "ca.pem", "https://host/"),
                      "--insecure and --cacert contradict each other: leave one of them out");
    assert_is_refused(BUILD("--key", "client.key", "https://host/"),
                      "--key without -E: name the client certificate with -E");
    assert_is_refused(BUILD("--key-password-file", "file", "https://host/"),
                      "--key-password-file without -E: name the client certificate with -E");
}

static void with_http_they_have_no_effect_and_that_is_noted(void **state)
{
    (void)state;
    struct built built =
        BUILD("-E", "client.pem", "--insecure", "-f", "TLS1.2", "-I", "http://host/");
    assert_non_null(built.plan);
    assert_null(built.plan->tls.certificate_file);
    assert_string_equal(built.notes.data, "--insecure has no effect: the URL is http://\n"
                                          "-E has no effect: the URL is http://\n"
                                          "-f has no effect: the URL is http://\n"
                                          "-I has no effect: the URL is http://\n");
    drop(&built);
}

static void assert_password_of_file(const char *content, size_t len, const char *password)
{
    struct err err;
    assert_true(file_write(PASSWORD_FILE, str_of(content, len), &err));
    struct built built =
        BUILD("-E", "client.pfx", "--key-password-file", PASSWORD_FILE, "https://host/");
    assert_string_equal(built.plan->tls.key_password, password);
    drop(&built);
    (void)remove(PASSWORD_FILE);
}

static void a_password_is_the_first_line_of_its_file(void **state)
{
    (void)state;
    assert_password_of_file("secret", 6, "secret");
    assert_password_of_file("secret\n", 7, "secret");
    assert_password_of_file(" secret \r\nmore\n", 15, " secret ");
    assert_password_of_file("", 0, "");
    assert_is_refused(
        BUILD("-E", "client.pfx", "--key-password-file", "/nonexistent/password", "https://host/"),
        "--key-password-file: /nonexistent/password: cannot read it: No such file or "
        "directory");
}

static void a_password_can_be_in_the_environment(void **state)
{
    (void)state;
    assert_int_equal(setenv("LATHER_KEY_PASSWORD", "secret", 1), 0);
    struct built built = BUILD("-E", "client.pfx", "https://host/");
    assert_string_equal(built.plan->tls.key_password, "secret");
    drop(&built);
    built = BUILD("https://host/");
    assert_null(built.plan->tls.key_password);
    drop(&built);
    assert_int_equal(unsetenv("LATHER_KEY_PASSWORD"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(https_is_spoken_on_port_443),
        cmocka_unit_test(each_option_has_its_place_in_the_plan),
        cmocka_unit_test(the_host_field_names_whom_we_talk_to),
        cmocka_unit_test(contradictions_name_both_sides),
        cmocka_unit_test(with_http_they_have_no_effect_and_that_is_noted),
        cmocka_unit_test(a_password_is_the_first_line_of_its_file),
        cmocka_unit_test(a_password_can_be_in_the_environment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
