# SPDX-License-Identifier: Apache-2.0
"""https: who is talked to, what is refused and why, and the same promises as without TLS.

Rows of the conformance list: B038, B058, B059, B060, B061.
"""

import contextlib
import pathlib
import re
import ssl
import sys
import time

from answers import chunked, large_with_id, ok, until_close
from case import Case, mark
from check import check
from lather import ORDER_11, SLOWNESS, Running
from nginx import Nginx
from pki import PASSWORD, Pki
from s_server import SServer
from scripted_server import Server, answering
from tls_server import TlsServer, server_context

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "services" / "auth"))
import apache  # noqa: E402  pylint: disable=wrong-import-position

V10 = ssl.TLSVersion.TLSv1
V12 = ssl.TLSVersion.TLSv1_2
V13 = ssl.TLSVersion.TLSv1_3


class TlsCase(Case):
    def setUp(self):
        self.pki = Pki(self.need("openssl", "openssl"))
        self.addCleanup(self.pki.close)

    def serving(self, script=None, certificate=None, **how):
        """A TlsServer; least, most, wants and tickets are its context's."""
        context_how = {name: how.pop(name) for name in ("least", "most", "wants", "tickets", "ciphers")
                       if name in how}
        context = server_context(certificate or self.pki.server(), **context_how)
        return TlsServer(script or answering(ok()), context, **how)

    transport = "direct"

    def fire(self, target, n=20, c=4, *options, **how):
        return super().fire(target, n, c, "--transport", self.transport, *options, **how)

    def fire_tls(self, server, n=20, c=4, *options, **how):
        """A run that trusts the tests' authority."""
        return self.fire(server, n, c, "--cacert", self.pki.authority, *options, **how)

    def assert_tls_books(self, result, server):
        """The handshakes that lather counted are those that the server saw."""
        self.assert_books(result, server)
        traffic = result.json["traffic"]
        self.assertEqual(traffic["tls_full"] + traffic["tls_resumed"], result.connections_opened, result)
        self.assertEqual(traffic["tls_resumed"], server.resumed, result)
        self.assertEqual(server.handshakes, result.connections_opened, result)
        self.assertEqual(result.json["tls"]["used"], True, result)

    def assert_all_ok(self, result, server, n):
        super().assert_all_ok(result, server, n)
        self.assert_tls_books(result, server)

    def assert_tls_failure(self, result, *words, count=None):
        """Every request ended as `tls`, and the reason says these words."""
        self.assert_report(result)
        self.assert_outcomes(result, tls=count or result.finished, cut=0 if count else result.cut)
        self.assertEqual(result.report.brackets["Connect"], result.finished, result)
        self.assertEqual(len(result.failures), 1, result)
        for word in words:
            self.assertIn(word, result.failures[0]["reason"], result)
        self.assertIn(result.failures[0]["reason"], result.out)
        self.assertEqual(result.exit, 1, result)


class Checked(TlsCase):
    def test_check_tells_how_tls_was_spoken_and_why_it_was_not(self):
        with self.serving() as server:
            checked = check("--cacert", self.pki.authority, "-p", ORDER_11, server.url())
            self.assertEqual((checked.exit, checked.whole.one("verdict")), (0, "ok"), checked)
            self.assertRegex(checked.whole.one("tls"), r"^TLSv1\.\d, \w+.*, certificate of ")
            checked = check("-p", ORDER_11, server.url())
        self.assertEqual(checked.exit, 1, checked)
        self.assertTrue(checked.whole.one("verdict").startswith("tls: "), checked)
        self.assertIn("--cacert", checked.whole.one("verdict"))


