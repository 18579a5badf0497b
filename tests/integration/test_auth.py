# SPDX-License-Identifier: Apache-2.0
"""NTLM, Digest and Basic against scripted servers that check every byte of the credentials.

Rows of the conformance list: B062, B064, B065, B066, B067, B068.
"""

import re

import base64

import digest
import lather
import ntlm
from answers import ENVELOPE, chunked, head, large_with_id, ok
from case import Case
from scripted_server import Server, answering

ALICE = ("-A", r"CORP\alice:secret")
WRONG = ("-A", r"CORP\alice:wrong")


def guarded(gate_of):
    """A script behind a gate: gate_of(peer) is asked once a connection."""

    async def script(peer):
        gate = gate_of(peer)
        while request := await peer.request():
            fields = gate.admit(request)
            answer = ok() if fields is None else ok(b"who?", "401 Unauthorized", fields, "text/plain")
            if not await peer.send(answer):
                return
            if (request.value("Connection") or "").lower() == "close":
                return

    return script


class Auth(Case):
    def assert_auth_books(self, result, server):
        """As assert_books, with the legs of handshakes, which the server counts as requests."""
        self.assert_report(result)
        self.assertEqual(server.errors, [], "the scripted server failed")
        self.assertEqual(server.requests, result.sent_whole + result.traffic["auth_legs"], result)
        self.assertEqual(server.bytes_in, result.bytes_sent, result)
        self.assertEqual(server.bytes_out, result.bytes_received, result)
        self.assertEqual(server.connections, result.connections_opened, result)

    def assert_refused(self, result, n):
        self.assert_outcomes(result, status=n)
        self.assertEqual(result.statuses, {401: n}, result)
        self.assertEqual(result.exit, 1, result)
        self.assertIn("the server refused the credentials of -A", result.out)

    # ---- NTLM

    def ntlm_run(self, n, c, *options, user=ALICE, gate=ntlm.Gate, k=True):
        with Server(guarded(lambda _: gate())) as server:
            result = self.fire(server, n, c, "--ntlm", *user, *options, k=k)
        self.assert_auth_books(result, server)
        return result, server

    def test_B064_an_ntlm_identity_stays_on_its_connection(self):
        """Two hundred connections, twenty requests each: one handshake a connection, whatever the order."""
        result, server = self.ntlm_run(4000, 200)
        self.assert_outcomes(result, ok=4000)
        self.assertEqual(server.connections, 200)
        self.assertEqual(result.traffic["auth_handshakes"], 200, result)
        self.assertEqual(result.traffic["auth_legs"], 200, result)
        self.assertEqual(result.report.failed, 0)
        self.assertEqual(result.exit, 0, result)

    def test_a_large_message_with_an_id_is_sent_whole_behind_its_handshake(self):
        """libcurl reads it where it lies, and again from its beginning where a leg took it in vain."""
        body = self.file(large_with_id(400000))
        length = len(large_with_id(400000))
        for scheme, user, gate_of in (("--ntlm", ALICE, lambda _: ntlm.Gate()),
                                      ("--digest", ("-A", "alice:secret"), lambda _, gate=digest.Gate(uses=3): gate)):
            with Server(guarded(gate_of)) as server:
                result = self.fire(server, 12, 2, scheme, *user, "--validate", "off", body=body)
            self.assert_auth_books(result, server)
            self.assert_outcomes(result, ok=12)
            bodies = [request.body for request in server.log if request.body]
            self.assertGreaterEqual(len(bodies), 12)
            self.assertEqual({(len(each), each[:12], each[-13:]) for each in bodies},
                             {(length, b"<s:Envelope ", b"</s:Envelope>")})
            self.assertGreaterEqual(len(set(bodies)), 12, "each has an id of its own")

    def test_legs_of_a_warm_up_are_counted_with_it(self):
        with Server(guarded(lambda _: ntlm.Gate())) as server:
            result = self.fire(server, 10, 2, "--ntlm", *ALICE, "--warmup", 6)
        self.assert_report(result)
        warmup = result.json["warmup"]
        self.assertGreater(warmup["auth_legs"], 0, result)
        self.assertEqual(server.requests, result.sent_whole + result.traffic["auth_legs"] +
                         warmup["requests_sent_whole"] + warmup["auth_legs"], result)
        self.assertRegex(result.out, rf"\nWarm-up: .*, {warmup['auth_legs']} handshake legs in ")

    def test_B065_ntlm_without_kept_connections_shakes_hands_on_each(self):
        result, server = self.ntlm_run(20, 4, k=False)
        self.assert_outcomes(result, ok=20)
        self.assertEqual(server.connections, 20)
        self.assertEqual(result.traffic["auth_handshakes"], 20, result)

    def test_B066_the_legs_of_ntlm_expect_nothing_and_carry_no_body(self):
        _, server = self.ntlm_run(6, 2)
        for request in server.log:
            self.assertIsNone(request.value("Expect"))
        legs = [request for request in server.log if not request.body]
        self.assertEqual(len(legs), 2, "the first leg goes out without the message")

    def test_B067_a_handshake_for_every_request_is_diagnosed(self):
        class Forgetful(ntlm.Gate):
            """authPersistSingleRequest."""

            def admit(self, request):
                fields = super().admit(request)
                self.is_open = False
                return fields

        result, _ = self.ntlm_run(20, 2, gate=Forgetful)
        self.assert_outcomes(result, ok=20)
        self.assertEqual(result.traffic["auth_handshakes"], 20, result)
        self.assertIn("authPersistSingleRequest", " ".join(result.notes))

    def test_a_service_that_asks_for_nothing_is_told(self):
        """libcurl keeps the message back until it is asked or answered: a request more each time."""
        class Open(ntlm.Gate):
            def admit(self, request):
                return None

        result, server = self.ntlm_run(20, 2, gate=Open)
        self.assert_outcomes(result, ok=20)
        self.assertEqual(len([request for request in server.log if request.body]), 20, "each message came")
        self.assertIn("called without a scheme", " ".join(result.notes))

    def test_a_wrong_ntlm_password_is_told(self):
        result, server = self.ntlm_run(12, 3, user=WRONG)
        self.assert_refused(result, 12)
        self.assertEqual(server.requests, result.sent_whole + result.traffic["auth_legs"])
        self.assertNotIn("authPersistSingleRequest", result.out, "who is refused is never remembered")
        self.assertNotIn("wants HTTP authentication", result.out, "the reason says it better")

    def test_a_handshake_without_end_is_the_401_that_it_says(self):
        class Endless(ntlm.Gate):
            def admit(self, request):
                return ["WWW-Authenticate: NTLM " + base64.b64encode(ntlm.challenge(b"12345678")).decode()]

        class Stale:
            def admit(self, request):
                return ['WWW-Authenticate: Digest realm="r", nonce="n", qop="auth", stale=true']

        for scheme, user, gate in (("--ntlm", ALICE, Endless), ("--digest", ("-A", "alice:secret"), Stale)):
            with Server(guarded(lambda _, gate=gate: gate())) as server:
                result = self.fire(server, 6, 2, scheme, *user)
            self.assert_auth_books(result, server)
            self.assert_outcomes(result, status=6)
            self.assertEqual(result.statuses, {401: 6}, result)
            self.assertIn("asks again and again", result.failures[0]["reason"])
            self.assertLessEqual(server.requests, 6 * 12, "it was not asked for ever")

    def test_a_server_that_closes_inside_a_handshake_is_told(self):
        def closing(says_so, resets):
            async def script(peer):
                while request := await peer.request():
                    if message_is(request, 3):
                        peer.reset()
                        return
                    nonce = "NTLM " + base64.b64encode(ntlm.challenge(b"12345678")).decode()
                    fields = [f"WWW-Authenticate: {nonce}"] + (["Connection: close"] if says_so else [])
                    await peer.send(ok(b"who?", "401 Unauthorized", fields, "text/plain"))
                    if not resets:
                        return
            return script

        def message_is(request, number):
            text = (request.value("Authorization") or "").partition(" ")[2]
            return ntlm.message_type(base64.b64decode(text)) == number

        with Server(closing(True, False)) as server:
            result = self.fire(server, 6, 2, "--ntlm", *ALICE)
        self.assert_outcomes(result, status=6)
        self.assertIn("in the middle of a handshake", result.failures[0]["reason"])
        with Server(closing(False, True)) as server:
            result = self.fire(server, 6, 2, "--ntlm", *ALICE)
        self.assert_report(result)
        self.assert_outcomes(result, receive=6)
        self.assertIn("in the middle of a handshake", result.failures[0]["reason"])
        self.assertEqual(sum(1 for request in server.log if request.body), 12, "each message once more, and no more")
        self.assertEqual((result.sent_whole, result.sent_again), (12, 6), result)

    def test_a_server_without_ntlm_is_told(self):
        class Other(ntlm.Gate):
            def admit(self, request):
                return ['WWW-Authenticate: Basic realm="orders"']

        result, _ = self.ntlm_run(6, 2, gate=Other)
        self.assert_outcomes(result, status=6)
        self.assertIn("the server does not offer NTLM", result.out)

    def test_a_server_that_wants_nothing_gets_the_message_all_the_same(self):
        """The first leg is answered 200 where nobody asks: that is no answer to the message."""
        class Open(ntlm.Gate):
            def admit(self, request):
                return None

        result, server = self.ntlm_run(6, 2, gate=Open)
        self.assert_outcomes(result, ok=6)
        self.assertEqual(len([request for request in server.log if request.body]), 6, "each message arrived")

    def open_at_once(self, scheme, empty):
        """A run whose requests without the message are answered by these bytes, messages by a 200."""
        async def script(peer):
            while request := await peer.request():
                if not await peer.send(ok() if request.body else empty):
                    return

        with Server(script) as server:
            result = self.fire(server, 6, 2, scheme, "-A", "alice:secret")
        self.assert_auth_books(result, server)
        return result, sum(1 for request in server.log if request.body)

    def test_an_empty_success_to_the_first_leg_is_no_answer_to_the_message(self):
        for scheme in ("--digest", "--ntlm"):
            for empty in (ok(b"", "202 Accepted"), ok(b"", "200 OK"), head("204 No Content"), chunked(b"", size=1)):
                result, messages = self.open_at_once(scheme, empty)
                self.assert_outcomes(result, ok=6)
                self.assertEqual((messages, result.sent_whole), (6, 6), result)

    def test_a_message_that_a_refused_first_leg_kept_back_was_not_sent(self):
        for scheme, name in (("--digest", "Digest"), ("--ntlm", "NTLM")):
            for status, body in (("400 Bad Request", b""), ("405 Method Not Allowed", b"no"), ("500 Oops", ENVELOPE),
                                 ("302 Found", b"")):
                result, messages = self.open_at_once(scheme, ok(body, status))
                self.assert_outcomes(result, send=6)
                self.assertEqual((messages, result.sent_whole), (0, 0), result)
                self.assertEqual((result.statuses, result.exit), ({}, 1), result)
                self.assertEqual([group["reason"] for group in result.failures],
                                 [f"the message was not sent: {status[:3]} to the empty request that begins {name}"])

    # ---- Digest

    def digest_run(self, n, c, *options, user=("-A", "alice:secret"), k=True, **how):
        gate = digest.Gate(**how)
        with Server(guarded(lambda _: gate)) as server:
            result = self.fire(server, n, c, "--digest", *user, *options, k=k)
        self.assert_auth_books(result, server)
        return result, gate

    def test_digest_answers_each_request_with_a_count_of_its_own(self):
        for k in (True, False):
            result, gate = self.digest_run(40, 4, k=k)
            self.assert_outcomes(result, ok=40)
            self.assertEqual(sum(map(len, gate.counts.values())), 40)

    def test_digest_survives_stale_nonces(self):
        result, gate = self.digest_run(40, 4, uses=3)
        self.assert_outcomes(result, ok=40)
        self.assertGreater(gate.stale, 0)

    def test_digest_by_sha_256(self):
        for algorithms in (("SHA-256",), ("SHA-256", "MD5"), ("MD5", "SHA-256")):
            result, _ = self.digest_run(8, 2, algorithms=algorithms)
            self.assert_outcomes(result, ok=8)

    def test_a_wrong_digest_password_is_told(self):
        result, _ = self.digest_run(12, 3, user=("-A", "alice:wrong"))
        self.assert_refused(result, 12)

    # ---- Basic

    def test_B062_basic_goes_with_the_first_request(self):
        """One scheme, no leg in vain, also with a large message; the connection is used again."""
        large = self.file(b"<a>" + b"x" * 400000 + b"</a>")
        for transport in ("direct", "curl"):
            class Basic:
                def admit(self, request):
                    right = request.values("Authorization") == ["Basic YWxpY2U6c2VjcmV0"]
                    return None if right else ['WWW-Authenticate: Basic realm="orders"']

            with Server(guarded(lambda _: Basic())) as server:
                result = self.fire(server, 20, 4, "--transport", transport, "-A", "alice:secret", body=large)
            self.assert_all_ok(result, server, 20)
            self.assertEqual(server.connections, 4)

    # ---- what a build has not

    def test_B068_a_scheme_that_the_build_lacks_is_named_by_version_and_option(self):
        """Each is in the list of what there is, or in that of what there is not; then its option is refused."""
        version = lather.run("--version", with_json=False).out
        there = re.search(r"^Authentication: (.*)$", version, re.M).group(1)
        missing = re.search(r"^Not in it: *(.*)$", version, re.M).group(1)
        for name, options in (("NTLM", ("--ntlm", *ALICE)), ("Negotiate", ("--negotiate",))):
            self.assertNotEqual(name in there, name in missing, version)
            with Server(answering(ok())) as server:
                result = self.fire(server, 2, 1, *options)
            if name in there:
                self.assertNotIn("this build of lather", result.err)
                continue
            self.assertEqual((result.exit, server.connections), (2, 0), result)
            self.assertIn(f"{options[0]}: this build of lather has no {name}", result.err)
            if name == "Negotiate":
                self.assertIn("The dynamic build has it", result.err)
                self.assertIn("Negotiate (the dynamic build has it)", missing)
