# SPDX-License-Identifier: Apache-2.0
"""PHP's SoapServer (tests/services/php): a one-way call is answered by an empty Body, an exception by HTTP/1.0.

Rows of the conformance list: B083.
"""

import pathlib

from answers import SOAP_11, SOAP_12
from parcels import CALLERS, N, ParcelsCase, Row, table

WSDL = pathlib.Path(__file__).resolve().parents[1] / "services" / "php" / "parcels.wsdl"


class Php(ParcelsCase):
    engine = "php"
    packages = "php8.2-cli php8.2-soap"

    def test_B083_answers_faults_and_one_way_calls_of_fifty_callers_are_judged_right(self):
        for row in table(fault_12=500, one_way=200):
            self.assert_row(row, relates=row.operation == "Track")

    def test_answers_fit_the_wsdl_of_the_service(self):
        for version in (SOAP_11, SOAP_12):
            self.assert_row(Row("Track", version, ("--wsdl", WSDL), "ok", 200))
            self.assert_row(Row("Track", version, ("--wsdl", WSDL, "--threads", 3), "ok", 200), k=False)

    def test_reasons_of_faults_group_whatever_id_is_in_them(self):
        result = self.assert_row(Row("Return", SOAP_12, (), "fault", 500, f"{{{SOAP_12}}}Sender"), relates=False)
        self.assertEqual(len(result.faults), 1, result)
        self.assertIn("is not here", result.faults[0]["reason"])
        self.assertEqual(result.faults[0]["detail"], "{}Lost")

    def test_an_exception_nobody_caught_is_a_status_and_no_fault(self):
        """HTTP/1.0, no length, no body, text/html."""
        calls, result = self.send(Row("Stumble", SOAP_11, (), "status", 500), n=CALLERS)
        self.assert_outcomes(result, status=CALLERS)
        self.assertEqual(len(calls), CALLERS)
        self.assertEqual(result.faults, [])

    def test_a_one_way_call_taken_for_a_two_way_one_is_good_as_it_gets_an_envelope(self):
        _, result = self.send(Row("Announce", SOAP_11, (), "ok", 200), n=N)
        self.assert_outcomes(result, ok=N)
