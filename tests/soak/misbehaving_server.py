# SPDX-License-Identifier: Apache-2.0
"""A server at full speed that misbehaves by a fixed pattern and counts exactly what it saw.

Of its requests it resets 1 % without an answer, stalls 0.1 % until the client gives up, and closes each connection
after 100 answers. One thread of asyncio protocols, no more than a head is looked at: it must not be what is measured.
"""

import asyncio
import socket
import struct

RESET_EVERY, STALL_EVERY, CLOSE_AFTER = 100, 1000, 100
BODY = (b'<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>'
        b'<PlaceOrderResponse xmlns="urn:example:orders"><state>accepted</state></PlaceOrderResponse></s:Body></s:Envelope>')
ANSWER = (b"HTTP/1.1 200 OK\r\nContent-Type: text/xml; charset=utf-8\r\nContent-Length: %d\r\n\r\n" % len(BODY)) + BODY


class Books:
    """What happened, over all connections."""

    def __init__(self):
        self.requests = self.answers = self.resets = self.stalls = self.connections = 0


class Connection(asyncio.Protocol):
    def __init__(self, books):
        self._books = books
        self._buffer = b""
        self._answers = 0

    def connection_made(self, transport):
        self._transport = transport
        self._books.connections += 1
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def _take(self):
        """Whether a whole request was there; it is taken off."""
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            return False
        at = self._buffer.lower().find(b"content-length:", 0, end)
        length = int(self._buffer[at + 15 : self._buffer.index(b"\r", at)]) if at >= 0 else 0
        if len(self._buffer) < end + 4 + length:
            return False
        self._buffer = self._buffer[end + 4 + length :]
        return True

    def data_received(self, data):
        self._buffer += data
        while self._take():
            self._books.requests += 1
            self._serve(self._books.requests)

    def _serve(self, number):
        if number % STALL_EVERY == STALL_EVERY // 2:
            self._books.stalls += 1
        elif number % RESET_EVERY == 0:
            self._books.resets += 1
            self._transport.get_extra_info("socket").setsockopt(
                socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self._transport.abort()
        else:
            self._books.answers += 1
            self._answers += 1
            self._transport.write(ANSWER)
            if self._answers == CLOSE_AFTER:
                self._transport.close()


async def serve(books):
    """A listening server on a free port of loopback."""
    loop = asyncio.get_running_loop()
    return await loop.create_server(lambda: Connection(books), "127.0.0.1", 0, backlog=4096)