class TlsRuns(TlsCase):
    # ---- good runs

    def test_keep_alive(self):
        with self.serving() as server:
            result = self.fire_tls(server, 200, 5)
        self.assert_all_ok(result, server, 200)
        self.assertEqual(server.connections, 5)
        self.assertEqual(result.report.figure("Keep-Alive requests"), 200)
        self.assertEqual(server.closed_politely, 5, result)

    def test_the_report_says_what_was_agreed_on_where_ab_says_it(self):
        with self.serving(most=V13, least=V13) as server:
            result = self.fire_tls(server, 10, 2)
        self.assert_all_ok(result, server, 10)
        self.assertRegex(result.out, re.compile(
            r"^Server Port:            \d+\n"
            r"SSL/TLS Protocol:       TLSv1\.3,TLS_AES_256_GCM_SHA384,256,256\n"
            r"Server Temp Key:        X25519 253 bits\n"
            r"TLS Server Name:        localhost\n"
            r"\nDocument Path:", re.M))
        tls = result.json["tls"]
        self.assertEqual((tls["protocol"], tls["cipher"]), ("TLSv1.3", "TLS_AES_256_GCM_SHA384"))
        self.assertEqual((tls["subject"], tls["issuer"]), ("CN=localhost", "CN=Test CA"))
        self.assertTrue(tls["verified"])
        self.assertFalse(tls["client_certificate"])

    @mark("threads")
    def test_several_threads_share_the_settings(self):
        with self.serving() as server:
            result = self.fire_tls(server, 400, 8, "--threads", 4, k=False)
        self.assert_all_ok(result, server, 400)
        self.assertEqual(server.handshakes - server.resumed, 8, result)

    def test_each_version_is_spoken(self):
        for version, name in ((V12, "TLSv1.2"), (V13, "TLSv1.3")):
            with self.serving(least=version, most=version) as server:
                result = self.fire_tls(server, 20, 2, k=False)
            self.assert_all_ok(result, server, 20)
            self.assertTrue(result.report.words("SSL/TLS Protocol").startswith(name + ","), result)

    def test_chunked_and_cut_answers(self):
        """Each byte in a record of its own; the body in chunks."""

        async def script(peer):
            while await peer.request():
                await peer.send_slowly(chunked(size=7))

        with self.serving(script) as server:
            result = self.fire_tls(server, 6, 2)
        self.assert_all_ok(result, server, 6)

    def test_a_close_after_every_few_requests(self):
        """B039: the server says close_notify while the connection is idle; that is no failure."""

        async def script(peer):
            while peer.asked < 5 and await peer.request():
                await peer.send(ok())

        with self.serving(script) as server:
            result = self.fire_tls(server, 50, 5)
        self.assert_all_ok(result, server, 50)
        self.assertGreaterEqual(result.connections_reopened, 5, result)

    def test_an_announced_close(self):
        async def script(peer):
            while peer.asked < 5 and await peer.request():
                await peer.send(ok(fields=["Connection: close"] if peer.asked == 5 else []))

        with self.serving(script) as server:
            result = self.fire_tls(server, 50, 5)
        self.assert_all_ok(result, server, 50)
        self.assertEqual(result.sent_again, 0, result)
        self.assertGreaterEqual(server.connections, 10, result)

    def test_time_wait_stays_with_the_server(self):
        """Without -k the server closes first, by close_notify and FIN; we wait for both."""
        with self.serving() as server:
            begun = time.perf_counter()
            result = self.fire_tls(server, 40, 1, k=False)
            seconds = time.perf_counter() - begun
            port = server.port
        self.assert_all_ok(result, server, 40)
        self.assertLess(seconds, 40 * 0.04 * SLOWNESS, "each close was waited for until the limit")
        waiting = {"server": 0, "client": 0}
        with open("/proc/net/tcp", encoding="ascii") as file:
            for line in file:
                fields = line.split()
                waiting["server"] += fields[3] == "06" and fields[1].endswith(f":{port:04X}")
                waiting["client"] += fields[3] == "06" and fields[2].endswith(f":{port:04X}")
        self.assertLessEqual(waiting["client"], 2, waiting)
        self.assertGreaterEqual(waiting["server"], 20, waiting)

    def test_a_server_that_waits_for_our_close_notify_gets_it(self):
        """It does not close before; waiting for the limit each time would take 50 ms."""

        async def script(peer):
            if await peer.request():
                await peer.send(ok(fields=["Connection: close"]))
                await peer.unwrap()
                peer.close()

        with self.serving(script) as server:
            begun = time.perf_counter()
            result = self.fire_tls(server, 40, 1, k=False)
            seconds = time.perf_counter() - begun
        self.assert_all_ok(result, server, 40)
        self.assertEqual(server.closed_politely, 40, result)
        self.assertLess(seconds, 40 * 0.04 * SLOWNESS, result)

    # ---- bodies

    def test_D28_large_bodies_both_ways(self):
        large = b"<a>" + b"x" * (3 << 20) + b"</a>"
        with self.serving(answering(ok(large))) as server:
            result = self.fire_tls(server, 8, 2, "--validate", "off", body=self.file(large))
        self.assert_all_ok(result, server, 8)
        self.assertEqual(result.json["counts"]["body_bytes"], 8 * len(large))

    @mark("serial")
    def test_memory_does_not_grow_with_the_message(self):
        """A server that stops reading: what is encrypted ahead is bounded. 8 messages of 16 MB, one copy, whether they
        are the same each time or have an id of their own."""
        for large in (b"<a>" + b"x" * (16 << 20) + b"</a>", large_with_id(16 << 20)):
            self.assert_one_copy(large)

    def assert_one_copy(self, large):

        async def script(peer):
            while True:
                await peer.sleep(0.2)
                if not await peer.request():
                    return
                await peer.send(ok())

        peak = {}
        for c in (1, 8):
            with self.serving(script, receive_buffer=65536) as server:
                result = self.fire_tls(server, c, c, "--validate", "off", "-b", "65536", body=self.file(large))
            self.assert_all_ok(result, server, c)
            peak[c] = result.peak_memory_bytes
        if SLOWNESS == 1:  # the sanitizer keeps what was freed, and mimalloc now and then one copy of reading the file
            self.assertLess(peak[8] - peak[1], len(large) + (4 << 20), peak)

    def test_an_early_answer_is_read_though_the_message_cannot_be_sent(self):
        """The server answers when it has read the head, and resets the connection with the body unread."""
        large = self.file(b"<a>" + b"x" * (8 << 20) + b"</a>")
        refused = dict(status=10)
        for answer, status, outcomes in ((ok(status="413 Content Too Large", fields=["Connection: close"]), 413, refused),
                                         (ok(status="401 Unauthorized"), 401, refused),
                                         (chunked(), 200, dict(ok=10)), (until_close(), 200, dict(ok=10))):
            for abrupt in (True, False):
                async def script(peer, answer=answer, abrupt=abrupt):
                    peer.set_no_delay()  # before the reset everything has been sent
                    if await peer.head():
                        await peer.send(answer)
                        if abrupt:
                            peer.reset()
                        else:
                            peer.close()

                with self.serving(script) as server:
                    result = self.fire_tls(server, 10, 2, body=large)
                self.assert_report(result)
                self.assert_outcomes(result, **outcomes)
                self.assertEqual(result.statuses, {status: 10}, result)
                self.assertEqual((result.sent_whole, result.traffic["requests_sent_partly"]), (0, 10), result)

    def test_half_an_early_answer_is_a_failure_to_receive(self):
        large = self.file(b"<a>" + b"x" * (8 << 20) + b"</a>")

        async def script(peer):
            peer.set_no_delay()
            if await peer.head():
                await peer.send(ok()[:-10])
                peer.reset()

        with self.serving(script) as server:
            result = self.fire_tls(server, 10, 2, body=large)
        self.assert_report(result)
        self.assert_outcomes(result, receive=10)

    # ---- B058: TLS has something to say in the middle of a large message

    def talk_while_sending(self, *server_options, word, options=()):
        """`openssl s_server` gets 2 MB; after a part of it, it is told `word`, an order of its own."""
        large = b"x" * (2 << 20)
        with SServer(self.pki, *server_options) as server:
            with Running(["-n", 1, "-c", 1, "-p", self.file(large), "--validate", "off", "-s", 20, "-b", 65536,
                          "--cacert", self.pki.authority, "--transport", self.transport, *options, server.url()]) as running:
                server.read(90000)
                server.say(word)
                server.read(len(large))
                server.say("HTTP/1.1 200 OK\nContent-Length: 6\nConnection: close\n\nanswer")
                result = running.end()
        self.assert_report(result)
        self.assert_outcomes(result, ok=1)
        self.assertEqual(server.body_bytes(), len(large))
        return server

    def test_B058_a_key_update_in_a_large_message(self):
        server = self.talk_while_sending("-tls1_3", word="K")
        self.assertRegex(server.words, r">>> TLS 1\.3, Handshake .*, KeyUpdate")
        self.assertRegex(server.words, r"<<< TLS 1\.3, Handshake .*, KeyUpdate")

    def test_B058_a_renegotiation_in_a_large_message(self):
        """As IIS asks for a certificate: a handshake begins while the message is being sent."""
        server = self.talk_while_sending("-tls1_2", "-no_resumption_on_reneg", word="R",
                                         options=["-E", self.pki.client()])
        self.assertRegex(server.words, r">>> TLS 1\.2, Handshake .*, HelloRequest")
        self.assertRegex(server.words, r"<<< TLS 1\.2, Handshake .*, CertificateVerify")

    # ---- the end of a connection

    def test_an_end_without_close_notify_after_a_whole_answer_is_no_failure(self):
        """Mono's TLS ends so; ab counts every request of it as failed."""
        for answer in (ok(), ok(fields=["Connection: close"]), chunked(), until_close()):
            async def script(peer, answer=answer):
                if await peer.request():
                    await peer.send(answer)
                    peer.half_close_silently()

            with self.serving(script) as server:
                result = self.fire_tls(server, 20, 2)
            self.assert_report(result)
            self.assert_outcomes(result, ok=20)
            self.assertEqual(server.requests, 20 + result.sent_again, result)

    def test_an_end_inside_a_body_is_a_failure(self):
        for polite in (True, False):
            async def script(peer, polite=polite):
                if await peer.request():
                    await peer.send(ok()[:-10])
                    if not polite:
                        peer.half_close_silently()

            with self.serving(script) as server:
                result = self.fire_tls(server, 10, 2)
            self.assert_books(result, server)
            self.assert_outcomes(result, receive=10)
            self.assertRegex(result.failures[0]["reason"], r"closed after \d+ of \d+ body bytes")

    def test_a_reset_in_a_body_is_a_failure(self):
        async def script(peer):
            if await peer.request():
                await peer.send(ok()[:-10])
                await peer.sleep(0.03)
                peer.reset()

        with self.serving(script) as server:
            result = self.fire_tls(server, 10, 2)
        self.assert_books(result, server)
        self.assert_outcomes(result, receive=10)
        self.assertIn("reset", result.failures[0]["reason"])

    def test_bytes_that_are_no_tls_in_the_middle(self):
        async def script(peer):
            if await peer.request():
                await peer.send_raw(b"HTTP/1.1 200 OK\r\n\r\n")

        with self.serving(script) as server:
            result = self.fire_tls(server, 10, 2)
        self.assert_books(result, server)
        self.assert_outcomes(result, tls=10)
        self.assertEqual(result.lost_maybe, 10, result)

    def test_bytes_behind_close_notify_are_not_looked_at(self):
        async def script(peer):
            if await peer.request():
                await peer.send(ok(fields=["Connection: close"]))
                with contextlib.suppress(ssl.SSLError):
                    peer.tls.unwrap()
                await peer.push()
                await peer.send_raw(b"more and more" * 100)
                await peer.sleep(0.02)
                await peer.send_raw(b"\x17\x03\x03\x00\x10" + b"x" * 16)

        with self.serving(script) as server:
            result = self.fire_tls(server, 10, 2)
        self.assert_report(result)
        self.assert_outcomes(result, ok=10)

    # ---- resumption

    def test_each_connection_resumes_the_session_of_the_one_before(self):
        """Each of 4 slots is a client of its own: 4 full handshakes, the rest resume."""
        for version in (V12, V13):
            with self.serving(least=version, most=version) as server:
                result = self.fire_tls(server, 40, 4, k=False)
            self.assert_all_ok(result, server, 40)
            self.assertEqual((server.handshakes, server.resumed), (40, 36), result)
            self.assertRegex(result.out, r"\n  full handshakes       4, mean [\d.]+ ms\n")
            self.assertRegex(result.out, r"\n  resumed               36, mean [\d.]+ ms\n")

    def test_no_resume_makes_each_a_full_one(self):
        for version in (V12, V13):
            with self.serving(least=version, most=version) as server:
                result = self.fire_tls(server, 20, 2, "--no-resume", k=False)
            self.assert_all_ok(result, server, 20)
            self.assertEqual((server.handshakes, server.resumed), (20, 0), result)
            self.assertFalse(result.json["tls"]["resumes"])

    def test_a_server_without_tickets_gets_full_handshakes(self):
        with self.serving(least=V13, tickets=False) as server:
            result = self.fire_tls(server, 20, 2, k=False)
        self.assert_all_ok(result, server, 20)
        self.assertEqual(server.resumed, 0)

    # ---- B059: names

    def test_B059_the_server_name_is_of_the_url_or_the_host_field(self):
        def names(options, host="localhost"):
            with self.serving() as server:
                result = self.fire_tls(server.url(host), 1, 1, *options)
            self.assert_report(result)
            return result, server.names

        result, seen = names([])
        self.assertEqual(seen, ["localhost"])
        self.assert_outcomes(result, ok=1)
        result, seen = names([], host="127.0.0.1")
        self.assertEqual(seen, [None])
        self.assert_outcomes(result, ok=1)
        self.assertFalse(result.report.has("TLS Server Name"), result)
        result, seen = names(["-I"])
        self.assertEqual(seen, [None])
        self.assert_outcomes(result, ok=1)
        result, seen = names(["-H", "Host: localhost:99"], host="127.0.0.1")
        self.assertEqual(seen, ["localhost"])
        self.assertEqual(result.report.words("TLS Server Name"), "localhost")
        self.assert_outcomes(result, ok=1)
        result, seen = names(["-H", "Host: web.example.test"])
        self.assertEqual(seen, ["web.example.test"])
        self.assert_tls_failure(result, "for localhost, not for web.example.test")

    def test_verbosity_2_shows_the_certificate_once(self):
        with self.serving() as server:
            result = self.fire_tls(server, 3, 1, "-v", 2)
        self.assert_all_ok(result, server, 3)
        self.assertEqual(result.out.count("The subject name is CN=localhost\n"), 1, result)
        self.assertEqual(result.out.count("Valid from: "), 1, result)
        self.assertIn("Public key is 256 bits\n", result.out)


