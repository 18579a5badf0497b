# SPDX-License-Identifier: Apache-2.0
"""Answers made to hold a client up: each ends in time, with an outcome, and costs no more memory than any other."""

import base64
import contextlib
import socket
import threading

from answers import ENVELOPE, chunked, head
from case import Case, mark
from lather import SLOWNESS
from ntlm import challenge as ntlm_challenge
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


class Pourer:
    """Answers each connection from a thread of its own, faster than any client reads."""

    def __init__(self, first, more):
        self._first, self._more = first, more
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._threads = [threading.Thread(target=self._accept)]

    def url(self):
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}/OrderService.svc"

    def _accept(self):
        with contextlib.suppress(OSError):  # the listener is shut down
            while True:
                connection, _ = self._listener.accept()
                self._threads.append(threading.Thread(target=self._pour, args=(connection,)))
                self._threads[-1].start()

    def _pour(self, connection):
        with connection, contextlib.suppress(OSError):
            connection.recv(65536)
            connection.sendall(self._first)
            while True:
                connection.sendall(self._more)

    def __enter__(self):
        self._threads[0].start()
        return self

    def __exit__(self, *_):
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for thread in self._threads:
            thread.join()


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

    def test_a_timed_run_ends_in_time_while_answers_pour_in(self):
        """No answer ends, and none is to be waited for: the loop must get its turns. Also in the body of a challenge,
        which libcurl reads and keeps to itself."""
        whole = CHUNKED, ("direct", "curl"), ()
        challenge = (head("401 Unauthorized", ["WWW-Authenticate: NTLM " + base64.b64encode(ntlm_challenge(b"12345678")).decode(), "Transfer-Encoding: chunked"]),
                     ("curl",), ("--ntlm", "-A", "alice:secret"))
        for first, transports, options in (whole, challenge):
            for transport in transports:
                with Pourer(first, b"5\r\nabcde\r\n" * 500) as server:
                    result = self.fire(server.url(), None, 4, "-t", "1", "-s", "40s", "--validate", "off",
                                       "--transport", transport, *options, limit=50 * SLOWNESS)
                self.assert_report(result)
                self.assert_outcomes(result, cut=4)
                self.assertLess(result.seconds, 1 + 6 * SLOWNESS, result)

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
