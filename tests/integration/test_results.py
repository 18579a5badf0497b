# SPDX-License-Identifier: Apache-2.0
"""What a run leaves behind: the same figures in every format, gates for builds, results printed again.

Rows of the conformance list: B121, B139, B150.
"""

import csv
import json
import os
import re
import subprocess
import tempfile
import time
import xml.etree.ElementTree as tree

from answers import fault_11, ok
from case import Case, mark, timed
from lather import NOTICE, ORDER_11, SLOWNESS, Running, Serve, binary
from scripted_server import Server, answering


def fault():
    return ok(fault_11(code="s:Server"), status="500 Internal Server Error")


class Results(Case):
    # ---- helpers

    def folder(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return folder.name

    def lather(self, *args, **how):
        """Runs a command that needs no server; (exit, out, err)."""
        done = subprocess.run([binary(), *map(str, args)], capture_output=True, timeout=60 * SLOWNESS, check=False,
                              stdin=subprocess.DEVNULL, **how)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def saved(self, n=60, script=None, *options):
        """A run against a scripted server; its Result and the file its JSON is in."""
        path = os.path.join(self.folder(), "run.json")
        with Server(script or answering(ok(), 0.002)) as server:
            result = self.fire(server, n, 4, *options)
        self.assert_report(result)
        with open(path, "w", encoding="utf-8") as file:
            json.dump(result.json, file)
        return result, path

    def read(self, path):
        with open(path, encoding="utf-8") as file:
            return file.read()

    # ---- formats

    def test_B121_every_format_has_the_same_figures(self):
        folder = self.folder()
        names = {option: os.path.join(folder, name) for option, name in (
            ("--junit", "r.xml"), ("--hdr", "r.hgrm"), ("--timeline", "r.csv"), ("-e", "p.csv"), ("-g", "g.tsv"), ("--html", "r.html"))}
        options = [word for pair in names.items() for word in pair]
        with Server(answering(lambda request: fault() if request.number % 10 == 0 else ok(), 0.002)) as server:
            result = self.fire(server, 200, 4, "--percentiles", "50,95,99.9", *options)
        self.assert_report(result)
        self.assert_outcomes(result, ok=180, fault=20)
        p95 = result.percentile_ms("95")
        self.assertIn(f"p95                   {p95:.3f}", result.out)
        suite = tree.parse(names["--junit"]).getroot().find("testsuite")
        properties = {p.get("name"): float(p.get("value")) for p in suite.find("properties")
                      if not p.get("name").startswith("lather")}
        self.assertEqual(properties["requests.finished"], 200)
        self.assertEqual(properties["requests.failed"], 20)
        self.assertAlmostEqual(properties["latency.p95_ms"], p95, delta=0.001)
        rows = list(csv.DictReader(self.read(names["--timeline"]).splitlines()))
        self.assertEqual(sum(int(row["finished"]) for row in rows), 200)
        self.assertEqual(sum(int(row["failed"]) for row in rows), 20)
        self.assertAlmostEqual(max(float(row["max_ms"]) for row in rows), result.report.times("Total")[4], delta=0.002)
        self.assertIn("p99.9_ms", rows[0])
        last = [line for line in self.read(names["--hdr"]).splitlines() if line and not line.startswith("#")][-1].split()
        self.assertEqual(last[2], "200")
        self.assertAlmostEqual(float(last[0]), result.report.times("Total")[4], delta=0.002)
        times = sorted(float(row.split("\t")[4]) for row in self.read(names["-g"]).splitlines()[1:])
        self.assertEqual(len(times), 200)
        self.assertAlmostEqual(times[189], p95, delta=0.002 + p95 / 1024)  # ceil(0.95 * 200), to the width of a bucket
        self.assertAlmostEqual(times[-1], result.report.times("Total")[4], delta=0.002)
        percents = dict(line.split(",") for line in self.read(names["-e"]).splitlines()[1:])
        self.assertAlmostEqual(float(percents["95"]), p95, delta=0.001)
        page = self.read(names["--html"])
        self.assertIn("<b>200</b><small>requests finished</small>", page)
        self.assertIn("<b>10.00 %</b><small>of them failed</small>", page)
        self.assertRegex(page, r'<th class="n">p50</th><th class="n">p95</th><th class="n">p99\.9</th><th class="n">longest</th>')
        total = re.search(r"<tr><th>Total</th>(.*?)</tr>", page).group(1)
        cells = [float(cell) for cell in re.findall(r"<td class=\"n\">([\d.]+)</td>", total)]
        self.assertEqual(cells[0], 200)
        self.assertAlmostEqual(cells[5], p95, delta=0.001)

    @timed
    def test_B139_a_second_has_its_own_percentiles(self):
        """The server is slow in its third second only; so are the rows."""
        path = os.path.join(self.folder(), "t.csv")

        begun = []

        async def script(peer):
            while await peer.request():
                begun.append(time.monotonic())
                await peer.sleep(0.15 if 2.05 < begun[-1] - begun[0] < 2.85 else 0.005)
                await peer.send(ok())

        with Server(script) as server:
            result = self.fire(server, None, 4, "-t", "5", "--timeline", path)
        self.assert_report(result)
        rows = list(csv.DictReader(self.read(path).splitlines()))
        self.assertIn(len(rows), (5, 6))
        slow_rows = [number for number, row in enumerate(rows) if row["p90_ms"] and float(row["p90_ms"]) > 100]
        self.assertEqual(slow_rows, [2], rows)
        self.assertLess(float(rows[4]["p99_ms"]), 100 * SLOWNESS, "a window over the whole run would still be slow")

    def test_performance_monitors_layout(self):
        path = os.path.join(self.folder(), "t.pdh.csv")
        with Server(answering(ok(), 0.002)) as server:
            result = self.fire(server, 50, 2, "--timeline", path)
        self.assert_report(result)
        with open(path, newline="", encoding="utf-8") as file:
            text = file.read()
        self.assertTrue(text.startswith('"(PDH-CSV 4.0) ('))
        self.assertTrue(text.endswith('"\r\n'))
        rows = list(csv.reader(text.splitlines()))
        self.assertRegex(rows[1][0], r"^\d\d/\d\d/\d{4} \d\d:\d\d:\d\d\.\d{3}$")
        self.assertTrue(all(name.startswith("\\\\lather\\Requests(127.0.0.1)\\") for name in rows[0][1:]))
        self.assertTrue(all(len(row) == len(rows[0]) for row in rows))

    def test_no_file_that_is_read_is_written_over(self):
        folder = self.folder()
        names = {}
        for name, source in (("a.xml", ORDER_11), ("b.xml", ORDER_11), ("a.xml.expect", None), ("d.csv", None)):
            names[name] = os.path.join(folder, name)
            with open(names[name], "w", encoding="utf-8") as file:
                file.write(self.read(source) if source else "# none\n# at all\n")
        with Server(answering(ok())) as server:
            _, result = self.saved(5)
            for args in (("-p", names["a.xml"] + "@2", "-p", names["b.xml"], "--json", names["a.xml"]),
                         ("-p", folder, "--html", names["b.xml"]), ("-p", names["a.xml"], "-g", names["a.xml.expect"]),
                         ("-p", names["a.xml"], "--data", names["d.csv"], "--timeline", folder + "/./d.csv"),
                         ("-p", names["a.xml"], "--golden", names["b.xml"], "--hdr", names["b.xml"])):
                status, out, err = self.lather("-n", "2", *args, server.url())
                self.assertEqual((status, out), (2, ""), args)
                self.assertRegex(err, r"^lather: --[a-z-]+ would write over [^\n]+: give it a name of its own\n$")
            for command in ("report", "merge"):
                self.assertEqual(self.lather(command, result, "--html", result)[0], 2)
            self.assertEqual(server.requests, 0)
        self.assertEqual(self.read(names["a.xml"]), self.read(ORDER_11))
        self.assertIn("schema", self.read(result))

    # ---- gates

    def test_B150_conditions_decide_the_exit_status(self):
        """5 of 50 fail: tolerated or not, as the condition says."""
        script = answering(lambda request: fault() if request.number % 10 == 0 else ok())
        for conditions, status in (
                ([], 1), (["errors>10%"], 0), (["errors>9.9%"], 1), (["errors>10%", "fault{Server}>5"], 0),
                (["errors>10%", "fault{Server}>4"], 1), (["p95>1h"], 0), (["max>1us"], 1), (["rate<1/h"], 0),
                (["outcome timeout>0"], 0), (["mean>1h", "outcome fault>=5"], 1)):
            options = [word for condition in conditions for word in ("--fail-if", condition)]
            with Server(script) as server:
                result = self.fire(server, 50, 1, *options)
            self.assert_report(result)
            self.assert_outcomes(result, ok=45, fault=5)
            self.assertEqual(result.exit, status, result)
            self.assertEqual([entry["condition"] for entry in result.json["conditions"]], conditions)
            if conditions:
                self.assertIn("Conditions of --fail-if", result.out)
                self.assertEqual(status == 1, "FAILS THE RUN" in result.out)

    def test_B150_a_gate_does_not_open_unmeasured(self):
        result = self.fire("http://127.0.0.1:1/", 5, 1, "--fail-if", "p95>1h")
        self.assert_report(result)
        self.assertEqual(result.exit, 1, result)

    def test_a_condition_that_means_nothing_is_refused_before_the_run(self):
        with Server(answering(ok())) as server:
            for condition in ("p95>800", "errors>maybe", "speed>1", "errors", "rate<1%", "fault{}>0"):
                result = self.fire(server, 1, 1, "--fail-if", condition, with_json=False)
                self.assertEqual(result.exit, 2, result)
                self.assertIn("--fail-if", result.err)
            result = self.fire(server, 1, 1, "--percentiles", "50,101", with_json=False)
            self.assertEqual(result.exit, 2, result)
            self.assertIn("--percentiles", result.err)
        self.assertEqual(server.connections, 0)

    # ---- printing again

    def test_B121_a_saved_result_prints_the_same_report(self):
        result, path = self.saved(60, None, "--percentiles", "95", "--fail-if", "errors>50%")
        again = os.path.join(self.folder(), "again.json")
        status, out, err = self.lather("report", path, "--json", again)
        self.assertEqual((status, err), (0, ""))
        first = result.out[result.out.index("Server Software:"):]
        self.assertEqual(out[out.index("Server Software:"):], first)
        self.assertEqual(json.loads(self.read(again)), result.json)

    def test_a_saved_result_prints_any_format(self):
        _, path = self.saved()
        folder = self.folder()
        options = []
        for option, name in (("--junit", "r.xml"), ("--hdr", "r.hgrm"), ("--timeline", "r.csv"), ("-e", "p.csv")):
            options += [option, os.path.join(folder, name)]
        status, out, err = self.lather("report", "-w", *options, path)
        self.assertEqual((status, err), (0, ""))
        self.assertIn("<table", out)
        for name in ("r.xml", "r.hgrm", "r.csv", "p.csv"):
            self.assertGreater(os.path.getsize(os.path.join(folder, name)), 50, name)

    def test_a_saved_result_can_be_gated(self):
        _, path = self.saved()
        self.assertEqual(self.lather("report", path, "--fail-if", "max>1us")[0], 1)
        self.assertEqual(self.lather("report", path, "--fail-if", "max>1h")[0], 0)

    def test_what_is_no_result_is_refused_by_name(self):
        result, path = self.saved(5)
        folder = self.folder()
        whole = self.read(path)
        bad = {"cut.json": whole[:len(whole) // 2], "other.json": '{"a": 1}', "empty.json": "",
               "newer.json": whole.replace('"lather/1"', '"lather/2"'),
               "forged.json": whole.replace('"finished": 5', '"finished": 6')}
        for name, text in bad.items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
            status, out, err = self.lather("report", os.path.join(folder, name))
            self.assertEqual((status, out), (2, ""), name)
            self.assertIn(name, err)
        for arguments in ((), ("/nowhere/run.json",), (path, path), ("-g", os.path.join(folder, "g"), path),
                          ("-n", "5", path)):
            status, out, err = self.lather("report", *arguments)
            self.assertEqual((status, out), (2, ""), arguments)
            self.assertTrue(err.startswith("lather: "), err)
        self.assertEqual(result.exit, 0)

    def test_a_file_that_cannot_be_written_does_not_cost_the_others(self):
        folder = self.folder()
        good = os.path.join(folder, "r.hgrm")
        with Server(answering(ok())) as server:
            result = self.fire(server, 10, 1, "--junit", "/dev/full", "--hdr", good)
        self.assert_report(result)
        self.assertEqual(result.exit, 3, result)
        self.assertIn("/dev/full", result.err)
        self.assertGreater(os.path.getsize(good), 50)

    def test_files_are_opened_before_the_run(self):
        with Server(answering(ok())) as server:
            for option in ("--junit", "--hdr", "--timeline", "--json"):
                result = self.fire(server, 5, 1, option, "/nowhere/file", with_json=False)
                self.assertEqual(result.exit, 2, result)
                self.assertIn("/nowhere/file", result.err)
            result = self.fire(server, 5, 1, "--junit", "/tmp/same.xml", "--hdr", "/tmp/same.xml", with_json=False)
            self.assertEqual(result.exit, 2, result)
        self.assertEqual(server.connections, 0)

    # ---- several results, and two

    def boxes(self, count=2, *options, delay="2ms"):
        """Results of boxes that fired at one service at the same time, and what it served."""
        folder = self.folder()
        paths = [os.path.join(folder, f"box{number}.json") for number in range(count)]
        with Serve("--delay", delay) as serve:
            running = [subprocess.Popen([binary(), "-q", "-t", "2", "-c", "3", "-k", "-p", ORDER_11, "--json", path, *options,
                                         serve.url], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for path in paths]
            self.assertEqual([process.wait(60 * SLOWNESS) for process in running], [0] * count)
        return paths, serve.counts

    def test_the_merge_of_boxes_is_what_the_service_served(self):
        paths, counts = self.boxes(3)
        whole = os.path.join(self.folder(), "whole.json")
        status, out, err = self.lather("merge", *paths, "--json", whole, "--html", whole + ".html")
        self.assertEqual((status, err), (0, ""))
        parts = [json.loads(self.read(path)) for path in paths]
        merged = json.loads(self.read(whole))
        for table, key in (("counts", "finished"), ("traffic", "bytes_received"), ("traffic", "requests_sent_whole"),
                           ("counts", "body_bytes")):
            self.assertEqual(merged[table][key], sum(part[table][key] for part in parts), key)
        self.assertEqual(merged["traffic"]["requests_sent_whole"], counts["requests"])
        self.assertEqual(merged["times"]["total"]["count"], sum(part["times"]["total"]["count"] for part in parts))
        self.assertEqual(sum(interval["finished"] for interval in merged["timeline"]["intervals"]), merged["counts"]["finished"])
        self.assertAlmostEqual(merged["figures"]["requests_per_s"], sum(part["figures"]["requests_per_s"] for part in parts),
                               delta=0.01)
        self.assertIn("Parts of this result", out)
        self.assertIn(paths[2], out)
        again = self.lather("report", whole)
        self.assertEqual(again[1], out)

    @timed
    def test_steps_of_boxes_that_run_together_are_added_up(self):
        with Server(answering(ok(), 0.002)) as server:
            runs = [Running(["-c", 2, "-k", "-p", ORDER_11, "--steps", f"{rate},{2 * rate}x1500ms", server.url()])
                    for rate in (20, 40)]
            with runs[0], runs[1]:
                parts = [run.end() for run in runs]
        paths = [self.file(json.dumps(part.json).encode(), ".json") for part in parts]
        whole = os.path.join(self.folder(), "whole.json")
        status, out, err = self.lather("merge", *paths, "--json", whole)
        self.assertEqual((status, err), (0, ""))
        merged = json.loads(self.read(whole))
        self.assertEqual([step["rate_micro_per_s"] for step in merged["steps"]], [60_000_000, 120_000_000], out)
        for i, step in enumerate(merged["steps"]):
            both = [part.json["steps"][i] for part in parts]
            self.assertEqual(step["finished"], sum(part["finished"] for part in both))
            self.assertEqual(step["total"]["count"], sum(part["total"]["count"] for part in both))
            self.assertEqual(step["max_ns"], max(part["max_ns"] for part in both))
            self.assertEqual(step["held"], all(part["held"] for part in both))
        self.assertEqual(sum(step["finished"] for step in merged["steps"]), merged["counts"]["finished"])
        self.assertRegex(out, r"\n  1 +60\.00 ")

    def test_merging_in_any_order_gives_the_same_report(self):
        paths, _ = self.boxes(2)
        self.assertEqual(self.lather("merge", *paths)[1], self.lather("merge", *reversed(paths))[1])

    def test_another_target_and_a_gap_are_named(self):
        first, _ = self.boxes(1)
        second, _ = self.boxes(1)
        status, out, _ = self.lather("merge", *first, *second)
        self.assertEqual(status, 0)
        self.assertRegex(out, r"is another target: \"http://127\.0\.0\.1:\d+/OrderService\.svc\", not")
        self.assertIn("a gap: none of the boxes ran", out)

    def test_a_merged_result_can_be_gated(self):
        paths, _ = self.boxes(2)
        self.assertEqual(self.lather("merge", *paths, "--fail-if", "errors>0")[0], 0)
        self.assertEqual(self.lather("merge", *paths, "--fail-if", "max>1us")[0], 1)

    @mark("serial")
    @timed
    def test_a_slower_service_is_told_and_an_equal_one_is_the_same(self):
        (quick,), _ = self.boxes(1)
        (equal,), _ = self.boxes(1)
        (slow,), _ = self.boxes(1, delay="25ms")
        status, out, err = self.lather("compare", quick, slow)
        self.assertEqual((status, err), (1, ""))
        self.assertRegex(out, r"(?m)^p50, ms .* slower$")
        self.assertRegex(out, r"(?m)^rate, per second .* slower$")
        self.assertRegex(out, r"(?m)^errors, % .* same$")
        self.assertRegex(self.lather("compare", slow, quick)[1], r"(?m)^mean, ms .* faster$")
        self.assertEqual(self.lather("compare", slow, quick)[0], 0)
        itself = self.lather("compare", equal, equal)
        self.assertEqual(itself[0], 0)
        self.assertEqual(len(re.findall(r"(?m) (same|within noise)$", itself[1])), 7, itself[1])

    def test_messages_of_two_mixes_are_compared(self):
        results = []
        for failing in (0, 2):
            with Server(answering(lambda request, failing=failing:
                                  ok(status="503 Busy") if failing and request.number % failing == 0 else ok())) as server:
                run = self.fire(server, 8, 1, "-p", NOTICE, "--validate", "off")
            results.append(self.file(b"\xef\xbb\xbf" + json.dumps(run.json).encode(), ".json"))
        status, out, err = self.lather("compare", *results)
        self.assertEqual(err, "")
        self.assertRegex(out, r"\nnotify-oneway\.xml\n  requests +4 +4\n  errors, % +0\.000 +100\.000 +\+100\.00 points\n"
                         r"  p50, ms +\d+\.\d{3} +\d+\.\d{3} +[-+][\d.]+ %\n")

    def test_merge_and_compare_refuse_what_they_cannot_use(self):
        _, path = self.saved(5)
        bad = self.file(b"{}", ".json")
        for arguments in (("merge", path), ("merge",), ("merge", path, bad), ("merge", path, "/nowhere/b.json"),
                          ("compare", path), ("compare", path, bad), ("compare", path, path, path),
                          ("compare", "--json", "x", path, path), ("merge", "-n", "5", path, path)):
            status, out, err = self.lather(*arguments)
            self.assertEqual((status, out), (2, ""), arguments)
            self.assertRegex(err, r"^lather: [^\n]+\n$")
