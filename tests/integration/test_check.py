# SPDX-License-Identifier: Apache-2.0
"""`lather check`: what a message is and what becomes of it, and one request with its answer explained.

Rows of the conformance list: B005, B013, B105, B109, B111.
"""

import datetime
import email.utils
import glob
import os
import re
import shutil
import socket
import subprocess
import tempfile
import zipfile

import answers
import lather
from answers import envelope, ok, SOAP_12, TYPE_12
from case import Case
from check import check
from lather import ORDER_11, ORDER_12, Running
from scripted_server import Server, answering
from test_captures import ORDER, raw
from test_message import BOUNDARY, multipart, related, secured

CORPUS = os.path.normpath(os.path.join(os.path.dirname(__file__), "..", "fuzz", "corpus"))
SCT = b'<c:SecurityContextToken xmlns:c="http://schemas.xmlsoap.org/ws/2005/02/sc"/>'
SIGNED = (b'<d:Signature xmlns:d="http://www.w3.org/2000/09/xmldsig#"><d:SignedInfo><d:Reference URI="#_0"/></d:SignedInfo>'
          b"</d:Signature>")


RUN_WIDE = ("count-bodies", "save-failures", "same-length", "any-length", "fail-if")


def options_of(group):
    """{long name: its argument or None} of a group of the option table, as docs/OPTIONS.md has it; a test holds that to the table."""
    with open(os.path.join(os.path.dirname(__file__), "..", "..", "docs", "OPTIONS.md"), encoding="utf-8") as page:
        part = page.read().split(f"## {group}\n", 1)[1].split("\n## ", 1)[0]
    rows = re.findall(r"^\| (?:`-.` )?`--([a-z0-9-]+)`(?: ([^|]*))? \|", part.replace("\\|", "/"), re.M)
    return {name: argument or None for name, argument in rows}


def security(more):
    """The secured order with something more in its Security header."""
    return secured().replace(b"<u:Timestamp", more + b"<u:Timestamp")


def header(blocks, version=SOAP_12):
    return (f'<s:Envelope xmlns:s="{version}" xmlns:a="http://www.w3.org/2005/08/addressing"><s:Header>{blocks}</s:Header>'
            f'<s:Body><Order/></s:Body></s:Envelope>').encode()