class TlsRefused(TlsCase):
    # ---- the server's certificate

    def test_an_expired_certificate(self):
        with self.serving(certificate=self.pki.expired()) as server:
            result = self.fire_tls(server, 500, 4)
        self.assert_tls_failure(result, "certificate has expired", "--insecure")
        self.assertLess(result.finished, 500, "a run without any connection ends early")
        self.assertNotIn("in the message has expired", result.out)
        self.assertEqual(server.requests, 0)

    def test_a_certificate_for_another_host(self):
        with self.serving(certificate=self.pki.server("DNS:other.example.test")) as server:
            result = self.fire_tls(server)
        self.assert_tls_failure(result, "certificate is for other.example.test, not for localhost", "--insecure")

    def test_a_self_signed_certificate(self):
        with self.serving(certificate=self.pki.self_signed()) as server:
            result = self.fire_tls(server)
            self.assert_tls_failure(result, "self-signed certificate", "--cacert", "--insecure")
            trusted = self.fire(server, 20, 4, "--cacert", self.pki.self_signed())
            self.assert_outcomes(trusted, ok=20)

    def test_an_unknown_issuer(self):
        """The system's authorities do not know the tests' one."""
        with self.serving() as server:
            result = self.fire(server, env={"SSL_CERT_FILE": "/dev/null"})
        self.assert_tls_failure(result, "unknown issuer", "--cacert", "--insecure")

    def test_insecure_is_said_in_the_report(self):
        with self.serving(certificate=self.pki.expired()) as server:
            result = self.fire(server, 20, 4, "--insecure")
        self.assert_all_ok(result, server, 20)
        self.assertIn("OFF (--insecure)", result.out)
        self.assertFalse(result.json["tls"]["verified"])

    # ---- B060: versions and ciphers

    def test_B060_versions_and_ciphers_are_chosen(self):
        cases = (
            (["-f", "TLS1.2"], {}, "TLSv1.2,"),
            (["-f", "tls1.3"], {}, "TLSv1.3,"),
            (["-Z", "TLS_AES_128_GCM_SHA256"], {}, "TLSv1.3,TLS_AES_128_GCM_SHA256,256,128"),
            (["-f", "TLS1.2", "-Z", "ECDHE-ECDSA-AES128-GCM-SHA256"], {},
             "TLSv1.2,ECDHE-ECDSA-AES128-GCM-SHA256,256,128"),
        )
        for options, how, expected in cases:
            with self.serving(**how) as server:
                result = self.fire_tls(server, 4, 2, *options)
            self.assert_all_ok(result, server, 4)
            self.assertTrue(result.report.words("SSL/TLS Protocol").startswith(expected), result)

    def test_a_server_of_1_3_only(self):
        with self.serving(least=V13) as server:
            result = self.fire_tls(server, 20, 2, "-f", "TLS1.2")
        self.assert_tls_failure(result, "protocol version", "-f")

    def test_B060_a_server_of_1_0_only(self):
        """OpenSSL 3 takes part in that below its default level alone."""
        with self.serving(least=V10, most=V10, ciphers="DEFAULT@SECLEVEL=0") as server:
            refused = self.fire_tls(server, 20, 2)
            old = self.fire_tls(server, 20, 2, "-f", "TLS1", "-Z", "DEFAULT@SECLEVEL=0", k=False)
        self.assert_tls_failure(refused, "-f")
        self.assert_outcomes(old, ok=20)
        self.assertTrue(old.report.words("SSL/TLS Protocol").startswith("TLSv1,"), old)

    def test_no_cipher_in_common(self):
        with self.serving(most=V12) as server:
            result = self.fire_tls(server, 20, 2, "-Z", "AES128-SHA")
        self.assert_tls_failure(result, "handshake failure", "-Z")

    # ---- client certificates

    def test_a_client_certificate_is_wanted_and_there_is_none(self):
        """With TLS 1.2 the handshake fails; with 1.3 the first read."""
        with self.serving(wants=self.pki.authority, most=V12) as server:
            result = self.fire_tls(server)
        self.assert_tls_failure(result, "handshake failure", "-E FILE")
        self.assertEqual(result.json["traffic"]["tls_failed"], result.finished)
        with self.serving(wants=self.pki.authority, least=V13) as server:
            result = self.fire_tls(server, 20, 4)
        self.assert_tls_failure(result, "certificate required", "-E FILE", count=20)
        self.assertEqual(result.sent_again, 0, result)
        self.assertEqual(server.requests, 0)
        self.assertEqual(result.lost_maybe, result.sent_whole, result)

    def test_a_client_certificate_is_wanted_for_a_large_message(self):
        """The alert comes while the message is still being sent: it is read, not lost in a reset."""
        large = self.file(b"<a>" + b"x" * (4 << 20) + b"</a>")
        with self.serving(wants=self.pki.authority, least=V13) as server:
            result = self.fire_tls(server, 10, 2, body=large)
        self.assert_tls_failure(result, "certificate required", "-E FILE", count=10)

    def test_B060_a_client_certificate_is_shown(self):
        certificate, key = self.pki.client_apart()
        password = ["--key-password-file", self.file(PASSWORD.encode() + b"\n", ".txt")]
        ways = (
            (["-E", self.pki.client()], None),
            (["-E", certificate, "--key", key], None),
            (["-E", certificate, "--key", self.pki.locked_key(), *password], None),
            (["-E", self.pki.client_pfx(), *password], None),
            (["-E", self.pki.client_pfx()], {"LATHER_KEY_PASSWORD": PASSWORD}),
        )
        for options, env in ways:
            for version in (V12, V13):
                with self.serving(wants=self.pki.authority, least=version, most=version) as server:
                    result = self.fire_tls(server, 10, 2, *options, k=False, env=env)
                self.assert_all_ok(result, server, 10)
                self.assertEqual(server.subjects, {"alice"})
                self.assertTrue(result.json["tls"]["client_certificate"])
                self.assertNotIn(PASSWORD, result.out + str(result.json))

    def test_a_client_certificate_that_the_server_does_not_take(self):
        for version in (V12, V13):
            with self.serving(wants=self.pki.authority, least=version, most=version) as server:
                result = self.fire_tls(server, 20, 2, "-E", self.pki.stranger())
            self.assert_tls_failure(result, "alert", "does not take the client certificate")

    def test_a_client_certificate_that_has_expired_is_told_and_tried(self):
        with self.serving(wants=self.pki.authority) as server:
            result = self.fire_tls(server, 4, 2, "-E", self.pki.expired())
        self.assert_tls_failure(result, "alert", "does not take the client certificate")
        self.assertIn("has expired: the server will probably refuse it", result.err)

    def test_a_pfx_of_triple_des(self):
        """As Windows exports it by default: OpenSSL 3 still reads that by itself."""
        pfx = self.pki.client_pfx("-legacy", "-certpbe", "PBE-SHA1-3DES", "-keypbe", "PBE-SHA1-3DES")
        env = {"LATHER_KEY_PASSWORD": PASSWORD, "OPENSSL_MODULES": "/nonexistent"}
        with self.serving(wants=self.pki.authority) as server:
            result = self.fire_tls(server, 4, 2, "-E", pfx, env=env)
        self.assert_all_ok(result, server, 4)

    def test_an_old_pfx(self):
        """RC2-40, as Windows exported it: read with the legacy provider, or told what to do."""
        pfx = self.pki.client_pfx("-legacy")
        env = {"LATHER_KEY_PASSWORD": PASSWORD}
        with self.serving(wants=self.pki.authority) as server:
            result = self.fire_tls(server, 4, 2, "-E", pfx, env=env)
            self.assert_all_ok(result, server, 4)
            refused = self.fire_tls(server, 4, 2, "-E", pfx, env={**env, "OPENSSL_MODULES": "/nonexistent"})
        if refused.exit != 0:  # 0: the provider is part of the program, as in the self-contained binaries
            self.assertEqual(refused.exit, 2, refused)
            self.assertIn("openssl pkcs12 -legacy", refused.err)

    # ---- what is no TLS

    def test_plain_http_on_the_port(self):
        async def script(peer):
            await peer.send(ok(status="400 Bad Request"))

        with Server(script) as server:
            result = self.fire_tls(server.url().replace("http:", "https:"))
        self.assert_tls_failure(result, "use http://")

    def test_B038_http_to_a_tls_port(self):
        """OpenSSL's own answer is an alert; nginx, Apache and others say it in a page."""

        async def alert(peer):
            await peer.head()
            await peer.send(b"\x15\x03\x01\x00\x02\x02\x46")

        with Server(alert) as server:
            result = self.fire(server, 10, 2)
        self.assert_outcomes(result, protocol=10)
        self.assertIn("use https://", result.failures[0]["reason"])
        page = b"<center>The plain HTTP request was sent to HTTPS port</center>"
        for options in ((), ("--validate", "off")):
            with Server(answering(ok(page, "400 Bad Request", ["Connection: close"], "text/html"))) as server:
                result = self.fire(server, 10, 2, *options)
            self.assert_books(result, server)
            self.assert_outcomes(result, status=10)
            self.assertIn("use https://", result.failures[0]["reason"])
            self.assertNotIn("empty 400", result.out, "the reason is known")

    def test_a_server_that_ends_the_handshake(self):
        for reset in (True, False):
            async def script(peer, reset=reset):
                await peer.arrival()
                if reset:
                    peer.reset()

            with Server(script) as server:
                result = self.fire_tls(server.url().replace("http:", "https:"))
            self.assert_tls_failure(result, "reset" if reset else "closed", "during the handshake")

    @mark("serial")
    def test_a_handshake_that_never_comes_ends_in_time(self):
        async def script(peer):
            await peer.hang()

        for options, limit_s in ((("-s", "500ms"), 0.5), (("-s", "5", "--connect-timeout", "300ms"), 0.3)):
            with Server(script) as server:
                result = self.fire_tls(server.url().replace("http:", "https:"), 4, 4, *options)
            self.assert_tls_failure(result, "no handshake in time", count=4)
            times = result.failed_times
            self.assertGreaterEqual(times["min_ms"], limit_s * 1000, result)
            self.assertLess(times["max_ms"], limit_s * 1000 + 1000 * SLOWNESS, result)

    def test_other_addresses_are_not_tried_after_a_tls_failure(self):
        with self.serving(certificate=self.pki.expired()) as server:
            result = self.fire_tls(server, 5, 1)
        self.assert_tls_failure(result, "expired", count=5)
        self.assertLessEqual(server.connections, 5, result)

    # ---- bad input

    def refused(self, *options, names, env=None):
        result = self.fire("https://localhost:1/", 1, 1, *options, env=env)
        self.assertEqual(result.exit, 2, result)
        self.assertFalse(result.report.is_there, result)
        for name in names:
            self.assertIn(name, result.err, result)

    def test_files_and_names_that_are_wrong_are_refused_before_the_first_request(self):
        certificate, key = self.pki.client_apart()
        nothing = self.file(b"")
        pem = pathlib.Path(certificate).read_text(encoding="ascii")
        behind = self.file((pathlib.Path(self.pki.authority).read_text(encoding="ascii") + pem).encode())
        der = self.file(ssl.PEM_cert_to_DER_cert(pem))
        self.refused("--cacert", der, names=["--cacert", "openssl x509 -inform DER"])
        self.refused("--cacert", "/nonexistent.pem", names=["--cacert", "/nonexistent.pem"])
        self.refused("--cacert", nothing, names=["--cacert", "no certificate"])
        self.refused("--cacert", self.pki.authority, "--insecure", names=["--cacert", "--insecure"])
        for options in (["--insecure"], ["--cacert", self.pki.authority]):
            self.refused(*options, "-E", "/nonexistent.pem", names=["-E", "/nonexistent.pem"])
            self.refused(*options, "-E", certificate, names=["-E", "--key"])
            self.refused(*options, "-E", certificate, "--key", "/nonexistent.key", names=["--key", "/nonexistent.key"])
            self.refused(*options, "-E", certificate, "--key", "/proc/self/mem", names=["--key", "/proc/self/mem"])
            self.refused(*options, "-E", certificate, "--key", "/", names=["--key", "directory"])
            self.refused(*options, "-E", certificate, "--key", nothing, names=["--key", "no private key"])
            self.refused(*options, "-E", self.file(b"-----BEGIN CERTIFICATE-----\nMIIB\n"), "--key", key,
                         names=["-E", "no certificate"])
            self.refused(*options, "-E", self.pki.stranger(), "--key", key, names=["-E", "private key"])
            self.refused(*options, "-E", key, names=["-E", "--key the key"])
            self.refused(*options, "-E", behind, "--key", key, names=["-E", "further down"])
            self.refused(*options, "-E", der, "--key", key, names=["-E", "openssl x509 -inform DER"])
            self.refused(*options, "-E", certificate, "--key", self.pki.locked_key(), "--key-password-file", self.file(b"\n"),
                         names=["--key", "empty"])
            self.refused(*options, "-E", self.pki.client_pfx(), names=["-E", "--key-password-file"])
            self.refused(*options, "-E", self.pki.client_pfx(), names=["-E", "wrong password"],
                         env={"LATHER_KEY_PASSWORD": "wrong"})
            self.refused(*options, "-Z", "NOSUCH", names=["-Z", "NOSUCH"])
            self.refused(*options, "-f", "TLS2", names=["-f", "TLS1.3"])
        self.refused("--key", key, names=["--key", "-E"])


