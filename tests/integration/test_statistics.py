# SPDX-License-Identifier: Apache-2.0
"""Figures: that they are of what they say, fit each other, and do not grow with n.

Rows of the conformance list: B115, B118, B120, B121, B128, B129, B130, B131, B137.
"""

import re
import signal
import time

from answers import envelope, ok
from case import Case, mark
from lather import ORDER_11, SLOWNESS, Running, Serve
from scripted_server import Server, answering


class Statistics(Case):
    def test_the_figures_fit_each_other(self):
        with Server(answering(ok(), 0.004)) as server:
            result = self.fire(server, 300, 6)
        self.assert_all_ok(result, server, 300)
        report = result.report
        taken = report.figure("Time taken for tests")
        self.assertAlmostEqual(report.figure("Requests per second"), 300 / taken, delta=300 / taken * 0.01)
        mean, across = report.time_per_request_ms
        self.assertAlmostEqual(mean, 6 * taken * 1000 / 300, delta=mean * 0.01)
        self.assertAlmostEqual(across, taken * 1000 / 300, delta=across * 0.01)
        self.assertEqual(report.figure("Total transferred"), server.bytes_out)
        self.assertEqual(report.figure("Total body sent"), server.bytes_in)
        self.assertEqual(report.figure("HTML transferred"), 300 * len(ok().split(b"\r\n\r\n", 1)[1]))
        received, sent, total = report.rates_kb
        self.assertAlmostEqual(received, server.bytes_out / 1024 / taken, delta=received * 0.01)
        self.assertAlmostEqual(sent, server.bytes_in / 1024 / taken, delta=sent * 0.01)
        self.assertAlmostEqual(total, received + sent, delta=0.02)
        self.assertEqual(report.figure("Keep-Alive requests"), 300)
        self.assertEqual(report.figure("Concurrency Level"), 6)

    def test_connection_times_fit_each_other(self):
        with Server(answering(ok(), 0.004)) as server:
            result = self.fire(server, 200, 4, k=False)
        self.assert_all_ok(result, server, 200)
        rows = {row: result.report.times(row) for row in ("Connect", "Processing", "Waiting", "Total")}
        for row, (least, mean, _, median, most) in rows.items():
            self.assertLessEqual(least, median, row)
            self.assertLessEqual(median, most, row)
            self.assertTrue(least <= mean <= most, row)
        self.assertAlmostEqual(rows["Total"][1], rows["Connect"][1] + rows["Processing"][1], delta=0.01)
        self.assertLessEqual(rows["Waiting"][4], rows["Processing"][4])
        self.assertGreaterEqual(rows["Waiting"][0], 4)

    def test_B137_long_times_and_high_ports_are_what_they_are(self):
        """ab.exe counts time in 32 bits and takes ports above 32767 for negative."""
        with Server(answering(ok())) as server:
            while server.port < 40000:
                server.listen_elsewhere()
            for limit in ("2000h", "4294968"):  # beyond 2^32 ms, and just beyond
                result = self.fire(server, 5, 1, "-t", limit)
                self.assert_report(result)
                self.assertEqual(result.outcomes["ok"], 5, result)
                self.assertEqual(result.json["run"]["end"], "done", result)
                self.assertEqual(result.report.figure("Server Port"), server.port)
            self.assertEqual(server.requests, 10)

    def test_B130_no_percentile_is_above_the_maximum(self):
        for n in (2, 3, 53, 100):
            with Server(answering(ok(), 0.001)) as server:
                result = self.fire(server, n, 2)
            self.assert_all_ok(result, server, n)
            percentiles = result.report.percentiles
            self.assertEqual(sorted(percentiles), [50, 66, 75, 80, 90, 95, 98, 99, 100])
            values = [percentiles[percent] for percent in sorted(percentiles)]
            self.assertEqual(values, sorted(values))
            self.assertAlmostEqual(values[-1], result.report.times("Total")[4], delta=0.002)

    def test_B131_one_request_has_one_time(self):
        with Server(answering(ok(), 0.01)) as server:
            result = self.fire(server, 1, 1)
        self.assert_all_ok(result, server, 1)
        least, mean, deviation, median, most = result.report.times("Total")
        self.assertEqual(deviation, 0)
        self.assertTrue(least == mean == median == most, result)

    @mark("serial")
    def test_B129_in_flight_is_rate_times_time(self):
        """Little's law: with one connection, rate times mean time is what was in flight, 1."""
        with Server(answering(ok(), 0.005)) as server:
            result = self.fire(server, 200, 1)
        self.assert_all_ok(result, server, 200)
        in_flight = result.report.figure("Requests per second") * result.report.times("Total")[1] / 1000
        self.assertAlmostEqual(in_flight, 1, delta=0.02 * SLOWNESS)

    @mark("serial")
    def test_B115_memory_does_not_grow_with_n(self):
        """D11: 300,000 requests need no more than their histograms; ten bytes each would be 3 MB."""
        peaks = []
        with Serve() as serve:
            for n in (100, 300000):
                result = self.fire(serve.url, n, 50, "--threads", 2, limit=120)
                self.assert_report(result)
                self.assert_outcomes(result, ok=n)
                peaks.append(result.peak_memory_bytes)
        self.assertEqual(serve.counts["requests"], 300100)
        if SLOWNESS == 1:  # sanitizers keep books of their own
            self.assertLess(peaks[1] - peaks[0], 3 << 20, peaks)
            self.assertLess(peaks[1], 24 << 20, peaks)

    @mark("heavy", "serial")
    def test_B115_a_million_and_a_half_requests(self):
        with Serve() as serve:
            result = self.fire(serve.url, 1500000, 50, limit=240)
        self.assert_report(result)
        self.assert_outcomes(result, ok=1500000)
        self.assertEqual(serve.counts["orders"], 1500000)
        self.assertEqual(serve.counts["bytes out"], result.bytes_received)
        self.assertEqual(result.report.figure("Total transferred"), serve.counts["bytes out"])

    def test_B120_a_huge_n_costs_nothing(self):
        """D26: the plan is a number, not an array."""
        with Server(answering(ok(), 0.001)) as server:
            for n in (2147483647, 2147483648, 1000000000000):
                with Running(["-n", n, "-t", "0.3", "-c", "2", "-k", "-p", ORDER_11, server.url()]) as running:
                    result = running.end(20)
                self.assert_report(result)
                self.assertEqual(result.report.failed, 0, result)
                self.assertEqual(result.not_started, n - result.started, result)

    @mark("serial")
    def test_the_client_says_when_it_was_the_limit(self):
        """Judging 180 KB, different each time, costs one thread far more than sending it costs a server: bytes wait for their stamp."""
        kinds = [ok(envelope(f"<r{kind}>" + "<a>text</a>" * 15000 + f"</r{kind}>")) for kind in range(3)]
        with Server(answering(lambda request: kinds[request.number % 3])) as server:
            busy = self.fire(server, None, 4, "-t", "3", "--threads", "1")
        self.assert_books(busy, server)
        self.assertTrue(busy.client_was_limit, busy)
        self.assertTrue(busy.json["health"]["loop_lag_warning"], busy)
        self.assertRegex(busy.out, r"(?i)client itself was the limit: arriving bytes may have waited")
        self.assert_warned_by_its_own_figures(busy)
        with Serve("--delay", "5ms") as serve:
            calm = self.fire(serve.url, None, 4, "-t", "1.5", "--threads", "1")
        self.assert_report(calm)
        self.assert_warned_by_its_own_figures(calm)
        self.assertFalse(calm.json["health"]["cpu_share_warning"], calm)

    def assert_warned_by_its_own_figures(self, result):
        """What a busy machine does to a run is in both: how long a turn took, and how much of a core was there to be used."""
        health, lag = result.json["health"], result.json["times"]["loop_lag"]
        shares = [worker["cpu_share"] for worker in health["workers"]]
        self.assertEqual(health["cpu_share_warning"], max(shares) >= 0.9, shares)
        telling = "99" if lag["count"] >= 100 else "50"
        self.assertEqual(health["loop_lag_warning"], lag["count"] >= 10 and lag["percentiles_ns"][telling] > 1e6, lag["percentiles_ns"])
        self.assertEqual(result.client_was_limit, health["cpu_share_warning"] or health["loop_lag_warning"], health)

    @mark("heavy", "serial")
    def test_B118_more_than_four_gigabytes_are_counted(self):
        """D24."""
        with Serve("--size", "60M") as serve:
            result = self.fire(serve.url, 75, 4, "--validate", "off", limit=120)
        self.assert_report(result)
        self.assert_outcomes(result, ok=75)
        self.assertGreater(result.bytes_received, 1 << 32)
        self.assertEqual(result.bytes_received, serve.counts["bytes out"])
        self.assertEqual(result.report.figure("Total transferred"), serve.counts["bytes out"])

    @mark("serial")
    def test_B128_a_server_that_stands_still_shows_in_the_longest_times(self):
        with Serve("--delay", "2ms") as serve:
            with Running(["-t", "3", "-c", "5", "-k", "-p", ORDER_11, serve.url]) as running:
                time.sleep(1)
                serve.send_signal(signal.SIGSTOP)
                time.sleep(1)
                serve.send_signal(signal.SIGCONT)
                result = running.end(20)
        self.assert_report(result)
        self.assertEqual(result.report.failed, 0, result)
        self.assertEqual(result.count_above_ms(800), 5, "one request of each connection stood still, none was added")
        self.assertAlmostEqual(result.report.percentiles[100], 1000, delta=30 * SLOWNESS)
        self.assertEqual(serve.counts["requests"], result.sent_whole)

    def test_B121_all_formats_state_the_same_figures(self):
        """D27."""
        with Server(answering(ok(), 0.002)) as server:
            html = self.fire(server, 100, 5, "-w")
        self.assert_table(html, "Complete requests:", html.finished)
        self.assert_table(html, "Failed requests:", 0)
        self.assert_table(html, "Requests per second:", f'{html.json["figures"]["requests_per_s"]:.2f}')
        self.assert_table(html, "Total transferred:", server.bytes_out)

    def assert_table(self, result, label, value):
        """A row of the HTML report."""
        found = re.search(rf"<t[hd][^>]*>{re.escape(label)}</t[hd]>\s*<td[^>]*>\s*([\d.]+)", result.out, re.I)
        self.assertTrue(found, f"no row {label}\n{result}")
        self.assertEqual(found.group(1), str(value), label)

    def test_gnuplot_and_percentile_files_have_the_rows_of_ab(self):
        """B138, D03, D30: rows in start order; 101 percentiles."""
        samples = self.file(b"", ".tsv")
        percents = self.file(b"", ".csv")
        with Server(answering(ok(), 0.002)) as server:
            result = self.fire(server, 30, 3, "-g", samples, "-e", percents)
        self.assert_all_ok(result, server, 30)
        with open(samples, encoding="utf-8") as file:
            lines = file.read().splitlines()
        self.assertEqual(lines[0].split("\t")[:6], ["starttime", "seconds", "ctime", "dtime", "ttime", "wait"])
        self.assertEqual(len(lines), 31)
        seconds = [int(line.split("\t")[1]) for line in lines[1:]]
        self.assertEqual(seconds, sorted(seconds))
        with open(percents, encoding="utf-8") as file:
            lines = file.read().splitlines()
        self.assertEqual(lines[0], "Percentage served,Time in ms")
        self.assertEqual([int(line.split(",")[0]) for line in lines[1:]], list(range(101)))
        values = [float(line.split(",")[1]) for line in lines[1:]]
        self.assertEqual(values, sorted(values))
        self.assertAlmostEqual(values[100], result.report.percentiles[100], delta=0.002)
