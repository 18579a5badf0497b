# SPDX-License-Identifier: Apache-2.0
"""--verbatim: the bytes on the wire are those of the file, in every encoding, with all line ends, of every size.

Rows of the conformance list: B019, B087, B091, B157.
"""

import itertools

from answers import ok
from case import Case, mark
from scripted_server import Server, answering

# How a file says what it is in: a mark, a declaration, both.
ENCODINGS = {
    "utf-8": (b"", "utf-8", "Grüße, 5 €"),
    "utf-8 with a mark": (b"\xef\xbb\xbf", "utf-8", "Grüße, 5 €"),
    "utf-16le": (b"\xff\xfe", "utf-16le", "Grüße, 5 €"),
    "utf-16be": (b"\xfe\xff", "utf-16be", "Grüße, 5 €"),
    "iso-8859-1": (b"", "iso-8859-1", "Grüße, 5 \xa4"),
    "windows-1252": (b"", "windows-1252", "Grüße, 5 €"),
}
LINE_ENDS = {"CRLF": ("\r\n",), "LF": ("\n",), "mixed": ("\r\n", "\n", "\r"), "none": ("",)}

# Everything that is made anew or read as a template when --verbatim is not given.
HEAD = """<?xml version="1.0" encoding="{}"?>|
<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope" xmlns:a="http://www.w3.org/2005/08/addressing">|
<s:Header><a:Action>urn:example:orders/PlaceOrder</a:Action><a:To>http://recorded.example/OrderService.svc</a:To>|
<a:MessageID>urn:uuid:6f1d2c58-0f6b-4c0e-9a37-3c5b0b6f9d21</a:MessageID></s:Header>|
<s:Body><id at='${{counter}}'  >${{uuid}} ${{nothing known}} &#13;</id>"""
LINE = "<line>{} | &amp; <![CDATA[${{data.none}}]]></line  >"


def content(encoding, line_ends, least):
    """An envelope of at least so many bytes; with no line ends at its end either."""
    mark_bytes, codec, text = ENCODINGS[encoding]
    ends = itertools.cycle(LINE_ENDS[line_ends])
    with_ends = lambda lines: "".join(line + next(ends) for line in lines)
    head = mark_bytes + with_ends(HEAD.format(codec.removesuffix("le").removesuffix("be")).replace("\n", "").split("|")).encode(codec)
    line = with_ends([LINE.format(text)] * len(LINE_ENDS[line_ends])).encode(codec)
    tail = ("</s:Body></s:Envelope>" + next(ends)).encode(codec)
    return head + line * max(1, -(-(least - len(head) - len(tail)) // len(line))) + tail


class Verbatim(Case):
    def assert_sent_as_it_is(self, body, n=2, *options):
        with Server(answering(ok())) as server:
            result = self.fire(server, n, n, "--verbatim", *options, body=self.file(body), limit=120)
        self.assert_all_ok(result, server, n)
        for request in server.log:
            self.assertEqual(request.value("Content-Length"), str(len(body)))
            if request.body != body:  # no assertEqual: it would compare megabytes line by line
                at = next((i for i, (sent, given) in enumerate(zip(request.body, body)) if sent != given), None)
                self.fail(f"{len(request.body)} bytes for {len(body)}, the first other one at {at}")
        return result

    def assert_each(self, least):
        for encoding in ENCODINGS:
            for line_ends in LINE_ENDS:
                with self.subTest(f"{encoding}, {line_ends}, {least} bytes"):
                    self.assert_sent_as_it_is(content(encoding, line_ends, least))

    def test_the_files_of_this_test_are_what_they_say(self):
        for encoding, (mark_bytes, codec, text) in ENCODINGS.items():
            for line_ends, ends in LINE_ENDS.items():
                body = content(encoding, line_ends, 3000)
                self.assertTrue(body.startswith(mark_bytes + "<?xml".encode(codec)))
                decoded = body[len(mark_bytes):].decode(codec)
                self.assertIn(text, decoded)
                self.assertEqual({"\r\n": "\r\n" in decoded, "\n": "\n" in decoded.replace("\r\n", ""),
                                  "\r": "\r" in decoded.replace("\r\n", "")}, {end: end in ends for end in ("\r\n", "\n", "\r")})

    def test_without_verbatim_the_same_files_are_changed(self):
        """Or the other tests would prove nothing."""
        for encoding in ENCODINGS:
            body = content(encoding, "LF", 0)
            with Server(answering(ok())) as server:
                result = self.fire(server, 2, 1, "--no-template", body=self.file(body))
            self.assert_books(result, server)
            self.assertTrue(all(request.body != body for request in server.log), encoding)

    def test_B091_small_envelopes_in_every_encoding_with_all_line_ends(self):
        self.assert_each(0)

    def test_B019_64_KB_in_every_encoding_with_all_line_ends(self):
        self.assert_each(64 << 10)

    @mark("heavy")
    def test_B019_a_megabyte_in_every_encoding_with_all_line_ends(self):
        self.assert_each(1 << 20)

    @mark("heavy")
    def test_B019_64_megabytes_of_one_two_and_more_bytes_a_character(self):
        for encoding, line_ends in (("windows-1252", "none"), ("utf-16be", "CRLF"), ("utf-8 with a mark", "mixed")):
            with self.subTest(encoding):
                self.assert_sent_as_it_is(content(encoding, line_ends, 64 << 20), 1, "-s", "60")

    def test_a_single_byte_and_bytes_of_no_encoding(self):
        for body in (b"x", b"\xe9", b"\x00", b"\n", b"\r\n", b"\xef\xbb\xbf", b"\xff\xfe", b"<", b"${", bytes(range(256)) * 300):
            with self.subTest(body[:4]):
                self.assert_sent_as_it_is(body)

    def test_nothing_at_all_is_a_request_with_a_length_of_0(self):
        """An empty file is most likely a slip and refused with these words; this is how it is meant."""
        with Server(answering(ok())) as server:
            result = self.fire(server, 3, 1, "--verbatim", "-m", "POST", body=None)
        self.assert_all_ok(result, server, 3)
        self.assertEqual([(request.value("Content-Length"), request.body) for request in server.log], [("0", b"")] * 3)

    def test_B087_B157_a_byte_order_mark_goes_out_and_is_remarked(self):
        result = self.assert_sent_as_it_is(content("utf-8 with a mark", "CRLF", 0))
        self.assertTrue(any("byte order mark" in note for note in result.notes), result)
