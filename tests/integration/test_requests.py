# SPDX-License-Identifier: Apache-2.0
"""What goes out: method, fields, their order and spelling, and bodies of every size, byte for byte.

Rows of the conformance list: B002, B003, B008, B009, B010, B011, B012, B013, B014, B015, B016, B017, B018,
B019, B020, B021, B023, B024, B025, B087, B091, B157.
"""

import base64
import os
import re
import subprocess

import answers
from answers import ok
from case import Case
from lather import NOTICE, ORDER_11, ORDER_12, SLOWNESS, run
from scripted_server import Server, answering


class Requests(Case):
    def first(self, *options, n=4, body=ORDER_11, path="/OrderService.svc", k=True, answer=None):
        """The first request of a run; all of them are the same."""
        with Server(answering(answer or ok())) as server:
            result = self.fire(server.url(path=path), n, 2, *options, k=k, body=body)
        self.assert_report(result)
        self.assertEqual(server.errors, [])
        self.assertEqual(server.requests, n, result)
        self.assertEqual(server.bytes_in, result.bytes_sent, result)
        heads = {(request.head, request.body) for request in server.log}
        self.assertEqual(len(heads), 1, "requests differ")
        request = server.log[0]
        self.assertEqual(request.line.split()[2], "HTTP/1.1")
        self.assertEqual(len(request.values("Host")), 1)
        return request

    def content(self, path):
        with open(path, "rb") as file:
            return file.read()

    # ---- the order and the defaults of ab

    def test_fields_come_in_the_order_of_ab(self):
        request = self.first("-C", "a=1", "-A", "alice:secret", "-T", "text/xml", "-H", "X-One: 1", "-H", "X-Two: 2")
        wanted = ["connection", "cookie", "authorization", "content-length", "content-type", "x-one", "x-two",
                  "host", "user-agent", "accept"]
        names = [name.lower() for name in request.names()]
        self.assertEqual([name for name in names if name in wanted], wanted)

    def test_connection_says_what_was_asked(self):
        self.assertEqual(self.first().value("Connection").lower(), "keep-alive")
        self.assertEqual(self.first(k=False).value("Connection").lower(), "close")

    def test_a_get_without_a_body(self):
        request = self.first(body=None)
        self.assertEqual(request.line, "GET /OrderService.svc HTTP/1.1")
        self.assertEqual(request.values("Content-Length") + request.values("Content-Type"), [])
        self.assertEqual(request.value("Accept"), "*/*")
        self.assertIn("lather", request.value("User-Agent"))

    def test_B024_a_body_makes_it_a_post(self):
        request = self.first()
        self.assertEqual(request.line, "POST /OrderService.svc HTTP/1.1")
        self.assertEqual(request.body, self.content(ORDER_11))

    def test_put_head_and_any_method(self):
        self.assertTrue(self.first("-u", ORDER_11, body=None).line.startswith("PUT "))
        self.assertTrue(self.first("-m", "PATCH").line.startswith("PATCH "))
        self.assertTrue(self.first("-m", "OPTIONS", body=None).line.startswith("OPTIONS "))
        self.assertTrue(self.first("-i", body=None, answer=answers.head()).line.startswith("HEAD "))

    # ---- content type and action

    def test_B003_the_content_type_follows_the_envelope(self):
        self.assertEqual(self.first().value("Content-Type"), "text/xml; charset=utf-8")
        self.assertTrue(self.first("--verbatim", body=ORDER_12).value("Content-Type").startswith("application/soap+xml"))
        self.assertIn("charset=utf-8", self.first("--verbatim", body=ORDER_12).value("Content-Type"))
        self.assertEqual(self.first(body=self.file(b"<a/>")).value("Content-Type"), "text/xml; charset=utf-8")
        self.assertEqual(self.first(body=self.file(b"hello")).value("Content-Type"), "text/plain")

    def test_B003_a_prefix_typed_by_accident_is_removed(self):
        request = self.first("-T", "Content-Type: text/xml")
        self.assertEqual(request.values("Content-Type"), ["text/xml"])

    def test_B002_the_users_field_replaces_ours(self):
        """D31: one field of each name, in any case."""
        for name in ("Content-Type", "content-type", "CONTENT-TYPE"):
            request = self.first("-H", f"{name}: application/xml")
            self.assertEqual(request.values("Content-Type"), ["application/xml"])
        for field, value in (("host", "orders.example"), ("user-agent", "me"), ("ACCEPT", "text/xml"),
                             ("connection", "keep-alive")):
            self.assertEqual(self.first("-H", f"{field}: {value}").values(field), [value])

    def test_B025_names_are_sent_as_typed(self):
        self.assertIn("sOAPaCtIoN", self.first("-H", 'sOAPaCtIoN: "urn:x"').names())

    def test_B010_the_action_is_put_in_quotes_once(self):
        for given in ("urn:example:orders/PlaceOrder", '"urn:example:orders/PlaceOrder"'):
            request = self.first("--soap-action", given)
            self.assertEqual(request.values("SOAPAction"), ['"urn:example:orders/PlaceOrder"'])
        self.assertEqual(self.first("--soap-action", "bare word").values("SOAPAction"), ['"bare word"'])

    def test_B011_no_action_is_invented(self):
        self.assertEqual(self.first().values("SOAPAction"), [])

    def test_B012_with_soap_1_2_the_action_is_a_parameter(self):
        bare = self.file(answers.envelope('<PlaceOrder xmlns="urn:example:orders"/>', answers.SOAP_12))
        request = self.first("--soap-action", "urn:a", body=bare)
        self.assertEqual(request.values("SOAPAction"), [])
        self.assertIn('action="urn:a"', request.value("Content-Type"))

    def test_B013_an_action_beside_the_one_of_addressing_is_warned_of(self):
        with Server(answering(ok(answers.ENVELOPE_12, content_type=answers.TYPE_12))) as server:
            result = self.fire(server, 4, 2, "--soap-action", "urn:other", body=ORDER_12)
        self.assert_all_ok(result, server, 4)
        self.assertTrue(any("urn:other" in note and "urn:example:orders/PlaceOrder" in note for note in result.notes),
                        result.notes)

    def test_B008_B009_B014_B015_B016_B017_B018_what_servers_refuse_is_remarked_and_sent(self):
        """Before the run, on standard error, and again in the report."""
        addressed = "<a:Action>urn:x</a:Action>"
        header = lambda blocks: (
            f'<s:Envelope xmlns:s="{answers.SOAP_12}" xmlns:a="http://www.w3.org/2005/08/addressing"><s:Header>{blocks}</s:Header>'
            "<s:Body><a/></s:Body></s:Envelope>").encode()
        none = "http://schemas.microsoft.com/ws/2005/05/addressing/none"
        for body, options, words in (
                (header(""), ("-T", "application/xml+soap"), "application/xml+soap"),
                (self.content(ORDER_11), (), "without SOAPAction"),
                (header(addressed), (), "no wsa:To"),
                (header(addressed + "<a:To>http://h/</a:To>"), (), "no wsa:MessageID"),
                (header(f'<To xmlns="{none}">http://h/</To>'), (), "addressing/none"),
                (None, ("-m", "POST"), "answers 400"),
                (self.content(ORDER_11), ("-H", "Content-Encoding: gzip"), "Content-Encoding says gzip")):
            with self.subTest(words), Server(answering(ok())) as server:
                result = self.fire(server, 2, 1, *options, "--validate", "off", body=body and self.file(body))
                self.assert_all_ok(result, server, 2)
                self.assertTrue(any(words in note for note in result.notes), result)
                self.assertRegex(result.err, f"(?m)^lather: note: .*{re.escape(words)}", result)

    def test_B015_a_message_id_is_added_when_asked_for(self):
        body = self.file(f'<s:Envelope xmlns:s="{answers.SOAP_12}"><s:Header><Action xmlns="http://www.w3.org/2005/08/addressing">urn:x</Action>'
                         "</s:Header><s:Body><a/></s:Body></s:Envelope>".encode())
        with Server(answering(ok())) as server:
            result = self.fire(server, 4, 2, "--add-message-id", "--validate", "off", body=body)
        self.assert_all_ok(result, server, 4)
        ids = {re.search(rb'MessageID[^>]*>(urn:uuid:[0-9a-f-]{36})<', request.body).group(1) for request in server.log}
        self.assertEqual(len(ids), 4)

    # ---- other fields

    def test_cookies_are_joined(self):
        self.assertEqual(self.first("-C", "a=1", "-C", "b=2").values("Cookie"), ["a=1; b=2"])

    def test_basic_credentials_are_sent_at_once(self):
        wanted = "Basic " + base64.b64encode(b"alice:se:cret").decode()
        self.assertEqual(self.first("-A", "alice:se:cret").values("Authorization"), [wanted])

    def test_B021_long_fields_and_targets_go_out_whole(self):
        request = self.first("-H", "X-Long: " + "a" * 9000, path="/" + "b" * 7000 + "?c=" + "d" * 7000)
        self.assertEqual(request.value("X-Long"), "a" * 9000)
        self.assertEqual(request.line, "POST /" + "b" * 7000 + "?c=" + "d" * 7000 + " HTTP/1.1")

    def test_B023_content_length_is_always_sent(self):
        for body, length in ((ORDER_11, None), (self.file(b"x"), 1)):
            request = self.first(body=body)
            wanted = str(length if length is not None else os.path.getsize(body))
            self.assertEqual(request.values("Content-Length"), [wanted])
            self.assertEqual(request.values("Transfer-Encoding"), [])

    def test_no_encoding_is_asked_for(self):
        self.assertEqual(self.first().values("Accept-Encoding"), [])
        self.assertEqual(self.first("-H", "Accept-Encoding: gzip").values("Accept-Encoding"), ["gzip"])

    # ---- bodies

    def test_B019_bodies_of_every_size_arrive_whole(self):
        for size in (1, 8191, 8192, 16384, 40960, 65536, 1 << 20):
            body = os.urandom(size)
            with Server(answering(ok())) as server:
                result = self.fire(server, 4, 2, body=self.file(body))
            self.assert_all_ok(result, server, 4)
            self.assertEqual({request.body for request in server.log}, {body}, size)

    def test_B020_a_large_body_and_a_slow_reader(self):
        """D28: partial writes are resumed, bytes are exact."""
        body = os.urandom(10 << 20)

        async def script(peer):
            while head := await peer.head():
                await peer.sleep(0.3)
                data = await peer._exactly(int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0]))
                request = peer.server.count_request(peer, head, data)
                await peer.send(ok() if request.body == body else ok(b"changed", "400 Bad Request"))

        with Server(script, receive_buffer=16384) as server:
            result = self.fire(server, 4, 2, "-b", "16k", body=self.file(body), limit=60)
        self.assert_books(result, server)
        self.assert_outcomes(result, ok=4)
        self.assertEqual(result.report.figure("Total body sent"), server.bytes_in)

    def test_B091_bytes_go_out_as_they_are(self):
        body = "\ufeff<a>é\r\n\0ÿ</a>".encode() + bytes(range(256))
        for locale in ("C", "C.UTF-8"):
            with Server(answering(ok())) as server:
                result = self.fire(server, 2, 1, body=self.file(body), env={"LC_ALL": locale})
            self.assert_report(result)
            self.assertEqual(server.log[0].body, body)

    def test_B087_B157_a_bom_is_sent_and_warned_of(self):
        body = b"\xef\xbb\xbf" + self.content(ORDER_11)
        with Server(answering(ok())) as server:
            result = self.fire(server, 4, 2, body=self.file(body))
        self.assert_all_ok(result, server, 4)
        self.assertEqual(server.log[0].body, body)
        self.assertRegex(result.out + result.err, r"\bBOM\b|byte order mark")

    def test_a_dash_reads_the_message_from_standard_input(self):
        with Server(answering(ok())) as server, open(ORDER_11, "rb") as message:
            result = run("-n", 4, "-c", 2, "-k", "-p", "-", server.url(), stdin=message)
        self.assert_all_ok(result, server, 4)
        self.assertEqual(server.log[3].body, self.content(ORDER_11))

    def test_standard_input_may_be_a_pipe(self):
        with Server(answering(ok())) as server:
            pipe = subprocess.Popen(["cat", ORDER_12], stdout=subprocess.PIPE)
            with pipe:
                result = run("-n", 4, "-c", 2, "-k", "-p", "-", "--validate", "off", "--verbatim", server.url(), stdin=pipe.stdout)
        self.assert_all_ok(result, server, 4)
        self.assertEqual(server.log[0].body, self.content(ORDER_12))

    def test_the_sample_messages_go_out_unchanged(self):
        for path in (ORDER_11, ORDER_12, NOTICE):
            self.assertEqual(self.first("--validate", "off", "--verbatim", body=path).body, self.content(path))

    def test_a_request_needs_no_slash_and_no_scheme(self):
        with Server(answering(ok())) as server:
            result = self.fire(f"127.0.0.1:{server.port}", 2, 1)
        self.assert_all_ok(result, server, 2)
        self.assertEqual(server.log[0].line, "POST / HTTP/1.1")
        self.assertEqual(server.log[0].value("Host"), f"127.0.0.1:{server.port}")
        self.assertLess(result.seconds, 2 * SLOWNESS)
