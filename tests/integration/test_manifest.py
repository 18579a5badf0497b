# SPDX-License-Identifier: Apache-2.0
"""Real requests and captures read as their manifest says: MANIFEST.tsv in the folder of LATHER_CASES.

The files are no part of this tree. Columns: file, kind, from, licence, expected, note. What is expected is written as
"soap=1.2; action=URI; refresh=LIST; blocks=LIST; body=xml|mime" for a request, as
"messages=N; soap=N; first=METHOD URL; content-type=...; soapaction=..." for a capture; "-" is nothing.
"""

import csv
import os
import re
import shutil
import tempfile

from case import Case
from check import check

# What the manifest calls a block, and the beginning of what is said of it.
BLOCKS = {"Signature", "EncryptedData", "SCT", "RM", "SAML", "DOCTYPE"}
# Stands where a capture names a file that is not beside it.
ELSEWHERE = b'<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/">\n<s:Body><a/></s:Body></s:Envelope>\n'


def fields(expected):
    """{"soap": "1.2", ...}; a value may hold "; " when what follows is no field."""
    return dict(re.findall(r"([a-z-]+)=(.*?)(?=; [a-z-]+=|$)", expected))


def listed(text):
    return set() if text == "-" else set(text.split(","))


def pieces(message):
    """What goes stale, in the manifest's words: {"MessageIDx2", "Timestamp(signed)", "UsernameToken(digest+Nonce+Created)"}."""
    found = set()
    for label in ("refreshed", "as captured"):
        for text in message.all(label):
            for name, inside, rest in re.findall(r"(\w+)(?: \(([^)]*)\))?(.*?)(?:, (?=[A-Z])|$)", text):
                if name not in ("MessageID", "Timestamp", "UsernameToken"):
                    continue
                number = f"x{inside}" if inside.isdigit() else f"({inside.replace(', ', '+')})" if inside else ""
                found.add(name + number + ("(signed)" if "signature" in rest else ""))
    return found


def blocks(message):
    return {text.split(":")[0] for label in ("not replayable", "limited") for text in message.all(label)} & BLOCKS


class Manifest(Case):
    def rows(self, kind):
        folder = self.need_data("LATHER_CASES")
        with open(os.path.join(folder, "MANIFEST.tsv"), encoding="utf-8", newline="") as file:
            rows = [row for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE) if row["kind"] == kind]
        self.assertGreater(len(rows), 5)
        return [(os.path.join(folder, row["file"]), fields(row["expected"])) for row in rows]

    def assert_request(self, path, expected):
        checked = check("--dry-run", "-p", path)
        message = checked.messages[0]
        version = re.match(r"SOAP (1\.\d)|none", message.one("envelope"))
        self.assertEqual(version.group(1) or "none", expected["soap"], checked)
        self.assertEqual("mime" if "multipart" in message.one("envelope") else "xml", expected["body"], checked)
        self.assertEqual(message.one("action").replace("none in the envelope", "-"), expected["action"], checked)
        self.assertEqual(blocks(message), listed(expected["blocks"]), checked)
        self.assertEqual(pieces(message), listed(expected["refresh"]), checked)
        is_refused = blocks(message) & {"EncryptedData", "SCT", "RM"}
        self.assertEqual(checked.exit, 2 if is_refused else 0, checked)
        self.assertEqual(bool(message.all("refused")), bool(is_refused), checked)

    def test_each_request_is_read_as_expected(self):
        for path, expected in self.rows("request"):
            with self.subTest(path):
                self.assert_request(path, expected)

    def complete(self, path):
        """A copy of a list of commands with the files it names beside it; its path."""
        folder = tempfile.mkdtemp(prefix="lather-manifest-")
        self.addCleanup(shutil.rmtree, folder)
        with open(path, "rb") as file:
            content = file.read()
        for name in re.findall(rb"(?:-d @|< ?)([\w.-]+)", content):
            with open(os.path.join(folder, name.decode()), "wb") as file:
                file.write(ELSEWHERE)
        return shutil.copy(path, folder)

    def assert_unreadable(self, checked, expected):
        self.assertEqual((checked.exit, checked.result.out), (2, ""), checked)
        for word in expected["error"].split(" (")[0].replace("not a", "").split():
            self.assertIn(word.lower(), checked.result.err.lower(), checked)

    def assert_capture(self, path, expected):
        checked = check("--dry-run", "-p", self.complete(path) if path.endswith(".sh") else path)
        if expected["messages"] == "0":
            self.assert_unreadable(checked, expected)
            return
        self.assertEqual(len(checked.messages), int(expected["messages"]), checked)
        soap = int(re.search(r"(\d+) of SOAP$", checked.whole.one("file")).group(1))
        if expected["soap"].isdigit():
            self.assertEqual(soap, int(expected["soap"]), checked)
        first = checked.messages[0]
        method, url = expected["first"].split(" ")
        self.assertEqual(first.one("goes to"), f"{method} {url}{'' if url.count('/') > 2 else '/'}", checked)
        if expected["content-type"] != "-":
            self.assertTrue(first.one("content type").startswith(expected["content-type"].split(" (")[0]), checked)
        action = "none" if expected["soapaction"] == "-" else expected["soapaction"]
        self.assertEqual(first.one("SOAPAction"), action, checked)
        self.assertEqual(checked.exit, 0 if soap > 0 or method != "GET" else 2, checked)

    def test_each_capture_is_read_as_expected(self):
        for path, expected in self.rows("capture"):
            with self.subTest(path):
                self.assert_capture(path, expected)
