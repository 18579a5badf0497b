# SPDX-License-Identifier: Apache-2.0
"""What the field's experiments share: packages, the two cores, running a tool and counting what it and the server cost,
reading what the tools say, the table, and its place in docs/EXPERIMENTS.md."""
import argparse
import contextlib
import datetime
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "tests/bench"))

from bench import build_release, find, machine, put_in_place, record_option, version_of  # noqa: E402  (the path is known only now)

TICK_S = 1 / os.sysconf("SC_CLK_TCK")
SETTLE_S = 0.3  # between two runs, for sockets to go
LIMIT_S = 900   # of one run of a tool; most take some seconds
LATHER = ROOT / "build/release/lather"


def parser_of(doc):
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="few requests: shows that it runs, its times mean nothing")
    record_option(parser, "docs/EXPERIMENTS.md")
    parser.add_argument("--lather", default=LATHER, type=pathlib.Path, help="another binary")
    return parser


def prepare(options, *needed):
    """Installs what is missing of these programs and files, builds lather where nobody brought one; the cores of server and
    tools."""
    if not all(find(name) or pathlib.Path(name).exists() for name in needed):
        subprocess.run([ROOT / "cmake/packages.sh", "install", "experiments"], check=True)
    if options.lather == LATHER:
        build_release("lather")
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2:
        sys.exit("two processors are needed: one for the server, one for the tools")
    return cores[0], cores[1]


def pinned(core, *command):
    return ["taskset", "-c", str(core), *map(str, command)]


@contextlib.contextmanager
def folder_of(name):
    """A folder that other users may look into: servers started by root give up being root."""
    with tempfile.TemporaryDirectory(prefix=f"lather-{name}-") as folder:
        os.chmod(folder, 0o755)
        yield pathlib.Path(folder)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for_port(port, process, log, seconds=60):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        if process.poll() is not None:
            break
        time.sleep(0.05)
    process.kill()
    process.wait()
    sys.exit(f"{process.args[3]} did not start:\n{log.read_text(errors='replace')[-3000:]}")


# ---- CPU time

def family(pid):
    """The process and all that descend from it."""
    found = [pid]
    for parent in found:
        with contextlib.suppress(OSError):
            for task in pathlib.Path(f"/proc/{parent}/task").iterdir():
                found += map(int, (task / "children").read_text().split())
    return found


def cpu_s(pid):
    """User and system time of a server so far, its processes and those that have ended included."""
    ticks = 0
    for member in family(pid):
        with contextlib.suppress(OSError):
            fields = pathlib.Path(f"/proc/{member}/stat").read_text().rpartition(")")[2].split()
            ticks += sum(map(int, fields[11:15]))
    return ticks * TICK_S


class Run:
    """One run of a tool: what it printed, its CPU time (the whole process, wait4) and the server's meanwhile."""

    def __init__(self, command, core, server_pid, environment=None, good=(0,)):
        server_before = cpu_s(server_pid)
        begun = time.perf_counter()
        with tempfile.TemporaryFile("w+", errors="replace") as output:
            process = subprocess.Popen(pinned(core, *command), stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                                       env={**os.environ, **(environment or {})})
            limit = threading.Timer(LIMIT_S, process.kill)
            limit.start()
            _, status, usage = os.wait4(process.pid, 0)
            limit.cancel()
            process.returncode = os.waitstatus_to_exitcode(status)
            output.seek(0)
            self.text = output.read()
        self.wall_s = time.perf_counter() - begun
        self.cpu_s = usage.ru_utime + usage.ru_stime
        self.server_cpu_s = cpu_s(server_pid) - server_before
        if process.returncode not in good:
            sys.exit(f"{' '.join(map(str, command))}\nended with {process.returncode}:\n{self.text[-3000:]}")
        time.sleep(SETTLE_S)

    def number(self, pattern):
        found = re.search(pattern, self.text, re.M)
        if not found:
            sys.exit(f"nothing like {pattern} in:\n{self.text[-3000:]}")
        return float(found.group(1).replace(",", ""))


