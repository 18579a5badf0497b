# SPDX-License-Identifier: Apache-2.0
"""HTTP/2 against nginx: agreed on under TLS, and from the first byte without."""

from answers import ok
from case import Case
from nginx import Nginx
from pki import Pki
from scripted_server import Server, answering
from tls_server import TlsServer, server_context


class Http2(Case):
    def setUp(self):
        self.pki = Pki(self.need("openssl", "openssl"))
        self.addCleanup(self.pki.close)

    def nginx(self, **settings):
        return Nginx(self.need("nginx", "nginx"), http2=True, **settings)

    def good(self, server, n, c, *options, path="/OrderService.svc", **how):
        result = self.fire(server.url(path=path), n, c, "--http2", *options, **how)
        self.assert_report(result)
        self.assert_outcomes(result, ok=n)
        self.assertEqual(result.statuses, {200: n}, result)
        self.assertEqual(result.exit, 0, result)
        return result

    def test_http2_is_agreed_on_under_tls(self):
        with self.nginx(tls=self.pki.server()) as server:
            result = self.good(server, 400, 8, "--cacert", self.pki.authority)
        self.assertEqual((server.requests, server.http2), (400, 400))
        self.assertEqual(result.connections_opened, 8, "one connection a slot, one request at a time on it")

    def test_http2_without_tls_begins_with_the_first_byte(self):
        with self.nginx() as server:
            result = self.good(server, 400, 8)
        self.assertEqual((server.requests, server.http2), (400, 400))
        if "on a kept connection" not in result.err:  # libcurl 7.88, said in a note
            self.assertEqual(result.connections_opened, 8)

    def test_a_large_message_goes_through_http2(self):
        """More than the first flow-control window of 64 KiB."""
        large = b"<a>" + b"x" * 900000 + b"</a>"
        with Server(answering(ok())) as behind:
            with self.nginx(tls=self.pki.server(), backend=behind.port) as server:
                result = self.good(server, 12, 3, "--cacert", self.pki.authority, path="/passed",
                                   body=self.file(large))
        self.assertEqual(server.http2, 12)
        self.assertTrue(all(request.body == large for request in behind.log))
        self.assertEqual((result.sent_whole, behind.requests), (12, 12))
        self.assertGreaterEqual(result.bytes_sent, 12 * len(large))

    def test_a_server_that_says_goodbye_is_connected_to_again(self):
        """GOAWAY after 50 requests a connection."""
        with self.nginx(keepalive_requests=50, tls=self.pki.server()) as server:
            result = self.good(server, 600, 4, "--cacert", self.pki.authority)
        self.assertEqual(server.requests, 600 + result.sent_again)
        self.assertGreaterEqual(result.connections_opened, 12)

    def test_a_server_of_http_1_only_is_spoken_to_in_http_1(self):
        with TlsServer(answering(ok()), server_context(self.pki.server())) as server:
            result = self.good(server, 12, 3, "--cacert", self.pki.authority)
        self.assertEqual(server.requests, 12)
        self.assertEqual(result.connections_opened, 3)

    def test_a_server_without_http2_and_tls_is_told(self):
        with Server(answering(ok(b"", "400 Bad Request", content_type=None))) as server:
            result = self.fire(server, 4, 2, "--http2", "-s", "5s")
        self.assert_report(result)
        self.assertEqual(result.outcomes["ok"], 0, result)
        self.assertEqual(result.finished, result.failed)
        self.assertTrue(result.failures[0]["reason"])

    def test_http2_and_what_it_cannot_carry_contradict_each_other(self):
        for options, name in ((("--ntlm", "-A", "a:b"), "--ntlm"), (("--transport", "direct"), "direct")):
            result = self.fire("http://127.0.0.1:1/", 1, 1, "--http2", *options)
            self.assertEqual(result.exit, 2, result)
            self.assertIn("--http2", result.err)
            self.assertIn(name, result.err)
