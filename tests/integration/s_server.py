# SPDX-License-Identifier: Apache-2.0
"""`openssl s_server`, which can be told to begin a handshake or to change keys at any moment."""

import os
import re
import subprocess
import threading
import time


class SServer:
    """Takes a connection on a free port and shows what came: bodies are of x alone. Use as a context.

    When it has shown HELD_BYTES of one it stops reading until it was told something, so that the client is surely still
    sending then.
    """

    HELD_BYTES = 100000

    def __init__(self, pki, *options):
        self._command = ["openssl", "s_server", "-accept", "127.0.0.1:0", "-cert", pki.server(), "-key",
                         pki.server(), "-CAfile", pki.authority, "-crlf", "-msg", *options]
        self._got = bytearray()
        self._told = threading.Event()

    def __enter__(self):
        self._process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                         stderr=subprocess.STDOUT)
        self._thread = threading.Thread(target=self._gather, daemon=True)
        self._thread.start()
        self.port = int(self._wait_for(rb"ACCEPT 127\.0\.0\.1:(\d+)").group(1))
        return self

    def url(self, path="/OrderService.svc"):
        return f"https://localhost:{self.port}{path}"

    def _gather(self):
        while data := os.read(self._process.stdout.fileno(), 4096):
            self._got += data
            if self._got.count(b"x") > self.HELD_BYTES:
                self._told.wait()

    def _wait(self, condition):
        deadline = time.monotonic() + 30
        while not (found := condition()):
            if time.monotonic() > deadline:
                raise AssertionError(f"openssl s_server: {self.words}")
            time.sleep(0.005)
        return found

    def _wait_for(self, pattern):
        return self._wait(lambda: re.search(pattern, bytes(self._got)))

    def read(self, count):
        """Waits until so many bytes of a message's body have come."""
        self._wait(lambda: self.body_bytes() >= count)

    def say(self, line):
        """To the client, or an order: K changes keys, R begins a handshake that wants a certificate."""
        self._process.stdin.write(line.encode() + b"\n")
        self._process.stdin.flush()
        self._told.set()

    def body_bytes(self):
        """How much of a body came; s_server's own words stand between."""
        return sum(map(len, re.findall(rb"x{4,}", bytes(self._got))))

    @property
    def words(self):
        """What s_server said, bodies left out."""
        return re.sub(r"x{4,}", "", bytes(self._got).decode("latin-1"))

    def __exit__(self, *_):
        self._told.set()
        self._process.kill()
        self._process.wait()
        self._thread.join()
