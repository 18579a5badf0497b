# SPDX-License-Identifier: Apache-2.0
"""Captures given to -p: what was recorded is what is sent, to where it was recorded unless a URL is given."""

import json

from answers import ok
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
            result = self.fire(server, 1, 1, body=self.file(capture), with_json=False)
            self.assertEqual(result.exit, 2, result)
            self.assertIn("--pick", result.err)
            self.assertIn("2 messages", result.err)
            self.replay(server, capture, "--pick", "2")

    def test_a_capture_without_a_post_and_a_broken_one_are_refused(self):
        for content, word in ((b"CONNECT orders.example:443 HTTP/1.1\r\nHost: orders.example:443\r\n\r\n", "CONNECT"),
                              (b"PK\x03\x04 not an archive", "archive"), (b'{"log": {"entries": []}}', "")):
            result = self.fire("http://127.0.0.1:1/", 1, 1, body=self.file(content), with_json=False)
            self.assertEqual(result.exit, 2, result)
            self.assertIn(word.lower(), result.err.lower())
            self.assertEqual(result.out, "")
