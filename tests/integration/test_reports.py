# SPDX-License-Identifier: Apache-2.0
"""A report on every ending, in the places and words that scripts written for ab look for.

Rows of the conformance list: B151.
"""

import json
import os
import re
import subprocess

from answers import ok
from case import Case, mark
from lather import ORDER_11, SLOWNESS, Running, run
from scripted_server import ReservedPort, Server, answering


class Reports(Case):
    def test_labels_stand_in_the_order_of_ab(self):
        with Server(answering(ok(fields=["Server: Orders/1.0 (x)"]))) as server:
            result = self.fire(server, 40, 4)
        self.assert_all_ok(result, server, 40)
        labels = ["Benchmarking 127.0.0.1", "Server Software:", "Server Hostname:", "Server Port:", "Document Path:",
                  "Document Length:", "Concurrency Level:", "Time taken for tests:", "Complete requests:",
                  "Failed requests:", "Keep-Alive requests:", "Total transferred:", "Total body sent:",
                  "HTML transferred:", "Requests per second:", "Time per request:", "Transfer rate:", "kb/s sent",
                  "kb/s total", "Connection Times (ms)", "Connect:", "Processing:", "Waiting:", "Total:",
                  "Percentage of the requests served within a certain time (ms)", "  50%", " 100%"]
        places = [result.out.find(label) for label in labels]
        self.assertNotIn(-1, places, dict(zip(labels, places)))
        self.assertEqual(places, sorted(places), dict(zip(labels, places)))
        self.assertEqual(result.report.words("Server Software"), "Orders/1.0")
        self.assertEqual(result.report.words("Server Hostname"), "127.0.0.1")
        self.assertEqual(result.report.figure("Server Port"), server.port)
        self.assertEqual(result.report.words("Document Path"), "/OrderService.svc")
        for line in result.out.splitlines():
            if re.match(r"^(Server|Document|Concurrency|Complete|Failed|Total [a-z]+|HTML|Requests per)[^:]*:", line):
                self.assertRegex(line[:24], r"^\S.*: +$", "values start in column 25")

    def test_no_times_and_no_table_when_nothing_was_done(self):
        with ReservedPort() as port:
            result = self.fire(port.url(), 2, 1)
        self.assert_report(result)
        self.assertNotIn("Percentage of the requests", result.out)

    def test_a_table_can_be_left_out(self):
        with Server(answering(ok())) as server:
            result = self.fire(server, 10, 2, "-d")
            short = self.fire(server, 10, 2, "-S")
            html = self.fire(server, 10, 2, "-w")
        self.assertNotIn("Percentage of the requests", result.out)
        self.assertNotRegex(short.out, r"median +max")
        self.assertRegex(short.out, r"min +avg +max")
        self.assertIn("<table", html.out)

    def test_B151_progress_goes_to_stderr_in_the_words_of_ab(self):
        with Server(answering(ok())) as server:
            result = self.fire(server, 1000, 10)
        self.assert_all_ok(result, server, 1000)
        self.assertEqual(re.findall(r"Completed (\d+) requests", result.err),
                         [str(number) for number in range(100, 1001, 100)])
        self.assertIn("Finished 1000 requests", result.err)
        self.assertNotIn("\r", result.err + result.out)
        self.assertNotIn("\x1b", result.err + result.out)
        self.assertNotIn("Completed", result.out)

    def test_B151_a_short_run_has_no_progress(self):
        with Server(answering(ok())) as server:
            result = self.fire(server, 150, 10)
        self.assertNotIn("Completed", result.err)

    def test_B151_quiet_means_quiet(self):
        with Server(answering(ok())) as server:
            result = self.fire(server, 1000, 10, "-q")
        self.assert_all_ok(result, server, 1000)
        self.assertEqual(result.err, "", result)

    @mark("slow")
    def test_B151_a_long_silence_has_a_line_each_ten_seconds(self):
        async def script(peer):
            await peer.hang()

        with Server(script) as server:
            with Running(["-t", "11", "-c", "2", "-p", ORDER_11, server.url()]) as running:
                result = running.end(20)
        self.assert_report(result)
        lines = [line for line in result.err.splitlines() if line.startswith("After ")]
        self.assertEqual(len(lines), 1, result)
        self.assertIn("10 s", lines[0])
        self.assertIn("2 in flight", lines[0])
        self.assertNotIn("\r", result.err)

    def test_a_terminal_gets_a_live_line(self):
        import pty

        with Server(answering(ok(), 0.02)) as server:
            ours, theirs = pty.openpty()
            with os.fdopen(ours, "rb") as screen:
                process = subprocess.Popen([os.environ["LATHER_BINARY"], "-t", "2", "-c", "4", "-k", "-p", ORDER_11,
                                            "--rate", "100/s", server.url()], stdout=subprocess.PIPE, stderr=theirs)
                os.close(theirs)
                out, _ = process.communicate(timeout=30 * SLOWNESS)
                shown = b""
                try:
                    while part := screen.read1(65536):
                        shown += part
                except OSError:
                    pass  # the terminal is gone with the program
        self.assertEqual(process.returncode, 0)
        self.assertIn(b"\r", shown, "the line is not written over")
        self.assertRegex(shown, rb"\r\d\.\d s: \d+, \d+/s, p50 [\d.]+ m?s, p99 [\d.]+ m?s, 0 failed, \d in flight")
        self.assertNotIn(b"\r", out)
        self.assertIn(b"Complete requests:", out)

    def test_run_is_the_name_of_the_default_command(self):
        with Server(answering(ok())) as server:
            result = run("run", "-n", 6, "-c", 2, "-k", server.url())
        self.assert_all_ok(result, server, 6)

    def test_output_that_cannot_be_written_is_an_error(self):
        """stdout is checked at the end."""
        with Server(answering(ok())) as server:
            with open("/dev/full", "wb") as full:
                status = subprocess.run([os.environ["LATHER_BINARY"], "-n", "3", server.url()], stdout=full,
                                        stderr=subprocess.PIPE, timeout=30 * SLOWNESS, check=False)
        self.assertNotEqual(status.returncode, 0)
        self.assertTrue(status.stderr)

    def test_a_file_at_its_limit_loses_no_report(self):
        """Neither a result's file nor the spool of -g, which is written to during the run."""
        names = [self.file(b""), self.file(b"")]
        command = 'ulimit -f 8; exec "$0" -q -n 6000 -c 2 -k --json "$1" -g "$2" "$3" | cat'
        with Server(answering(ok())) as server:
            ended = subprocess.run(["sh", "-c", command, os.environ["LATHER_BINARY"], *names, server.url()],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120 * SLOWNESS, check=False)
        self.assertRegex(ended.stdout, rb"Complete requests: +6000\n", ended)
        self.assertIn(b"100% ", ended.stdout)
        for name in names:
            self.assertIn(f"lather: {name}: cannot write it: ".encode(), ended.stderr)

    def run_by_shell(self, redirections, server, path):
        command = f'exec "$0" -q -n 6 -c 2 --json "$1" "$2" {redirections}'
        return subprocess.run(["sh", "-c", command, os.environ["LATHER_BINARY"], path, server.url()],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60 * SLOWNESS, check=False)

    def test_closed_standard_streams_take_nothing_from_a_run(self):
        """Their numbers must not become those of result files or sockets."""
        for redirections, status in (("<&-", 0), ("2>&-", 0), ("<&- 2>&-", 0), (">&-", 3), ("<&- >&- 2>&-", 3)):
            with self.subTest(redirections), Server(answering(ok())) as server:
                path = self.file(b"")
                ended = self.run_by_shell(redirections, server, path)
                self.assertEqual(ended.returncode, status, ended)
                self.assertEqual(server.requests, 6)
                with open(path, encoding="utf-8") as file:
                    self.assertEqual(json.load(file)["counts"]["finished"], 6)

    def test_a_closed_standard_output_is_an_error(self):
        with Server(answering(ok())) as server:
            ended = self.run_by_shell(">&-", server, self.file(b""))
        self.assertIn(b"standard output", ended.stderr)

    def test_version_and_help_go_to_stdout(self):
        for option in ("-V", "--version", "-h", "--help"):
            result = run(option, with_json=False)
            self.assertEqual(result.exit, 0, result)
            self.assertIn("lather", result.out)
            self.assertEqual(result.err, "", result)

    def test_help_of_a_command_is_about_its_own_options(self):
        own = {"serve": ("--port", "--requests"), "judge": ("--request FILE", "--fault-rate"), "check": ("--dry-run", "--port"),
               "report": ("--json", "--port"), "merge": ("--json", "--port"), "compare": ("--help", "--json")}
        whole = run("--help", with_json=False).out
        for command, (has, has_not) in own.items():
            result = run(command, "--help", with_json=False)
            self.assertEqual(result.exit, 0, result)
            self.assertIn(f"lather {command} ", result.out)
            self.assertIn(has, result.out)
            self.assertNotIn(has_not, result.out)
            self.assertIn(has_not, whole)
            self.assertEqual(run("help", command, with_json=False).out, result.out)
        self.assertEqual(run("run", "--help", with_json=False).out, whole)
        self.assertEqual(run("help", with_json=False).out, whole)
        wrong = run("help", "servce", with_json=False)
        self.assertEqual(wrong.exit, 2, wrong)
        self.assertIn('"servce" is no command', wrong.err)

    def test_heads_are_shown_when_asked(self):
        with Server(answering(ok(fields=["X-Answer: seen"]))) as server:
            result = self.fire(server, 2, 1, "-v", "2")
        self.assertIn("POST /OrderService.svc HTTP/1.1", result.out + result.err)
        self.assertIn("X-Answer: seen", result.out + result.err)

    def test_credentials_are_not_printed(self):
        with Server(answering(ok())) as server:
            result = self.fire(server, 2, 1, "-A", "alice:topsecret")
        self.assertNotIn("topsecret", result.out + result.err)
        self.assertNotIn("topsecret", str(result.json))
