# SPDX-License-Identifier: Apache-2.0
"""What the services of tests/services have in common: packages, ports, starting, being ready, stopping.

A service is a folder with a service.py that makes an Engine and calls main(engine, sys.argv[1:]):

    service.py start DIR   builds, starts on a free port; DIR/service.json then tells where it is
    service.py stop DIR    stops what start started

Exit 77 (skipped, as ctest understands it) when the packages are absent; with LATHER_TEST=all that is 1.
"""

import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import time

START_ATTEMPTS = 5  # another process may take the port between our look and the engine's bind
READY_SECONDS = 30


class Engine:
    """One engine: its name, what it needs, how it is built and started."""

    def __init__(self, name, packages, programs, build, command, environment=None):
        self.name = name
        self.packages = packages
        self.programs = programs  # that must be on the path
        self.build = build  # of the folder; None: nothing is to be built
        self.command = command  # of the folder and a port
        self.environment = environment or {}


def skip(engine, sentence):
    print(f"SKIPPED: {engine.name}: {sentence} (packages {engine.packages})")
    sys.exit(1 if os.environ.get("LATHER_TEST") == "all" else 77)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def is_listening(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def record(folder, process, port):
    """Says which process it is before it is ready: what is ended meanwhile can be stopped as well."""
    known = {"pid": process.pid, "started": started_at(process.pid), "root": f"http://127.0.0.1:{port}/"}
    (folder / "service.json").write_text(json.dumps(known))


def launch(engine, folder):
    """(process, port), or None when the port was taken meanwhile."""
    port = free_port()
    log = folder / "output.log"
    with open(log, "wb") as output:
        process = subprocess.Popen(engine.command(folder, port), cwd=folder, stdin=subprocess.DEVNULL, stdout=output,
                                   stderr=subprocess.STDOUT, start_new_session=True,
                                   env={**os.environ, **engine.environment})
    record(folder, process, port)
    deadline = time.monotonic() + READY_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            text = log.read_text(errors="replace")
            if "in use" in text:
                return None
            sys.exit(f"{engine.name} ended at once:\n{text}")
        if is_listening(port):
            return process, port
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGKILL)
    sys.exit(f"{engine.name} was not ready within {READY_SECONDS} s:\n{log.read_text(errors='replace')}")


def start(engine, folder):
    absent = [program for program in engine.programs if not shutil.which(program)]
    if absent:
        skip(engine, f"{absent[0]} is not installed")
    stop(engine, folder)  # left by a run that was killed
    if engine.build:
        engine.build(folder)
    for _ in range(START_ATTEMPTS):
        launched = launch(engine, folder)
        if launched:
            break
    else:
        sys.exit(f"no free port for {engine.name}")
    process, port = launched
    print(f"{engine.name}: http://127.0.0.1:{port}/, process {process.pid}")


def started_at(pid):
    """When a process began, by the kernel's clock: tells it from a stranger with the same number. None: it is gone."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] == "Z" else int(fields[19])


def stop(_, folder):
    place = folder / "service.json"
    if not place.exists():
        return
    known = json.loads(place.read_text())
    for number in (signal.SIGTERM, signal.SIGKILL):
        if started_at(known["pid"]) == known["started"]:
            os.killpg(known["pid"], number)  # it leads a session of its own, its workers with it
        deadline = time.monotonic() + 5
        while started_at(known["pid"]) == known["started"] and time.monotonic() < deadline:
            time.sleep(0.02)
    place.unlink()


def main(engine, arguments):
    commands = {"start": start, "stop": stop}
    if len(arguments) != 2 or arguments[0] not in commands:
        print(__doc__)
        return 2
    folder = pathlib.Path(arguments[1]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    commands[arguments[0]](engine, folder)
    return 0
