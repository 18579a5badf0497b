/* SPDX-License-Identifier: Apache-2.0 */
/* What is seen in a message to be sent, whatever its bytes are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lather/base/buf.h"
#include "lather/soap/envelope.h"

#define WSA     "http://www.w3.org/2005/08/addressing"
#define WSSE    "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd"
#define OPEN_11 "<s:Envelope xmlns:s='" SOAP_11_NAMESPACE "'>"
#define OPEN_12 "<s:Envelope xmlns:s='" SOAP_12_NAMESPACE "' xmlns:a='" WSA "' xmlns:o='" WSSE "'>"
#define CLOSE   "</s:Envelope>"
#define BODY    "<s:Body><Order xmlns='urn:x'><Id>1</Id></Order></s:Body>"

static struct envelope *read_text(struct str text)
{
    struct envelope *envelope = check_calloc(1, sizeof(*envelope));
    envelope_read(envelope, text);
    return envelope;
}

static void forget(struct envelope *envelope)
{
    envelope_deinit(envelope);
    free(envelope);
}

static void version_is_that_of_the_root_namespace(void **state)
{
    (void)state;
    struct envelope *envelope = read_text(STR(OPEN_11 BODY CLOSE));
    assert_int_equal(envelope->version, SOAP_VERSION_11);
    assert_true(envelope->is_xml && envelope->is_well_formed);
    assert_int_equal(envelope->bodies, 1);
    assert_false(envelope->has_addressing);
    assert_string_equal(envelope->action, "");
    forget(envelope);
    envelope = read_text(STR(OPEN_12 BODY CLOSE));
    assert_int_equal(envelope->version, SOAP_VERSION_12);
    forget(envelope);
    envelope = read_text(
        STR("<Envelope xmlns='http://www.w3.org/2002/06/soap-envelope'><Body/></Envelope>"));
    assert_int_equal(envelope->version, SOAP_VERSION_NONE);
    assert_true(envelope->is_draft);
    forget(envelope);
    envelope = read_text(STR("<Envelope><Body/></Envelope>"));
    assert_int_equal(envelope->version, SOAP_VERSION_NONE);
    assert_true(envelope->is_xml);
    forget(envelope);
}

static void addressing_blocks_are_read_with_references_resolved(void **state)
{
    (void)state;
    struct envelope *envelope = read_text(
        STR(OPEN_12 "<s:Header><a:Action s:mustUnderstand='1'> urn:do&amp;it\n</a:Action>"
                    "<a:MessageID>urn:uuid:1</a:MessageID><a:To><![CDATA[http://h/]]></a:To>"
                    "<a:ReplyTo><a:Address>" WSA "/anonymous</a:Address></a:ReplyTo>"
                    "</s:Header>" BODY CLOSE));
    assert_true(envelope->has_addressing);
    assert_string_equal(envelope->action, "urn:do&it");
    assert_string_equal(envelope->message_id, "urn:uuid:1");
    assert_int_equal(envelope->message_ids, 1);
    assert_string_equal(envelope->to, "http://h/");
    assert_string_equal(envelope->reply_to, WSA "/anonymous");
    forget(envelope);
}

static void older_addressing_counts_and_the_body_does_not(void **state)
{
    (void)state;
    struct envelope *envelope = read_text(STR(
        OPEN_11 "<s:Header><w:Action xmlns:w='http://schemas.xmlsoap.org/ws/2004/08/addressing'>"
                "a</w:Action></s:Header><s:Body><w:To xmlns:w='" WSA "'>x</w:To></s:Body>" CLOSE));
    assert_string_equal(envelope->action, "a");
    assert_string_equal(envelope->to, "");
    forget(envelope);
}

static void two_message_ids_are_counted_and_the_first_is_kept(void **state)
{
    (void)state;
    struct envelope *envelope = read_text(
        STR(OPEN_12 "<s:Header><a:MessageID>one</a:MessageID><a:MessageID>two</a:MessageID>"
                    "</s:Header>" BODY CLOSE));
    assert_int_equal(envelope->message_ids, 2);
    assert_string_equal(envelope->message_id, "one");
    forget(envelope);
}

static void security_and_what_hinders_replay_are_found(void **state)
{
    (void)state;
    struct envelope *envelope = read_text(
        STR(OPEN_12
            "<s:Header><o:Security><u:Timestamp xmlns:u='urn:u'/><o:UsernameToken/>"
            "<Signature xmlns='http://www.w3.org/2000/09/xmldsig#'/>"
            "<Assertion xmlns='urn:oasis:names:tc:SAML:2.0:assertion'/></o:Security>"
            "<r:Sequence xmlns:r='http://schemas.xmlsoap.org/ws/2005/02/rm'/></s:Header>"
            "<s:Body><EncryptedData xmlns='http://www.w3.org/2001/04/xmlenc#'/></s:Body>" CLOSE));
    assert_true(envelope->has_security && envelope->has_timestamp && envelope->has_username_token);
    assert_int_equal(envelope->blocks, ENVELOPE_SIGNATURE | ENVELOPE_ASSERTION | ENVELOPE_RELIABLE |
                                           ENVELOPE_ENCRYPTED);
    forget(envelope);
    envelope =
        read_text(STR(OPEN_12 "<s:Header><a:Action>http://schemas.xmlsoap.org/ws/2005/02/trust/"
                              "RST/SCT</a:Action></s:Header>" BODY CLOSE));
    assert_int_equal(envelope->blocks, ENVELOPE_CONTEXT_TOKEN);
    forget(envelope);
}

/* A signature inside the body belongs to the application. */
static void signature_in_the_body_is_no_message_signature(void **state)
{
    (void)state;
    struct envelope *envelope =
        read_text(STR(OPEN_12 "<s:Body><Signature xmlns='http://www.w3.org/2000/09/xmldsig#'/>"
                              "</s:Body>" CLOSE));
    assert_int_equal(envelope->blocks, 0);
    forget(envelope);
}

