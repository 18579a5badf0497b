/* SPDX-License-Identifier: Apache-2.0 */
/* Schemas and WSDL files as services publish them, read from disk and nowhere else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <libxml/tree.h>

#include "lather/base/file.h"
#include "lather/soap/document.h"
#include "lather/soap/judge.h"
#include "lather/soap/schema.h"

#define XS "xmlns:xs='http://www.w3.org/2001/XMLSchema'"

static char folder[] = "/tmp/lather-schema-XXXXXX";
static char files[40][64];
static size_t file_count;

static int make_folder(void **state)
{
    (void)state;
    judge_setup();
    return mkdtemp(folder) == NULL ? -1 : 0;
}

static int drop_folder(void **state)
{
    (void)state;
    for (size_t i = 0; i < file_count; i++) {
        (void)unlink(files[i]);
    }
    return rmdir(folder);
}

/* Writes a file into the folder; its path stays until the end. */
static const char *write_file(const char *name, struct str content)
{
    struct err err;
    char *path = files[file_count++];
    (void)snprintf(path, sizeof(files[0]), "%s/%s", folder, name);
    assert_true(file_write(path, content, &err));
    return path;
}

static void check_valid(struct schema *schema, const char *body, const char *problem)
{
    struct document *document = document_new();
    struct schema_reader *reader = schema_reader_new(schema);
    for (int round = 0; round < 2; round++) {
        struct buf sentence;
        buf_init(&sentence);
        struct _xmlDoc *tree = document_parse(document, str_from(body), "utf-8");
        assert_non_null(tree);
        bool is_valid = schema_is_valid(reader, xmlDocGetRootElement(tree), &sentence);
        if (is_valid != (problem == NULL)) {
            fail_msg("%s: %.*s", body, STR_ARG(buf_view(&sentence)));
        }
        if (problem != NULL && str_find(buf_view(&sentence), str_from(problem)) == SIZE_MAX) {
            fail_msg("\"%s\" is not in: %.*s", problem, STR_ARG(buf_view(&sentence)));
        }
        buf_deinit(&sentence);
    }
    schema_reader_free(reader);
    document_free(document);
}

static struct schema *must_load(struct schema *(*load)(const char *, struct err *),
                                const char *path)
{
    struct err err;
    struct schema *schema = load(path, &err);
    if (schema == NULL) {
        fail_msg("%s", err.text);
    }
    return schema;
}

static void check_refused(struct schema *(*load)(const char *, struct err *), const char *path,
                          const char *part)
{
    struct err err = {ERR_NONE, ""};
    struct schema *schema = load(path, &err);
    assert_null(schema);
    if (strstr(err.text, part) == NULL || strstr(err.text, path) == NULL) {
        fail_msg("\"%s\" or the path is not in: %s", part, err.text);
    }
}

#define ORDER                                                                                      \
    "<xs:schema " XS " targetNamespace='urn:o' xmlns:o='urn:o' elementFormDefault='qualified'>"    \
    "<xs:element name='Order'><xs:complexType><xs:sequence><xs:element name='Id' type='xs:int'/>"  \
    "<xs:element name='Data' type='xs:base64Binary' minOccurs='0'/></xs:sequence>"                 \
    "</xs:complexType></xs:element></xs:schema>"

static void schema_of_one_file_judges_the_contents_of_body(void **state)
{
    (void)state;
    struct schema *schema = must_load(schema_load_xsd, write_file("one.xsd", STR(ORDER)));
    check_valid(schema, "<B><Order xmlns='urn:o'><Id>1</Id></Order></B>", NULL);
    check_valid(schema, "<B/>", NULL);
    check_valid(schema, "<B><Order xmlns='urn:o'><Id>x</Id></Order></B>",
                "Element '{urn:o}Id': '...' is not a valid value of the atomic type 'xs:int'");
    check_valid(schema, "<B><Order xmlns='urn:o'><No/></Order></B>", "not expected");
    check_valid(schema, "<B><Other/></B>", "No matching global declaration");
    check_valid(schema, "<B><Order xmlns='urn:o'><Id>1</Id></Order><Other/></B>", "'Other'");
    schema_free(schema);
}

