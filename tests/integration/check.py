# SPDX-License-Identifier: Apache-2.0
"""`lather check` run and read: what it says of the file, of each message, and of the answer."""

import re

import lather


class Facts:
    """Lines "LABEL: TEXT" that stand together; a label may come several times."""

    def __init__(self):
        self.lines = []

    def all(self, label):
        return [text for name, text in self.lines if name == label]

    def one(self, label):
        """The text of a label that must be there once."""
        texts = self.all(label)
        if len(texts) != 1:
            raise AssertionError(f"{label}: {len(texts)} lines of {self.lines}")
        return texts[0]

    def has(self, label, words):
        return any(words in text for text in self.all(label))


class Checked:
    """What one `lather check` said. whole: about file and answer; messages: a Facts each, in order."""

    def __init__(self, result, text):
        self.result = result
        self.exit = result.exit
        self.whole = Facts()
        self.messages = []
        for line in text.splitlines():
            if not line:
                continue
            label, _, words = line.strip().partition(":")
            if line.startswith("  "):
                self.messages[-1].lines.append((label, words.strip()))
            elif re.fullmatch(r"message( \d+)?", label):
                self.messages.append(Facts())
                self.messages[-1].lines.append(("message", words.strip()))
            else:
                self.whole.lines.append((label, words.strip()))

    def __str__(self):
        return str(self.result)


def check(*args, **how):
    """Runs `lather check ARGS`; the text is on standard output, or with --print on standard error."""
    with lather.Running(["check", *args], with_json=False, **how) as running:
        result = running.end(30)
    return Checked(result, result.err if "--print" in args else result.out)
