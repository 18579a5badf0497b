# SPDX-License-Identifier: Apache-2.0
"""gSOAP (tests/services/gsoap): its Faults of SOAP 1.2 are 400, and it names the message it answers.

Rows of the conformance list: B072, B105, B106, B107.
"""

import os
import secrets

import wsse
from answers import SOAP_11, SOAP_12
from case import mark
from parcels import CALLERS, N, ParcelsCase, Row, message, table

USER, PASSWORD = "porter", "parcel-secret"  # tests/services/gsoap/server.c


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


class Guarded(ParcelsCase):
    """
    /guarded, where gSOAP's WS-Security plugin lets a message through: a Timestamp that has not expired, a password as
    text or as a digest, for which a Created lives nine minutes and a nonce serves once.
    """

    engine = "gsoap"
    packages = Gsoap.packages
    messages = 1000

    def setUp(self):
        super().setUp()
        self.mark = secrets.token_hex(6)
        self.url = self.root + "guarded"

    def captured(self, kind, minutes_ago, recorded=None):
        """A Fiddler session of a call that was right so long ago."""
        body = message("Track", SOAP_12, self.mark)
        header = wsse.security("s", USER, PASSWORD, minutes_ago, kind)
        body = body.replace(b"</s:Header>", header + b"</s:Header>")
        return self.file(wsse.session(recorded or self.url, "application/soap+xml; charset=utf-8", body), ".txt")

    def load(self, capture, *options):
        """The run's result, and how many calls the service noted: those it let through, those it refused."""
        result = self.fire(self.url, self.messages, CALLERS, "-s", 60, *options, body=capture, limit=90)
        self.assert_report(result)
        calls = self.calls(self.mark)
        admitted = [call for call in calls if call.startswith("Track ")]
        self.assertIn(len(calls), range(self.messages, self.messages + result.sent_again + 1), result)
        return result, admitted, len(calls) - len(admitted)

    def assert_accepted(self, kind, minutes_ago):
        """Each of them once, though all are copies of one capture that the service would refuse."""
        result, admitted, refused = self.load(self.captured(kind, minutes_ago, "http://recorded.example/guarded"),
                                              "--template", "--wsse-user", f"{USER}:{PASSWORD}")
        self.assert_outcomes(result, ok=self.messages)
        self.assertEqual(refused, 0, result)
        self.assertEqual(set(admitted), {f"Track {number}" for number in range(1, self.messages + 1)})
        self.assertTrue(any("refreshing: MessageID, Timestamp" in note for note in result.notes), result)

    def assert_refused(self, capture, words, accepted=0):
        """All but so many are Faults, sent as they are; the hint says what they come from."""
        result, admitted, refused = self.load(capture, "--verbatim")
        self.assert_outcomes(result, ok=accepted, fault=self.messages - accepted)
        self.assertEqual(len(admitted), accepted, result)
        self.assertIn(refused, range(self.messages - accepted, self.messages - accepted + result.sent_again + 1), result)
        self.assertEqual(sum(group["count"] for group in result.faults), self.messages - accepted, result)
        self.assertTrue(any(words in note for note in result.notes), result)

    def test_B105_B106_a_text_password_of_eleven_minutes_ago_is_accepted_a_thousand_times_at_50_concurrent(self):
        self.assert_accepted("text", 11)

    def test_B105_B106_B107_a_digest_of_eleven_minutes_ago_is_accepted_a_thousand_times_at_50_concurrent(self):
        self.assert_accepted("digest", 11)

    def test_B107_a_nonce_sent_as_it_is_serves_once_and_the_hint_says_why_not_again(self):
        self.assert_refused(self.captured("digest", 0), "a nonce that was sent before", accepted=1)

    def test_B105_a_Timestamp_sent_as_it_is_has_expired_and_the_hint_says_so(self):
        self.assert_refused(self.captured("text", 11), "the Timestamp of the Security header has expired")
