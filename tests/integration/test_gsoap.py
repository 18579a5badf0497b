# SPDX-License-Identifier: Apache-2.0
"""gSOAP (tests/services/gsoap): its Faults of SOAP 1.2 are 400, and it names the message it answers.

Rows of the conformance list: B072.
"""

import os

from answers import SOAP_11, SOAP_12
from case import mark
from parcels import CALLERS, N, ParcelsCase, Row, table


class Gsoap(ParcelsCase):
    engine = "gsoap"
    packages = "gsoap libgsoap-dev gcc"

    def test_B072_answers_faults_and_one_way_calls_of_fifty_callers_are_judged_right(self):
        """RelatesTo is compared with each request's own MessageID."""
        for row in table(fault_12=400, one_way=202):
            self.assert_row(row, relates=row.operation == "Track")

    @mark("threads")
    def test_each_caller_gets_the_answer_to_its_own_message_on_many_threads(self):
        row = Row("Track", SOAP_12, ("--threads", 3), "ok", 200)
        self.assert_row(row)
        self.assert_row(row, k=False)

    def test_answers_fit_the_wsdl_that_the_engine_itself_wrote(self):
        wsdl = os.path.join(os.environ["LATHER_GSOAP"], "Parcels.wsdl")
        for version in (SOAP_11, SOAP_12):
            self.assert_row(Row("Track", version, ("--wsdl", wsdl), "ok", 200))

    def test_an_answer_without_addressing_is_good_too(self):
        calls, result = self.send(Row("Track", SOAP_11, (), "ok", 200), addressed=False)
        self.assert_outcomes(result, ok=N)
        self.assertEqual(len(calls), N + result.sent_again)
        self.assertEqual(result.json["counts"]["relates_absent"], 0)

    def test_a_fault_is_a_failure_one_way_and_a_good_answer_none_where_a_fault_is_wanted(self):
        _, result = self.send(Row("Return", SOAP_11, ("--one-way",), "fault", 500), n=CALLERS)
        self.assert_outcomes(result, fault=CALLERS)
        _, result = self.send(Row("Track", SOAP_11, ("--expect-fault",), "mismatch", 200), n=CALLERS)
        self.assert_outcomes(result, mismatch=CALLERS)
        _, result = self.send(Row("Announce", SOAP_11, (), "not_soap", 202), n=CALLERS)
        self.assert_outcomes(result, not_soap=CALLERS)
