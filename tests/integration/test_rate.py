# SPDX-License-Identifier: Apache-2.0
"""Load shapes: an open loop keeps its own time, whatever the server does; thinking users pause.

Rows of the conformance list: B040, B116, B123, B124, B126, B128.
"""

import re

from answers import ok
from case import Case, mark
from scripted_server import ReservedPort, Server, answering


def response_ms(result, percent):
    return result.json["times"]["response"]["percentiles_ns"][percent] / 1e6


class Rate(Case):
    @mark("serial")
    def test_B116_the_rate_is_of_all_connections_and_threads_together(self):
        for threads in (1, 3):
            with Server(answering(ok(), 0.002)) as server:
                result = self.fire(server, 200, 20, "--rate", "100/s", "--threads", threads)
            self.assert_all_ok(result, server, 200)
            # 200 requests, the first at once, the last due 1.99 s later.
            self.assertGreaterEqual(result.report.figure("Time taken for tests"), 1.99)
            self.assertLess(result.report.figure("Time taken for tests"), 2.5)

    @mark("serial")
    def test_B123_service_time_begins_when_sent_and_response_time_when_due(self):
        with Server(answering(ok(), 0.020)) as server:
            result = self.fire(server, 60, 1, "--rate", "100/s")
        self.assert_all_ok(result, server, 60)
        # One connection and 20 ms a request: half the rate. The last is due after 590 ms and sent after 1180.
        self.assertLess(result.percentile_ms("50"), 40)
        self.assertGreater(response_ms(result, "50"), 200)
        self.assertGreater(response_ms(result, "99"), 500)

    @mark("serial")
    def test_B124_a_rate_that_is_not_reached_is_said(self):
        with Server(answering(ok(), 0.020)) as server:
            result = self.fire(server, 60, 1, "--rate", "6000/min")
        self.assertEqual(result.json["plan"]["rate_micro_per_s"], 100_000_000)
        self.assertGreaterEqual(result.json["run"]["backlog_peak"], 20)
        self.assertTrue(any("rate was not reached" in note for note in result.notes), result)

    @mark("serial")
    def test_B126_a_rate_that_is_reached_is_not_complained_about(self):
        for arrivals in ("even", "poisson"):
            with Server(answering(ok(), 0.001)) as server:
                result = self.fire(server, 100, 50, "--rate", "100", "--arrivals", arrivals, "--seed", 7)
            self.assert_all_ok(result, server, 100)
            self.assertFalse(any("rate was not reached" in note for note in result.notes), result)

    def test_B126_without_a_rate_there_is_no_time_from_the_moment_due(self):
        with Server(answering(ok(), 0.001)) as server:
            result = self.fire(server, 20, 2)
        self.assert_all_ok(result, server, 20)
        self.assertEqual(result.json["times"]["response"]["count"], 0)
        self.assertNotIn("response time", result.out)

    @mark("serial")
    def test_B128_a_stall_shows_in_the_response_times_of_all_that_were_due(self):
        def delay(number):
            return 0.5 if number == 20 else 0.001

        async def script(peer):
            while request := await peer.request():
                await peer.sleep(delay(server.requests))
                await peer.answer(request, ok())

        with Server(script) as server:
            result = self.fire(server, 100, 1, "--rate", "100/s")
        self.assert_all_ok(result, server, 100)
        # One of the service times holds the stall; some fifty requests were due while it lasted.
        self.assertLess(result.percentile_ms("95"), 100)
        self.assertEqual(result.count_above_ms(400), 1)
        late = [(low, count) for low, count in result.json["times"]["response"]["buckets_ns"] if low > 100e6]
        self.assertGreaterEqual(sum(count for _, count in late), 25, result)

    def test_connections_grow_only_as_they_are_needed(self):
        with Server(answering(ok(), 0.0)) as server:
            result = self.fire(server, 20, 20, "--rate", "50/s")
        self.assert_all_ok(result, server, 20)
        self.assertLess(result.connections_opened, 20)

    def test_a_timed_open_loop_ends_on_time(self):
        with Server(answering(ok(), 0.0)) as server:
            result = self.fire(server, 0, 5, "--rate", "50/s", "-t", "600ms")
        self.assert_report(result)
        self.assertEqual(result.json["run"]["end"], "time limit")
        self.assertAlmostEqual(server.requests, 30, delta=6)
        self.assertLess(result.seconds, 5)