static void doctype_is_noted_and_what_follows_is_read(void **state)
{
    (void)state;
    struct envelope *envelope = read_text(
        STR("<!DOCTYPE x SYSTEM 'file:///etc/passwd' [<!ENTITY e 'boom'>]>" OPEN_12 BODY CLOSE));
    assert_true((envelope->blocks & ENVELOPE_DOCTYPE) != 0);
    assert_int_equal(envelope->version, SOAP_VERSION_12);
    forget(envelope);
}

static void bytes_that_are_no_xml_are_no_error(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "hello", "{\"a\":1}", "<", "<?xml", "   ", "&", "<>"};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct envelope *envelope = read_text(str_from(texts[i]));
        assert_false(envelope->is_xml);
        assert_false(envelope->is_well_formed);
        assert_true(envelope->problem[0] != '\0');
        forget(envelope);
    }
}

static void broken_envelope_still_tells_its_version_and_the_line_of_the_break(void **state)
{
    (void)state;
    struct envelope *envelope = read_text(STR(OPEN_11 "\n<s:Body>\n<a></b></s:Body>" CLOSE));
    assert_int_equal(envelope->version, SOAP_VERSION_11);
    assert_false(envelope->is_well_formed);
    assert_non_null(strstr(envelope->problem, "line 3"));
    forget(envelope);
}

static void utf16_envelope_is_read_like_any_other(void **state)
{
    (void)state;
    static const char text[] = OPEN_12 "<s:Header><a:Action>urn:a</a:Action></s:Header>" BODY CLOSE;
    struct buf wide = {0};
    buf_append(&wide, "\xFE\xFF", 2);
    for (size_t i = 0; i + 1 < sizeof(text); i++) {
        buf_append_byte(&wide, '\0');
        buf_append_byte(&wide, text[i]);
    }
    struct envelope *envelope = read_text(buf_view(&wide));
    assert_int_equal(envelope->version, SOAP_VERSION_12);
    assert_string_equal(envelope->action, "urn:a");
    assert_string_equal(envelope->charset.name, "utf-16be");
    assert_true(envelope->is_well_formed);
    forget(envelope);
    buf_deinit(&wide);
}

/* B091 */
static void b091_envelope_with_a_wrong_declaration_is_read_all_the_same(void **state)
{
    (void)state;
    struct envelope *envelope =
        read_text(STR("<?xml version='1.0' encoding='utf-16'?>" OPEN_11 BODY CLOSE));
    assert_int_equal(envelope->version, SOAP_VERSION_11);
    assert_true(envelope->charset.declaration_is_wrong);
    assert_true(envelope->is_well_formed);
    forget(envelope);
}

static void cut_at_every_byte_nothing_is_invented(void **state)
{
    (void)state;
    static const char text[] = "<?xml version='1.0'?>" OPEN_12
                               "<s:Header><a:Action>urn:a</a:Action></s:Header>" BODY CLOSE;
    for (size_t len = 0; len + 1 < sizeof(text); len++) {
        char *copy = check_malloc(len + 1);
        memcpy(copy, text, len);
        struct envelope *envelope = read_text(str_of(copy, len));
        assert_false(envelope->is_well_formed);
        assert_true(envelope->action[0] == '\0' || strcmp(envelope->action, "urn:a") == 0);
        forget(envelope);
        free(copy);
    }
}

static void very_deep_and_very_long_messages_end_with_a_problem(void **state)
{
    (void)state;
    struct buf deep = {0};
    for (int i = 0; i < 100000; i++) {
        buf_append_str(&deep, STR("<a>"));
    }
    struct envelope *envelope = read_text(buf_view(&deep));
    assert_true(envelope->is_xml);
    assert_non_null(strstr(envelope->problem, "deep"));
    forget(envelope);
    buf_reset(&deep);
    buf_append_str(&deep, STR(OPEN_12 "<s:Header><a:Action>"));
    for (int i = 0; i < 100000; i++) {
        buf_append_str(&deep, STR("xxxxxxxxxx"));
    }
    buf_append_str(&deep, STR("</a:Action></s:Header>" BODY CLOSE));
    envelope = read_text(buf_view(&deep));
    assert_true(envelope->is_well_formed);
    assert_int_equal(strlen(envelope->action), 4096);
    forget(envelope);
    buf_deinit(&deep);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(version_is_that_of_the_root_namespace),
        cmocka_unit_test(addressing_blocks_are_read_with_references_resolved),
        cmocka_unit_test(older_addressing_counts_and_the_body_does_not),
        cmocka_unit_test(two_message_ids_are_counted_and_the_first_is_kept),
        cmocka_unit_test(security_and_what_hinders_replay_are_found),
        cmocka_unit_test(signature_in_the_body_is_no_message_signature),
        cmocka_unit_test(doctype_is_noted_and_what_follows_is_read),
        cmocka_unit_test(bytes_that_are_no_xml_are_no_error),
        cmocka_unit_test(broken_envelope_still_tells_its_version_and_the_line_of_the_break),
        cmocka_unit_test(utf16_envelope_is_read_like_any_other),
        cmocka_unit_test(b091_envelope_with_a_wrong_declaration_is_read_all_the_same),
        cmocka_unit_test(cut_at_every_byte_nothing_is_invented),
        cmocka_unit_test(very_deep_and_very_long_messages_end_with_a_problem),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
