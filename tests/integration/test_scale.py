# SPDX-License-Identifier: Apache-2.0
"""Many connections at once, and what happens at the limits of the machine.

Rows of the conformance list: B115, B141, B143, B145.
"""

import math
import os
import resource
import subprocess
import tempfile
import time

from case import Case, mark
from lather import ORDER_11, SLOWNESS, Serve, binary, run


class Scale(Case):
    def need_descriptors(self, count):
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        if hard != resource.RLIM_INFINITY and hard < count:
            self.skipTest(f"this machine allows {hard} descriptors, {count} are needed")

    def all_at_once(self, c, n, *options, limit):
        self.need_descriptors(c + 100)
        with Serve() as serve:
            result = self.fire(serve.url, n, c, *options, limit=limit)
        self.assert_report(result)
        self.assert_outcomes(result, ok=n)
        self.assertEqual(serve.counts["requests"], result.sent_whole)
        self.assertEqual(serve.counts["orders"], n)
        self.assertEqual(result.connections_peak, c, result)
        self.assertEqual(serve.counts["not accepted"], 0)
        return result

    @mark("serial")
    def test_two_thousand_connections(self):
        self.all_at_once(2000, 10000, limit=60)

    @mark("serial", "threads")
    def test_two_thousand_connections_on_three_threads(self):
        self.all_at_once(2000, 10000, "--threads", 3, limit=60)

    @mark("serial", "heavy")
    def test_B143_ten_thousand_connections(self):
        result = self.all_at_once(10000, 40000, limit=120)
        if SLOWNESS == 1:
            self.assertLess(result.peak_memory_bytes, 300 << 20)

    # ---- time

    @mark("serial", "heavy")
    def test_ten_thousand_timeouts_come_once_and_in_time(self):
        """Each expires once, never early, and within 10 ms of its limit in the best of eight tries: what else the
        machine does makes a process late, and one that could not open all its connections before the first expired
        says nothing of 10,000."""
        n, limit_ms, late_ms = 10000, round(3000 * SLOWNESS), 10
        self.need_descriptors(n + 100)
        for transport in ("direct", "curl"):
            seen = []
            for _ in range(8):
                with Serve("--delay", "60s") as serve:
                    result = self.fire(serve.url, n, n, "-s", f"{limit_ms}ms", "--transport", transport, limit=120)
                self.assert_report(result)
                self.assertEqual(result.failed_times["count"], n, "each expired once")
                self.assertGreaterEqual(result.failed_times["min_ms"], limit_ms)
                if result.connections_peak < n:
                    continue
                self.assert_outcomes(result, timeout=n)
                seen.append(result.failed_times["max_ms"] - limit_ms)
                if seen[-1] <= late_ms * SLOWNESS:
                    break
            self.assertLessEqual(min(seen, default=math.inf), late_ms * SLOWNESS, (transport, seen))

    # ---- descriptors

    def limited(self, soft, hard, *args):
        """A run under `ulimit -n`."""
        command = ["sh", "-c", f'ulimit -Sn {soft} && ulimit -Hn {hard} && exec "$0" "$@"']
        return run(*args, prefix=command, with_json=False)

    def test_B145_the_soft_limit_is_raised(self):
        with Serve() as serve:
            result = self.limited(64, 4096, "-n", 2000, "-c", 500, "-k", "-p", ORDER_11, serve.url)
        self.assertEqual(result.exit, 0, result)
        self.assertEqual(result.report.complete, 2000, result)
        self.assertEqual(serve.counts["orders"], 2000)

    def test_B145_a_hard_limit_is_named_before_the_start(self):
        with Serve() as serve:
            result = self.limited(256, 256, "-n", 2000, "-c", 2000, "-k", "-p", ORDER_11, serve.url)
        self.assertEqual(result.exit, 2, result)
        self.assertRegex(result.err, r"2\d\d\d", "the number needed is not named")
        self.assertIn("256", result.err)
        self.assertIn("ulimit", result.err)
        self.assertEqual(serve.counts["connections"], 0)

    # ---- memory

    @mark("heavy")
    def test_B115_the_file_of_single_requests_takes_no_memory_for_each(self):
        peaks = {}
        with Serve() as serve, tempfile.TemporaryDirectory() as folder:
            for n in (10_000, 200_000):
                name = os.path.join(folder, str(n))
                result = self.fire(serve.url, n, 20, "-g", name, "--validate", "off", "--threads", 2, limit=120)
                self.assertEqual(result.outcomes["ok"], n, result)
                peaks[n] = result.peak_memory_bytes
                last = -1.0
                rows = 0
                with open(name, encoding="utf-8") as file:
                    next(file)
                    for row in file:
                        offset = float(row.rsplit("\t", 1)[1])
                        self.assertGreaterEqual(offset, last)
                        last = offset
                        rows += 1
                self.assertEqual(rows, n)
        # In memory it would be 32 bytes for each, and 90 for its row: 23 MB more.
        self.assertLess(peaks[200_000] - peaks[10_000], 8 << 20, peaks)

    # ---- ports

    def with_a_hundred_ports(self, *args, delay="0ms"):
        """A run in a network of its own with 100 local ports, which rest after use as they do between machines; also
        what the service says it saw."""
        prefix = self.need_namespaces("-n")
        self.need("ip", "iproute2")
        with tempfile.TemporaryDirectory() as folder:
            script = (
                "ip link set lo up && echo 40000 40099 >/proc/sys/net/ipv4/ip_local_port_range || exit 77\n"
                "echo 0 >/proc/sys/net/ipv4/tcp_tw_reuse || exit 77\n"
                f'"{binary()}" serve --port 30000 --delay {delay} >{folder}/serve & serve=$!\n'
                f"until grep -q http: {folder}/serve; do sleep 0.05; done\n"
                '"$0" "$@"; status=$?\n'
                f"kill -INT $serve; wait $serve; exit $status\n")
            result = run(*args, "-p", ORDER_11, "http://127.0.0.1:30000/OrderService.svc",
                         prefix=[*prefix, "sh", "-c", script])
            if result.exit == 77:
                self.skipTest("this machine does not let its ports be limited")
            with open(os.path.join(folder, "serve"), encoding="utf-8") as file:
                served = file.read()
        self.assert_report(result)
        self.assertIn(f"served: {result.sent_whole} requests", served)
        return result

    @mark("serial")
    def test_B141_more_connections_than_ports_are_our_own_failure(self):
        """200 connections at once: told before the run, then the rest is `local`, exit 3."""
        for transport in ("direct", "curl"):
            result = self.with_a_hundred_ports("-n", 400, "-c", 200, "-k", "--transport", transport, delay="200ms")
            self.assertGreater(result.outcomes["local"], 0, result)
            self.assertEqual(result.exit, 3, result)
            self.assertIn("-c 200 asks for more connections at once than the 100 local ports here", result.err)

    @mark("serial")
    def test_B141_ports_that_rest_run_out_and_more_addresses_last_longer(self):
        """We close each connection after two requests, and its port rests: 100 connections for each local address."""
        for transport in ("direct", "curl"):
            for sources, allowed in ((1, 1), (2, 3), (3, 5)):
                addresses = ",".join(f"127.0.0.{i + 1}" for i in range(sources))
                result = self.with_a_hundred_ports("-n", 500, "-c", 10, "--requests-per-connection", 2, "-B", addresses,
                                                   "--transport", transport)
                ok = min(500, 200 * sources)
                self.assert_outcomes(result, **{"ok": ok, **({"local": 500 - ok} if ok < 500 else {})})
                self.assertEqual(result.exit, 3 if ok < 500 else 0, result)
                told = f"the {sources}00 local ports here last for {allowed} new connection"
                self.assertEqual(told in result.err, ok < 500, result.err)

    @mark("serial")
    def test_B141_a_rate_over_what_the_ports_allow_is_told_before_it_fails(self):
        result = self.with_a_hundred_ports("-t", 4, "--rate", 50, "-c", 50, "--requests-per-connection", 1)
        self.assertIn("the 100 local ports here last for 1 new connection a second", result.err)
        self.assertIn("At 50 requests a second they are used up after 2 s.", result.err)
        result = self.with_a_hundred_ports("-t", 1, "--rate", 50, "-c", 50, "--requests-per-connection", 1)
        self.assertEqual(result.outcomes["local"], 0, result)
        self.assertNotIn("local port", result.err)

    # ---- start

    @mark("serial")
    def test_the_first_request_comes_soon_after_the_start(self):
        from answers import ok
        from scripted_server import Server, answering

        times = []
        for _ in range(5):
            with Server(answering(ok())) as server:
                begun = time.perf_counter()
                result = self.fire(server, 1, 1)
            self.assert_all_ok(result, server, 1)
            times.append(server.log[0].read_at - begun)
        self.assertLess(sorted(times)[2], 0.05 * SLOWNESS, times)

    def test_the_program_needs_nothing_from_its_folder(self):
        status = subprocess.run([binary(), "--version"], cwd="/", env={}, capture_output=True,
                                timeout=30 * SLOWNESS, check=False)
        self.assertEqual(status.returncode, 0, status)
