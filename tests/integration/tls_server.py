# SPDX-License-Identifier: Apache-2.0
"""The scripted server under TLS: the same scripts, and what the server saw of each handshake.

All bytes are counted inside TLS, as lather counts them. A script can speak to the socket below as well:
send raw bytes, or end the connection without close_notify.
"""

import contextlib
import ssl

from scripted_server import Peer, Server

RECORD = 1 << 16


def server_context(certificate, least=None, most=None, wants=None, tickets=True, ciphers=None):
    """A server's side with the PEM file of its certificate and key; `wants` is the authority of clients."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    if ciphers:
        context.set_ciphers(ciphers)
    if least:
        context.minimum_version = least
    if most:
        context.maximum_version = most
    if wants:
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(wants)
    if not tickets:
        context.num_tickets = 0
        context.options |= ssl.OP_NO_TICKET
    return context


class TlsPeer(Peer):
    """One TLS connection, as the script sees it."""

    def __init__(self, server, sock, number, context):
        super().__init__(server, sock, number)
        self._incoming = ssl.MemoryBIO()
        self._outgoing = ssl.MemoryBIO()
        self.tls = context.wrap_bio(self._incoming, self._outgoing, server_side=True)
        # A ticket goes out before the answer: with Nagle's rule that would wait 40 ms for its acknowledgement.
        self.set_no_delay()

    async def push(self):
        """What TLS has to say goes to the socket."""
        data = self._outgoing.read()
        if data:
            with contextlib.suppress(ConnectionError):
                await self._loop.sock_sendall(self._sock, data)

    async def _pull(self):
        """What the client says goes to TLS; False at its end."""
        data = b""
        with contextlib.suppress(ConnectionError):
            data = await self._loop.sock_recv(self._sock, 1 << 18)
        if not data:
            self._incoming.write_eof()
            return False
        self._incoming.write(data)
        return True

    async def _drive(self, step):
        """Repeats one call of ssl until it does what it should; an SSLError ends it."""
        while True:
            try:
                return step()
            except ssl.SSLWantReadError:
                await self.push()
                if not await self._pull():
                    raise ssl.SSLEOFError("the client closed") from None
            finally:
                await self.push()

    async def shake_hands(self):
        await self._drive(self.tls.do_handshake)

    # ---- what Peer does without TLS

    async def _more(self):
        try:
            data = await self._drive(lambda: self.tls.read(RECORD))
        except ssl.SSLZeroReturnError:
            self.server.closed_politely += 1
            data = b""
        except ssl.SSLEOFError:
            data = b""
        except ssl.SSLError as error:
            self.server.tls_errors.append(getattr(error, "reason", None) or str(error))
            data = b""
        self.server.bytes_in += len(data)
        self._unread += data
        return bool(data)

    async def send(self, data):
        if self.gone:
            return False
        for start in range(0, len(data), RECORD):
            try:
                await self._drive(lambda: self.tls.write(data[start : start + RECORD]))
            except ssl.SSLError:
                return False
        self.server.bytes_out += len(data)
        return True

    def half_close(self):
        """close_notify, then FIN."""
        with contextlib.suppress(ssl.SSLError):
            self.tls.unwrap()
        data = self._outgoing.read()
        with contextlib.suppress(OSError):
            self._sock.send(data)
        super().half_close()

    async def unwrap(self):
        """close_notify, and waits for the client's before anything is closed."""
        with contextlib.suppress(ssl.SSLError):
            await self._drive(self.tls.unwrap)
            self.server.closed_politely += 1

    def half_close_silently(self):
        """FIN without close_notify, as Mono does it."""
        super().half_close()

    async def send_raw(self, data):
        """Bytes that are no TLS."""
        await self._loop.sock_sendall(self._sock, data)


class TlsServer(Server):
    """Runs scripts under TLS. What clients showed is counted."""

    def __init__(self, script, context, **how):
        super().__init__(script, **how)
        self._context = context
        self.handshakes = 0
        self.resumed = 0  # of the handshakes
        self.handshakes_failed = 0
        self.closed_politely = 0  # connections on which the client said close_notify
        self.names = []  # SNI, each that was sent; None without
        self.subjects = set()  # common names of clients
        self.tls_errors = []
        context.sni_callback = self._on_name

    def _on_name(self, _tls, name, _context):
        self.names.append(name)

    def url(self, host="localhost", path="/OrderService.svc"):
        return f"https://{host}:{self.port}{path}"

    def make_peer(self, sock, number):
        return TlsPeer(self, sock, number, self._context)

    async def begin(self, peer):
        try:
            await peer.shake_hands()
        except ssl.SSLError as error:
            self.handshakes_failed += 1
            self.tls_errors.append(getattr(error, "reason", None) or str(error))
            return False
        self.handshakes += 1
        self.resumed += peer.tls.session_reused
        certificate = peer.tls.getpeercert()
        if certificate:
            self.subjects.update(value for part in certificate["subject"] for _, value in part)
        return True
