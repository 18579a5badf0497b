# SPDX-License-Identifier: Apache-2.0
"""What the benchmarks share: the messages, nginx with its core, and what the machine and its programs are."""
import contextlib
import os
import pathlib
import platform
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]

REQUEST_BYTES = 941
ANSWER_BYTES = 1766
CONNECTIONS = 50


# ---- the messages: made to their exact lengths

def envelope(body, length, filler_at="@FILLER@"):
    text = ('<?xml version="1.0" encoding="utf-8"?>\n'
            '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/">\n  <s:Body>\n'
            f"{body}  </s:Body>\n</s:Envelope>\n")
    words = "gate B, before noon; call ahead. "
    room = length - len(text) + len(filler_at)
    return text.replace(filler_at, (words * (room // len(words) + 1))[:room])


def order_lines(count):
    return "".join(f"        <line><sku>HX-{20 + i}</sku><quantity>{3 * i + 1}</quantity><price>{i}.35</price></line>\n"
                   for i in range(count))


def request_message(length=REQUEST_BYTES):
    return envelope('    <PlaceOrder xmlns="urn:example:orders">\n      <orderId>A-100417</orderId>\n'
                    f"      <lines>\n{order_lines(5)}      </lines>\n      <note>@FILLER@</note>\n    </PlaceOrder>\n",
                    length)


FRESH = {"id": "urn:uuid:2b1c64f0-7d0e-4b7a-8f6c-51a0d3e7c907", "created": "2024-03-02T10:05:11.042Z",
         "expires": "2024-03-02T10:10:11.042Z", "customer": "C-100417"}
# The same as placeholders; the column's values are as long as the one above.
PLACEHOLDERS = {"id": "urn:uuid:${uuid}", "created": "${now}", "expires": "${now+5m}", "customer": "${data.customer}"}


def secured_message(values):
    """What goes stale in a captured message: an id and a Timestamp; and a key of the business."""
    names = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-"
    return ('<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" xmlns:a="http://www.w3.org/2005/08/addressing"><s:Header>'
            f"<a:Action>urn:example:orders/PlaceOrder</a:Action><a:MessageID>{values['id']}</a:MessageID>"
            f'<o:Security xmlns:o="{names}secext-1.0.xsd" xmlns:u="{names}utility-1.0.xsd"><u:Timestamp><u:Created>{values["created"]}'
            f"</u:Created><u:Expires>{values['expires']}</u:Expires></u:Timestamp></o:Security></s:Header><s:Body>"
            f'<PlaceOrder xmlns="urn:example:orders"><customer>{values["customer"]}</customer></PlaceOrder></s:Body></s:Envelope>')


def write_messages(folder):
    """The files of all cases; the one that most of them send."""
    (folder / "secured.xml").write_text(secured_message(FRESH))
    (folder / "template.xml").write_text(secured_message(PLACEHOLDERS))
    (folder / "customers.csv").write_text("customer\n" + "".join(f"C-{100000 + row}\n" for row in range(1000)))
    (folder / "addressed.xml").write_text(addressed_message())
    (folder / "answer.xsd").write_text(SCHEMA)
    (folder / "golden.xml").write_text(answer_message("x" * 32))
    (folder / "body-64k.xml").write_text(request_message(64 << 10))
    (folder / "body-1m.xml").write_text(request_message(1 << 20))
    body_file = folder / "request.xml"
    body_file.write_text(request_message())
    return body_file


def answer_message(order_id, length=ANSWER_BYTES):
    return envelope('    <PlaceOrderResponse xmlns="urn:example:orders">\n'
                    f"      <orderId>{order_id}</orderId>\n      <state>accepted</state>\n"
                    f"      <lines>\n{order_lines(14)}      </lines>\n      <note>@FILLER@</note>\n"
                    "    </PlaceOrderResponse>\n", length)


# What the checks of the verdict are given: they fit every answer of /different, whose ids alone differ.

SCHEMA = """<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:example:orders"
    elementFormDefault="qualified">
  <xs:element name="PlaceOrderResponse"><xs:complexType><xs:sequence>
    <xs:element name="orderId" type="xs:token"/>
    <xs:element name="state"><xs:simpleType><xs:restriction base="xs:string">
      <xs:enumeration value="accepted"/><xs:enumeration value="refused"/></xs:restriction></xs:simpleType></xs:element>
    <xs:element name="lines"><xs:complexType><xs:sequence>
      <xs:element name="line" maxOccurs="unbounded"><xs:complexType><xs:sequence>
        <xs:element name="sku" type="xs:token"/><xs:element name="quantity" type="xs:int"/>
        <xs:element name="price" type="xs:decimal"/></xs:sequence></xs:complexType></xs:element>
    </xs:sequence></xs:complexType></xs:element>
    <xs:element name="note" type="xs:string"/>
  </xs:sequence></xs:complexType></xs:element>
</xs:schema>
"""


def addressed_message():
    """With a MessageID, which is made anew in each request, so that each answer has another RelatesTo."""
    return (ROOT / "payloads/order-soap12-wsa.xml").read_text()


# ---- the server

NGINX = """
daemon off; worker_processes 1; pid @DIR@/pid; error_log @DIR@/error.log;
worker_rlimit_nofile 16384; events { worker_connections 16000; }
http {
    access_log off; client_max_body_size 0; open_file_cache max=10; keepalive_requests 1000000000; keepalive_timeout 600s; default_type "text/xml; charset=utf-8";
    types { }
    client_body_temp_path @DIR@; proxy_temp_path @DIR@; fastcgi_temp_path @DIR@; uwsgi_temp_path @DIR@;
    scgi_temp_path @DIR@;
    server {
        listen 127.0.0.1:@PORT@ backlog=4096;
        listen 127.0.0.1:@TLS_PORT@ ssl backlog=4096;
        ssl_certificate @DIR@/server.pem;
        ssl_certificate_key @DIR@/server.key;
        ssl_protocols TLSv1.2 TLSv1.3;
        ssl_session_cache shared:bench:4m;
        location = /identical { return 200 '@IDENTICAL@'; }
        location = /different { return 200 '@DIFFERENT@'; }
        location = /unlike { return 200 '@UNLIKE@'; }
        location = /empty { return 200 ''; }
        location = /page { root @DIR@/pages; error_page 405 =200 $uri; }
        location = /megabyte { root @DIR@/pages; error_page 405 =200 $uri; }
        location = /status { stub_status; }
    }
}
"""


FILES = {"page": 75_000, "megabyte": 1_000_000}  # answers too long for `return`; a POST of a file is 405 without error_page


class Server:
    """nginx with one worker on one core. `$request_id`, 32 letters, makes each answer of /different another, in a text, and of /unlike in its markup."""

    questions = 1  # asking for the count is a request

    def __init__(self, folder, core):
        with socket.socket() as probe, socket.socket() as tls_probe:
            probe.bind(("127.0.0.1", 0))
            tls_probe.bind(("127.0.0.1", 0))
            self.port, self.tls_port = probe.getsockname()[1], tls_probe.getsockname()[1]
        self.certificate = folder / "server.pem"
        # RSA, as most services have it; its own authority, so that lather verifies as it does by default
        subprocess.run([find("openssl"), "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
                        "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout",
                        str(folder / "server.key"), "-out", str(self.certificate)], check=True, capture_output=True)
        (folder / "pages").mkdir()
        for name, length in FILES.items():
            (folder / "pages" / name).write_text(answer_message("A-100417", length))
        stand_in = "x" * 32
        config = (NGINX.replace("@DIR@", str(folder)).replace("@PORT@", str(self.port)).replace("@TLS_PORT@", str(self.tls_port))
                  .replace("@IDENTICAL@", answer_message(stand_in))
                  .replace("@DIFFERENT@", answer_message(stand_in).replace(stand_in, "$request_id"))
                  .replace("@UNLIKE@", answer_message(stand_in).replace(f"<orderId>{stand_in}</orderId>", '<orderId    of="$request_id"/>')))
        (folder / "nginx.conf").write_text(config)
        self.process = subprocess.Popen(["taskset", "-c", str(core), find("nginx"), "-p", str(folder), "-e",
                                         str(folder / "error.log"), "-c", str(folder / "nginx.conf")])
        self.wait_until_it_answers()

    def wait_until_it_answers(self):
        for _ in range(100):
            with contextlib.suppress(OSError):
                body = urllib.request.urlopen(self.url("/identical"), b"x").read()
                assert len(body) == ANSWER_BYTES, len(body)
                return
            time.sleep(0.05)
        self.stop()
        sys.exit("nginx did not start")

    def url(self, path, scheme="http"):
        return f"{scheme}://127.0.0.1:{self.tls_port if scheme == 'https' else self.port}{path}"

    def requests(self):
        """How many it has counted so far, this question included."""
        page = urllib.request.urlopen(self.url("/status")).read().decode()
        return int(re.search(r"^ \d+ \d+ (\d+)", page, re.M).group(1))

    def stop(self):
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait()


# ---- where tables are kept

def put_in_place(page, name, maker, text):
    """Replaces what stands between the marks of that name in a page."""
    begin, end = f"<!-- {name}: made by {maker} -->\n", f"<!-- {name}: end -->"
    known = page.read_text(encoding="utf-8")
    if known.count(begin) != 1 or known.count(end) != 1:
        sys.exit(f"{page} has no place for the table: it wants the lines\n{begin}{end}")
    before, rest = known.split(begin)
    page.write_text(before + begin + "\n" + text.strip("\n") + "\n\n" + end + rest.split(end)[1], encoding="utf-8")


def record_option(parser, page):
    parser.add_argument("--record", nargs="?", const=ROOT / page, type=pathlib.Path, metavar="FILE",
                        help=f"also put what is printed into its place in FILE ({page})")


# ---- programs and the machine

def build_release(*targets):
    """lather and what else is measured or measures, as users build it, of the sources as they are now."""
    subprocess.run(["cmake", "--preset", "release", "-DBUILD_TESTING=ON"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", "--preset", "release", "--target", *targets], cwd=ROOT, check=True, stdout=sys.stderr)


def find(program):
    return shutil.which(program) or shutil.which(program, path="/usr/sbin:/sbin")


def version_of(program, arguments, pattern):
    def ask():
        if not find(program):
            return None
        with tempfile.TemporaryDirectory() as home:  # siege makes a folder there
            done = subprocess.run([find(program), *arguments], capture_output=True, text=True, check=False, env={**os.environ, "HOME": home})
        found = re.search(pattern, done.stdout + done.stderr)
        return found.group(1) if found else "?"
    return ask


def machine():
    model = "unknown processor"
    with contextlib.suppress(OSError):
        found = re.search(r"^model name\s*:\s*(.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.M)
        model = found.group(1) if found else model
    return f"{model}, {os.cpu_count()} processors, Linux {platform.release()}"
