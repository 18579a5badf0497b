# SPDX-License-Identifier: Apache-2.0
"""Runs the binary under test (LATHER_BINARY) with a hard time limit and reads what it leaves behind."""

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time

from report import Report

PAYLOADS = os.path.normpath(os.path.join(os.path.dirname(__file__), "..", "..", "payloads"))
ORDER_11 = os.path.join(PAYLOADS, "order-soap11.xml")
ORDER_12 = os.path.join(PAYLOADS, "order-soap12-wsa.xml")
NOTICE = os.path.join(PAYLOADS, "notify-oneway.xml")

# Sanitizers make the binary slower: limits and tolerances grow by this factor.
SLOWNESS = float(os.environ.get("LATHER_SLOWNESS", "1"))


def binary():
    return os.environ["LATHER_BINARY"]


def server_binary():
    """The `lather serve` to test against: another build's where the binary under test is not for this system."""
    return os.environ.get("LATHER_SERVER") or binary()


def transport(args):
    """LATHER_TRANSPORT makes every run of a load go through that transport."""
    name = os.environ.get("LATHER_TRANSPORT")
    is_load = not args or args[0] not in ("check", "judge", "serve", "report", "merge", "compare")
    return ["--transport", name] if name and is_load and "--transport" not in args else []


class TooSlow(AssertionError):
    """The binary did not end in time; it was killed."""


class Result:
    """One finished run of the binary."""

    def __init__(self, command, status, out, err, seconds, cpu_s, document):
        self.command = command
        self.exit = status
        self.out = out
        self.err = err
        self.seconds = seconds  # wall time of the process
        self.cpu_s = cpu_s  # its user and system time
        self.json = document  # None when none was written
        self.report = Report(out)

    def __str__(self):
        return f"$ {' '.join(self.command)}\nexit {self.exit} after {self.seconds:.2f} s\n{self.out}{self.err}"

    # ---- the JSON result, by the names of docs/JSON.md

    def _figure(*path):  # pylint: disable=no-method-argument
        def get(self):
            value = self.json
            for key in path:
                value = value[key]
            return value

        return property(get)

    started = _figure("counts", "started")
    finished = _figure("counts", "finished")
    not_started = _figure("run", "not_started")
    failed = _figure("figures", "failed_requests")
    client_was_limit = _figure("figures", "client_was_limit")
    outcomes = _figure("outcomes")
    cut = _figure("outcomes", "cut")
    connections_opened = _figure("traffic", "connections_opened")
    connections_failed = _figure("traffic", "connections_failed")
    connections_reopened = _figure("traffic", "connections_reopened")
    connections_peak = _figure("traffic", "connections_peak")
    sent_whole = _figure("traffic", "requests_sent_whole")
    sent_again = _figure("traffic", "requests_sent_again")
    lost_maybe = _figure("traffic", "requests_lost_maybe")
    bytes_sent = _figure("traffic", "bytes_sent")
    bytes_received = _figure("traffic", "bytes_received")
    interim = _figure("traffic", "interim_answers")
    traffic = _figure("traffic")
    in_flight_peak = _figure("health", "in_flight_peak")
    peak_memory_bytes = _figure("health", "peak_memory_bytes")
    notes = _figure("notes")
    failures = _figure("failures", "groups")

    @property
    def statuses(self):
        return {int(status): count for status, count in self.json["statuses"].items()}

    @property
    def faults(self):
        return [group for group in self.failures if group["outcome"] == "fault"]

    @property
    def worker_requests(self):
        return [worker["requests"] for worker in self.json["health"]["workers"]]

    @property
    def failed_times(self):
        """Least and greatest time of the requests that got no answer, in ms."""
        times = self.json["times"]["failed"]
        return {"count": times["count"], "min_ms": times["min_ns"] / 1e6, "max_ms": times["max_ns"] / 1e6}

    def percentile_ms(self, percent):
        """Of the latencies; percent as the JSON spells it, "99.9"."""
        return self.json["times"]["total"]["percentiles_ns"][percent] / 1e6

    def count_above_ms(self, least_ms):
        """How many latencies lie above, by the buckets."""
        return sum(count for low, count in self.json["times"]["total"]["buckets_ns"] if low > least_ms * 1e6)


