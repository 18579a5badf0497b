# SPDX-License-Identifier: Apache-2.0
"""Proxies that count: HTTP (plain requests passed on, CONNECT for tunnels) and SOCKS5."""

import asyncio
import base64
import contextlib
import ipaddress
import socket

from scripted_server import Peer, Server


class ProxyPeer(Peer):
    """A client's connection, and the one to the server when there is one."""

    async def exactly(self, count):
        while len(self._unread) < count:
            if not await self._more():
                return None
        data, self._unread = self._unread[:count], self._unread[count:]
        return data

    async def reach(self, host, port):
        """Connects to where the client wants to go; False when that fails."""
        self.server.targets.append((host, port))
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        if host == "localhost":
            host = "127.0.0.1"
        self._far = socket.socket(family, socket.SOCK_STREAM)
        self._far.setblocking(False)
        try:
            await self._loop.sock_connect(self._far, (host, port))
        except OSError:
            self._far.close()
            return False
        self._far.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.set_no_delay()
        return True

    async def _copy(self, source, sink):
        with contextlib.suppress(OSError):
            while data := await self._loop.sock_recv(source, 1 << 18):
                await self._loop.sock_sendall(sink, data)
        with contextlib.suppress(OSError):
            sink.shutdown(socket.SHUT_WR)

    async def relay(self, first=b""):
        """Carries bytes both ways until both sides have ended."""
        try:
            if first or self._unread:
                await self._loop.sock_sendall(self._far, first + self._unread)
                self._unread = b""
            await asyncio.gather(self._copy(self._sock, self._far), self._copy(self._far, self._sock))
        finally:
            self._far.close()
        self.close()


class Proxy(Server):
    """What proxies share: where clients wanted to go, and how often each was refused."""

    def __init__(self, script, credentials=None, **how):
        super().__init__(script, **how)
        self.credentials = credentials
        self.targets = []
        self.refused = 0

    def make_peer(self, sock, number):
        return ProxyPeer(self, sock, number)

    def address(self, scheme=""):
        return f"{scheme}127.0.0.1:{self.port}"


def value_of(head, name):
    for line in head.decode("latin-1").split("\r\n")[1:]:
        field, _, value = line.partition(":")
        if field.strip().lower() == name.lower():
            return value.strip()
    return None


async def speak_http(peer):
    """Either a tunnel, or one request passed on with the rest of its connection."""
    head = await peer.head()
    if head is None:
        return
    method, target, _ = head.decode("latin-1").split("\r\n")[0].split(" ")
    server = peer.server
    if server.credentials:
        wanted = "Basic " + base64.b64encode(server.credentials.encode()).decode()
        if value_of(head, "Proxy-Authorization") != wanted:
            server.refused += 1
            await peer.send(b'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="p"\r\n'
                            b"Content-Length: 0\r\nConnection: close\r\n\r\n")
            return
    place = target if method == "CONNECT" else target.split("/")[2]
    host, _, port = place.rpartition(":")
    if not await peer.reach(host.strip("[]"), int(port)):
        await peer.send(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        return
    if method == "CONNECT":
        await peer.send(b"HTTP/1.1 200 Connection established\r\n\r\n")
        await peer.relay()
    else:
        await peer.relay(head)


async def speak_socks5(peer):
    """RFC 1928, and RFC 1929 when there are credentials."""
    server = peer.server
    greeting = await peer.exactly(2)
    if greeting is None:
        return
    methods = await peer.exactly(greeting[1])
    method = 2 if server.credentials else 0
    if method not in methods:
        server.refused += 1
        await peer.send(b"\x05\xff")
        return
    await peer.send(bytes([5, method]))
    if server.credentials and not await _log_in(peer):
        return
    _, _, _, kind = await peer.exactly(4)
    if kind == 3:
        host = (await peer.exactly((await peer.exactly(1))[0])).decode()
    else:
        host = str(ipaddress.ip_address(await peer.exactly(4 if kind == 1 else 16)))
    port = int.from_bytes(await peer.exactly(2), "big")
    reached = await peer.reach(host, port)
    await peer.send(bytes([5, 0 if reached else 5, 0, 1, 127, 0, 0, 1, 0, 0]))
    if reached:
        await peer.relay()


async def _log_in(peer):
    _, length = await peer.exactly(2)
    user = await peer.exactly(length)
    password = await peer.exactly((await peer.exactly(1))[0])
    right = (user + b":" + password).decode() == peer.server.credentials
    await peer.send(bytes([1, 0 if right else 1]))
    peer.server.refused += not right
    return right
