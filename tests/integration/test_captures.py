# SPDX-License-Identifier: Apache-2.0
"""Captures given to -p: what was recorded is what is sent, to where it was recorded unless a URL is given.

Rows of the conformance list: B113.
"""

import json
import os
import tempfile

from answers import envelope, fault_11, ok
from case import Case
from scripted_server import Server, answering

ORDER = (b'<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>'
         b'<PlaceOrder xmlns="urn:example:orders"><id>${counter}</id></PlaceOrder></s:Body></s:Envelope>')


def raw(port, body=ORDER, name="OrderService.svc"):
    """A request as Fiddler saves it."""
    return (b"POST http://127.0.0.1:%d/%s HTTP/1.1\r\nContent-Type: text/xml; charset=utf-8\r\nSOAPAction: \"urn:place\"\r\n"
            b"X-Trace: 7\r\nHost: 127.0.0.1:%d\r\nExpect: 100-continue\r\nAccept-Encoding: gzip, deflate\r\n"
            b"Connection: Keep-Alive\r\nContent-Length: %d\r\n\r\n" % (port, name.encode(), port, len(body)) + body)


class Captures(Case):
    def assert_replayed(self, server, n=3):
        self.assertEqual(server.requests, n)
        for request in server.log:
            self.assertEqual(request.line, "POST /OrderService.svc HTTP/1.1")
            self.assertEqual(request.body, ORDER)
            self.assertEqual(request.values("Content-Type"), ["text/xml; charset=utf-8"])
            self.assertEqual(request.values("SOAPAction"), ['"urn:place"'])

    def replay(self, server, content, *options, n=3):
        from lather import run

        result = run("-n", n, "-c", 1, "-k", "-p", self.file(content, ".dat"), *options)
        self.assert_all_ok(result, server, n)
        self.assert_replayed(server, n)
        return result

    def test_a_fiddler_session_brings_url_action_and_fields(self):
        with Server(answering(ok())) as server:
            self.replay(server, raw(server.port))
        request = server.log[0]
        self.assertEqual(request.values("X-Trace"), ["7"])
        self.assertEqual(request.values("Expect"), [])
        self.assertEqual(request.values("Content-Length"), [str(len(ORDER))])
        self.assertEqual(request.values("Connection"), ["Keep-Alive"])

    def test_B113_a_curl_command_is_read_in_the_dialects_of_its_shells(self):
        with Server(answering(ok())) as server:
            text = ORDER.decode()
            bash = (f"curl '{server.url()}' -H 'Content-Type: text/xml; charset=utf-8' -H 'SOAPAction: \"urn:place\"' \\\n"
                    f"  --data-raw '{text}' --compressed")
            self.replay(server, bash.encode())

    def test_a_har_is_read(self):
        with Server(answering(ok())) as server:
            har = {"log": {"version": "1.2", "entries": [{"request": {
                "method": "POST", "url": server.url(), "httpVersion": "HTTP/1.1",
                "headers": [{"name": "content-type", "value": "text/xml; charset=utf-8"},
                            {"name": "soapaction", "value": '"urn:place"'}],
                "postData": {"mimeType": "text/xml; charset=utf-8", "text": ORDER.decode()}}}]}}
            self.replay(server, json.dumps(har).encode())

    def test_the_url_and_options_of_the_command_line_win(self):
        with Server(answering(ok())) as server:
            result = self.fire(server.url(path="/other"), 2, 1, "-H", "x-trace: mine", "-T", "text/xml",
                               "--soap-action", "urn:mine", body=self.file(raw(1)))
        self.assertEqual(result.exit, 0, result)
        request = server.log[0]
        self.assertEqual(request.line, "POST /other HTTP/1.1")
        self.assertEqual(request.values("X-Trace"), ["mine"])
        self.assertEqual(request.values("Content-Type"), ["text/xml"])
        self.assertEqual(request.values("SOAPAction"), ['"urn:mine"'])

    def test_templates_in_a_capture_are_read_only_when_asked_for(self):
        with Server(answering(ok())) as server:
            result = self.fire(server, 3, 1, "--template", body=self.file(raw(server.port)))
        self.assert_all_ok(result, server, 3)
        self.assertEqual([b"<id>%d</id>" % number in request.body for number, request in enumerate(server.log, 1)],
                         [True] * 3)

    def test_one_of_several_messages_is_picked(self):
        with Server(answering(ok())) as server:
            other = ORDER.replace(b"PlaceOrder", b"GetOrder")
            capture = raw(server.port, other) + b"\r\n\r\n" + b"-" * 66 + b"\r\n" + raw(server.port)
            self.replay(server, capture, "--pick", "2")

    def project(self, *assertions):
        """A SoapUI project with one request and these assertions: (type, what is in its configuration)."""
        steps = "".join(f'<con:assertion type="{kind}" name="{kind} {number}"><con:configuration>{inside}</con:configuration></con:assertion>'
                        for number, (kind, inside) in enumerate(assertions))
        return (f'<con:soapui-project name="P" xmlns:con="http://eviware.com/soapui/config"><con:testSuite name="S"><con:testCase name="C">'
                f'<con:testStep type="request" name="place"><con:config xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
                f'xsi:type="con:RequestStep"><con:interface>I</con:interface><con:operation>O</con:operation><con:request name="place">'
                f'<con:encoding>UTF-8</con:encoding><con:endpoint>http://127.0.0.1:1/OrderService.svc</con:endpoint>'
                f'<con:request><![CDATA[{ORDER.decode()}]]></con:request>{steps}</con:request></con:config></con:testStep>'
                f'</con:testCase></con:testSuite></con:soapui-project>').encode()

    def expecting(self, answer, *assertions, options=()):
        with Server(answering(answer)) as server:
            result = self.fire(server.url(), 4, 1, *options, body=self.file(self.project(*assertions)))
        self.assert_books(result, server)
        return result

    def test_each_assertion_of_soapui_is_expected_of_every_answer(self):
        state = "declare namespace o='urn:example:orders'; "
        for assertion, good, bad in (
                (("XPath Match", f"<path>{state}//o:state</path><content>accepted</content>"), ok(), ok(envelope("<a/>"))),
                (("XPath Match", f"<path>{state}exists(//o:state)</path><content>true</content>"), ok(), ok(envelope("<a/>"))),
                (("XPath Match", f"<path>{state}//o:state</path><content>*</content><allowWildcards>true</allowWildcards>"),
                 ok(), ok(envelope("<a/>"))),
                (("Simple Contains", "<token>accepted</token>"), ok(), ok(envelope("<a/>"))),
                (("Simple NotContains", "<token>rejected</token>"), ok(), ok(envelope("<a>rejected</a>"))),
                (("Valid HTTP Status Codes", "<codes>201</codes>"), ok(status="201 Created"), ok()),
                (("Not SOAP Fault Assertion", ""), ok(fault_11(), "500 Internal Server Error"), ok()),
                (("SOAP Fault Assertion", ""), ok(), ok(fault_11())),
                (("SOAP Response", ""), ok(), ok(b"<a/>"))):
            with self.subTest(assertion):
                self.assert_outcomes(self.expecting(good, assertion), ok=4)
                self.assertEqual(self.expecting(bad, assertion).outcomes["ok"], 0)

    def test_schema_compliance_is_held_against_the_WSDL_beside_the_project(self):
        schema = (b'<definitions xmlns="http://schemas.xmlsoap.org/wsdl/"><types><schema xmlns="http://www.w3.org/2001/XMLSchema" '
                  b'targetNamespace="urn:example:orders" elementFormDefault="qualified"><element name="PlaceOrderResponse"><complexType><sequence>'
                  b'<element name="state" type="string"/></sequence></complexType></element></schema></types></definitions>')
        interface = (b'<con:interface name="I" soapVersion="1_1" definition="http://orders.example/Orders.svc?wsdl"/>')
        project = self.project(("Schema Compliance", "<definition/>")).replace(b"<con:testSuite", interface + b"<con:testSuite", 1)
        for files, good, bad in (({"Orders.svc.wsdl": schema}, 3, 0), ({"Orders.svc": schema}, 3, 0), ({}, 3, 3),
                                 ({"Orders.svc.wsdl": b"<broken"}, 3, 3)):
            with tempfile.TemporaryDirectory() as folder:
                for name, content in {**files, "project.xml": project}.items():
                    with open(os.path.join(folder, name), "wb") as file:
                        file.write(content)
                for answer, count in ((ok(), good), (ok(envelope('<Other xmlns="urn:example:orders"/>')), bad)):
                    with Server(answering(answer)) as server:
                        result = self.fire(server.url(), 3, 1, body=os.path.join(folder, "project.xml"))
                    self.assertEqual(result.outcomes["ok"], count, result)
                    is_told = any("not expected" in note and "wsdl" in note.lower() for note in result.notes)
                    self.assertEqual(is_told, bad == 3, result.notes)

    def test_a_response_sla_is_a_time_limit(self):
        async def slow(peer):
            while await peer.request():
                await peer.sleep(0.05)
                await peer.send(ok())

        with Server(slow) as server:
            result = self.fire(server.url(), 2, 1, body=self.file(self.project(("Response SLA Assertion", "<SLA>1</SLA>"))))
        self.assert_outcomes(result, mismatch=2)

    def test_assertions_that_no_option_can_say_are_listed_and_the_run_goes_on(self):
        result = self.expecting(ok(), ("GroovyScriptAssertion", "<scriptText>x</scriptText>"), ("Schema Compliance", "<definition/>"),
                                ("Simple Contains", "<token>a.*</token><useRegEx>true</useRegEx>"),
                                ("XPath Match", "<path>matches(//a, 'b')</path><content>true</content>"),
                                ("Simple Contains", "<token>accepted</token>"))
        self.assert_outcomes(result, ok=4)
        for words in ("GroovyScriptAssertion", "--xsd or --wsdl", "regular expression", "matches("):
            self.assertTrue(any("not expected" in note and words in note for note in result.notes), (words, result.notes))
        self.assertTrue(any("what the capture expects of the answer is expected" in note for note in result.notes), result.notes)

    def test_the_command_line_counts_more_than_a_capture(self):
        codes = ("Valid HTTP Status Codes", "<codes>201</codes>")
        contains = ("Simple Contains", "<token>nowhere</token>")
        self.assert_outcomes(self.expecting(ok(), codes, options=("--expect-status", "200")), ok=4)
        self.assert_outcomes(self.expecting(ok(), contains, options=("--expect-text", "accepted")), mismatch=4)
        result = self.expecting(ok(), contains, options=("--validate", "off"))
        self.assert_outcomes(result, ok=4)
        self.assertTrue(any("is left out" in note for note in result.notes), result.notes)
        result = self.expecting(ok(), contains, options=("--one-way",))
        self.assert_outcomes(result, ok=4)
        self.assertTrue(any(note.startswith("--one-way: what the capture expects") for note in result.notes), result.notes)

    def test_a_capture_without_a_post_and_a_broken_one_are_refused(self):
        for content, word in ((b"CONNECT orders.example:443 HTTP/1.1\r\nHost: orders.example:443\r\n\r\n", "CONNECT"),
                              (b"PK\x03\x04 not an archive", "archive"), (b'{"log": {"entries": []}}', "")):
            result = self.fire("http://127.0.0.1:1/", 1, 1, body=self.file(content), with_json=False)
            self.assertEqual(result.exit, 2, result)
            self.assertIn(word.lower(), result.err.lower())
            self.assertEqual(result.out, "")
