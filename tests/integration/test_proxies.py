# SPDX-License-Identifier: Apache-2.0
"""Through proxies: plain requests passed on, tunnels, SOCKS5; and what is no proxy."""

from answers import ok
from case import Case
from lather import ORDER_11, run
from proxy_server import Proxy, speak_http, speak_socks5
from pki import Pki
from scripted_server import ReservedPort, Server, answering
from tls_server import TlsServer, server_context


class Proxies(Case):
    def assert_through(self, result, server, proxy, n, connections):
        self.assert_report(result)
        self.assert_outcomes(result, ok=n)
        self.assertEqual(proxy.errors, [])
        self.assertEqual(server.errors, [])
        self.assertEqual(server.requests, n)
        self.assertEqual(server.requests, result.sent_whole, result)
        self.assertEqual((proxy.connections, server.connections), (connections, connections))
        self.assertEqual(result.exit, 0, result)

    # ---- HTTP

    def test_a_plain_request_goes_through_an_http_proxy(self):
        for k in (True, False):
            with Server(answering(ok())) as server, Proxy(speak_http) as proxy:
                result = self.fire(server, 12, 3, "-X", proxy.address(), k=k)
            self.assert_through(result, server, proxy, 12, 3 if k else 12)
            self.assertTrue(all(request.line.startswith("POST http://127.0.0.1:") for request in server.log))
            self.assertEqual(server.bytes_in, result.bytes_sent)
            self.assertEqual(server.bytes_out, result.bytes_received)

    def test_https_goes_through_a_tunnel(self):
        pki = Pki(self.need("openssl", "openssl"))
        self.addCleanup(pki.close)
        with TlsServer(answering(ok()), server_context(pki.server())) as server, Proxy(speak_http) as proxy:
            result = self.fire(server.url(), 12, 3, "-X", proxy.address(), "--cacert", pki.authority)
        self.assert_through(result, server, proxy, 12, 3)
        self.assertEqual(proxy.targets, [("localhost", server.port)] * 3)
        self.assertEqual(server.bytes_in, result.bytes_sent, "what the proxy was told is none of the service's bytes")

    def test_a_proxy_that_wants_credentials_gets_them(self):
        with Server(answering(ok())) as server, Proxy(speak_http, credentials="bob:hush") as proxy:
            result = self.fire(server, 8, 2, "-X", proxy.address(), "-P", "bob:hush")
        self.assert_through(result, server, proxy, 8, 2)
        self.assertEqual(proxy.refused, 0)

    def test_wrong_credentials_for_a_proxy_are_its_407(self):
        with Server(answering(ok())) as server, Proxy(speak_http, credentials="bob:hush") as proxy:
            result = self.fire(server, 6, 2, "-X", proxy.address(), "-P", "bob:wrong")
        self.assert_report(result)
        self.assert_outcomes(result, status=6)
        self.assertEqual(result.statuses, {407: 6}, result)
        self.assertEqual(server.requests, 0)
        self.assertIn("the proxy refused the credentials of -P", result.out)

    def test_a_tunnel_refused_is_no_connection_and_says_why(self):
        pki = Pki(self.need("openssl", "openssl"))
        self.addCleanup(pki.close)
        with TlsServer(answering(ok()), server_context(pki.server())) as server, \
                Proxy(speak_http, credentials="bob:hush") as proxy:
            result = self.fire(server.url(), 4, 2, "-X", proxy.address(), "--cacert", pki.authority)
        self.assert_report(result)
        self.assertEqual(result.finished, result.outcomes["connect"], result)
        self.assertIn("the proxy wants credentials: -P", result.failures[0]["reason"])
        self.assertEqual(server.connections, 0)

    # ---- SOCKS

    def test_socks5_reaches_the_service(self):
        for scheme, host in (("socks5://", "127.0.0.1"), ("socks5h://", "localhost")):
            with Server(answering(ok())) as server, Proxy(speak_socks5) as proxy:
                result = self.fire(server.url(host), 12, 3, "-X", proxy.address(scheme))
            self.assert_through(result, server, proxy, 12, 3)
            self.assertEqual(proxy.targets, [(host, server.port)] * 3)
            self.assertEqual(server.bytes_in, result.bytes_sent)
            self.assertEqual(server.bytes_out, result.bytes_received)

    def test_what_socks5_says_is_none_of_the_services_bytes(self):
        for k, empty in ((True, True), (True, False), (False, True), (False, False)):
            answer, options = (ok(b"", "202 Accepted"), ["--one-way"]) if empty else (ok(), [])
            with Server(answering(answer)) as server, Proxy(speak_socks5) as proxy:
                result = self.fire(server, 12, 3, "-X", proxy.address("socks5://"), *options, k=k)
            self.assert_through(result, server, proxy, 12, 3 if k else 12)
            self.assertEqual(server.bytes_out, result.bytes_received)
            self.assertEqual((result.traffic["connections_strayed"], result.traffic["stray_bytes"]), (0, 0), result)

    def test_socks5_takes_credentials(self):
        with Server(answering(ok())) as server, Proxy(speak_socks5, credentials="bob:hush") as proxy:
            result = self.fire(server, 8, 2, "-X", proxy.address("socks5://"), "-P", "bob:hush")
        self.assert_through(result, server, proxy, 8, 2)

    def test_socks5_that_refuses_is_no_connection(self):
        for given in ((), ("-P", "bob:wrong")):
            with Server(answering(ok())) as server, Proxy(speak_socks5, credentials="bob:hush") as proxy:
                result = self.fire(server, 4, 2, "-X", proxy.address("socks5://"), *given)
            self.assert_report(result)
            self.assertEqual(result.finished, result.outcomes["connect"], result)
            self.assertGreater(result.finished, 0)
            self.assertEqual(server.connections, 0)
            self.assertIn("-P", result.failures[0]["reason"])

    def test_a_service_that_refuses_behind_socks_is_no_connection(self):
        with ReservedPort() as nobody, Proxy(speak_socks5) as proxy:
            result = self.fire(nobody.url(), 4, 2, "-X", proxy.address("socks5://"))
        self.assert_report(result)
        self.assertEqual(result.finished, result.outcomes["connect"], result)

    # ---- no proxy

    def test_a_proxy_that_is_not_there_is_no_connection(self):
        with Server(answering(ok())) as server, ReservedPort() as nobody:
            result = self.fire(server, 4, 2, "-X", f"127.0.0.1:{nobody.port}")
        self.assert_report(result)
        self.assertEqual(result.finished, result.outcomes["connect"], result)
        self.assertIn("refused", result.failures[0]["reason"])
        self.assertIn(f"nobody listens at the proxy http://127.0.0.1:{nobody.port}.", " ".join(result.notes), result)
        self.assertIn(f"refused, on the way to the proxy http://127.0.0.1:{nobody.port} (", " ".join(result.notes), result)
        self.assertEqual(server.connections, 0)
        checked = run("check", "-p", ORDER_11, "-X", f"127.0.0.1:{nobody.port}", server.url(), with_json=False)
        self.assertRegex(checked.out, rf"sent: +nothing \(connection refused, on the way to the proxy http://127.0.0.1:{nobody.port}\)")

    def test_what_is_no_address_of_a_proxy_is_refused(self):
        for given, names in (("ftp://h:1", ["no proxy that can be spoken to"]), ("h", ["no port"]), ("h:99999", ["h:99999"]),
                             ("", ["-X"]), ("no such host:1", ["-X"])):
            result = self.fire("http://127.0.0.1:1/", 1, 1, "-X", given)
            self.assertEqual(result.exit, 2, result)
            for name in ("-X", *names):
                self.assertIn(name, result.err, result)

    def test_a_server_that_is_no_proxy_is_told(self):
        pki = Pki(self.need("openssl", "openssl"))
        self.addCleanup(pki.close)
        """By what it says, or by what it does not say in time."""
        nothing = answering(ok(b"", "404 Not Found", content_type=None))
        for script, target in ((nothing, "https://localhost:1/"), (answering(b"SSH-2.0-x\r\n"), "https://localhost:1/")):
            with Server(script) as server:
                result = self.fire(target, 2, 1, "-X", f"127.0.0.1:{server.port}", "--cacert", pki.authority, "-s", "2s")
            self.assert_report(result)
            if script is nothing:
                self.assertIn("is it a proxy (-X)", result.failures[0]["reason"])
            self.assertEqual(result.finished, result.outcomes["connect"], result)
            self.assertIn("CONNECT tunnel failed, response 404" if script is nothing else "does one of this kind",
                          result.failures[0]["reason"])
        with Server(nothing) as server:
            result = self.fire("http://127.0.0.1:1/", 2, 1, "-X", f"socks5://127.0.0.1:{server.port}", "-s", "2s")
        self.assert_report(result)
        self.assertEqual(result.finished, result.outcomes["connect"], result)
