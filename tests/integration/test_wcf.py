# SPDX-License-Identifier: Apache-2.0
"""WCF's own service model on Mono (tests/services/wcf), which keeps its own count and its own pace.

Rows of the conformance list: B005, B009, B105, B106, B107.
"""

import collections
import concurrent.futures
import json
import os
import pathlib
import statistics
import sys
import tempfile
import urllib.request

import lather
import wsse
from case import Case, mark
from check import check

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "services" / "wcf"))
import service  # noqa: E402  pylint: disable=wrong-import-position

CONTRACT = "urn:example:depot"
PASSWORD = "depot-secret"  # Guard.cs
NO_ADDRESSING = "http://schemas.microsoft.com/ws/2005/05/addressing/none"
ADDRESSING = "http://www.w3.org/2005/08/addressing"

Row = collections.namedtuple("Row", "operation options outcome status code")


def table(binding):
    """What each operation must come to under a binding."""
    internal = NO_ADDRESSING if binding == "basic" else ADDRESSING
    return [
        Row("Reserve", (), "ok", 200, None),
        Row("Locate", (), "fault", 500, f"{{{CONTRACT}}}UnknownArticle"),
        Row("Recount", (), "fault", 500, f"{{{internal}}}InternalServiceFault"),
        Row("Announce", ("--one-way",), "ok", 200, None),
    ]


