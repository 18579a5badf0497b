# SPDX-License-Identifier: Apache-2.0
"""The hot path (docs/ARCHITECTURE.md) allocates nothing once it is warm.

Two runs that differ in 100,000 requests only: what the worker's own code allocates more in the longer one.
Its books over time take some memory for each interval of them (a few pieces in 0.1 s), none for requests.
"""

import os
import tempfile

from case import Case, mark
from lather import ORDER_11, ORDER_12
from nginx import Nginx
from pki import Pki

WARM, LATER = 10_000, 110_000
INTERVAL_S = 0.1


class Allocations(Case):
    def allocations(self, n, url, *options, **how):
        """What the worker of a run of n requests allocates, and how long it took in seconds."""
        with tempfile.NamedTemporaryFile() as count:
            env = {"LD_PRELOAD": os.environ["LATHER_COUNTER"], "LATHER_ALLOCATIONS": count.name}
            result = self.fire(url, n, 50, *options, "--threads", 1, limit=200, env=env, **how)
            self.assert_report(result)
            self.assertEqual(result.outcomes["ok"], n, result)
            return int(count.read()), result.seconds

    def assert_none(self, url, *options, **how):
        first, _ = self.allocations(WARM, url, *options, **how)
        whole, seconds = self.allocations(LATER, url, *options, **how)
        self.assertGreater(first, 100, "nothing is counted")  # the places of 50 connections
        self.assertLessEqual(whole - first, 10 * seconds / INTERVAL_S + 100)

    def nginx(self, **settings):
        return Nginx(self.need("nginx", "nginx"), **settings)

    @mark("heavy")
    def test_kept_connections(self):
        with self.nginx() as server:
            self.assert_none(server.url("/OrderService.svc"), body=ORDER_11)

    @mark("heavy")
    def test_a_message_made_anew_each_time(self):
        """MessageID and its comparison with RelatesTo, which is absent here, included."""
        with self.nginx() as server:
            self.assert_none(server.url("/OrderService.svc"), body=ORDER_12)

    @mark("heavy")
    def test_kept_connections_in_tls(self):
        pki = Pki(self.need("openssl", "openssl"))
        self.addCleanup(pki.close)
        with self.nginx(tls=pki.server()) as server:
            self.assert_none(server.url("/OrderService.svc"), "--cacert", pki.authority)
