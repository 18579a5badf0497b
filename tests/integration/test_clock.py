# SPDX-License-Identifier: Apache-2.0
"""A wall clock that is set back by 5 s half a second after the start (tests/tools/set_clock_back.c).

Rows of the conformance list: B136.
"""

import os

import lather
from answers import ok
from case import Case
from scripted_server import Server, answering


class Clock(Case):
    def fire_back(self, server, *args):
        return self.fire(server, *args, env={"LD_PRELOAD": os.environ["LATHER_CLOCK"]})

    def test_B136_a_clock_set_back_changes_no_figure(self):
        with Server(answering(ok(), 0.01)) as server:
            result = self.fire_back(server, 0, 2, "-t", "1500ms", "--grace", "10s")
        self.assert_books(result, server)
        self.assertEqual(result.outcomes["ok"], server.requests, result)
        taken = result.report.figure("Time taken for tests")
        self.assertGreaterEqual(taken, 1.5)
        self.assertLess(taken, 4 * lather.SLOWNESS)  # neither 5 s more, nor less than nothing
        self.assertLess(result.json["times"]["total"]["max_ns"], 4e9 * lather.SLOWNESS)
        # What ended when lies within the run, on one axis.
        timeline = result.json["timeline"]
        last = timeline["intervals"][-1]["at"] * timeline["interval_ns"]
        self.assertLess(last, result.json["run"]["duration_ns"])
        self.assertEqual(sum(interval["finished"] for interval in timeline["intervals"]), result.finished)

    def test_B136_nor_the_schedule_of_an_open_loop(self):
        with Server(answering(ok())) as server:
            result = self.fire_back(server, 60, 10, "--rate", "50/s")
        self.assert_all_ok(result, server, 60)
        stamps = [request.read_at for request in server.log]
        self.assertGreater(stamps[-1] - stamps[0], 1.0)
        self.assertLess(stamps[-1] - stamps[0], 4 * lather.SLOWNESS)
