# SPDX-License-Identifier: Apache-2.0
"""The verdict: texts, statuses, times, bodies, Faults that are wanted, one-way calls, and how much is judged.

Rows of the conformance list: B072, B073, B074, B075, B076, B077, B078, B080, B081, B082, B083,
B084, B086.
"""

from answers import SOAP_11, SOAP_12, TYPE_12, envelope, fault_11, fault_12, head, ok
from lather import NOTICE, ORDER_12
from scripted_server import Server, answering
from verdict import PLACED, VerdictCase, fault_with_subcode, in_turn, ok_12, with_header

ERROR = "500 Internal Server Error"


class Texts(VerdictCase):
    def test_B077_a_text_that_must_be_there(self):
        bad = ok(envelope("<r>E35 OCR not responding</r>"))
        answer = in_turn(ok(), bad)
        result = self.judged(answer, "--expect-text", "accepted", n=10, ok=5, mismatch=5)
        self.assertEqual(self.checks(result), {"text": 5})
        self.assertIn("accepted", result.failures[0]["reason"])
        result = self.judged(answer, "--reject-text", "not responding", n=10, ok=5, mismatch=5)
        self.assertIn("not responding", result.failures[0]["reason"])

    def test_all_texts_must_be_there_and_none_of_the_others(self):
        body = ok(envelope("<r>one two three</r>"))
        self.judged(body, "--expect-text", "one", "--expect-text", "three", n=2, ok=2)
        self.judged(body, "--expect-text", "one", "--expect-text", "four", n=2, mismatch=2)
        self.judged(body, "--reject-text", "four", "--reject-text", "two", n=2, mismatch=2)
        self.refused("--expect-text", "", words=["--expect-text"])
        self.refused("--reject-text", "", words=["--reject-text"])

    def test_a_text_is_found_in_any_encoding_and_across_pieces(self):
        for charset in ("utf-16", "iso-8859-1", "utf-8"):
            body = envelope("<r>Straße 5</r>").decode().encode(charset)
            self.judged(ok(body, content_type=f"text/xml; charset={charset}"), "--expect-text", "Straße 5", n=2, ok=2)
        large = envelope(f"<r>{'x' * 70000}{'needle here ' * 3}{'y' * 70000}</r>")
        self.judged(ok(large), "--expect-text", "needle here needle", n=2, ok=2)
        self.judged(ok(large), "--expect-text", "needle hare", n=2, mismatch=2)
        self.judged(ok(large), "--reject-text", "y</r>", n=2, mismatch=2)


class Statuses(VerdictCase):
    def test_B074_a_list_of_statuses_with_classes(self):
        lines = ("200 OK", "202 Accepted", "404 Not Found", "503 Service Unavailable", "504 Gateway Timeout")
        answer = in_turn(*(ok(status=line) for line in lines))
        result = self.judged(answer, "--expect-status", "200,202,5xx", n=25, ok=20, status=5)
        self.assertEqual(result.statuses, {200: 5, 202: 5, 404: 5, 503: 5, 504: 5})
        self.assertEqual(self.checks(result), {"status": 5})
        self.judged(ok(status="200 OK"), "--expect-status", "404", n=2, status=2)

    def test_a_list_of_statuses_holds_with_validation_off(self):
        self.judged(ok(b"x", "503 Busy"), "--expect-status", "5XX", "--validate", "off", n=2, ok=2)
        self.judged(ok(b"x"), "--expect-status", "5XX", "--validate", "off", n=2, status=2)

    def test_a_wrong_list_of_statuses_is_an_error_with_the_part_that_is_wrong(self):
        for value, part in (("200,2x", "2x"), ("", "empty"), ("99", "99"), ("1000", "1000"), ("200,", '""'), ("0xx", "0xx")):
            self.refused("--expect-status", value, words=["--expect-status", part])

    def test_B073_a_fault_is_looked_for_at_an_expected_status_too(self):
        self.judged(ok(fault_11(), ERROR), "--expect-status", "200,500", n=2, fault=2)
        self.judged(ok(status=ERROR), "--expect-status", "200,500", n=2, ok=2)
        self.judged(ok(b"oops", ERROR, content_type="text/html"), "--expect-status", "500", n=2, not_soap=2)

    def test_B076_one_answer_with_many_flaws_is_one_failure(self):
        """Status, schema of text, time and length are all wrong: the first that applies is told, once."""
        body = ok(b"longer" * 999, ERROR, content_type="text/html")
        result = self.judged(in_turn(ok(), body), "--expect-text", "accepted", "--same-length", n=10, c=1, ok=5, status=5)
        self.assertEqual(self.checks(result), {"status": 5})


