# SPDX-License-Identifier: Apache-2.0
"""A server that does exactly what a test tells it to, and counts exactly what it saw.

A test gives it one coroutine, called for each connection with a Peer: it reads requests, sends any bytes
at any time, resets, closes by halves, or never answers. The server is the witness of a test: what the
report says is compared with its counts. Everything runs in one asyncio loop on a thread of its own.

    async def script(peer):
        while request := await peer.request():
            await peer.send(answers.ok(answers.ENVELOPE))

    with Server(script) as server:
        ... run lather against server.url() ...
    assert server.requests == 20
"""

import asyncio
import contextlib
import os
import socket
import struct
import threading
import time

# A peer that was told to close its side gets this long before it is cut off.
LINGER_S = 2.0
# Requests kept in Server.log; the counters go on beyond.
LOG_CEILING = 5000


class Request:
    """One whole request as it came."""

    def __init__(self, number, connection, head, body, stamp):
        self.number = number  # on this server, from 1
        self.connection = connection  # the number of its connection, from 1
        self.head = head  # bytes, blank line included
        self.body = body  # bytes, framing removed
        self.read_at = stamp  # time.perf_counter() when its last byte was there
        lines = head.decode("latin-1").split("\r\n")
        self.line = lines[0]
        self.fields = [tuple(part.strip() for part in line.split(":", 1)) for line in lines[1:] if line]

    def values(self, name):
        """All values of a field, in order; its name in any case."""
        return [value for field, value in self.fields if field.lower() == name.lower()]

    def value(self, name):
        values = self.values(name)
        return values[0] if values else None

    def names(self):
        return [name for name, _ in self.fields]


class Peer:
    """One connection, as the script sees it."""

    def __init__(self, server, sock, number):
        self.server = server
        self.number = number
        self.asked = 0  # requests read on this connection
        self.gone = False  # closed or reset by us
        self._sock = sock
        self._loop = asyncio.get_running_loop()
        self._unread = b""

    def address(self):
        """Where the client's end is."""
        return self._sock.getpeername()[0]

    # ---- reading

    async def _more(self):
        """Reads once; False at the end."""
        try:
            data = await self._loop.sock_recv(self._sock, 1 << 18)
        except ConnectionError:
            data = b""
        self.server.bytes_in += len(data)
        self._unread += data
        return bool(data)

    async def arrival(self):
        """Waits for the first bytes of whatever it is; they stay to be read."""
        return bool(self._unread) or await self._more()

    async def head(self):
        """Reads up to the blank line; None when the client closes before it."""
        while (end := self._unread.find(b"\r\n\r\n")) < 0:
            if not await self._more():
                if self._unread:
                    self.server.partial += 1
                self._unread = b""
                return None
        head, self._unread = self._unread[: end + 4], self._unread[end + 4 :]
        return head

    async def _exactly(self, count):
        parts = [self._unread]
        have = len(self._unread)
        self._unread = b""
        while have < count:
            if not await self._more():
                return None
            parts.append(self._unread)
            have += len(self._unread)
            self._unread = b""
        whole = b"".join(parts)
        self._unread = whole[count:]
        return whole[:count]

    async def _line(self):
        while (end := self._unread.find(b"\r\n")) < 0:
            if not await self._more():
                return None
        line, self._unread = self._unread[:end], self._unread[end + 2 :]
        return line

    async def _chunks(self):
        body = b""
        while True:
            line = await self._line()
            if line is None:
                return None
            size = int(line.split(b";")[0], 16)
            data = await self._exactly(size) if size else b""
            if data is None:
                return None
            body += data
            while True:
                line = await self._line()
                if line is None:
                    return None
                if not line:
                    break
            if size == 0:
                return body

    async def request(self):
        """Reads one whole request and counts it; None when the client closes."""
        head = await self.head()
        if head is None:
            return None
        fields = {}
        for line in head.split(b"\r\n")[1:]:
            name, _, value = line.partition(b":")
            fields[name.strip().lower()] = value.strip()
        if fields.get(b"expect", b"").lower() == b"100-continue":
            await self.send(b"HTTP/1.1 100 Continue\r\n\r\n")
        if fields.get(b"transfer-encoding", b"").lower() == b"chunked":
            body = await self._chunks()
        else:
            body = await self._exactly(int(fields.get(b"content-length", b"0")))
        if body is None:
            self.server.partial += 1
            return None
        self.asked += 1
        return self.server.count_request(self, head, body)

    # ---- writing

    async def send(self, data):
        """Sends bytes; what a closed peer did not take is not counted."""
        self.server.bytes_out += len(data)  # before: the test may look as soon as the peer has them
        try:
            await self._loop.sock_sendall(self._sock, data)
        except BaseException as error:
            self.server.bytes_out -= len(data)
            if isinstance(error, ConnectionError):
                return False
            raise
        return True

    async def send_slowly(self, data, size=1, pause_s=0.0):
        """Sends bytes in pieces of `size`, each in a packet of its own."""
        self.set_no_delay()
        for start in range(0, len(data), size):
            if not await self.send(data[start : start + size]):
                return
            await asyncio.sleep(pause_s)

    def set_no_delay(self):
        """Small packets go out at once: what was sent is there before a reset."""
        self._sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    async def answer(self, request, data):
        """Sends an answer and notes how long the request had been here, as the server saw it."""
        await self.send(data)
        self.server.served_s.append(time.perf_counter() - request.read_at)

    @staticmethod
    async def sleep(seconds):
        await asyncio.sleep(seconds)

    @staticmethod
    async def sleep_until(stamp):
        """Sleeps until time.perf_counter() says stamp, to some microseconds."""
        while (left := stamp - time.perf_counter()) > 0:
            await asyncio.sleep(left - 0.002 if left > 0.003 else 0)

    # ---- endings

    def _close(self):
        if not self.gone:
            self.gone = True
            self._sock.close()

    def reset(self):
        """Ends the connection with RST, whatever is under way."""
        if not self.gone:
            self._sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self._close()

    def close(self):
        """Plain close: RST follows if the client had sent what was not read."""
        self._close()

    def half_close(self):
        """Sends FIN and stays open for reading."""
        with contextlib.suppress(OSError):
            self._sock.shutdown(socket.SHUT_WR)

    async def hang(self):
        """Never answers: waits until the client closes. What it still sends is read and counted."""
        while await self.request():
            pass

    async def finish(self):
        """The polite end of every script: FIN, then what the client had sent is still counted."""
        if self.gone:
            return
        self.half_close()
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self._drain(), LINGER_S)
        self._close()

    async def _drain(self):
        while await self.request():
            self.server.ignored += 1


