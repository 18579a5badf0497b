# SPDX-License-Identifier: Apache-2.0
"""The message: what goes stale is new in each request, templates are filled, a feed is used up row by row.

Rows of the conformance list: B070, B090, B103, B105, B106, B107, B108, B109, B117.
"""

import base64
import datetime
import email.utils
import hashlib
import html
import os
import re
import uuid
import xml.etree.ElementTree

from answers import envelope, fault_11, ok, SOAP_12, TYPE_12
from case import Case, mark
from lather import ORDER_12
from scripted_server import Server, answering

WSA = "http://www.w3.org/2005/08/addressing"
WSSE = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd"
WSU = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd"
DIGEST = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-username-token-profile-1.0#PasswordDigest"


def related(request):
    """A good answer that names the request it answers."""
    found = re.search(rb"MessageID[^>]*>([^<]*)<", request.body)
    header = f'<s:Header><a:RelatesTo xmlns:a="{WSA}">{found.group(1).decode()}</a:RelatesTo></s:Header>'
    body = envelope(version=SOAP_12).replace(b"<s:Body>", header.encode() + b"<s:Body>")
    return ok(body, content_type=TYPE_12)


def secured(created="2016-01-27T16:40:36.497Z", expires="2016-01-27T16:45:36.497Z", token=""):
    return (f'<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Header>'
            f'<o:Security xmlns:o="{WSSE}" xmlns:u="{WSU}" s:mustUnderstand="1"><u:Timestamp u:Id="_0">'
            f'<u:Created>{created}</u:Created><u:Expires>{expires}</u:Expires></u:Timestamp>{token}</o:Security>'
            f'</s:Header><s:Body><PlaceOrder xmlns="urn:example:orders"/></s:Body></s:Envelope>').encode()


def inside(tag, body):
    return re.search(rb"<(?:\w+:)?" + tag.encode() + rb"[^>]*>([^<]*)<", body).group(1).decode()