class Running:
    """A run under way. Use as a context: whatever happens the process is gone at the end."""

    def __init__(self, args, prefix=(), env=None, stdin=None, with_json=True):
        self._folder = tempfile.mkdtemp(prefix="lather-test-")
        self._json = os.path.join(self._folder, "result.json")
        self.command = [*prefix, binary(), *transport(args), *map(str, args)]
        if with_json:
            self.command += ["--json", self._json]
        self._out = open(os.path.join(self._folder, "out"), "wb")
        self._err = open(os.path.join(self._folder, "err"), "wb")
        self._begun = time.perf_counter()
        self._process = subprocess.Popen(
            self.command, stdin=stdin if stdin is not None else subprocess.DEVNULL,
            stdout=self._out, stderr=self._err, env={**os.environ, **(env or {})})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._process.returncode is None:
            self._process.kill()
            self._process.wait()
        self._out.close()
        self._err.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def pid(self):
        return self._process.pid

    def interrupt(self, number=signal.SIGINT):
        self._process.send_signal(number)

    def is_started(self):
        """Whether it has got as far as its first line on stdout."""
        return os.path.getsize(self._out.name) > 0

    def end(self, limit=30):
        """Waits for the end and returns the Result; kills it and fails after `limit` seconds."""
        deadline = time.perf_counter() + limit * SLOWNESS
        cpu_s = None
        while cpu_s is None:
            pid, status, usage = os.wait4(self._process.pid, os.WNOHANG)
            if pid:
                cpu_s = usage.ru_utime + usage.ru_stime
                self._process.returncode = os.waitstatus_to_exitcode(status)
            elif time.perf_counter() > deadline:
                self._process.kill()
                self._process.wait()
                raise TooSlow(f"still running after {limit * SLOWNESS:.0f} s: {' '.join(self.command)}\n"
                              + self._text(self._out) + self._text(self._err))
            else:
                time.sleep(0.002)
        seconds = time.perf_counter() - self._begun
        document = None
        if os.path.exists(self._json) and os.path.getsize(self._json):
            with open(self._json, encoding="utf-8") as file:
                document = json.load(file)
        return Result(self.command, self._process.returncode, self._text(self._out),
                      self._text(self._err), seconds, cpu_s, document)

    @staticmethod
    def _text(file):
        with open(file.name, encoding="utf-8", errors="replace") as copy:
            return copy.read()


def run(*args, limit=30, **how):
    """Runs `lather ARGS` to its end."""
    with Running(args, **how) as running:
        return running.end(limit)


class Serve:
    """`lather serve` on a free port, as a context. After it, counts holds what it says it served."""

    def __init__(self, *options, prefix=()):
        self._command = [*prefix, server_binary(), "serve", "--port", "0", *map(str, options)]
        self.counts = None
        self.output = ""

    def __enter__(self):
        self._process = subprocess.Popen(self._command, stdout=subprocess.PIPE, text=True)
        line = self._process.stdout.readline()
        found = re.search(r"(http://127\.0\.0\.1:(\d+)\S+)", line)
        if not found:
            self._process.kill()
            raise AssertionError(f"lather serve did not start: {line!r}")
        self.url = found.group(1)
        self.port = int(found.group(2))
        return self

    def send_signal(self, number):
        self._process.send_signal(number)

    def stop(self, number=signal.SIGINT):
        """Ends it and reads its counts."""
        if self.counts is None:
            self._process.send_signal(number)
            self.output, _ = self._process.communicate(timeout=30 * SLOWNESS)
            self.exit = self._process.returncode
            line = re.search(r"^served: .*$", self.output, re.M)
            if not line:
                raise AssertionError(f"lather serve printed no counts: {self.output!r}")
            self.counts = dict(
                (name, int(number)) for number, name in
                re.findall(r"(\d+) (requests|connections|bytes in|bytes out)", line.group()))
            self.counts.update(
                (name, int(number)) for name, number in
                re.findall(r"(orders|one-way|faults|bad requests|pages|unanswered|not accepted) (\d+)",
                           line.group()))
        return self.counts

    def __exit__(self, kind, *_):
        if kind is None:
            self.stop()
        elif self._process.poll() is None:
            self._process.kill()
            self._process.wait()
