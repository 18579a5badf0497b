#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The WCF service on Mono as the test suite uses it.

    service.py build DIR   compiles Depot.exe into DIR when a source is newer
    service.py start DIR   builds, starts it on a free port, warms it up; DIR/service.json then tells where it is
    service.py stop DIR    stops what start started

Exit 77 (skipped, as ctest understands it) when Mono's packages are absent; with LATHER_TEST=all that is 1.
"""
import concurrent.futures
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
PACKAGES = "mono-mcs mono-runtime libmono-system-servicemodel4.0a-cil"
REFERENCES = ["-r:System.ServiceModel.dll", "-r:System.Runtime.Serialization.dll"]

# One endpoint for each row of the tests' table, so that rows can be run side by side at ten a second each.
ENDPOINTS = [f"{binding}-{row}" for binding in ("basic", "ws")
             for row in ("reserve", "locate", "recount", "announce", "wrong", "stale-guarded",
                         "pace-1", "pace-5", "pace-20", "pace-50")]
# A thousand requests would take one of them 100 s.
GUARDED = [f"ws-{number}-guarded" for number in range(10)]
ENDPOINTS += GUARDED

START_ATTEMPTS = 5        # another process may take the port between our look and Mono's bind
READY_SECONDS = 30
WARM_UP_SECONDS = 60
WARM_UP_QUICK_S = 0.5     # an answer within this is no longer paying for compilation


def skip(sentence):
    print(f"SKIPPED: WCF on Mono: {sentence}")
    sys.exit(1 if os.environ.get("LATHER_TEST") == "all" else 77)


def require_packages():
    if not shutil.which("mono") or not shutil.which("mcs"):
        skip(f"mono or mcs is not installed (packages {PACKAGES})")
    libraries = list(pathlib.Path("/usr/lib/mono").glob("4*/System.ServiceModel.dll"))
    if pathlib.Path("/usr/lib/mono").is_dir() and not libraries:
        skip(f"System.ServiceModel.dll is not installed (packages {PACKAGES})")


def build(folder):
    program = folder / "Depot.exe"
    sources = sorted(HERE.glob("*.cs"))
    newest = max(source.stat().st_mtime for source in sources)
    if not program.exists() or program.stat().st_mtime < newest:
        subprocess.run(["mcs", "-optimize", f"-out:{program}", *REFERENCES, *map(str, sources)], check=True)
    return program


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def launch(program, folder):
    """Starts the host on a free port; (process, root URL), or None when the port was taken meanwhile."""
    port = free_port()
    environment = {**os.environ, "HOME": str(folder), "MONO_DISABLE_SHARED_AREA": "1"}
    log = folder / "output.log"
    with open(log, "wb") as output:
        host = subprocess.Popen(["mono", str(program), str(port), *ENDPOINTS], stdin=subprocess.DEVNULL,
                                stdout=output, stderr=subprocess.STDOUT, env=environment, start_new_session=True)
    root = f"http://127.0.0.1:{port}/"
    # Before it is ready: what is ended meanwhile can be stopped as well.
    (folder / "service.json").write_text(json.dumps({"pid": host.pid, "root": root}))
    deadline = time.monotonic() + READY_SECONDS
    while time.monotonic() < deadline:
        text = log.read_text(errors="replace")
        if text.startswith("ready"):
            return host, root
        if host.poll() is not None:
            if "ddress already in use" in text:
                return None
            sys.exit(f"the WCF host ended at once:\n{text}")
        time.sleep(0.05)
    host.kill()
    sys.exit(f"the WCF host was not ready within {READY_SECONDS} s:\n{log.read_text(errors='replace')}")


def envelope(root, endpoint, operation):
    """(body, content type, SOAPAction or None) of one operation at one endpoint."""
    binding = endpoint.split("-")[0]
    text = (HERE / "envelopes" / f"{binding}-{operation.lower()}.xml").read_text(encoding="utf-8")
    body = text.replace("@URL@", root + endpoint).encode()
    if binding == "ws":
        return body, "application/soap+xml; charset=utf-8", None
    return body, "text/xml; charset=utf-8", f'"urn:example:depot/Depot/{operation}"'


def warm_up(root, endpoint):
    """Until two answers in a row are quick: the first pay for compilation, one may even wait 5 s."""
    body, content_type, action = envelope(root, endpoint, "Reserve")
    headers = {"Content-Type": content_type, **({"SOAPAction": action} if action else {})}
    quick, deadline = 0, time.monotonic() + WARM_UP_SECONDS
    while quick < 2:
        begun = time.monotonic()
        with urllib.request.urlopen(urllib.request.Request(root + endpoint, body, headers), timeout=30) as answer:
            answer.read()
        quick = quick + 1 if time.monotonic() - begun < WARM_UP_QUICK_S else 0
        if time.monotonic() > deadline:
            raise TimeoutError(f"{endpoint} does not become quick")


def start(folder):
    require_packages()
    if (folder / "service.json").exists():
        stop(folder)  # left by a run that was killed
    program = build(folder)
    for _ in range(START_ATTEMPTS):
        launched = launch(program, folder)
        if launched:
            break
    else:
        sys.exit("no free port for the WCF host")
    host, root = launched
    try:
        with concurrent.futures.ThreadPoolExecutor(len(ENDPOINTS)) as pool:
            list(pool.map(lambda endpoint: warm_up(root, endpoint), ENDPOINTS))
    except Exception:
        stop(folder)
        raise
    print(f"WCF on Mono: {len(ENDPOINTS)} endpoints under {root}, process {host.pid}")


def is_ours(pid, folder):
    """The process still runs and is the host of this folder, not a stranger with the same number."""
    try:
        if pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
            return False
        return str(folder / "Depot.exe").encode() in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def stop(folder):
    record = folder / "service.json"
    if not record.exists():
        return
    pid = json.loads(record.read_text())["pid"]
    for number in (signal.SIGTERM, signal.SIGKILL):
        if is_ours(pid, folder):
            os.kill(pid, number)
        deadline = time.monotonic() + 5
        while is_ours(pid, folder) and time.monotonic() < deadline:
            time.sleep(0.05)
    record.unlink()


def main(arguments):
    commands = {"build": lambda folder: (require_packages(), build(folder)), "start": start, "stop": stop}
    if len(arguments) != 2 or arguments[0] not in commands:
        print(__doc__)
        return 2
    folder = pathlib.Path(arguments[1]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    commands[arguments[0]](folder)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
