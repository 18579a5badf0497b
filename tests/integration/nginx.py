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
    log_format with_session '"$request" $status reused=$ssl_session_reused';
    access_log {folder}/access.log with_session;
    keepalive_requests {keepalive_requests};
    keepalive_timeout {keepalive_timeout};
    chunked_transfer_encoding on;
    {tls_settings}
    server {{
        listen 127.0.0.1:{port} backlog=4096{tls}{http2};
        location / {{ return 200 '{envelope}'; }}
        location /chunked {{ ssi on; ssi_types *; root {folder}/www; error_page 405 =200 $uri; }}
        location /passed {{ proxy_pass http://127.0.0.1:{backend}; client_max_body_size 0; }}
        location /status503 {{ return 503; }}
    }}
}}
"""


def tls_settings(certificate, wants):
    """The part of the configuration that certificates need."""
    if not certificate:
        return ""
    lines = [f"ssl_certificate {certificate};", f"ssl_certificate_key {certificate};",
             "ssl_protocols TLSv1.2 TLSv1.3;", "ssl_session_cache shared:tests:1m;"]
    if wants:
        lines += [f"ssl_client_certificate {wants};", "ssl_verify_client on;"]
    return "\n    ".join(lines)


class Nginx:
    """A running nginx; requests is what its access log says after the end, resumed how many of them came on
    a resumed TLS session. tls is the PEM file of its certificate and key, wants that of clients' authority."""

    def __init__(self, program, keepalive_requests=1000000, keepalive_timeout="60s", tls=None, wants=None,
                 http2=False, backend=9):
        self._program = program
        self._scheme = "https" if tls else "http"
        self._host = "localhost" if tls else "127.0.0.1"
        self._settings = {"keepalive_requests": keepalive_requests, "keepalive_timeout": keepalive_timeout,
                          "backend": backend,
                          "tls": " ssl" if tls else "", "http2": " http2" if http2 else "", "tls_settings": tls_settings(tls, wants)}
        self.requests = None
        self.http2 = None  # of these, how many came as HTTP/2
        self.resumed = None

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
        return f"{self._scheme}://{self._host}:{self.port}{path}"

    def __exit__(self, *_):
        self._process.terminate()
        self._process.wait(10)
        with open(os.path.join(self._folder, "access.log"), encoding="utf-8") as file:
            lines = [line for line in file if '"POST ' in line or '"GET ' in line]
        self.requests = len(lines)
        self.http2 = sum('HTTP/2.0"' in line for line in lines)
        self.resumed = sum("reused=r" in line for line in lines)
        shutil.rmtree(self._folder, ignore_errors=True)
