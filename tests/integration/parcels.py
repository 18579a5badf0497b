# SPDX-License-Identifier: Apache-2.0
"""What the tests of the parcel services (tests/services/php and gsoap) share: messages, runs, the service's own books."""

import collections
import json
import os
import pathlib
import secrets
import urllib.request

from answers import SOAP_11, SOAP_12
from case import Case

PARCELS = "urn:example:parcels"
WSA = "http://www.w3.org/2005/08/addressing"
N = 300  # in each row of the table
CALLERS = 50

Row = collections.namedtuple("Row", "operation version options outcome status code", defaults=(None,))


def message(operation, version, mark, addressed=True):
    """A call with an id of its own in each request, and a MessageID, which is refreshed, if addressed."""
    header = (f"<a:Action>{PARCELS}/{operation}</a:Action><a:MessageID>urn:uuid:6f1d2c58-0f6b-4c0e-9a37-3c5b0b6f9d21"
              "</a:MessageID><a:To>http://127.0.0.1/</a:To>" if addressed else "")
    return (f'<s:Envelope xmlns:s="{version}" xmlns:a="{WSA}"><s:Header>{header}</s:Header><s:Body>'
            f'<p:{operation} xmlns:p="{PARCELS}"><p:id>{mark}-${{counter}}</p:id></p:{operation}></s:Body></s:Envelope>').encode()


class ParcelsCase(Case):
    """engine is the folder under tests/services, variable where the suite says that it runs."""

    engine = packages = None

    def setUp(self):
        record = pathlib.Path(os.environ.get(f"LATHER_{self.engine.upper()}", ".")) / "service.json"
        if not record.exists():
            self.skipTest(f"the parcel service on {self.engine} is not running (packages {self.packages})")
        self.root = json.loads(record.read_text())["root"]

    def calls(self, mark):
        """Lines "OPERATION NUMBER" by the service's own books; other tests call it meanwhile, so by the mark of a run."""
        lines = urllib.request.urlopen(self.root).read().decode().splitlines()
        return [line.replace(f"{mark}-", "") for line in lines if f" {mark}-" in line]

    def send(self, row, n=N, c=CALLERS, addressed=True, k=True):
        """n requests of a row over c connections; the calls the service noted of them, and the result."""
        mark = secrets.token_hex(6)
        result = self.fire(self.root, n, c, "-s", 60, "--soap-action", f"{PARCELS}/{row.operation}", *row.options,
                           k=k, body=self.file(message(row.operation, row.version, mark, addressed)), limit=90)
        self.assert_report(result)
        return self.calls(mark), result

    def assert_row(self, row, k=True, relates=True):
        """Every outcome, status and code as the row says, every id came once, and both counts agree."""
        calls, result = self.send(row, k=k)
        self.assert_outcomes(result, **{row.outcome: N})
        self.assertEqual(result.statuses, {row.status: N}, result)
        self.assertEqual([(group["code"], group["count"]) for group in result.faults],
                         [(row.code, N)] if row.code else [], result)
        self.assertEqual(result.sent_whole, N, result)
        self.assertEqual(len(calls), N + result.sent_again, result)
        self.assertEqual(sorted(set(calls)), sorted(f"{row.operation} {number}" for number in range(1, N + 1)))
        if relates:
            self.assertEqual(result.json["counts"]["relates_absent"], 0, result)
        return result


def table(fault_12, one_way, *one_way_options):
    """What each operation must come to; how a Fault of SOAP 1.2 and a one-way call are answered differs."""
    rows = []
    for version, sender, status in ((SOAP_11, "Client", 500), (SOAP_12, "Sender", fault_12)):
        rows += [Row("Track", version, ("--expect-xpath", "//~place = 'Bergen'", "--expect-xpath", "//~id"), "ok", 200),
                 Row("Return", version, (), "fault", status, f"{{{version}}}{sender}"),
                 Row("Return", version, ("--expect-fault",), "ok", status),
                 Row("Announce", version, ("--one-way", *one_way_options), "ok", one_way)]
    return rows