class Times(VerdictCase):
    def test_a_slow_answer_is_a_mismatch_and_keeps_its_latency(self):
        async def script(peer):
            while request := await peer.request():
                await peer.sleep(0.3 if request.number % 5 == 0 else 0)
                await peer.send(ok())

        with Server(script) as server:
            result = self.fire(server, 20, 1, "--max-time", 250)
        self.assert_books(result, server)
        self.assertGreaterEqual(result.outcomes["mismatch"], 4, result)
        self.assertEqual(result.outcomes["mismatch"] + result.outcomes["ok"], 20, result)
        self.assertEqual(self.checks(result), {"time": result.outcomes["mismatch"]})
        self.assertIn("slower than", result.out)
        self.assertEqual(result.json["times"]["total"]["count"], 20)

    def test_a_limit_holds_for_answers_like_the_last_good_one_and_for_large_ones(self):
        """Answers that need no judging, and answers judged while they come, have a time as well."""
        for body in (envelope(), envelope("<r>" + "<a>text</a>" * 20000 + "</r>")):
            async def script(peer, answer=ok(body)):
                while await peer.request():
                    await peer.sleep(0.02)
                    await peer.send(answer)

            with Server(script) as server:
                result = self.fire(server, 6, 2, "--max-time", 10)
            self.assert_outcomes(result, mismatch=6)
            with Server(script) as server:
                result = self.fire(server, 6, 2, "--max-time", 100000)
            self.assert_all_ok(result, server, 6)

    def test_with_validation_off_time_is_looked_at_all_the_same(self):
        with Server(answering(ok(b"x"), 0.02)) as server:
            result = self.fire(server, 6, 2, "--max-time", "10ms", "--validate", "off")
        self.assert_outcomes(result, mismatch=6)


class Bodies(VerdictCase):
    def test_B078_different_bodies_are_counted_and_shown(self):
        def answer(request):
            return ok(envelope(f"<r>{'odd' if request.number == 77 else 'same'}</r>"))

        result = self.judged(answer, "--count-bodies", n=200, ok=200)
        self.assertEqual(result.json["run"]["distinct_bodies"], 2)
        self.assertIn("different bodies      2", result.out)
        shown = "\n".join(result.notes)
        self.assertIn("odd", shown)
        self.assertIn("199", shown)
        self.assertEqual(self.judged(ok(), "--count-bodies", n=20, ok=20).json["run"]["distinct_bodies"], 1)

    def test_B078_the_id_of_the_request_makes_no_body_different(self):
        def answer(request):
            found = request.body.partition(b"MessageID>")[2].partition(b"<")[0].decode()
            return ok_12(with_header(f"<a:RelatesTo>{found}</a:RelatesTo>"))

        for threads in (1, 3):
            result = self.judged(answer, "--count-bodies", "--threads", threads, n=60, c=6, body=ORDER_12, ok=60)
            self.assertEqual(result.json["run"]["distinct_bodies"], 1, result)

    def test_B075_bodies_of_other_lengths_are_no_failure_unless_asked_for(self):
        answer = in_turn(*(ok(envelope(f"<a>{'x' * length}</a>")) for length in (3, 4, 3)))
        self.judged(answer, n=30, ok=30)
        self.judged(answer, "--same-length", n=30, c=1, ok=20, mismatch=10)


