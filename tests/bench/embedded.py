# SPDX-License-Identifier: Apache-2.0
"""`lather serve` as a server to measure against: it names the message it answers, and can wait a fixed time before."""

import re
import signal
import socket
import subprocess
import sys
import time


class Serve:
    """One process on one core; what it served is known when it has ended, so each question starts it anew."""

    questions = 0  # asking for the count is no request
    certificate = None

    def __init__(self, lather, core, *options):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self._command = ["taskset", "-c", str(core), str(lather), "serve", "--port", str(self.port), *map(str, options)]
        self._served = 0
        self._start()

    def _start(self):
        self.process = subprocess.Popen(self._command, stdout=subprocess.PIPE, text=True)
        if "serving" not in self.process.stdout.readline():
            sys.exit("lather serve did not start")

    def url(self, path, scheme="http"):
        return f"{scheme}://127.0.0.1:{self.port}{path}"

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        output, _ = self.process.communicate(timeout=30)
        self._served += int(re.search(r"^served: (\d+) requests", output, re.M).group(1))

    def requests(self):
        """How many it has served so far."""
        self.stop()
        time.sleep(0.05)
        self._start()
        return self._served
