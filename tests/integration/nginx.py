# SPDX-License-Identifier: Apache-2.0
"""An nginx of our own on a free port, with the paths that tests want."""

import os
import shutil
import socket
import subprocess
import tempfile
import time

from answers import ENVELOPE

CONFIGURATION = """
worker_processes 1;
daemon off;
master_process off;
pid {folder}/pid;
error_log {folder}/error.log warn;
events {{ worker_connections 2048; }}
http {{
    default_type "text/xml; charset=utf-8";
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    access_log {folder}/access.log;
    keepalive_requests {keepalive_requests};
    keepalive_timeout {keepalive_timeout};
    chunked_transfer_encoding on;
    server {{
        listen 127.0.0.1:{port} backlog=4096;
        location / {{ return 200 '{envelope}'; }}
        location /chunked {{ ssi on; ssi_types *; root {folder}/www; error_page 405 =200 $uri; }}
        location /status503 {{ return 503; }}
    }}
}}
"""


class Nginx:
    """A running nginx; requests is what its access log says after the end."""

    def __init__(self, program, keepalive_requests=1000000, keepalive_timeout="60s"):
        self._program = program
        self._settings = {"keepalive_requests": keepalive_requests, "keepalive_timeout": keepalive_timeout}
        self.requests = None

    def __enter__(self):
        self._folder = tempfile.mkdtemp(prefix="lather-nginx-")
        os.chmod(self._folder, 0o755)
        os.mkdir(os.path.join(self._folder, "www"))
        with open(os.path.join(self._folder, "www", "chunked"), "wb") as file:
            file.write(ENVELOPE)
        for _ in range(5):  # the port may be taken between asking for a free one and listening
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", 0))
                self.port = probe.getsockname()[1]
            if self._start():
                return self
        raise AssertionError("nginx did not start: " + self._error_log())

    def _start(self):
        path = os.path.join(self._folder, "nginx.conf")
        with open(path, "w", encoding="utf-8") as file:
            file.write(CONFIGURATION.format(folder=self._folder, port=self.port, envelope=ENVELOPE.decode(),
                                            **self._settings))
        self._process = subprocess.Popen(
            [self._program, "-e", os.path.join(self._folder, "error.log"), "-c", path, "-p", self._folder],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline and self._process.poll() is None:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return True
            time.sleep(0.02)
        self._process.kill()
        self._process.wait()
        return False

    def _error_log(self):
        try:
            with open(os.path.join(self._folder, "error.log"), encoding="utf-8") as file:
                return file.read()
        except OSError:
            return ""

    def url(self, path="/OrderService.svc"):
        return f"http://127.0.0.1:{self.port}{path}"

    def __exit__(self, *_):
        self._process.terminate()
        self._process.wait(10)
        with open(os.path.join(self._folder, "access.log"), encoding="utf-8") as file:
            self.requests = sum(1 for line in file if '"POST ' in line or '"GET ' in line)
        shutil.rmtree(self._folder, ignore_errors=True)