class Achieved(Case):
    @mark("serial")
    def test_B124_a_few_requests_are_not_faster_than_they_were_asked_for(self):
        for n in (2, 3):
            with Server(answering(ok(), 0.001)) as server:
                result = self.fire(server, n, 1, "--rate", "4/s")
            self.assert_all_ok(result, server, n)
            # n requests have n - 1 distances: n by the time they took would be up to twice as much.
            achieved = float(re.search(r"^  achieved +([\d.]+) a second$", result.out, re.M).group(1))
            seen = [request.read_at for request in server.log]
            self.assertAlmostEqual(achieved, (n - 1) / (seen[-1] - seen[0]), delta=0.4)
            self.assertLess(achieved, 5)  # the first may go out late

    def test_B124_a_server_that_stops_answering_slows_the_rate_that_is_told(self):
        async def script(peer):
            for _ in range(10):
                await peer.answer(await peer.request(), ok())
            await peer.hang()

        with Server(script) as server:
            result = self.fire(server, 0, 1, "--rate", "100/s", "-t", "1s")
        self.assert_report(result)
        # Eleven in the first 100 ms, then nothing: not 100 a second.
        self.assertLessEqual(result.json["run"]["achieved_micro_per_s"], 12_000_000, result)

    def test_without_an_answer_there_is_no_service_time(self):
        with ReservedPort() as nobody:
            result = self.fire(nobody.url(), 40, 4, "--rate", "1000/s")
        self.assert_report(result)
        self.assertIn("Rate (open loop)", result.out)
        self.assertNotIn("\n  service time", result.out)
        self.assertNotIn("\n  response time", result.out)


class TimedRate(Case):
    @mark("serial")
    def test_B124_a_slow_rate_is_of_the_whole_time(self):
        with Server(answering(ok(), 0.0)) as server:
            result = self.fire(server, 0, 1, "--rate", "1/s", "-t", "2500ms")
        self.assert_report(result)
        self.assertEqual(server.requests, 3)
        self.assertAlmostEqual(result.report.figure("Time taken for tests"), 2.5, delta=0.1)
        self.assertAlmostEqual(result.report.figure("Requests per second"), 1.2, delta=0.1)


class Think(Case):
    @mark("serial")
    def test_B040_users_pause_between_answers_within_the_bounds(self):
        with Server(answering(ok(), 0.0)) as server:
            result = self.fire(server, 40, 4, "--think", "50ms-70ms")
        self.assert_all_ok(result, server, 40)
        # Ten requests each, nine pauses between them.
        taken = result.report.figure("Time taken for tests")
        self.assertGreaterEqual(taken, 9 * 0.050)
        self.assertLess(taken, 9 * 0.070 + 1)

    def test_B040_a_kept_connection_closed_meanwhile_is_replaced(self):
        async def script(peer):
            request = await peer.request()
            await peer.answer(request, ok())
            await peer.sleep(0.03)
            peer.close()

        with Server(script) as server:
            result = self.fire(server, 8, 2, "--think", "200ms")
        self.assert_all_ok(result, server, 8)
        self.assertEqual(result.connections_opened, 8)
        self.assertEqual(result.sent_again, 0)


class Refused(Case):
    def test_what_contradicts_the_rate_is_refused(self):
        for options, word in ((("--arrivals", "poisson"), "--rate"), (("--rate", "0"), "--rate"),
                              (("--rate", "5", "--think", "1s"), "--think"),
                              (("--rate", "5", "--arrivals", "bursty"), "--arrivals"),
                              (("--think", "2s-1s"), "--think"), (("--think", "soon"), "--think")):
            result = self.fire("http://127.0.0.1:1/", 5, 1, *options, with_json=False)
            self.assertEqual(result.exit, 2, result)
            self.assertIn(word, result.err)
            self.assertEqual(result.out, "")