class TlsNginx(TlsCase):
    """The same against a server that nobody here wrote."""

    def nginx(self, **settings):
        return Nginx(self.need("nginx", "nginx"), tls=self.pki.server(), **settings)

    def good(self, server, n, c, *options, **how):
        result = self.fire_tls(server.url(), n, c, *options, **how)
        self.assert_report(result)
        self.assert_outcomes(result, ok=n)
        self.assertEqual(result.exit, 0, result)
        return result

    def test_nginx_keep_alive(self):
        with self.nginx() as server:
            result = self.good(server, 3000, 20)
        self.assertEqual(server.requests, 3000)
        self.assertEqual(result.connections_opened, 20)

    def test_nginx_a_new_connection_each(self):
        for options, resumed in (((), 490), (("--no-resume",), 0)):
            with self.nginx() as server:
                result = self.good(server, 500, 10, *options, k=False)
            self.assertEqual(server.requests, 500)
            self.assertEqual(server.resumed, resumed, result)
            self.assertEqual(result.json["traffic"]["tls_resumed"], resumed, result)
            self.assertEqual(result.connections_opened, 500)

    def test_nginx_closes_after_every_few_requests(self):
        with self.nginx(keepalive_requests=10) as server:
            result = self.good(server, 1000, 5)
        self.assertEqual(server.requests, 1000)
        self.assertEqual(result.sent_again, 0, result)
        self.assertGreaterEqual(result.connections_opened, 100)

    def test_B038_nginx_is_spoken_to_in_the_clear(self):
        with self.nginx() as server:
            result = self.fire(server.url().replace("https:", "http:"), 20, 4)
        self.assert_report(result)
        self.assert_outcomes(result, status=20)
        self.assertIn("use https://", result.failures[0]["reason"], result)

    def test_nginx_wants_a_client_certificate(self):
        """It does not refuse the handshake, but answers 400."""
        with self.nginx(wants=self.pki.authority) as server:
            refused = self.fire_tls(server.url(), 20, 4, k=False)
            self.good(server, 20, 4, "-E", self.pki.client())
        self.assert_outcomes(refused, status=20)
        self.assertEqual(len(refused.failures), 1, refused)
        self.assertIn("-E FILE", refused.failures[0]["reason"], refused)


