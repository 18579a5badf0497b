# SPDX-License-Identifier: Apache-2.0
"""What the test modules share: marks, skips by name, and the books that must balance in every run.

A test method is named after the promise it checks, with the id of its row of behaviours in front where it
has one: test_B027_content_length_ends_the_answer. Each becomes a ctest of its own.
"""

import functools
import os
import re
import shutil
import tempfile
import time
import unittest

import lather


def mark(*labels):
    """Marks a test: serial (alone on the machine), threads (for the thread sanitizer), heavy."""

    def put(method):
        method.labels = getattr(method, "labels", ()) + labels
        return method

    return put


ATTEMPTS = 4


def timed(method):
    """For tests that assert times: what else the machine does can spoil one, so it is tried again.

    Only a program that is wrong every time fails. A run that does not end is never tried again.
    """

    @functools.wraps(method)
    def tried(self):
        for attempt in range(ATTEMPTS):
            try:
                return method(self)
            except lather.TooSlow:
                raise
            except self.failureException:
                if attempt == ATTEMPTS - 1:
                    raise
                time.sleep(0.5)

    return tried


# Begin the reason of a skip that is none of the machine's lacks.
NO_DATA = "no data: "
NO_PART = "no part of this build: "


class Case(unittest.TestCase):
    """A test that runs the binary."""

    maxDiff = None

    def need_data(self, variable):
        """The folder that an environment variable names. Data that is not part of the tree may always be missing."""
        folder = os.environ.get(variable)
        if not folder:
            self.skipTest(NO_DATA + f"{variable} names no folder")
        return folder

    def need_part(self, name):
        """Skips the test where the binary says that it was built without, as the static one without Negotiate."""
        missing = re.search(r"^Not in it: *(.*)$", lather.run("--version", with_json=False).out, re.M).group(1)
        if re.search(rf"\b{name}\b", missing):
            self.skipTest(NO_PART + name)

    def need(self, program, package):
        """Skips the test by the name of the package that is not there."""
        path = shutil.which(program) or shutil.which(program, path="/usr/sbin:/sbin")
        if not path:
            self.skipTest(f"{package} is not installed ({program})")
        return path

    def need_namespaces(self, *kinds):
        """The command in front of which a program gets a mount (-m) or network (-n) of its own."""
        unshare = self.need("unshare", "util-linux")
        command = [unshare, *kinds] if os.geteuid() == 0 else [unshare, "-r", *kinds]
        if os.spawnvp(os.P_WAIT, command[0], [*command, "true"]) != 0:
            self.skipTest("this machine allows no namespaces (unshare)")
        return command

    def wait_for(self, condition, seconds=10):
        """Waits until a condition holds; fails when it does not in time."""
        deadline = time.monotonic() + seconds * lather.SLOWNESS
        while not condition():
            self.assertLess(time.monotonic(), deadline, "it did not happen in time")
            time.sleep(0.005)

    def file(self, content, suffix=".xml"):
        """A file of these bytes that lives as long as the test; its name."""
        file = tempfile.NamedTemporaryFile(suffix=suffix)
        self.addCleanup(file.close)
        file.write(content)
        file.flush()
        os.chmod(file.name, 0o644)
        return file.name

    # ---- running

    def fire(self, target, n=20, c=4, *options, k=True, body=lather.ORDER_11, limit=30, **how):
        """A run against a Server or a URL: -n, -c, -k, and a SOAP order as its message."""
        url = target if isinstance(target, str) else target.url()
        args = ["-n", n] if n else []
        args += ["-c", c, *(["-k"] if k else []), *(["-p", body] if body else []), *options, url]
        return lather.run(*args, limit=limit, **how)

    # ---- judging

    def assert_report(self, result):
        """A report is there, in text and JSON, and its books balance."""
        self.assertTrue(result.report.is_there, f"no report\n{result}")
        self.assertIsNotNone(result.json, f"no JSON\n{result}")
        report = result.report
        self.assertEqual(report.complete, result.finished, result)
        self.assertEqual(report.failed, result.failed, result)
        self.assertEqual(sum(report.brackets.values()), report.failed, result)
        self.assertEqual(result.started, result.finished + result.cut, result)
        self.assertEqual(result.finished, sum(result.outcomes.values()) - result.cut, result)
        self.assertEqual(result.failed, result.finished - result.outcomes["ok"], result)

    def assert_books(self, result, server):
        """The report and its balance, and the server's own count: equal, or apart by a printed bound."""
        self.assert_report(result)
        self.assertEqual(server.errors, [], "the scripted server failed")
        self.assertLessEqual(server.requests, result.sent_whole, result)
        self.assertGreaterEqual(server.requests, result.sent_whole - result.lost_maybe, result)
        self.assertGreaterEqual(server.connections, result.connections_opened, result)
        if result.lost_maybe == 0 and server.partial == 0:
            self.assertEqual(server.requests, result.sent_whole, result)
            self.assertEqual(server.bytes_in, result.bytes_sent, result)

    def assert_all_ok(self, result, server, n):
        """Every request good, none twice, and the server saw exactly n."""
        self.assert_books(result, server)
        self.assertEqual(result.outcomes["ok"], n, result)
        self.assertEqual(result.report.complete, n, result)
        self.assertEqual(result.report.failed, 0, result)
        self.assertEqual(server.requests, n + result.sent_again, result)
        self.assertEqual(server.bytes_out, result.bytes_received, result)
        self.assertEqual(result.exit, 0, result)

    def assert_outcomes(self, result, **expected):
        """Exactly these outcomes, all others 0."""
        got = {name: count for name, count in result.outcomes.items() if count}
        self.assertEqual(got, {name: count for name, count in expected.items() if count}, result)
