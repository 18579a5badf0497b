# SPDX-License-Identifier: Apache-2.0
"""The verdict: what an answer is wrapped in is taken off first: compression, charset, multipart.

Rows of the conformance list: B036, B037, B088, B092, B100, B101, B155.
"""

import gzip
import zlib

from answers import SOAP_11, SOAP_12, envelope, fault_12, ok
from lather import ORDER_12
from verdict import PLACED, VerdictCase, in_turn, ok_12

BOUNDARY = "uuid:0a4b"


def coded(body, coding):
    return ok(body, fields=[f"Content-Encoding: {coding}"])


def raw_deflate(body):
    press = zlib.compressobj(wbits=-15)
    return press.compress(body) + press.flush()


def multipart(root, version=SOAP_12, root_type="application/xop+xml", start="<root@x>", start_info=None, parts=(),
              status="200 OK", boundary=f'"{BOUNDARY}"', end=True):
    """A multipart/related answer as WCF and CXF send MTOM."""
    info = start_info or ("application/soap+xml" if version == SOAP_12 else "text/xml")
    pieces = [f'--{BOUNDARY}\r\nContent-ID: <root@x>\r\nContent-Transfer-Encoding: 8bit\r\n'
              f'Content-Type: {root_type};charset=utf-8;type="{info}"\r\n\r\n'.encode() + root + b"\r\n"]
    for name, data in parts:
        pieces.append(f"--{BOUNDARY}\r\nContent-ID: <{name}>\r\nContent-Type: application/octet-stream\r\n"
                      "Content-Transfer-Encoding: binary\r\n\r\n".encode() + data + b"\r\n")
    body = b"".join(pieces) + (f"--{BOUNDARY}--\r\n".encode() if end else b"")
    kind = (f'multipart/related; type="application/xop+xml";start="{start}";boundary={boundary};'
            f'start-info="{info}"')
    return ok(body, status, content_type=kind, fields=["MIME-Version: 1.0"])


class Coding(VerdictCase):
    def test_gzip_and_deflate_are_undone(self):
        for body in (envelope(), envelope("<r>" + "<a>text</a>" * 40000 + "</r>")):
            packed = gzip.compress(body)
            for answer in (coded(packed, "gzip"), coded(packed, "x-gzip"), coded(packed, "GZIP"),
                           coded(zlib.compress(body), "deflate"), coded(raw_deflate(body), "deflate"),
                           coded(packed[:0] + gzip.compress(body[:50]) + gzip.compress(body[50:]), "gzip"),
                           coded(body, "identity")):
                self.judged(answer, n=2, ok=2)
        fault = gzip.compress(envelope("<s:Fault><faultcode>s:Server</faultcode></s:Fault>"))
        self.judged(coded(fault, "gzip"), n=2, fault=2)

    def test_B155_what_does_not_come_apart_is_a_protocol_failure_and_the_run_goes_on(self):
        packed = gzip.compress(envelope("<r>" + "".join(f"<a>{n}</a>" for n in range(3000)) + "</r>"))
        broken = packed[:200] + bytes(byte ^ 0x55 for byte in packed[200:260]) + packed[260:]
        for answer in (coded(envelope(), "gzip"), coded(packed[:-9], "gzip"), coded(broken, "gzip"),
                       coded(envelope(), "deflate"), coded(envelope(), "br")):
            result = self.judged(in_turn(ok(), answer), n=8, ok=4, protocol=4)
            self.assertEqual(self.checks(result), {"decoding": 4})

    def test_B036_some_answers_packed_and_some_not_on_many_connections(self):
        big = envelope("<r>" + "<a>text</a>" * 20000 + "</r>")
        answer = in_turn(ok(), coded(gzip.compress(envelope()), "gzip"), coded(gzip.compress(big), "gzip"), ok(big),
                         coded(raw_deflate(envelope()), "deflate"))
        self.judged(answer, n=200, c=10, ok=200)

    def test_B037_an_unpacked_body_cut_to_the_packed_length_is_truncated(self):
        body = envelope("<r>" + "text" * 100 + "</r>")
        result = self.judged(ok(body[:len(gzip.compress(body)) + 150]), n=4, not_soap=4)
        self.assertEqual(self.checks(result), {"cut_off": 4})
        self.assertRegex(result.failures[0]["reason"], r"cut off after \d+ bytes")

    def test_a_bomb_of_zeros_ends_at_the_ceiling(self):
        press = zlib.compressobj(9, wbits=31)
        bomb = press.compress(b"<a>" + bytes(32 << 20)) + press.flush()
        result = self.judged(coded(bomb, "gzip"), "--max-answer", "1M", n=4, too_large=4)
        self.assertEqual(self.checks(result), {"size": 4})