class Server:
    """Listens on a free port of `host` (None: both loopback addresses are not needed, give one)."""

    def __init__(self, script, host="127.0.0.1", backlog=4096, receive_buffer=None):
        self.script = script
        self.host = host
        self.backlog = backlog
        self.receive_buffer = receive_buffer
        self.connections = 0  # accepted
        self.open = 0
        self.open_peak = 0
        self.requests = 0  # read whole, ignored ones included
        self.ignored = 0  # of these: they came after the script had ended its side
        self.partial = 0  # begun, but the client closed before their end
        self.bytes_in = 0
        self.bytes_out = 0
        self.log = []  # the first LOG_CEILING requests
        self.served_s = []  # filled by Peer.answer
        self.errors = []  # exceptions out of scripts: always a defect of the test
        self.port = None
        self._peers = set()
        self._tasks = set()

    # ---- for tests

    def url(self, host=None, path="/OrderService.svc"):
        name = host or (f"[{self.host}]" if ":" in self.host else self.host)
        return f"http://{name}:{self.port}{path}"

    def __enter__(self):
        self._bind(0)
        self.port = self._listener.getsockname()[1]
        self._listener.listen(self.backlog)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._call(self._stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def stop_listening(self):
        """From now on connects are refused; open connections go on."""
        self._call(self._stop_listening())

    def stop_accepting(self):
        """From now on connects wait in the system's queue, as far as there is room."""
        self._call(self._pause(True))

    def accept_again(self):
        self._call(self._pause(False))

    def listen_elsewhere(self):
        """Gives the port up and takes another free one."""
        self._call(self._listen_elsewhere())

    def listen_again(self):
        """Takes the same port again."""
        self._call(self._listen_again())

    # ---- for peers

    def count_request(self, peer, head, body):
        self.requests += 1
        request = Request(self.requests, peer.number, head, body, time.perf_counter())
        if len(self.log) < LOG_CEILING:
            self.log.append(request)
        return request

    # ---- inside

    def _bind(self, port):
        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        self._listener = socket.socket(family, socket.SOCK_STREAM)
        self._listener.setblocking(False)
        self._listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            self._listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        if self.receive_buffer:
            self._listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, self.receive_buffer)
        self._listener.bind((self.host, port))

    async def _stop_listening(self):
        self._loop.remove_reader(self._listener.fileno())
        self._listener.close()

    async def _pause(self, paused):
        if paused:
            self._loop.remove_reader(self._listener.fileno())
        else:
            self._loop.add_reader(self._listener.fileno(), self._accept)

    async def _listen_elsewhere(self):
        await self._stop_listening()
        self._bind(0)
        self.port = self._listener.getsockname()[1]
        self._listener.listen(self.backlog)
        self._loop.add_reader(self._listener.fileno(), self._accept)

    async def _listen_again(self):
        self._bind(self.port)
        self._listener.listen(self.backlog)
        self._loop.add_reader(self._listener.fileno(), self._accept)

    def _run(self):
        asyncio.set_event_loop(self._loop)
        self._loop.call_soon(lambda: self._loop.add_reader(self._listener.fileno(), self._accept))
        self._loop.run_forever()

    def _call(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(30)

    def _accept(self):
        while True:
            try:
                sock, _ = self._listener.accept()
            except OSError:
                return
            sock.setblocking(False)
            self.connections += 1
            self.open += 1
            self.open_peak = max(self.open_peak, self.open)
            task = self._loop.create_task(self._serve(sock, self.connections))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def make_peer(self, sock, number):
        return Peer(self, sock, number)

    async def begin(self, peer):  # pylint: disable=unused-argument
        """What comes before the script; False: the script has nobody to talk to."""
        return True

    async def _serve(self, sock, number):
        peer = self.make_peer(sock, number)
        self._peers.add(peer)
        try:
            if await self.begin(peer):
                await self.script(peer)
            await peer.finish()
        except asyncio.CancelledError:
            peer.reset()
        except Exception as error:  # pylint: disable=broad-except
            self.errors.append(error)
            peer.reset()
        finally:
            self._peers.discard(peer)
            self.open -= 1

    async def _stop(self):
        with contextlib.suppress(ValueError, OSError):
            self._loop.remove_reader(self._listener.fileno())
        self._listener.close()
        # What a client sent before it closed may still be on its way through the scripts.
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=0.5)
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


