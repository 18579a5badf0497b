# SPDX-License-Identifier: Apache-2.0
"""Answers made to hold a client up: each ends in time, with an outcome, and costs no more memory than any other."""

from answers import ENVELOPE, chunked, head
from case import Case, mark
from lather import SLOWNESS
from scripted_server import Server

LIMIT_S = 2
MEMORY_BYTES = 64 << 20
CHUNKED = head(fields=["Transfer-Encoding: chunked"])


def pouring(first, more):
    """A script: the beginning of an answer, and then the same again and again until the client has gone."""

    async def script(peer):
        while await peer.request():
            if not await peer.send(first):
                return
            while await peer.send(more * 500):
                await peer.sleep(0)

    return script


class Pathological(Case):
    def held_up(self, script, *outcomes, n=4, c=2):
        for transport in ("direct", "curl"):
            with Server(script) as server:
                result = self.fire(server, n, c, "-s", f"{LIMIT_S}s", "--transport", transport, limit=60)
            self.assert_report(result)
            self.assertEqual(result.finished, n, result)
            self.assertEqual(sum(result.outcomes[name] for name in outcomes), n, result)
            self.assertLess(result.seconds, n / c * LIMIT_S + 10 * SLOWNESS, result)
            self.assertLess(result.peak_memory_bytes, MEMORY_BYTES * SLOWNESS, result)

    def test_an_endless_head(self):
        self.held_up(pouring(b"HTTP/1.1 200 OK\r\n", b"X-A: " + b"b" * 90 + b"\r\n"), "protocol")

    def test_an_endless_field(self):
        self.held_up(pouring(b"HTTP/1.1 200 OK\r\nX-A: ", b"b" * 100), "protocol")

    def test_an_endless_reason(self):
        self.held_up(pouring(b"HTTP/1.1 200 ", b"b" * 100), "protocol")

    def test_endless_interim_answers(self):
        self.held_up(pouring(b"", b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"), "protocol", "timeout")

    def test_endless_fields_in_a_trailer(self):
        self.held_up(pouring(CHUNKED + b"0\r\n", b"X-A: b\r\n"), "protocol", "timeout")

    def test_an_endless_chunk_extension(self):
        self.held_up(pouring(CHUNKED + b"5;", b"a=b;"), "protocol", "timeout")

    def test_a_chunk_size_of_endless_digits(self):
        self.held_up(pouring(CHUNKED, b"0"), "protocol", "timeout")

    def test_chunk_sizes_beyond_all_memory(self):
        for size in (b"7FFFFFFFFFFFFFFF", b"FFFFFFFFFFFFFFFF", b"10000000000000000", b"F" * 40):
            async def script(peer, size=size):
                if await peer.request():
                    await peer.send(CHUNKED + size + b"\r\n" + ENVELOPE)

            self.held_up(script, "protocol", *(["receive"] if len(size) <= 16 else []))

    @mark("slow")
    def test_chunks_of_one_byte(self):
        """Two hundred thousand of them an answer: whole, and soon."""
        body = b"<a>" + b"x" * 200000 + b"</a>"
        answer = chunked(body, size=1)

        async def script(peer):
            while await peer.request():
                await peer.send(answer)

        for transport in ("direct", "curl"):
            with Server(script) as server:
                result = self.fire(server, 8, 2, "--validate", "off", "-s", "20s", "--transport", transport, limit=60)
            self.assert_all_ok(result, server, 8)
            self.assertEqual(result.json["counts"]["body_bytes"], 8 * len(body))
