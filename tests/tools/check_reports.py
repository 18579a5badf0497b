#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares what the reports print with the pages that define it.

    check_reports.py [ROOT]        prints one sentence for each difference; exit 1 when there is one
    check_reports.py --self-test   takes a definition out of each page in turn and must notice

Labels of the text report are in docs/METRICS.md, outcomes in docs/OUTCOMES.md, checks in docs/VERDICT.md, JSON keys in docs/JSON.md, each as the
code in a table's first cell. What is printed is read from the sources, and from the golden files, so that a
label printed in a way the pattern does not know is noticed too.
"""
import json
import pathlib
import re
import sys

TEXT_SOURCES = ("src/report/text.c", "src/report/details.c", "src/report/details_failures.c", "src/report/details_wire.c",
                "src/report/messages.c", "src/report/stretches.c")
JSON_SOURCES = ("src/report/result_json.c", "src/report/result_fields.c")
GOLDEN = "tests/unit/report/golden"

LABEL_CALL = re.compile(r'\b(?:rows?_\w+|row)\(\s*\w+,\s*"([^"]+)"')
LABEL_LIST = re.compile(r"\b(?:labels|heads|full_form|short_form)\b[^=;]*=\s*(\{.*?\});", re.DOTALL)
HEADING_CHOICE = re.compile(r'\brows_heading\(([^;]*)\);')
PERCENTAGE = re.compile(r"(\d+)%")
JSON_CALL = re.compile(r'\bput(?:_\w+)?\(\s*\w+,\s*"([^"]+)"|\bwrite_member\(\s*\w+,\s*"([^"]+)"')
JSON_FIELD = re.compile(r"\b(?:COUNT\d\d|LATER\d\d|YES_NO|(?:LATER_)?TEXT)\(struct \w+, (\w+)\)")
JSON_NAMED = re.compile(r"^    MESSAGE_COUNT\((\w+), [\w.]+\)", re.MULTILINE)
JSON_TABLE = re.compile(r'\bresult_fields_\w+ = \{"(\w+)"')

# Keys that are data: a status, a percentage, an outcome.
JSON_DATA_KEY = re.compile(r"[\d.]+")

# Lines of the text report without a label of their own.
PLAIN_LINES = [
    re.compile(pattern)
    for pattern in (
        r"",
        r" {24}\S.* kb/s (sent|total)",            # second and third line of the transfer rate
        r" {24}(subcode|detail|reason|message) .*",  # more of a failure
        r" +min +(mean\[\+/-sd\] +median +max|avg +max)",
        r"  [ \d]\d%  +[\d.]+", r" 100%  +[\d.]+ \(longest request\)",
        r"  \d+ +\S.*",                            # a group or a status
        r"  and \d+ more (kinds|workers).*",
        r"  p[\d.]+ +[\d.]+",                       # a percentile of the tail, or of --percentiles
        r"  \S.*( +\d+){3}( +[\d.]+){2}( +[\d.-]+){4}",  # a message of a mix
        r"  +requests +ok +failed +KB sent +KB received +mean +p50 +p95 +p99",
        r"  step +asked/s .*",                     # the heads of the steps' columns
        r"  - .*",                                 # a note
    )
]


def code_cells(page):
    """The code in the first cell of each table row, and the code anywhere."""
    first = set()
    for line in page.splitlines():
        cell = re.match(r"\|\s*`([^`]+)`", line)
        if cell:
            first.add(cell.group(1))
    return first, set(re.findall(r"`([^`\n]+)`", page))


def strings(code):
    return re.findall(r'"((?:[^"\\]|\\.)*)"', code)


def normal(label):
    return re.sub(r"%\w+", "N", label).strip()


def text_labels(root):
    labels = set()
    for name in TEXT_SOURCES:
        code = (root / name).read_text(encoding="utf-8")
        labels.update(normal(label) for label in LABEL_CALL.findall(code))
        for body in LABEL_LIST.findall(code):
            labels.update(strings(body))
        for arguments in HEADING_CHOICE.findall(code):
            labels.update(text for text in strings(arguments) if "\\" not in text)
        labels.update(re.findall(r'snprintf\(label, [^"]*"([^"]+)"', code))
    return {normal(label) for label in labels}


def outcome_words(root):
    code = (root / "src/base/outcome.c").read_text(encoding="utf-8")
    return set(re.findall(r'\[OUTCOME_\w+\] = \{"(\w+)"', code))


def step_words(root):
    code = (root / "src/base/step.c").read_text(encoding="utf-8")
    return set(re.findall(r'\[STEP_\w+\] = "(\w+)"', code)) - {"none"}


def json_keys(root):
    keys = set()
    for name in JSON_SOURCES:
        code = (root / name).read_text(encoding="utf-8")
        keys.update(first or second for first, second in JSON_CALL.findall(code))
        keys.update(JSON_FIELD.findall(code))
        keys.update(JSON_NAMED.findall(code))
        keys.update(JSON_TABLE.findall(code))
    return keys


def golden_json_keys(root):
    keys = set()

    def walk(value):
        if isinstance(value, dict):
            for key, member in value.items():
                keys.add(key)
                walk(member)
        elif isinstance(value, list):
            for member in value:
                walk(member)

    for path in sorted((root / GOLDEN).glob("*.json")):
        walk(json.loads(path.read_text(encoding="utf-8")))
    return {key for key in keys if not JSON_DATA_KEY.fullmatch(key)} - outcome_words(root) - step_words(root)


def line_is_known(line, labels, words):
    if any(pattern.fullmatch(line) for pattern in PLAIN_LINES):
        return True
    start = re.sub(r"(CPU of worker|part) \d+", r"\1 N", line.strip())
    return any(start == label or start.startswith(label + " ") for label in labels | words)


def check(root, pages):
    found = []
    metrics, outcomes, schema = (pages[name] for name in ("METRICS.md", "OUTCOMES.md", "JSON.md"))
    labels, words, keys = text_labels(root), outcome_words(root), json_keys(root)
    for name, printed in (("labels", labels), ("outcomes", words), ("keys", keys)):
        if len(printed) < 10:
            found.append(f"only {len(printed)} {name} were found in the sources: the patterns here are out of date")

    defined, anywhere = code_cells(metrics)
    # column heads and ab's lines stand there in other forms as well
    for label in sorted(labels - defined):
        if label not in anywhere:
            found.append(f"docs/METRICS.md does not define `{label}`")
    for path in sorted((root / GOLDEN).glob("*.txt")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if line.startswith("   (Connect: "):
                continue
            if not line_is_known(line.rstrip(), labels, words | step_words(root)):
                found.append(f"{path.name}:{number}: no known label begins {line!r}")
            elif PERCENTAGE.search(line) and "%  " in line:
                percentage = PERCENTAGE.search(line).group()
                if not re.search(rf"\b{percentage[:-1]}\b", metrics):
                    found.append(f"docs/METRICS.md does not define {percentage}")

    defined, _ = code_cells(outcomes)
    for word in sorted(words - defined):
        found.append(f"docs/OUTCOMES.md does not list `{word}`")
    for word in sorted(defined - words):
        found.append(f"docs/OUTCOMES.md lists `{word}`, which is no outcome")
    for word in sorted(words):
        section = re.search(rf"^## `{word}`\n(.*?)(?=^## |\Z)", outcomes, re.MULTILINE | re.DOTALL)
        if not section:
            found.append(f"docs/OUTCOMES.md has no section on `{word}`")
        elif word != "ok" and "Try next:" not in section.group(1):
            found.append(f"docs/OUTCOMES.md does not say what to try next after `{word}`")

    defined, _ = code_cells(pages["VERDICT.md"])
    for word in sorted(step_words(root) - defined):
        found.append(f"docs/VERDICT.md does not tell of the check `{word}`")

    defined, _ = code_cells(schema)
    for key in sorted((keys | golden_json_keys(root)) - defined):
        found.append(f"docs/JSON.md does not define `{key}`")
    for key in sorted(defined - keys):
        found.append(f"docs/JSON.md defines `{key}`, which nothing writes")
    return found


PAGES = ("METRICS.md", "OUTCOMES.md", "JSON.md", "VERDICT.md")


def read_pages(root):
    return {name: (root / "docs" / name).read_text(encoding="utf-8") for name in PAGES}


def self_test(root):
    missed = []
    for name, taken in (
        ("METRICS.md", "| `Document Path:` "), ("METRICS.md", "`slowest band`"), ("METRICS.md", "| `CPU of worker N` "),
        ("METRICS.md", "| `Waiting:` "), ("METRICS.md", "`SOAP faults by code and reason`"), ("METRICS.md", "`median`"),
        ("METRICS.md", "`Run ended:`"), ("METRICS.md", "`Books:`"), ("METRICS.md", " 66, "), ("OUTCOMES.md", "| `too_large` "), ("OUTCOMES.md", "## `fault`"),
        ("JSON.md", "| `schema` "), ("JSON.md", "| `squares_ns2` "), ("JSON.md", "| `ephemeral_ports` "),
        ("VERDICT.md", "| `cut_off` "), ("JSON.md", "| `overflow` "), ("JSON.md", "| `times` "),
    ):
        pages = read_pages(root)
        changed = pages[name].replace(taken, "| nothing " if taken.startswith("|") else "nothing")
        if changed == pages[name]:
            missed.append(f"{name} has no {taken!r} to take out")
        pages[name] = changed
        if not check(root, pages):
            missed.append(f"nobody misses {taken!r} of {name}")
    pages = read_pages(root)
    pages["JSON.md"] += "\n| `invented` | nothing |\n"
    if not check(root, pages):
        missed.append("nobody notices an invented key")
    return missed


def main(arguments):
    testing = "--self-test" in arguments
    roots = [argument for argument in arguments if argument != "--self-test"]
    root = pathlib.Path(roots[0] if roots else pathlib.Path(__file__).parents[2]).resolve()
    found = self_test(root) if testing else check(root, read_pages(root))
    for sentence in found:
        print(sentence)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
