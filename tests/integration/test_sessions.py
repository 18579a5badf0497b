# SPDX-License-Identifier: Apache-2.0
"""Users who come, ask in bursts with pauses in between, and go: seen by the server's own record."""

import collections
import json
import os
import tempfile

from answers import ok
from case import Case
from lather import ORDER_11, run
from scripted_server import Server, answering


# The clock of the client's timers counts whole milliseconds.
TICK_S = 0.002


class Sessions(Case):
    def visit(self, server, sessions, c, *options, **how):
        return run("--sessions", sessions, "-c", c, "-p", ORDER_11, *options, server.url(), **how)

    def by_connection(self, server):
        """The requests of each connection, in order."""
        found = collections.defaultdict(list)
        for request in server.log:
            found[request.connection].append(request)
        return found

    def assert_visits(self, result, server, count, calls, burst=1, think_s=0.0):
        """Each session has a connection of its own, all its calls, and no pause shorter than asked for."""
        self.assert_all_ok(result, server, count * calls)
        self.assertEqual(server.connections, count, result)
        self.assertEqual(result.connections_opened, count, result)
        self.assertEqual(result.json["run"]["sessions_begun"], count, result)
        for requests in self.by_connection(server).values():
            self.assertEqual(len(requests), calls, result)
            for index in range(burst, calls, burst):
                pause_s = requests[index].read_at - requests[index - 1].read_at
                self.assertGreaterEqual(pause_s, think_s - TICK_S, f"before call {index + 1}\n{result}")

    def test_each_session_has_a_connection_and_its_pauses(self):
        with Server(answering(ok())) as server:
            result = self.visit(server, "4,3,200ms", 2)
        self.assert_visits(result, server, 4, 3, think_s=0.2)
        self.assertGreaterEqual(result.report.figure("Time taken for tests"), 2 * 2 * (0.2 - TICK_S), result)
        self.assertRegex(result.out, r"(?m)^Sessions$")
        self.assertRegex(result.out, r"(?m)^  asked for +4 of 3 requests, a pause of 200\.0 ms behind each 1$")
        self.assertRegex(result.out, r"(?m)^  begun +4$")

    def test_a_burst_has_no_pause_in_it(self):
        with Server(answering(ok())) as server:
            result = self.visit(server, "3,5,300ms", 3, "--burst", 2)
        self.assert_visits(result, server, 3, 5, 2, 0.3)
        self.assertGreaterEqual(result.report.figure("Time taken for tests"), 2 * (0.3 - TICK_S), result)

    def test_without_a_pause_sessions_follow_each_other(self):
        with Server(answering(ok())) as server:
            result = self.visit(server, "30,4,0", 3)
        self.assert_visits(result, server, 30, 4)
        self.assertLessEqual(result.json["traffic"]["connections_peak"], 3, result)

    def test_sessions_are_dealt_out_whole_to_threads(self):
        with Server(answering(ok())) as server:
            result = self.visit(server, "7,5,10ms", 4, "--threads", 3, "--burst", 4)
        self.assert_visits(result, server, 7, 5, 4, 0.01)
        self.assertEqual(sorted(result.worker_requests), [10, 10, 15], result)

    def test_a_session_of_one_call(self):
        with Server(answering(ok())) as server:
            result = self.visit(server, "6,1,1s", 2)
        self.assert_visits(result, server, 6, 1)

    def test_a_session_that_loses_its_connection_goes_on_with_another(self):
        async def script(peer):
            while await peer.request():
                if not await peer.send(ok()):
                    return
                if peer.number == 1 and peer.asked == 2:
                    return  # closes behind its second answer

        with Server(script) as server:
            result = self.visit(server, "2,5,20ms", 1)
        self.assert_report(result)
        self.assertEqual(result.outcomes["ok"], 10, result)
        self.assertEqual([len(requests) for requests in self.by_connection(server).values()], [2, 3, 5], result)

    def test_a_mix_goes_through_sessions(self):
        with tempfile.TemporaryDirectory() as folder:
            posts = []
            for name, weight in (("a", 3), ("b", 1)):
                path = os.path.join(folder, f"{name}.txt")
                with open(path, "w", encoding="ascii") as file:
                    file.write(name)
                posts += ["-p", f"{path}@{weight}"]
            with Server(answering(ok())) as server:
                result = run("--sessions", "8,3,0", "-c", 4, "--threads", 3, *posts, server.url())
        self.assert_visits(result, server, 8, 3)
        self.assertEqual(collections.Counter(request.body for request in server.log), {b"a": 18, b"b": 6})

    def test_sessions_go_through_libcurl_too(self):
        with Server(answering(ok())) as server:
            result = self.visit(server, "5,3,50ms", 2, "--transport", "curl")
        self.assert_visits(result, server, 5, 3, think_s=0.05)

    def test_time_may_end_them_early(self):
        with Server(answering(ok())) as server:
            result = self.visit(server, "1000,100,1s", 3, "-t", "400ms")
        self.assert_report(result)
        self.assertEqual(result.json["run"]["sessions_begun"], 3, result)
        self.assertEqual(result.json["plan"]["sessions"], 1000, result)
        self.assertEqual(result.not_started, 100000 - result.started, result)

    def test_results_with_sessions_are_merged(self):
        with tempfile.TemporaryDirectory() as folder, Server(answering(ok())) as server:
            paths = [os.path.join(folder, name) for name in ("one.json", "two.json")]
            for path in paths:
                self.visit(server, "3,2,0", 2, "--json", path, with_json=False)
            merged = run("merge", *paths)
            with open(paths[0], encoding="utf-8") as file:
                self.assertEqual(json.load(file)["plan"]["session_calls"], 2)
        self.assertEqual((merged.json["plan"]["sessions"], merged.json["run"]["sessions_begun"]), (6, 6), merged)

    def test_what_contradicts_is_refused(self):
        for options, word in ((("-n", 5), "requests"), (("--rate", "5/s"), "rate"), (("--think", "1s"), "think"),
                              (("--warmup", "5"), "warmup"), (("--requests-per-connection", 5), "requests-per-connection"),
                              (("--steps", "1x1s"), "steps"), (("-c", 11), "sessions")):
            result = run("--sessions", "10,2,0", *options, "http://127.0.0.1:1/", with_json=False)
            self.assertEqual(result.exit, 2, result)
            self.assertIn(word, result.err)
            self.assertEqual(len(result.err.strip().splitlines()), 1, result)
        for value in ("10", "10,2", "0,2,1s", "2,0,1s", "2,2,x", "2,2,1s,5", "1000000000,1000000000,0"):
            result = run("--sessions", value, "http://127.0.0.1:1/", with_json=False)
            self.assertEqual((result.exit, value in result.err), (2, True), result)
        result = run("--burst", 2, "http://127.0.0.1:1/", with_json=False)
        self.assertEqual((result.exit, "--sessions" in result.err), (2, True), result)
