# SPDX-License-Identifier: Apache-2.0
"""docs/MIGRATING.md: every command on it is read by lather, and siege and httperf do at the server what lather does."""

import os
import re
import shlex
import shutil
import subprocess
import tempfile

import lather
from answers import ok
from case import Case, mark
from scripted_server import Server, answering

ROOT = os.path.normpath(os.path.join(os.path.dirname(__file__), "..", ".."))
# The files that the page's commands name, and where they are taken from.
FILES = {"order.xml": "payloads/order-soap11.xml", "plan.jmx": "tests/fuzz/corpus/capture_jmeter/order",
         "project.xml": "tests/fuzz/corpus/capture_soapui/order-call"}


def commands():
    with open(os.path.join(ROOT, "docs", "MIGRATING.md"), encoding="utf-8") as page:
        return [shlex.split(line)[1:] for line in re.findall(r"^ {4}(lather .*)$", page.read(), re.M)]


class Page(Case):
    def test_every_command_on_the_page_is_read(self):
        found = commands()
        self.assertGreater(len(found), 10)
        with tempfile.TemporaryDirectory() as folder:
            for name, source in FILES.items():
                shutil.copy(os.path.join(ROOT, source), os.path.join(folder, name))
            with open(os.path.join(folder, "urls.txt"), "w", encoding="utf-8") as file:
                file.write("http://127.0.0.1:8080/a\nhttp://127.0.0.1:8080/b POST <order.xml\n")
            for command in found:
                command = self.without_conditions(command)
                done = subprocess.run([lather.binary(), "check", "--dry-run", *command], cwd=folder, text=True,
                                      capture_output=True, timeout=30 * lather.SLOWNESS, check=False)
                self.assertEqual(done.returncode, 0, f"lather {shlex.join(command)}\n{done.stdout}{done.stderr}")

    def without_conditions(self, command):
        """One request has no conditions: they are read by `lather report`, from a saved result."""
        rest, words = [], iter(command)
        for word in words:
            if word != "--fail-if":
                rest.append(word)
                continue
            saved = os.path.join(ROOT, "tests", "unit", "report", "golden", "full.json")
            self.assertIn(lather.run("report", "--fail-if", next(words), saved, with_json=False).exit, (0, 1))
        return rest

    def test_options_that_it_names_are_there(self):
        with open(os.path.join(ROOT, "docs", "MIGRATING.md"), encoding="utf-8") as page:
            rows = [line.split("|")[2] for line in page if line.startswith("| ")]
        with open(os.path.join(ROOT, "docs", "OPTIONS.md"), encoding="utf-8") as page:
            known = set(re.findall(r"`(--?[a-z][a-z0-9-]*)`", page.read())) | set(re.findall(r"`(-[A-Za-z])`", page.read()))
        named = {word for row in rows for word in re.findall(r"(?<![\w-])(--[a-z][a-z-]+)", row)}
        self.assertGreater(len(named), 25)
        self.assertEqual(named - known, set())


