# SPDX-License-Identifier: Apache-2.0
"""The verdict: expressions about answers, and the namespaces they are about.

Rows of the conformance list: B071, B077, B093, B096, B098.
"""

from answers import SOAP_12, envelope, ok
from case import mark
from lather import ORDER_12
from verdict import ORDERS, VerdictCase, in_turn, ok_12, with_header

REFUSED = envelope(f'<PlaceOrderResponse xmlns="{ORDERS}"><state>refused</state></PlaceOrderResponse>')
NS = ("--ns", f"o={ORDERS}")


class XPath(VerdictCase):
    def test_each_answer_is_asked_the_expression(self):
        answer = in_turn(ok(), ok(), ok(REFUSED))
        result = self.judged(answer, "--expect-xpath", "//o:state = 'accepted'", *NS, n=30, ok=20, mismatch=10)
        self.assertEqual(self.checks(result), {"xpath": 10})
        self.assertIn("//o:state = 'accepted'", result.out)

    def test_a_value_is_true_as_the_page_says(self):
        """A boolean is itself, nodes must be found, a number not 0, a string not empty."""
        for good in ("true()", "//o:state", "//o:state/text()", "count(//o:state)", "string(//o:state)", "-1",
                     "'false'", "boolean(//o:state)"):
            self.judged(ok(), "--expect-xpath", good, *NS, n=2, ok=2)
        for bad in ("false()", "//o:nothing", "count(//o:nothing)", "string(//o:nothing)", "0", "''",
                    "number('none')", "not(//o:state)"):
            self.judged(ok(), "--expect-xpath", bad, *NS, n=2, mismatch=2)

    def test_several_expressions_must_all_be_true(self):
        options = ("--expect-xpath", "//o:PlaceOrderResponse", "--expect-xpath", "//o:state = 'accepted'", *NS)
        self.judged(ok(), *options, n=4, ok=4)
        result = self.judged(ok(REFUSED), *options, n=4, mismatch=4)
        self.assertEqual([group["count"] for group in result.failures], [4])

    def test_a_name_behind_a_tilde_is_in_any_namespace(self):
        for expression in ("~state", "//~state", "/s:Envelope/s:Body/~PlaceOrderResponse/~state",
                           "//~state[. = 'accepted']", "not(//~RETURN[~TYPE = 'E'])"):
            self.judged(ok(), "--expect-xpath", expression, n=2, ok=2)
        self.judged(ok(), "--expect-xpath", "//~stat", n=2, mismatch=2)

    def test_prefixes_of_soap_and_addressing_follow_the_version_in_use(self):
        for answer, body in ((ok(), None),
                             (ok_12(with_header("<a:Action>urn:x</a:Action>")), ORDER_12)):
            for expression in ("/s:Envelope/s:Body", "//soap:Body/*", "count(//s:Body) = 1"):
                self.judged(answer, "--expect-xpath", expression, n=2, body=body, ok=2)
        addressed = ok_12(with_header("<a:Action>urn:x</a:Action>"))
        older = addressed.replace(b"http://www.w3.org/2005/08/addressing",
                                  b"http://schemas.xmlsoap.org/ws/2004/08/addressing")
        older = ok_12(older.partition(b"\r\n\r\n")[2])
        for answer in (addressed, older):
            for expression in ("//a:Action = 'urn:x'", "/s:Envelope/s:Header/wsa:Action"):
                self.judged(answer, "--expect-xpath", expression, n=2, body=ORDER_12, ok=2)

    def test_prefixes_of_the_message_sent_may_be_used(self):
        message = self.file((f'<s:Envelope xmlns:s="{SOAP_12}" xmlns:ord="{ORDERS}"><s:Body><ord:PlaceOrder/>'
                             "</s:Body></s:Envelope>").encode())
        answer = ok_12(envelope(f'<R xmlns="{ORDERS}"/>', SOAP_12))
        self.judged(answer, "--expect-xpath", "//ord:R", body=message, n=2, ok=2)
        self.judged(ok(), "--expect-xpath", "//d:state", n=2, ok=2)  # the default namespace of its order

    def test_a_wrong_expression_is_an_error_before_the_first_request(self):
        for expression, word in (("//o:state[", "//o:state["), ("//x:state", "prefix x"), ("$a", "variable"),
                                 ("nothing(1)", "function nothing"), ("", "empty"), ("a" * 9000, "longer")):
            self.refused("--expect-xpath", expression, *NS, words=["--expect-xpath", word])

    def test_a_wrong_namespace_option_is_an_error_that_names_it(self):
        for value in ("o", "=urn:x", "o=", "1o=urn:x", "xmlns=urn:x"):
            self.refused("--ns", value, "--expect-xpath", "//a", words=["--ns"])

    def test_B096_a_name_in_another_namespace_is_told_with_the_namespace_it_is_in(self):
        """From the first good answer on, in the report's reason; one group, however many answers."""
        result = self.judged(ok(), "--expect-xpath", "//state", n=10, mismatch=10)
        self.assertEqual(len(result.failures), 1, result)
        self.assertIn("{urn:example:orders}state is there", result.failures[0]["reason"])
        self.assertIn("--ns p=urn:example:orders", result.failures[0]["reason"])
        self.assertIn("~state", result.out)
        wrong = self.judged(ok(), "--expect-xpath", "//o:state", "--ns", "o=urn:other", n=2, mismatch=2)
        self.assertIn("{urn:example:orders}state is there", wrong.out)
        absent = self.judged(ok(), "--expect-xpath", "//nowhere", n=2, mismatch=2)
        self.assertNotIn("is there", absent.out)

    def test_B096_with_a_golden_answer_it_is_an_error_before_the_first_request(self):
        golden = self.file(envelope())
        self.refused("--golden", golden, "--expect-xpath", "//state",
                     words=["--expect-xpath", "//state", "{urn:example:orders}state", "--ns p=urn:example:orders"])
        self.judged(ok(), "--golden", golden, "--expect-xpath", "//d:state", n=2, ok=2)

    def test_B071_B077_errors_inside_a_good_envelope_are_found(self):
        """Application errors as the services of VALIDATION word them."""
        signs = (("<r ResponseClass='Error'/>", "//~r[not(@ResponseClass='Error')]"),
                 ("<r isSuccess='false'/>", "//~r/@isSuccess = 'true'"),
                 ("<RETURN><TYPE>E</TYPE></RETURN>", "not(//~RETURN[~TYPE = 'E'])"),
                 ("<success>false</success>", "//~success = 'true'"),
                 ("<errorInfo/>", "not(//~errorInfo)"),
                 ("<Success>False</Success>", "translate(//~Success, 'FALSE', 'false') != 'false'"))
        for inner, expression in signs:
            self.judged(ok(envelope(f'<a xmlns="urn:app">{inner}</a>')), "--expect-xpath", expression, n=2, mismatch=2)

    def test_B093_an_expression_sees_the_characters_of_any_encoding(self):
        text = '<r xmlns="urn:x">Straße 5</r>'
        for charset in ("utf-8", "utf-16", "iso-8859-1", "windows-1252"):
            body = envelope(text).decode().encode(charset)
            answer = ok(body, content_type=f"text/xml; charset={charset}")
            self.judged(answer, "--expect-xpath", "//~r = 'Straße 5'", n=2, ok=2)
            self.judged(answer, "--expect-xpath", "//~r = 'Strasse 5'", n=2, mismatch=2)

    def test_large_answers_are_asked_as_well(self):
        filler = "<a>" + "text " * 20 + "</a>"
        for count in (10, 2000):
            body = envelope(f"<r>{filler * count}<last>7</last></r>")
            for expression in ("//~last", "//~last = 7"):
                self.judged(ok(body), "--expect-xpath", expression, n=2, ok=2)
                self.judged(ok(body.replace(b"last>", b"lost>")), "--expect-xpath", expression, n=2, mismatch=2)

    @mark("threads")
    def test_B098_four_threads_judge_with_expressions_and_schema_at_once(self):
        """For the thread sanitizer: what is compiled once and what each worker has of its own."""
        schema = self.file(
            f'<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="{ORDERS}"'
            ' elementFormDefault="qualified"><xs:element name="PlaceOrderResponse"><xs:complexType><xs:sequence>'
            '<xs:element name="state"><xs:simpleType><xs:restriction base="xs:string"><xs:pattern value="[a-z]+\\d*"/>'
            "</xs:restriction></xs:simpleType></xs:element></xs:sequence></xs:complexType></xs:element></xs:schema>"
            .encode(), ".xsd")

        def answer(request):
            state = "Nein!" if request.number % 10 == 0 else f"accepted{request.number}"
            return ok(envelope(f'<PlaceOrderResponse xmlns="{ORDERS}"><state>{state}</state></PlaceOrderResponse>'))

        result = self.judged(answer, "--threads", 4, "--xsd", schema, "--expect-xpath", "//~state",
                             "--expect-xpath", "string-length(//~state) > 2", n=400, c=16, ok=360, mismatch=40)
        self.assertEqual(self.checks(result), {"schema": 40})
