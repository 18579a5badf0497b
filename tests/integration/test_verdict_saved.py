# SPDX-License-Identifier: Apache-2.0
"""The verdict on disk: --save-failures, and `lather judge` on what it wrote and on other saved answers.

Rows of the conformance list: B152.
"""

import base64
import os
import re
import shutil
import tempfile

import lather
from answers import SOAP_11, SOAP_12, envelope, fault_11, fault_12, ok
from case import mark
from lather import ORDER_12
from scripted_server import Server, answering
from verdict import PLACED, VerdictCase, in_turn, ok_12, with_header

ERROR = "500 Internal Server Error"


class Saved(VerdictCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="lather-failures-")
        self.addCleanup(shutil.rmtree, self.folder, True)

    def files(self, ending):
        return sorted(os.path.join(self.folder, name) for name in os.listdir(self.folder) if name.endswith(ending))

    def read(self, path):
        with open(path, "rb") as file:
            return file.read()

    def test_B152_the_first_of_each_kind_are_kept_whole(self):
        answer = in_turn(ok(), ok(fault_11("Order 17 is unknown"), ERROR), ok(b"<html/>", content_type="text/html"))
        result = self.judged(answer, "--save-failures", f"{self.folder},2", n=30, c=3, ok=10, fault=10, not_soap=10)
        self.assertEqual(len(self.files(".request")), 4, result)
        self.assertEqual([len(self.files(ending)) for ending in (".answer", ".why")], [4, 4])
        kinds = [name.rpartition("-")[2] for name in self.files(".answer")]
        self.assertEqual(sorted(kinds), ["fault.answer"] * 2 + ["not_soap.answer"] * 2)
        fault = next(name for name in self.files("-fault.answer"))
        self.assertTrue(self.read(fault).startswith(b"HTTP/1.1 500 Internal Server Error\r\n"))
        self.assertTrue(self.read(fault).endswith(fault_11("Order 17 is unknown")))
        request = self.read(fault.replace(".answer", ".request"))
        self.assertTrue(request.startswith(b"POST /OrderService.svc HTTP/1.1\r\n"))
        self.assertTrue(request.endswith(self.read(lather.ORDER_11)))
        why = self.read(fault.replace(".answer", ".why")).decode()
        for words in ("fault", "500", "Order", "total"):
            self.assertIn(words, why)

    @mark("threads")
    def test_never_more_than_asked_for_with_three_threads(self):
        answer = in_turn(*[ok(fault_11(f"kind {letter}"), ERROR) for letter in "abcd"], ok(b"", "503 Busy"))
        result = self.judged(answer, "--save-failures", f"{self.folder},3", "--threads", 3, n=500, c=24,
                             fault=400, status=100)
        self.assertEqual(len(self.files("-fault.request")), 12, result)
        self.assertEqual(len(self.files("-status.request")), 3)
        texts = [re.search(rb"kind (.)", self.read(name)).group(1) for name in self.files("-fault.answer")]
        self.assertEqual(sorted(texts), sorted([b"a", b"b", b"c", b"d"] * 3))

    def test_ten_are_kept_if_no_number_is_given(self):
        self.judged(ok(fault_11(), ERROR), "--save-failures", self.folder, n=30, fault=30)
        self.assertEqual(len(self.files(".request")), 10)

    def test_an_earlier_run_leaves_nothing_behind_and_other_files_stay(self):
        self.judged(ok(fault_11(), ERROR), "--save-failures", self.folder, n=30, fault=30)
        with open(os.path.join(self.folder, "notes.txt"), "w", encoding="ascii") as file:
            file.write("mine")
        self.judged(in_turn(ok(), ok(b"", "503 Busy")), "--save-failures", f"{self.folder},1", n=4, ok=2, status=2)
        self.assertEqual(sorted(os.listdir(self.folder)),
                         ["0001-status.answer", "0001-status.request", "0001-status.why", "notes.txt"])

    def test_secrets_are_masked_wherever_they_stand(self):
        """-A, --wsse-user, cookies: in what was sent, and where the service echoes them."""
        password = "s3cr&t<Pass>word"
        token = base64.b64encode(f"alice:{password}".encode())
        body = self.file(
            f'<s:Envelope xmlns:s="{SOAP_11}"><s:Header><o:Security xmlns:o="http://docs.oasis-open.org/wss/2004/01/'
            'oasis-200401-wss-wssecurity-secext-1.0.xsd"><o:UsernameToken><o:Username>u</o:Username><o:Password>p'
            "</o:Password></o:UsernameToken></o:Security></s:Header><s:Body><a/></s:Body></s:Envelope>".encode())
        seen = []

        def answer(request):
            seen.append((request.value("Authorization"), request.body, request.value("Cookie")))
            echo = request.body.partition(b"Password")[2].partition(b">")[2].partition(b"<")[0].decode()
            return ok(fault_11(f"no such user: {echo}"), ERROR, fields=[f"X-Echo: {request.value('Authorization')}"])

        result = self.judged(answer, "-A", f"alice:{password}", "--wsse-user", f"alice:{password}",
                             "-C", "session=0123456789abcdef", "--save-failures", f"{self.folder},5", n=10, body=body,
                             fault=10)
        self.assertIn(token.decode(), seen[0][0])
        self.assertIn(b"s3cr&amp;t&lt;Pass", seen[0][1], "it was sent")
        self.assertIn("0123456789abcdef", seen[0][2])
        for name in os.listdir(self.folder):
            content = self.read(os.path.join(self.folder, name))
            for secret in (password.encode(), b"s3cr&amp;t", b"s3cr&amp;amp;t", token, b"0123456789abcdef"):
                self.assertNotIn(secret, content, name)
        self.assertIn(b"***", self.read(self.files(".request")[0]))
        self.assertNotIn(password, result.out)

    def test_what_was_saved_is_judged_the_same(self):
        wrong = with_header("<a:RelatesTo>urn:uuid:another</a:RelatesTo>")
        answer = in_turn(ok_12(fault_12("Order 17 is unknown"), ERROR), ok_12(wrong), ok(b"oops", "502 Bad Gateway"),
                         ok_12(b"<a/>"), ok_12(b""), ok_12(envelope(PLACED, SOAP_12).replace(b"accepted", b"refused")),
                         ok(content_type="text/html"))
        options = ("--expect-text", "accepted")
        result = self.judged(answer, *options, "--save-failures", self.folder, n=7, c=1, body=ORDER_12,
                             fault=1, mismatch=2, status=1, not_soap=3)
        self.assertEqual(len(self.files(".answer")), 7, result)
        lines, judged = self.judge(self.files(".answer"), *options)
        for name, line in zip(self.files(".answer"), lines):
            outcome = re.search(r"-(\w+)\.answer$", name).group(1)
            self.assertTrue(line.startswith(outcome), (name, line))
        self.assertTrue(any(line.startswith("mismatch: RelatesTo") for line in lines), lines)
        self.assertEqual(judged.exit, 1)

    def test_what_has_no_answer_is_saved_without_one(self):
        async def script(peer):
            await peer.request()
            peer.reset()

        with Server(script) as server:
            self.fire(server, 3, 1, "--save-failures", f"{self.folder},1", k=False)
        self.assertEqual([name.rpartition(".")[2] for name in sorted(os.listdir(self.folder))], ["request", "why"])

    def test_a_place_that_is_none_is_an_error_that_names_the_option(self):
        name = self.file(b"a file")
        self.refused("--save-failures", name, words=["lather: --save-failures", name])
        for value in (",3", "x,0", "x,many", ""):
            self.refused("--save-failures", value, words=["--save-failures"])