class Refreshed(Case):
    @mark("threads")
    def test_B117_each_request_has_a_message_id_of_its_own_and_the_answer_must_name_it(self):
        with Server(answering(related)) as server:
            result = self.fire(server, 600, 12, "--threads", 3, body=ORDER_12)
        self.assert_all_ok(result, server, 600)
        ids = [inside("MessageID", request.body) for request in server.log]
        self.assertEqual(len(set(ids)), len(ids))
        for each in ids:
            self.assertEqual(uuid.UUID(each.removeprefix("urn:uuid:")).version, 4, each)
        self.assertEqual(result.json["counts"]["relates_absent"], 0)

    def test_an_answer_to_another_request_is_a_mismatch(self):
        with Server(answering(lambda request: related(server.log[0]))) as server:
            result = self.fire(server, 10, 1, body=ORDER_12)
        self.assert_books(result, server)
        self.assert_outcomes(result, ok=1, mismatch=9)

    def test_only_what_is_refreshed_differs_from_the_file(self):
        with open(ORDER_12, "rb") as file:
            before = file.read()
        with Server(answering(related)) as server:
            self.fire(server, 4, 1, "--wsa-to", "keep", body=ORDER_12)
        for request in server.log:
            blank = [re.sub(rb"(MessageID[^>]*>)[^<]*", rb"\1", body) for body in (before, request.body)]
            self.assertEqual(blank[0], blank[1])
            self.assertEqual(int(request.value("Content-Length")), len(request.body))

    def test_verbatim_sends_the_bytes_of_the_file(self):
        for body in (b"\xef\xbb\xbf" + secured(), secured().decode().encode("utf-16"), secured().replace(b"><", b">\r\n<"),
                     b"", os.urandom(1000) + b"${counter}"):
            if not body:
                continue
            with Server(answering(ok())) as server:
                result = self.fire(server, 3, 1, "--verbatim", "--validate", "off", body=self.file(body))
            self.assert_all_ok(result, server, 3)
            self.assertEqual({request.body for request in server.log}, {body})

    def test_B105_B106_a_stale_timestamp_is_made_now_and_keeps_its_span(self):
        with Server(answering(ok())) as server:
            result = self.fire(server, 3, 1, body=self.file(secured()))
        self.assert_all_ok(result, server, 3)
        now = datetime.datetime.now(datetime.timezone.utc)
        for request in server.log:
            created, expires = (datetime.datetime.fromisoformat(inside(tag, request.body).replace("Z", "+00:00"))
                                for tag in ("Created", "Expires"))
            self.assertEqual(expires - created, datetime.timedelta(minutes=5))
            self.assertLess(abs(now - created), datetime.timedelta(seconds=30))
            self.assertRegex(inside("Created", request.body), r"^[\d-]+T[\d:]+\.\d{3}Z$")
        self.assertTrue(any("refreshing: Timestamp" in note for note in result.notes), result)

    def test_the_password_comes_from_the_option_a_file_or_the_environment(self):
        token = "<o:UsernameToken><o:Username>captured</o:Username><o:Password>captured</o:Password></o:UsernameToken>"
        body = self.file(secured(token=token))
        lines = self.file(b"\xef\xbb\xbfs3:cret <&>\r\nnot this\n", ".txt")
        for given, env in (("alice:s3:cret <&>", {}), ("alice:@" + lines, {}), ("alice", {"LATHER_WSSE_PASSWORD": "s3:cret <&>"})):
            with self.subTest(given), Server(answering(ok())) as server:
                result = self.fire(server, 2, 1, "--wsse-user", given, body=body, env=env)
                self.assert_all_ok(result, server, 2)
                for request in server.log:
                    sent = re.search(rb"<o:Username>(.*?)</o:Username><o:Password>(.*?)</o:Password>", request.body).groups()
                    self.assertEqual([html.unescape(text.decode()) for text in sent], ["alice", "s3:cret <&>"])
                self.assertNotIn("s3:cret", result.out + result.err + str(result.json))
        for given, words in (("alice", "no password"), ("alice:@/nowhere/secret", "/nowhere/secret"),
                             ("alice:@" + self.file(b"\n", ".txt"), "is empty"),
                             ("alice:@" + self.file("s3cret\r\n".encode("utf-16"), ".txt"), "UTF-16")):
            result = self.fire("http://127.0.0.1:1/", 1, 1, "--wsse-user", given, body=body, with_json=False)
            self.assertEqual((result.exit, words in result.err, "--wsse-user" in result.err), (2, True, True), result)

    def test_a_token_and_a_Timestamp_are_added_where_the_envelope_has_none(self):
        for kind in ("text", "digest"):
            with self.subTest(kind), Server(answering(related)) as server:
                result = self.fire(server, 3, 1, "--wsse-user", "alice:s3cret", "--wsse", kind, body=ORDER_12)
                self.assert_all_ok(result, server, 3)
                for request in server.log:
                    xml.etree.ElementTree.fromstring(request.body)
                    token = request.body[request.body.index(b"UsernameToken"):]
                    self.assertEqual(inside("Username", token), "alice")
                    self.assertIn(f"#Password{kind.capitalize()}", token.decode())
                    moments = [datetime.datetime.fromisoformat(inside(tag, request.body).replace("Z", "+00:00")) for tag in ("Created", "Expires")]
                    self.assertEqual(moments[1] - moments[0], datetime.timedelta(minutes=5))
                    if kind == "text":
                        self.assertEqual(inside("Password", token), "s3cret")

    def test_To_is_rewritten_to_the_URL_kept_or_what_is_asked_for(self):
        with open(ORDER_12, "rb") as file:
            captured = inside("To", file.read())
        for options, wanted in (((), None), (("--wsa-to", "auto"), None), (("--wsa-to", "keep"), captured),
                                (("--wsa-to", "urn:a?b=1&c"), "urn:a?b=1&amp;c")):
            with self.subTest(options), Server(answering(related)) as server:
                result = self.fire(server, 2, 1, *options, body=ORDER_12)
                self.assert_all_ok(result, server, 2)
                self.assertEqual({inside("To", request.body) for request in server.log}, {wanted or server.url()})
                if wanted is None:
                    self.assertTrue(any("To rewritten" in note for note in result.notes), result)

    def test_B109_moments_are_in_UTC_in_every_time_zone_and_the_clock_offset_is_added(self):
        for options, seconds in (((), 0), (("--clock-offset", "-2h"), 7200)):
            for zone in ("UTC", "Asia/Tokyo", "XYZ+5:30"):
                with Server(answering(ok())) as server:
                    self.fire(server, 1, 1, *options, body=self.file(secured()), env={"TZ": zone})
                created = datetime.datetime.fromisoformat(inside("Created", server.log[0].body).replace("Z", "+00:00"))
                now = datetime.datetime.now(datetime.timezone.utc)
                self.assertAlmostEqual((now - created).total_seconds(), seconds, delta=30)

    def test_B107_B108_a_username_token_has_a_new_nonce_and_the_right_digest(self):
        token = (f'<o:UsernameToken><o:Username>alice</o:Username><o:Password Type="{DIGEST}">stale</o:Password>'
                 f'<o:Nonce>c3RhbGVzdGFsZXN0YWxlIQ==</o:Nonce><u:Created>2016-01-27T16:40:36Z</u:Created></o:UsernameToken>')
        with Server(answering(ok())) as server:
            result = self.fire(server, 20, 4, "--wsse-user", "alice:s3cret", body=self.file(secured(token=token)))
        self.assert_all_ok(result, server, 20)
        nonces = set()
        for request in server.log:
            part = request.body[request.body.index(b"UsernameToken"):]
            nonce, created, digest = (inside(tag, part) for tag in ("Nonce", "Created", "Password"))
            wanted = hashlib.sha1(base64.b64decode(nonce) + created.encode() + b"s3cret").digest()
            self.assertEqual(digest, base64.b64encode(wanted).decode())
            nonces.add(nonce)
        self.assertEqual(len(nonces), 20)
        self.assertNotIn("s3cret", result.out)
        self.assertNotIn("s3cret", str(result.json))

    def test_B107_a_server_that_remembers_nonces_takes_fresh_ones_and_the_others_get_a_hint(self):
        token = (f'<o:UsernameToken><o:Username>alice</o:Username><o:Password Type="{DIGEST}">x</o:Password>'
                 f'<o:Nonce>c3RhbGVzdGFsZXN0YWxlIQ==</o:Nonce><u:Created>2016-01-27T16:40:36Z</u:Created></o:UsernameToken>')
        replayed = ok(fault_11("A replay attack has been detected", "o:FailedCheck").replace(
            b"<s:Fault>", f'<s:Fault xmlns:o="{WSSE}">'.encode()), "500 Internal Server Error")

        def remembering(request):
            nonce = inside("Nonce", request.body)
            is_old = nonce in seen
            seen.add(nonce)
            return replayed if is_old else ok()

        for options, outcomes in ((("--wsse-user", "alice:s3cret"), {"ok": 30}), (("--verbatim",), {"ok": 1, "fault": 29})):
            seen = set()
            with Server(answering(remembering)) as server:
                result = self.fire(server, 30, 5, *options, body=self.file(secured(token=token)))
            self.assert_books(result, server)
            self.assert_outcomes(result, **outcomes)
            self.assertEqual(any("each request needs a new nonce" in note for note in result.notes), "fault" in outcomes, result)

    def test_B109_a_server_whose_clock_differs_is_told(self):
        for seconds, is_told in ((-180, True), (180, True), (0, False)):
            def dated(request, seconds=seconds):
                now = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
                return ok(fields=["Date: " + email.utils.format_datetime(now, usegmt=True)])
            with Server(answering(dated)) as server:
                result = self.fire(server, 3, 1, body=self.file(secured()))
            self.assertEqual(any("The server's clock" in note and "--clock-offset" in note for note in result.notes), is_told, result)

    def test_B070_a_message_of_a_secure_conversation_is_refused_unless_verbatim(self):
        body = secured().replace(b"<u:Timestamp", b'<c:SecurityContextToken xmlns:c='
                                 b'"http://schemas.xmlsoap.org/ws/2005/02/sc"/><u:Timestamp')
        with Server(answering(ok())) as server:
            result = self.fire(server, 2, 1, body=self.file(body), with_json=False)
            self.assertEqual(result.exit, 2, result)
            self.assertIn("--verbatim", result.err)
            self.assertEqual(server.requests, 0)
            result = self.fire(server, 2, 1, "--verbatim", body=self.file(body))
        self.assert_all_ok(result, server, 2)


