# SPDX-License-Identifier: Apache-2.0
"""The verdict on hostile answers: judged, never trusted; nothing is expanded, opened or fetched.

Rows of the conformance list: B094, B095, B156.
"""

import os

from answers import envelope, ok, until_close
from case import mark
from lather import SLOWNESS
from scripted_server import Server, answering
from verdict import PLACED, VerdictCase, in_turn

MEGABYTE = 1 << 20


class Doctypes(VerdictCase):
    def test_B156_a_doctype_is_not_soap_and_nothing_is_opened(self):
        """Entities that explode, and such that name a file or a server that counts its visitors."""
        secret = self.file(b"the secret of this machine", ".txt")
        fifo = self.file(b"", ".fifo") + ".pipe"
        os.mkfifo(fifo)  # who opens it for reading hangs
        self.addCleanup(os.remove, fifo)
        levels = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))
        with Server(answering(ok(b"fetched"))) as witness:
            outside = witness.url(path="/evil.dtd")
            for doctype in (f'<!DOCTYPE s [<!ENTITY e0 "ha">{levels}]>',
                            f'<!DOCTYPE s [<!ENTITY e11 SYSTEM "file://{secret}">]>',
                            f'<!DOCTYPE s [<!ENTITY e11 SYSTEM "file://{fifo}">]>',
                            f'<!DOCTYPE s [<!ENTITY e11 SYSTEM "{outside}">]>',
                            f'<!DOCTYPE s SYSTEM "{outside}">', f'<!DOCTYPE s PUBLIC "-//W3C//DTD XHTML" "{outside}">',
                            f'<!DOCTYPE s [<!ENTITY % p SYSTEM "{outside}"> %p;]>', "<!DOCTYPE html>"):
                body = doctype.encode() + envelope("<a>&e11;</a>")
                for options in ((), ("--expect-xpath", "//~a = 'x'", "--expect-text", "ha")):
                    result = self.judged(ok(body), *options, n=2, not_soap=2)
                    self.assertEqual(self.checks(result), {"dtd": 2}, result)
                    self.assertIn("DTD in a SOAP message", result.out)
                    self.assertNotIn("secret", result.out)
            self.assertEqual(witness.connections, 0)

    def test_B156_a_doctype_is_found_in_any_encoding_and_part(self):
        body = b"<!DOCTYPE s>" + envelope()
        for answer in (ok(body.decode().encode("utf-16"), content_type="text/xml; charset=utf-16"),
                       ok(b"\xef\xbb\xbf" + body), ok(b"<!-- c --><?p i?>" + body),
                       ok(b'--b\r\nContent-Type: text/xml\r\n\r\n' + body + b"\r\n--b--\r\n",
                          content_type="multipart/related; boundary=b")):
            self.assertEqual(self.checks(self.judged(answer, n=2, not_soap=2)), {"dtd": 2})

    def test_entities_nobody_declared_are_not_well_formed(self):
        for entity in ("&undeclared;", "&#0;", "&#xD800;", "&#99999999;"):
            self.assertEqual(self.checks(self.judged(ok(envelope(entity)), n=2, not_soap=2)), {"xml": 2})
        self.judged(ok(envelope("&lt;&#38;&amp;&#x20AC;")), n=2, ok=2)


