# SPDX-License-Identifier: Apache-2.0
"""Bad input: one sentence on stderr that names the thing, exit 2, nothing sent.

Rows of the conformance list: B001, B022, B026.
"""

import json
import os
import subprocess
import tempfile

from answers import ok
from case import Case, mark
from lather import ORDER_11, SLOWNESS, binary, run
from scripted_server import ReservedPort, Server, answering

ORDER = '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><a/></s:Body></s:Envelope>'


class BadInput(Case):
    def refused(self, *args, names=(), with_json=False):
        """Nothing is sent; what is wrong is said once, and each of `names` is in it."""
        result = run(*args, with_json=with_json)
        self.assertEqual(result.exit, 2, result)
        lines = [line for line in result.err.splitlines() if line.strip()]
        self.assertGreaterEqual(len(lines), 1, result)
        self.assertLessEqual(len(lines), 2, f"more than a sentence (and where to find help)\n{result}")
        self.assertRegex(lines[0], r"^lather: ", result)
        for name in names:
            self.assertIn(name, result.err, result)
        self.assertEqual(result.out, "", result)
        self.assertLess(result.seconds, 10, result)
        return result

    def refused_against_a_server(self, *args, names=()):
        with Server(answering(ok())) as server:
            self.refused(*args, server.url(), names=names)
        self.assertEqual(server.connections, 0, "something was sent")

    # ---- the message file

    def test_B026_a_missing_file(self):
        self.refused_against_a_server("-p", "/nowhere/order.xml", names=["/nowhere/order.xml", "No such file"])

    def test_B026_an_unreadable_file(self):
        path = self.file(b"<a/>")
        os.chmod(path, 0)
        if os.access(path, os.R_OK):
            path = "/proc/self/mem"  # root may read everything but this
        self.refused_against_a_server("-p", path, names=[path])

    def test_a_content_length_that_does_not_fit(self):
        self.refused_against_a_server("-p", ORDER_11, "-H", "Content-Length: 5", names=["Content-Length: 5", "leave the field out"])

    def test_each_capture_that_gives_no_message_names_file_and_place(self):
        saz = self.file(b"these are nineteen\n", ".saz")
        get = self.file(b"GET http://orders.example/logo.png HTTP/1.1\r\nHost: orders.example\r\n\r\n", ".txt")
        corpus = os.path.normpath(os.path.join(os.path.dirname(__file__), "..", "fuzz", "corpus"))
        for path, *names in (
                (saz, "not a ZIP file"),
                (f"{corpus}/capture_saz/password", "password"),
                (f"{corpus}/capture_saz/connects", "raw/1_c.txt", "CONNECT"),
                (f"{corpus}/capture_saz/no-session", "no raw/N_c.txt is in it"),
                (f"{corpus}/capture_svclog/only-cut", "event 1", "cut off"),
                (f"{corpus}/capture_raw/headers-only", "session 1, line 1"),
                (f"{corpus}/capture_raw/connect-only", "session 1, line 1", "CONNECT"),
                (f"{corpus}/capture_har/order-cut", "no POST is in it"),
                (f"{corpus}/capture_soapui/encrypted", "password"),
                (f"{corpus}/capture_jmeter/form", "sampler", "form"),
                (get, "no POST is in it")):
            with self.subTest(path):
                self.refused_against_a_server("-p", path, names=[path, *names])

    def test_each_feed_that_cannot_be_used_names_file_and_line(self):
        body = self.file(b"<a>${data.name}</a>")
        for rows, *names in ((b"id,name\n1,a\n2\n", ":3", "1 value"), (b"id,name\n1,a,b\n", ":2", "3 values"), (b"id\n1\n", "no column name"),
                             (b"id,name\n1,\"a\n", ":2"), (b"name,name\n1,2\n", ":1", "name"), (b"id,name\n", "row"), (b"", "empty"),
                             ("id,name\n1,a\n".encode("utf-16"), "UTF-16"),
                             (b"id;name\n1;a\n", "no column name", "semicolons", "commas"), ("id,name\n1,Müller\n".encode("windows-1252"), ":2", "0xFC", "UTF-8"), (b"id,name\n1,a\x01b\n", ":2", "name")):
            with self.subTest(rows):
                path = self.file(rows, ".csv")
                self.refused_against_a_server("-p", body, "--data", path, names=[path, *names])

    def test_each_template_that_cannot_be_filled_names_file_and_place(self):
        for content, *names in (("<a>\n  é${".encode(), ":2:4", "not closed"), (b"<a>${conter}</a>", ":1:4", "${counter}"),
                                (b"${random:9-1}", ":1:1", "9 is more than 1"), (b"${now:%Q}", ":1:1", "%Q"), (b"${data.x}", ":1:1", "--data"),
                                (b"${var.x}", ":1:1", "--var"), ("<a>${nope}".encode("utf-16"), ":1:4", "(byte 9)")):
            with self.subTest(content):
                path = self.file(content)
                self.refused_against_a_server("-p", path, names=[path, *names])

    @mark("heavy")
    def test_an_archive_of_300_MB_costs_little_more_memory_than_itself(self):
        answer = json.dumps({"request": {"method": "GET", "url": "http://orders.example/big"},
                             "response": {"status": 200, "content": {"text": "x" * (1 << 20)}}})
        order = json.dumps({"request": {"method": "POST", "url": "http://orders.example/OrderService.svc", "headers": [],
                                        "postData": {"mimeType": "text/xml", "text": ORDER}}})
        with tempfile.NamedTemporaryFile(suffix=".har") as file:
            file.write(b'{"log": {"entries": [')
            for _ in range(300):
                file.write(answer.encode() + b",\n")
            file.write(order.encode() + b"]}}")
            file.flush()
            size = os.path.getsize(file.name)
            process = subprocess.Popen([binary(), "check", "--dry-run", "-p", file.name], stdout=subprocess.PIPE)
            out = process.stdout.read().decode()
            process.stdout.close()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0, out[-2000:])
        self.assertIn("301 messages, 1 of SOAP", out)
        if SLOWNESS == 1:  # sanitizers keep what was freed
            self.assertLess(usage.ru_maxrss * 1024, 2 * size)

    def test_an_empty_file(self):
        path = self.file(b"")
        self.refused_against_a_server("-p", path, names=[path, "empty"])

    def test_a_directory(self):
        with tempfile.TemporaryDirectory() as folder:
            self.refused_against_a_server("-p", folder, names=[folder, "no message is in this folder"])

    def test_B001_a_message_where_a_file_belongs(self):
        self.refused_against_a_server("-p", '<?xml version="1.0"?><a/>', names=["file"])

    def test_post_together_with_put(self):
        self.refused_against_a_server("-p", ORDER_11, "-u", ORDER_11, names=["-p", "-u"])

    # ---- the URL

    def test_no_url(self):
        self.refused("-n", "1", names=["URL"])

    def test_two_urls_of_two_services(self):
        self.refused("http://127.0.0.1:1/a", "http://127.0.0.1:2/b", names=["GET /a", "GET /b", "127.0.0.1:2", "lather merge"])

    def test_a_value_that_fell_apart(self):
        self.refused("-H", "SOAPAction:", "urn:x", "http://127.0.0.1:1/a", names=["urn:x", "quotes"])

    def test_a_url_without_a_host(self):
        for url in ("http:///path", "http://:8080/path"):
            self.refused(url, names=["host"])

    def test_a_url_with_credentials_names_the_option(self):
        result = self.refused("http://alice:secret@127.0.0.1/a", names=["-A"])
        self.assertNotIn("secret", result.err, "a password was printed")

    def test_B022_method_and_body_are_no_part_of_the_url(self):
        for url in ("http://127.0.0.1:1/a POST <a/>", "POST http://127.0.0.1:1/a", "http://127.0.0.1:1/a PUT"):
            self.refused(url, names=["blanks", "options outside the quotes"])
        self.refused("http://127.0.0.1:1/a", "POST", "<a/>", names=["POST"])

    def test_a_url_with_blanks(self):
        self.refused("http://127.0.0.1/a b", names=["a b"])

    def test_a_url_with_an_unknown_scheme(self):
        self.refused("ftp://127.0.0.1/a", names=["ftp"])

    def test_a_bad_port(self):
        for port in ("99999", "0", "x", "-1"):
            self.refused(f"http://127.0.0.1:{port}/", names=["port"])

    def test_an_unresolvable_host(self):
        self.refused("-n", "5", "http://no-such-host.invalid/a", names=["no-such-host.invalid"])

    def test_a_file_where_the_url_belongs(self):
        path, other = self.file(b"<a/>"), self.file(b"<b/>")
        self.refused("-n", "5", path, names=[path, "-p"])
        self.refused("-n", "5", "-p", path, other, names=[other, "-p"])
        self.refused_against_a_server("-p", path, other, path, names=[other, "-p"])  # what a shell makes of -p *.xml

    def test_a_pattern_that_no_shell_replaced(self):
        self.refused_against_a_server("-p", "/nowhere/*.xml", names=["/nowhere/*.xml", "folder"])

    def test_standard_input_twice(self):
        self.refused_against_a_server("-p", "-", "-p", "-@2", names=["-p -", "once"])

    # ---- figures

    def test_requests_out_of_range(self):
        for n in ("0", "-1", "x", "1.5", "", "99999999999999999999"):
            self.refused_against_a_server("-n", n, names=["-n"])

    def test_concurrency_out_of_range(self):
        for c in ("0", "-3", "200000", "ten"):
            self.refused_against_a_server("-n", "1000000", "-c", c, names=["-c"])

    def test_more_connections_than_requests(self):
        self.refused_against_a_server("-n", "10", "-c", "11", names=["-c", "-n"])

    def test_a_time_of_nothing(self):
        for t in ("0", "-1", "soon", "5x"):
            self.refused_against_a_server("-t", t, names=["-t"])

    def test_a_timeout_of_nothing(self):
        self.refused_against_a_server("-s", "0", names=["-s"])

    # ---- options

    def test_an_unknown_option_names_the_nearest(self):
        self.refused_against_a_server("--concurency", "5", names=["--concurency", "--concurrency"])
        self.refused_against_a_server("-J", names=["-J"])

    def test_an_option_without_its_value(self):
        self.refused("http://127.0.0.1:1/", "-n", names=["-n"])

    def test_a_header_with_a_line_break(self):
        self.refused_against_a_server("-H", "X-A: 1\r\nX-B: 2", names=["-H"])
        self.refused_against_a_server("-H", "no colon here", names=["-H"])

    def test_curly_quotes_are_named(self):
        self.refused_against_a_server("-p", ORDER_11, "-T", "“application/soap+xml; charset=UTF-8”", names=["quote"])

    def test_unwritable_outputs_are_found_before_the_run(self):
        for option in ("--json", "-g", "-e"):
            self.refused_against_a_server(option, "/nowhere/result", names=["/nowhere/result"])

    def test_verdict_options(self):
        self.refused_against_a_server("--validate", "most", names=["--validate"])
        self.refused_against_a_server("--expect-status", "9999", names=["--expect-status"])

    def test_a_bind_address_that_is_not_ours(self):
        with Server(answering(ok())) as server:
            result = run("-n", 2, "-B", "203.0.113.7", server.url(), with_json=False)
        self.assertIn("203.0.113.7", result.out + result.err, result)
        self.assertNotEqual(result.exit, 0, result)
        self.assertEqual(server.requests, 0)

    # ---- what is no bad input

    def test_a_port_nobody_listens_on_gets_a_report(self):
        with ReservedPort() as port:
            result = self.fire(port.url(), 3, 1)
        self.assert_report(result)
        self.assert_outcomes(result, connect=3)
        self.assertIn(f"nobody listens at 127.0.0.1:{port.port}.", " ".join(result.notes), result)

    def test_serve_refuses_bad_options(self):
        for args in (["--port", "99999"], ["--fault-rate", "2"], ["--delay", "x"], ["--size", "1T"], ["--rows", "1"]):
            self.refused("serve", *args, names=[args[0]])

    def test_serve_names_a_port_that_is_taken(self):
        with Server(answering(ok())) as server:
            self.refused("serve", "--port", server.port, names=[str(server.port)])