class Wcf(Case):
    def setUp(self):
        record = pathlib.Path(os.environ.get("LATHER_WCF", ".")) / "service.json"
        if not record.exists():
            self.skipTest(f"WCF on Mono is not running (packages {service.PACKAGES})")
        self.root = json.loads(record.read_text())["root"]

    def counts(self):
        """{(endpoint, operation): calls} by the service's own books."""
        page = urllib.request.urlopen(self.root + "counts/").read().decode()
        lines = (line.split(" ") for line in page.splitlines())
        return collections.Counter({(endpoint, operation): int(calls) for endpoint, operation, calls in lines})

    def send(self, endpoint, operation, n, c, *options, action=None, content_type=None, edit=None):
        """n requests for an operation over c kept connections; action and content_type replace the right ones."""
        body, right_type, right_action = service.envelope(self.root, endpoint, operation)
        action = action or (right_action or "").strip('"')
        with tempfile.NamedTemporaryFile(suffix=".xml") as file:
            file.write(edit(body) if edit else body)
            file.flush()
            chosen = ["--soap-action", action] if action else []
            result = lather.run("-n", n, "-c", c, "-k", "-s", 60, "-p", file.name, "-T", content_type or right_type,
                                *chosen, *options, self.root + endpoint, limit=90)
        self.assert_report(result)
        return result

    def assert_row(self, binding, row, n, c):
        endpoint = f"{binding}-{row.operation.lower()}"
        result = self.send(endpoint, row.operation, n, c, *row.options)
        self.assert_outcomes(result, **{row.outcome: n})
        self.assertEqual(result.statuses, {row.status: n}, result)
        self.assertEqual(result.exit, 0 if row.outcome == "ok" else 1, result)
        if binding == "ws" and row.operation == "Reserve":
            # Every answer names a message (Mono's Faults do not), and none another than its own: a mismatch that would be.
            self.assertEqual(result.json["counts"]["relates_absent"], 0, result)
        self.assertEqual([(group["code"], group["count"]) for group in result.faults],
                         [(row.code, n)] if row.code else [], result)
        if row.code:
            self.assertIn(row.code, result.out)

    def assert_table(self, binding, n=60, c=50):
        before = self.counts()
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            for done in [pool.submit(self.assert_row, binding, row, n, c) for row in table(binding)]:
                done.result()
        after = self.counts()
        for row in table(binding):
            key = (f"{binding}-{row.operation.lower()}", row.operation)
            self.assertEqual(after[key] - before[key], n, f"the service's own count of {key}")

    def assert_not_served(self, result, before, n):
        """n failures for certain, and the operations behind were never called."""
        self.assertEqual(result.failed, n, result)
        self.assertEqual(result.exit, 1, result)
        self.assertEqual(self.counts()["basic-wrong", "Reserve"], before["basic-wrong", "Reserve"])
        self.assertEqual(self.counts()["ws-wrong", "Reserve"], before["ws-wrong", "Reserve"])

    def test_each_operation_under_basicHttp_at_50_concurrent(self):
        self.assert_table("basic")

    def test_each_operation_under_wsHttp_at_50_concurrent(self):
        self.assert_table("ws")

    @mark("serial")
    def test_ten_requests_a_second_and_N_times_100_ms_are_read_at_any_concurrency(self):
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            for done in [pool.submit(self.assert_pace, c, n) for c, n in ((1, 120), (5, 120), (20, 140), (50, 200))]:
                done.result()

    def assert_pace(self, c, n):
        """
        The host takes one request each 100 ms, first come first served, so a request that is always one of c waits
        for c of them. Held loosely against the nominal pace, for which a busy machine makes the host late, and closely
        against the moments the service itself noted.
        """
        endpoint = f"basic-pace-{c}"
        result = self.send(endpoint, "Reserve", n, c)
        self.assert_outcomes(result, ok=n)
        page = urllib.request.urlopen(f"{self.root}calls/{endpoint}").read().decode()
        calls = [float(line) for line in page.split()][-n:]

        # Up to two channels are open when the run begins; n - 2 requests wait for the host's clock.
        rate = result.report.figure("Requests per second")
        self.assertLessEqual(rate, 10 * n / (n - 2) * 1.01, result)
        self.assertGreaterEqual(rate, 9, result)
        self.assertAlmostEqual(result.report.figure("Time taken for tests"), (calls[-1] - calls[0]) / 1000, delta=0.2,
                               msg=result)

        waits = [calls[i] - calls[i - c] for i in range(c, n)]
        waits += [calls[i] - calls[0] for i in range(c)]
        self.assertAlmostEqual(result.report.percentiles[50], c * 100, delta=c * 100 * 0.1, msg=result)
        for percent in (50, 90):
            read = result.report.percentiles[percent]
            noted = statistics.quantiles(waits, n=100)[percent - 1]
            self.assertAlmostEqual(read, noted, delta=noted * 0.01 + 5, msg=result)

    def test_B009_wrong_action_answered_200_with_an_empty_body_is_no_success(self):
        before = self.counts()
        result = self.send("basic-wrong", "Reserve", 10, 5, action=f"{CONTRACT}/Depot/Locate")
        self.assertEqual(result.statuses, {200: 10}, result)
        self.assert_outcomes(result, not_soap=10)
        self.assert_not_served(result, before, 10)
        self.assertEqual(self.counts()["basic-wrong", "Locate"], before["basic-wrong", "Locate"])

    def test_B009_unknown_action_is_the_fault_ActionNotSupported(self):
        before = self.counts()
        result = self.send("basic-wrong", "Reserve", 10, 5, action=f"{CONTRACT}/Depot/Abolish")
        self.assert_outcomes(result, fault=10)
        self.assertEqual([group["code"] for group in result.faults], [f"{{{NO_ADDRESSING}}}ActionNotSupported"], result)
        self.assert_not_served(result, before, 10)

    def test_B005_415_shows_the_reason_phrase_that_explains_it(self):
        before = self.counts()
        result = self.send("basic-wrong", "Reserve", 10, 5, content_type="application/soap+xml; charset=utf-8")
        self.assertEqual(result.statuses, {415: 10}, result)
        self.assert_outcomes(result, status=10)
        self.assertIn("Expected content-type 'text/xml; charset=utf-8'", result.out)
        self.assert_not_served(result, before, 10)

    def captured(self, root, endpoint, minutes_ago):
        """A Fiddler session of an order under wsHttp, recorded at root, whose Security header is so old."""
        body, kind, _ = service.envelope(root, endpoint, "Reserve")
        header = wsse.security("s", "clerk", PASSWORD, minutes_ago, "digest")
        return self.file(wsse.session(root + endpoint, kind, body.replace(b"</s:Header>", header + b"</s:Header>")), ".txt")

    def test_B105_B106_B107_a_capture_of_eleven_minutes_ago_is_accepted_a_thousand_times_at_50_concurrent(self):
        """One endpoint serves ten a second, whatever the load, so ten of them do it; they share what they have seen."""
        n, endpoints = 1000, service.GUARDED
        before = self.counts()
        result = lather.run("-n", n, "-c", 50, "-k", "-s", 60, "--wsse-user", f"clerk:{PASSWORD}",
                            "-p", self.captured("http://recorded.example/", endpoints[0], 11),
                            *(self.root + endpoint for endpoint in endpoints), limit=120)
        self.assert_report(result)
        self.assert_outcomes(result, ok=n)
        after = self.counts()
        for endpoint in endpoints:
            self.assertEqual(after[endpoint, "Checked"] - before[endpoint, "Checked"], n / len(endpoints), result)
        self.assertTrue(any("refreshing: MessageID, Timestamp, UsernameToken; To rewritten" in note for note in result.notes), result)

    def test_B105_the_same_sent_as_it_is_is_refused_with_a_hint(self):
        endpoint = "ws-stale-guarded"
        before = self.counts()
        path = self.captured(self.root, endpoint, 11)
        result = lather.run("-n", 5, "-c", 1, "-k", "-s", 60, "--verbatim", "-p", path, self.root + endpoint, limit=90)
        self.assert_outcomes(result, fault=5)
        self.assertEqual(self.counts()[endpoint, "Checked"], before[endpoint, "Checked"])
        self.assertTrue(any("its Timestamp has expired" in note for note in result.notes), result)
        checked = check("-p", path, "--wsse-user", f"clerk:{PASSWORD}", self.root + endpoint)
        self.assertEqual((checked.exit, checked.whole.one("verdict")), (0, "ok"), checked)
        self.assertEqual(checked.messages[0].one("refreshed"), "MessageID, Timestamp, UsernameToken (digest, Nonce, Created)")
        self.assertTrue(checked.messages[0].one("looks like").startswith("wsHttpBinding with security TransportWithMessageCredential"))

    def test_To_of_another_address_is_a_fault(self):
        before = self.counts()
        other = (self.root + "ws-wrong").encode()
        result = self.send("ws-wrong", "Reserve", 10, 5, "--wsa-to", "keep",
                           edit=lambda body: body.replace(other, b"http://127.0.0.1:9/else"))
        self.assert_outcomes(result, fault=10)
        self.assertEqual(result.statuses, {500: 10}, result)
        self.assert_not_served(result, before, 10)
