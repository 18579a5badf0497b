# SPDX-License-Identifier: Apache-2.0
"""What the tests of the verdict share: one run against one answer, its outcomes, and `lather judge`."""

import lather
from answers import SOAP_11, SOAP_12, TYPE_12, envelope, ok
from case import Case
from scripted_server import ReservedPort, Server, answering

ORDERS = "urn:example:orders"
WSA = "http://www.w3.org/2005/08/addressing"
PLACED = f'<PlaceOrderResponse xmlns="{ORDERS}"><state>accepted</state></PlaceOrderResponse>'


def in_turn(*answers):
    """The answers one after the other, again from the first."""
    return lambda request: answers[(request.number - 1) % len(answers)]


def with_header(blocks, inner=PLACED, version=SOAP_12):
    """An envelope with WS-Addressing blocks in its Header."""
    return (f'<s:Envelope xmlns:s="{version}" xmlns:a="{WSA}"><s:Header>{blocks}</s:Header>'
            f"<s:Body>{inner}</s:Body></s:Envelope>").encode()


def fault_with_subcode(subcode, namespace, reason="refused", code="s:Sender"):
    """A Fault of SOAP 1.2 as WCF words it: Sender with a subcode that says what it is."""
    return envelope(
        f'<s:Fault><s:Code><s:Value>{code}</s:Value><s:Subcode><s:Value xmlns:c="{namespace}">c:{subcode}</s:Value>'
        f'</s:Subcode></s:Code><s:Reason><s:Text xml:lang="en">{reason}</s:Text></s:Reason></s:Fault>', SOAP_12)


def ok_12(body, status="200 OK", **how):
    return ok(body, status, content_type=TYPE_12, **how)


class VerdictCase(Case):
    """Runs against one answer, or one for each request."""

    def judged(self, answer, *options, n=6, c=2, body=None, **outcomes):
        """n requests with exactly these outcomes, in both books; the exit status follows from them."""
        with Server(answering(answer)) as server:
            result = self.fire(server, n, c, *options, body=body or lather.ORDER_11)
        self.assert_books(result, server)
        self.assert_outcomes(result, **outcomes)
        self.assertEqual(server.requests, n, result)
        self.assertEqual(result.exit, 0 if outcomes.get("ok") == n else 1, result)
        return result

    def refused(self, *options, words=(), body=None):
        """The run does not start: one line that begins with lather: and has these words, nothing sent, exit 2."""
        with ReservedPort() as nowhere:
            result = self.fire(nowhere, 1, 1, *options, body=body or lather.ORDER_11, with_json=False)
        self.assertEqual(result.exit, 2, result)
        self.assertEqual(result.out, "", result)
        # by their beginnings: notes may come before, and Wine has a word of its own now and then
        said = [line for line in result.err.splitlines() if line.startswith("lather: ")]
        self.assertEqual(sum(not line.startswith("lather: note: ") for line in said), 1, result)
        for word in words:
            self.assertIn(word, result.err, result)
        return result

    def judge(self, answers, *options):
        """`lather judge` on these answers (bytes) or files (str): the lines behind the name, the result."""
        files = [each if isinstance(each, str) else self.file(each, ".answer") for each in answers]
        result = lather.run("judge", *options, *files, with_json=False)
        lines = result.out.splitlines()
        self.assertEqual(len(lines), len(files), result)
        for name, line in zip(files, lines):
            self.assertTrue(line.startswith(f"{name}: "), result)
        return [line[len(name) + 2:] for name, line in zip(files, lines)], result

    def checks(self, result):
        """Which checks refused answers: {word of VERDICT.md: count}."""
        return result.json["checks"]
