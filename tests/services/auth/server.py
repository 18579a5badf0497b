# SPDX-License-Identifier: Apache-2.0
"""Starts servers that nobody here wrote, on free ports of loopback, for as long as a test lasts."""

import os
import pathlib
import pwd
import shutil
import socket
import subprocess
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
START_SECONDS = 20


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def find(program):
    """Its path, also where only root's PATH leads; None when it is not installed."""
    return shutil.which(program) or shutil.which(program, path="/usr/sbin:/sbin:/usr/lib/squid")


class Folder:
    """A short folder that the servers' own users may enter, and what runs in it."""

    def __init__(self):
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="lather-", dir="/tmp"))
        self.path.chmod(0o755)
        self._running = []

    def write(self, name, text):
        (self.path / name).write_text(text, encoding="utf-8")
        return self.path / name

    def render(self, name, **values):
        """NAME.in of this folder of sources, each @KEY@ replaced."""
        text = (HERE / (name + ".in")).read_text(encoding="utf-8")
        for key, value in {"FOLDER": self.path, **values}.items():
            text = text.replace(f"@{key}@", str(value))
        return self.write(name, text)

    def make(self, name, mode=0o755):
        (self.path / name).mkdir(exist_ok=True)
        (self.path / name).chmod(mode)
        return self.path / name

    def give(self, user, *names):
        """To a server's user; only root can, and only root's servers need it."""
        if os.geteuid() == 0:
            for name in names:
                shutil.chown(self.path / name, user, self.group(user))

    @staticmethod
    def group(user):
        return pwd.getpwnam(user).pw_gid

    @staticmethod
    def _end(command, text=None, environment=None):
        return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False,
                              timeout=60, input=text, env={**os.environ, **(environment or {})})

    def works(self, *command):
        return self._end(command).returncode == 0

    def feed(self, text, *command, **environment):
        """Runs a command to its end with text as its input; its output belongs to the failure it is part of."""
        done = self._end(command, text, environment)
        if done.returncode != 0:
            raise AssertionError(f"{command[0]}: exit {done.returncode}\n{done.stdout}{done.stderr}")

    def run(self, *command, **environment):
        self.feed("", *command, **environment)

    def launch(self, name, port, *command, **environment):
        """Starts a server and waits for its port, if any; False when it ended before (the port may be taken)."""
        log = open(self.path / (name + ".out"), "wb")
        process = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=log,
                                   stderr=subprocess.STDOUT, cwd=self.path, env={**os.environ, **environment})
        log.close()
        self._running.append(process)
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and process.poll() is None:
            if port is None:
                return True
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return True
            time.sleep(0.02)
        return False

    def output(self):
        """What all of them said, for a failure's message."""
        return "".join(f"--- {path.name}\n{path.read_text(errors='replace')[-2000:]}"
                       for path in sorted(self.path.glob("*.out")) + sorted(self.path.glob("*.log")))

    def close(self):
        for process in reversed(self._running):
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(self.path, ignore_errors=True)
