# SPDX-License-Identifier: Apache-2.0
"""Exactly as many requests as were asked for, whatever the connections and threads (B117, D23)."""

from answers import ok
from case import Case, mark
from lather import Serve
from scripted_server import Server, answering

# requests, connections, threads
PLANS = [(1, 1, 1), (1, 1, 3), (2, 2, 3), (3, 3, 3), (7, 3, 2), (10, 10, 1), (10, 10, 2), (11, 10, 3), (100, 7, 3),
         (101, 50, 2), (200, 50, 2), (199, 64, 3), (500, 3, 3)]


class Counts(Case):
    def exactly(self, n, c, threads, k):
        with Server(answering(ok())) as server:
            result = self.fire(server, n, c, "--threads", threads, k=k)
        self.assert_all_ok(result, server, n)
        self.assertEqual(server.requests, n, (n, c, threads, k))
        self.assertLessEqual(server.connections, c if k else n)
        self.assertEqual(sum(result.worker_requests), n, result)
        self.assertEqual(len(result.worker_requests), min(threads, c), result)

    @mark("threads")
    def test_B117_exactly_n_with_keep_alive(self):
        for n, c, threads in PLANS:
            self.exactly(n, c, threads, k=True)

    @mark("threads")
    def test_B117_exactly_n_without_keep_alive(self):
        for n, c, threads in PLANS:
            self.exactly(n, c, threads, k=False)

    @mark("threads")
    def test_B117_exactly_n_at_the_embedded_service(self):
        for threads in (1, 2, 3):
            with Serve() as serve:
                result = self.fire(serve.url, 20011, 50, "--threads", threads)
            self.assert_report(result)
            self.assert_outcomes(result, ok=20011)
            self.assertEqual(serve.counts["requests"], 20011)
            self.assertEqual(serve.counts["orders"], 20011)
            self.assertEqual(serve.counts["connections"], 50)
            self.assertEqual(serve.counts["bytes in"], result.bytes_sent)
            self.assertEqual(serve.counts["bytes out"], result.bytes_received)

    @mark("threads")
    def test_threads_merge_every_failure_too(self):
        def answer(request):
            return ok(status="200 OK" if request.number % 3 else "503 Service Unavailable")

        with Server(answering(answer)) as server:
            result = self.fire(server, 300, 12, "--threads", 3)
        self.assert_books(result, server)
        self.assert_outcomes(result, ok=200, status=100)
        self.assertEqual(result.statuses, {200: 200, 503: 100})

    @mark("threads")
    def test_threads_end_a_timed_run_together(self):
        with Server(answering(ok(), 0.01)) as server:
            result = self.fire(server, None, 9, "-t", "1", "--threads", 3)
        self.assert_books(result, server)
        self.assertEqual(result.finished + result.cut, server.requests, result)
        self.assertLessEqual(result.cut, 9)

    def test_the_default_is_one_request(self):
        with Server(answering(ok())) as server:
            result = self.fire(server, None, 1)
        self.assert_all_ok(result, server, 1)

    def test_the_command_of_the_article(self):
        """The line that lather is to run as ab does, against the embedded service."""
        from lather import ORDER_12, run

        with Serve() as serve:
            result = run("-n", 200, "-c", 50, "-T", "application/soap+xml; charset=UTF-8", "-p", ORDER_12, serve.url)
        self.assert_report(result)
        self.assertEqual(result.exit, 0, result)
        self.assertEqual(result.report.complete, 200)
        self.assertEqual(result.report.failed, 0)
        self.assertEqual(serve.counts["orders"], 200)
        self.assertEqual(serve.counts["connections"], 200)
