# SPDX-License-Identifier: Apache-2.0
"""The server's side of Digest (RFC 7616): nonces that become stale, and a count that may not be repeated."""

import hashlib
import itertools
import re

ALGORITHMS = {"MD5": hashlib.md5, "SHA-256": hashlib.sha256}


def parameters(field):
    """The name=value pairs of an Authorization: Digest field, quotes removed."""
    return {name.lower(): quoted or plain
            for name, quoted, plain in re.findall(r'(\w+)=(?:"([^"]*)"|([^\s,"]+))', field)}


class Gate:
    """What all connections of a server share. A nonce is good for `uses` requests (None: for ever)."""

    def __init__(self, user="alice", password="secret", realm="orders", uses=None, algorithms=("MD5",)):
        self.user, self.password, self.realm = user, password, realm
        self.uses = uses
        self.algorithms = algorithms
        self.counts = {}  # nonce: the counts that came with it
        self.stale = 0
        self._numbers = itertools.count(1)

    def _challenges(self, is_stale):
        nonce = f"nonce-{next(self._numbers)}"
        self.counts[nonce] = set()
        return [f'WWW-Authenticate: Digest realm="{self.realm}", nonce="{nonce}", algorithm={algorithm}, qop="auth"'
                + (", stale=true" if is_stale else "") for algorithm in self.algorithms]

    def _is_right(self, request, given):
        digest = ALGORITHMS[given.get("algorithm", "MD5").upper()]

        def hashed(*parts):
            return digest(":".join(parts).encode()).hexdigest()

        method, target, _ = request.line.split(" ")
        secret = hashed(self.user, self.realm, self.password)
        wanted = hashed(secret, given["nonce"], given["nc"], given["cnonce"], given["qop"], hashed(method, target))
        return given["username"] == self.user and given["uri"] == target and given["response"] == wanted

    def admit(self, request):
        """None when the request may be served, else the fields of the 401 to send."""
        given = parameters(request.value("Authorization") or "")
        seen = self.counts.get(given.get("nonce"))
        if seen is None or not self._is_right(request, given) or given["nc"] in seen:
            return self._challenges(False)
        if self.uses is not None and len(seen) >= self.uses:
            self.stale += 1
            return self._challenges(True)
        seen.add(given["nc"])
        return None
