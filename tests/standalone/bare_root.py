#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The static binary in a root that holds nothing but itself, its input, etc/hosts and etc/resolv.conf.

    LATHER_BINARY=... bare_root.py

It runs in a network of its own (unshare), where a name server of this script answers on port 53. Three runs: by a name
of etc/hosts against `lather serve`, by a name that only the name server knows, and over TLS against nginx with
--cacert; each time the counts of both ends are equal. Exit 77 when this machine allows no namespaces.
"""
import fcntl
import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "integration"))
import lather  # noqa: E402  pylint: disable=wrong-import-position
from case import Case  # noqa: E402  pylint: disable=wrong-import-position
from nginx import Nginx  # noqa: E402  pylint: disable=wrong-import-position
from pki import Pki  # noqa: E402  pylint: disable=wrong-import-position

SKIPPED = 77
NAME = "orders.example"


class NameServer:
    """Answers questions for the address of NAME with 127.0.0.1, and all others with an error."""

    def __enter__(self):
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 53))
        self.asked = 0
        threading.Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._socket.close()

    def _serve(self):
        wanted = b"".join(bytes([len(part)]) + part.encode() for part in NAME.split(".")) + b"\0"
        while True:
            try:
                question, peer = self._socket.recvfrom(2048)
            except OSError:
                return
            end = 12 + question[12:].index(0) + 5  # the name, its type and class
            is_ours = question[12:end - 4].lower() == wanted
            has_answer = is_ours and question[end - 4:end - 2] == b"\0\x01"
            self.asked += is_ours
            head = question[:2] + (b"\x81\x80" if is_ours else b"\x81\x83")
            head += b"\0\x01" + bytes([0, has_answer]) + b"\0\0\0\0"
            answer = b"\xc0\x0c\0\x01\0\x01\0\0\0\x3c\0\x04\x7f\0\0\x01" if has_answer else b""
            self._socket.sendto(head + question[12:end] + answer, peer)


class BareRoot(Case):
    def setUp(self):
        self.root = tempfile.mkdtemp(prefix="lather-root-")
        self.addCleanup(shutil.rmtree, self.root)
        shutil.copy(lather.binary(), os.path.join(self.root, "lather"))
        shutil.copy(lather.ORDER_11, os.path.join(self.root, "order.xml"))
        self.put("etc/hosts", "127.0.0.1 localhost\n")
        self.put("etc/resolv.conf", "nameserver 127.0.0.1\noptions timeout:2\n")

    def put(self, path, text):
        path = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def fire_inside(self, url, *options):
        command = ["unshare", "--root", self.root, "/lather", "-n", "500", "-c", "10", "-k", "-q", "-p", "/order.xml",
                   *options, url]
        result = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, env={})
        report = lather.Report(result.stdout)
        self.assertEqual(result.returncode, 0, result)
        self.assertEqual((report.complete, report.failed), (500, 0), result)

    def test_a_name_of_etc_hosts(self):
        with lather.Serve() as serve:
            self.fire_inside(serve.url.replace("127.0.0.1", "localhost"))
        self.assertEqual(serve.counts["requests"], 500)

    def test_a_name_of_the_name_server(self):
        with NameServer() as names, lather.Serve() as serve:
            self.fire_inside(serve.url.replace("127.0.0.1", NAME))
        self.assertEqual(serve.counts["requests"], 500)
        self.assertGreater(names.asked, 0)

    def test_tls_with_an_authority_of_our_own(self):
        pki = Pki(self.need("openssl", "openssl"))
        self.addCleanup(pki.close)
        shutil.copy(pki.authority, os.path.join(self.root, "authority.pem"))
        with Nginx(self.need("nginx", "nginx"), tls=pki.server()) as server:
            self.fire_inside(server.url(), "--cacert", "/authority.pem")
        self.assertEqual(server.requests, 500)


def bring_up_loopback():
    """In a new network it is down; as `ip link set lo up`, without wanting that program."""
    set_flags, up_and_running = 0x8914, 0x41  # SIOCSIFFLAGS, IFF_UP | IFF_RUNNING
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, set_flags, struct.pack("16sh14x", b"lo", up_and_running))


def main():
    if os.environ.get("LATHER_IN_NAMESPACE") != "yes":
        command = ["unshare", "--net", *(["--map-root-user"] if os.geteuid() else [])]
        if subprocess.run([*command, "true"], check=False, stderr=subprocess.DEVNULL).returncode:
            print("skipped: this machine allows no namespaces (unshare)")
            return 1 if os.environ.get("LATHER_TEST") == "all" else SKIPPED
        os.environ["LATHER_IN_NAMESPACE"] = "yes"
        os.execvp("unshare", [*command, sys.executable, "-B", os.path.abspath(__file__)])
    bring_up_loopback()
    result = unittest.TextTestRunner(verbosity=2).run(unittest.defaultTestLoader.loadTestsFromTestCase(BareRoot))
    if not result.wasSuccessful():
        return 1
    return (1 if os.environ.get("LATHER_TEST") == "all" else SKIPPED) if result.skipped else 0


if __name__ == "__main__":
    sys.exit(main())
