# SPDX-License-Identifier: Apache-2.0
"""The tools that tests/bench/run compares, and the cases it compares them in."""
import copy
import os
import pathlib
import re
import subprocess

from bench import CONNECTIONS, ROOT, find, version_of

HERE = pathlib.Path(__file__).resolve().parent


# ---- the tools: for each the command, and what its output must say for the run to count

class Tool:
    def __init__(self, name, command, version, good, fixed_count=True, share=1.0, most_connections=1 << 20):
        self.name = name
        self.share = share              # of a case's requests: of a dear tool fewer tell as much
        self.most_connections = most_connections
        self.command = command          # function of a Job: the arguments
        self.version = version          # function without arguments: text, or None when it is not installed
        self.good = good                # function of (output, requests): whether every request succeeded
        self.fixed_count = fixed_count  # it sends exactly the requests asked for


class Job:
    """What a tool is to do: each command takes from it what it needs."""

    def __init__(self, server, case, body_file, requests, seconds):
        path = case.path
        self.url = server.url(path, case.scheme)
        self.trust = ["--cacert", str(server.certificate)] if case.scheme == "https" else []
        self.port, self.path = str(server.port), path
        self.body_file = str(body_file)
        self.folder = body_file.parent
        self.type = case.type
        self.each = max(1, requests // case.connections)  # for those that count by connection
        self.requests = str(requests)
        self.connections = str(case.connections)
        self.seconds = seconds
        self.calls = self.folder / "calls"
        self.settings = self.folder / "siege.conf"

    def share(self, part):
        """The same job with fewer requests, a whole number on each connection."""
        other = copy.copy(self)
        other.each = max(1, int(self.each * part))
        other.requests = str(other.each * int(self.connections))
        return other


def package_version(package):
    def ask():
        if not find(package):
            return None
        done = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True,
                              check=False)
        return done.stdout or "?"
    return ask


TYPE = "text/xml; charset=utf-8"


def good_ab(output, requests):
    return (re.search(rf"^Complete requests: +{requests}$", output, re.M) is not None
            and re.search(r"^Failed requests: +0$", output, re.M) is not None and "Non-2xx" not in output)


SIEGE = """verbose = false
color = off
json_output = true
logging = false
protocol = HTTP/1.1
cache = false
parser = false
limit = 2000
timeout = 30
accept-encoding = identity
connection = keep-alive
"""


def siege(job):
    """Knows keep-alive only from a file of settings."""
    job.settings.write_text(SIEGE)
    return ["siege", "-R", str(job.settings), "-b", "-c", job.connections, "-r", str(job.each), "-T", TYPE, f"{job.url} POST <{job.body_file}"]


def good_siege(output, requests):
    return re.search(rf'"transactions":\s+{requests},', output) is not None and re.search(r'"failed_transactions":\s+0,', output) is not None


def httperf(job):
    """Its calls of one connection stand in a file, each with its body; all connections are opened within 20 ms."""
    body = pathlib.Path(job.body_file).read_text().replace("\n", " ").replace('"', '\\"')
    job.calls.write_text(f'{job.path} method=POST contents="{body}"\n' * job.each)
    return ["httperf", "--hog", "--server", "127.0.0.1", "--port", job.port, "--add-header", f"Content-Type: {TYPE}\\n", "--wsesslog",
            f"{job.connections},0,{job.calls}", "--rate", str(50 * int(job.connections)), "--timeout", "30"]


def good_httperf(output, requests):
    return f"requests {requests} replies {requests} " in output and re.search(r"^Errors: total 0 ", output, re.M) is not None


def good_wrk(output, _):
    """Answers that took 2 s are no failure of theirs: with 10,000 connections some begin late."""
    errors = re.search(r"Socket errors: connect (\d+), read (\d+), write (\d+)", output)
    return "Non-2xx" not in output and (errors is None or errors.groups() == ("0", "0", "0"))