/* A service that fails each request with another value fails in one way. */
static void violations_leave_out_the_values_of_the_answer(void **state)
{
    (void)state;
    static const char text[] =
        "<xs:schema " XS "><xs:element name='r'><xs:complexType>"
        "<xs:attribute name='n' type='xs:int'/><xs:attribute name='s'><xs:simpleType>"
        "<xs:restriction base='xs:string'><xs:maxLength value='3'/></xs:restriction>"
        "</xs:simpleType></xs:attribute><xs:attribute name='e'><xs:simpleType>"
        "<xs:restriction base='xs:string'><xs:enumeration value='a'/><xs:enumeration value='b'/>"
        "</xs:restriction></xs:simpleType></xs:attribute><xs:attribute name='m'><xs:simpleType>"
        "<xs:restriction base='xs:int'><xs:minInclusive value='5'/></xs:restriction>"
        "</xs:simpleType></xs:attribute></xs:complexType></xs:element></xs:schema>";
    struct schema *schema = must_load(schema_load_xsd, write_file("values.xsd", STR(text)));
    check_valid(schema, "<B><r n=\"it's 'x'\"/></B>",
                "Element 'r', attribute 'n': '...' is not a valid value of the atomic type");
    check_valid(
        schema, "<B><r s='12345'/></B>",
        "[facet 'maxLength'] The value '...' has a length of '...'; this exceeds the allowed "
        "maximum length of '3'");
    check_valid(schema, "<B><r e='c'/></B>",
                "[facet 'enumeration'] The value '...' is not an element of the set {'a', 'b'}");
    check_valid(schema, "<B><r m='4'/></B>",
                "The value '...' is less than the minimum value allowed ('5')");
    check_valid(schema, "<B><r q='4'/></B>", "The attribute 'q' is not allowed");
    schema_free(schema);
}

/* MTOM: Include stands for the binary text. */
static void include_of_xop_stands_for_binary_text(void **state)
{
    (void)state;
    struct schema *schema = must_load(schema_load_xsd, write_file("xop.xsd", STR(ORDER)));
    check_valid(schema,
                "<B><Order xmlns='urn:o'><Id>1</Id><Data><i:Include href='cid:1' "
                "xmlns:i='http://www.w3.org/2004/08/xop/include'/></Data></Order></B>",
                NULL);
    schema_free(schema);
}

static void only_the_first_violations_are_told(void **state)
{
    (void)state;
    struct schema *schema = must_load(schema_load_xsd, write_file("many.xsd", STR(ORDER)));
    struct buf body;
    struct buf sentence;
    buf_init(&body);
    buf_init(&sentence);
    buf_append_str(&body, STR("<B>"));
    for (int i = 0; i < 1000; i++) {
        buf_append_str(&body, STR("<Order xmlns='urn:o'><Id>x</Id></Order>"));
    }
    buf_append_str(&body, STR("</B>"));
    struct document *document = document_new();
    struct schema_reader *reader = schema_reader_new(schema);
    struct _xmlDoc *tree = document_parse(document, buf_view(&body), "utf-8");
    assert_false(schema_is_valid(reader, xmlDocGetRootElement(tree), &sentence));
    assert_true(sentence.len < 700);
    schema_reader_free(reader);
    document_free(document);
    schema_free(schema);
    buf_deinit(&sentence);
    buf_deinit(&body);
}

static void imports_and_includes_are_read_from_beside(void **state)
{
    (void)state;
    (void)write_file("types.xsd", STR("<xs:schema " XS " targetNamespace='urn:t'><xs:simpleType "
                                      "name='Code'><xs:restriction base='xs:string'><xs:length "
                                      "value='3'/></xs:restriction></xs:simpleType></xs:schema>"));
    /* Without a namespace of its own: it takes that of the including one. */
    (void)write_file("part.xsd", STR("<xs:schema " XS "><xs:include schemaLocation='main.xsd'/>"
                                     "<xs:element name='P' type='xs:int'/></xs:schema>"));
    const char *path = write_file(
        "main.xsd",
        STR("<xs:schema " XS " xmlns:t='urn:t' targetNamespace='urn:m' xmlns:m='urn:m'>"
            "<xs:import namespace='urn:t' schemaLocation='http://example.org/x/types.xsd'/>"
            "<xs:import namespace='http://www.w3.org/XML/1998/namespace' "
            "schemaLocation='http://www.w3.org/2001/xml.xsd'/>"
            "<xs:import namespace='urn:nowhere'/><xs:include schemaLocation='part.xsd'/>"
            "<xs:element name='C'><xs:complexType><xs:simpleContent><xs:extension base='t:Code'>"
            "<xs:attribute ref='xml:lang'/></xs:extension></xs:simpleContent></xs:complexType>"
            "</xs:element></xs:schema>"));
    struct schema *schema = must_load(schema_load_xsd, path);
    check_valid(schema, "<B><C xmlns='urn:m' xml:lang='en'>abc</C></B>", NULL);
    check_valid(schema, "<B><C xmlns='urn:m'>abcd</C></B>", "length");
    check_valid(schema, "<B><P xmlns='urn:m'>1</P></B>", NULL);
    check_valid(schema, "<B><P xmlns='urn:m'>x</P></B>", "'...' is not a valid");
    schema_free(schema);
}

