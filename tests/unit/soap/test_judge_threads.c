/* SPDX-License-Identifier: Apache-2.0 */
/* Judges side by side in threads, over one frozen expectation: B097, B098, B099. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <uv.h>

#include "lather/base/file.h"
#include "lather/soap/judge.h"

enum { WORKERS = 4, ANSWERS = 300 };

#define ENVELOPE(inside)                                                                           \
    "<s:Envelope xmlns:s='" SOAP_11_NAMESPACE "'><s:Body>" inside "</s:Body></s:Envelope>"
#define ORDER(id, note)                                                                            \
    ENVELOPE("<o:Order xmlns:o='urn:o'><Id>" id "</Id><Note>" note "</Note></o:Order>")

static char schema_path[] = "/tmp/lather-threads-XXXXXX";
static char golden_path[] = "/tmp/lather-threads-XXXXXX";

static int make_files(void **state)
{
    (void)state;
    judge_setup();
    struct err err;
    int schema = mkstemp(schema_path);
    int golden = mkstemp(golden_path);
    if (schema < 0 || golden < 0 || close(schema) != 0 || close(golden) != 0) {
        return -1;
    }
    bool is_written =
        file_write(schema_path,
                   STR("<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema' "
                       "targetNamespace='urn:o'><xs:element name='Order'><xs:complexType>"
                       "<xs:sequence><xs:element name='Id'><xs:simpleType><xs:restriction "
                       "base='xs:int'><xs:pattern value='[0-9]+'/></xs:restriction></xs:simpleType>"
                       "</xs:element><xs:element name='Note' type='xs:string'/></xs:sequence>"
                       "</xs:complexType></xs:element></xs:schema>"),
                   &err) &&
        file_write(golden_path, STR(ORDER("7", "golden")), &err);
    return is_written ? 0 : -1;
}

static int drop_files(void **state)
{
    (void)state;
    return unlink(schema_path) + unlink(golden_path);
}

struct worker {
    const struct expect *expect;
    uv_thread_t thread;
    unsigned counts[OUTCOME_COUNT];
    unsigned wrong;
};

/* Answers of four kinds in turn, each with the reason it must get. */
static void judge_answers(void *context)
{
    static const struct {
        const char *body;
        enum outcome outcome;
        const char *reason;
    } kinds[] = {
        {ORDER("8", "golden"), OUTCOME_OK, ""},
        {ORDER("x", "golden"), OUTCOME_MISMATCH, "schema: Element 'Id'"},
        {ORDER("8", "other"), OUTCOME_MISMATCH, "unlike the golden answer: the text of "},
        {ENVELOPE("<Other/>"), OUTCOME_MISMATCH, "XPath count(//o:Order)=1 is not true"},
    };
    struct worker *worker = context;
    struct judge *judge = judge_new(worker->expect);
    for (unsigned i = 0; i < ANSWERS; i++) {
        struct verdict verdict;
        struct answer answer = {
            .status = 200, .content_type = STR("text/xml"), .body = str_from(kinds[i % 4].body)};
        judge_answer(judge, &answer, &verdict);
        worker->counts[verdict.outcome]++;
        worker->wrong += verdict.outcome != kinds[i % 4].outcome ||
                         !str_starts_with(verdict.reason, str_from(kinds[i % 4].reason));
    }
    judge_free(judge);
}

static void b097_b098_b099_threads_share_schema_and_golden_answer(void **state)
{
    (void)state;
    struct expect expect;
    struct err err;
    expect_init(&expect);
    expect.validate = VALIDATE_FULL;
    if (!expect_set_xsd(&expect, schema_path, &err) ||
        !expect_set_golden(&expect, golden_path, &err) ||
        !expect_add_ignored(&expect, STR("//Id"), &err) ||
        !expect_add_xpath(&expect, STR("count(//o:Order)=1"), &err) ||
        !expect_add_xpath(&expect, STR("//o:Order/Id"), &err) || !expect_freeze(&expect, &err)) {
        fail_msg("%s", err.text);
    }
    struct worker workers[WORKERS];
    memset(workers, 0, sizeof(workers));
    for (int i = 0; i < WORKERS; i++) {
        workers[i].expect = &expect;
        assert_int_equal(uv_thread_create(&workers[i].thread, judge_answers, &workers[i]), 0);
    }
    for (int i = 0; i < WORKERS; i++) {
        assert_int_equal(uv_thread_join(&workers[i].thread), 0);
        assert_int_equal(workers[i].wrong, 0);
        assert_int_equal(workers[i].counts[OUTCOME_OK], ANSWERS / 4);
        assert_int_equal(workers[i].counts[OUTCOME_MISMATCH], ANSWERS / 4 * 3);
    }
    expect_deinit(&expect);
}

/* A path that a golden answer refutes because of its namespace stops the run before it starts. */
static void b096_paths_are_tried_on_the_golden_answer(void **state)
{
    (void)state;
    struct expect expect;
    struct err err;
    expect_init(&expect);
    assert_true(expect_set_golden(&expect, golden_path, &err));
    assert_true(expect_add_xpath(&expect, STR("//Order"), &err));
    assert_false(expect_freeze(&expect, &err));
    assert_non_null(strstr(err.text, "//Order is not true of the golden answer; {urn:o}Order"));
    expect_deinit(&expect);
    assert_true(expect_add_ignored(&expect, STR("//x"), &err));
    assert_false(expect_freeze(&expect, &err));
    assert_non_null(strstr(err.text, "--golden"));
    expect_deinit(&expect);
    assert_true(expect_set_xsd(&expect, schema_path, &err));
    assert_false(expect_set_xsd(&expect, schema_path, &err));
    expect_deinit(&expect);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(b097_b098_b099_threads_share_schema_and_golden_answer),
        cmocka_unit_test(b096_paths_are_tried_on_the_golden_answer),
    };
    return cmocka_run_group_tests(tests, make_files, drop_files);
}