BOUNDARY = "uuid:7d1c+id=1"


def multipart(root, picture=b"\x89PNG\r\n\x1a\n\0${counter}\0", coding="8bit"):
    """A body as an MTOM client sends it: the envelope, and a part whose bytes look like a template."""
    line = b"--" + BOUNDARY.encode()
    return (line + b'\r\nContent-ID: <http://tempuri.org/0>\r\nContent-Transfer-Encoding: ' + coding.encode() + b'\r\n'
            b'Content-Type: application/xop+xml;charset=utf-8;type="application/soap+xml"\r\n\r\n' + root + b"\r\n" + line
            + b"\r\nContent-ID: <http://tempuri.org/1>\r\nContent-Type: image/png\r\n\r\n" + picture + b"\r\n" + line + b"--\r\n")


class Multipart(Case):
    def root(self):
        with open(ORDER_12, "rb") as file:
            return file.read().replace(b"</s:Body>", b"<n>${counter}</n></s:Body>")

    def parts(self, request):
        parts = request.body.split(b"\r\n--" + BOUNDARY.encode())
        return [part.partition(b"\r\n\r\n")[2] for part in parts[:2]]

    def test_the_root_part_is_refreshed_and_templated_and_the_others_are_not(self):
        with Server(answering(related)) as server:
            result = self.fire(server, 6, 2, body=self.file(multipart(self.root()), ".bin"))
        self.assert_all_ok(result, server, 6)
        ids, numbers = set(), set()
        for request in server.log:
            kind = request.value("Content-Type")
            self.assertTrue(kind.startswith("multipart/related; "), kind)
            self.assertIn(f'boundary="{BOUNDARY}"', kind)
            self.assertIn('type="application/xop+xml"', kind)
            self.assertIn('start="<http://tempuri.org/0>"', kind)
            self.assertEqual(int(request.value("Content-Length")), len(request.body))
            root, picture = self.parts(request)
            self.assertEqual(picture, b"\x89PNG\r\n\x1a\n\0${counter}\0")
            xml.etree.ElementTree.fromstring(root)
            ids.add(inside("MessageID", root))
            numbers.add(inside("n", root))
        self.assertEqual((len(ids), numbers), (6, {str(number) for number in range(1, 7)}))
        self.assertEqual(result.json["counts"]["relates_absent"], 0)
        self.assertTrue(any("refreshing: MessageID" in note for note in result.notes), result)

    def test_a_username_token_goes_into_the_root_part(self):
        with Server(answering(related)) as server:
            result = self.fire(server, 3, 1, "--wsse-user", "alice:s3cret", "--wsse", "digest",
                               body=self.file(multipart(self.root()), ".bin"))
        self.assert_all_ok(result, server, 3)
        for request in server.log:
            root = self.parts(request)[0]
            nonce, created, digest = (inside(tag, root[root.index(b"UsernameToken"):]) for tag in ("Nonce", "Created", "Password"))
            wanted = hashlib.sha1(base64.b64decode(nonce) + created.encode() + b"s3cret").digest()
            self.assertEqual(digest, base64.b64encode(wanted).decode())
            self.assertEqual(int(request.value("Content-Length")), len(request.body))

    def test_a_root_part_in_base64_is_sent_as_it_is_and_said_to_be(self):
        body = multipart(base64.encodebytes(self.root()), coding="base64")
        with Server(answering(ok(envelope(version=SOAP_12), content_type=TYPE_12))) as server:
            result = self.fire(server, 2, 1, body=self.file(body, ".bin"))
        self.assert_all_ok(result, server, 2)
        self.assertEqual({request.body for request in server.log}, {body})
        self.assertTrue(any("base64" in note for note in result.notes), result)

    def test_verbatim_sends_a_multipart_body_as_it_is(self):
        body = multipart(self.root())
        with Server(answering(related)) as server:
            self.fire(server, 2, 1, "--verbatim", body=self.file(body, ".bin"))
        self.assertEqual({request.body for request in server.log}, {body})