def tools(lather):
    epoll = ROOT / "build/release/tests/bench/epoll_client"

    static = ROOT / "build/static/lather"

    def lather_with(*options, binary=lather):
        return lambda job: [str(binary), "-q", "-n", job.requests, "-c", job.connections, *options, *job.trust, "-T", job.type,
                            "-p", job.body_file, job.url]

    def lather_sending(name, *options):
        """Another message; --data of the options is in the same folder."""
        return lambda job: [str(lather), "-q", "-n", job.requests, "-c", job.connections, "-k", "--validate", "off", "-p", str(job.folder / name),
                            *(str(job.folder / option) if option.endswith(".csv") else option for option in options), job.url]

    def lather_asking(*options):
        """The same with files of the folder by their names."""
        return lambda job: [str(lather), "-q", "-n", job.requests, "-c", job.connections, "-k", "-T", job.type, "-p", job.body_file,
                            *(option.replace("@", f"{job.folder}/") for option in options), job.url]

    lather_version = version_of(lather, ["-V"], r"([\d.]+)")
    return {
        "epoll": Tool("epoll client", lambda job: [str(epoll), job.port, job.path, job.body_file, job.requests, job.connections],
                      lambda: "ours", lambda output, requests: f"{requests} requests" in output),
        "ab": Tool("ab -k", lambda job: ["ab", "-q", "-k", "-n", job.requests, "-c", job.connections, "-T", TYPE, "-p",
                                         job.body_file, job.url],
                   version_of("ab", ["-V"], r"Version ([\d.]+)"), good_ab),
        "wrk": Tool("wrk", lambda job: ["wrk", "-t1", "-c", job.connections, "-d", f"{job.seconds}s", "-s", str(HERE / "post.lua"),
                                        job.url],
                    version_of("wrk", ["-v"], r"wrk (\S+)"),
                    good_wrk, fixed_count=False),
        "h2load": Tool("h2load --h1", lambda job: ["h2load", "--h1", "-t1", "-n", job.requests, "-c", job.connections, "-d",
                                                   job.body_file, "-H", f"Content-Type: {TYPE}", job.url],
                       version_of("h2load", ["--version"], r"nghttp2/(\S+)"),
                       lambda output, requests: f"{requests} succeeded, 0 failed, 0 errored" in output),
        "hey": Tool("hey", lambda job: ["hey", "-n", job.requests, "-c", job.connections, "-cpus", "1", "-m", "POST", "-T", TYPE, "-D",
                                        job.body_file, job.url],
                    package_version("hey"),
                    lambda output, requests: re.search(rf"\[200\]\s+{requests} responses", output) is not None),
        "siege": Tool("siege", siege, version_of("siege", ["-V"], r"SIEGE ([\d.]+)"), good_siege, share=0.25, most_connections=1000),
        "httperf": Tool("httperf", httperf, version_of("httperf", ["--version"], r"httperf-([\d.]+)"), good_httperf, share=0.5,
                        most_connections=1000),
        "lather-off": Tool("lather -k --validate off", lather_with("-k", "--validate", "off"), lather_version, good_ab),
        "lather-curl": Tool("lather -k --transport curl", lather_with("-k", "--validate", "off", "--transport", "curl"),
                            lather_version, good_ab, share=0.5),
        "lather-1": Tool("lather -k --threads 1", lather_with("-k", "--validate", "off", "--threads", "1"), lather_version, good_ab),
        "lather-2": Tool("lather -k --threads 2", lather_with("-k", "--validate", "off", "--threads", "2"), lather_version, good_ab),
        "lather-json": Tool("lather ... --json", lather_with("-k", "--validate", "off", "--json", os.devnull),
                            lather_version, good_ab),
        "lather-timeline": Tool("lather ... --timeline", lather_with("-k", "--validate", "off", "--timeline", os.devnull),
                                lather_version, good_ab),
        "lather-samples": Tool("lather ... -g", lather_with("-k", "--validate", "off", "-g", os.devnull),
                               lather_version, good_ab),
        "lather-soap": Tool("lather -k", lather_with("-k"), lather_version, good_ab),
        "lather-fixed": Tool("lather --verbatim", lather_sending("secured.xml", "--verbatim"), lather_version, good_ab),
        "lather-fresh": Tool("lather (MessageID and Timestamp anew)", lather_sending("secured.xml"), lather_version, good_ab),
        "lather-filled": Tool("lather (template: id, two times, a column)",
                              lather_sending("template.xml", "--data", "customers.csv"), lather_version, good_ab),
        "lather-path": Tool("lather -k --expect-xpath, a plain path", lather_asking("--expect-xpath", "//d:state"),
                            lather_version, good_ab),
        "lather-xpath": Tool("lather -k --expect-xpath, an expression",
                             lather_asking("--expect-xpath", "//d:state = 'accepted'"), lather_version, good_ab),
        "lather-text": Tool("lather -k --expect-text", lather_asking("--expect-text", ">accepted<"), lather_version, good_ab),
        "lather-xsd": Tool("lather -k --xsd", lather_asking("--xsd", "@answer.xsd"), lather_version, good_ab),
        "lather-golden": Tool("lather -k --golden",
                              lather_asking("--golden", "@golden.xml", "--ignore", "//~orderId"), lather_version, good_ab),
        "lather-share": Tool("lather -k --validate 5% --xsd", lather_asking("--xsd", "@answer.xsd", "--validate", "5%"),
                             lather_version, good_ab),
        "ab-close": Tool("ab", lambda job: ["ab", "-q", "-n", job.requests, "-c", job.connections, "-T", TYPE, "-p", job.body_file,
                                            job.url],
                         version_of("ab", ["-V"], r"Version ([\d.]+)"), good_ab),
        "lather-close": Tool("lather --validate off", lather_with("--validate", "off"), lather_version, good_ab),
        "lather-curl-close": Tool("lather --transport curl", lather_with("--validate", "off", "--transport", "curl"),
                                  lather_version, good_ab),
        "lather-full": Tool("lather --validate off --no-resume", lather_with("--validate", "off", "--no-resume"),
                            lather_version, good_ab),
        "static-off": Tool("static lather -k --validate off", lather_with("-k", "--validate", "off", binary=static),
                           version_of(static, ["-V"], r"([\d.]+)"), good_ab),
        "static-soap": Tool("static lather -k", lather_with("-k", binary=static), version_of(static, ["-V"], r"([\d.]+)"),
                            good_ab),
    }