class Faults(VerdictCase):
    def test_expect_fault_takes_any_fault_at_its_statuses(self):
        for status in ("200 OK", "400 Bad Request", ERROR):
            self.judged(ok(fault_11(), status), "--expect-fault", n=2, ok=2)
            self.judged(ok_12(fault_12(), status), "--expect-fault", n=2, body=ORDER_12, ok=2)

    def test_expect_fault_refuses_what_is_none(self):
        result = self.judged(ok(), "--expect-fault", n=4, mismatch=4)
        self.assertEqual(self.checks(result), {"no_fault": 4})
        self.judged(ok(status=ERROR), "--expect-fault", n=2, mismatch=2)
        self.judged(ok(b"", ERROR), "--expect-fault", n=2, not_soap=2)
        self.judged(ok(b"", "503 Busy"), "--expect-fault", n=2, status=2)

    def test_a_code_with_blanks_around_it_is_refused(self):
        self.refused("--expect-fault=Client ", words=["--expect-fault", '"Client "', "blanks"])

    def test_expect_fault_with_a_code_wants_that_code(self):
        coded = ok_12(fault_with_subcode("OutOfStock", "urn:example:orders"), ERROR)
        for code in ("OutOfStock", "{urn:example:orders}OutOfStock", "Sender", f"{{{SOAP_12}}}Sender"):
            self.judged(coded, f"--expect-fault={code}", n=2, body=ORDER_12, ok=2)
        for code in ("Stock", "{urn:other}OutOfStock", "Receiver", f"{{{SOAP_11}}}Sender"):
            self.judged(coded, f"--expect-fault={code}", n=2, body=ORDER_12, fault=2)

    def test_B072_faults_are_grouped_by_all_that_names_them(self):
        detailed = envelope('<s:Fault><faultcode>s:Server</faultcode><faultstring>Order 17 of "Bob"</faultstring>'
                            '<detail><e:OrderFault xmlns:e="urn:e"/></detail></s:Fault>')
        answer = in_turn(ok(detailed, ERROR), ok(detailed.replace(b"17", b"18").replace(b"Bob", b"Ann"), ERROR),
                         ok(detailed), ok_12(fault_with_subcode("A", "urn:a"), "400 Bad Request"))
        result = self.judged(answer, n=40, fault=40)
        groups = sorted((group["count"], group["status"], group["detail"], group["subcodes"]) for group in result.faults)
        self.assertEqual(groups, [(10, 200, "{urn:e}OrderFault", ""), (10, 400, "", "{urn:a}A"),
                                  (20, 500, "{urn:e}OrderFault", "")], result)

    def test_oddities_of_faults_are_read(self):
        """Codes that are no names, children in wrong namespaces, other prefixes, several languages."""
        for inner, code, reason in (
                ("<s:Fault><faultcode>5</faultcode><faultstring>no</faultstring></s:Fault>", "5", "no"),
                ("<s:Fault><s:faultcode>s:Server</s:faultcode><s:faultstring>no</s:faultstring></s:Fault>",
                 f"{{{SOAP_11}}}Server", "no"),
                ("<s:Fault><Code><Value>s:Sender</Value></Code><Reason><Text>no</Text></Reason></s:Fault>",
                 f"{{{SOAP_11}}}Sender", "no"),
                ("<s:Fault><faultcode>nope:Server</faultcode></s:Fault>", "nope:Server", ""),
                ("<s:Fault/>", "", "")):
            result = self.judged(ok(envelope(inner), ERROR), n=2, fault=2)
            self.assertEqual((result.faults[0]["code"], result.faults[0]["reason"]), (code, reason))
        languages = envelope("<s:Fault><s:Code><s:Value>s:Sender</s:Value></s:Code><s:Reason>"
                             '<s:Text xml:lang="de">nein</s:Text><s:Text xml:lang="en-US">no</s:Text></s:Reason></s:Fault>',
                             SOAP_12)
        self.assertEqual(self.judged(ok_12(languages), n=2, body=ORDER_12, fault=2).faults[0]["reason"], "no")


class OneWay(VerdictCase):
    def test_B080_B081_B082_an_empty_answer_is_good_one_way_only(self):
        for status in ("202 Accepted", "200 OK"):
            for answer in (ok(b"", status), ok(b"", status, content_type=None)):
                self.judged(answer, "--one-way", body=NOTICE, n=2, ok=2)
                result = self.judged(answer, body=NOTICE, n=2, not_soap=2)
                self.assertEqual(self.checks(result), {"empty": 2})
        self.judged(head("204 No Content", content_type=None), "--one-way", body=NOTICE, n=2, ok=2)

    def test_B083_B084_an_envelope_is_tolerated_and_not_looked_into(self):
        acknowledged = with_header('<r:SequenceAcknowledgement xmlns:r="http://schemas.xmlsoap.org/ws/2005/02/rm">'
                                   "<r:Identifier>urn:s</r:Identifier></r:SequenceAcknowledgement>"
                                   "<a:RelatesTo>urn:another</a:RelatesTo>", "")
        for body in (acknowledged, envelope("", SOAP_12), envelope(PLACED, SOAP_12)):
            self.judged(ok_12(body, "202 Accepted"), "--one-way", body=NOTICE, n=2, ok=2)

    def test_a_fault_or_an_error_is_a_failure_one_way_too(self):
        self.judged(ok_12(fault_12(), ERROR), "--one-way", body=NOTICE, n=2, fault=2)
        self.judged(ok_12(fault_12()), "--one-way", body=NOTICE, n=2, fault=2)
        self.judged(ok(b"", ERROR), "--one-way", body=NOTICE, n=2, status=2)
        self.judged(ok(b"<html/>", content_type="text/html"), "--one-way", body=NOTICE, n=2, not_soap=2)
        self.refused("--one-way", "--expect-fault", words=["--one-way", "--expect-fault"])

    def test_what_is_never_looked_into_is_not_asked_either(self):
        for options in (("--expect-text", "a"), ("--reject-text", "a"), ("--expect-xpath", "//a"),
                        ("--golden", self.file(envelope()))):
            self.refused("--one-way", *options, words=["--one-way", options[0]])
        self.judged(ok(b""), "--one-way", "--max-time", "60s", "--count-bodies", body=NOTICE, n=2, ok=2)

    def test_B086_an_answer_without_a_security_header_is_good(self):
        """Also when the request had one."""
        secured = self.file(
            f'<s:Envelope xmlns:s="{SOAP_12}"><s:Header><o:Security xmlns:o="http://docs.oasis-open.org/wss/2004/01/'
            'oasis-200401-wss-wssecurity-secext-1.0.xsd" s:mustUnderstand="1"><o:UsernameToken><o:Username>alice'
            "</o:Username><o:Password>secret</o:Password></o:UsernameToken></o:Security></s:Header><s:Body><a/>"
            "</s:Body></s:Envelope>".encode())
        self.judged(ok_12(envelope(PLACED, SOAP_12)), "--validate", "full", body=secured, n=4, ok=4)


