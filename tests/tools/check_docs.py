#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds what the pages name to the tree: no dead reference, and no link that is dead in the archives that users get.

    check_docs.py [ROOT]        prints PAGE:LINE: sentence for each finding; exit 1 when there is one
    check_docs.py --self-test   plants a dead reference of each kind and must find it

A reference is a link of Markdown, or a path in backticks or in an indented line: one that begins with a folder of the
root (`tests/tools/x.py`), or with a floor (`soap/judge`, `net/http1.h`). Patterns (`tests/unit/*`) must match something;
paths with a placeholder in capitals or angle brackets are none.
"""
import pathlib
import re
import sys
import tempfile

ROOT_FOLDERS = "src include tests docs cmake win32 payloads .ci".split()
FLOORS = "cli load serve report net capture plan soap measure base".split()
# By cmake/package.py.
PACKED_FILES = ("README.md", "CHANGELOG.md", "LICENSE")
PACKED_ENDINGS = (".md", ".json", ".xsd")  # of docs/; of payloads/ all

LINK = re.compile(r"\]\(([^)\s]+)\)")
PATH = re.compile(r"(?<![\w./:$<*{~-])(?:\./)?((?:%s)/[\w./*-]*[\w*/])(?![\w<{])" % "|".join(map(re.escape, ROOT_FOLDERS + FLOORS)))
PLACEHOLDER = re.compile(r"\b[A-Z][A-Z]+\b(?!\.)")


def pages(root):
    found = [path for path in sorted(root.glob("*.md")) + sorted((root / "docs").glob("*.md")) if path.is_file()]
    return found + sorted((root / "payloads").glob("*.md")) + sorted((root / "tests").rglob("*.md"))


def is_packed(name):
    folder = name.split("/")[0]
    return name in PACKED_FILES or folder == "payloads" or (folder == "docs" and name.endswith(PACKED_ENDINGS))


def anchors(text):
    """As the web pages of repositories make them from headings."""
    heads = re.findall(r"^#+ +(.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).strip().replace(" ", "-") for head in heads}


def check_link(root, page, target):
    """What is wrong with it, or None."""
    if re.match(r"[a-z]+:", target):
        return None
    name, _, anchor = target.partition("#")
    path = (page.parent / name).resolve() if name else page
    if not path.exists():
        return f"{target} is not there"
    if anchor and path.suffix == ".md" and anchor not in anchors(path.read_text(encoding="utf-8")):
        return f"{target}: no such heading"
    page_name = page.relative_to(root).as_posix()
    if is_packed(page_name) and not is_packed(path.relative_to(root).as_posix()):
        return f"{target} is not in the archives that have this page: name it without a link"
    return None


def is_there(root, name):
    first, _, rest = name.partition("/")
    if first in FLOORS and not (root / first).is_dir():
        stem = rest.removesuffix(".c").removesuffix(".h")
        places = [f"src/{first}/{stem}.c", f"include/lather/{first}/{stem}.h"]
        return rest == "" or rest == "*" or any(any(root.glob(place)) for place in places)
    return any(root.glob(name.rstrip("/"))) if name != "" else True


def candidates(line):
    """The parts of a line that may hold paths: what is in backticks, or a whole line of an indented block."""
    return [line] if line.startswith("    ") else re.findall(r"`([^`]+)`", line)


def check_page(root, page, found):
    name = page.relative_to(root).as_posix()
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        for target in LINK.findall(line):
            wrong = check_link(root, page, target)
            if wrong:
                found.append(f"{name}:{number}: {wrong}")
        for piece in candidates(line):
            for path in PATH.findall(piece):
                if not PLACEHOLDER.search(path) and not is_there(root, path):
                    found.append(f"{name}:{number}: {path} is not there")


def check_tree(root):
    root = pathlib.Path(root).resolve()
    found = []
    for page in pages(root):
        check_page(root, page, found)
    return found


CLEAN = {
    "README.md": "[more](docs/MORE.md#the-one--other) `tests/run --fast` `net/http1.h` `soap/judge` [x](https://h/a)\n",
    "docs/MORE.md": "## The one & other\n`src/*/*.c` `src/<floor>/name.c` `tests/FILE`\n\n    tests/run all\n",
    "tests/run": "",
    "include/lather/net/http1.h": "",
    "src/soap/judge.c": "",
}
PLANTED = ["[a](docs/GONE.md)", "[a](docs/MORE.md#gone)", "[a](tests/run)", "`tests/gone.py`", "`src/soap/gone*.c`",
           "`soap/gone`", "    tests/gone --all"]


def self_test():
    failures = []
    for planted in [None, *PLANTED]:
        with tempfile.TemporaryDirectory() as folder:
            for name, text in CLEAN.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text + (f"{planted}\n" if planted and name == "README.md" else ""), encoding="utf-8")
            found = check_tree(folder)
            if len(found) != (1 if planted else 0):
                failures.append(f"planted {planted}: found {found}")
    print("\n".join([*failures, f"{len(PLANTED)} dead references planted, {len(failures)} failures"]))
    return 1 if failures else 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    found = check_tree(arguments[0] if arguments else pathlib.Path(__file__).resolve().parents[2])
    print("\n".join(found) or "docs: nothing found")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
