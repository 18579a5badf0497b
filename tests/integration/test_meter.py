# SPDX-License-Identifier: Apache-2.0
"""The meter itself, against a server that stamps what it does: within 1 % and 0.2 ms.

The truth is the server's: from the last byte of a request read to the first byte of its answer written. The
client can never state less. It states more by the way there and back, and by what else the machine does in
that time: so a test that misses is repeated, and only a meter that is wrong every time fails.

Rows of the conformance list: B127, B133.
"""

import math
import socket
import threading
import time

from answers import ok
from case import Case, mark, timed
from lather import SLOWNESS, Serve


def rank(values, percent):
    """The value at nearest rank."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(percent * len(ordered) / 100) - 1)]


class Stopwatch:
    """A server with a thread for each connection, which blocks in read: its stamps are as near as can be.

    answer(number, since) gives the bytes to send at once, the delay in seconds, and the bytes sent after it;
    number counts requests from 1, since is the time after the first request. closes: one request a connection.
    """

    def __init__(self, answer, closes=False):
        self._answer = answer
        self._closes = closes
        self._lock = threading.Lock()
        self.requests = 0
        self.served_ms = []

    def __enter__(self):
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        self._begun = None
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def url(self):
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}/OrderService.svc"

    def _accept(self):
        while True:
            try:
                sock, _ = self._listener.accept()
            except OSError:
                return
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self._closes:  # one at a time: starting a thread would take longer than what is measured
                self._serve(sock)
            else:
                threading.Thread(target=self._serve, args=(sock,), daemon=True).start()

    def _serve(self, sock):
        with sock:
            while request := sock.recv(65536):  # a small request on loopback comes in one piece
                read_at = time.perf_counter()
                assert request.endswith(b"Envelope>\n"), "a request came in pieces"
                with self._lock:
                    self.requests += 1
                    number = self.requests
                    self._begun = self._begun or read_at
                first, delay_s, last = self._answer(number, read_at - self._begun)
                if first:
                    sock.sendall(first)
                time.sleep(max(0, read_at + delay_s - time.perf_counter()))
                sent_at = time.perf_counter()
                sock.sendall(last)
                self.served_ms.append((sent_at - read_at) * 1000)
                if self._closes:
                    return

    def __exit__(self, *_):
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()


class Meter(Case):
    def measure(self, delay_of, n, c, *options, k=True, closes=False):
        """A run against delays; (result, what the server stamped, in ms)."""
        answer = ok(fields=["Connection: close"] if closes else [])
        with Stopwatch(lambda number, since: (b"", delay_of(number, since), answer), closes) as server:
            result = self.fire(server.url(), n, c, *options, k=k)
        self.assert_report(result)
        self.assert_outcomes(result, ok=n)
        self.assertEqual(server.requests, n)
        return result, server.served_ms

    def assert_states(self, stated_ms, true_ms, what, result):
        """Never less than the truth but for the bucket (1/1024), no more than 1 % + 0.2 ms above it."""
        self.assertGreaterEqual(stated_ms, true_ms * (1 - 1 / 1000) - 0.002, (what, result.out))
        self.assertLessEqual(stated_ms, true_ms * 1.01 + 0.2 * SLOWNESS, (what, result.out))

    def assert_states_ranks(self, result, served, *percents):
        for percent in percents:
            stated = result.percentile_ms(str(percent))
            self.assert_states(stated, rank(served, percent), f"{percent}%", result)

    @mark("serial")
    @timed
    def test_a_fixed_delay_is_stated(self):
        result, served = self.measure(lambda *_: 0.010, 300, 1)
        self.assert_states_ranks(result, served, 50, 66, 75, 80, 90, 95)
        self.assert_states(result.report.times("Total")[1], sum(served) / len(served), "mean", result)
        self.assert_states(result.report.times("Total")[0], min(served), "least", result)
        self.assertGreaterEqual(result.report.times("Total")[0], 10)

    @mark("serial")
    @timed
    def test_a_fixed_delay_is_stated_on_several_connections(self):
        result, served = self.measure(lambda *_: 0.010, 600, 8)
        self.assert_states_ranks(result, served, 50, 75, 90)

    @mark("serial")
    @timed
    def test_one_in_a_hundred_at_200_ms_is_stated(self):
        result, served = self.measure(lambda number, _: 0.2 if number % 100 == 50 else 0.002, 1000, 4)
        self.assertEqual(sum(1 for value in served if value >= 200), 10)
        self.assert_states_ranks(result, served, 50, 90, 99.9, 100)
        self.assertLess(result.percentile_ms("99"), 100, "the slow ones are the last percent, no more")
        self.assertEqual(result.count_above_ms(199), 10, result)
        self.assert_states(result.report.times("Total")[1], sum(served) / len(served), "mean", result)

    @mark("serial")
    @timed
    def test_B127_one_stall_of_a_second_is_stated_and_nothing_filled_up(self):
        """Every request in flight has it, nothing is filled up behind it."""

        def delay(_, since):
            return 0.005 if not 0.5 <= since < 1.5 else 1.5 - since

        result, served = self.measure(delay, 1200, 4)
        self.assertEqual(sum(1 for value in served if value > 900), 4, "the server stalled each connection once")
        self.assert_states_ranks(result, served, 50, 99.9, 100)
        self.assertEqual(result.count_above_ms(900), 4, result)

    @mark("serial")
    @timed
    def test_B133_the_connect_is_a_phase_of_its_own(self):
        """Without keep-alive the total includes the connect, and waiting does not."""

        result, served = self.measure(lambda *_: 0.010, 100, 1, k=False, closes=True)
        self.assert_states(result.report.times("Waiting")[3], rank(served, 50), "waiting", result)
        self.assertGreater(result.report.times("Connect")[0], 0)
        self.assertLess(result.report.times("Connect")[3], 1 * SLOWNESS)
        self.assertGreater(result.report.times("Total")[3], result.report.times("Waiting")[3])

    @mark("serial")
    @timed
    def test_the_time_of_an_answer_ends_at_its_last_byte(self):
        answer = ok()

        with Stopwatch(lambda *_: (answer[:60], 0.030, answer[60:])) as server:
            result = self.fire(server.url(), 50, 1)
        self.assert_report(result)
        self.assert_outcomes(result, ok=50)
        self.assert_states(result.report.times("Total")[3], rank(server.served_ms, 50), "total", result)
        self.assertLess(result.report.times("Waiting")[3], 2 * SLOWNESS, "the first byte came at once")

    @mark("serial")
    @timed
    def test_the_delay_of_the_embedded_service_is_stated(self):
        with Serve("--delay", "10ms") as serve:
            result = self.fire(serve.url, 300, 4)
        self.assert_report(result)
        self.assert_outcomes(result, ok=300)
        self.assertGreaterEqual(result.report.times("Total")[0], 10)
        self.assert_states(result.percentile_ms("50"), 10, "50%", result)