class Judge(VerdictCase):
    def test_one_line_a_file_and_the_exit_status_is_the_worst(self):
        lines, result = self.judge([ok(), envelope(), ok_12(fault_12("No  such\n order"), ERROR), b"<a/>", ok(b"x", "502 No")])
        self.assertEqual(lines, ["ok", "ok", f"fault: {{{SOAP_12}}}Sender: No such order", "not_soap: root is {}a",
                                 "status: 502 No"])
        self.assertEqual(result.exit, 1)
        self.assertEqual(self.judge([envelope()])[1].exit, 0)

    def test_the_options_of_a_run_mean_the_same(self):
        good = envelope()
        bad = envelope(f'<PlaceOrderResponse xmlns="urn:example:orders"><state>refused</state></PlaceOrderResponse>')
        golden = self.file(good)
        for options in (("--expect-text", "accepted"), ("--reject-text", "refused"), ("--expect-xpath", "~state = 'accepted'"),
                        ("--golden", golden)):
            lines, result = self.judge([good, bad], *options)
            self.assertEqual(lines[0], "ok")
            self.assertTrue(lines[1].startswith("mismatch: "), result)
        self.assertEqual(self.judge([ok(status="404 Not Found")], "--expect-status", "4xx")[0], ["ok"])
        self.assertEqual(self.judge([fault_11()], "--expect-fault=Client")[0][0].partition(":")[0], "ok")
        self.assertEqual(self.judge([ok(b"", "202 Accepted")], "--one-way")[0], ["ok"])
        self.assertEqual(self.judge([b"anything"], "--validate", "off")[0], ["ok"])

    def test_a_request_is_given_for_relates_to(self):
        request = self.file(with_header("<a:MessageID>urn:uuid:1</a:MessageID>", "<a/>"))
        right, wrong = (with_header(f"<a:RelatesTo>urn:uuid:{number}</a:RelatesTo>") for number in (1, 2))
        lines, _ = self.judge([right, wrong, envelope()], "--request", request)
        self.assertEqual(lines[0], "ok")
        self.assertTrue(lines[1].startswith("mismatch: RelatesTo"))
        self.assertEqual(lines[2], "ok (no RelatesTo)")

    def test_a_folder_is_judged_answer_by_answer(self):
        """What --save-failures left in one, and bare answers beside; requests and reasons are none."""
        folder = tempfile.mkdtemp(prefix="lather-judged-")
        self.addCleanup(shutil.rmtree, folder)
        self.judged(in_turn(ok(fault_11("no 17"), ERROR), ok(b"", "503 Busy")), "--save-failures", folder, n=2, c=1,
                    fault=1, status=1)
        for name, content in (("a.xml", envelope()), (".hidden", b"no"), ("b.xml", b"<a/>")):
            with open(os.path.join(folder, name), "wb") as file:
                file.write(content)
        os.mkdir(os.path.join(folder, "sub"))
        for spelled in (folder, folder + "/"):
            result = lather.run("judge", spelled, with_json=False)
            lines = [line.removeprefix(folder).lstrip("/") for line in result.out.splitlines()]
            self.assertEqual(lines, [f"0001-fault.answer: fault: {{{SOAP_11}}}Client: no 17", "0002-status.answer: status: 503 Busy",
                                     "a.xml: ok", "b.xml: not_soap: root is {}a"], result)
            self.assertEqual(result.exit, 1)
        result = lather.run("judge", os.path.join(folder, "sub"), with_json=False)
        self.assertEqual((result.exit, result.out), (2, ""), result)
        self.assertIn("no answer is in this folder", result.err)

    def test_what_cannot_be_judged_is_an_error(self):
        for arguments, words in ((["absent.xml"], "absent.xml"), ([], "no file"),
                                 (["--request", "absent.xml", self.file(envelope())], "--request"),
                                 (["--xsd", "absent.xsd", self.file(envelope())], "--xsd"),
                                 (["--validate", "5%", self.file(envelope())], "--validate"),
                                 (["--validate", "off", "--one-way", self.file(envelope())], "--one-way"),
                                 (["--validate", "off", "--expect-text", "a", self.file(envelope())], "--expect-text"),
                                 ([self.file(b"POST / HTTP/1.1\r\n\r\n")], "request")):
            result = lather.run("judge", *arguments, with_json=False)
            self.assertEqual(result.exit, 2, result)
            self.assertIn(words, result.err)