class Charsets(VerdictCase):
    TEXT = "<r>Grüße aus Tromsø</r>"

    def test_charsets_of_the_header_are_read(self):
        for charset in ("utf-8", "UTF-16", "utf-16le", "iso-8859-1", "ISO-8859-15", "windows-1252", "us-ascii"):
            text = self.TEXT if charset != "us-ascii" else "<r>Gruss</r>"
            body = envelope(text).decode().encode(charset)
            self.judged(ok(body, content_type=f"text/xml; charset={charset}"), n=2, ok=2)

    def test_charsets_of_the_declaration_are_read(self):
        for charset in ("iso-8859-1", "utf-16", "windows-1252"):
            body = (f'<?xml version="1.0" encoding="{charset}"?>' + envelope(self.TEXT).decode()).encode(charset)
            for kind in ("text/xml", "application/soap+xml", None):
                self.judged(ok(body, content_type=kind), n=2, ok=2)

    def test_B092_the_header_wins_over_the_declaration_and_it_is_counted(self):
        body = b'<?xml version="1.0" encoding="iso-8859-1"?>' + envelope(self.TEXT)
        result = self.judged(ok(body), "--expect-text", "Tromsø", n=10, ok=10)
        self.assertEqual(result.json["counts"]["charset_contradictions"], 10)
        self.assertIn("charset contradicted  10", result.out)
        self.judged(ok(envelope(self.TEXT).decode().encode("iso-8859-1")), n=2, not_soap=2)

    def test_B088_a_byte_order_mark_is_accepted_and_wins(self):
        for charset, mark in (("utf-8", b"\xef\xbb\xbf"), ("utf-16le", b"\xff\xfe"), ("utf-16be", b"\xfe\xff")):
            body = mark + envelope(self.TEXT).decode().encode(charset)
            for kind in ("text/xml", "text/xml; charset=utf-8"):
                self.judged(ok(body, content_type=kind), "--expect-text", "Tromsø", "--expect-xpath", "//~r", n=2, ok=2)

    def test_an_unknown_charset_is_not_soap(self):
        result = self.judged(ok(content_type="text/xml; charset=klingon"), n=4, not_soap=4)
        self.assertEqual(self.checks(result), {"charset": 4})
        self.assertIn("klingon", result.out)

    def test_bytes_the_charset_does_not_have_are_not_well_formed(self):
        result = self.judged(ok(envelope("<r>?</r>").replace(b"?", b"\xf1")), n=4, not_soap=4)
        self.assertEqual(self.checks(result), {"xml": 4})


