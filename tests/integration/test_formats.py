# SPDX-License-Identifier: Apache-2.0
"""The formats of a result against what others say of them: a JSON schema, Performance Monitor's layout, HdrHistogram."""

import copy
import csv
import datetime
import glob
import io
import json
import os
import re
import subprocess

import json_schema
import lather
from answers import ENVELOPE, envelope, fault_11, ok
from case import Case
from scripted_server import ReservedPort, Server, answering

ROOT = os.path.normpath(os.path.join(os.path.dirname(__file__), "..", ".."))
GOLDEN = os.path.join(ROOT, "tests", "unit", "report", "golden")


def read(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


def named(schema, found=None):
    """Every member that a schema names."""
    found = set() if found is None else found
    if isinstance(schema, dict):
        found |= set(schema.get("properties", {}))
        for part in schema.values():
            named(part, found)
    return found


class Json(Case):
    def setUp(self):
        self.schema = json.loads(read("docs", "result.schema.json"))

    def assert_fits(self, document):
        self.assertEqual(json_schema.check(self.schema, document, strict=True), [],
                         "tests/tools/add_to_schema.py writes what is missing")

    def test_saved_results_fit_the_schema(self):
        names = glob.glob(os.path.join(GOLDEN, "*.json"))
        self.assertGreaterEqual(len(names), 2)
        for name in names:
            self.assert_fits(json.loads(read(name)))

    def test_results_of_all_kinds_of_runs_fit_the_schema(self):
        def sometimes(request):
            return ok(fault_11(), "500 Internal Server Error") if request.number % 3 == 0 else ok()

        for options in ((), ("--rate", "200/s"), ("--warmup", 3, "--grace", "1s"), ("--fail-if", "errors>1%"),
                        ("--percentiles", "12.5,99.999"), ("--threads", 2, "--count-bodies")):
            with Server(answering(sometimes)) as server:
                result = self.fire(server, 12, 3, *options)
            self.assert_fits(result.json)
        for options in (("--sessions", "3,4,10ms", "--burst", 2), ("-n", 12, "-p", lather.NOTICE), ("-n", 9, "--data-order", "once",
                        "--data", self.file(b"name\na\nb\n", ".csv"), "-p", self.file(b"<a>${data.name}</a>"))):
            with Server(answering(sometimes)) as server:
                self.assert_fits(self.fire(server, None, 2, *options).json)
        with Server(answering(ok())) as server:
            self.assert_fits(self.fire(server, 0, 2, "--find-rate", "p95<5s", "--steps", "20,40x200ms").json)
        rows = self.file(b"id\n1\n2\n", ".csv")
        with Server(answering(ok())) as server:
            result = self.fire(server, 12, 2, "--data", rows, "--data-order", "once",
                               body=self.file(envelope("<o>${data.id}</o>")))
        self.assertEqual(result.json["run"]["end"], "rows", result)
        self.assert_fits(result.json)
        with ReservedPort() as nobody:
            self.assert_fits(self.fire(nobody.url(), 20, 2).json)

    def test_the_schema_refuses_what_is_no_result(self):
        good = json.loads(read(GOLDEN, "full.json"))
        self.assert_fits(good)
        for path, value in ((("schema",), "lather/2"), (("counts", "finished"), -1), (("counts", "finished"), 1.5),
                            (("run", "end"), "well"), (("outcomes", "good"), 1), (("times", "total", "sum_ns"), "1e9"),
                            (("times", "total", "buckets_ns", 0), [1]), (("notes",), "one"), (("statuses", "2xx"), 5),
                            (("plan", "keep_alive"), "yes"), (("failures", "groups", 0, "outcome"), "ok"),
                            (("timeline", "intervals", 0, "at"), "first"), (("health", "workers", 0), [])):
            wrong = copy.deepcopy(good)
            place = wrong
            for step in path[:-1]:
                place = place[step]
            place[path[-1]] = value
            self.assertNotEqual(json_schema.check(self.schema, wrong), [], path)
        for name in self.schema["required"]:
            wrong = copy.deepcopy(good)
            del wrong[name]
            self.assertEqual(json_schema.check(self.schema, wrong), [f"$: {name} is missing"])

    def test_the_schema_names_what_the_page_defines(self):
        defined = set(re.findall(r"^\| `([a-z0-9_]+)` \|", read("docs", "JSON.md"), re.M))
        outcomes = set(re.findall(r"^\| `([a-z_]+)` \|", read("docs", "OUTCOMES.md"), re.M))
        self.assertEqual(named(self.schema) - outcomes, defined - outcomes)
        end = self.schema["properties"]["run"]["properties"]["end"]
        self.assertEqual(set(end["enum"]), set(re.findall(r'"([^"]+)"', end["description"])))

    def test_another_validator_agrees(self):
        try:
            from jsonschema import Draft202012Validator
        except ImportError:
            self.skipTest("python3-jsonschema is not installed")
        Draft202012Validator.check_schema(self.schema)
        for name in glob.glob(os.path.join(GOLDEN, "*.json")):
            self.assertEqual(list(Draft202012Validator(self.schema).iter_errors(json.loads(read(name)))), [])


class PerformanceMonitor(Case):
    """PDH-CSV 4.0, as relog and typeperf write it and Performance Monitor opens it."""

    def assert_layout(self, raw, count):
        self.assertTrue(raw.endswith(b"\r\n"))
        lines = raw.decode("ascii").split("\r\n")[:-1]
        self.assertNotIn("\n", "".join(lines))
        for line in lines:
            self.assertRegex(line, r'^"[^"]*"(,"[^"]*")*$')  # every value is in quotes
        rows = list(csv.reader(io.StringIO("\n".join(lines))))
        head = rows[0]
        zone = re.fullmatch(r"\(PDH-CSV 4\.0\) \(([^()]+)\)\((-?\d+)\)", head[0])
        self.assertIsNotNone(zone, head[0])
        for path in head[1:]:
            self.assertRegex(path, r"^\\\\[^\\]+\\[^\\()]+\([^\\()]*\)\\[^\\]+$")  # \\machine\object(instance)\counter
        self.assertEqual(len(set(head)), len(head))
        stamps = []
        for row in rows[1:]:
            self.assertEqual(len(row), len(head))
            self.assertRegex(row[0], r"^\d\d/\d\d/\d{4} \d\d:\d\d:\d\d\.\d{3}$")
            stamps.append(datetime.datetime.strptime(row[0], "%m/%d/%Y %H:%M:%S.%f"))
            for value in row[1:]:
                self.assertRegex(value, r"^(-?\d+\.\d+| )$")
        self.assertEqual(stamps, sorted(set(stamps)))
        self.assertEqual(len(stamps), count)
        return head, rows[1:]

    def test_the_saved_one_is_laid_out_so(self):
        with open(os.path.join(GOLDEN, "timeline.pdh.csv"), "rb") as file:
            head, rows = self.assert_layout(file.read(), 90)
        self.assertIn("(-60)", head[0])
        self.assertTrue(any(" " in row[1:] for row in rows), "no row is without times")

    def test_that_of_a_run_is_laid_out_so_and_reads_as_counters(self):
        name = self.file(b"", ".pdh.csv")
        with Server(answering(ok(), 0.002)) as server:
            result = self.fire(server, 0, 2, "--rate", "40/s", "-t", "2500ms", "--timeline", name,
                               env={"TZ": "CET-1"})
        with open(name, "rb") as file:
            head, rows = self.assert_layout(file.read(), 3)
        self.assertTrue(any("response p99" in path for path in head))
        self.assertAlmostEqual(sum(float(row[1]) for row in rows[:2]), 80, delta=6)
        # What reads relog's files for --counters reads this one, too.
        page = self.file(b"", ".html")
        saved = self.file(json.dumps(result.json).encode(), ".json")
        shown = lather.run("report", saved, "--html", page, "--counters", name, with_json=False)
        self.assertEqual(shown.exit, 0, shown)
        with open(page, encoding="utf-8") as file:
            self.assertIn("Finished/sec", file.read())


class Hdr(Case):
    def test_the_distribution_is_what_hdr_histogram_js_reads_from_the_buckets(self):
        node = self.need("node", "nodejs")
        folder = os.environ["LATHER_NODE"]
        modules = os.path.join(folder, "node_modules")
        if not os.path.isdir(os.path.join(modules, "hdr-histogram-js")):
            if os.environ.get("LATHER_TEST") != "all":
                self.skipTest("hdr-histogram-js is not installed (cmake/node.sh build/ci/node)")
            subprocess.run([os.path.join(ROOT, "cmake", "node.sh"), folder], check=True, timeout=300)

        def delay(number):
            return 0.05 if number % 50 == 0 else 0.001 * (number % 7)

        async def script(peer):
            while request := await peer.request():
                await peer.sleep(delay(request.number))
                await peer.send(ok(ENVELOPE))

        for n, c in ((1, 1), (7, 2), (400, 8)):
            name = self.file(b"", ".hgrm")
            with Server(script) as server:
                result = self.fire(server, n, c, "--hdr", name)
            saved = self.file(json.dumps(result.json).encode(), ".json")
            done = subprocess.run([node, os.path.join(ROOT, "tests", "integration", "hdr_compare.js"), saved, name],
                                  env={**os.environ, "NODE_PATH": modules}, capture_output=True, text=True, timeout=60,
                                  check=False)
            self.assertEqual(done.stderr, "")
            self.assertRegex(done.stdout, r"\A\d+ rows compared\n\Z")