class Templates(Case):
    @mark("threads")
    def test_each_number_of_the_counter_comes_exactly_once(self):
        for threads in (1, 3):
            with Server(answering(ok())) as server:
                result = self.fire(server, 500, 50, "--threads", threads, body=self.file(b"Test ${counter}", ".txt"))
            self.assert_books(result, server)
            numbers = sorted(int(request.body.split()[1]) for request in server.log)
            self.assertEqual(numbers, list(range(1, 501)), result)
            for request in server.log:
                self.assertEqual(int(request.value("Content-Length")), len(request.body))

    @mark("threads")
    def test_each_uuid_of_50_connections_is_another_one(self):
        with Server(answering(ok())) as server:
            result = self.fire(server, 1000, 50, "--threads", 3, "-H", "X-Id: ${uuid}", body=self.file(b"${uuid} ${uuid}", ".txt"))
        self.assert_all_ok(result, server, 1000)
        ids = [each for request in server.log for each in (*request.body.decode().split(), request.value("X-Id"))]
        self.assertEqual(len(set(ids)), 3000)
        for each in ids:
            self.assertEqual((uuid.UUID(each).version, str(uuid.UUID(each))), (4, each))

    def test_templates_in_url_and_fields_are_filled(self):
        with Server(answering(ok())) as server:
            result = self.fire(server.url(path="/a/${counter:7}?q=${var.q}"), 2, 1, "-H", "X-Id: ${uuid}-${worker}",
                               "--var", "q=a b&c")
        self.assertEqual(result.exit, 0, result)
        self.assertEqual([request.line for request in server.log],
                         ["POST /a/7?q=a%20b%26c HTTP/1.1", "POST /a/8?q=a%20b%26c HTTP/1.1"])
        self.assertEqual(len({request.value("X-Id") for request in server.log}), 2)

    def test_what_is_put_into_xml_is_escaped(self):
        body = b"<a>${var.x}</a>"
        with Server(answering(ok())) as server:
            self.fire(server, 1, 1, "--var", "x=1<2 & \"3\"", body=self.file(body))
        self.assertEqual(xml.etree.ElementTree.fromstring(server.log[0].body).text, '1<2 & "3"')

    def test_a_literal_needs_two_dollars_or_no_template(self):
        for body, options, sent in ((b"$${counter}", (), b"${counter}"),
                                    (b"${counter}", ("--no-template",), b"${counter}")):
            with Server(answering(ok())) as server:
                self.fire(server, 1, 1, *options, body=self.file(body, ".txt"))
            self.assertEqual(server.log[0].body, sent)

    def test_B103_an_unknown_name_is_refused_with_the_nearest(self):
        result = self.fire("http://127.0.0.1:1/", 1, 1, body=self.file(b"a\nb ${conter}", ".txt"), with_json=False)
        self.assertEqual(result.exit, 2, result)
        self.assertIn("counter", result.err)
        self.assertIn(":2:", result.err)
        self.assertIn("--no-template", result.err)