class Mtom(VerdictCase):
    def test_B100_a_multipart_answer_is_unwrapped_before_it_is_judged(self):
        for version, body in ((SOAP_11, None), (SOAP_12, ORDER_12)):
            answer = multipart(envelope(PLACED, version), version, parts=[("image", bytes(range(256)) * 400)])
            self.judged(answer, "--expect-xpath", "//~state = 'accepted'", body=body, n=4, ok=4)
            self.judged(answer, "--expect-text", "refused", body=body, n=4, mismatch=4)

    def test_B100_a_fault_in_a_multipart_answer_is_found_at_500_too(self):
        for status in ("200 OK", "500 Internal Server Error"):
            result = self.judged(multipart(fault_12("no image"), status=status), body=ORDER_12, n=4, fault=4)
            self.assertIn("no image", result.out)

    def test_B100_the_root_is_the_part_that_start_names(self):
        image = [("image", b"<not><the/>root")]
        swapped = multipart(b"<junk/>", parts=[("real@x", envelope(version=SOAP_12))], start="<real@x>")
        swapped = swapped.replace(b"<real@x>\r\nContent-Type: application/octet-stream",
                                  b"<real@x>\r\nContent-Type: application/xop+xml     ")
        self.judged(swapped, body=ORDER_12, n=2, ok=2)
        self.judged(multipart(envelope(version=SOAP_12), parts=image), body=ORDER_12, n=2, ok=2)

    def test_B101_a_start_info_of_the_other_version_is_counted(self):
        result = self.judged(multipart(envelope(version=SOAP_12), start_info="text/xml"), body=ORDER_12, n=10, ok=10)
        self.assertEqual(result.json["counts"]["media_contradictions"], 10)
        self.assertIn("media contradicted    10", result.out)

    def test_a_large_attachment_streams_through(self):
        image = [("image", b"\x89PNG\r\n" + b"--uuid:0a4 almost\r\n" * 30000)]
        self.judged(multipart(envelope(version=SOAP_12), parts=image), body=ORDER_12, n=4, ok=4)

    def test_what_is_no_multipart_under_that_type_is_not_soap(self):
        good = multipart(envelope(version=SOAP_12))
        for answer in (good.replace(b"--uuid:0a4b", b"--uuid:other"),
                       good.replace(b'boundary="uuid:0a4b"', b'boundary="uuid:gone"'),
                       ok(b"plain", content_type='multipart/related; boundary="b"')):
            result = self.judged(answer, body=ORDER_12, n=2, not_soap=2)
            self.assertEqual(self.checks(result), {"multipart": 2}, result)

    def test_a_multipart_answer_that_is_not_as_it_should_be_is_judged_as_the_docs_say(self):
        """docs/VERDICT.md, one row after the other: RFC 2046 and 2387 against what can be read without a guess."""
        whole = multipart(envelope(version=SOAP_12), parts=[("image", b"abc")])
        end = b"\r\n\r\n"
        head, body = whole.split(end, 1)

        def answer(kind, content=body):
            return ok(content, content_type=kind)

        boundary = 'boundary="uuid:0a4b"'
        info = 'start-info="application/soap+xml"'
        good = {
            "no start": answer(f"multipart/related; type=\"application/xop+xml\"; {boundary}; {info}"),
            "no type": answer(f'multipart/related; start="<root@x>"; {boundary}; {info}'),
            "another type": answer(f'multipart/related; type="image/png"; start="root@x"; {boundary}; {info}'),
            "no boundary": answer("multipart/related; type=\"application/xop+xml\""),
            "LF alone, text around": answer(f"multipart/related; {boundary}",
                                            b"hello\n" + body.replace(b"\r\n", b"\n") + b"bye\n"),
            "no header": answer('multipart/related; boundary="b"', b"--b \r\n\r\n" + envelope(version=SOAP_12) + b"\r\n--b--"),
        }
        for name, wire in good.items():
            with self.subTest(name):
                result = self.judged(wire, body=ORDER_12, n=2, ok=2)
                self.assertEqual(result.json["counts"]["media_contradictions"], 0, result)
        result = self.judged(multipart(envelope(version=SOAP_12), start="<gone@x>"), body=ORDER_12, n=3, ok=3)
        self.assertEqual(result.json["counts"]["media_contradictions"], 3, result)
        bad = {
            "multipart": (multipart(envelope(version=SOAP_12), end=False), answer('multipart/related; boundary="c"'),
                          answer("multipart/related", b"<a/>"),
                          whole.replace(b"Content-Transfer-Encoding: 8bit", b"Content-Transfer-Encoding: x-yz")),
            "media_type": (answer(f"multipart/mixed; {boundary}"),),
        }
        for check, wires in bad.items():
            for wire in wires:
                result = self.judged(wire, body=ORDER_12, n=2, not_soap=2)
                self.assertEqual(self.checks(result), {check: 2}, result)

    def test_an_include_is_taken_for_its_data(self):
        """A schema of binary content fits an xop:Include."""
        schema = self.file(b'<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:i" '
                           b'elementFormDefault="qualified"><xs:element name="image" type="xs:base64Binary"/></xs:schema>',
                           ".xsd")
        root = envelope('<image xmlns="urn:i"><x:Include xmlns:x="http://www.w3.org/2004/08/xop/include" '
                        'href="cid:image"/></image>', SOAP_12)
        self.judged(multipart(root, parts=[("image", b"abc")]), "--xsd", schema, body=ORDER_12, n=2, ok=2)
        bad = envelope('<image xmlns="urn:i"><a/></image>', SOAP_12)
        self.judged(multipart(bad), "--xsd", schema, body=ORDER_12, n=2, mismatch=2)
