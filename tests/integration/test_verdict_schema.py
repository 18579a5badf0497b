# SPDX-License-Identifier: Apache-2.0
"""The verdict: schemas, WSDLs and golden answers, all read from disk once and from nowhere else.

Rows of the conformance list: B089, B093, B097.
"""

import os
import shutil
import tempfile

from answers import SOAP_11, envelope, ok
from lather import ORDER_12
from scripted_server import Server, answering
from verdict import ORDERS, PLACED, VerdictCase, in_turn, ok_12, with_header

XSD = "http://www.w3.org/2001/XMLSchema"
STATES = ('<xs:simpleType name="State"><xs:restriction base="xs:string"><xs:enumeration value="accepted"/>'
          '<xs:enumeration value="waiting"/></xs:restriction></xs:simpleType>')
RESPONSE = ('<xs:element name="PlaceOrderResponse"><xs:complexType><xs:sequence>'
            '<xs:element name="state" type="{type}"/></xs:sequence></xs:complexType></xs:element>')


def schema(content, namespace=ORDERS, extra=""):
    return (f'<xs:schema xmlns:xs="{XSD}" xmlns:t="{namespace}" targetNamespace="{namespace}" {extra}'
            f' elementFormDefault="qualified">{content}</xs:schema>')


def wsdl(types):
    return (f'<w:definitions xmlns:w="http://schemas.xmlsoap.org/wsdl/" targetNamespace="urn:service">'
            f"<w:types>{types}</w:types></w:definitions>")


WHOLE = schema(STATES + RESPONSE.format(type="t:State"))
BAD = envelope(f'<PlaceOrderResponse xmlns="{ORDERS}"><state>lost</state></PlaceOrderResponse>')