class TlsApache(TlsCase):
    """Client certificates as IIS and Apache want them: for a path alone, when the request was read."""

    def serving_apache(self, behind, version, **settings):
        if apache.missing():
            self.skipTest(f"packages are not installed: {apache.missing()}")
        return apache.TlsApache(behind.port, self.pki, version, **settings)

    def try_certificates(self, version, **settings):
        large = self.file(b"<a>" + b"x" * 100000 + b"</a>")
        for body in (ORDER_11, large):
            with Server(answering(ok())) as behind, self.serving_apache(behind, version, **settings) as front:
                for options, words in (((), ("alert", "the server wants a client certificate: -E FILE")),
                                       (("-E", self.pki.stranger()), ("alert", "does not take the client certificate"))):
                    result = self.fire_tls(front.url("/cert"), 12, 3, *options, body=body)
                    self.assert_tls_failure(result, *words)
                self.assertEqual(behind.requests, 0)
                for k, connections in ((True, 3), (False, 12)):
                    result = self.fire_tls(front.url("/cert"), 12, 3, "-E", self.pki.client(), k=k, body=body)
                    self.assert_report(result)
                    self.assert_outcomes(result, ok=12)
                    self.assertEqual(result.connections_opened, connections, result)
                self.assertEqual(behind.requests, 24)

    def test_a_client_certificate_for_a_path_by_renegotiation(self):
        self.try_certificates("TLSv1.2")

    def test_a_client_certificate_for_a_path_after_the_handshake(self):
        self.try_certificates("TLSv1.3")

    def test_apache_wants_a_client_certificate_at_once(self):
        for version in ("TLSv1.2", "TLSv1.3"):
            self.try_certificates(version, at_once=True)

    def test_B061_a_message_beyond_the_buffer_of_a_renegotiation(self):
        """The server must keep the message while it asks for the certificate: 128 KiB and no more."""
        large = self.file(b"<a>" + b"x" * 300000 + b"</a>")
        for version in ("TLSv1.2", "TLSv1.3"):
            with Server(answering(ok())) as behind, self.serving_apache(behind, version) as front:
                result = self.fire_tls(front.url("/cert"), 12, 3, "-E", self.pki.client(), body=large)
            self.assert_report(result)
            self.assert_outcomes(result, status=12)
            self.assertEqual(result.statuses, {413: 12}, result)
            self.assertEqual(behind.requests, 0)
            self.assertIn("SSLRenegBufferSize", " ".join(result.notes), result)


# ---- the same through libcurl

def through_curl(kind):
    """A class with each test of `kind` once more, through the curl transport."""
    methods = {name + "_through_curl": method for name, method in vars(kind).items()
               if name.startswith("test_")}
    helpers = {name: value for name, value in vars(kind).items()
               if not name.startswith(("test_", "__"))}
    return type(kind.__name__ + "Curl", (TlsCase,), {**helpers, **methods, "transport": "curl"})


TlsRunsCurl = through_curl(TlsRuns)
TlsRefusedCurl = through_curl(TlsRefused)
TlsNginxCurl = through_curl(TlsNginx)
TlsApacheCurl = through_curl(TlsApache)
