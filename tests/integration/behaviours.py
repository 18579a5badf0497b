# SPDX-License-Identifier: Apache-2.0
"""What servers do, one script each: the table that test_differential runs through both transports.

A behaviour is deterministic: which request meets what depends on the connection and on the number of the
request on it, never on time or on which of two connections was faster.
"""

import answers
from answers import ENVELOPE, TYPE_11, chunked, fault_11, head, ok, until_close
from scripted_server import answering

MORE = answers.envelope("<a>" + "more than is gathered " * 4000 + "</a>")  # 88 kB
BIG = answers.envelope("<a>" + "x" * 300000 + "</a>")  # a request that does not fit into one write


class Behaviour:
    """A script, how lather is run against it, and what is not compared, with the reason."""

    def __init__(self, script, options=(), body="order", requests=8, connections=2, apart=None):
        self.script = script
        self.options = options
        self.body = body
        self.requests = requests
        self.connections = connections
        self.apart = apart or {}


TABLE = {}


def behaviour(name=None, **how):
    """Puts a script into the table under its own name."""

    def put(script):
        TABLE[name or script.__name__] = Behaviour(script, **how)
        return script

    return put


def always(name, data, **how):
    """Every request gets the same bytes; the connection stays open."""
    TABLE[name] = Behaviour(answering(data), **how)


def once(name, data, end="finish", **how):
    """Each connection gets these bytes for its first request, and then its end."""

    async def script(peer):
        if await peer.request():
            await peer.send(data)
            if end == "reset":
                await peer.sleep(0.05)
                peer.reset()

    TABLE[name] = Behaviour(script, **how)


# ---- framing

always("content_length", ok())
always("content_length_0", ok(b""), options=("--one-way",))
always("field_names_in_any_case", head(fields=[f"cOnTeNt-LeNgTh: {len(ENVELOPE)}"]) + ENVELOPE)
always("line_feeds_alone", ok().replace(b"\r\n", b"\n", 3))
always("empty_reason", ok(status="200 "))
always("no_reason", ok(status="200"))
always("blanks_around_values", head(fields=[f"Content-Length:   {len(ENVELOPE)}  ", "X-A:\t"]) + ENVELOPE)
always("long_field", ok(fields=["X-Long: " + "y" * 30000]))
always("field_of_90_KB", ok(fields=["X-Long: " + "y" * 90000]))
always("head_of_95_KiB", ok(fields=[f"X-Number-{i:04}: {'y' * 958}" for i in range(97)]))
always("many_fields", ok(fields=[f"X-Number-{i}: {i}" for i in range(200)]))
always("chunked", chunked())
always("chunks_of_7", chunked(size=7))
always("chunk_extensions", chunked(size=16, extension=';q="x y"'))
always("trailer", chunked(trailer=["X-Checksum: 1", "X-More: 2"]))
always("chunked_and_length", chunked(fields=["Content-Length: 3"]))
always("more_than_is_gathered", ok(MORE))
always("more_than_is_gathered_in_chunks", chunked(MORE, size=5000))
always("http_1_0", ok(version="HTTP/1.0"))
always("http_1_0_kept", ok(version="HTTP/1.0", fields=["Connection: keep-alive"]))
always("connection_close", ok(fields=["Connection: close"]))
always("keep_alive_field", ok(fields=["Connection: Keep-Alive", "Keep-Alive: timeout=5, max=100"]))
always("gzip_that_is_none", ok(fields=["Content-Encoding: gzip"]))
always("no_content", head("204 No Content", content_type=None), options=("--expect-status", "204"))
always("not_modified", head("304 Not Modified"), options=("--expect-status", "304"))
always("reset_content", ok(b"", status="205 Reset Content"), options=("--one-way",))
always("head_request", head(fields=["Content-Length: 5000"]), options=("-i",), body=None)
always("get_request", ok(), body=None)
always("put_request", ok(), options=("-m", "PUT"))
always("delete_request", ok(), options=("-m", "DELETE"), body=None)
always("empty_post", ok(), options=("-m", "POST"), body=None)
always("options_with_body", ok(), options=("-m", "OPTIONS"))