class Feeds(Case):
    ROWS = b"\xef\xbb\xbfid,name\r\n1,anna\r\n2,\"b, \"\"c\"\"\"\r\n3,dora\r\n"

    def sent(self, n, c, *options, rows=ROWS):
        with Server(answering(ok())) as server:
            result = self.fire(server, n, c, "--data", self.file(rows, ".csv"), *options,
                               body=self.file(b"${data.id}:${data.name}", ".txt"))
        self.assert_books(result, server)
        return result, [request.body for request in server.log]

    def test_B090_rows_go_round_and_the_byte_order_mark_is_no_name(self):
        _, bodies = self.sent(7, 1)
        self.assertEqual(bodies, [b"1:anna", b'2:b, "c"', b"3:dora"] * 2 + [b"1:anna"])

    @mark("threads")
    def test_once_uses_each_row_once_and_ends_the_run(self):
        rows = b"id,name\n" + b"".join(b"%d,x\n" % number for number in range(100))
        result, bodies = self.sent(1000, 10, "--data-order", "once", "--threads", 3, rows=rows)
        self.assertEqual(sorted(bodies), sorted(b"%d:x" % number for number in range(100)))
        self.assertEqual(result.not_started, 900)
        self.assertEqual(result.json["run"]["end"], "rows")
        self.assertRegex(result.out, r"(?m)^Run ended: +the rows of --data ran out, 900 not started$")
        result, _ = self.sent(100, 10, "--data-order", "once", rows=rows)
        self.assertEqual((result.not_started, result.json["run"]["end"]), (0, "done"))

    def test_time_ends_a_run_whose_rows_ran_out_for_some_of_the_threads(self):
        """Whichever of the two it is: a thread has one row, and one of the rows is never answered."""
        body = self.file(b"<a>${data.name}</a>")
        for stuck in ("first", "second"):
            rows = self.file("name\n".encode() + "".join(
                ("stuck" if name == stuck else "good") + "\n" for name in ("first", "second")).encode(), ".csv")

            async def script(peer):
                while request := await peer.request():
                    if b"stuck" in request.body:
                        return await peer.hang()
                    await peer.answer(request, ok())

            with Server(script) as server:
                result = self.fire(server, 0, 2, "-t", "700ms", "--threads", 2, "--data", rows, "--data-order", "once",
                                   "--validate", "off", body=body)
            self.assert_books(result, server)
            self.assert_outcomes(result, ok=1, cut=1)
            self.assertEqual(result.json["run"]["end"], "time limit", result)
            self.assertTrue(any("ran out for 1 of 2 threads" in note for note in result.notes), result)

    def test_shuffled_rows_come_once_a_round_and_again_with_the_seed(self):
        rows = b"id,name\n" + b"".join(b"%d,x\n" % number for number in range(20))
        first = self.sent(20, 1, "--data-order", "shuffle", "--seed", 5, rows=rows)[1]
        again = self.sent(20, 1, "--data-order", "shuffle", "--seed", 5, rows=rows)[1]
        self.assertEqual(first, again)
        self.assertEqual(sorted(first), sorted(b"%d:x" % number for number in range(20)))
        self.assertNotEqual(first, [b"%d:x" % number for number in range(20)])

    def test_a_feed_that_is_wrong_is_refused_with_its_line(self):
        for rows, word in ((b"id,name\n1\n", ":2"), (b"id\n1\n", "name"), (b"", "")):
            result = self.fire("http://127.0.0.1:1/", 1, 1, "--data", self.file(rows, ".csv"),
                               body=self.file(b"${data.id}:${data.name}", ".txt"), with_json=False)
            self.assertEqual(result.exit, 2, result)
            self.assertIn(word, result.err)
