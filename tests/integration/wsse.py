# SPDX-License-Identifier: Apache-2.0
"""The Security header of a message that was recorded some time ago, right for that moment."""

import base64
import datetime
import hashlib
import secrets

NAMES = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-"
SECEXT = NAMES + "wssecurity-secext-1.0.xsd"
UTILITY = NAMES + "wssecurity-utility-1.0.xsd"


def stamp(minutes_ago):
    """A moment of UTC as WCF writes it, with milliseconds."""
    moment = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(minutes=minutes_ago)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%f")[:23] + "Z"


def security(soap_prefix, user, password, minutes_ago, kind):
    """A Timestamp good for five minutes and a UsernameToken of a kind: text, digest."""
    created = stamp(minutes_ago)
    if kind == "digest":
        nonce = secrets.token_bytes(16)
        word = base64.b64encode(hashlib.sha1(nonce + created.encode() + password.encode()).digest()).decode()
        rest = f"<o:Nonce>{base64.b64encode(nonce).decode()}</o:Nonce><u:Created>{created}</u:Created>"
    else:
        word, rest = password, ""
    return (
        f'<o:Security {soap_prefix}:mustUnderstand="1" xmlns:o="{SECEXT}" xmlns:u="{UTILITY}">'
        f"<u:Timestamp><u:Created>{created}</u:Created><u:Expires>{stamp(minutes_ago - 5)}</u:Expires></u:Timestamp>"
        f"<o:UsernameToken><o:Username>{user}</o:Username>"
        f'<o:Password Type="{NAMES}username-token-profile-1.0#Password{kind.capitalize()}">{word}</o:Password>{rest}'
        "</o:UsernameToken></o:Security>").encode()


def session(url, kind, body):
    """A POST as Fiddler saves it."""
    return (f"POST {url} HTTP/1.1\r\nContent-Type: {kind}\r\nExpect: 100-continue\r\n"
            f"Content-Length: {len(body)}\r\n\r\n").encode() + body
