# SPDX-License-Identifier: Apache-2.0
"""Cases of tests/bench/run that are more than tools in a row: what happens to the cost of a request with the number of
connections, of requests and of threads, and how soon the first one is on its way."""
import os
import pathlib
import socket
import statistics
import subprocess
import time

from measure import memory_kb, measure
from tools import Case, Job, TYPE

SCALE_CONNECTIONS = (10, 100, 1000, 10000)
FIRST_REQUESTS = 15
SLOWEST_RATE = 20_000  # requests a second of a long run, below which it is given up


def lines_of(headings, rows):
    return [f"| {' | '.join(headings)} |", f"|{'---|' * len(headings)}", *(f"| {' | '.join(row)} |" for row in rows), ""]


def medians(tools, keys, bench, case, requests, cores=None):
    """{key: its measurements}, in interleaved rounds."""
    job = Job(bench.servers[False], case, bench.body_file, requests, case.seconds)
    found = {key: [] for key in keys}
    for turn in range(bench.options.rounds + 1):
        bench.tell(f"{case.connections:,} connections, {', '.join(tools[key].name for key in keys)}: round {turn} of {bench.options.rounds}")
        for key in keys:
            measured = measure(tools[key], bench.servers[False], job, cores or bench.cores[1])
            if turn > 0:
                found[key].append(measured)
    return {key: (statistics.median(one.us for one in all_of), statistics.median(one.rate for one in all_of),
                  max(one.peak_mb for one in all_of)) for key, all_of in found.items()}


def scale_connections(bench):
    """Cost of a request from 10 to 10,000 connections."""
    rows = []
    for connections in SCALE_CONNECTIONS:
        requests = max(bench.options.requests, 20 * connections)
        case = Case("", "", "/identical", [], connections=connections)
        found = medians(bench.tools, ("epoll", "lather-off"), bench, case, requests)
        own, limit = found["lather-off"], found["epoll"]
        rows.append([f"{connections:,}", f"{requests:,}", f"{limit[0]:.2f}", f"{own[0]:.2f}", f"**{own[0] / limit[0]:.2f}**", f"{own[1]:,.0f}",
                     f"{own[2]:.1f}"])
    return lines_of(["connections", "requests", "epoll client, us a request", "lather, us a request", "epoll client = 1", "lather, requests/s",
                     "lather, peak memory, MB"], rows) + [
        "What grows with the connections grows for the client that does nothing else, too: they no longer fit into the processor's caches, "
        "the kernel's part of them first. Opening them is in it.", ""]


def long_run(bench, tool, path, requests):
    """(its measurement, memory in MB as it went) of so many requests."""
    samples, last = [], [0.0]

    def look(pid):
        if time.monotonic() - last[0] > 0.02:
            last[0] = time.monotonic()
            samples.append(memory_kb(pid, "VmRSS") / 1024)

    job = Job(bench.servers[False], Case("", "", path, []), bench.body_file, requests, 1)
    limit_s = 60 + requests / SLOWEST_RATE
    own = measure(bench.tools[tool], bench.servers[False], job, bench.cores[1], look, limit_s)
    return own, [sample for sample in samples if sample > 0] or [own.peak_mb]


def scale(bench, path, counts, writes_rows=False):
    """A row for each number of requests, at last with -g where it is asked for, and what they mean."""
    wanted = [("lather-off", "", requests) for requests in counts]
    if writes_rows:
        wanted.append(("lather-samples", ", -g FILE", counts[-1]))
    rows, first = [], None
    for tool, words, requests in wanted:
        bench.tell(f"scale: {requests:,} requests{words}")
        own, samples = long_run(bench, tool, path, requests)
        first = first or own.us
        rows.append([f"{requests:,}{words}", f"{own.us:.2f}", f"**{own.us / first:.2f}**", f"{own.rate:,.0f}", f"{samples[len(samples) // 10]:.1f}",
                     f"{max(samples):.1f}", f"{samples[-1]:.1f}"])
    return lines_of(["requests", "lather, us a request", f"{counts[0]:,} requests = 1", "requests/s", "memory after 10 %, MB", "at most, MB", "at the end, MB"],
                    rows) + ["One run each. Memory is what is resident (VmRSS), looked at every 20 ms. Start and report of the process are in the cost, so the "
                             "shortest run is the dearest.", ""]