class Bombs(VerdictCase):
    def test_depth_ends_at_a_ceiling(self):
        for depth, outcome in ((200, "ok"), (300, "too_large"), (300000, "too_large")):
            result = self.judged(ok(envelope("<a>" * depth + "</a>" * depth)), n=1, c=1, **{outcome: 1})
            self.assertIn("elements inside one another" if outcome != "ok" else "ok ", result.out)
        self.judged(ok(envelope("<a>" * 300000)), n=2, too_large=2)
        self.judged(ok(envelope("<a>" * 300 + "</a>" * 300)), "--expect-xpath", "//~a[1]", n=2, too_large=2)

    def test_attributes_end_at_a_ceiling_in_little_time(self):
        def tag(count):
            return "<a " + " ".join(f'a{number}="x"' for number in range(count)) + "/>"

        self.judged(ok(envelope(tag(20000))), n=1, c=1, ok=1)
        result = self.judged(ok(envelope(tag(21000))), n=1, c=1, too_large=1)
        self.assertIn("attributes in one element", result.out)
        result = self.judged(ok(envelope(tag(400000))), n=1, c=1, too_large=1)
        self.assertLess(result.cpu_s, 4 * SLOWNESS, result)

    def test_B095_many_namespaces_and_attributes_cost_linear_time_with_a_tree_too(self):
        declared = " ".join(f'xmlns:p{number}="urn:{number}"' for number in range(200))
        attributes = " ".join(f'p{number % 200}:a{number}="{number}"' for number in range(10000))
        body = envelope(f"<r {declared} {attributes}>1</r>")
        result = self.judged(ok(body), "--expect-xpath", "count(//~r/@*) = 10000", "--count-bodies", n=2, c=1, ok=2)
        self.assertLess(result.cpu_s, 3 * SLOWNESS, result)

    def test_a_name_or_value_of_megabytes_does_no_harm(self):
        for inner in (f"<{'n' * MEGABYTE}/>", f"<a b='{'v' * MEGABYTE}'/>", f"<a xmlns='{'u' * MEGABYTE}'/>",
                      f"<!--{'c' * MEGABYTE}-->", f"<?{'t' * MEGABYTE}?>", "<a" + " " * MEGABYTE + "/>"):
            with Server(answering(ok(envelope(inner)))) as server:
                result = self.fire(server, 4, 2, "--expect-xpath", "true()")
            self.assert_books(result, server)
            self.assertEqual(result.outcomes["ok"] + result.outcomes["not_soap"] + result.outcomes["too_large"]
                             + result.outcomes["mismatch"], 4, result)

    @mark("heavy")
    def test_B094_texts_over_ten_megabytes_are_fine_plain_and_in_cdata(self):
        """Each of 11 MB: one text, one CDATA section, as a whole and for a check that needs a tree."""
        text = "QUJD" * (11 * MEGABYTE // 4)
        for inner in (f"<i>{text}</i>", f"<i><![CDATA[{text}]]></i>", f"<i>{'<b>x</b>' * 9}{text}</i>"):
            body = ok(envelope(inner))
            self.judged(body, n=1, c=1, ok=1)
            self.judged(body, "--expect-xpath", "string-length(//~i) > 11000000", n=1, c=1, ok=1)

    @mark("heavy")
    def test_B094_a_text_of_eleven_megabytes_fits_schema_and_golden(self):
        text = "QUJD" * (11 * MEGABYTE // 4)
        schema = self.file(b'<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:i">'
                           b'<xs:element name="image" type="xs:string"/></xs:schema>', ".xsd")
        body = envelope(f'<image xmlns="urn:i"><![CDATA[{text}]]></image>')
        self.judged(ok(body), "--xsd", schema, "--golden", self.file(body), n=1, c=1, ok=1)


class Sizes(VerdictCase):
    def test_an_answer_over_the_ceiling_is_cut_off_and_counted(self):
        """Announced, in chunks or until the close: the rest is not waited for."""
        big = envelope("<r>" + "<a>text</a>" * 40000 + "</r>")
        for answer in (ok(big), until_close(big)):
            with Server(answering(in_turn(ok(), answer))) as server:
                result = self.fire(server, 8, 1, "--max-answer", "100K")
            self.assert_report(result)
            self.assert_outcomes(result, ok=4, too_large=4)
            self.assertEqual(server.requests, 8)
            self.assertIn("too_large", result.out)

    def test_the_ceiling_is_64_megabytes_if_not_given_and_holds_with_validation_off_only_if_given(self):
        body = ok(envelope("<r>" + "x" * 300000 + "</r>"))
        self.judged(body, n=2, ok=2)
        self.judged(body, "--validate", "off", n=2, ok=2)
        with Server(answering(body)) as server:
            result = self.fire(server, 4, 2, "--validate", "off", "--max-answer", "200K")
        self.assert_outcomes(result, too_large=4)

    def test_an_endless_answer_ends_at_the_ceiling(self):
        async def script(peer):
            while await peer.request():
                await peer.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nTransfer-Encoding: chunked\r\n\r\n")
                while await peer.send(b"4000\r\n" + b"<a>x</a>" * 2048 + b"\r\n"):
                    pass
                return

        with Server(script) as server:
            result = self.fire(server, 4, 2, "--max-answer", "1M", k=False)
        self.assert_outcomes(result, too_large=4)
        self.assertLess(result.bytes_received, 40 * MEGABYTE)
