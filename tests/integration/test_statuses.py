# SPDX-License-Identifier: Apache-2.0
"""Verdicts: statuses, Faults, and what is not the envelope that was to come.

Rows of the conformance list: B004, B005, B007, B032, B071, B072, B073, B074, B075, B076, B079,
B080, B081, B082, B083, B088, B094, B095, B156.
"""

import answers
from answers import ENVELOPE, TYPE_12, envelope, fault_11, fault_12, head, ok
from case import Case
from lather import NOTICE, ORDER_12, SLOWNESS
from scripted_server import Server, answering

ONE_WAY = ("--one-way",)


class Statuses(Case):
    def judged(self, answer, *options, n=10, exit_status=None, body=None, **outcomes):
        """A run against one answer; its outcomes, and the exit status that follows from them."""
        with Server(answering(answer)) as server:
            how = {"body": body} if body else {}
            result = self.fire(server, n, 2, *options, **how)
        self.assert_books(result, server)
        self.assert_outcomes(result, **outcomes)
        self.assertEqual(server.requests, n)
        self.assertEqual(result.exit, 0 if outcomes.get("ok") == n else 1, result)
        return result

    # ---- Faults

    def test_B071_a_fault_with_status_200_is_a_fault(self):
        result = self.judged(ok(fault_11("This order is unknown")), fault=10)
        self.assertIn("This order is unknown", result.out)
        self.assertIn("{http://schemas.xmlsoap.org/soap/envelope/}Client", result.out)
        self.assertEqual(result.report.brackets["Exceptions"], 10)

    def test_B072_a_fault_at_any_status_is_a_fault(self):
        for status in ("400 Bad Request", "500 Internal Server Error", "404 Not Found", "202 Accepted"):
            answer = ok(fault_12("No such order"), status, content_type=TYPE_12)
            result = self.judged(answer, body=ORDER_12, fault=10)
            self.assertEqual(result.statuses, {int(status[:3]): 10}, result)
            self.assertIn("No such order", result.out)
            self.assertIn("{http://www.w3.org/2003/05/soap-envelope}Sender", result.out)

    def test_faults_are_grouped_by_code_and_reason(self):
        def answer(request):
            if request.number % 2:
                return ok(fault_11("out of stock", "s:Server"), "500 Internal Server Error")
            return ok(fault_11(f"order {request.number} is unknown"), "500 Internal Server Error")

        result = self.judged(answer, n=20, fault=20)
        groups = {(group["code"].rpartition("}")[2], group["count"]) for group in result.faults}
        self.assertEqual(groups, {("Server", 10), ("Client", 10)}, "numbers in reasons are masked")

    def test_what_only_looks_like_a_fault_is_none(self):
        self.judged(ok(envelope("<r><Fault>no</Fault><faultcode>s:Server</faultcode></r>")), ok=10)
        self.judged(ok(envelope('<Fault xmlns="urn:other"><faultcode>a</faultcode></Fault>')), ok=10)

    # ---- statuses

    def test_B073_a_500_without_a_fault_is_a_failure(self):
        """D13: and the exit status says so."""
        answer = ok(b"<html>oops</html>", "500 Internal Server Error", content_type="text/html")
        result = self.judged(answer, status=10)
        self.assertEqual(result.report.figure("Non-2xx responses"), 10)
        self.judged(answer, "--validate", "off", status=10)

    def test_B074_statuses_are_counted_one_by_one(self):
        lines = ["200 OK", "429 Too Many Requests", "400 Bad Request", "503 Service Unavailable", "200 OK"]
        result = self.judged(lambda request: ok(status=lines[request.number % 5]), n=50, ok=20, status=30)
        self.assertEqual(result.statuses, {200: 20, 400: 10, 429: 10, 503: 10}, result)
        self.assertEqual(result.report.figure("Non-2xx responses"), 30)

    def test_B075_lengths_that_differ_are_no_failure(self):
        """D15."""
        def answer(request):
            return ok(envelope(f"<a>{'x' * (request.number % 3)}</a>"))

        result = self.judged(answer, n=30, ok=30)
        self.assertEqual(result.report.figure("Failed requests"), 0)
        shortest = len(envelope("<a></a>"))
        self.assertRegex(result.out, rf"body of ok answers +{shortest} to {shortest + 2} bytes\n")
        self.judged(answer, "-l", n=30, ok=30)

    def test_same_length_brings_the_rule_of_ab_back(self):
        def answer(request):
            return ok(envelope(f"<a>{'x' * (request.number % 3 == 0)}</a>"))

        with Server(answering(answer)) as server:
            result = self.fire(server, 30, 1, "--same-length")
        self.assert_books(result, server)
        self.assert_outcomes(result, ok=20, mismatch=10)
        self.assertEqual(result.report.brackets, {"Connect": 0, "Receive": 0, "Length": 10, "Exceptions": 0})

    def test_B076_one_failure_is_in_one_class(self):
        """D16: a 500 of another length, once under Failed and once under Non-2xx as a property."""
        def answer(request):
            if request.number % 4 == 0:
                return ok(b"longer than the others by far" * 9, "500 Internal Server Error", content_type="text/plain")
            return ok()

        result = self.judged(answer, n=20, ok=15, status=5)
        self.assertEqual(result.report.failed, 5)
        self.assertEqual(result.report.figure("Non-2xx responses"), 5)

    def test_D08_a_bad_first_answer_spoils_no_other(self):
        def answer(request):
            if request.number == 1:
                return ok(b"busy", "503 Service Unavailable", content_type="text/plain")
            return ok()

        result = self.judged(answer, n=20, ok=19, status=1)
        self.assertEqual(result.report.words("Document Length"), f"{len(ENVELOPE)} bytes")

    def test_B079_a_full_queue_of_iis_is_told_from_a_fault(self):
        page = b"<HTML><HEAD><TITLE>Service Unavailable</TITLE></HEAD><BODY><h2>Service Unavailable</h2></BODY></HTML>"
        result = self.judged(ok(page, "503 Service Unavailable", content_type="text/html; charset=us-ascii"),
                             status=10)
        self.assertEqual(result.faults, [], result)

    def test_B005_a_415_explains_itself_in_its_reason_phrase(self):
        phrase = ("Cannot process the message because the content type 'text/xml; charset=utf-8' was not the "
                  "expected type 'application/soap+xml; charset=utf-8'.")
        result = self.judged(ok(b"", f"415 {phrase}", content_type=None), status=10)
        self.assertIn("expected type 'application/soap+xml; charset=utf-8'", result.out)

    def test_expected_statuses_are_good(self):
        self.judged(ok(status="404 Not Found"), "--expect-status", "200,404", ok=10)
        self.judged(ok(status="200 OK"), "--expect-status", "404", status=10)

    # ---- one-way

    def test_B080_202_without_a_body_is_no_answer_to_a_two_way_call(self):
        self.judged(ok(b"", "202 Accepted", content_type=None), not_soap=10)

    def test_B081_200_without_a_body_is_no_answer_to_a_two_way_call(self):
        self.judged(ok(b""), not_soap=10)
        self.judged(ok(b"", content_type=None), not_soap=10)

    def test_B082_an_empty_answer_to_a_one_way_call_is_good(self):
        for status in ("202 Accepted", "200 OK"):
            self.judged(ok(b"", status, content_type=None), *ONE_WAY, body=NOTICE, ok=10)

    def test_B083_an_envelope_in_answer_to_a_one_way_call_is_tolerated(self):
        self.judged(ok(envelope("", answers.SOAP_12), content_type=TYPE_12), *ONE_WAY, body=NOTICE, ok=10)

    def test_a_fault_in_answer_to_a_one_way_call_is_a_failure(self):
        self.judged(ok(fault_12(), "500 Internal Server Error", content_type=TYPE_12), *ONE_WAY,
                    body=NOTICE, fault=10)

    # ---- what is no envelope

    def test_what_is_no_envelope_is_not_soap(self):
        for body in (b"<html><body>Please log in</body></html>", b"hello", b"<a/>", ENVELOPE[:-9],
                     ENVELOPE.replace(b"soap/envelope", b"other"), b"{}", b"\0" * 9, ENVELOPE + b"<more/>",
                     envelope("&undeclared;"), ENVELOPE.replace(b"accepted", b"\xff\xfe")):
            self.judged(ok(body), n=4, not_soap=4)

    def test_B156_a_doctype_is_not_soap(self):
        bomb = (b'<!DOCTYPE s [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>' + ENVELOPE)
        result = self.judged(ok(bomb), not_soap=10)
        self.assertRegex(result.out, "(?i)DTD|DOCTYPE")

    def test_the_wrong_media_type_is_not_soap(self):
        self.judged(ok(content_type="text/html"), not_soap=10)

    def test_B088_an_answer_with_a_bom_is_good(self):
        self.judged(ok(b"\xef\xbb\xbf" + ENVELOPE), ok=10)

    def test_validation_off_looks_at_the_status_only(self):
        for body in (b"hello", fault_11(), b""):
            self.judged(ok(body), "--validate", "off", ok=10)

    def test_a_body_that_is_no_envelope_asks_for_no_verdict(self):
        body = self.file(b"<order/>")
        self.judged(ok(b"fine", content_type="text/plain"), body=body, ok=10)

    def test_no_body_is_a_get_without_verdict(self):
        with Server(answering(ok(b"fine", content_type="text/plain"))) as server:
            result = self.fire(server, 10, 2, body=None)
        self.assert_all_ok(result, server, 10)
        self.assertEqual({request.line.split()[0] for request in server.log}, {"GET"})

    # ---- large answers

    def test_large_answers_are_judged_too(self):
        """Beyond 64 KiB an answer is judged while it arrives."""
        filler = "<a>" + "text " * 20 + "</a>"
        for count in (400, 700, 30000):
            body = envelope("<r>" + filler * count + "</r>")
            self.judged(ok(body), n=6, ok=6)
            self.judged(ok(body[:-1]), n=4, not_soap=4)
        bad = envelope("<s:Fault><faultcode>s:Server</faultcode><faultstring>late</faultstring><detail>"
                       + filler * 30000 + "</detail></s:Fault>")
        self.judged(ok(bad), n=4, fault=4)

    def test_B094_a_text_of_twelve_megabytes_is_read(self):
        self.judged(ok(envelope("<image>" + "QUJD" * (3 << 20) + "</image>")), n=3, ok=3)

    def test_B095_many_namespaces_and_attributes_cost_linear_time(self):
        declared = " ".join(f'xmlns:p{number}="urn:{number}"' for number in range(200))
        attributes = " ".join(f'a{number}="{number}"' for number in range(10000))
        result = self.judged(lambda request: ok(envelope(f"<r {declared} {attributes}>{request.number}</r>")), n=20, ok=20)
        self.assertLess(result.cpu_s, 2 * SLOWNESS, result)

    def test_B004_media_types_are_compared_as_their_standard_says(self):
        for kind in ('text/xml; charset="utf-8"', "TEXT/XML;CHARSET=UTF-8", "text/xml ; charset=utf-8 ; action=a",
                     "text/xml", 'text/xml; a="b; charset=x"'):
            self.judged(ok(content_type=kind), n=4, ok=4)

    def test_B007_a_415_now_and_then_does_not_end_a_run(self):
        def answer(request):
            return ok(b"", "415 Missing Content Type") if request.number % 10 == 0 else ok()

        result = self.judged(answer, n=50, ok=45, status=5)
        self.assertEqual(result.statuses, {200: 45, 415: 5})
        self.assertIn("Missing Content Type", result.out)

    def test_B032_a_204_to_a_two_way_call_is_no_answer(self):
        self.judged(head("204 No Content", content_type=None), not_soap=10)