@behaviour()
async def single_bytes(peer):
    while await peer.request():
        await peer.send_slowly(ok(fields=["X-A: b"]))


@behaviour()
async def single_bytes_chunked(peer):
    while await peer.request():
        await peer.send_slowly(chunked(size=9, trailer=["A: b"]))


@behaviour()
async def head_and_body_apart(peer):
    while await peer.request():
        await peer.send(ok()[: -len(ENVELOPE)])
        await peer.sleep(0.01)
        await peer.send(ENVELOPE)


# ---- interim answers

HINTS = head("103 Early Hints", ["Link: </a>"], None)
always("early_hints", HINTS + ok())
always("three_interim_answers", HINTS + head("102 Processing", content_type=None) + HINTS + ok())
always("continue_without_being_asked", head("100 Continue", content_type=None) + ok())
once("interim_alone", HINTS)

# ---- the end of the connection

IDLE = ("--think", "250ms")  # so long that a close is seen before the next request goes out

once("until_close", until_close())
once("until_close_1_0", until_close(version="HTTP/1.0"))
once("until_reset", until_close(), end="reset")
once("no_answer", b"")
once("no_answer_but_reset", b"", end="reset")
once("cut_in_the_body", ok()[:-20])
once("cut_in_the_body_by_reset", ok()[:-20], end="reset")
once("cut_in_a_chunk", chunked()[:-25])
once("cut_before_the_last_chunk", chunked(size=50)[:-5])
once("cut_behind_the_head", ok()[: -len(ENVELOPE)])
once("cut_between_fields", b"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n")
once("cut_in_a_field", b"HTTP/1.1 200 OK\r\nContent-Le")
once("cut_in_the_status_line", b"HTTP/1.1 2")
once("one_answer_a_connection", ok(), options=IDLE)


@behaviour(requests=12, options=IDLE)
async def three_answers_a_connection(peer):
    while peer.asked < 3 and await peer.request():
        await peer.send(ok())


@behaviour(requests=12, connections=1)
async def third_answer_says_close(peer):
    while peer.asked < 3 and await peer.request():
        await peer.send(ok(fields=["Connection: close"] if peer.asked == 3 else []))


@behaviour(requests=12, connections=1)
async def reset_instead_of_the_fourth_answer(peer):
    while await peer.request():
        if peer.asked == 4:
            peer.reset()
            return
        await peer.send(ok())


@behaviour(requests=12, connections=1)
async def close_instead_of_the_fourth_answer(peer):
    while await peer.request():
        if peer.asked == 4:
            return
        await peer.send(ok())


@behaviour(requests=12, connections=1)
async def cut_in_the_fourth_answer(peer):
    while await peer.request():
        if peer.asked == 4:
            await peer.send(ok()[:-30])
            return
        await peer.send(ok())


@behaviour(requests=6, connections=1)
async def first_byte_of_the_second_answer(peer):
    """Not sent again: the server had begun to answer."""
    if await peer.request():
        await peer.send(ok())
    if await peer.request():
        await peer.send(b"H")


@behaviour(requests=2, connections=1)
async def the_repetition_is_met_by_a_close_too(peer):
    if await peer.request() and peer.number == 1:
        await peer.send(ok())
        await peer.request()


@behaviour()
async def half_closed_before_the_answer(peer):
    """The server says first that it will not send another request's answer... and answers."""
    if await peer.request():
        await peer.send(ok(fields=["Connection: close"]))
        peer.half_close()
        await peer.sleep(0.02)


@behaviour(options=("-t", "5"))
async def reset_at_once(peer):
    await peer.head()
    peer.server.partial = 0
    peer.reset()


TABLE["reset_at_once"].apart = {
    "requests_lost_maybe": "the reset may cross the request",
    "requests_sent_whole": "the same", "requests_sent_partly": "the same", "write_errors": "the same",
    "bytes_sent": "the same", "server": "the same"}

# ---- bytes that nobody asked for

always("two_answers_to_a_request", ok() + ok(fault_11(), "500 Internal Server Error"))
always("bytes_behind_a_length", ok() + b"garbage")
always("bytes_behind_chunks", chunked() + b"garbage")
always("bytes_behind_no_content", head("204 No Content", content_type=None) + b"garbage",
       options=("--expect-status", "204"))