class Contradictions(VerdictCase):
    def test_validation_off_with_what_asks_inside_is_refused_by_name(self):
        for options in (("--count-bodies",), ("--one-way",), ("--expect-fault",), ("--expect-text", "a"),
                        ("--reject-text", "a"), ("--expect-xpath", "//a"), ("--golden", self.file(envelope()))):
            self.refused("--validate", "off", *options, words=["--validate off", options[0]])

    def test_bodies_are_not_counted_where_nothing_is_looked_into(self):
        """A message that is no envelope asks for no verdict: said before the run, not by a missing line."""
        body = self.file(b"<order/>")
        self.refused("--count-bodies", body=body, words=["--count-bodies", "--validate soap"])
        self.judged(ok(), "--count-bodies", "--validate", "soap", n=2, body=body, ok=2)
        self.judged(ok(b"fine", content_type="text/plain"), "--one-way", n=2, body=body, ok=2)

    def test_two_results_in_one_file_are_refused_however_it_is_spelled(self):
        folder = tempfile.mkdtemp(prefix="lather-places-")
        self.addCleanup(shutil.rmtree, folder)
        place = os.path.join(folder, "a")
        linked = os.path.join(folder, "link")
        for one, other in ((place, place), (place, f"{folder}/./a"), (f"{folder}/../{os.path.basename(folder)}/a", place)):
            self.refused("--json", one, "--junit", other, words=["--json", "--junit", "same file"])
            self.assertEqual(os.listdir(folder), [], "nothing was left behind")
        os.symlink("a", linked)
        self.refused("--json", linked, "--junit", place, words=["--json", "--junit", "same file"])
        message = self.file(envelope("<a/>"))
        self.refused("--html", f"{os.path.dirname(message)}/./{os.path.basename(message)}", body=message,
                     words=["--html", "--post", "would write over"])