/* B089 */
static void b089_byte_order_marks_and_utf16_are_accepted(void **state)
{
    (void)state;
    struct buf content;
    buf_init(&content);
    buf_append_str(&content, STR("\xEF\xBB\xBF" ORDER));
    struct schema *schema = must_load(schema_load_xsd, write_file("bom.xsd", buf_view(&content)));
    check_valid(schema, "<B><Order xmlns='urn:o'><Id>1</Id></Order></B>", NULL);
    schema_free(schema);
    buf_reset(&content);
    buf_append(&content, "\xFF\xFE", 2);
    struct str text = STR("<?xml version='1.0' encoding='utf-16'?>" ORDER);
    for (size_t i = 0; i < text.len; i++) {
        buf_append_byte(&content, text.data[i]);
        buf_append_byte(&content, '\0');
    }
    schema = must_load(schema_load_xsd, write_file("wide.xsd", buf_view(&content)));
    check_valid(schema, "<B><Order xmlns='urn:o'><Id>x</Id></Order></B>", "'...' is not a valid");
    schema_free(schema);
    buf_deinit(&content);
}

#define WSDL(inside)                                                                               \
    "<w:definitions xmlns:w='http://schemas.xmlsoap.org/wsdl/' " XS                                \
    " xmlns:soap='http://schemas.xmlsoap.org/wsdl/soap/' xmlns:b='urn:b' xmlns:a='urn:a'>" inside  \
    "</w:definitions>"

/* Inline schemas import each other without a location, use prefixes from outside, share one. */
static void schemas_inside_a_wsdl_are_put_together(void **state)
{
    (void)state;
    const char *path = write_file(
        "inline.wsdl",
        STR(WSDL(
            "<w:types><xs:schema targetNamespace='urn:a'><xs:import namespace='urn:b'/>"
            "<xs:element name='A' type='b:T'/></xs:schema><xs:schema targetNamespace='urn:b'>"
            "<xs:import namespace='urn:a'/><xs:simpleType name='T'><xs:restriction "
            "base='xs:int'/></xs:simpleType><xs:element name='B2'><xs:complexType><xs:sequence>"
            "<xs:element ref='a:A'/></xs:sequence></xs:complexType></xs:element></xs:schema>"
            "<xs:schema targetNamespace='urn:a'><xs:element name='Second' type='xs:int'/>"
            "</xs:schema></w:types><w:binding name='x' type='b:y'><soap:binding/></w:binding>")));
    struct schema *schema = must_load(schema_load_wsdl, path);
    check_valid(schema, "<B><A xmlns='urn:a'>1</A></B>", NULL);
    check_valid(schema, "<B><A xmlns='urn:a'>x</A></B>", "'...' is not a valid");
    check_valid(schema, "<B><B2 xmlns='urn:b'><A xmlns='urn:a'>1</A></B2></B>", NULL);
    check_valid(schema, "<B><Second xmlns='urn:a'>1</Second></B>", NULL);
    schema_free(schema);
}

/* WCF's form of many files: ?wsdl=wsdl0 and ?xsd=xsd0, saved under those names. */
static void files_of_a_saved_wsdl_are_found_by_their_query(void **state)
{
    (void)state;
    (void)write_file("xsd0.xsd", STR(ORDER));
    (void)write_file("wsdl0.wsdl",
                     STR(WSDL("<w:types><xs:schema><xs:import namespace='urn:o' schemaLocation="
                              "'http://host/Service.svc?xsd=xsd0'/></xs:schema></w:types>")));
    const char *path =
        write_file("saved.wsdl", STR(WSDL("<w:import namespace='urn:x' "
                                          "location='http://host/Service.svc?wsdl=wsdl0'/>")));
    struct schema *schema = must_load(schema_load_wsdl, path);
    check_valid(schema, "<B><Order xmlns='urn:o'><Id>1</Id></Order></B>", NULL);
    check_valid(schema, "<B><Order xmlns='urn:o'/></B>", "Missing child");
    schema_free(schema);
}