# ---- what is no answer

OWN_WORDS = {"failures": "libcurl refuses it before our reader sees it, in words of its own"}

always("not_http", b"SSH-2.0-OpenSSH_9.2p1\r\n")
always("zeros", b"\0" * 9)
always("html_alone", b"<html>hello</html>\r\n\r\n")
always("status_of_letters", b"HTTP/1.1 abc OK\r\n\r\n", apart=OWN_WORDS)
always("version_9", b"HTTP/9.9 200 OK\r\n\r\n")
always("tls_alert", b"\x15\x03\x01\x00\x02\x02\x16")
always("bad_chunk_size", head(fields=["Transfer-Encoding: chunked"]) + b"zz\r\n" + ENVELOPE)
always("two_lengths", head(fields=["Content-Length: 10", "Content-Length: 11"]) + ENVELOPE)
always("negative_length", head(fields=["Content-Length: -1"]) + ENVELOPE)
always("length_with_letters", head(fields=["Content-Length: 1x"]) + ENVELOPE)
always("length_beyond_64_bits", head(fields=["Content-Length: 99999999999999999999999"]) + ENVELOPE)
always("nul_in_a_field", ok(fields=["X-A: b\0c"]))
always("nul_in_a_name", ok(fields=["X-\0A: b"]), apart=OWN_WORDS)
always("nul_in_the_reason", ok(status="200 O\0K"))
always("field_without_colon", head(fields=["nonsense", "Content-Length: 0"]))

NO_END = {name: "libcurl does not know its end: the answer is taken whole and its connection closed"
          for name in ("connections_opened", "connections_reopened", "connections_peak", "answers_on_kept", "server")}

# Heads that nobody should send, as RFC 9112 has a client take them.
always("version_1_2", ok(version="HTTP/1.2"))
always("version_2", ok(version="HTTP/2"))
always("version_2_0", ok(version="HTTP/2.0"))
always("version_0_9", ok(version="HTTP/0.9"))
always("tab_behind_the_version", ok(version="HTTP/1.1\t"))
always("two_digits_of_status", ok(status="20 OK"), apart=OWN_WORDS)
always("four_digits_of_status", ok(status="2000 OK"))
always("blank_before_the_colon", ok(fields=["X-A : b"]))
always("folded_field", ok(fields=["X-A: b\r\n c"]))
always("folded_content_type", ok(content_type=None, fields=["Content-Type: text/xml;\r\n charset=utf-8"]))
always("carriage_return_in_a_field", ok(fields=["X-A: b\rc"]))
always("carriage_return_in_a_name", ok(fields=["X-\rA: b"]))
always("gzip_and_chunked", chunked().replace(b"chunked", b"gzip, chunked", 1), apart=NO_END)
always("chunked_twice", chunked(fields=["Transfer-Encoding: chunked"]))
always("length_of_64_bits", head(fields=["Content-Length: 18446744073709551615"]) + ENVELOPE)
always("length_of_65_bits", head(fields=["Content-Length: 18446744073709551616"]) + ENVELOPE)
always("two_equal_lengths", head(fields=[f"Content-Length: {len(ENVELOPE)}"] * 2) + ENVELOPE)
always("list_of_equal_lengths", head(fields=[f"Content-Length: {len(ENVELOPE)}, {len(ENVELOPE)}"]) + ENVELOPE)
always("length_with_a_plus", head(fields=[f"Content-Length: +{len(ENVELOPE)}"]) + ENVELOPE)
always("empty_length", head(fields=["Content-Length:"]) + ENVELOPE)
always("length_with_zeros", head(fields=[f"Content-Length: 000{len(ENVELOPE)}"]) + ENVELOPE)
always("blank_before_the_colon_of_a_length", head(fields=[f"Content-Length : {len(ENVELOPE)}"]) + ENVELOPE, apart=NO_END)
GIVEN_UP = {"bytes_received": "given up in the middle of what is still arriving"}