class Case:
    """Tools compared with each other at one path of the server; the first is what ratios are of."""

    def __init__(self, name, title, path, members, share=1.0, scheme="http", connections=CONNECTIONS, embedded=False, body=None,
                 seconds=1, note=""):
        self.name = name
        self.title = title
        self.path = path
        self.members = members
        self.share = share  # of --requests: less where a request costs more, more where wrk makes as many in its second
        self.scheme = scheme
        self.connections = connections
        self.embedded = embedded  # the server is `lather serve`, the message has a MessageID
        self.body = body          # name of the file that is sent; None: the usual one of the server
        self.seconds = seconds    # of wrk, in which its connections must be open
        self.note = note
        self.type = "application/soap+xml; charset=utf-8" if embedded and body is None else TYPE


ALL = ["epoll", "ab", "wrk", "h2load", "httperf", "hey", "siege", "lather-off"]
CHEAP = ["epoll", "ab", "wrk", "h2load", "hey", "lather-off"]

READS = "The server is `lather serve`, because nginx answers before it has read a body."

CASES = [
    Case("off", "kept connections, nothing validated", "/identical", [*ALL, "lather-curl"], share=2.5,
         note="httperf never sleeps, so its CPU time is all the time it took."),
    Case("one", "1 kept connection, nothing validated", "/identical", [tool for tool in ALL if tool != "httperf"], share=0.4, connections=1),
    Case("thousand", "1,000 kept connections, nothing validated", "/identical", ALL, connections=1000),
    Case("ten-thousand", "10,000 kept connections, nothing validated", "/identical", ["epoll", "ab", "wrk", "h2load", "lather-off"], share=3,
         connections=10000, seconds=4,
         note="Opening the connections is in it. httperf takes 1,024 at the most, siege a thread for each, hey about 1 GB."),
    Case("different", "kept connections, every answer validated, all different", "/different",
         ["epoll", "hey", "lather-off", "lather-soap"], share=2.5),
    Case("unlike", "kept connections, every answer validated, all different in their markup", "/unlike",
         ["epoll", "hey", "lather-off", "lather-soap"], share=2.5),
    Case("identical", "kept connections, every answer validated, all identical", "/identical",
         ["epoll", "lather-off", "lather-soap"]),
    Case("close", "a new connection for each request", "/identical", ["ab-close", "lather-close", "lather-curl-close"],
         share=0.25),
    Case("tls", "TLS 1.3, kept connections, nothing validated", "/identical",
         ["wrk", "ab", "h2load", "hey", "lather-off", "lather-curl"], share=2.5, scheme="https"),
    Case("tls-close", "TLS 1.3, a new connection for each request", "/identical",
         ["ab-close", "lather-full", "lather-close"], share=0.05, scheme="https"),
    Case("answer-0", "answers of 0 bytes", "/empty", CHEAP),
    Case("answer-75k", "answers of 75,000 bytes", "/page", CHEAP, share=0.5),
    Case("answer-1m", "answers of 1,000,000 bytes", "/megabyte", CHEAP, share=0.05),
    Case("body-64k", "bodies of 64 KiB", "/OrderService.svc", CHEAP, share=0.4, embedded=True, body="body-64k.xml",
         note=READS),
    Case("body-1m", "bodies of 1 MiB", "/OrderService.svc", CHEAP, share=0.025, embedded=True, body="body-1m.xml",
         note=READS),
    Case("checks", "kept connections, each check of the verdict, all answers different", "/different",
         ["lather-off", "lather-soap", "lather-text", "lather-path", "lather-xpath", "lather-golden", "lather-xsd",
          "lather-share"], share=0.5),
    Case("results", "kept connections, nothing validated: what writing results costs", "/identical",
         ["lather-off", "lather-json", "lather-timeline", "lather-samples"]),
    Case("template", "kept connections, nothing validated: what is made anew in each request", "/identical",
         ["lather-fixed", "lather-fresh", "lather-filled"]),
    Case("relates", "kept connections, answers that differ in a fresh RelatesTo alone (lather serve)", "/OrderService.svc",
         ["lather-off", "lather-soap"], embedded=True),
    Case("static", "the static binary beside the dynamic one, answers all different", "/different",
         ["lather-soap", "static-soap", "lather-off", "static-off"]),
]
