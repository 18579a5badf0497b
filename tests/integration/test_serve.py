# SPDX-License-Identifier: Apache-2.0
"""The embedded service, spoken to byte by byte, with whatever a network may bring."""

import contextlib
import http.client
import os
import random
import re
import signal
import socket
import subprocess
import time
import xml.etree.ElementTree as tree

from answers import SOAP_11, SOAP_12, TYPE_11, TYPE_12, envelope
from case import Case, mark
from lather import NOTICE, ORDER_11, ORDER_12, SLOWNESS, Serve, server_binary

ADDRESSING = "http://www.w3.org/2005/08/addressing"
ORDERS = "urn:example:orders"


def content(path):
    with open(path, "rb") as file:
        return file.read()


def request(body, content_type=TYPE_11, fields=(), version="HTTP/1.1", method="POST"):
    lines = [f"{method} /OrderService.svc {version}", "Host: here", f"Content-Type: {content_type}",
             f"Content-Length: {len(body)}", *fields]
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + body


class Embedded(Case):
    # ---- helpers

    def call(self, serve, body, content_type=TYPE_11, method="POST", headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", serve.port, timeout=10 * SLOWNESS)
        self.addCleanup(connection.close)
        connection.request(method, "/OrderService.svc", body, {"Content-Type": content_type, **(headers or {})})
        answer = connection.getresponse()
        answer.content = answer.read()
        return answer

    def talk(self, serve, data, pieces=1, wait_s=0.0):
        """Sends bytes and reads until the service closes or is silent for a second or two."""
        with socket.create_connection(("127.0.0.1", serve.port), timeout=10 * SLOWNESS) as sock:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            size = -(-len(data) // pieces) or 1
            try:
                for start in range(0, len(data), size):
                    sock.sendall(data[start : start + size])
                    if wait_s:
                        time.sleep(wait_s)
            except ConnectionError:
                pass
            sock.settimeout(1.0 if SLOWNESS == 1 else 3.0)
            got = b""
            try:
                while part := sock.recv(65536):
                    got += part
            except (TimeoutError, ConnectionError):
                pass
            return got

    def until(self, sock, count):
        """Reads `count` answers with a Content-Length; [(head, body)]."""
        data, found = b"", []
        while len(found) < count:
            end = data.find(b"\r\n\r\n")
            if end >= 0:
                length = int(re.search(rb"(?i)content-length: (\d+)", data[:end]).group(1))
                if len(data) >= end + 4 + length:
                    found.append((data[:end], data[end + 4 : end + 4 + length]))
                    data = data[end + 4 + length :]
                    continue
            part = sock.recv(65536)
            self.assertTrue(part, f"closed after {len(found)} answers")
            data += part
        self.assertEqual(data, b"")
        return found

    def assert_alive(self, serve):
        self.assertEqual(self.call(serve, content(ORDER_11)).status, 200)

    # ---- good requests

    def test_an_order_of_soap_1_1(self):
        with Serve() as serve:
            answer = self.call(serve, content(ORDER_11))
        self.assertEqual(answer.status, 200)
        self.assertEqual(answer.getheader("Content-Type"), TYPE_11)
        root = tree.fromstring(answer.content)
        self.assertEqual(root.tag, f"{{{SOAP_11}}}Envelope")
        response = root.find(f"{{{SOAP_11}}}Body/{{{ORDERS}}}PlaceOrderResponse")
        self.assertEqual(response.findtext(f"{{{ORDERS}}}orderId"), "A-100417")
        self.assertIsNone(root.find(f"{{{SOAP_11}}}Header"))
        self.assertEqual(serve.counts["orders"], 1)

    def test_an_order_of_soap_1_2_with_addressing(self):
        with Serve() as serve:
            answer = self.call(serve, content(ORDER_12), TYPE_12)
        self.assertEqual(answer.status, 200)
        self.assertEqual(answer.getheader("Content-Type"), TYPE_12)
        root = tree.fromstring(answer.content)
        header = root.find(f"{{{SOAP_12}}}Header")
        self.assertEqual(header.findtext(f"{{{ADDRESSING}}}RelatesTo"),
                         "urn:uuid:6f1d2c58-0f6b-4c0e-9a37-3c5b0b6f9d21")
        self.assertEqual(header.findtext(f"{{{ADDRESSING}}}Action"), "urn:example:orders/PlaceOrderResponse")
        response = root.find(f"{{{SOAP_12}}}Body/{{{ORDERS}}}PlaceOrderResponse")
        self.assertEqual(response.findtext(f"{{{ORDERS}}}orderId"), "A-100417")

    def test_a_one_way_message_is_accepted(self):
        with Serve() as serve:
            answer = self.call(serve, content(NOTICE), TYPE_12)
        self.assertEqual((answer.status, answer.content), (202, b""))
        self.assertEqual(serve.counts["one-way"], 1)

    def test_the_help_page(self):
        with Serve() as serve:
            page = self.call(serve, None, method="GET")
            head = self.call(serve, None, method="HEAD")
        self.assertEqual(page.status, 200)
        self.assertIn(b"OrderService", page.content)
        self.assertEqual(head.content, b"")
        self.assertEqual(head.getheader("Content-Length"), str(len(page.content)))
        self.assertEqual(serve.counts["pages"], 2)

    def test_ids_are_repeated_as_they_were_written(self):
        for written in ("a&amp;b", "&#228;&#xe4;", "<![CDATA[1<2]]>", "x<!-- y -->z", "é", ""):
            body = content(ORDER_12).replace(b"A-100417", written.encode()).replace(
                b"urn:uuid:6f1d2c58-0f6b-4c0e-9a37-3c5b0b6f9d21", ("id:" + written).encode())
            with Serve() as serve:
                answer = self.call(serve, body, TYPE_12)
            wanted = "".join(tree.fromstring(f"<a>{written}</a>").itertext())
            root = tree.fromstring(answer.content)
            self.assertEqual(root.findtext(f".//{{{ORDERS}}}orderId") or "", wanted)
            self.assertEqual(root.findtext(f".//{{{ADDRESSING}}}RelatesTo"), "id:" + wanted)

    # ---- HTTP

    def test_http_1_0_and_keep_alive(self):
        order = content(ORDER_11)
        with Serve() as serve:
            plain = self.talk(serve, request(order, version="HTTP/1.0"))
            kept = self.talk(serve, request(order, version="HTTP/1.0", fields=["Connection: keep-alive"]) * 2)
            closed = self.talk(serve, request(order, fields=["Connection: close"]) * 2)
            persistent = self.talk(serve, request(order) * 2)
        self.assertEqual([plain.count(b"200 OK"), kept.count(b"200 OK"), closed.count(b"200 OK"),
                          persistent.count(b"200 OK")], [1, 2, 1, 2])
        self.assertIn(b"Connection: close", plain)
        self.assertIn(b"Connection: keep-alive", kept)

    def test_requests_in_any_pieces(self):
        data = request(content(ORDER_11), fields=["Connection: close"])
        with Serve() as serve:
            for pieces in (2, 3, 7, 50):
                self.assertIn(b"200 OK", self.talk(serve, data, pieces, 0.002), pieces)
            self.assertIn(b"200 OK", self.talk(serve, data, len(data)))
        self.assertEqual(serve.counts["orders"], 5)
        self.assertEqual(serve.counts["bytes in"], 5 * len(data))

    def test_chunked_requests(self):
        order = content(ORDER_11)
        chunks = b"".join(b"%x;a=b\r\n%s\r\n" % (len(order[at : at + 50]), order[at : at + 50])
                          for at in range(0, len(order), 50))
        head = (f"POST / HTTP/1.1\r\nHost: a\r\nContent-Type: {TYPE_11}\r\nTransfer-Encoding: chunked\r\n"
                "Connection: close\r\n\r\n").encode()
        data = head + chunks + b"0\r\nTrailer: x\r\n\r\n"
        with Serve() as serve:
            for pieces in (1, 5, len(data)):
                self.assertIn(b"A-100417", self.talk(serve, data, pieces))

    def test_an_expectation_is_met(self):
        order = content(ORDER_11)
        data = request(order, fields=["Expect: 100-continue"])
        end = data.index(b"\r\n\r\n") + 4
        with Serve() as serve, socket.create_connection(("127.0.0.1", serve.port), timeout=5 * SLOWNESS) as sock:
            for _ in range(3):
                sock.sendall(data[:end])
                self.assertEqual(sock.recv(1000), b"HTTP/1.1 100 Continue\r\n\r\n")
                sock.sendall(data[end:])
                self.until(sock, 1)
        with Serve() as serve:
            self.assertIn(b"417 ", self.talk(serve, request(order, fields=["Expect: magic"])))

    def test_pipelined_requests_are_answered_in_order(self):
        orders = [content(ORDER_11).replace(b"A-100417", b"N-%d" % number) for number in range(100)]
        for options in ((), ("--delay", "2ms"), ("--size", "100k")):
            with Serve(*options) as serve, socket.create_connection(("127.0.0.1", serve.port), timeout=10 * SLOWNESS) as sock:
                sock.sendall(b"".join(request(order) for order in orders))
                answers = self.until(sock, 100)
            numbers = [re.search(rb"N-(\d+)", body).group(1) for _, body in answers]
            self.assertEqual(numbers, [b"%d" % number for number in range(100)], options)

    def test_a_client_that_sends_all_and_closes_its_side_is_answered(self):
        with Serve("--delay", "100ms") as serve, socket.create_connection(("127.0.0.1", serve.port)) as sock:
            sock.sendall(request(content(ORDER_11)))
            sock.shutdown(socket.SHUT_WR)
            sock.settimeout(5 * SLOWNESS)
            self.until(sock, 1)
            self.assertEqual(sock.recv(10), b"")

    # ---- options

    def test_a_size_is_reached_exactly(self):
        for size in (2000, 70000, 5 << 20):
            with Serve("--size", size) as serve:
                answer = self.call(serve, content(ORDER_12), TYPE_12)
            self.assertEqual(len(answer.content), size)
            tree.fromstring(answer.content)
            self.assertEqual(serve.counts["unanswered"], 0)

    def test_faults_are_spread_evenly(self):
        for rate, n, wanted in (("0.1", 100, 10), ("0.29", 100, 29), ("1", 10, 10), ("0.001", 1000, 1), ("0.5", 8, 4)):
            with Serve("--fault-rate", rate) as serve, \
                    socket.create_connection(("127.0.0.1", serve.port), timeout=10 * SLOWNESS) as sock:
                statuses = []
                for _ in range(n):
                    sock.sendall(request(content(ORDER_12), TYPE_12))
                    (head, body), = self.until(sock, 1)
                    statuses.append(int(head.split()[1]))
                    tree.fromstring(body)
            self.assertEqual(statuses.count(500), wanted, rate)
            self.assertEqual(serve.counts["faults"], wanted, rate)
            self.assertEqual(serve.counts["orders"], n - wanted, rate)

    def test_close_after_announces_the_last_answer(self):
        data = request(content(ORDER_11))
        with Serve("--close-after", "3") as serve:
            answer = self.talk(serve, data * 5)
        self.assertEqual(answer.count(b"200 OK"), 3)
        self.assertEqual(answer.count(b"Connection: close"), 1)

    def test_any_path_and_action_will_do(self):
        """The message decides, as --help says."""
        with Serve() as serve:
            for path, action in (("/", ""), ("/Other.svc?x=1", '"urn:other"')):
                connection = http.client.HTTPConnection("127.0.0.1", serve.port, timeout=10 * SLOWNESS)
                connection.request("POST", path, content(ORDER_11), {"Content-Type": TYPE_11, "SOAPAction": action})
                self.assertEqual(connection.getresponse().status, 200)
                connection.close()

    def test_a_delay_is_told_with_its_unit(self):
        """A bare number is seconds, as it is everywhere."""
        for delay, told in (("200", "answers wait 200.000 s\n"), ("20ms", "answers wait 20.0 ms\n"),
                            ("exp:1.5", "answers wait 1.500 s in the mean\n"), ("0", "")):
            with subprocess.Popen([server_binary(), "serve", "--port", "0", "--delay", delay], text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE) as serve:
                self.assertIn("serving", serve.stdout.readline())
                serve.send_signal(signal.SIGINT)
                _, err = serve.communicate(timeout=30 * SLOWNESS)
            self.assertEqual(err, told and f"lather: note: {told}")

    @mark("serial")
    def test_a_delay_is_kept(self):
        for delay_ms in (1.5, 10, 33.3):
            with Serve("--delay", f"{delay_ms}ms") as serve, \
                    socket.create_connection(("127.0.0.1", serve.port), timeout=10 * SLOWNESS) as sock:
                times = []
                for _ in range(20):
                    begun = time.perf_counter()
                    sock.sendall(request(content(ORDER_11)))
                    sock.recv(65536)
                    times.append((time.perf_counter() - begun) * 1000)
            self.assertGreaterEqual(min(times), delay_ms, "answered too early")
            # of the quickest: a busy machine makes any of them later
            self.assertLess(min(times), delay_ms + 0.5 * SLOWNESS, "answered too late")

    @mark("serial")
    def test_delays_of_a_file_come_in_its_order(self):
        """Never early, each in its turn, from the first again; that they are not late is the test above."""
        path = self.file(b"60ms\n0\n30ms\n", ".txt")
        with Serve("--delay", f"file:{path}") as serve, \
                socket.create_connection(("127.0.0.1", serve.port), timeout=10 * SLOWNESS) as sock:
            for wanted_ms in (60, 0, 30, 60, 0, 30):
                begun = time.perf_counter()
                sock.sendall(request(content(ORDER_11)))
                self.until(sock, 1)
                self.assertGreaterEqual((time.perf_counter() - begun) * 1000, wanted_ms)

    def test_a_delay_that_is_none_is_refused(self):
        path = self.file(b"60ms\nsoon\n", ".txt")
        self.assert_not_served("--delay", f"file:{path}", words=f'--delay: {path}:2: "soon" is not a duration')
        self.assert_not_served("--delay", "exp:", words="is not a duration")

    def test_a_port_in_use_is_told_with_the_way_out(self):
        with Serve() as serve:
            for threads in (1, 2):
                self.assert_not_served("--port", serve.port, "--threads", threads,
                                       words=f"127.0.0.1:{serve.port}: address already in use: another program listens there")
                self.assert_not_served("--port", serve.port, "--threads", threads, words="--port 0 for a free one")

    def assert_not_served(self, *options, words):
        done = subprocess.run([server_binary(), "serve", *map(str, options)], capture_output=True, text=True, timeout=30 * SLOWNESS,
                              check=False)
        self.assertEqual(done.returncode, 2, done)
        self.assertIn(words, done.stderr)

    @mark("threads")
    def test_threads_serve_and_their_counts_add_up(self):
        """Connections go to the threads in turn; what they did is one count, and delays and Faults are each thread's own."""
        with Serve("--threads", 3, "--fault-rate", "10%", "--delay", "exp:1ms") as serve:
            kept = self.fire(serve.url, 900, 9, body=ORDER_12)
            closed = self.fire(serve.url, 90, 9, body=ORDER_12, k=False)
            counts = serve.stop()
        self.assertEqual(serve.exit, 0)
        self.assertEqual(counts["requests"], 990)
        self.assertEqual(counts["orders"] + counts["faults"], 990)
        self.assertEqual(counts["faults"], kept.outcomes["fault"] + closed.outcomes["fault"])
        # each of three threads may hold back, or be ahead by, less than one
        self.assertTrue(97 <= counts["faults"] <= 101, counts)
        self.assertEqual(counts["connections"], kept.connections_opened + closed.connections_opened)

    def test_threads_end_what_still_waits(self):
        with Serve("--threads", 2, "--delay", "60s") as serve:
            with contextlib.ExitStack() as stack:
                for _ in range(4):
                    sock = stack.enter_context(socket.create_connection(("127.0.0.1", serve.port), timeout=10 * SLOWNESS))
                    head, body = request(content(ORDER_11), fields=("Expect: 100-continue",)).split(b"\r\n\r\n", 1)
                    sock.sendall(head + b"\r\n\r\n")
                    self.assertIn(b"100 Continue", sock.recv(65536))  # so a thread has it
                    sock.sendall(body)
                counts = serve.stop()
        self.assertEqual(serve.exit, 0)
        self.assertEqual(counts["connections"], 4)
        self.assertEqual(counts["requests"], counts["unanswered"])

    def test_clients_beyond_the_descriptors_are_turned_away_and_counted(self):
        """By several threads; none waits for ever, and those that were served are served still."""
        with Serve("--threads", 2, prefix=["prlimit", "--nofile=48:48"]) as serve, contextlib.ExitStack() as stack:
            socks = [stack.enter_context(socket.create_connection(("127.0.0.1", serve.port), timeout=10 * SLOWNESS)) for _ in range(80)]
            served = turned_away = 0
            for sock in socks:
                with contextlib.suppress(ConnectionError):
                    sock.sendall(request(content(ORDER_11)))
                try:
                    answer = sock.recv(65536)
                except ConnectionError:
                    answer = b""
                served += answer.startswith(b"HTTP/1.1 200")
                turned_away += not answer
            counts = serve.stop()
        self.assertEqual(served + turned_away, 80)
        self.assertGreater(served, 5)
        self.assertEqual((counts["connections"], counts["requests"], counts["not accepted"]), (served, served, turned_away))

    def test_it_ends_on_both_signals_and_counts_what_it_left(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with Serve("--delay", "60s") as serve:
                with socket.create_connection(("127.0.0.1", serve.port)) as sock:
                    sock.sendall(request(content(ORDER_11)))
                    time.sleep(0.2)
                    counts = serve.stop(number)
            self.assertEqual(serve.exit, 0)
            self.assertEqual((counts["requests"], counts["unanswered"]), (1, 1))

    # ---- bad requests

    def test_what_is_wrong_gets_a_fault(self):
        order = content(ORDER_12)
        cases = [
            (order[:-10], "Sender"), (b"", "Sender"), (b"hello", "Sender"), (b"<a/>", "Sender"),
            (envelope("<Unknown xmlns='urn:example:orders'/>", SOAP_12), "Sender"),
            (envelope("<PlaceOrder/>", SOAP_12), "Sender"), (envelope("", SOAP_12), "Sender"),
            (envelope("<PlaceOrder/>", "urn:other"), "VersionMismatch"),
            (re.sub(rb"<a:MessageID>.*</a:MessageID>", b"", order), "Sender"),
            (b"<!DOCTYPE a>" + order, "Sender"), (order.replace(b"A-1", b"\xff\xff"), "Sender"),
            (order.replace(b"A-1", b"&nope;"), "Sender"), (order.replace(b"A-100417", b"9" * 2000), "Sender"),
            (order.replace(b"utf-8", b"utf-16"), "Sender"), (order.replace(b"<orderId>", b"<orderId a>"), "Sender"),
            (b"\xff\xfe<\0a\0", "Sender"), (order.replace(b"</s:Body>", b""), "Sender"),
            (order.replace(b"<a:To", b"<b:To").replace(b"</a:To", b"</b:To"), "Sender"),
        ]
        with Serve() as serve:
            for body, code in cases:
                answer = self.call(serve, body, TYPE_12)
                self.assertEqual(answer.status, 500, body)
                root = tree.fromstring(answer.content)
                version = SOAP_11 if code == "VersionMismatch" else SOAP_12
                self.assertEqual(root.tag, f"{{{version}}}Envelope", body)
                self.assertIn(f"s:{code}".encode(), answer.content, body)
            self.assert_alive(serve)
        self.assertEqual(serve.counts["faults"] + serve.counts["bad requests"], len(cases))

    def test_a_wrong_media_type_is_explained(self):
        with Serve() as serve:
            for body, kind, wanted in ((ORDER_11, TYPE_12, TYPE_11), (ORDER_12, TYPE_11, TYPE_12),
                                       (ORDER_11, "text/plain", TYPE_11), (ORDER_11, "text/xml; charset=utf-16", TYPE_11)):
                answer = self.call(serve, content(body), kind)
                self.assertEqual(answer.status, 415)
                self.assertIn(f"content type '{kind}'", answer.reason)
                self.assertIn(f"expected type '{wanted}'", answer.reason)

    def test_bytes_that_are_no_http_are_refused(self):
        order = content(ORDER_11)
        with Serve() as serve:
            for data, status in (
                    (b"hello\r\n\r\n", b"400"), (b"\0" * 100, b"400"), (b"GET\r\n\r\n", b"400"),
                    (request(order, fields=["Content-Length: 5"]), b"400"),
                    (request(order, fields=["Transfer-Encoding: chunked"]), b"400"),
                    (b"POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n", b"413"),
                    (b"POST / HTTP/1.1\r\nX: " + b"a" * 70000 + b"\r\n\r\n", b"431"),
                    (b"POST /" + b"a" * 70000 + b" HTTP/1.1\r\n\r\n", b"431"),
                    (b"DELETE / HTTP/1.1\r\nHost: a\r\n\r\n", b"405"),
                    (b"CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n", b"405"),
                    (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"400")):
                self.assertIn(b" " + status + b" ", self.talk(serve, data)[:40], data[:60])
            self.assert_alive(serve)

    def test_an_upgrade_is_not_taken_up(self):
        data = request(content(ORDER_11), fields=["Connection: Upgrade", "Upgrade: h2c"])
        with Serve() as serve:
            self.assertEqual(self.talk(serve, data * 2).count(b"200 OK"), 2)

    def test_a_body_beyond_the_ceiling_is_refused(self):
        head = f"POST / HTTP/1.1\r\nHost: a\r\nContent-Type: {TYPE_11}\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
        chunk = b"100000\r\n" + b" " * (1 << 20) + b"\r\n"
        with Serve() as serve:
            self.assertIn(b" 413 ", self.talk(serve, head + chunk * 66)[:40])
            self.assert_alive(serve)

    def test_truncated_requests_do_no_harm(self):
        data = request(content(ORDER_12), TYPE_12)
        with Serve() as serve:
            for end in range(1, len(data), 7):
                with socket.create_connection(("127.0.0.1", serve.port)) as sock:
                    sock.sendall(data[:end])
            self.assert_alive(serve)
        self.assertEqual(serve.counts["requests"], 1)
        self.assertEqual(serve.counts["connections"], len(range(1, len(data), 7)) + 1)

    def test_bytes_changed_at_random_do_no_harm(self):
        dice = random.Random(int(os.environ.get("LATHER_SEED", "4711")))
        data = request(content(ORDER_12), TYPE_12)
        with Serve() as serve:
            for _ in range(400):
                changed = bytearray(data)
                for _ in range(dice.randint(1, 4)):
                    changed[dice.randrange(len(changed))] = dice.choice(b"\0<>&;\"'/=\xff \r\n:!?a1-")
                with socket.create_connection(("127.0.0.1", serve.port), timeout=5 * SLOWNESS) as sock:
                    sock.sendall(changed)
                    sock.shutdown(socket.SHUT_WR)
                    try:
                        while sock.recv(65536):
                            pass
                    except ConnectionError:
                        pass
            self.assert_alive(serve)

    def test_clients_that_leave_in_the_middle_do_no_harm(self):
        import struct

        for options in ((), ("--delay", "20ms"), ("--size", "8M")):
            with Serve(*options) as serve:
                for _ in range(60):
                    sock = socket.create_connection(("127.0.0.1", serve.port))
                    sock.sendall(request(content(ORDER_11)))
                    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    sock.close()
                self.assert_alive(serve)
            self.assertLessEqual(serve.counts["unanswered"], 60)
            self.assertEqual(serve.counts["requests"], serve.counts["orders"])
