# SPDX-License-Identifier: Apache-2.0
"""The life of connections: opened all at once, kept, closed while idle, reset, refused.

Rows of the conformance list: B039, B041, B042, B043, B045, B046, B050, B134.
"""

import asyncio
import time

from answers import chunked, ok
from case import Case, mark
from lather import ORDER_11, SLOWNESS, Running
from scripted_server import ReservedPort, Server, answering


class Connections(Case):
    # ---- idle close

    @mark("threads")
    def test_B039_an_idle_close_is_a_new_connection_not_a_failure(self):
        """D07: the server answers five requests a connection and then closes without a word."""

        async def script(peer):
            while peer.asked < 5 and await peer.request():
                await peer.send(ok())

        with Server(script) as server:
            result = self.fire(server, 50, 5)
        self.assert_all_ok(result, server, 50)
        self.assertEqual(server.connections, result.connections_opened, result)
        self.assertGreaterEqual(server.connections, 10)
        self.assertGreaterEqual(result.connections_reopened, 5, result)
        self.assertIn("sent again", result.out)

    def test_B039_a_reset_of_a_kept_connection_is_sent_again(self):
        """The request crosses the close: the server resets without having read it."""

        async def script(peer):
            while peer.asked < 3 and await peer.request():
                await peer.send(ok())
            await peer.head()
            peer.server.partial = 0
            peer.reset()

        with Server(script) as server:
            result = self.fire(server, 30, 3)
        self.assert_report(result)
        self.assert_outcomes(result, ok=30)
        self.assertGreater(result.sent_again, 0, result)
        self.assertEqual(server.requests, 30, result)
        self.assertEqual(server.errors, [])

    def test_B039_a_close_of_a_new_connection_is_a_failure(self):
        """Nothing was kept, so nothing is sent again."""

        async def script(peer):
            await peer.request()

        with Server(script) as server:
            result = self.fire(server, 10, 2)
        self.assert_books(result, server)
        self.assert_outcomes(result, receive=10)
        self.assertEqual(result.sent_again, 0, result)
        self.assertEqual(server.requests, 10)

    def test_B039_a_close_after_a_first_byte_is_a_failure(self):
        """Only a request without a single byte of answer may be sent again."""

        async def script(peer):
            if await peer.request():
                await peer.send(ok())
            if await peer.request():
                await peer.send(b"H")

        with Server(script) as server:
            result = self.fire(server, 10, 1)
        self.assert_books(result, server)
        self.assert_outcomes(result, ok=5, receive=5)
        self.assertEqual(result.sent_again, 0, result)
        self.assertEqual(server.requests, 10)

    def test_B039_a_request_is_sent_again_once(self):
        """The first request of every connection but the first is met with a close as well."""

        async def script(peer):
            if await peer.request() and peer.number == 1:
                await peer.send(ok())
                await peer.request()

        with Server(script) as server:
            result = self.fire(server, 2, 1)
        self.assert_books(result, server)
        self.assert_outcomes(result, ok=1, receive=1)
        self.assertEqual(result.sent_again, 1, result)
        self.assertEqual(server.requests, 3)

    # ---- resets

    @mark("threads")
    def test_B041_one_reset_among_many_is_one_failure(self):
        """D17: the report is there, and the rest of the run is untouched."""

        async def script(peer):
            while request := await peer.request():
                if request.number == 1000:
                    peer.reset()
                    return
                await peer.send(ok(fields=["Connection: close"]))
                return

        for options in ((), ("-r",)):
            with Server(script) as server:
                result = self.fire(server, 2000, 8, *options, k=False)
            self.assert_books(result, server)
            self.assert_outcomes(result, ok=1999, receive=1)
            self.assertEqual(result.report.brackets["Receive"], 1, result)
            self.assertEqual(result.exit, 1)

    def test_B042_a_reset_in_a_body_is_counted_once_with_its_reason(self):
        async def script(peer):
            while request := await peer.request():
                if request.number % 5 == 0:
                    await peer.send(ok()[:-30])
                    await peer.sleep(0.03)
                    peer.reset()
                    return
                await peer.send(ok())

        with Server(script) as server:
            result = self.fire(server, 50, 4)
        self.assert_books(result, server)
        self.assert_outcomes(result, ok=40, receive=10)
        self.assertRegex(result.out, r"(?i)reset")

    def test_every_connection_reset_still_ends_in_a_report(self):
        async def script(peer):
            peer.reset()
            await asyncio.sleep(0)

        with Server(script) as server:
            result = self.fire(server, 200, 20)
        self.assert_report(result)
        self.assertEqual(server.requests, 0)
        self.assertEqual(result.outcomes["ok"], 0, result)
        self.assertEqual(result.exit, 1, result)

    def test_late_bytes_on_a_kept_connection_prove_no_request_taken(self):
        """A server that closes an idle connection with a 408, or says something else late, has not read the request
        that met it: the server's count lies within the printed bound."""
        for late in (b"HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
                     b"HTTP/1.1 103 Early Hints\r\n\r\n", b"XX"):

            async def script(peer, late=late):
                if await peer.request():
                    await peer.send(ok())
                    await peer.sleep(0.02)  # the next request comes meanwhile, and is never read
                    await peer.send(late)
                    await peer.sleep(0.02)

            for transport in ("direct", "curl"):
                with Server(script) as server:
                    result = self.fire(server, 40, 2, "--transport", transport)
                self.assert_books(result, server)
                self.assertGreater(result.lost_maybe, 0, result)

    # ---- refused

    def test_B043_refused_connects_end_early_with_a_report(self):
        """B045, D14, D22: max(10, c) in a row and none before: the rest is not started."""
        for n, c, tried in ((500, 4, 10), (500, 25, 25)):
            with ReservedPort() as port:
                result = self.fire(port.url(), n, c, "--threads", 1)
            self.assert_report(result)
            self.assert_outcomes(result, connect=result.finished, cut=result.cut)  # some may be under way at the end
            self.assertGreaterEqual(result.finished, tried, result)
            self.assertLess(result.finished, tried + c, result)
            self.assertEqual(result.not_started, n - result.started, result)
            self.assertEqual(result.report.brackets["Connect"], result.report.failed, result)
            self.assertRegex(result.out, r"(?i)refused")
            self.assertEqual(result.exit, 1, result)
            self.assertLess(result.cpu_s, 0.5 * SLOWNESS, result)

    def test_B043_fewer_requests_than_ten_are_all_tried(self):
        with ReservedPort() as port:
            result = self.fire(port.url(), 5, 2)
        self.assert_report(result)
        self.assert_outcomes(result, connect=5)
        self.assertEqual(result.not_started, 0, result)

    def test_B045_refused_connects_later_do_not_end_a_run(self):
        """B044: each attempt has a socket of its own; the run goes on when the server is back."""

        async def script(peer):
            if await peer.request():
                await peer.send(ok(fields=["Connection: close"]))

        with Server(script) as server:
            url = server.url()
            with Running(["-t", "2", "-c", "3", "-p", ORDER_11, url]) as running:
                self.wait_for(lambda: server.requests > 50)
                server.stop_listening()
                time.sleep(0.5)
                before = server.requests
                server.listen_again()
                result = running.end(20)
        # Connections that waited in the closed listener's queue were reset, never accepted, their requests unread.
        self.assert_report(result)
        self.assertLessEqual(server.requests, result.sent_whole, result)
        self.assertGreaterEqual(server.requests, result.sent_whole - result.lost_maybe, result)
        self.assertGreater(result.outcomes["connect"], 10, result)
        self.assertGreater(server.requests, before + 20, "the run did not go on")
        self.assertLess(result.cpu_s, 1.7 * SLOWNESS, "a busy loop over refused connects")

    @mark("serial")
    def test_B134_a_full_listen_queue_shows_in_the_connect_times(self):
        """Connects that find the queue full are sent again after a second, and the report says so."""

        async def script(peer):
            while await peer.request():
                await peer.send(ok())

        with Server(script, backlog=2) as server:
            server.stop_accepting()
            with Running(["-n", "40", "-c", "20", "-k", "-p", ORDER_11, server.url()]) as running:
                time.sleep(0.5)
                server.accept_again()
                result = running.end(30)
        self.assert_all_ok(result, server, 40)
        self.assertGreater(result.report.times("Connect")[4], 900, result)
        self.assertTrue(any("queue" in note for note in result.notes), result.notes)

    # ---- addresses

    def fire_with_hosts(self, hosts, server):
        """A run against http://localhost with a hosts file of its own."""
        prefix = self.need_namespaces("-m")
        inside = ["sh", "-c", 'mount --bind "$0" /etc/hosts && exec "$@"', self.file(hosts.encode())]
        return self.fire(server.url("localhost"), 40, 4, k=False, prefix=[*prefix, *inside])

    def test_B046_all_addresses_of_a_name_are_tried(self):
        """D32, B047: ::1 comes first, the server is on 127.0.0.1 only; and the other way round. The good one is kept to."""
        for first, second, host in (("::1", "127.0.0.1", "127.0.0.1"), ("127.0.0.1", "::1", "::1")):
            with Server(answering(ok()), host=host) as server:
                result = self.fire_with_hosts(f"{first} localhost\n{second} localhost\n", server)
            self.assert_all_ok(result, server, 40)
            self.assertLessEqual(result.connections_failed, 8, "the good address was not remembered")

    def test_B046_an_ipv6_address_in_brackets(self):
        with Server(answering(ok()), host="::1") as server:
            result = self.fire(server, 10, 2)
        self.assert_all_ok(result, server, 10)
        self.assertEqual(server.log[0].value("Host"), f"[::1]:{server.port}")

    def test_binds_to_a_local_address(self):
        with Server(answering(ok())) as server:
            result = self.fire(server, 6, 2, "-B", "127.0.0.1")
        self.assert_all_ok(result, server, 6)

    # ---- all at once

    @mark("threads")
    def test_B050_all_connections_start_at_once(self):
        """Nobody is answered before all fifty are there: a ramp-up would hang."""
        for threads in (1, 2):
            gate = []

            async def script(peer):
                while await peer.request():
                    if not gate:
                        gate.append(asyncio.Event())
                    if peer.server.requests >= 50:
                        gate[0].set()
                    await gate[0].wait()
                    await peer.send(ok())

            with Server(script) as server:
                result = self.fire(server, 200, 50, "--threads", threads)
            self.assert_all_ok(result, server, 200)
            self.assertEqual(server.connections, 50)
            self.assertEqual(server.open_peak, 50)
            self.assertEqual(result.connections_peak, 50, result)
            self.assertEqual(result.in_flight_peak, 50, result)

    def test_connections_that_close_each_time_are_counted(self):
        with Server(answering(ok(fields=["Connection: close"]))) as server:
            result = self.fire(server, 60, 6, k=False)
        self.assert_all_ok(result, server, 60)
        self.assertEqual(server.connections, 60)
        self.assertEqual(result.connections_opened, 60, result)

    @mark("serial")
    def test_delayed_ack_is_named_and_quickack_removes_it(self):
        """Head and body written apart with Nagle on: 40 ms on each kept connection."""
        answer = ok()
        cut = answer.index(b"\r\n\r\n") + 4

        async def script(peer):
            while await peer.request():
                await peer.send(answer[:cut])
                await peer.send(answer[cut:])

        with Server(script) as server:
            slow = self.fire(server, 60, 2)
        self.assert_all_ok(slow, server, 60)
        if slow.report.percentiles[50] < 35:
            self.skipTest("this system does not delay its ACKs")
        self.assertIn("--quickack", slow.out)
        with Server(script) as server:
            fast = self.fire(server, 60, 2, "--quickack")
        self.assert_all_ok(fast, server, 60)
        self.assertLess(fast.report.percentiles[50], 20, fast)

    def test_two_hundred_connections_of_every_kind(self):
        kinds = [ok(), chunked(size=40), ok(fields=["Connection: close"])]

        async def script(peer):
            while request := await peer.request():
                await peer.sleep(0.002)
                await peer.send(kinds[request.number % 3])

        with Server(script) as server:
            result = self.fire(server, 2000, 200)
        self.assert_all_ok(result, server, 2000)
