# SPDX-License-Identifier: Apache-2.0
"""Certificates made with the openssl command: an authority, and whoever it signs. Gone after the test."""

import os
import shutil
import subprocess
import tempfile

PASSWORD = "changeit"

AUTHORITY = """
[ca]
default_ca = all
[all]
database = {folder}/index.txt
new_certs_dir = {folder}
rand_serial = yes
default_md = sha256
policy = any
unique_subject = no
[any]
commonName = supplied
"""


class Pki:
    """A folder with the files that tests name; each is made when it is first asked for. Use as a context."""

    def __init__(self, openssl):
        self._openssl = openssl
        self._folder = tempfile.mkdtemp(prefix="lather-pki-")
        self._made = {}
        self._write("index.txt", "")
        self._write("ca.cnf", AUTHORITY.format(folder=self._folder))
        self.authority = self._self_signed("ca", "/CN=Test CA", ["keyUsage=critical,keyCertSign,cRLSign"])

    def close(self):
        shutil.rmtree(self._folder, ignore_errors=True)

    # ---- what tests ask for: names of PEM files, certificate first, key behind it

    def server(self, names="DNS:localhost,IP:127.0.0.1"):
        """For these names, signed by the authority."""
        return self._once("server " + names, lambda: self._signed("/CN=localhost", f"subjectAltName={names}"))

    def expired(self):
        return self._once("expired", lambda: self._signed(
            "/CN=localhost", "subjectAltName=DNS:localhost,IP:127.0.0.1", "20200101000000Z", "20210101000000Z"))

    def self_signed(self):
        return self._once("self", lambda: self._self_signed(
            "self", "/CN=localhost", ["subjectAltName=DNS:localhost,IP:127.0.0.1"]))

    def client(self):
        return self._once("client", lambda: self._signed("/CN=alice", "extendedKeyUsage=clientAuth"))

    def stranger(self):
        """A client's certificate that no authority of ours signed."""
        return self._once("stranger", lambda: self._self_signed("stranger", "/CN=mallory", []))

    def client_pfx(self, *options):
        """The client's certificate and key as PFX, with PASSWORD."""
        path = self._path("client.pfx")
        self._run("pkcs12", "-export", *options, "-in", self.client(), "-passout", "pass:" + PASSWORD, "-out", path)
        return path

    def client_apart(self):
        """The client's certificate and its key, each in a file of its own."""
        with open(self.client(), encoding="utf-8") as file:
            text = file.read()
        cut = text.index("-----BEGIN", text.index("-----END CERTIFICATE"))
        return self._write("client.crt", text[:cut]), self._write("client.key", text[cut:])

    def locked_key(self):
        """The client's key, encrypted with PASSWORD."""
        path = self._path("locked.key")
        self._run("pkcs8", "-topk8", "-in", self.client_apart()[1], "-passout", "pass:" + PASSWORD, "-out", path)
        return path

    # ---- inside

    def _path(self, name):
        return os.path.join(self._folder, name)

    def _write(self, name, text):
        with open(self._path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self._path(name)

    def _once(self, what, make):
        if what not in self._made:
            self._made[what] = make()
        return self._made[what]

    def _run(self, *arguments):
        done = subprocess.run([self._openssl, *arguments], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise AssertionError(f"openssl {' '.join(arguments)}:\n{done.stderr}")

    def _key(self, name):
        path = self._path(name + ".key")
        self._run("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", path)
        return path

    def _join(self, name, certificate, key):
        with open(certificate, encoding="utf-8") as first, open(key, encoding="utf-8") as second:
            return self._write(name + ".pem", first.read() + second.read())

    def _self_signed(self, name, subject, extensions):
        key = self._key(name)
        added = [word for extension in extensions for word in ("-addext", extension)]
        self._run("req", "-x509", "-new", "-key", key, "-sha256", "-days", "2", "-subj", subject, *added,
                  "-out", self._path(name + ".crt"))
        return self._join(name, self._path(name + ".crt"), key)

    def _signed(self, subject, extension, begin=None, end=None):
        name = f"signed{len(self._made)}"
        key = self._key(name)
        dates = ["-startdate", begin, "-enddate", end] if begin else ["-days", "2"]
        self._run("req", "-new", "-key", key, "-subj", subject, "-out", self._path(name + ".csr"))
        self._run("ca", "-batch", "-notext", "-config", self._path("ca.cnf"), "-cert", self._path("ca.crt"),
                  "-keyfile", self._path("ca.key"), "-in", self._path(name + ".csr"),
                  "-extfile", self._write(name + ".ext", extension + "\n"), *dates,
                  "-out", self._path(name + ".crt"))
        return self._join(name, self._path(name + ".crt"), key)
