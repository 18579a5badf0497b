# SPDX-License-Identifier: Apache-2.0
"""Where an answer ends: Content-Length, chunks, the close, no body at all, and what is no answer.

Rows of the conformance list: B027, B028, B029, B030, B031, B032, B033, B034, B035, B036, B038,
B154.
"""

import answers
from answers import ENVELOPE, TYPE_11, chunked, head, ok, until_close
from case import Case
from lather import SLOWNESS
from scripted_server import Server, answering


class Framing(Case):
    def all_ok(self, answer, n=20, c=4, *options, script=None, **how):
        """n requests, all answered alike, are all good; returns the result and the server."""
        with Server(script or answering(answer)) as server:
            result = self.fire(server, n, c, *options, **how)
        self.assert_all_ok(result, server, n)
        return result, server

    def all_fail(self, script, n=8, c=2, **outcomes):
        with Server(script) as server:
            result = self.fire(server, n, c)
        self.assert_books(result, server)
        self.assert_outcomes(result, **outcomes)
        self.assertEqual(result.exit, 1, result)
        return result, server

    # ---- Content-Length

    def test_B027_content_length_ends_the_answer(self):
        result, server = self.all_ok(ok())
        self.assertEqual(server.connections, 4)
        self.assertLess(result.seconds, 2 * SLOWNESS)
        self.assertEqual(result.report.words("Document Length"), f"{len(ENVELOPE)} bytes")

    def test_B027_content_length_ends_the_answer_without_keep_alive(self):
        """D05, D18: the server keeps its side open; only the 50 ms for its close are waited."""

        async def script(peer):
            while await peer.request():
                await peer.send(ok())

        result, server = self.all_ok(None, 12, 4, k=False, script=script)
        self.assertEqual(server.connections, 12)
        self.assertLess(result.seconds, 2 * SLOWNESS)
        self.assertLess(result.report.percentiles[50], 40 * SLOWNESS, "the wait is in the latency")

    def test_B028_persistent_without_a_keep_alive_field(self):
        _, server = self.all_ok(ok(), 40, 4)
        self.assertEqual(server.connections, 4)

    def test_B028_http_1_0_closes_unless_it_says_keep_alive(self):
        _, server = self.all_ok(ok(version="HTTP/1.0"), 8, 2)
        self.assertEqual(server.connections, 8)
        _, server = self.all_ok(ok(version="HTTP/1.0", fields=["Connection: keep-alive"]), 8, 2)
        self.assertEqual(server.connections, 2)

    def test_B030_field_names_in_any_case(self):
        for name in ("content-length", "CONTENT-LENGTH", "cOnTeNt-LeNgTh"):
            answer = head(fields=[f"{name}: {len(ENVELOPE)}"]) + ENVELOPE
            _, server = self.all_ok(answer, 8, 2)
            self.assertEqual(server.connections, 2, name)

    def test_B031_only_the_field_itself_is_the_length(self):
        fields = ["X-Content-Length: 5", "Set-Cookie: a=Content-Length: 7", "Content-Length-Hint: 9"]
        result, _ = self.all_ok(ok(fields=fields))
        self.assertEqual(result.report.words("Document Length"), f"{len(ENVELOPE)} bytes")

    def test_an_empty_reason_phrase_is_an_answer(self):
        for line in ("200 ", "200"):
            self.all_ok(ok(status=line), 4, 2)

    def test_an_answer_in_single_bytes_is_the_same_answer(self):
        answer = ok(fields=["X-Some: value"])

        async def script(peer):
            while await peer.request():
                await peer.send_slowly(answer)

        self.all_ok(None, 4, 2, script=script)

    def test_an_answer_cut_anywhere_in_two_is_the_same_answer(self):
        answer = ok(fields=["X-Some: value"])

        async def script(peer):
            while request := await peer.request():
                await peer.send_slowly(answer, size=request.number)

        self.all_ok(None, len(answer) - 1, 8, script=script)

    # ---- chunks

    def test_B029_chunked_answers_are_decoded_and_reused(self):
        """D06."""
        for answer in (chunked(), chunked(size=1), chunked(size=7), chunked(extension=";a=b"),
                       chunked(trailer=["X-Checksum: 1", "X-More: 2"]), chunked(size=16, extension=';q="x y"')):
            result, server = self.all_ok(answer, 8, 2)
            self.assertEqual(server.connections, 2)
            self.assertEqual(result.report.words("Document Length"), f"{len(ENVELOPE)} bytes")

    def test_B029_chunks_in_single_bytes(self):
        answer = chunked(size=9, trailer=["X-Checksum: 1"])

        async def script(peer):
            while await peer.request():
                await peer.send_slowly(answer)

        _, server = self.all_ok(None, 4, 2, script=script)
        self.assertEqual(server.connections, 2)

    def test_a_bad_chunk_size_is_a_protocol_failure(self):
        answer = head(fields=["Transfer-Encoding: chunked"]) + b"zz\r\n" + ENVELOPE
        self.all_fail(answering(answer), protocol=8)

    def test_chunks_that_never_end_are_a_receive_failure(self):
        async def script(peer):
            if await peer.request():
                await peer.send(chunked()[:-5])

        self.all_fail(script, receive=8)

    # ---- no body

    def test_B032_head_and_304_have_no_body(self):
        """D20."""
        for length in (["Content-Length: 5000"], []):
            with Server(answering(head(fields=length))) as server:
                result = self.fire(server, 8, 2, "-i", body=None)
            self.assert_all_ok(result, server, 8)
            self.assertEqual(server.connections, 2)
        with Server(answering(head("304 Not Modified"))) as server:
            result = self.fire(server, 8, 2, "--expect-status", "304", body=None)
        self.assert_all_ok(result, server, 8)
        self.assertEqual(server.connections, 2)

    def test_B032_204_has_no_body(self):
        with Server(answering(head("204 No Content", content_type=None))) as server:
            result = self.fire(server, 8, 2, body=None)
        self.assert_all_ok(result, server, 8)
        self.assertEqual(server.connections, 2)

    # ---- the close

    def test_B033_a_body_that_ends_with_the_close_is_whole(self):
        async def script(peer):
            if await peer.request():
                await peer.send(until_close())

        for k in (True, False):
            result, server = self.all_ok(None, 8, 2, script=script, k=k)
            self.assertEqual(server.connections, 8)
            self.assertEqual(result.report.words("Document Length"), f"{len(ENVELOPE)} bytes")

    def test_B034_a_close_in_the_middle_is_one_failure(self):
        async def script(peer):
            if await peer.request():
                await peer.send(ok()[:-20])

        result, _ = self.all_fail(script, receive=8)
        self.assertLess(result.cpu_s, 0.5 * SLOWNESS, "bytes that never come were polled for")

    def test_a_close_in_the_head_is_one_failure(self):
        async def script(peer):
            if await peer.request():
                await peer.send(b"HTTP/1.1 200 OK\r\nContent-Le")

        self.all_fail(script, receive=8)

    def test_B035_connection_close_is_honoured(self):
        async def script(peer):
            while await peer.request():
                await peer.send(ok(fields=["Connection: close"]))

        _, server = self.all_ok(None, 10, 2, script=script)
        self.assertEqual(server.connections, 10)

    # ---- interim answers

    def test_B154_interim_answers_are_skipped(self):
        interim = head("103 Early Hints", ["Link: </a>"], None)
        for first in (interim, interim * 3, head("100 Continue", content_type=None),
                      head("102 Processing", content_type=None)):
            result, server = self.all_ok(first + ok(), 8, 2)
            self.assertEqual(server.connections, 2)
            self.assertEqual(result.interim, 8 * first.count(b"HTTP/1.1"))
            self.assertEqual(result.statuses, {200: 8})

    def test_B154_interim_answers_come_at_any_time(self):
        interim = head("103 Early Hints", ["Link: </a>"], None)

        async def script(peer):
            while await peer.request():
                await peer.send_slowly(interim, size=5)
                await peer.sleep(0.02)
                await peer.send(ok())

        self.all_ok(None, 8, 2, script=script)

    def test_B154_interim_answers_alone_are_no_answer(self):
        async def script(peer):
            if await peer.request():
                await peer.send(head("103 Early Hints", content_type=None))

        self.all_fail(script, receive=8)

    # ---- what is no answer

    def test_what_is_not_http_is_a_protocol_failure(self):
        for garbage in (b"SSH-2.0-OpenSSH_9.2p1\r\n", b"\0\0\0\0\0\0\0\0\0", b"<html>hello</html>\r\n\r\n",
                        b"HTTP/1.1 abc OK\r\n\r\n", b"HTTP/9.9 200 OK\r\n\r\n", b"\r\n" * 40 + b"x" * 70000):
            self.all_fail(answering(garbage), 4, 2, protocol=4)

    def test_lengths_that_contradict_are_a_protocol_failure(self):
        for fields in (["Content-Length: 10", "Content-Length: 11"], ["Content-Length: -1"],
                       ["Content-Length: 1x"], ["Content-Length: 99999999999999999999999"]):
            self.all_fail(answering(head(fields=fields) + ENVELOPE), 4, 2, protocol=4)

    def test_bytes_behind_an_answer_are_not_the_next_answer(self):
        """A server that sends two answers to one request must not be believed for the next one."""
        with Server(answering(ok() + ok(answers.fault_11(), "500 Internal Server Error"))) as server:
            result = self.fire(server, 10, 2)
        self.assert_report(result)
        self.assertEqual(result.report.complete, 10, result)
        self.assertEqual(result.outcomes["fault"], 0, result)

    def test_an_answer_before_the_body_was_read_counts(self):
        """A server that refuses a large body may answer at once and close."""

        async def script(peer):
            if await peer.head():
                await peer.send(ok(b"too large", "413 Content Too Large", ["Connection: close"], "text/plain"))
                peer.half_close()
                await peer.sleep(0.2)
                peer.reset()

        with Server(script) as server:
            result = self.fire(server, 3, 1, "-T", TYPE_11, body=self.file(answers.envelope("<a>" + "x" * (8 << 20) + "</a>")))
        self.assert_report(result)
        self.assert_outcomes(result, status=3)
        self.assertEqual(result.statuses, {413: 3}, result)

    def test_B038_plain_http_to_a_tls_port_is_named(self):
        alert = b"\x15\x03\x01\x00\x02\x02\x16"

        async def script(peer):
            if await peer.head():
                await peer.send(alert)

        with Server(script) as server:
            result = self.fire(server, 4, 2)
        self.assert_report(result)
        self.assert_outcomes(result, protocol=4)
        self.assertIn("TLS", result.out, "the hint that this port speaks TLS")

    def test_B036_each_connection_has_a_decoder_of_its_own(self):
        """Chunked, counted and close-delimited answers at once, each in pieces."""
        kinds = [chunked(size=5), ok(), chunked(size=100, trailer=["A: b"])]

        async def script(peer):
            while request := await peer.request():
                await peer.send_slowly(kinds[request.number % 3], size=11)

        self.all_ok(None, 30, 6, script=script)


