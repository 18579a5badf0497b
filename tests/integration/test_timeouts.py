# SPDX-License-Identifier: Apache-2.0
"""Limits and stops: one request's time, one connect's, the whole run's, and Ctrl-C.

Rows of the conformance list: B051, B052, B053, B054, B055, B056, B057, B099.
"""

import os
import signal
import tempfile
import time

from answers import ok
from case import Case, mark
from lather import ORDER_11, SLOWNESS, Running, Serve, run
from scripted_server import FullBacklog, Server, answering


async def silent(peer):
    await peer.hang()


class Timeouts(Case):
    # ---- one request

    def test_B051_a_late_answer_is_a_timeout(self):
        async def script(peer):
            while request := await peer.request():
                await peer.sleep(2.5 if request.number == 3 else 0)
                await peer.send(ok())

        with Server(script) as server:
            result = self.fire(server, 10, 1, "-s", "1s")
        self.assert_books(result, server)
        self.assert_outcomes(result, ok=9, timeout=1)
        self.assertEqual(result.report.brackets["Receive"], 1, result)
        self.assertGreaterEqual(result.failed_times["max_ms"], 1000, result)
        self.assertLess(result.failed_times["max_ms"], 1000 + 200 * SLOWNESS, result)
        self.assertLess(result.report.percentiles[100], 1000, "a timeout is among the latencies")
        self.assertEqual(server.connections, 2, "the connection of a timeout is not used again")

    def test_B052_a_server_that_never_answers_times_out(self):
        with Server(silent) as server:
            result = self.fire(server, 6, 3, "-s", "0.3")
        self.assert_books(result, server)
        self.assert_outcomes(result, timeout=6)
        self.assertEqual(server.requests, 6)
        self.assertLess(result.seconds, 0.6 + 1 * SLOWNESS)
        self.assertEqual(result.exit, 1)

    def test_what_timed_out_unread_is_in_the_printed_bound(self):
        """Half of the connections are never read: their requests left us, and the server does not count them."""

        async def script(peer):
            if peer.number % 2:
                await peer.sleep(60)
            await peer.hang()

        for transport in ("direct", "curl"):
            with Server(script) as server:
                result = self.fire(server, 4, 4, "-s", "1s", "--transport", transport)
                unread = server.requests
            self.assert_books(result, server)
            self.assert_outcomes(result, timeout=4)
            self.assertEqual(result.sent_whole, 4, result)
            self.assertEqual(result.lost_maybe, 4, result)
            self.assertEqual(unread, 2, result)
            self.assertIn("no head of a final answer came", " ".join(result.notes))

    def test_what_was_cut_unread_is_in_the_printed_bound_and_no_news(self):
        async def script(peer):
            await peer.sleep(60)

        for transport in ("direct", "curl"):
            with Server(script) as server:
                result = self.fire(server, None, 5, "-t", "1", "--transport", transport)
            self.assert_books(result, server)
            self.assert_outcomes(result, cut=5)
            self.assertEqual((result.sent_whole, result.lost_maybe, server.requests), (5, 5, 0), result)
            self.assertNotIn("sent whole", " ".join(result.notes))

    @mark("serial")
    def test_two_thousand_timeouts_come_once_and_in_time(self):
        """Each within 10 ms of its limit, in the best of eight tries: a busy machine wakes a process late."""
        n, limit_ms = 2000, 1000
        late_ms = []
        for _ in range(8):
            with Server(silent) as server:
                result = self.fire(server, n, n, "-s", "1s", limit=60)
            self.assert_books(result, server)
            self.assert_outcomes(result, timeout=n)
            self.assertEqual(result.failed_times["count"], n, "each expired once")
            self.assertGreaterEqual(result.failed_times["min_ms"], limit_ms)
            late_ms.append(result.failed_times["max_ms"] - limit_ms)
            if late_ms[-1] <= 10 * SLOWNESS:
                break
        self.assertLessEqual(min(late_ms), 10 * SLOWNESS, late_ms)

    def test_connect_timeouts_come_once_and_in_time(self):
        for transport in ("direct", "curl"):
            with FullBacklog() as nobody:
                result = self.fire(nobody.url(), 100, 100, "-s", "20s", "--connect-timeout", "500ms",
                                   "--transport", transport)
            self.assert_report(result)
            self.assert_outcomes(result, connect=100)
            self.assertEqual(result.failed_times["count"], 100)
            self.assertGreaterEqual(result.failed_times["min_ms"], 500)
            self.assertLess(result.failed_times["max_ms"], 5000 * SLOWNESS, "not the limit of -s")

    def test_a_busy_neighbour_does_not_save_a_stuck_request(self):
        """ab's -s is the time without any event anywhere; here it belongs to each request."""

        async def script(peer):
            while request := await peer.request():
                if request.number == 1:
                    await peer.hang()
                    return
                await peer.sleep(0.01)
                await peer.send(ok())

        with Server(script) as server:
            result = self.fire(server, 150, 2, "-s", "1")
        self.assert_books(result, server)
        self.assert_outcomes(result, ok=149, timeout=1)
        self.assertGreaterEqual(result.failed_times["min_ms"], 1000, result)

    def test_an_answer_that_drips_is_timed_as_a_whole(self):
        async def script(peer):
            while await peer.request():
                await peer.send_slowly(ok(), size=4, pause_s=0.05)

        with Server(script) as server:
            result = self.fire(server, 2, 2, "-s", "0.4")
        self.assert_report(result)
        self.assert_outcomes(result, timeout=2)

    def test_B053_a_close_cancels_the_timer(self):
        """The close comes first; the timer of the same request must not fire as well."""

        async def script(peer):
            if await peer.request():
                await peer.sleep(0.3)

        with Server(script) as server:
            result = self.fire(server, 24, 4, "-s", "1")
        self.assert_books(result, server)
        self.assert_outcomes(result, receive=24)
        self.assertGreater(result.seconds, 1.7, "timers of the first requests had time to fire")

    def test_a_connect_that_hangs_is_a_timeout_of_the_connect(self):
        with FullBacklog() as full:
            result = self.fire(full.url(), 2, 2, "--connect-timeout", "300ms", "-s", "10")
        self.assert_report(result)
        self.assert_outcomes(result, connect=2)
        self.assertLess(result.seconds, 0.3 + 1 * SLOWNESS, result)

    # ---- the whole run

    @mark("threads")
    def test_B055_a_silent_server_does_not_delay_the_end(self):
        """D09."""
        with Server(silent) as server:
            result = self.fire(server, None, 5, "-t", "1")
        self.assert_books(result, server)
        self.assert_outcomes(result, cut=5)
        self.assertEqual(result.report.failed, 0, result)
        self.assertGreaterEqual(result.seconds, 1.0)
        self.assertLess(result.seconds, 1.0 + 0.4 * SLOWNESS, result)
        self.assertEqual(server.requests, 5)

    def test_B054_what_was_in_flight_is_cut_and_no_failure(self):
        """D10: quick answers at first, none in the last half second."""
        begun = time.perf_counter()

        async def script(peer):
            while await peer.request():
                if time.perf_counter() - begun > 0.7:
                    await peer.hang()
                    return
                await peer.sleep(0.005)
                await peer.send(ok())

        with Server(script) as server:
            result = self.fire(server, None, 4, "-t", "1.2")
        self.assert_books(result, server)
        self.assertEqual(result.outcomes["cut"], 4, result)
        self.assertEqual(result.report.failed, 0, result)
        self.assertEqual(result.finished, server.requests - 4, result)
        self.assertEqual(result.exit, 0, result)

    def test_time_ends_a_run_that_has_requests_left(self):
        """-n and -t together, in either order: what is reached first ends the run."""
        for options in (("-n", "1000000", "-t", "0.5"), ("-t", "0.5", "-n", "1000000")):
            with Server(answering(ok(), 0.01)) as server:
                result = self.fire(server, None, 2, *options)
            self.assert_books(result, server)
            self.assertLess(result.seconds, 0.5 + 0.4 * SLOWNESS, result)
            self.assertGreater(result.report.complete, 20, result)
        for options in (("-n", "7", "-t", "20"), ("-t", "20", "-n", "7")):
            with Server(answering(ok())) as server:
                result = self.fire(server, None, 2, *options)
            self.assert_all_ok(result, server, 7)
            self.assertLess(result.seconds, 2 * SLOWNESS, result)

    def test_the_time_taken_is_the_time_limit(self):
        with Server(answering(ok(), 0.01)) as server:
            result = self.fire(server, None, 3, "-t", "1")
        self.assertAlmostEqual(result.report.figure("Time taken for tests"), 1.0, delta=0.05 * SLOWNESS)

    # ---- Expect

    def test_B056_no_expectation_is_sent(self):
        with Server(answering(ok())) as server:
            result = self.fire(server, 20, 2)
        self.assert_all_ok(result, server, 20)
        self.assertEqual({request.value("Expect") for request in server.log}, {None})
        self.assertLess(result.report.percentiles[50], 50 * SLOWNESS, result)

    # ---- Ctrl-C

    def interrupted(self, script, *signals, options=("-n", "100000", "-c", "4", "-k")):
        """Signals at given moments after the first request; returns result and server."""
        with Server(script) as server:
            with Running([*options, "-p", ORDER_11, server.url()]) as running:
                deadline = time.monotonic() + 10
                while server.requests < 8:
                    self.assertLess(time.monotonic(), deadline, "no request came")
                    time.sleep(0.005)
                for pause_s in signals:
                    time.sleep(pause_s)
                    running.interrupt()
                last = time.perf_counter()
                result = running.end(20)
                result.after_signal_s = time.perf_counter() - last
        return result, server

    @mark("threads")
    def test_B057_ctrl_c_drains_and_reports(self):
        result, server = self.interrupted(answering(ok(), 0.1), 0.05)
        self.assert_books(result, server)
        self.assertEqual(result.exit, 130, result)
        self.assertEqual(result.outcomes["cut"], 0, "what was in flight had time to finish")
        self.assertEqual(result.outcomes["ok"], server.requests, result)
        self.assertEqual(result.not_started, 100000 - result.started, result)
        self.assertLess(result.after_signal_s, 1 * SLOWNESS, result)

    @mark("threads")
    def test_B057_a_second_ctrl_c_reports_at_once(self):
        async def script(peer):
            while await peer.request():
                if peer.server.requests > 8:
                    await peer.hang()
                    return
                await peer.send(ok())

        result, server = self.interrupted(script, 0.2, 0.3)
        self.assert_books(result, server)
        self.assertEqual(result.exit, 130, result)
        self.assertEqual(result.outcomes["cut"], 4, result)
        self.assertEqual(result.report.failed, 0, result)
        self.assertLess(result.after_signal_s, 0.7 * SLOWNESS, result)

    @mark("threads")
    def test_B099_an_end_in_the_middle_of_judging_does_no_harm(self):
        """Two threads at full speed are told to stop at once, in different moments."""
        for pause_s in (0.05, 0.1, 0.15, 0.2):
            with Serve("--size", "20k", "--fault-rate", "0.5") as serve:
                with Running(["-t", "20", "-c", "40", "-k", "-p", ORDER_11, serve.url]) as running:
                    self.wait_for(running.is_started)
                    time.sleep(pause_s)
                    running.interrupt()
                    running.interrupt()
                    result = running.end(20)
            self.assert_report(result)
            self.assertEqual(result.exit, 130, result)
            self.assertGreaterEqual(serve.counts["requests"], result.sent_whole - result.lost_maybe)
            self.assertLessEqual(serve.counts["requests"], result.sent_whole)

    @mark("slow")
    def test_B057_draining_ends_after_five_seconds(self):
        async def script(peer):
            while await peer.request():
                if peer.server.requests > 8:
                    await peer.hang()
                    return
                await peer.send(ok())

        result, server = self.interrupted(script, 0.1)
        self.assert_books(result, server)
        self.assertEqual(result.outcomes["cut"], 4, result)
        self.assertGreater(result.after_signal_s, 4.5, result)
        self.assertLess(result.after_signal_s, 5 + 1 * SLOWNESS, result)

    def test_B057_terminate_ends_with_a_report(self):
        """SIGHUP too, which comes when the terminal or the connection to it is closed, and the end of a limit."""
        causes = {signal.SIGTERM: "another program ended it", signal.SIGHUP: "its terminal",
                  signal.SIGXCPU: "its limit of processor time was reached"}
        for number, cause in causes.items():
            with Server(answering(ok(), 0.02)) as server:
                with Running(["-t", "20", "-c", "2", "-k", "-p", ORDER_11, server.url()]) as running:
                    self.wait_for(lambda: server.requests >= 4)
                    running.interrupt(number)
                    result = running.end(20)
            self.assertTrue(result.report.is_there, result)
            self.assertEqual(result.exit, 130, result)
            self.assertIn(f"The run was ended early: {cause}", " ".join(result.notes))
            self.assertLess(result.seconds, 8 * SLOWNESS, result)

    def test_B057_quit_reports_at_once(self):
        """SIGQUIT, Ctrl-\\, does not wait for answers."""
        async def script(peer):
            await peer.request()
            await peer.hang()

        with Server(script) as server:
            with Running(["-t", "60", "-c", "2", "-k", "-p", ORDER_11, server.url()]) as running:
                self.wait_for(lambda: server.requests >= 2)
                running.interrupt(signal.SIGQUIT)
                told = time.monotonic()
                result = running.end(20)
                self.assertLess(time.monotonic() - told, 4 * SLOWNESS, result)
        self.assertEqual(result.exit, 130, result)
        self.assertTrue(result.report.is_there, result)
        self.assertEqual(result.outcomes["cut"], 2, result)

    @mark("serial")
    def test_B057_a_limit_of_processor_time_leaves_a_report(self):
        """`ulimit -t` kills at the moment it warns; the soft limit alone is heeded as it is."""
        for limit in ("ulimit -t 3", "ulimit -St 1"):
            with Serve() as serve:
                result = run("-t", 300, "-c", 20, "-k", "-p", ORDER_11, serve.url, limit=120,
                             prefix=["bash", "-c", f'{limit} && exec "$@"', "-"])
            self.assertEqual(result.exit, 130, result)
            self.assert_report(result)
            self.assertIn("limit of processor time was reached", " ".join(result.notes))
            self.assertLess(result.cpu_s, 3, result)

    def test_B057_a_file_beyond_the_limit_of_size_leaves_a_report(self):
        with Server(answering(ok())) as server, tempfile.TemporaryDirectory() as folder:
            samples = os.path.join(folder, "samples.tsv")
            result = run("-n", 1000, "-c", 5, "-k", "-g", samples, "-p", ORDER_11, server.url(), with_json=False,
                         prefix=["bash", "-c", 'ulimit -f 24 && exec "$@"', "-"])
            self.assertFalse(os.path.exists(samples), "a part of the times is no result")
        self.assertTrue(result.report.is_there, result)
        self.assertIn(f"{samples}: cannot write it: File too large; raise the limit", result.err)
        self.assertEqual(result.exit, 3, result)

    def test_B057_a_reader_of_the_report_that_leaves_loses_no_result(self):
        """As with `lather ... | head -1`: standard output fails, files are written all the same."""
        with Server(answering(ok())) as server:
            result = run("-n", 20, "-c", 2, "-k", "-p", ORDER_11, server.url(),
                         prefix=["bash", "-c", 'exec 3> >(true); wait $!; exec "$@" >&3 3>&-', "-"])
        self.assertEqual(server.requests, 20)
        self.assertEqual(result.json["outcomes"]["ok"], 20)
        self.assertEqual(result.exit, 3, result)
        self.assertIn("standard output", result.err)

    def test_B057_a_hangup_that_is_ignored_ends_nothing(self):
        with Server(answering(ok(), 0.02)) as server:
            with Running(["-n", "60", "-c", "2", "-k", "-p", ORDER_11, server.url()], prefix=["nohup"]) as running:
                self.wait_for(lambda: server.requests >= 4)
                running.interrupt(signal.SIGHUP)
                result = running.end(20)
        self.assert_all_ok(result, server, 60)

    def test_B057_a_run_that_is_stopped_while_it_waits_lasts_until_then(self):
        """Two answers at once, then a pause: the time that rates are of does not end with the answers."""
        with Server(answering(ok())) as server:
            with Running(["-n", "100", "-c", "2", "-k", "--think", "30s", "-p", ORDER_11, server.url()]) as running:
                self.wait_for(lambda: server.requests >= 2)
                time.sleep(1)
                running.interrupt()
                result = running.end(20)
        self.assert_report(result)
        self.assertEqual(result.outcomes["ok"], 2, result)
        self.assertGreaterEqual(result.report.figure("Time taken for tests"), 1.0, result)
        self.assertLess(result.report.figure("Requests per second"), 2.5, result)


class Insistent(Case):
    @mark("serial")
    def test_B057_more_interrupts_while_the_report_is_written_do_not_lose_it(self):
        for _ in range(3):
            with Server(answering(ok(), 0.01)) as server:
                with Running(["-n", 100000, "-c", 5, "-k", "-p", ORDER_11, server.url()]) as running:
                    self.wait_for(lambda: server.requests > 20)
                    until = time.monotonic() + 0.5
                    while time.monotonic() < until:
                        os.kill(running.pid, signal.SIGINT)
                        time.sleep(0.001)
                    result = running.end()
            self.assertEqual(result.exit, 130, result)
            self.assert_report(result)
