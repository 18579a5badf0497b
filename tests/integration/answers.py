# SPDX-License-Identifier: Apache-2.0
"""Bytes that services send: envelopes, Faults, and HTTP answers around them."""

SOAP_11 = "http://schemas.xmlsoap.org/soap/envelope/"
SOAP_12 = "http://www.w3.org/2003/05/soap-envelope"
TYPE_11 = "text/xml; charset=utf-8"
TYPE_12 = "application/soap+xml; charset=utf-8"


def envelope(inner='<PlaceOrderResponse xmlns="urn:example:orders"><state>accepted</state></PlaceOrderResponse>',
             version=SOAP_11):
    """An envelope around the content of Body."""
    return f'<s:Envelope xmlns:s="{version}"><s:Body>{inner}</s:Body></s:Envelope>'.encode()


ENVELOPE = envelope()
ENVELOPE_12 = envelope(version=SOAP_12)


def fault_11(reason="The order was refused", code="s:Client"):
    return envelope(f"<s:Fault><faultcode>{code}</faultcode><faultstring>{reason}</faultstring></s:Fault>")


def fault_12(reason="The order was refused", code="s:Sender"):
    return envelope(
        f"<s:Fault><s:Code><s:Value>{code}</s:Value></s:Code>"
        f'<s:Reason><s:Text xml:lang="en">{reason}</s:Text></s:Reason></s:Fault>',
        SOAP_12,
    )


def head(status="200 OK", fields=(), content_type=TYPE_11, version="HTTP/1.1"):
    """A head with its blank line."""
    lines = [f"{version} {status}"]
    if content_type:
        lines.append(f"Content-Type: {content_type}")
    lines += list(fields)
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def ok(body=ENVELOPE, status="200 OK", fields=(), content_type=TYPE_11, version="HTTP/1.1"):
    """An answer with a Content-Length."""
    return head(status, [*fields, f"Content-Length: {len(body)}"], content_type, version) + body


def until_close(body=ENVELOPE, status="200 OK", fields=(), version="HTTP/1.1"):
    """An answer whose body ends with the connection."""
    return head(status, fields, version=version) + body


def chunked(body=ENVELOPE, size=None, extension="", trailer=(), status="200 OK", fields=()):
    """An answer in chunks of `size` bytes (None: one)."""
    size = size or len(body)
    parts = [head(status, [*fields, "Transfer-Encoding: chunked"])]
    for start in range(0, len(body), size):
        piece = body[start : start + size]
        parts.append(f"{len(piece):X}{extension}\r\n".encode() + piece + b"\r\n")
    parts.append(b"0\r\n" + "".join(f"{line}\r\n" for line in trailer).encode() + b"\r\n")
    return b"".join(parts)


def large_with_id(size):
    """A message whose MessageID is another in each request, and that lies in several pieces for it."""
    content = "<a>" + "x" * size + "</a>"
    return (f'<s:Envelope xmlns:s="{SOAP_12}" xmlns:a="http://www.w3.org/2005/08/addressing"><s:Header>'
            f'<a:Action>urn:a</a:Action><a:MessageID>urn:uuid:6f1d2c58-0f6b-4c0e-9a37-3c5b0b6f9d21</a:MessageID>'
            f'</s:Header><s:Body>{content}</s:Body></s:Envelope>').encode()