static void wsdl_that_cannot_be_checked_says_so(void **state)
{
    (void)state;
    check_refused(schema_load_wsdl,
                  write_file("rpc.wsdl", STR(WSDL("<w:types/><w:binding><soap:binding style='rpc'/>"
                                                  "<w:operation><w:input><soap:body use='encoded'/>"
                                                  "</w:input></w:operation></w:binding>"))),
                  "RPC or encoded");
    check_refused(schema_load_wsdl, write_file("empty.wsdl", STR(WSDL(""))), "no schema");
    check_refused(schema_load_wsdl, write_file("no.wsdl", STR(ORDER)), "no definitions");
    check_refused(schema_load_wsdl,
                  write_file("lost.wsdl", STR(WSDL("<w:import location='lost2.wsdl'/>"))),
                  "is not there: lost2.wsdl");
}

static void wrong_schemas_are_refused_with_a_reason(void **state)
{
    (void)state;
    check_refused(schema_load_xsd, write_file("broken.xsd", STR("<xs:schema " XS ">\n<x>")),
                  ":2: ");
    check_refused(schema_load_xsd, write_file("other.xsd", STR("<a/>")), "no xs:schema");
    check_refused(schema_load_xsd, write_file("nul.xsd", STR("")), "");
    check_refused(schema_load_xsd,
                  write_file("wrong.xsd", STR("<xs:schema " XS "><xs:element name='a' type='b'/>"
                                              "</xs:schema>")),
                  "'b'");
    check_refused(schema_load_xsd,
                  write_file("lost.xsd", STR("<xs:schema " XS "><xs:include "
                                             "schemaLocation='lost3.xsd'/></xs:schema>")),
                  "is not there: lost3.xsd");
    struct err err;
    assert_null(schema_load_xsd("/nonexistent/x.xsd", &err));
    assert_int_equal(err.code, ERR_FILE);
}

/* A schema from a stranger must not read elsewhere, by whatever means. */
static void nothing_outside_is_opened(void **state)
{
    (void)state;
    const char *secret = write_file("secret.xsd", STR(ORDER));
    struct buf content;
    buf_init(&content);
    buf_printf(
        &content,
        "<!DOCTYPE x [<!ENTITY e SYSTEM '%s'><!ENTITY f SYSTEM 'lather:driver'>]><xs:schema " XS
        "><xs:annotation><xs:documentation>&e;&f;</xs:documentation></xs:annotation>"
        "</xs:schema>",
        secret);
    struct err err;
    struct schema *schema = schema_load_xsd(write_file("entity.xsd", buf_view(&content)), &err);
    schema_free(schema);
    buf_reset(&content);
    buf_printf(&content,
               "<xs:schema " XS "><xs:import namespace='urn:o' schemaLocation='file://%s.no'/>"
               "<xs:element name='a' type='o:T' xmlns:o='urn:o'/></xs:schema>",
               secret);
    assert_null(schema_load_xsd(write_file("absolute.xsd", buf_view(&content)), &err));
    buf_deinit(&content);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schema_of_one_file_judges_the_contents_of_body),
        cmocka_unit_test(violations_leave_out_the_values_of_the_answer),
        cmocka_unit_test(include_of_xop_stands_for_binary_text),
        cmocka_unit_test(only_the_first_violations_are_told),
        cmocka_unit_test(imports_and_includes_are_read_from_beside),
        cmocka_unit_test(b089_byte_order_marks_and_utf16_are_accepted),
        cmocka_unit_test(schemas_inside_a_wsdl_are_put_together),
        cmocka_unit_test(files_of_a_saved_wsdl_are_found_by_their_query),
        cmocka_unit_test(wsdl_that_cannot_be_checked_says_so),
        cmocka_unit_test(wrong_schemas_are_refused_with_a_reason),
        cmocka_unit_test(nothing_outside_is_opened),
    };
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
