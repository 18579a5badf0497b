# SPDX-License-Identifier: Apache-2.0
"""Both transports against every behaviour of the table: the same run through `--transport direct` and
`--transport curl` ends in the same outcomes, counts, bytes and repetitions, and the server sees the same.
What is left out of a comparison stands in behaviours.py with its reason.
"""

import behaviours
from case import Case
from lather import ORDER_11
from scripted_server import Server

# Figures of time, and those of the way in which a transport is built.
NEVER_COMPARED = {"tls_full_ns", "tls_resumed_ns"}


class Differential(Case):
    def run_through(self, transport, behaviour, keep_alive):
        body = behaviour.body
        if isinstance(body, bytes):
            body = self.file(body)
        elif body == "order":
            body = ORDER_11
        with Server(behaviour.script) as server:
            result = self.fire(server, behaviour.requests, behaviour.connections, "--transport", transport,
                               *behaviour.options, k=keep_alive, body=body)
        self.assert_report(result)
        self.assertEqual(server.errors, [], "the scripted server failed")
        return self.figures(result, server, behaviour)

    @staticmethod
    def figures(result, server, behaviour):
        """All that must be the same."""
        figures = {f"traffic.{name}": count for name, count in result.json["traffic"].items()
                   if name not in behaviour.apart and name not in NEVER_COMPARED}
        if not behaviour.requests > behaviour.connections == result.connections_opened:
            figures.pop("traffic.connections_peak", None)  # one may be over before the other is there
        figures.update({f"outcomes.{name}": count for name, count in result.outcomes.items()})
        figures.update({f"statuses.{status}": count for status, count in result.statuses.items()})
        figures.update({f"counts.{name}": count for name, count in result.json["counts"].items()})
        figures["document bytes"] = result.json["run"]["document_bytes"]
        figures["exit"] = result.exit
        if "failures" not in behaviour.apart:
            figures["failures"] = sorted(
                (group["outcome"], group["status"], group["reason"], group["count"]) for group in result.failures)
        if "server" not in behaviour.apart:
            figures["server"] = (server.requests, server.connections)
        return figures

    def compare(self, name):
        behaviour = behaviours.TABLE[name]
        for keep_alive in (True, False):
            direct = self.run_through("direct", behaviour, keep_alive)
            curl = self.run_through("curl", behaviour, keep_alive)
            different = {key: (direct.get(key), curl.get(key)) for key in direct.keys() | curl.keys()
                         if direct.get(key) != curl.get(key)}
            self.assertEqual(different, {}, f"{'with' if keep_alive else 'without'} -k: (direct, curl)")


def add_case(name):
    def test(self):
        self.compare(name)

    setattr(Differential, f"test_{name}", test)


for each in behaviours.TABLE:
    add_case(each)
