# SPDX-License-Identifier: Apache-2.0
"""Against nginx, a server that nobody here wrote: keep-alive, chunks, and its ways of closing.

Rows of the conformance list: B029, B039, B073.
"""

from case import Case
from nginx import Nginx


class AgainstNginx(Case):
    def nginx(self, **settings):
        return Nginx(self.need("nginx", "nginx"), **settings)

    def good(self, server, n, c, *options, path="/OrderService.svc", **how):
        result = self.fire(server.url(path), n, c, *options, **how)
        self.assert_report(result)
        self.assert_outcomes(result, ok=n)
        self.assertEqual(result.exit, 0, result)
        return result

    def test_keep_alive(self):
        with self.nginx() as server:
            result = self.good(server, 5000, 50)
        self.assertEqual(server.requests, 5000)
        self.assertEqual(result.connections_opened, 50)
        self.assertEqual(result.report.figure("Keep-Alive requests"), 5000)
        self.assertTrue(result.report.words("Server Software").startswith("nginx/"))

    def test_a_new_connection_each(self):
        with self.nginx() as server:
            result = self.good(server, 2000, 20, k=False)
        self.assertEqual(server.requests, 2000)
        self.assertEqual(result.connections_opened, 2000)

    def test_B029_chunked_answers(self):
        with self.nginx() as server:
            result = self.good(server, 500, 10, "--validate", "off", path="/chunked", body=None)
        self.assertEqual(server.requests, 500)
        self.assertEqual(result.connections_opened, 10)

    def test_B039_a_hundred_requests_a_connection(self):
        """It announces the last one, so nothing is sent again."""
        with self.nginx(keepalive_requests=100) as server:
            result = self.good(server, 5000, 10)
        self.assertEqual(server.requests, 5000)
        self.assertEqual(result.sent_again, 0, result)
        self.assertGreaterEqual(result.connections_opened, 50)

    def test_B039_an_idle_close_that_races_with_the_next_request(self):
        """nginx closes idle connections after 1 ms: requests cross the close and are sent again."""
        with self.nginx(keepalive_timeout="1ms") as server:
            result = self.good(server, 5000, 40, "--threads", 2)
        self.assertGreaterEqual(server.requests, 5000)
        self.assertLessEqual(server.requests, result.sent_whole)
        self.assertEqual(result.sent_whole, 5000 + result.sent_again, result)

    def test_B073_503_of_every_request(self):
        with self.nginx() as server:
            result = self.fire(server.url("/status503"), 200, 10)
        self.assert_report(result)
        self.assert_outcomes(result, status=200)
        self.assertEqual(result.report.figure("Non-2xx responses"), 200)
        self.assertEqual(server.requests, 200)