class Folder(VerdictCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="lather-schema-")
        self.addCleanup(shutil.rmtree, self.folder)

    def put(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
        return path


class Schemas(Folder):
    def test_answers_that_do_not_fit_are_told_with_element_and_reason(self):
        result = self.judged(in_turn(ok(), ok(BAD)), "--xsd", self.put("a.xsd", WHOLE), n=20, ok=10, mismatch=10)
        self.assertEqual(self.checks(result), {"schema": 10})
        self.assertEqual(len(result.failures), 1, result)
        self.assertIn("state", result.failures[0]["reason"])
        self.assertNotIn("lost", result.failures[0]["reason"], "values are left out, so that violations group")

    def test_an_element_the_schema_does_not_know_does_not_fit(self):
        path = self.put("a.xsd", WHOLE)
        for inner in ("<other/>", f'<Other xmlns="{ORDERS}"/>', PLACED + "<more/>"):
            self.judged(ok(envelope(inner)), "--xsd", path, n=2, mismatch=2)
        self.judged(ok(envelope("")), "--xsd", path, n=2, ok=2)

    def test_imports_and_includes_beside_the_file_are_read(self):
        self.put("states.xsd", schema(STATES))
        other = schema('<xs:simpleType name="Word"><xs:restriction base="xs:string"><xs:maxLength value="8"/>'
                       "</xs:restriction></xs:simpleType>", "urn:words")
        self.put("words.xsd", other)
        main = schema('<xs:include schemaLocation="states.xsd"/>' + RESPONSE.format(type="t:State"))
        self.judged(in_turn(ok(), ok(BAD)), "--xsd", self.put("main.xsd", main), n=4, ok=2, mismatch=2)
        main = schema('<xs:import namespace="urn:words" schemaLocation="http://host.invalid/path/words.xsd"/>'
                      + RESPONSE.format(type="w:Word"), extra='xmlns:w="urn:words"')
        long = BAD.replace(b"lost", b"far too long")
        self.judged(in_turn(ok(), ok(long)), "--xsd", self.put("net.xsd", main), n=4, ok=2, mismatch=2)

    def test_B089_a_schema_may_begin_with_a_byte_order_mark_or_be_utf_16(self):
        for name, data in (("bom.xsd", b"\xef\xbb\xbf" + WHOLE.encode()), ("wide.xsd", WHOLE.encode("utf-16"))):
            self.judged(in_turn(ok(), ok(BAD)), "--xsd", self.put(name, data), n=4, ok=2, mismatch=2)
        for name, data in (("bom.wsdl", b"\xef\xbb\xbf" + wsdl(WHOLE).encode()), ("wide.wsdl", wsdl(WHOLE).encode("utf-16"))):
            self.judged(in_turn(ok(), ok(BAD)), "--wsdl", self.put(name, data), n=4, ok=2, mismatch=2)

    def test_B093_answers_in_any_encoding_are_held_to_a_schema(self):
        """What is compared are characters: one beyond ASCII is allowed, another is not."""
        word = schema('<xs:simpleType name="State"><xs:restriction base="xs:string"><xs:enumeration value="größer"/>'
                      "</xs:restriction></xs:simpleType>" + RESPONSE.format(type="t:State"))
        path = self.put("a.xsd", word)
        for charset in ("utf-8", "utf-16", "iso-8859-1", "windows-1252"):
            fits, fails = (ok(envelope(PLACED.replace("accepted", state)).decode().encode(charset),
                              content_type=f"text/xml; charset={charset}") for state in ("größer", "großer"))
            result = self.judged(in_turn(fits, fails), "--xsd", path, n=4, ok=2, mismatch=2)
            self.assertEqual(self.checks(result), {"schema": 2})

    def test_B097_a_schema_is_read_once_at_the_start(self):
        """A file that is gone when the answers come was read before."""
        path = self.put("a.xsd", WHOLE)

        def answer(_):
            if os.path.exists(path):
                os.remove(path)
            return ok()

        self.judged(answer, "--xsd", path, n=50, ok=50)

    def test_inline_schemas_of_a_wsdl_import_each_other_without_location(self):
        types = (schema('<xs:import namespace="urn:types"/>' + RESPONSE.format(type="y:State"), extra='xmlns:y="urn:types"')
                 + schema(STATES, "urn:types"))
        self.judged(in_turn(ok(), ok(BAD)), "--wsdl", self.put("a.wsdl", wsdl(types)), n=10, ok=5, mismatch=5)

    def test_a_wsdl_finds_its_schemas_in_files_beside_it(self):
        """WCF's ?wsdl with ?xsd=xsd0, saved into one folder."""
        self.put("xsd0.xsd", WHOLE)
        types = schema(f'<xs:import namespace="{ORDERS}" schemaLocation="xsd0.xsd"/>', "urn:service/Imports")
        self.judged(in_turn(ok(), ok(BAD)), "--wsdl", self.put("a.wsdl", wsdl(types)), n=4, ok=2, mismatch=2)

    def test_nothing_is_fetched_over_the_network(self):
        """A location of a server that listens: it is never asked, and the file is refused."""
        with Server(answering(ok(WHOLE.encode()))) as server:
            main = schema(f'<xs:import namespace="urn:words" schemaLocation="{server.url(path="/none.xsd")}"/>'
                          + RESPONSE.format(type="w:Word"), extra='xmlns:w="urn:words"')
            self.refused("--xsd", self.put("main.xsd", main), words=["--xsd"])
            self.refused("--wsdl", self.put("main.wsdl", wsdl(main)), words=["--wsdl"])
            hinted = envelope(f'<PlaceOrderResponse xmlns="{ORDERS}" xmlns:i="{XSD}-instance" '
                              f'i:schemaLocation="{ORDERS} {server.url(path="/hint.xsd")}"><state>accepted</state>'
                              "</PlaceOrderResponse>")
            self.judged(ok(hinted), "--xsd", self.put("a.xsd", WHOLE), n=2, ok=2)
            self.assertEqual(server.connections, 0)

    def test_what_is_no_schema_is_an_error_that_names_option_and_file(self):
        for option, name, data in (("--xsd", "absent.xsd", None), ("--xsd", "x.xsd", b"<a>"), ("--xsd", "y.xsd", b"<a/>"),
                                   ("--xsd", "z.xsd", schema(RESPONSE.format(type="t:Nowhere"))),
                                   ("--wsdl", "absent.wsdl", None), ("--wsdl", "x.wsdl", b"text"),
                                   ("--wsdl", "y.wsdl", wsdl("")), ("--golden", "absent.xml", None),
                                   ("--golden", "x.xml", b"not XML"), ("--golden", "y.xml", b"")):
            path = self.put(name, data) if data is not None else os.path.join(self.folder, name)
            self.refused(option, path, words=[f"lather: {option}", name])
        path = self.put("a.xsd", WHOLE)
        self.refused("--xsd", path, "--wsdl", path, words=["--xsd", "--wsdl"])


class Golden(Folder):
    def golden(self, text=None):
        return "--golden", self.put("golden.xml", text if text is not None else envelope())

    def test_structure_counts_and_spelling_does_not(self):
        same = (f'<?xml version="1.0"?>\n<!-- hello -->\n<soap:Envelope xmlns:soap="{SOAP_11}">\n  <soap:Body>\n'
                f'    <o:PlaceOrderResponse xmlns:o="{ORDERS}">\n<o:state>accepted</o:state><?pi x?>\n'
                "</o:PlaceOrderResponse></soap:Body></soap:Envelope>").encode()
        self.judged(ok(same), *self.golden(), n=4, ok=4)
        attributes = envelope('<r a="1" b="2"/>')
        self.judged(ok(attributes.replace(b'a="1" b="2"', b"b='2'   a='1'")), *self.golden(attributes), n=2, ok=2)

    def test_the_first_difference_is_told_with_its_place(self):
        result = self.judged(in_turn(ok(), ok(BAD)), *self.golden(), n=10, ok=5, mismatch=5)
        self.assertEqual(self.checks(result), {"golden": 5})
        self.assertIn("state", result.failures[0]["reason"])
        for inner in ("", PLACED * 2, PLACED.replace("state", "stat"), PLACED.replace("<state", "<state x='1'")):
            self.judged(ok(envelope(inner)), *self.golden(), n=2, mismatch=2)

    def test_ids_and_times_of_a_message_do_not_count(self):
        def message(number, activity):
            return with_header(
                f"<a:MessageID>urn:uuid:{number}</a:MessageID>"
                '<o:Security xmlns:o="http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd">'
                '<u:Timestamp xmlns:u="http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd">'
                f"<u:Created>2020-01-{number:02d}T00:00:00Z</u:Created></u:Timestamp></o:Security>"
                f'<ActivityId xmlns="http://schemas.microsoft.com/2004/09/ServiceModel/Diagnostics">{activity}</ActivityId>')

        self.judged(lambda request: ok_12(message(request.number + 1, "b")), *self.golden(message(1, "a")),
                    n=9, body=ORDER_12, ok=9)

    def test_what_is_ignored_does_not_exist(self):
        def placed(at):
            return envelope(f'<r xmlns="urn:r"><placedAt zone="{at}">{at}</placedAt><id>7</id></r>')

        answer = in_turn(ok(placed("08:00")), ok(placed("09:00")), ok(envelope('<r xmlns="urn:r"><id>7</id></r>')))
        golden = self.golden(placed("07:00"))
        self.judged(answer, *golden, "--ignore", "//~placedAt", n=6, ok=6)
        self.judged(answer, *golden, "--ignore", "//d1:placedAt", n=6, ok=6)
        self.judged(answer, *golden, "--ignore", "//~placedAt/text()", "--ignore", "//@zone", n=6, ok=4, mismatch=2)
        self.judged(answer, *golden, n=6, mismatch=6)
        self.refused("--ignore", "//a", words=["--ignore", "--golden"])
        self.refused(*golden, "--ignore", "//a[", words=["--ignore"])

    def test_a_golden_answer_may_have_its_head_and_another_encoding(self):
        self.judged(ok(), *self.golden(ok()), n=2, ok=2)
        self.judged(ok(), *self.golden(envelope().decode().encode("utf-16")), n=2, ok=2)
        wide = ok(envelope().decode().encode("utf-16"), content_type="text/xml; charset=utf-16")
        self.judged(wide, *self.golden(), n=2, ok=2)