class Told(Case):
    """What is said with --dry-run, without a URL."""

    def look(self, content, *options, exit=0):
        checked = check("--dry-run", "-p", self.file(content), *options)
        self.assertEqual(checked.exit, exit, checked)
        return checked.messages[0] if checked.messages else checked

    def test_a_plain_envelope_needs_no_url(self):
        checked = check("--dry-run", "-p", ORDER_12)
        self.assertEqual(checked.exit, 0, checked)
        message = checked.messages[0]
        self.assertEqual(message.one("goes to"), "POST, no URL is given")
        self.assertEqual(message.one("envelope"), "SOAP 1.2, utf-8")
        self.assertEqual(message.one("content type"), "application/soap+xml; charset=utf-8")
        self.assertEqual(message.one("action"), "urn:example:orders/PlaceOrder")
        self.assertEqual(message.one("addressing"), "WS-Addressing 1.0 (Action, To, MessageID, ReplyTo)")
        self.assertEqual(message.one("refreshed"), "MessageID")
        self.assertEqual(message.all("remark"), [])
        self.assertTrue(message.one("looks like").startswith("wsHttpBinding"))
        self.assertEqual(checked.whole.one("sent"), "nothing (--dry-run)")
        self.assertEqual(checked.result.err, "")

    def test_each_own_capture_is_told_by_its_kind(self):
        kinds = {"curl": "curl command lines", "har": "an HTTP archive", "jmeter": "a JMeter test plan", "postman": "a Postman collection",
                 "raw": "HTTP messages as text", "saz": "a Fiddler archive", "soapui": "a SoapUI project", "svclog": "a WCF message log"}
        for kind, words in kinds.items():
            for path in sorted(glob.glob(os.path.join(CORPUS, f"capture_{kind}", "order*"))):
                if path.endswith((".txt", "-cut")):
                    continue
                with self.subTest(path):
                    checked = check("--dry-run", "-p", path)
                    self.assertEqual(checked.exit, 0, checked)
                    self.assertIn(f": {words}", checked.whole.one("file"))
                    sent = [message for message in checked.messages if "not sent" not in message.one("message")]
                    self.assertGreater(len(sent), 0, checked)
                    for message in sent:
                        self.assertRegex(message.one("goes to"), r"^POST http://orders\.example/OrderService\.svc(\?|$)")
                        self.assertEqual(message.one("envelope"), "SOAP 1.1, utf-8", checked)
                        if "without-type" not in path:
                            self.assertEqual(message.one("SOAPAction"), '"urn:example:orders/PlaceOrder"', checked)

    def test_a_multipart_body_is_told_by_its_root_part(self):
        with open(ORDER_12, "rb") as file:
            message = self.look(multipart(file.read()))
        self.assertIn("the root part of a multipart body", message.one("envelope"))
        self.assertIn(f'boundary="{BOUNDARY}"', message.one("content type"))
        self.assertTrue(message.one("looks like").endswith("in MTOM encoding"))
        self.assertEqual(message.one("refreshed"), "MessageID")

    def test_bytes_that_are_no_xml_are_told_to_be(self):
        message = self.look(b"Test ${counter}")
        self.assertEqual(message.one("envelope"), "none: no XML")
        self.assertEqual(message.one("content type"), "text/plain")
        message = self.look(b"<order/>")
        self.assertEqual(message.one("envelope"), "none: XML that is no SOAP envelope, utf-8")
        self.assertTrue(message.one("looks like").startswith("webHttpBinding"))
        self.assertIn("the body is XML without a SOAP Envelope", " ".join(message.all("remark")))

    def test_every_binding_is_guessed(self):
        wsa = "<a:Action>urn:x</a:Action><a:To>http://h/s</a:To><a:MessageID>urn:uuid:1</a:MessageID>"
        for content, words in (
                (ORDER, "basicHttpBinding with security None"),
                (secured(), "basicHttpBinding with security TransportWithMessageCredential"),
                (header(wsa), "wsHttpBinding with security None"),
                (header(wsa.replace("2005/08", "x"), "http://schemas.xmlsoap.org/soap/envelope/"), "a Java service, or a custom binding"),
                (header(wsa).replace(b"http://www.w3.org/2005/08/addressing", b"http://schemas.xmlsoap.org/ws/2004/08/addressing"),
                 "WSE, WS-Management or a custom binding: SOAP 1.2 with WS-Addressing 2004/08"),
                (header(""), "ASMX or a custom binding: SOAP 1.2 without WS-Addressing")):
            self.assertTrue(self.look(content).one("looks like").startswith(words), (content, words))
        checked = check("--dry-run", "-p", self.file(ORDER), "https://orders.example/")
        self.assertTrue(checked.messages[0].one("looks like").startswith("basicHttpBinding with security Transport,"), checked)

    def test_B105_a_fixed_timestamp_has_its_deadline_told(self):
        now = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
        stamp = lambda minutes: (now + datetime.timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M:%SZ")
        captured = secured(stamp(-3), stamp(2))
        message = self.look(captured)
        self.assertIn(f"{stamp(2)} (in ", message.one("accepted until"))
        self.assertIn(f"{stamp(7)} (in ", message.one("accepted until"))
        self.assertIn("each request gets a new one", message.one("accepted until"))
        self.assertEqual(message.one("refreshed"), "Timestamp")
        message = self.look(captured, "--verbatim")
        self.assertIn("it is sent as captured", message.one("accepted until"))
        self.assertEqual(message.one("refreshed"), "nothing")
        self.assertEqual(message.one("as captured"), "Timestamp: nothing in the message is changed")
        # Years to go by its Expires; WCF looks at Created too.
        message = self.look(secured("2006-06-01T22:14:15Z", "2090-06-01T22:14:15Z"))
        self.assertRegex(message.one("accepted until"),
                         r"^2090-06-01T22:14:15Z \(in \d+ years\) by the Timestamp's Expires, 2006-06-01T22:24:15Z \(\d+ years ago\)")

    def test_what_cannot_be_replayed_is_told_with_its_reason(self):
        for content, name, words in (
                (security(SCT), "SCT", "secure conversation"),
                (secured().replace(b"<PlaceOrder", b'<x:EncryptedData xmlns:x="http://www.w3.org/2001/04/xmlenc#"/><PlaceOrder'),
                 "EncryptedData", "encrypted"),
                (header('<r:Sequence xmlns:r="http://docs.oasis-open.org/ws-rx/wsrm/200702"/>'), "RM", "WS-ReliableMessaging")):
            message = self.look(content, exit=2)
            self.assertTrue(message.one("not replayable").startswith(name + ": "), message.lines)
            self.assertIn(words, message.one("not replayable"))
            self.assertIn("--verbatim", message.one("refused"))
            self.assertEqual(self.look(content, "--verbatim").all("refused"), [])

    def test_what_a_signature_covers_is_told(self):
        message = self.look(security(SIGNED))
        self.assertEqual(message.one("as captured"), "Timestamp: a signature covers it")
        self.assertTrue(message.one("limited").startswith("Signature: "))
        self.assertTrue(message.has("remark", "2016-01-27T16:50:36Z"), message.lines)

    def test_a_saml_assertion_has_its_end_told(self):
        token = ('<t:Assertion xmlns:t="urn:oasis:names:tc:SAML:2.0:assertion"><t:Conditions NotOnOrAfter="{}"/></t:Assertion>')
        message = self.look(security(token.format("2020-09-21T13:43:43Z").encode()))
        self.assertTrue(message.has("accepted until", "which has expired"), message.lines)
        message = self.look(security(token.format("2099-01-01T00:00:00Z").encode()))
        self.assertTrue(message.has("accepted until", "2099-01-01T00:00:00Z (in "), message.lines)
        self.assertFalse(message.has("accepted until", "has expired"))
        self.assertTrue(any(text.startswith("SAML: ") for text in message.all("limited")))

    def test_a_digest_needs_its_password_and_a_text_does_not(self):
        token = (b'<o:UsernameToken><o:Username>alice</o:Username><o:Password Type="x#PasswordDigest">a</o:Password>'
                 b"<o:Nonce>AAAA</o:Nonce><u:Created>2016-01-27T16:40:36Z</u:Created></o:UsernameToken>")
        message = self.look(security(token))
        self.assertEqual(message.one("as captured"),
                         "UsernameToken (digest, Nonce, Created): its digest needs the password, --wsse-user")
        message = self.look(security(token), "--wsse-user", "alice:s3cret")
        self.assertEqual(message.one("refreshed"), "Timestamp, UsernameToken (digest, Nonce, Created)")

    def test_B005_B013_what_does_not_fit_together_is_told(self):
        wsa = header("<a:Action>urn:x</a:Action><a:To>https://other:81/s</a:To><a:MessageID>urn:uuid:1</a:MessageID>")
        message = self.look(wsa, "-T", "text/xml", "-H", 'SOAPAction: "urn:y"', "http://orders.example/s")
        self.assertTrue(message.has("remark", "the content type is text/xml"), message.lines)
        self.assertTrue(message.has("remark", "differs from wsa:Action (urn:x)"), message.lines)
        self.assertEqual(message.one("rewritten"), "To: http://orders.example/s (captured: https://other:81/s)")

    def test_remarks_of_a_run_are_told_before_it(self):
        """B008, B014, B015, B016, B017 and B018: what services answer with 415, 400 or a Fault that explains little."""
        action = "<a:Action>urn:x</a:Action>"
        none = '<To xmlns="http://schemas.microsoft.com/ws/2005/05/addressing/none">http://h/</To>'
        post = b"POST http://orders.example/s HTTP/1.1\r\nHost: orders.example\r\nContent-Type: text/xml\r\nContent-Length: 0\r\n\r\n"
        for row, content, options, words in (
                ("B008", ORDER, ("-T", "application/xml+soap"), "a service that wants text/xml answers 415"),
                ("B014", header(action), (), "wsa:Action but no wsa:To: WCF answers DestinationUnreachable"),
                ("B015", header(action), (), "WS-Addressing but no wsa:MessageID"),
                ("B016", header(none), (), "addressing/none"),
                ("B017", post, ("--pick", "1"), "the body is empty: a SOAP service answers 400"),
                ("B018", ORDER, ("-H", "Content-Encoding: gzip"), "Content-Encoding says gzip but the body is plain")):
            with self.subTest(row):
                message = self.look(content, *options)
                self.assertTrue(message.has("remark", words), message.lines)
        message = self.look(header(action), "--add-message-id")
        self.assertEqual(message.one("added"), "MessageID")

    def test_values_of_earlier_answers_are_told(self):
        capture = raw(1).replace(b"Expect: 100-continue", b"Cookie: ASP.NET_SessionId=abc; theme=dark\r\nX-RequestDigest: 0x12")
        message = self.look(capture)
        self.assertTrue(message.has("needs", "ASP.NET_SessionId, theme"), message.lines)
        self.assertTrue(message.has("needs", "X-RequestDigest"), message.lines)
        message = self.look(header("<SessionHeader><sessionId>00D!AQ</sessionId></SessionHeader><EchoToken>7</EchoToken>"))
        self.assertTrue(message.has("needs", "a fresh sessionId"), message.lines)
        self.assertTrue(message.has("same each time", "EchoToken"), message.lines)
        self.assertEqual(self.look(header("<sessionId/>")).all("needs"), [])

    def test_damaged_entries_are_told_and_the_others_read(self):
        capture = (raw(1) + b"\r\n" + b"-" * 66 + b"\r\n" + raw(1)[:-100] + b"\r\n" + b"-" * 66 + b"\r\n"
                   + raw(1, ORDER.replace(b"PlaceOrder", b"GetOrder")))
        checked = check("--dry-run", "-p", self.file(capture))
        self.assertEqual(checked.exit, 0, checked)
        self.assertEqual(len(checked.messages), 2, checked)
        self.assertTrue(checked.whole.one("skipped").startswith("session 2"), checked)

    def test_messages_a_run_leaves_out_are_told_apart(self):
        get = b"GET http://orders.example/logo.png HTTP/1.1\r\nHost: orders.example\r\n\r\n"
        checked = check("--dry-run", "-p", self.file(get + b"-" * 66 + b"\r\n" + raw(1)))
        self.assertEqual(checked.exit, 0, checked)
        self.assertIn("not sent: --pick 1", checked.messages[0].one("message"))
        self.assertNotIn("not sent", checked.messages[1].one("message"))
        checked = check("--dry-run", "-p", self.file(get))
        self.assertEqual(checked.exit, 2, checked)
        self.assertIn("no POST is in it", checked.result.err)
        self.assertEqual(len(checked.messages), 1)

    def test_control_bytes_of_a_file_reach_no_terminal(self):
        checked = check("--dry-run", "-p", self.file(header("<a:Action>urn:&#x9b;31m\nx: y</a:Action>")))
        self.assertNotRegex(checked.result.out, "[\x00-\x08\x0b-\x1f\x7f-\x9f]")
        self.assertEqual(len(checked.messages[0].all("action")), 1)

    def test_what_cannot_be_read_is_an_error(self):
        checked = check("--dry-run", "-p", "/nonexistent.xml")
        self.assertEqual((checked.exit, checked.result.out), (2, ""), checked)
        checked = check("-p", ORDER_11)
        self.assertEqual(checked.exit, 2, checked)
        self.assertIn("no URL given", checked.result.err)
        self.assertIn("no URL given", checked.messages[0].one("refused"))
        checked = check("--dry-run", "-p", self.file(b"${no.such}"))
        self.assertEqual(checked.exit, 2, checked)
        self.assertIn("no.such", checked.messages[0].one("refused"))


class Several(Case):
    """What -p names more than once, or as a folder."""

    def folder(self, **files):
        folder = tempfile.mkdtemp(prefix="lather-check-")
        self.addCleanup(shutil.rmtree, folder)
        for name, content in files.items():
            with open(os.path.join(folder, name.replace("_", ".")), "wb") as file:
                file.write(content)
        return folder

    def test_each_file_is_told_and_the_first_message_sent(self):
        with Server(answering(ok())) as server:
            checked = check("-p", ORDER_11 + "@3", "-p", self.file(raw(server.port)), server.url())
        self.assertEqual((checked.exit, server.requests), (0, 1), checked)
        self.assertEqual(len(checked.whole.all("file")), 2)
        self.assertEqual(checked.whole.all("weight"), ["3"])
        self.assertEqual(len(checked.messages), 2)
        self.assertTrue(checked.whole.one("sent").startswith(f"message 1 of {ORDER_11}, "), checked)
        with open(ORDER_11, "rb") as file:
            self.assertEqual(server.log[0].body, file.read())

    def test_a_folder_is_told_file_by_file_with_what_is_expected(self):
        folder = self.folder(a_xml=ORDER, b_xml=secured(), b_xml_expect=b"--expect-text nowhere\n")
        with Server(answering(ok())) as server:
            checked = check("-p", folder, server.url())
            self.assertEqual((checked.exit, server.requests), (0, 1), checked)
            self.assertEqual([text.split(":")[0] for text in checked.whole.all("file")],
                             [os.path.join(folder, name) for name in ("a.xml", "b.xml")])
            checked = check("-p", os.path.join(folder, "b.xml"), server.url())
        self.assertEqual((checked.exit, server.requests), (1, 2), checked)
        self.assertTrue(checked.whole.one("verdict").startswith("mismatch: "), checked)

    def test_one_that_is_refused_keeps_all_from_being_sent(self):
        folder = self.folder(a_xml=ORDER, b_xml=security(SCT))
        with Server(answering(ok())) as server:
            checked = check("-p", folder, server.url())
        self.assertEqual((checked.exit, server.requests), (2, 0), checked)
        self.assertEqual([len(message.all("refused")) for message in checked.messages], [0, 1])

    def test_what_is_wrong_with_all_of_them_together_is_told(self):
        with Server(answering(ok())) as server:
            checked = check("-p", self.file(raw(server.port)), "-p", self.file(raw(server.port + 1)))
        self.assertEqual((checked.exit, server.requests), (2, 0), checked)
        self.assertIn("all messages of a run go to one service", checked.whole.one("refused"))

    def test_a_file_that_cannot_be_read_does_not_keep_the_others_from_being_told(self):
        checked = check("--dry-run", "-p", "/nowhere/a.xml", "-p", ORDER_11)
        self.assertEqual((checked.exit, len(checked.messages)), (2, 1), checked)
        self.assertIn("/nowhere/a.xml", checked.result.err)

    def test_without_a_url_nothing_is_compared(self):
        checked = check("--dry-run", "-p", ORDER_11, "-p", ORDER_12)
        self.assertEqual((checked.exit, len(checked.messages)), (0, 2), checked)


class Documented(Case):
    def test_every_label_is_on_its_page(self):
        with open(os.path.join(os.path.dirname(__file__), "..", "..", "docs", "CHECK.md"), encoding="utf-8") as file:
            page = file.read()
        sources = os.path.join(os.path.dirname(__file__), "..", "..", "src")
        labels = set()
        for name in glob.glob(os.path.join(sources, "cli", "check_*.c")) + glob.glob(os.path.join(sources, "soap", "explain*.c")):
            with open(name, encoding="utf-8") as file:
                text = file.read()
            labels.update(re.findall(r'CHECK_INDENT_\w+,\s*(?:STR\()?"([^"]+)"', text))
            labels.update(re.findall(r'(?:add_line|end_line)\(lines, "([^"]+)"', text))
        self.assertGreater(len(labels), 25)
        for label in sorted(labels):
            self.assertIn(f"`{label}`", page)


class Sent(Case):
    """One request, and what is said of the answer."""

    def ask(self, script, *options, body=ORDER_11):
        with Server(script) as server:
            checked = check(*options, "-p", body, server.url())
            self.assertEqual(server.errors, [])
        self.server = server
        return checked

    def test_one_request_is_sent_whatever_the_load(self):
        checked = self.ask(answering(related), "-n", "200", "-c", "50", "-k", "--rate", "9/s", body=ORDER_12)
        self.assertEqual(self.server.requests, 1)
        self.assertEqual(checked.exit, 0, checked)
        self.assertEqual(checked.whole.one("verdict"), "ok")
        self.assertRegex(checked.whole.one("answer"), r"^HTTP/1\.1 200 OK, application/soap\+xml; charset=utf-8, \d+ bytes, after ")
        sent = re.fullmatch(r"message 1, (\d+) bytes \(head (\d+), body (\d+)\)", checked.whole.one("sent"))
        request = self.server.log[0]
        self.assertEqual([int(number) for number in sent.groups()],
                         [len(request.head) + len(request.body), len(request.head), len(request.body)])

    def test_one_request_is_sent_whatever_option_of_the_load_is_given(self):
        # Each with what it needs beside it. An option of the table without a line here fails the test.
        given = {"requests": ["7"], "concurrency": ["50"], "time": ["1s"], "keep-alive": [], "requests-per-connection": ["3"], "timeout": ["20s"],
                 "connect-timeout": ["20s"], "threads": ["4"], "rate": ["50/s", "-t", "1s", "-c", "5"], "arrivals": ["poisson", "--rate", "9/s"],
                 "think": ["1s-2s", "-n", "5"], "steps": ["50,100x1s"], "find-rate": ["p95<500ms", "-t", "1s"], "warmup": ["1s"], "grace": ["1s"],
                 "start-at": ["2096-01-31T14:30:00Z"], "sessions": ["6,2,1s"], "burst": ["2", "--sessions", "6,3,1s"], "seed": ["1"], "keep-going": []}
        names = options_of("Load")
        self.assertEqual(sorted(given), sorted(names))
        for name in names:
            with self.subTest(name):
                checked = self.ask(answering(ok()), f"--{name}", *given[name])
                self.assertEqual((checked.exit, self.server.requests), (0, 1), checked)
                self.assertEqual(checked.whole.one("verdict"), "ok")
        checked = self.ask(answering(ok()), "--warmup", "9", "-n", "20", "-c", "3")
        self.assertEqual((checked.exit, self.server.requests), (0, 1), checked)

    def test_what_is_about_a_result_is_taken_and_writes_no_file(self):
        values = {"verbosity": ["0"], "percentiles": ["95"], "counters": ["none.csv"]}
        with tempfile.TemporaryDirectory() as folder:
            for group in ("Output", "Verdict"):
                for name, argument in options_of(group).items():
                    if group == "Verdict" and name not in RUN_WIDE:
                        continue
                    path = os.path.join(folder, "out")
                    value = values.get(name, {None: [], "CONDITION": ["errors>1%"]}.get(argument, [path]))
                    with self.subTest(name):
                        checked = self.ask(answering(ok()), f"--{name}", *value)
                        self.assertEqual((checked.exit, self.server.requests), (0, 1), checked)
            checked = self.ask(answering(ok(b"no SOAP")), "--save-failures", os.path.join(folder, "failures"), "--fail-if", "p95>1h")
            self.assertEqual(checked.exit, 1, checked)
            self.assertEqual(os.listdir(folder), [])

    def test_a_fault_is_told_in_its_own_words_with_a_hint(self):
        fault = answers.fault_11("Order 4711 of 2024-01-01 is unknown", "a:ActionNotSupported").replace(
            b"<s:Fault>", b'<s:Fault xmlns:a="http://schemas.microsoft.com/ws/2005/05/addressing/none">')
        checked = self.ask(answering(ok(fault, "500 Internal Server Error")))
        self.assertEqual(checked.exit, 1, checked)
        self.assertRegex(checked.whole.one("verdict"), r"^fault: \{[^}]*\}ActionNotSupported: Order 4711 of 2024-01-01 is unknown")
        self.assertIn("compare SOAPAction and wsa:Action", checked.whole.one("hint"))
        self.assertIn("500 Internal Server Error", checked.whole.one("answer"))

    def test_B005_a_415_names_the_type_that_is_wanted(self):
        reason = ("415 Cannot process the message because the content type 'text/xml; charset=utf-8' was not the expected type "
                  "'application/soap+xml; charset=utf-8'.")
        checked = self.ask(answering(answers.head(reason, ["Content-Length: 0"], None)))
        self.assertEqual(checked.exit, 1, checked)
        self.assertIn("the endpoint takes application/soap+xml; charset=utf-8", checked.whole.one("hint"))
        self.assertIn("no content type", checked.whole.one("answer"))

    def test_an_empty_answer_and_a_401_have_their_hints(self):
        for status in ("200 OK", "202 Accepted"):
            checked = self.ask(answering(ok(b"", status)))
            self.assertEqual(checked.exit, 1, checked)
            self.assertIn("a one-way operation? then --one-way", checked.whole.one("hint"))
        checked = self.ask(answering(ok(b"who?", "401 Unauthorized", content_type="text/plain")))
        self.assertIn("--negotiate", checked.whole.one("hint"))

    def test_a_template_that_is_not_read_and_a_feed_that_is_not_used_are_told(self):
        words = ("sent as captured: --template reads it", "--data: no column of it is used")
        envelope_with = lambda text: ORDER.replace(b"</", text + b"</", 1)
        rows = self.file(b"id\n1\n2\n", ".csv")
        plain, with_column = self.file(envelope_with(b"")), self.file(envelope_with(b"${data.id}"))
        captured = self.file(raw(1, envelope_with(b"${data.id}")))
        for options, expected in ((("-p", plain), (False, False)), (("-p", plain, "--data", rows), (False, True)),
                                  (("-p", with_column, "--data", rows), (False, False)), (("-p", captured), (True, False)),
                                  (("-p", captured, "--data", rows), (True, True)), (("-p", captured, "--no-template"), (False, False)),
                                  (("-p", captured, "--verbatim"), (False, False)),
                                  (("-p", captured, "--data", rows, "--template"), (False, False))):
            with self.subTest(options):
                checked = check("--dry-run", *options)
                self.assertEqual(checked.exit, 0, checked)
                self.assertEqual(tuple(checked.messages[0].has("remark", text) for text in words), expected, checked)

    def test_B111_a_digest_that_WCF_refuses_has_its_hint(self):
        token = (b'<o:UsernameToken><o:Username>alice</o:Username><o:Password Type="x#PasswordDigest">a</o:Password>'
                 b"<o:Nonce>AAAA</o:Nonce><u:Created>2016-01-27T16:40:36Z</u:Created></o:UsernameToken>")
        fault = answers.fault_11("At least one security token in the message could not be validated.", "o:FailedAuthentication").replace(
            b"<s:Fault>", b'<s:Fault xmlns:o="http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd">')
        checked = self.ask(answering(ok(fault, "500 Internal Server Error")), "--wsse-user", "alice:s3cret", body=self.file(security(token)))
        self.assertEqual(checked.exit, 1, checked)
        self.assertIn("WCF takes PasswordText only, not PasswordDigest", checked.whole.one("hint"))

    def test_an_answer_to_another_message_is_told(self):
        wrong = ok(envelope(version=SOAP_12).replace(b"<s:Body>", b'<s:Header><a:RelatesTo xmlns:a="http://www.w3.org/2005/08/addressing">'
                                                     b"urn:uuid:0</a:RelatesTo></s:Header><s:Body>"), content_type=TYPE_12)
        checked = self.ask(answering(wrong), body=ORDER_12)
        self.assertEqual(checked.exit, 1, checked)
        self.assertTrue(checked.whole.one("verdict").startswith("mismatch: "), checked)

    def test_B109_the_clocks_are_compared(self):
        for seconds, words in ((-180, r"is \d+ s behind"), (180, r"is \d+ s ahead of"), (0, r"agree|is \d{1,2} s behind")):
            def dated(request, seconds=seconds):
                now = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
                return ok(fields=["Date: " + email.utils.format_datetime(now, usegmt=True)])
            checked = self.ask(answering(dated))
            self.assertRegex(checked.whole.one("clock"), words)
            if seconds:
                offset = int(re.search(r"--clock-offset ([+-]\d+)s", checked.whole.one("clock")).group(1))
                self.assertAlmostEqual(offset, seconds, delta=30)

    def test_no_answer_is_told_with_its_cause(self):
        with socket.socket() as closed:
            closed.bind(("127.0.0.1", 0))
            checked = check("-p", ORDER_11, f"http://127.0.0.1:{closed.getsockname()[1]}/")
        self.assertEqual(checked.exit, 1, checked)
        self.assertIn("none: ", checked.whole.one("answer"))
        self.assertRegex(checked.whole.one("sent"), r"^nothing \(.+\)$")
        self.assertTrue(checked.whole.one("verdict").startswith("connect: "), checked)

        async def silent(peer):
            await peer.request()
            await peer.hang()

        checked = self.ask(silent, "-s", "300ms")
        self.assertEqual(checked.exit, 1, checked)
        self.assertTrue(checked.whole.one("sent").startswith("message 1, "), checked)
        self.assertTrue(checked.whole.one("verdict").startswith("timeout: "), checked)

    def test_an_interrupt_ends_it_with_what_is_known(self):
        async def silent(peer):
            await peer.request()
            await peer.hang()

        with Server(silent) as server:
            with Running(["check", "-p", ORDER_11, server.url()], with_json=False) as running:
                self.wait_for(lambda: server.requests == 1)
                running.interrupt()  # what is under way has 5 s to finish
                result = running.end()
        self.assertEqual(result.exit, 130, result)
        self.assertIn("verdict:           cut: given up", result.out)
        self.assertRegex(result.out, r"answer:            none: given up: the check was interrupted, after \d")
        self.assertRegex(result.out, r"sent:              message 1, \d+ bytes")

    def test_an_unknown_host_is_an_error(self):
        checked = check("-p", ORDER_11, "http://no-such-host.invalid/")
        self.assertEqual(checked.exit, 2, checked)
        self.assertIn("no-such-host.invalid", checked.result.err)
        self.assertRegex(checked.whole.one("sent"), r"^nothing \(.*no-such-host\.invalid.*\)$")

    def test_a_large_answer_is_judged_too(self):
        big = envelope(inner="<r>" + "x" * 300000 + "</r>")
        checked = self.ask(answering(ok(big)))
        self.assertEqual((checked.exit, checked.whole.one("verdict")), (0, "ok"), checked)
        checked = self.ask(answering(ok(big[:-20])))
        self.assertEqual(checked.exit, 1, checked)
        self.assertEqual(checked.whole.one("verdict"), "not_soap", checked)

    def test_nothing_is_sent_with_dry_run_or_when_the_run_would_be_refused(self):
        with Server(answering(ok())) as server:
            checked = check("--dry-run", "-p", ORDER_11, server.url())
            self.assertEqual(checked.exit, 0, checked)
            checked = check("-p", self.file(security(SCT)), server.url())
            self.assertEqual(checked.exit, 2, checked)
            self.assertEqual(checked.whole.all("sent"), [])
            self.assertEqual((server.requests, server.connections), (0, 0))
            checked = check("--verbatim", "-p", self.file(security(SCT)), server.url())
        self.assertEqual((checked.exit, server.requests), (0, 1), checked)
        self.assertEqual(server.log[0].body, security(SCT))

    def test_a_capture_of_requests_without_a_body_is_told_and_refused(self):
        get = b"GET http://127.0.0.1:1/logo%d.png HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n"
        archive = self.file(b"", ".saz")
        with zipfile.ZipFile(archive, "w") as saz:
            for number in (1, 2):
                saz.writestr(f"raw/{number}_c.txt", get % number)
        checked = check("-p", archive)
        self.assertEqual(checked.exit, 2, checked)
        self.assertEqual([message.one("goes to") for message in checked.messages], ["GET http://127.0.0.1:1/logo1.png", "GET http://127.0.0.1:1/logo2.png"])
        self.assertIn("no POST is in it (--pick takes other requests)", checked.whole.one("refused"))
        self.assertEqual(checked.whole.all("sent"), [])

    def test_of_several_messages_the_first_chosen_is_sent(self):
        with Server(answering(ok())) as server:
            capture = self.file(raw(server.port) + b"\r\n" + b"-" * 66 + b"\r\n" + raw(server.port, ORDER.replace(b"Place", b"Get")))
            self.assertEqual(check("-p", capture).exit, 0)
            self.assertEqual(check("-p", capture, "--pick", "2").exit, 0)
        self.assertIn(b"PlaceOrder", server.log[0].body)
        self.assertIn(b"GetOrder", server.log[1].body)

    def test_a_request_without_a_body_is_checked_too(self):
        with Server(answering(ok())) as server:
            checked = check(server.url())
        self.assertEqual(checked.exit, 0, checked)
        self.assertEqual(checked.messages[0].one("goes to"), "GET " + server.url())
        self.assertEqual(server.log[0].line, "GET /OrderService.svc HTTP/1.1")

    def test_heads_are_printed_when_asked_for(self):
        checked = self.ask(answering(ok()), "-v", "2")
        self.assertIn("POST /OrderService.svc HTTP/1.1", checked.result.out)
        self.assertIn("LOG: header received:", checked.result.out)


class Streams(Case):
    """Messages that can be read once only: what a shell makes of <(...), FIFOs."""

    def piped(self, *contents):
        """/dev/fd/N that hold these bytes, one read each."""
        ends = []
        for content in contents:
            read_end, write_end = os.pipe()
            os.write(write_end, content)
            os.close(write_end)
            self.addCleanup(os.close, read_end)
            ends.append(read_end)
        return ends, [f"/dev/fd/{end}" for end in ends]

    def assert_told(self, *contents):
        ends, paths = self.piped(*contents)
        command = [lather.binary(), "check", "--dry-run", *(word for path in paths for word in ("-p", path)), "http://127.0.0.1:1/"]
        done = subprocess.run(command, pass_fds=ends, stdin=subprocess.DEVNULL, capture_output=True, timeout=30 * lather.SLOWNESS)
        self.assertEqual((done.returncode, done.stderr), (0, b""), done.stdout.decode())
        self.assertEqual(done.stdout.count(b"goes to:"), len(contents))

    def test_one_and_several_that_can_be_read_once_are_told(self):
        self.assert_told(ORDER)
        self.assert_told(ORDER, ORDER.replace(b"Place", b"Get"))

    def test_what_a_folder_holds_besides_files_is_told_to_be_left_out(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "a.xml"), "wb") as file:
                file.write(ORDER)
            os.mkfifo(os.path.join(folder, "pipe"))
            checked = check("--dry-run", "-p", folder)
        self.assertEqual(checked.exit, 0, checked)
        self.assertEqual(len(checked.messages), 1, checked)
        self.assertIn("pipe: left out, it is no regular file", checked.whole.one("skipped"))


