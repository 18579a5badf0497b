# SPDX-License-Identifier: Apache-2.0
"""The verdict's hints: what experienced people say when they see such a failure stands in the notes.

Rows of the conformance list: B005, B006, B009, B014, B061, B079, B085, B105, B107.
"""

from answers import SOAP_11, envelope, fault_11, ok
from lather import ORDER_12
from scripted_server import Server, answering
from verdict import WSA, VerdictCase, fault_with_subcode, ok_12

ERROR = "500 Internal Server Error"
WSSE = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd"
DISPATCH = "http://schemas.microsoft.com/ws/2005/05/addressing/none"


class Hints(VerdictCase):
    def hinted(self, answer, words, body=None, **outcomes):
        """The notes of a run hold a hint with these words, once, and the verdict is what it is without."""
        result = self.judged(answer, n=10, body=body, **outcomes)
        found = [note for note in result.notes if words in note and not note.startswith("No request succeeded")]
        self.assertEqual(len(found), 1, result)
        self.assertIn(words, " ".join(result.out.split()))
        return result

    def test_B009_action_not_supported(self):
        reason = ("The message with Action '' cannot be processed at the receiver, due to a ContractFilter mismatch at "
                  "the EndpointDispatcher.")
        spaced = envelope(f'<s:Fault><faultcode xmlns:a="{DISPATCH}">a:ActionNotSupported</faultcode>'
                          f"<faultstring>{reason}</faultstring></s:Fault>")
        result = self.hinted(ok(spaced, ERROR), "compare SOAPAction and wsa:Action", fault=10)
        self.assertIn("ContractFilter mismatch", result.out)
        self.hinted(ok_12(fault_with_subcode("ActionNotSupported", WSA, reason), ERROR), "SOAPAction", body=ORDER_12,
                    fault=10)

    def test_B014_destination_unreachable(self):
        self.hinted(ok_12(fault_with_subcode("DestinationUnreachable", WSA), ERROR), "wsa:To", body=ORDER_12, fault=10)

    def test_must_understand(self):
        self.hinted(ok(fault_11("The header was not understood", "s:MustUnderstand"), ERROR),
                    "a header block that the endpoint does not know", fault=10)

    def test_B005_a_415_names_the_type_the_endpoint_takes(self):
        phrase = ("Cannot process the message because the content type 'text/xml; charset=utf-8' was not the "
                  "expected type 'application/soap+xml; charset=utf-8'.")
        self.hinted(ok(b"", f"415 {phrase}", content_type=None), "takes application/soap+xml; charset=utf-8", status=10)

    def test_B006_a_415_that_wants_the_binary_encoding(self):
        phrase = "Cannot process the message because the content type was not the expected application/soap+msbin1"
        self.hinted(ok(b"", f"415 {phrase}", content_type=None), "takes only the binary encoding", status=10)

    def test_B061_a_413_names_both_limits(self):
        result = self.hinted(ok(b"", "413 Request Entity Too Large"), "MaxReceivedMessageSize", status=10)
        self.assertIn("uploadReadAheadSize", " ".join(result.out.split()))

    def test_an_empty_400(self):
        self.hinted(ok(b"", "400 Bad Request", content_type=None), "a body it cannot read", status=10)

    def test_B079_a_503(self):
        page = b"<html><body><h2>Service Unavailable</h2></body></html>"
        self.hinted(ok(page, "503 Service Unavailable", content_type="text/html"), "http.sys or ASP.NET", status=10)

    def test_B105_an_expired_timestamp(self):
        for code, reason in (("InvalidSecurity", "An error occurred when verifying security for the message."),
                             ("MessageExpired", "Timestamp has expired")):
            body = envelope(f'<s:Fault><faultcode xmlns:o="{WSSE}">o:{code}</faultcode><faultstring>{reason}'
                            "</faultstring></s:Fault>")
            self.hinted(ok(body, ERROR), "expired", fault=10)

    def test_B107_a_replay(self):
        self.hinted(ok(fault_11("Message replay detected"), ERROR), "a new nonce", fault=10)

    def test_B085_reliable_messaging_is_named_as_not_supported(self):
        reason = "Only WS-ReliableMessaging messages are processed by this endpoint"
        result = self.hinted(ok_12(fault_with_subcode("WSRMRequired", "urn:rm", reason), ERROR), "not supported here",
                             body=ORDER_12, fault=10)
        self.assertEqual([group["reason"] for group in result.faults], [reason])

    def test_a_redirect_says_where_it_points_and_is_not_followed(self):
        with Server(answering(ok())) as elsewhere:
            for line in ("301 Moved Permanently", "302 Found", "307 Temporary Redirect"):
                answer = lambda request: ok(b"", line, content_type=None,
                                            fields=[f"Location: {elsewhere.url(path='/Login')}?ticket={request.number}"])
                result = self.hinted(answer, f"is at {elsewhere.url(path='/Login')}?..., give that URL", status=10)
                self.assertEqual([group["reason"] for group in result.failures],
                                 [f"{line}, Location: {elsewhere.url(path='/Login')}?..."])
                self.assertNotIn("ticket", result.out)
            self.assertEqual(elsewhere.connections, 0)
        large = ok(b"x" * 100000, "302 Found", content_type="text/html", fields=["Location: /a/"])
        self.hinted(large, "is at /a/, give that URL", status=10)
        self.hinted(ok(b"", "302 Found", content_type=None), "give the URL of the service itself", status=10)

    def test_a_page_for_people_is_told_by_its_title(self):
        page = b"<!DOCTYPE html><html><head><Title lang='en'>\n Sign in to Contoso </title></head></html>"
        result = self.hinted(ok(page, content_type="text/html; charset=utf-8"), "a page for people came", not_soap=10)
        self.assertEqual([group["reason"] for group in result.failures],
                         ["media type text/html (title: Sign in to Contoso)"])
        for untitled in (b"<html><title></title></html>", b"<title>", b"hello", b"<title>no end", b"<title>\xff</title>"):
            result = self.judged(ok(untitled, content_type="text/html"), n=2, not_soap=2)
            self.assertEqual([group["reason"] for group in result.failures], ["media type text/html"])
        self.hinted(ok(b"<html xmlns='http://www.w3.org/1999/xhtml'/>"), "a page for people came", not_soap=10)

    def test_a_415_to_utf_16_that_its_type_does_not_name(self):
        with open(ORDER_12, "rb") as file:
            body = self.file(file.read().decode().encode("utf-16"))
        refused = ok(b"", "415 Unsupported Media Type", content_type=None)
        hint = "its content type does not say so"
        with Server(answering(refused)) as server:
            result = self.fire(server, 10, 2, "-T", "application/soap+xml", body=body)
            self.assert_outcomes(result, status=10)
            self.assertEqual(len([note for note in result.notes if hint in note]), 1, result)
            self.assertIn("charset=utf-16", result.out)
            result = self.fire(server, 10, 2, body=body)
            self.assertFalse([note for note in result.notes if hint in note], result)
            self.assertIn("save it as UTF-8", " ".join(result.out.split()))
            result = self.fire(server, 10, 2, body=ORDER_12)
            self.assertNotIn("UTF-16", result.out)

    def test_a_fault_nobody_knows_gets_no_hint(self):
        result = self.judged(ok(fault_11("Order is unknown"), ERROR), n=4, fault=4)
        self.assertFalse([note for note in result.notes if "compare" in note or "expired" in note], result)

    def test_judge_tells_the_same_on_standard_error(self):
        lines, result = self.judge([ok(fault_11("not understood", "s:MustUnderstand"), ERROR),
                                    ok(b"", "413 Too Large")])
        self.assertEqual(lines[0], f"fault: {{{SOAP_11}}}MustUnderstand: not understood")
        self.assertTrue(lines[1].startswith("status: 413 Too Large"))
        self.assertIn("header block", result.err)
        self.assertIn("MaxReceivedMessageSize", result.err)
        self.assertEqual(result.exit, 1)