class ReservedPort:
    """A port of 127.0.0.1 that refuses connections and that nobody else can take meanwhile."""

    def __enter__(self):
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._socket.bind(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        return self

    def url(self, path="/OrderService.svc"):
        return f"http://127.0.0.1:{self.port}{path}"

    def __exit__(self, *_):
        self._socket.close()


class FullBacklog:
    """A listener whose queue is full, so that connects neither succeed nor fail."""

    def __enter__(self):
        self._listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._listener.bind(("127.0.0.1", 0))
        self._listener.listen(0)
        self.port = self._listener.getsockname()[1]
        self._fillers = []
        for _ in range(8):
            filler = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
            filler.setblocking(False)
            filler.connect_ex(("127.0.0.1", self.port))
            self._fillers.append(filler)
        time.sleep(0.05)
        return self

    def url(self, path="/OrderService.svc"):
        return f"http://127.0.0.1:{self.port}{path}"

    def __exit__(self, *_):
        for sock in [*self._fillers, self._listener]:
            sock.close()


def answering(data, pause_s=0.0):
    """A script: the same answer to every request, after a pause; data may be a function of the request.

    A connection ends as the client asked for it (Connection: close).
    """

    async def script(peer):
        while request := await peer.request():
            if pause_s:
                await peer.sleep(pause_s)
            if not await peer.send(data(request) if callable(data) else data):
                return
            if (request.value("Connection") or "").lower() == "close":
                return

    return script


assert os.name == "posix", "these tests are for POSIX systems"