class Printed(Case):
    def printed(self, *options, body=ORDER_12):
        with Server(answering(related)) as server:
            with Running(["check", "--print", *options, "-p", body, server.url()], with_json=False) as running:
                result = running.end()
                with open(running._out.name, "rb") as out:  # the bytes, line ends as they are
                    return out.read(), result, server

    def test_the_request_is_printed_byte_for_byte_as_it_is_sent(self):
        out, result, server = self.printed()
        self.assertEqual(result.exit, 0, result)
        self.assertEqual(out, server.log[0].head + server.log[0].body)
        self.assertIn("verdict:", result.err)
        out, result, server = self.printed("--dry-run")
        self.assertEqual((result.exit, server.requests), (0, 0), result)
        self.assertTrue(out.startswith(b"POST /OrderService.svc HTTP/1.1\r\n"), out)
        self.assertIn(b"MessageID", out)

    def test_secrets_are_masked(self):
        out, result, server = self.printed("--wsse-user", "alice:s3cret-word", "--wsse", "text", "-A", "bob:hunter-two", "-C", "sid=0123456789")
        sent = server.log[0].head + server.log[0].body
        for secret in (b"s3cret-word", b"sid=0123456789"):
            self.assertIn(secret, sent)
        for secret in ("s3cret-word", "hunter-two", "0123456789", server.log[0].value("Authorization").split()[1]):
            self.assertNotIn(secret, result.out + result.err)
        self.assertIn(b"sid=***", out)

    def test_a_password_of_the_capture_is_masked(self):
        token = b"<o:UsernameToken><o:Username>alice</o:Username><o:Password>capt-ured</o:Password></o:UsernameToken>"
        out, _, _ = self.printed("--dry-run", body=self.file(security(token)))
        self.assertIn(b"<o:Password>***</o:Password>", out)
        self.assertIn(b"alice", out)