class Beside(Case):
    """The same load by the original and by lather, as the server sees it."""

    def run_other(self, *command):
        with tempfile.TemporaryDirectory() as home:
            done = subprocess.run(command, env={**os.environ, "HOME": home}, capture_output=True, text=True,
                                  timeout=60 * lather.SLOWNESS, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def seen(self, server):
        """Requests by connection in falling order, their lines and bodies, and how long they took to come."""
        by_connection = {}
        for request in server.log:
            by_connection[request.connection] = by_connection.get(request.connection, 0) + 1
        return {"counts": sorted(by_connection.values(), reverse=True),
                "lines": {re.sub(r" HTTP/.*", "", request.line) for request in server.log},
                "bodies": {request.body for request in server.log}}

    def assert_same(self, other, *options, path="/a", body=None, pause_s=0.005):
        """Runs both; returns both servers."""
        servers = []
        for which in ("other", "lather"):
            with Server(answering(ok(), pause_s)) as server:
                if which == "other":
                    self.run_other(*other(server))
                else:
                    result = self.fire(server.url(path=path), 0, 1, *options, body=body, k=False)
                    self.assertEqual(result.failed, 0, result)
                    self.assertEqual(server.requests, result.sent_whole, result)
            self.assertEqual(server.errors, [])
            servers.append(server)
        self.assertEqual(self.seen(servers[0]), self.seen(servers[1]))
        return servers

    def test_siege_makes_as_many_requests_on_as_many_connections(self):
        siege = self.need("siege", "siege")
        other, ours = self.assert_same(
            lambda server: [siege, "-q", "-b", "-c", "4", "-r", "5", server.url(path="/a")], "-n", 20, "-c", 4)
        self.assertEqual(other.requests, 20)
        self.assertLessEqual(max(other.open_peak, ours.open_peak), 8)  # one may not be closed yet when the next opens

    def test_siege_posts_the_same_message(self):
        siege = self.need("siege", "siege")
        message = self.file(b"<order>1</order>")
        other, _ = self.assert_same(
            lambda server: [siege, "-q", "-b", "-c", "2", "-r", "3", "-T", "text/xml", f"{server.url(path='/a')} POST <{message}"],
            "-n", 6, "-c", 2, "-T", "text/xml", body=message)
        self.assertEqual(len(other.log), 6)

    def test_siege_asks_for_the_same_list(self):
        siege = self.need("siege", "siege")

        def listed(server):
            return self.file(f"{server.url(path='/a')}\n{server.url(path='/b')}\n".encode(), ".txt")

        servers = []
        with Server(answering(ok())) as server:
            self.run_other(siege, "-q", "-b", "-c", "1", "-r", "6", "-f", listed(server))
            servers.append(server)
        with Server(answering(ok())) as server:
            result = lather.run("-n", 6, "-c", 1, "--urls", listed(server))
            self.assertEqual(result.failed, 0, result)
            servers.append(server)
        for server in servers:
            self.assertEqual([request.line.split()[1] for request in server.log], ["/a", "/b"] * 3)

    @mark("serial")
    def test_siege_pauses_within_the_same_bounds(self):
        siege = self.need("siege", "siege")
        servers = self.assert_same(
            lambda server: [siege, "-q", "-c", "1", "-r", "4", "-d", "1", server.url(path="/a")],
            "-n", 4, "-c", 1, "--think", "0-1s")
        for server in servers:
            stamps = [request.read_at for request in server.log]
            self.assertLess(max(b - a for a, b in zip(stamps, stamps[1:])), 1 + 1 * lather.SLOWNESS)

    def test_httperf_makes_its_calls_on_as_many_connections(self):
        httperf = self.need("httperf", "httperf")
        other, _ = self.assert_same(
            lambda server: [httperf, "--server", "127.0.0.1", "--port", str(server.port), "--uri", "/a", "--num-conns", "10",
                            "--num-calls", "3"], "-n", 30, "-c", 1, "--requests-per-connection", 3)
        self.assertEqual((other.requests, other.connections), (30, 10))

    def test_httperf_sends_the_same_sessions(self):
        httperf = self.need("httperf", "httperf")
        servers = self.assert_same(
            lambda server: [httperf, "--server", "127.0.0.1", "--port", str(server.port), "--uri", "/a", "--wsess", "5,4,0.2",
                            "--burst-length", "2"], "--sessions", "5,4,200ms", "--burst", 2)
        for server in servers:
            self.assertEqual((server.requests, server.connections), (20, 5))
            for connection in range(1, 6):
                stamps = [request.read_at for request in server.log if request.connection == connection]
                self.assertGreaterEqual(stamps[2] - stamps[1], 0.198, "the pause between the bursts")

    @mark("serial")
    def test_httperf_keeps_the_same_rate(self):
        httperf = self.need("httperf", "httperf")
        servers = self.assert_same(
            lambda server: [httperf, "--server", "127.0.0.1", "--port", str(server.port), "--uri", "/a", "--num-conns", "20",
                            "--rate", "20"], "-n", 20, "-c", 20, "--rate", "20/s")
        for server in servers:
            self.assertEqual(server.connections, 20)
            self.assertAlmostEqual(server.log[-1].read_at - server.log[0].read_at, 0.95, delta=0.3 * lather.SLOWNESS)
