# SPDX-License-Identifier: Apache-2.0
"""What a run is made of besides its requests: a warm-up, steps, a moment to begin at, time for the last answers."""

import datetime
import os
import re
import shutil
import tempfile
import time

import lather
from answers import fault_11, ok
from case import Case, mark, timed
from scripted_server import Server, answering


def one_at_a_time(service_s):
    """A server that works on one request at a time, each as long: its capacity is 1 / service_s by construction.

    Answers are due by a clock of its own, so that one sent late on a busy machine delays none behind it.
    """
    free_at = 0.0

    async def script(peer):
        nonlocal free_at
        while request := await peer.request():
            free_at = max(free_at, request.read_at) + service_s
            await peer.sleep(max(0.0, free_at - time.perf_counter()))
            await peer.answer(request, ok())

    return script


class WarmUp(Case):
    def assert_apart(self, result, server, warmed):
        """Requests of the warm-up are at the server and in no figure."""
        self.assert_report(result)
        self.assertEqual(server.errors, [])
        warmup = result.json["warmup"]
        self.assertEqual(warmup["finished"], warmed, result)
        self.assertEqual(server.requests, result.sent_whole + warmup["requests_sent_whole"], result)
        self.assertEqual(server.bytes_in, result.bytes_sent + warmup["bytes_sent"], result)
        self.assertEqual(server.bytes_out, result.bytes_received + warmup["bytes_received"], result)
        self.assertEqual(server.connections, result.connections_opened + warmup["connections_opened"], result)
        self.assertRegex(result.out, rf"\nWarm-up: +{warmed} requests, {warmup['failed']} failed, "
                         rf"{warmup['requests_sent_whole']} sent whole .* in no figure below\n")
        self.assertLess(result.out.index("Warm-up:"), result.out.index("Server Software:"))

    def test_its_requests_are_in_no_figure(self):
        for n, c, warmed, threads in ((20, 4, 10, 1), (20, 4, 2, 3), (6, 6, 50, 2)):
            with Server(answering(ok())) as server:
                result = self.fire(server, n, c, "--warmup", warmed, "--threads", threads)
            self.assert_apart(result, server, warmed)
            self.assertEqual(server.requests, n + warmed, result)
            self.assertEqual(result.outcomes["ok"], n, result)
            self.assertEqual(result.json["times"]["total"]["count"], n)
            self.assertEqual(result.exit, 0, result)

    def test_slow_answers_of_the_warm_up_are_in_no_time(self):
        def delay(request):
            return 0.3 if request.number <= 4 else 0

        async def script(peer):
            while request := await peer.request():
                await peer.sleep(delay(request))
                await peer.answer(request, ok())

        with Server(script) as server:
            result = self.fire(server, 20, 4, "--warmup", 4)
        self.assert_apart(result, server, 4)
        self.assertEqual(result.count_above_ms(290), 0, result)
        self.assertLess(result.json["run"]["duration_ns"], 300e6 * lather.SLOWNESS)

    def test_a_warm_up_by_time_ends_when_its_last_answer_has_come(self):
        with Server(answering(ok(), 0.02)) as server:
            result = self.fire(server, 8, 4, "--warmup", "200ms")
        self.assert_apart(result, server, result.json["warmup"]["finished"])
        self.assertGreaterEqual(result.json["warmup"]["duration_ns"], 200e6)
        self.assertGreaterEqual(result.json["warmup"]["finished"], 4)
        self.assertEqual(result.json["warmup"]["cut"], 0)
        # No request of the run was there before the last answer of the warm-up.
        self.assertEqual(result.outcomes["ok"], 8)

    def test_failures_of_the_warm_up_fail_nothing(self):
        def answer(request):
            return ok(status="503 Service Unavailable") if request.number <= 5 else ok()

        with Server(answering(answer)) as server:
            result = self.fire(server, 10, 1, "--warmup", 5, "--fail-if", "errors>0")
        self.assert_apart(result, server, 5)
        self.assertEqual(result.json["warmup"]["failed"], 5)
        self.assertEqual(result.failed, 0)
        self.assertEqual(result.exit, 0, result)

    def test_counters_and_rows_go_on_from_the_warm_up(self):
        rows = self.file(b"name\n" + b"".join(b"row%d\n" % i for i in range(40)), ".csv")
        body = self.file(b"<a>${counter} ${data.name}</a>")
        for threads in (1, 3):
            with Server(answering(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")) as server:
                result = self.fire(server, 12, 6, "--warmup", 9, "--data", rows, "--threads", threads, body=body)
            self.assertEqual(result.outcomes["ok"], 12, result)
            bodies = [request.body for request in server.log]
            self.assertEqual(len(set(bodies)), 21, bodies)

    def test_messages_without_columns_take_no_rows(self):
        rows = self.file(b"name\n" + b"".join(b"row%d\n" % i for i in range(30)), ".csv")
        plain = self.file(b"<plain/>")
        body = self.file(b"<a>${counter} ${data.name}</a>")
        for threads in (1, 3):
            with Server(answering(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")) as server:
                result = self.fire(server, 200, threads, "-p", plain, "--warmup", 20, "--data", rows,
                                   "--data-order", "once", "--threads", threads, body=body)
            self.assertEqual(result.json["run"]["end"], "rows", result)
            filled = [request.body for request in server.log if b"plain" not in request.body]
            self.assertEqual(sorted(filled), sorted(b"<a>%d row%d</a>" % (i + 1, i) for i in range(30)))

    def test_sample_files_have_none_of_it(self):
        samples = self.file(b"", ".tsv")
        with Server(answering(ok())) as server:
            result = self.fire(server, 7, 1, "--warmup", 5, "-g", samples)
        self.assert_apart(result, server, 5)
        with open(samples, encoding="utf-8") as file:
            self.assertEqual(len(file.readlines()), 8)

    def test_an_interrupt_of_the_warm_up_ends_the_run_with_its_report(self):
        with Server(answering(ok(), 0.01)) as server:
            with lather.Running(["-n", 5, "-c", 1, "-k", "-p", lather.ORDER_11, "--warmup", "1h",
                                 server.url()]) as running:
                self.wait_for(lambda: server.requests > 3)
                running.interrupt()
                result = running.end()
        self.assert_report(result)
        self.assertEqual(result.exit, 130, result)
        self.assertEqual(result.started, 0)
        self.assertEqual(result.not_started, 5)
        self.assertEqual(server.requests, result.json["warmup"]["requests_sent_whole"])


class Grace(Case):
    def test_answers_in_flight_at_the_end_are_waited_for(self):
        with Server(answering(ok(), 0.6)) as server:
            result = self.fire(server, 0, 3, "-t", "300ms", "--grace", "10s")
        self.assert_books(result, server)
        self.assertEqual(result.json["run"]["end"], "time limit")
        self.assertEqual(result.cut, 0, result)
        self.assertEqual(result.outcomes["ok"], server.requests)
        self.assertEqual(server.requests, 3, result)
        self.assertGreaterEqual(result.json["run"]["duration_ns"], 600e6)

    def test_without_it_they_are_cut(self):
        with Server(answering(ok(), 0.3)) as server:
            result = self.fire(server, 0, 3, "-t", "400ms")
        self.assert_report(result)
        self.assertEqual(result.cut, 3, result)

    def test_it_ends_too(self):
        async def script(peer):
            await peer.hang()

        with Server(script) as server:
            result = self.fire(server, 0, 2, "-t", "100ms", "--grace", "200ms")
        self.assert_report(result)
        self.assertEqual(result.cut, 2)
        self.assertGreaterEqual(result.json["run"]["duration_ns"], 300e6)
        self.assertLess(result.seconds, 5 * lather.SLOWNESS)

    def test_an_interrupt_waits_as_long(self):
        async def script(peer):
            await peer.hang()

        with Server(script) as server:
            with lather.Running(["-n", 5, "-c", 1, "-k", "-p", lather.ORDER_11, "--grace", "150ms",
                                 server.url()]) as running:
                self.wait_for(lambda: server.requests == 1)
                running.interrupt()
                result = running.end()
        self.assertEqual(result.exit, 130, result)
        self.assertEqual(result.cut, 1)
        self.assertLess(result.seconds, 4 * lather.SLOWNESS)

    def test_nothing_that_was_due_in_it_is_sent(self):
        with Server(answering(ok(), 0.05)) as server:
            result = self.fire(server, 0, 4, "-t", "500ms", "--rate", "20/s", "--grace", "5s")
        self.assert_books(result, server)
        self.assertEqual(result.cut, 0)
        self.assertLessEqual(server.requests, 11)


class StartAt(Case):
    def test_it_begins_then_and_says_how_exactly(self):
        at = datetime.datetime.now().astimezone() + datetime.timedelta(seconds=2)
        for text in (at.isoformat(), at.strftime("%H:%M:%S") if at.microsecond < 900000 else at.isoformat()):
            moment = at if "T" in text else at.replace(microsecond=0)
            if moment.timestamp() < time.time() + 0.05:
                moment = (moment + datetime.timedelta(seconds=2)).replace(microsecond=0)
                text = moment.strftime("%H:%M:%S")
            with Server(answering(ok(fields=["Date: Mon, 02 Jan 2006 15:04:05 GMT"]))) as server:
                result = self.fire(server, 5, 1, "--start-at", text)
            self.assert_all_ok(result, server, 5)
            start_ns = result.json["run"]["wall_start_ns"]
            self.assertGreaterEqual(start_ns, int(moment.timestamp() * 1e6) * 1000, result)
            self.assertLess(start_ns / 1e9 - moment.timestamp(), 0.5 * lather.SLOWNESS, result)
            self.assertRegex(result.out, r"\nStart: +\S+Z asked for, begun \d.* later by this machine's clock; "
                             r"the server's clock is \d+ s behind\n")

    def test_an_interrupt_ends_the_waiting(self):
        at = (datetime.datetime.now().astimezone() + datetime.timedelta(hours=1)).isoformat()
        with Server(answering(ok())) as server:
            with lather.Running(["-n", 5, "-c", 1, "-p", lather.ORDER_11, "--start-at", at, server.url()]) as running:
                self.wait_for(running.is_started)
                running.interrupt()
                result = running.end()
        self.assertEqual(result.exit, 130, result)
        self.assertEqual(server.requests, 0)
        self.assertEqual(result.not_started, 5)
        self.assertRegex(result.err, r"(?m)^lather: note: waiting 3\d\d\d\.\d+ s, until --start-at$")

    def test_a_warm_up_is_made_before(self):
        at = datetime.datetime.now().astimezone() + datetime.timedelta(seconds=3 * lather.SLOWNESS)
        with Server(answering(ok())) as server:
            stamps = []

            def answer(request):
                stamps.append(time.time())
                return ok()

            server.script = answering(answer)
            result = self.fire(server, 4, 1, "--start-at", at.isoformat(), "--warmup", 3)
        self.assertEqual(server.requests, 7, result)
        self.assertTrue(all(stamp < at.timestamp() for stamp in stamps[:3]), stamps)
        self.assertTrue(all(stamp >= at.timestamp() for stamp in stamps[3:]), stamps)


class Steps(Case):
    @mark("serial")
    def test_each_rate_has_its_line_and_all_are_in_the_whole(self):
        with Server(answering(ok(), 0.001)) as server:
            result = self.fire(server, 0, 20, "--steps", "20,40/s,3600/minx600ms")
        self.assert_books(result, server)
        steps = result.json["steps"]
        self.assertEqual([step["rate_micro_per_s"] for step in steps], [20_000_000, 40_000_000, 60_000_000])
        self.assertEqual(sum(step["finished"] for step in steps), result.finished)
        self.assertEqual(sum(step["started"] for step in steps), server.requests)
        for step, due in zip(steps, (12, 24, 36)):
            self.assertAlmostEqual(step["started"] + step["backlog_end"], due, delta=0.3 * due)
            self.assertGreaterEqual(step["duration_ns"], 600e6)
            self.assertEqual(step["cut"], 0)
        # Steps follow one another: the next begins when the one before has ended.
        for one, next_one in zip(steps, steps[1:]):
            self.assertGreaterEqual(next_one["offset_ns"], one["offset_ns"] + one["duration_ns"])
        self.assertEqual(len(re.findall(r"^  [123]  .* \d+\.\d\d +\d+\.\d\d ", result.out, re.M)), 3, result)
        self.assertEqual(result.exit, 0, result)

    def test_the_server_saw_each_step_at_its_rate(self):
        with Server(answering(ok())) as server:
            result = self.fire(server, 0, 10, "--steps", "10,50x1s")
        self.assert_books(result, server)
        first = result.json["steps"][0]["started"]
        stamps = [request.read_at for request in server.log]
        gaps = [b - a for a, b in zip(stamps, stamps[1:])]
        slow, fast = gaps[: first - 1], gaps[first:]
        self.assertAlmostEqual(sum(slow) / len(slow), 0.1, delta=0.03)
        self.assertAlmostEqual(sum(fast) / len(fast), 0.02, delta=0.01)

    def test_bodies_of_all_steps_are_counted(self):
        with Server(answering(lambda request: ok() if request.number % 2 else ok(b"<other/>"))) as server:
            result = self.fire(server, 0, 2, "--steps", "20,40x300ms", "--warmup", 3, "--count-bodies", "--validate", "soap")
        self.assert_report(result)
        counts = re.findall(r"Body (\d) of 2, (\d+) answers", result.out)
        self.assertEqual([number for number, _ in counts], ["1", "2"], result)
        self.assertEqual(sum(int(count) for _, count in counts), result.finished, result)
        self.assertEqual(result.json["run"]["distinct_bodies"], 2)

    def test_failures_of_all_steps_are_saved_and_their_folder_is_named(self):
        folder = tempfile.mkdtemp(prefix="lather-steps-")
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        for shape in (("--steps", "20,40x200ms"), ("--find-rate", "max<1ms", "--steps", "20x200ms")):
            with Server(answering(ok(fault_11()), 0.002)) as server:
                result = self.fire(server, 0, 2, *shape, "--save-failures", f"{folder},2", "--warmup", 2)
            self.assert_report(result)
            self.assertIn(f"  - 2 failed exchanges are saved in {folder}, three files each.\n", result.out, result)
            self.assertEqual(len([name for name in os.listdir(folder) if name.endswith(".answer")]), 2)

    def test_grace_ends_steps_as_it_ends_a_run(self):
        async def script(peer):
            await peer.hang()

        with Server(script) as server:
            result = self.fire(server, 0, 2, "--steps", "20,40x1s", "--warmup", "500ms", "--grace", "100ms", "-s", 100)
        self.assert_report(result)
        self.assertEqual(result.json["warmup"]["cut"], 2, result)
        self.assertEqual([step["cut"] for step in result.json["steps"]], [2, 2], result)
        self.assertLess(result.seconds, 20 * lather.SLOWNESS)

    def test_an_interrupt_ends_all_of_them(self):
        with Server(answering(ok())) as server:
            with lather.Running(["-c", 2, "-k", "-p", lather.ORDER_11, "--steps", "50,60,70x1h",
                                 server.url()]) as running:
                self.wait_for(lambda: server.requests > 3)
                running.interrupt()
                result = running.end()
        self.assert_books(result, server)
        self.assertEqual(result.exit, 130, result)
        self.assertEqual(len(result.json["steps"]), 1)
        self.assertFalse(result.json["steps"][0]["held"])


    def test_rows_that_run_out_in_a_later_step_end_the_run(self):
        rows = self.file(b"name\n" + b"".join(b"row%d\n" % i for i in range(12)), ".csv")
        body = self.file(b"<a>${data.name}</a>")
        for options, exit_status in ((("--steps", "10,20,40x1s"), 0),
                                     (("--find-rate", "errors<1%", "--steps", "10,20,40x1s"), 1)):
            with Server(answering(ok())) as server:
                result = self.fire(server, 0, 1, *options, "--data", rows, "--data-order", "once", body=body)
            self.assert_books(result, server)
            self.assertEqual(result.json["run"]["end"], "rows", result)
            self.assertRegex(result.out, rf"\nRun ended: +the rows of --data ran out in step {len(result.json['steps'])}")
            self.assertEqual(result.json["run"]["found_micro_per_s"], 0)
            self.assertEqual("not found: the search was broken off" in result.out, exit_status == 1, result)
            self.assertEqual(result.exit, exit_status, result)

    def test_a_server_gone_in_a_later_step_ends_the_run(self):
        with Server(answering(ok())) as server:
            with lather.Running(["-c", 1, "-p", lather.ORDER_11, "--steps", "10,100,200,400x2s",
                                 server.url()]) as running:
                self.wait_for(lambda: server.requests > 20)  # the first step makes twenty
                server.stop_listening()
                result = running.end()
        self.assert_report(result)
        self.assertEqual(result.json["run"]["end"], "unreachable", result)
        self.assertGreater(len(result.json["steps"]), 1)
        self.assertIn(f"early: no connection succeeded in step {len(result.json['steps'])}", result.out)
        self.assertEqual(result.exit, 1, result)


class FindRate(Case):
    @mark("serial")
    def test_the_capacity_of_a_known_server_is_found(self):
        # One connection and 10 ms a request: hundred a second at the very most, whatever the machine does.
        with lather.Serve("--delay", "10ms") as server:
            result = self.fire(server.url, 0, 1, "--find-rate", "p95<5s", "--rate", 10, "-t", "1s", limit=120)
        self.assert_report(result)
        self.assertEqual(server.counts["requests"], result.sent_whole, result)
        found = result.json["run"]["found_micro_per_s"] / 1e6
        self.assertLess(found, 103, result)
        # How near it comes is for test_rate_search to show: a busy machine is slower by any factor.
        self.assertGreater(found, 1, result)
        steps = result.json["steps"]
        held = [step["rate_micro_per_s"] for step in steps if step["held"]]
        failed = [step["rate_micro_per_s"] for step in steps if not step["held"]]
        self.assertEqual(max(held), result.json["run"]["found_micro_per_s"])
        self.assertLessEqual(min(failed), 1.031 * max(held), result)
        self.assertRegex(result.out, r"\n  highest that held +\d+\.\d\d a second \(p95<5s\)\n")
        self.assertEqual(result.exit, 0, result)

    @mark("serial", "heavy")
    @timed
    def test_the_capacity_is_found_within_5_percent(self):
        # At 105 a second, 5 % too many, the last of a step wait for 250 ms, and 5 % of them for more than 238. A machine
        # that stands still for a moment delays fewer than 5 % of a step, and 64 connections take what comes meanwhile.
        with Server(one_at_a_time(0.010)) as server:
            result = self.fire(server, 0, 64, "--find-rate", "response p95<200ms", "--rate", 60, "-t", "5s", limit=120)
        self.assert_books(result, server)
        self.assertAlmostEqual(result.json["run"]["found_micro_per_s"] / 1e6, 100, delta=5, msg=result)
        self.assertEqual(result.exit, 0, result)

    def test_what_never_holds_fails_the_run(self):
        with Server(answering(ok(), 0.01)) as server:
            result = self.fire(server, 0, 1, "--find-rate", "p50<1ms", "--rate", "4/s", "-t", "300ms")
        self.assert_books(result, server)
        self.assertEqual(result.json["run"]["found_micro_per_s"], 0)
        self.assertIn("none of those tried", result.out)
        self.assertEqual(result.exit, 1, result)

    def test_failures_beyond_the_rate_found_fail_nothing(self):
        async def script(peer):
            while request := await peer.request():
                # The third step, of 40/s, is refused.
                busy = 25 < request.number
                await peer.answer(request, ok(status="503 Service Unavailable") if busy else ok())

        with Server(script) as server:
            result = self.fire(server, 0, 4, "--find-rate", "errors<1%", "--steps", "10,20,40x700ms")
        self.assert_books(result, server)
        self.assertGreater(result.failed, 0)
        self.assertGreater(result.json["run"]["found_micro_per_s"], 0)
        self.assertEqual(result.exit, 0, result)


class Refused(Case):
    def test_what_cannot_be_is_refused_before_anything_is_sent(self):
        for options, word in (
            (("--warmup", "0"), "--warmup"), (("--warmup", "soon"), "--warmup"), (("--warmup", "0s"), "--warmup"),
            (("--grace", "long"), "--grace"), (("--start-at", "25:00:00"), "--start-at"),
            (("--start-at", "2006-01-02T15:04:05Z"), "ago"), (("--start-at", "tomorrow"), "--start-at"),
            (("--steps", "100,200"), "--steps"), (("--steps", "x10s"), "--steps"), (("--steps", "1,0x10s"), "--steps"),
            (("--steps", "1,2x"), "--steps"), (("--steps", "1x1s", "-n", "5"), "--requests"),
            (("--steps", "1x1s", "--rate", "5"), "--rate"), (("--steps", "1x1s", "-t", "5"), "--time"),
            (("--steps", "1x1s", "--think", "5ms"), "--think"), (("--find-rate", "fast"), "--find-rate"),
            (("--find-rate", "p95<5"), "--find-rate"), (("--find-rate", "p95>5s"), "what must hold"),
            (("--find-rate", "p95<5s", "-n", "9"), "--requests"),
        ):
            result = self.fire("http://127.0.0.1:1/", 0, 1, *options, with_json=False)
            self.assertEqual(result.exit, 2, result)
            self.assertIn(word, result.err, result)
            self.assertEqual(result.out, "")
