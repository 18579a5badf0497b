# SPDX-License-Identifier: Apache-2.0
"""Authentication as servers of others do it: Apache with Basic, Digest and Kerberos, squid with NTLM and as a proxy.

The service behind each of them is the scripted server, which counts what was let through.

Rows of the conformance list: B069.
"""

import pathlib
import sys

from answers import ok
from case import Case, mark
from pki import Pki
from scripted_server import Server, answering
from tls_server import TlsServer, server_context

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "services" / "auth"))
import apache  # noqa: E402  pylint: disable=wrong-import-position
import squid  # noqa: E402  pylint: disable=wrong-import-position


class Fronts(Case):
    def need_nothing(self, packages):
        if packages:
            self.skipTest(f"packages are not installed: {packages}")

    def good(self, behind, url, n, c, *options, **how):
        result = self.fire(url, n, c, *options, **how)
        self.assert_report(result)
        self.assert_outcomes(result, ok=n)
        self.assertEqual(result.statuses, {200: n}, result)
        self.assertEqual(result.exit, 0, result)
        self.assertEqual(behind.requests, n, "each message was let through once")
        return result

    def refused(self, behind, url, n, c, *options, says="the server refused the credentials of -A", **how):
        result = self.fire(url, n, c, *options, **how)
        self.assert_report(result)
        self.assert_outcomes(result, status=n)
        self.assertEqual(result.statuses, {401: n}, result)
        self.assertEqual(result.exit, 1, result)
        self.assertEqual(behind.requests, 0)
        if says:
            self.assertIn(says, result.out)
        return result

    # ---- Apache

    def apache(self, behind, **settings):
        if settings.get("kerberos"):
            self.need_part("Negotiate")
        self.need_nothing(apache.missing_kerberos() if settings.get("kerberos") else apache.missing())
        return apache.Apache(behind.port, **settings)

    def test_apache_takes_basic(self):
        for transport in ("direct", "curl"):
            with Server(answering(ok())) as behind, self.apache(behind) as front:
                way = ("--transport", transport)
                self.refused(behind, front.url("/basic"), 4, 2, *way, "-A", "alice:wrong", says=None)
                self.refused(behind, front.url("/basic"), 4, 2, *way, says=None)
                self.good(behind, front.url("/basic"), 40, 4, *way, "-A", "alice:secret")

    def test_apache_takes_digest(self):
        with Server(answering(ok())) as behind, self.apache(behind) as front:
            self.refused(behind, front.url("/digest"), 6, 2, "--digest", "-A", "alice:wrong")
            result = self.good(behind, front.url("/digest"), 200, 4, "--digest", "-A", "alice:secret")
        self.assertEqual(result.connections_opened, 4, result)

    def test_apache_makes_nonces_stale(self):
        """A nonce lives a second, the run three: libcurl hears stale=true and begins a new one."""
        with Server(answering(ok(), 0.02)) as behind, self.apache(behind, nonce_seconds=1) as front:
            result = self.fire(front.url("/digest"), None, 2, "--digest", "-A", "alice:secret", "-t", "3")
        self.assert_report(result)
        self.assertEqual(result.failed, 0, result)
        self.assertEqual(set(result.statuses), {200}, result)
        self.assertGreater(result.traffic["auth_legs"], 2, result)

    def test_apache_takes_kerberos(self):
        with Server(answering(ok())) as behind, self.apache(behind, kerberos=True) as front:
            result = self.good(behind, front.url("/krb"), 60, 3, "--negotiate", env=front.kdc.ticket())
        self.assertEqual(result.connections_opened, 3, result)
        self.assertEqual(result.traffic["auth_handshakes"], 60, "a token each request")
        self.assertIn("had to authenticate", " ".join(result.notes))

    def test_apache_keeps_a_kerberos_session(self):
        with Server(answering(ok())) as behind, self.apache(behind, kerberos=True) as front:
            result = self.good(behind, front.url("/krbsession"), 60, 3, "--negotiate", env=front.kdc.ticket())
        self.assertEqual(result.connections_opened, 3, result)

    def test_no_kerberos_ticket_is_told(self):
        with Server(answering(ok())) as behind, self.apache(behind, kerberos=True) as front:
            self.refused(behind, front.url("/krb"), 4, 2, "--negotiate", env=front.kdc.no_ticket(), says="kinit")

    def test_B069_a_service_principal_of_another_name(self):
        """The URL's host is not the one the service is registered under."""
        with Server(answering(ok())) as behind, self.apache(behind, kerberos=True) as front:
            ticket = front.kdc.ticket()
            url = front.url("/krb", host="127.0.0.1")
            self.refused(behind, url, 2, 1, "--negotiate", env=ticket, says=None)
            self.good(behind, url, 20, 2, "--negotiate", "--spn", "HTTP/web.example.test", env=ticket)

    # ---- squid

    def test_squid_passes_plain_requests_on(self):
        self.need_nothing(squid.missing())
        with Server(answering(ok())) as behind, squid.ForwardProxy() as proxy:
            result = self.good(behind, behind.url(), 60, 4, "-X", proxy.address())
        self.assertEqual(result.connections_opened, 4, result)

    def test_squid_gives_a_tunnel(self):
        self.need_nothing(squid.missing())
        pki = Pki(self.need("openssl", "openssl"))
        self.addCleanup(pki.close)
        with TlsServer(answering(ok()), server_context(pki.server())) as behind, squid.ForwardProxy() as proxy:
            result = self.good(behind, behind.url(), 60, 4, "-X", proxy.address(), "--cacert", pki.authority)
        self.assertEqual((behind.handshakes, result.connections_opened), (4, 4), result)

    @mark("serial")
    def test_squid_judges_ntlm(self):
        """Two hundred identities, twenty requests each: one handshake a connection; and wrong passwords."""
        self.need_nothing(squid.missing_ntlm())
        judges = squid.has_winbindd()
        with Server(answering(ok())) as behind, squid.NtlmFront(behind.port, judges) as front:
            url = f"http://localhost:{front.port}/OrderService.svc"
            if judges:
                self.refused(behind, url, 6, 3, "--ntlm", "-A", squid.NTLM_USER + ":wrong")
            result = self.good(behind, url, 4000, 200, "--ntlm", "-A", squid.NTLM_USER + ":secret", limit=60)
        self.assertEqual(result.traffic["auth_handshakes"], result.connections_opened, result)
        self.assertEqual(result.connections_opened, 200, result)