# ---- the tools: how they are told, and what they say of requests, failures and the rate

def ab_says(run):
    """Also lather's: the report has the same lines."""
    return (int(run.number(r"^Complete requests: +(\d+)")), int(run.number(r"^Failed requests: +(\d+)")),
            run.number(r"^Requests per second: +([\d.]+)"))


def siege_says(run):
    return (int(run.number(r'"transactions":\s+(\d+)')), int(run.number(r'"failed_transactions":\s+(\d+)')),
            run.number(r'"transaction_rate":\s+([\d.]+)'))


def httperf_says(run):
    return (int(run.number(r"requests (\d+) replies")), int(run.number(r"^Errors: total (\d+)")),
            run.number(r"^Request rate: ([\d.]+) req/s"))


SIEGE = """verbose = false
color = off
quiet = false
json_output = true
logging = false
protocol = HTTP/1.1
chunked = true
cache = false
parser = false
benchmark = true
limit = 1000
failures = 1000000000
timeout = 30
accept-encoding = identity
connection = @CONNECTION@
"""


def siege_command(folder, url, users, each, keeps_alive):
    """siege knows keep-alive only from its file of settings."""
    settings = folder / "siege.conf"
    settings.write_text(SIEGE.replace("@CONNECTION@", "keep-alive" if keeps_alive else "close"))
    return ["siege", "-R", settings, "-b", "-c", users, "-r", each, url]


def versions(*names):
    known = {"ab": version_of("ab", ["-V"], r"Version ([\d.]+)"),
             "siege": version_of("siege", ["-V"], r"SIEGE ([\d.]+)"),
             "httperf": version_of("httperf", ["--version"], r"httperf-([\d.]+)"),
             "jmeter": version_of("jmeter", ["--version"], r"Version ([\d.]+)"),
             "java": version_of("java", ["-version"], r'version "([\d.]+)'),
             "mono": version_of("mono", ["--version"], r"version ([\d.]+)"),
             "apache2": version_of("apache2", ["-v"], r"Apache/([\d.]+)")}
    return ", ".join(f"{name} {known[name]()}" for name in names)


def package_version(package):
    done = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True, check=False)
    return done.stdout or "?"


# ---- the table

HEADINGS = ["tool", "requests/s, by the tool", "tool's CPU per request, us", "lather = 1", "server's CPU per request, us",
            "requests, by the tool", "failures, by the tool", "requests, by the server"]


class Row:
    def __init__(self, name, run, says, counted):
        self.name = name
        self.complete, self.failed, self.rate = says
        self.counted = counted
        self.us = run.cpu_s / max(counted, 1) * 1e6
        self.server_us = run.server_cpu_s / max(counted, 1) * 1e6
        print(f"{name}: {self.rate:,.0f} requests/s, {self.us:.1f} us", file=sys.stderr)

    def cells(self, own_us):
        return [self.name, f"{self.rate:,.0f}", f"{self.us:.1f}", f"**{self.us / own_us:.2f}**", f"{self.server_us:.0f}",
                f"{self.complete:,}", f"{self.failed:,}", f"{self.counted:,}"]


def table(headings, lines):
    return [f"| {' | '.join(headings)} |", f"|{'---|' * len(headings)}", *(f"| {' | '.join(cells)} |" for cells in lines), ""]


def rows_table(rows):
    own = next(row.us for row in rows if row.name.startswith("lather"))
    return table(HEADINGS, [row.cells(own) for row in rows])


def finish(name, options, lines, used):
    """Prints the table with what made it; with --record it replaces what stands between its marks in the page."""
    size = "**A quick run on a busy machine: the counts hold, the times mean nothing.** " if options.quick else ""
    text = "\n".join([f"{size}{machine()}; {used}; {datetime.date.today().isoformat()}.", "", *lines]).rstrip() + "\n"
    print(text)
    if options.record:
        put_in_place(options.record, name, f"tests/experiments/{pathlib.Path(sys.argv[0]).name}", text)
