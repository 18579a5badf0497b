# SPDX-License-Identifier: Apache-2.0
"""Apache with /open, /basic, /digest and, beside a KDC, /krb (a token each request) and /krbsession (one each
connection); and Apache with TLS, which wants a client's certificate at once or for /cert alone. What it lets through
goes to a server of the test."""

import pathlib
import subprocess

from server import Folder, find, free_port

MODULES = pathlib.Path("/usr/lib/apache2/modules")
PACKAGES = "apache2"
GSSAPI_PACKAGES = "libapache2-mod-auth-gssapi krb5-kdc krb5-admin-server krb5-user"
REALM = "EXAMPLE.TEST"
PRINCIPALS = ("HTTP/localhost", "HTTP/web.example.test")
# alice:secret, as `openssl passwd -apr1` and `htdigest` write it
HTPASSWD = "alice:$apr1$lather00$KEYtKxON43t42SaYl1mkq.\n"
HTDIGEST = "alice:orders:88dd4c0407f86ac25c4bbcd42e8de4bf\n"


def missing():
    """The packages without which there is no Apache; empty when all are there."""
    return "" if find("apache2") and (MODULES / "mod_auth_digest.so").exists() else PACKAGES


def missing_kerberos():
    tools = all(find(name) for name in ("krb5kdc", "kdb5_util", "kadmin.local", "kinit"))
    return "" if not missing() and tools and (MODULES / "mod_auth_gssapi.so").exists() else GSSAPI_PACKAGES


class Kdc:
    """The realm EXAMPLE.TEST with alice (secret) and the keytab of the services."""

    def __init__(self, folder):
        self._folder = folder
        self.environment = {"KRB5_CONFIG": str(folder.path / "krb5.conf"),
                            "KRB5_KDC_PROFILE": str(folder.path / "kdc.conf")}

    def start(self):
        folder = self._folder
        for _ in range(5):  # the port may be taken between asking for a free one and listening
            port = free_port()
            folder.render("krb5.conf", KDC_PORT=port)
            folder.render("kdc.conf", KDC_PORT=port)
            if not (folder.path / "principal").exists():
                self._fill()
            if folder.launch("kdc", port, find("krb5kdc"), "-n", **self.environment):
                return
        raise AssertionError("the KDC did not start\n" + folder.output())

    def _fill(self):
        folder, keytab = self._folder, self._folder.path / "http.keytab"
        folder.run(find("kdb5_util"), "create", "-s", "-r", REALM, "-P", "master", **self.environment)
        for query in ("addprinc -pw secret alice", *(f"addprinc -randkey {name}" for name in PRINCIPALS),
                      f"ktadd -k {keytab} {' '.join(PRINCIPALS)}"):
            folder.run(find("kadmin.local"), "-r", REALM, "-q", query, **self.environment)
        folder.give("www-data", "http.keytab")

    def ticket(self, name="alice", password="secret"):
        """kinit; the environment in which a client has the ticket."""
        environment = {"KRB5_CONFIG": self.environment["KRB5_CONFIG"],
                       "KRB5CCNAME": f"FILE:{self._folder.path / ('ticket-' + name)}"}
        subprocess.run([find("kinit"), name], input=password + "\n", text=True, check=True, capture_output=True,
                       env={"PATH": "/usr/bin:/bin", **environment})
        return environment

    def no_ticket(self):
        return {"KRB5_CONFIG": self.environment["KRB5_CONFIG"],
                "KRB5CCNAME": f"FILE:{self._folder.path / 'nothing'}"}


class Apache:
    """Use as a context. url(path) is under localhost, by which Kerberos knows it."""

    def __init__(self, backend, kerberos=False, nonce_seconds=300, requests=0):
        self._backend = backend
        self._kerberos = kerberos
        self._settings = {"NONCE_SECONDS": nonce_seconds, "REQUESTS": requests, "MODULES": MODULES}
        self.kdc = None

    def __enter__(self):
        self.folder = Folder()
        try:
            self._start()
        except Exception:
            self.folder.close()
            raise
        return self

    def _start(self):
        folder = self.folder
        for name in ("run", "replay"):
            folder.make(name)
        folder.write("htpasswd", HTPASSWD)
        folder.write("htdigest", HTDIGEST)
        folder.give("www-data", "run", "replay", "htpasswd", "htdigest")
        environment, defines = {}, []
        if self._kerberos:
            self.kdc = Kdc(folder)
            self.kdc.start()
            defines = ["-DGSSAPI"]
            environment = {**self.kdc.environment, "KRB5_KTNAME": str(folder.path / "http.keytab"),
                           "KRB5RCACHEDIR": str(folder.path / "replay")}
        for _ in range(5):
            self.port = free_port()
            conf = folder.render("httpd.conf", PORT=self.port, BACKEND=self._backend, **self._settings)
            if folder.launch("apache", self.port, find("apache2"), "-f", conf, "-DFOREGROUND", *defines,
                             **environment):
                return
        raise AssertionError("Apache did not start\n" + folder.output())

    def url(self, path, host="localhost"):
        return f"http://{host}:{self.port}{path}"

    def __exit__(self, *_):
        self.folder.close()


class TlsApache:
    """Apache that speaks one version of TLS. A client's certificate is wanted for /cert alone, when the request was
    read (1.2: by a renegotiation, 1.3: by post-handshake authentication), or with at_once in the handshake. Use as a
    context."""

    def __init__(self, backend, pki, version, at_once=False, requests=0):
        self._settings = {"BACKEND": backend, "CERTIFICATE": pki.server(), "AUTHORITY": pki.authority,
                          "VERSION": version, "VERIFY": "require" if at_once else "none", "REQUESTS": requests,
                          "MODULES": MODULES}

    def __enter__(self):
        self.folder = Folder()
        self.folder.make("run")
        self.folder.give("www-data", "run")
        for _ in range(5):
            self.port = free_port()
            conf = self.folder.render("httpd-tls.conf", PORT=self.port, **self._settings)
            if self.folder.launch("apache", self.port, find("apache2"), "-f", conf, "-DFOREGROUND"):
                return self
        output = self.folder.output()
        self.folder.close()
        raise AssertionError("Apache did not start\n" + output)

    def url(self, path):
        return f"https://localhost:{self.port}{path}"

    def __exit__(self, *_):
        self.folder.close()
