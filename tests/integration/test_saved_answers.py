# SPDX-License-Identifier: Apache-2.0
"""Saved answers with a known verdict: tests/cases, and a folder of real ones where LATHER_CASES names one."""

import collections
import csv
import pathlib

import lather
from case import Case

OURS = pathlib.Path(__file__).resolve().parents[1] / "cases"
REASON_CEILING = 60

Entry = collections.namedtuple("Entry", "file expected")


def answers_of(folder):
    """The answers a manifest lists."""
    with open(folder / "MANIFEST.tsv", encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [Entry(row["file"], row["expected"]) for row in rows if row["kind"] == "answer"]


def spelled(line):
    """A line of `lather judge` behind the name, in the words of a manifest."""
    verdict = line.partition(" (")[0] if line.startswith("ok") else line
    outcome, _, rest = verdict.partition(": ")
    if outcome == "fault":
        code, _, reason = rest.partition(": ")
        return f"fault:{code}|{reason[:REASON_CEILING]}"
    if outcome == "not_soap":
        for sentence, word in (("DTD in a SOAP message", "DOCTYPE"), ("not well-formed", "not well-formed")):
            if rest.startswith(sentence):
                return f"not_soap:{word}"
        return f"not_soap:{rest.partition(' (')[0]}"
    return verdict


class SavedAnswers(Case):
    def line_of(self, folder, name, *options):
        """What `lather judge` says of one file."""
        path = str(folder / name)
        result = lather.run("judge", *options, path, with_json=False)
        self.assertTrue(result.out.startswith(f"{path}: ") and result.out.count("\n") == 1, result)
        line = result.out[len(path) + 2:].rstrip("\n")
        self.assertEqual(result.exit, 0 if line.startswith("ok") else 1, result)
        return line

    def assert_entry(self, folder, entry):
        word, _, request = entry.expected.partition(":requests/")
        alone = self.line_of(folder, entry.file)
        self.assertEqual(spelled(alone), "ok" if request else entry.expected, f"{entry.file}: {alone}")
        if request:
            line = self.line_of(folder, entry.file, "--request", str(folder / "requests" / request))
            self.assertEqual(line.partition(":")[0].partition(" ")[0], word, f"{entry.file}: {line}")
            self.assertEqual("RelatesTo" in line, word == "mismatch", f"{entry.file}: {line}")

    def assert_manifest(self, folder):
        entries = answers_of(folder)
        self.assertGreater(len(entries), 10)
        for entry in entries:
            with self.subTest(entry.file):
                self.assert_entry(folder, entry)

    def test_answers_of_every_kind_get_the_right_verdict(self):
        self.assert_manifest(OURS)
        kinds = {entry.expected.partition(":")[0] for entry in answers_of(OURS)}
        self.assertEqual(kinds, {"ok", "fault", "not_soap", "mismatch"})

    def test_real_answers_get_the_right_verdict(self):
        self.assert_manifest(pathlib.Path(self.need_data("LATHER_CASES")))