always("head_of_97_KiB", ok(fields=[f"X-Number-{i:04}: {'y' * 958}" for i in range(101)]), apart=GIVEN_UP)
always("field_of_200_KB", ok(fields=["X-Long: " + "y" * 200000]), apart=GIVEN_UP)
always("endless_head", b"HTTP/1.1 200 OK\r\n" + b"X-A: b\r\n" * 60000, apart={**GIVEN_UP, **OWN_WORDS})

# ---- statuses and verdicts

always("fault_500", ok(fault_11(), "500 Internal Server Error"))
always("fault_200", ok(fault_11()))
always("error_500", ok(b"broken", "500 Internal Server Error", content_type="text/plain"))
always("busy_503", ok(b"<html>busy</html>", "503 Service Unavailable", content_type="text/html"))
always("moved_302", ok(b"", "302 Found", ["Location: /elsewhere"]))
always("moved_307", ok(b"", "307 Temporary Redirect", ["Location: http://127.0.0.1:1/"]))
always("wants_basic_401", ok(b"no", "401 Unauthorized", ['WWW-Authenticate: Basic realm="x"'], "text/plain"))
always("wants_a_proxys_407", ok(b"no", "407 Proxy Authentication Required",
                                ['Proxy-Authenticate: Basic realm="x"'], "text/plain"))
always("unsupported_415", head("415 Cannot process the message", ["Content-Length: 0"]))
always("late_408", ok(b"", "408 Request Timeout", ["Connection: close"]))
always("switching_101", head("101 Switching Protocols", ["Upgrade: h2c", "Connection: Upgrade"], content_type=None))
once("only_an_interim_answer", head("103 Early Hints", content_type=None))
always("upgrade_426", ok(b"", "426 Upgrade Required", ["Upgrade: h2c"]))
always("status_999", ok(b"", "999 Odd"))
always("html_200", ok(b"<html>login</html>", content_type="text/html"))
always("not_well_formed", ok(b"<a><b></a>"))
always("retry_after", ok(b"", "503 Service Unavailable", ["Retry-After: 1"]))
always("set_cookie", ok(fields=["Set-Cookie: a=b; Path=/", "Set-Cookie: c=d"]))
always("not_accepted_by_charset", ok(content_type="text/xml; charset=ebcdic"))


@behaviour(requests=12, connections=1)
async def every_third_is_a_fault(peer):
    while await peer.request():
        await peer.send(ok(fault_11(), "500 Internal Server Error") if peer.asked % 3 == 0 else ok())


# ---- large requests

WITH_ID = answers.large_with_id(300000)

always("large_request", ok(), body=BIG)
always("large_request_with_an_id", ok(answers.ENVELOPE_12, content_type=answers.TYPE_12), body=WITH_ID)


@behaviour(requests=12, connections=1, body=WITH_ID)
async def large_request_with_an_id_met_by_a_close(peer):
    """Sent again from its beginning."""
    while await peer.request():
        if peer.asked == 4:
            return
        await peer.send(ok(answers.ENVELOPE_12, content_type=answers.TYPE_12))


@behaviour(body=BIG)
async def large_request_read_slowly(peer):
    while (whole := await peer.head()) is not None:
        peer.server.slow = True
        await peer.sleep(0.05)
        await peer._exactly(len(BIG))  # pylint: disable=protected-access
        peer.server.count_request(peer, whole, b"")
        peer.asked += 1
        await peer.send(ok())


@behaviour(body=BIG * 20, requests=3, connections=1)
async def refused_413_before_the_body(peer):
    """The server answers at once, closes its side and reads no more."""
    if await peer.head():
        await peer.send(ok(b"too large", "413 Content Too Large", ["Connection: close"], "text/plain"))
        peer.half_close()
        await peer.sleep(0.2)
        peer.reset()


@behaviour(body=BIG * 20, requests=3, connections=1)
async def refused_401_before_the_body_and_reset(peer):
    """The answer is there before the reset is, but for who goes on writing."""
    if await peer.head():
        await peer.send(ok(b"who", "401 Unauthorized", ["Connection: close"], "text/plain"))
        await peer.sleep(0.1)
        peer.reset()


