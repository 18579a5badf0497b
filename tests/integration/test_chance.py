# SPDX-License-Identifier: Apache-2.0
"""Options by chance against a server that misbehaves by chance: whatever happens, the run ends and the books balance.

The seed of a run is in its message, so that LATHER_CHANCE_SEED repeats it; LATHER_CHANCE_RUNS makes more of them
(docs/TESTING.md). What a server may do to one request and the options that bend a run are drawn from two tables.
"""

import collections
import os
import random
import tempfile

import answers
import lather
from answers import chunked, fault_11, head, ok, until_close
from case import Case, mark
from pki import Pki
from scripted_server import Server
from tls_server import TlsServer, server_context

RUNS = int(os.environ.get("LATHER_CHANCE_RUNS", "24"))
SEED = int(os.environ.get("LATHER_CHANCE_SEED", "2026"))
TIMEOUT_MS = 400  # of one request; what stalls takes this long

BIG = answers.envelope("<a>" + "y" * 200000 + "</a>")

# What may be sent for one request; the connection goes on.
KEPT = [
    ok(), ok(), ok(), ok(), chunked(), chunked(size=11, trailer=["X-A: b"]), ok(BIG), chunked(BIG, size=7001),
    ok(fault_11(), status="500 Internal Server Error"), ok(fault_11()), ok(b"<html>busy</html>", status="503 Busy"),
    ok(b"not XML"), ok(b"", status="202 Accepted"), head("204 No Content", content_type=None),
    head("100 Continue", content_type=None) + ok(), head("103 Early Hints", content_type=None) * 3 + ok(),
    ok(status="302 Found", fields=["Location: /elsewhere"]), ok(b"", status="408 Request Timeout"),
]

# Whole answers whose bytes are odd: most are refused, each in its own way.
ODD = [
    ok(answers.ENVELOPE.decode().encode("utf-16"), content_type="text/xml; charset=utf-16"),
    ok(answers.ENVELOPE, content_type="text/xml; charset=EBCDIC-US"), ok(answers.ENVELOPE, content_type=None),
    ok(b"\xef\xbb\xbf" * 2 + answers.ENVELOPE), ok(answers.ENVELOPE + b"\0"), ok(b"<!DOCTYPE a>" + answers.ENVELOPE),
    ok(fields=["Content-Encoding: deflate"]), ok(fields=["Content-Encoding: br"]), ok(content_type="multipart/related"),
]

# What may be sent last on a connection, before its end.
LAST = [
    until_close(), ok(fields=["Connection: close"]), ok(version="HTTP/1.0"), ok()[:-20], chunked()[:-9], b"",
    ok()[:30], b"HTTP/1.1 2", b"nothing of HTTP\r\n\r\n", ok() + b"and more", ok() + ok(),
    head(fields=["Content-Length: 99999999999999999999"]), head(fields=["Transfer-Encoding: chunked"]) + b"zz\r\n",
    head("100 Continue", content_type=None), ok(b"", status="413 Too Large", fields=["Connection: close"]),
]


def final_status(data):
    """The status of an answer behind its interim ones."""
    at = 0
    while (status := int(data[at + 9 : at + 12])) < 200:
        at = data.index(b"\r\n\r\n", at) + 4
    return status


class Whims:
    """One server's mood: how often which thing happens, drawn once; then each request's fate."""

    def __init__(self, chance):
        self._chance = chance
        self.statuses = collections.Counter()  # of the whole answers sent on connections that went on
        self.refused = 0  # requests answered, and their connection closed, before they were read
        self._misbehaviour = chance.choice([0, 0.02, 0.1, 0.5])
        self._slow = chance.choice([0, 0, 0.05])
        self._early = chance.choice([0, 0, 0.05])
        self._kept = KEPT + chance.choice([[], ODD])
        self.is_well_behaved = not self._misbehaviour and not self._early

    async def script(self, peer):
        """Serves one connection to its end."""
        chance = random.Random(self._chance.random())
        if chance.random() < self._early:
            return await self._answer_early(peer, chance)
        while request := await peer.request():
            if chance.random() < self._misbehaviour:
                return await self._end(peer, chance)
            await self._answer(peer, chance)
            if (request.value("Connection") or "").lower() == "close":
                return None
        return None

    async def _answer(self, peer, chance):
        data = chance.choice(self._kept)
        if chance.random() < self._slow:
            await peer.send_slowly(data[:2000], size=97, pause_s=0.001)
            await peer.send(data[2000:])
        else:
            await peer.send(data)
        self.statuses[final_status(data)] += 1

    async def _answer_early(self, peer, chance):
        """An answer before the request was read; then the end, politely or not."""
        await peer.arrival()
        await peer.send(ok(b"", status="401 Unauthorized", fields=["Connection: close"]))
        if chance.random() < 0.5:
            self.refused += 1
            peer.close()

    @staticmethod
    async def _end(peer, chance):
        how = chance.choice(["send", "reset", "send and reset", "send and close", "stall"])
        if how.startswith("send"):
            await peer.send(chance.choice(LAST))
        if how.endswith("reset"):
            peer.reset()
        elif how.endswith("close"):
            peer.close()
        elif how == "stall":
            await peer.hang()