class HowMuch(VerdictCase):
    def test_off_looks_at_the_status_only(self):
        result = self.judged(ok(fault_11()), "--validate", "off", n=4, ok=4)
        self.assertIn("judged as SOAP        0", result.out)

    def test_a_share_says_how_many_were_judged(self):
        """Of 2,000 answers with a Fault so many are seen; the others count by their status."""
        with Server(answering(ok(fault_11()))) as server:
            result = self.fire(server, 2000, 8, "--validate", "10%")
        self.assert_books(result, server)
        judged = result.json["counts"]["judged"]
        self.assertIn(f"judged as SOAP        {judged}", result.out)
        self.assertEqual(result.outcomes["fault"], judged, result)
        self.assertEqual(result.outcomes["ok"], 2000 - judged, result)
        self.assertTrue(120 <= judged <= 280, judged)

    def test_all_are_judged_unless_said_otherwise(self):
        for share in ((), ("--validate", "soap"), ("--validate", "full"), ("--validate", "100%")):
            result = self.judged(ok(), *share, n=50, ok=50)
            self.assertEqual(result.json["counts"]["judged"], 50, share)

    def test_a_share_that_is_none_is_an_error(self):
        for value in ("0%", "101%", "5.123%", "%", "-1%", "half", "SOAP!", "1e1%"):
            self.refused("--validate", value, words=["--validate"])

    def test_full_compares_the_action_with_that_of_the_golden_answer(self):
        def named(action):
            return with_header(f"<a:Action>{action}</a:Action>")

        golden = self.file(named("urn:x/Response"))
        ignore = ("--golden", golden, "--ignore", "//a:Action")
        self.judged(ok_12(named("urn:x/Response")), "--validate", "full", *ignore, body=ORDER_12, n=2, ok=2)
        result = self.judged(ok_12(named("urn:y/Response")), "--validate", "full", *ignore, body=ORDER_12, n=2, mismatch=2)
        self.assertEqual(self.checks(result), {"action": 2})
        self.judged(ok_12(named("urn:y/Response")), *ignore, body=ORDER_12, n=2, ok=2)


class Relations(VerdictCase):
    def related(self, wrong=()):
        """Answers that name their request, but for the numbers in wrong; a fresh id in each."""
        def answer(request):
            found = request.body.partition(b"MessageID>")[2].partition(b"<")[0].decode()
            if request.number in wrong:
                found = "urn:uuid:00000000-0000-4000-8000-%012d" % request.number
            return ok_12(with_header(f"<a:RelatesTo>{found}</a:RelatesTo>"))

        return answer

    def test_one_wrong_id_in_a_thousand_is_found_exactly(self):
        """All answers are alike but for the id: they are not judged anew, and the id is still read."""
        for threads in (1, 3):
            result = self.judged(self.related({777}), "--threads", threads, n=1000, c=6, body=ORDER_12,
                                 ok=999, mismatch=1)
            self.assertEqual(self.checks(result), {"relates_to": 1})
            self.assertEqual(result.json["counts"]["relates_absent"], 0)
        self.judged(self.related(set(range(1, 1001, 10))), n=1000, c=6, body=ORDER_12, ok=900, mismatch=100)

    def test_an_absent_relation_is_counted_and_no_failure(self):
        result = self.judged(ok_12(envelope(PLACED, SOAP_12)), n=20, body=ORDER_12, ok=20)
        self.assertEqual(result.json["counts"]["relates_absent"], 20)
        self.assertIn("without RelatesTo     20", result.out)