@behaviour(body=BIG * 20, requests=3, connections=1)
async def answered_200_before_the_body(peer):
    """Whoever answers before the end of the request need not read the rest."""
    if await peer.head():
        await peer.send(ok(fields=["Connection: close"]))
        peer.half_close()
        await peer.sleep(0.2)
        peer.reset()


@behaviour(body=BIG * 20, requests=12)
async def reset_in_the_body_at_once(peer):
    """Nothing is said, and the message is larger than all buffers: `send`, whoever meets the reset first."""
    if await peer.head():
        peer.reset()


@behaviour(body=BIG * 20, requests=6)
async def reset_in_the_body_and_reset(peer):
    """The same, when the buffers have filled and nobody writes."""
    if await peer.head():
        await peer.sleep(0.05)
        peer.reset()


def at_once(name, data):
    """The answer comes when the head was read, and the connection closes with the body unread: that is a reset."""

    async def script(peer):
        peer.set_no_delay()  # before the reset everything has been sent
        if await peer.head():
            await peer.send(data)
            peer.reset()

    TABLE[name] = Behaviour(script, body=BIG * 20, requests=12)


at_once("refused_413_and_reset_at_once", ok(b"too large", "413 Content Too Large", ["Connection: close"], "text/plain"))
at_once("refused_401_and_reset_at_once", ok(b"who", "401 Unauthorized", content_type="text/plain"))
at_once("fault_and_reset_at_once", ok(fault_11(), "500 Internal Server Error"))
at_once("answered_until_the_reset_at_once", until_close())
at_once("answered_in_chunks_and_reset_at_once", chunked())
at_once("strays_and_reset_at_once", ok() + b"garbage")

for name in TABLE:
    if name.endswith(("_before_the_body", "_and_reset", "_at_once")) and name != "reset_at_once":
        TABLE[name].apart = {"bytes_sent": "how much fitted into the buffers in between"}
for name in ("reset_in_the_body_at_once", "reset_in_the_body_and_reset"):
    TABLE[name].apart["write_errors"] = "whether a write or a read meets the reset"

# ---- time

TIMES_OUT = ("-s", "600ms")


@behaviour(options=TIMES_OUT, requests=4)
async def never_answers(peer):
    await peer.hang()


@behaviour(options=TIMES_OUT, requests=4)
async def never_ends_its_first_line(peer):
    await peer.request()
    await peer.send(b"HTTP/1.")
    await peer.hang()


@behaviour(options=TIMES_OUT, requests=12, connections=1)
async def silent_from_the_fourth_request_on(peer):
    while await peer.request():
        if peer.asked == 4:
            await peer.hang()
            return
        await peer.send(ok())


@behaviour(options=TIMES_OUT, requests=4)
async def never_ends(peer):
    await peer.request()
    await peer.send(ok()[:-30])
    await peer.hang()


@behaviour(options=TIMES_OUT, requests=4)
async def never_ends_its_head(peer):
    await peer.request()
    await peer.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n")
    await peer.hang()


@behaviour(options=TIMES_OUT, requests=4)
async def drips(peer):
    await peer.request()
    await peer.send(ok()[:-30])
    for _ in range(60):
        await peer.sleep(0.04)
        if not await peer.send(b" "):
            return


TABLE["drips"].apart = {"bytes_received": "depends on the moment of the timeout", "failures": "the same"}


@behaviour(options=("--requests-per-connection", "3"), requests=12, connections=1)
async def requests_per_connection(peer):
    while await peer.request():
        await peer.send(ok())


@behaviour(options=("-B", "127.0.0.1,127.0.0.2"))
async def two_local_addresses(peer):
    while await peer.request():
        await peer.send(ok())


@behaviour(options=("-H", "X-Empty:", "-H", "Content-Type: application/weird", "-H", "Accept:", "-C", "a=b"))
async def odd_fields(peer):
    while await peer.request():
        await peer.send(ok())


@behaviour(options=("-A", "alice:secret"))
async def basic_credentials(peer):
    while await peer.request():
        await peer.send(ok())


@behaviour(options=("-b", "8192"), body=BIG)
async def small_window(peer):
    while await peer.request():
        await peer.send(ok())


assert TYPE_11
