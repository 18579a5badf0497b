# SPDX-License-Identifier: Apache-2.0
"""One run of one tool: what it cost, and whether it did what it was asked to do."""
import contextlib
import os
import pathlib
import re
import subprocess
import tempfile
import time

SETTLE_S = 0.2  # between two runs, for sockets to go
LIMIT_S = 180   # of one run; most take a second


class NotDone(Exception):
    """A tool did not do what it was asked: its figures mean nothing."""


class Measurement:
    def __init__(self, requests, cpu_s, wall_s, peak_kb):
        self.us = cpu_s / requests * 1e6
        self.rate = requests / wall_s
        self.peak_mb = peak_kb / 1024


def memory_kb(pid, what="VmHWM"):
    """The most so far, or with VmRSS what it is now."""
    with contextlib.suppress(OSError):
        found = re.search(rf"^{what}:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text(), re.M)
        return int(found.group(1)) if found else 0
    return 0


def run_pinned(command, cores, body_file, look=None, limit_s=LIMIT_S):
    """(output, CPU seconds, wall seconds, peak memory) of a command on one core, or on several ("0,1"). look is called with
    its process again and again."""
    with tempfile.TemporaryFile("w+", errors="replace") as output:
        begun = time.perf_counter()
        process = subprocess.Popen(["taskset", "-c", str(cores), *command], stdin=subprocess.DEVNULL, stdout=output,
                                   stderr=subprocess.STDOUT, env={**os.environ, "BENCH_BODY": str(body_file),
                                                               "HOME": os.path.dirname(body_file)})  # siege leaves a folder there
        peak = 0
        while True:
            # the last look before the end is at the most 10 ms old
            peak = max(peak, memory_kb(process.pid))
            if look:
                look(process.pid)
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            if time.perf_counter() - begun > limit_s:
                process.kill()
                process.wait()
                raise NotDone(f"{' '.join(command)}\nhad not ended after {limit_s} s")
            time.sleep(0.01)
        wall = time.perf_counter() - begun
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read()
    if process.returncode != 0:
        raise NotDone(f"{' '.join(command)}\nended with {process.returncode}:\n{text[-3000:]}")
    return text, usage.ru_utime + usage.ru_stime, wall, peak


def measure(tool, server, job, cores, look=None, limit_s=LIMIT_S):
    job = job.share(tool.share)
    before = server.requests()
    text, cpu, wall, peak = run_pinned(tool.command(job), cores, job.body_file, look, limit_s)
    counted = server.requests() - before - server.questions  # without the second question itself
    if not tool.good(text, job.requests):
        raise NotDone(f"{tool.name}: not every request succeeded:\n{text[-3000:]}")
    if tool.fixed_count and counted != int(job.requests):
        raise NotDone(f"{tool.name}: asked for {job.requests} requests, the server counted {counted}\n{text[-3000:]}")
    if counted == 0:
        raise NotDone(f"{tool.name}: the server counted no request\n{text[-3000:]}")
    time.sleep(SETTLE_S)
    return Measurement(counted, cpu, wall, peak)