def scale_requests(bench):
    """Cost and memory from 10,000 requests on."""
    longest = bench.options.longest or 10**6
    return scale(bench, "/identical", [10**power for power in range(4, 9) if 10**power <= longest] or [longest], writes_rows=True)


def scale_long(bench):
    """The same of a run that takes a quarter of an hour."""
    longest = bench.options.longest or 10**8
    return scale(bench, "/empty", [max(longest // 100, 1), longest])


def server_cpu_s(pid):
    """User and system time of nginx's worker so far."""
    children = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    fields = pathlib.Path(f"/proc/{children[0]}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def threads(bench):
    """What a second thread costs, and what it brings."""
    every_core = ",".join(map(str, bench.cores[:2]))
    one_core = str(bench.cores[1])
    rows = []
    base = None
    server = bench.servers[False]
    case = Case("", "", "/identical", [])
    cpu_before, counted_before = server_cpu_s(server.process.pid), server.requests()
    for title, key, cores in (("1 thread, 1 core", "lather-1", one_core), ("2 threads, the same core", "lather-2", one_core),
                              ("2 threads, both cores, the server on one of them", "lather-2", every_core)):
        us, rate, peak = medians(bench.tools, (key,), bench, case, bench.options.requests, cores)[key]
        base = base or us
        rows.append([title, f"{us:.2f}", f"**{us / base:.2f}**", f"{rate:,.0f}", f"{peak:.1f}"])
    server_us = (server_cpu_s(server.process.pid) - cpu_before) / (server.requests() - counted_before) * 1e6
    return lines_of(["lather -k --validate off --threads N", "us a request", "1 thread = 1", "requests/s", "peak memory, MB"], rows) + [
        f"nginx spent {server_us:.2f} us a request meanwhile: one core of it can serve {1e6 / server_us:,.0f} requests/s, where one thread of lather that has its "
        f"core for itself can make {1e6 / base:,.0f}; {server_us / base:.1f} cores of such a server to each thread.", ""]


def first_request(command):
    """Milliseconds from the start of a process to its first bytes at a server."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(30)
        begun = time.perf_counter()
        process = subprocess.Popen(command(listener.getsockname()[1]), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        try:
            connection, _ = listener.accept()
            with connection:
                connection.settimeout(30)
                connection.recv(1)
                took = time.perf_counter() - begun
                connection.recv(1 << 16)
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        finally:
            process.terminate()
            process.wait(30)
    return took * 1000


def start(bench):
    """How soon the first request is on its way."""
    def posting(program, *more):
        return lambda port: ["taskset", "-c", str(bench.cores[1]), program, "-n", "1", "-c", "1", "-T", TYPE, "-p", str(bench.body_file), *more,
                             f"http://127.0.0.1:{port}/"]

    known = [("ab", posting("ab")), ("lather", posting(str(bench.lather))), ("static lather", posting(str(bench.static)))]
    rows = []
    for name, command in known:
        if name == "static lather" and not os.path.exists(bench.static):
            continue
        times = [first_request(command) for _ in range(FIRST_REQUESTS)]
        rows.append([name, f"**{statistics.median(times):.1f}**", f"{min(times):.1f}", f"{max(times):.1f}"])
    return lines_of(["tool", "first request after, ms", "least", "most"], rows) + [
        "From the start of the process (taskset and the loader included) to the first byte at the server, the message read and checked.", ""]


EXTRA = {
    "scale-c": ("from 10 to 10,000 connections", scale_connections),
    "scale-n": ("from 10,000 requests on", scale_requests),
    "scale-n-long": ("a long run, answers of 0 bytes", scale_long),
    "threads": ("threads", threads),
    "start": ("time to the first request", start),
}

LONG = ("scale-n-long",)  # made only where they are named