def options_by_chance(chance, folder_file):
    """-n, -c and all that bends a run; no two of them exclude each other."""
    c = chance.choice([1, 2, 3, 7, 20])
    n = max(c, chance.choice([1, 5, 50, 131, 400]))
    chosen = ["-s", f"{TIMEOUT_MS}ms"]
    transport = chance.choice(["direct", "direct", "curl"])
    chosen += ["--transport", transport]
    chosen += chance.choice([[], ["--threads", "2"], ["--threads", "3"]])
    chosen += chance.choice([[], ["-k"], ["-k"], ["--requests-per-connection", "5"]])
    chosen += chance.choice([[], ["--validate", "off"], ["--validate", "full"], ["--validate", "30%"], ["--one-way"]])
    chosen += chance.choice([[], [], ["--think", "1ms-5ms"], ["--rate", "400/s"], ["--rate", "900/s", "--arrivals", "poisson"]])
    chosen += chance.choice([[], [], ["-t", "1s"], ["-t", "500ms", "--grace", "300ms"]])
    chosen += chance.choice([[], [], ["--expect-status", "2xx,500"], ["--max-time", "20"]])
    if "off" not in chosen and "--one-way" not in chosen:
        chosen += chance.choice([[], ["--expect-xpath", "//s:Body"], ["--expect-text", "accepted"]])
    chosen += chance.choice([[], [], ["--verbatim"], ["--add-message-id"], ["--max-answer", "50k"]])
    if "--rate" not in chosen and "--think" not in chosen:
        chosen += chance.choice([[], [], ["--warmup", "10"], ["--warmup", "200ms"]])
    bodies = [lather.ORDER_11, lather.ORDER_12, folder_file]
    return n, c, chosen, chance.choice(bodies)


class Chance(Case):
    """Every run of these is another one; a seed repeats it."""

    def setUp(self):
        self.pki = Pki(self.need("openssl", "openssl"))
        self.addCleanup(self.pki.close)
        self.certificate = self.pki.server()
        folder = tempfile.TemporaryDirectory(prefix="lather-chance-")
        self.addCleanup(folder.cleanup)
        self.saved = folder.name
        self.large = self.file(answers.envelope("<a>" + "z" * 300000 + "</a>"))

    def _server(self, chance, whims):
        """Plain or under TLS, and what lather needs to be told for it."""
        if chance.random() < 0.3:
            return TlsServer(whims.script, server_context(self.certificate)), ["--cacert", self.pki.authority]
        return Server(whims.script), []

    def _assert_books(self, result, whims, server):
        if whims.refused == 0:
            self.assert_books(result, server)
            return
        self.assert_report(result)
        self.assertLessEqual(server.requests, result.sent_whole, result)
        self.assertGreaterEqual(server.requests + whims.refused, result.sent_whole - result.lost_maybe, result)

    def _assert_seen(self, result, whims, server):
        """Where nothing was lost or cut short, the report has each answer the server gave."""
        self.assertEqual(result.statuses, dict(whims.statuses), result)
        self.assertEqual(result.bytes_received, server.bytes_out, result)

    def _one(self, seed):
        chance = random.Random(seed)
        whims = Whims(chance)
        n, c, chosen, body = options_by_chance(chance, self.large)
        server, trust = self._server(chance, whims)
        chosen += chance.choice([[], ["--save-failures", f"{self.saved},1"]])
        with self.subTest(seed=seed, options=" ".join(chosen)):
            with server:
                result = self.fire(server, n, c, *chosen, *trust, k=False, body=body, limit=90)
            self.assertIn(result.exit, (0, 1), result)
            self.assertEqual(result.started + result.not_started, n, result)
            if "--warmup" in chosen:
                self.assert_report(result)  # the server's count holds the warm-up, too
            else:
                self._assert_books(result, whims, server)
            if "-t" not in chosen:
                self.assertEqual((result.started, result.cut), (n, 0), result)
                if whims.is_well_behaved and not {"--warmup", "--max-answer"} & set(chosen) and not result.outcomes["timeout"]:
                    self._assert_seen(result, whims, server)

    @mark("heavy")
    def test_the_books_balance_whatever_happens(self):
        for seed in range(SEED, SEED + RUNS):
            self._one(seed)
