# SPDX-License-Identifier: Apache-2.0
"""The server's side of NTLM, enough to tell a right password from a wrong one (MS-NLMP, NTLMv2).

Python's hashlib has MD4 only where OpenSSL still gives it, so it is written out here (RFC 1320).
"""

import base64
import hashlib
import hmac
import os
import struct

SIGNATURE = b"NTLMSSP\0"
NEGOTIATE_UNICODE, REQUEST_TARGET, NEGOTIATE_NTLM = 0x1, 0x4, 0x200
EXTENDED_SECURITY, TARGET_INFO = 0x80000, 0x800000  # libcurl answers with NTLMv2 when both are offered


def _rotate(value, bits):
    value &= 0xFFFFFFFF
    return (value << bits | value >> (32 - bits)) & 0xFFFFFFFF


_ROUNDS = (
    (0, (3, 7, 11, 19), list(range(16)), lambda x, y, z: (x & y) | (~x & z)),
    (0x5A827999, (3, 5, 9, 13), [i % 4 * 4 + i // 4 for i in range(16)],
     lambda x, y, z: (x & y) | (x & z) | (y & z)),
    (0x6ED9EBA1, (3, 9, 11, 15), [0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15],
     lambda x, y, z: x ^ y ^ z),
)


def md4(data):
    """RFC 1320."""
    state = [0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476]
    padded = data + b"\x80" + b"\0" * ((55 - len(data)) % 64) + struct.pack("<Q", len(data) * 8)
    for start in range(0, len(padded), 64):
        words = struct.unpack("<16I", padded[start : start + 64])
        a, b, c, d = state
        for constant, shifts, order, mix in _ROUNDS:
            for step, word in enumerate(order):
                a = _rotate(a + mix(b, c, d) + words[word] + constant, shifts[step % 4])
                a, b, c, d = d, a, b, c
        state = [(one + two) & 0xFFFFFFFF for one, two in zip(state, (a, b, c, d))]
    return struct.pack("<4I", *state)


assert md4(b"abc").hex() == "a448017aaf21d8525fc10ae87aa6729d"  # RFC 1320, A.5


def message_type(token):
    """1, 2 or 3; 0 when it is no NTLM message."""
    return struct.unpack("<I", token[8:12])[0] if token[:8] == SIGNATURE and len(token) >= 12 else 0


def challenge(nonce, domain="CORP"):
    """A CHALLENGE_MESSAGE (2.2.1.2) with an 8-byte nonce."""
    name = domain.encode("utf-16-le")
    info = struct.pack("<HH", 2, len(name)) + name + struct.pack("<HH", 0, 0)
    flags = NEGOTIATE_UNICODE | REQUEST_TARGET | NEGOTIATE_NTLM | EXTENDED_SECURITY | TARGET_INFO
    head = SIGNATURE + struct.pack("<I", 2)
    head += struct.pack("<HHI", len(name), len(name), 48) + struct.pack("<I", flags) + nonce + b"\0" * 8
    head += struct.pack("<HHI", len(info), len(info), 48 + len(name))
    return head + name + info


def _field(token, at):
    length, _, offset = struct.unpack("<HHI", token[at : at + 8])
    return token[offset : offset + length]


def is_right(token, nonce, user, password):
    """Whether an AUTHENTICATE_MESSAGE (2.2.1.3) proves the password for this nonce (3.3.2)."""
    flags = struct.unpack("<I", token[60:64])[0]
    encoding = "utf-16-le" if flags & NEGOTIATE_UNICODE else "latin-1"
    response, domain, name = _field(token, 20), _field(token, 28), _field(token, 36)
    if name.decode(encoding).lower() != user.lower() or len(response) < 24:
        return False
    identity = name.decode(encoding).upper() + domain.decode(encoding)
    key = hmac.new(md4(password.encode("utf-16-le")), identity.encode("utf-16-le"), hashlib.md5).digest()
    proof, blob = response[:16], response[16:]
    return hmac.compare_digest(proof, hmac.new(key, nonce + blob, hashlib.md5).digest())


class Gate:
    """One connection's NTLM state: 401 until the third message proves the password."""

    def __init__(self, user="alice", password="secret"):
        self.user, self.password = user, password
        self.nonce = None
        self.is_open = False
        self.refused = 0

    def admit(self, request):
        """None when the request may be served, else the fields of the 401 to send."""
        if self.is_open:
            return None
        scheme, _, text = (request.value("Authorization") or "").partition(" ")
        token = base64.b64decode(text) if scheme == "NTLM" else b""
        if message_type(token) == 1:
            self.nonce = os.urandom(8)
            return ["WWW-Authenticate: NTLM " + base64.b64encode(challenge(self.nonce)).decode()]
        if message_type(token) == 3 and self.nonce:
            nonce, self.nonce = self.nonce, None
            if is_right(token, nonce, self.user, self.password):
                self.is_open = True
                return None
            self.refused += 1
        return ["WWW-Authenticate: NTLM"]
