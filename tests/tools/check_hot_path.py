#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the table of the hot path in docs/ARCHITECTURE.md to the sources: each function is defined in a file of its row.

    check_hot_path.py [ROOT]   prints one sentence for each difference; exit 1 when there is one
"""
import pathlib
import re
import sys


def rows(page):
    """(functions, files or folders) of each row."""
    table = page.partition("### The hot path")[2].partition("\n#")[0]
    for line in table.splitlines():
        cells = line.strip("|").split("|")
        if line.startswith("| `") and len(cells) >= 2:
            yield re.findall(r"`(\w+)`", cells[0]), re.findall(r"`([^`]+)`", cells[1])


def texts(root, place):
    path = root / "src" / place
    found = sorted(path.glob("*.c")) if path.is_dir() else [path]
    return [one.read_text(encoding="utf-8") if one.exists() else "" for one in found]


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2]
    found, seen = [], 0
    for functions, places in rows((root / "docs/ARCHITECTURE.md").read_text(encoding="utf-8")):
        source = "\n".join(text for place in places for text in texts(root, place))
        for function in functions:
            seen += 1
            if not re.search(rf"^[a-z][^;{{}}]*\b{function}\([^;{{}}]*\)\n{{", source, re.M):
                found.append(f"docs/ARCHITECTURE.md: the hot path names {function}, which is not defined in {', '.join(places)}")
    if seen < 10:
        found.append("docs/ARCHITECTURE.md: there is no table of the hot path")
    print("\n".join(found) or f"hot path: {seen} functions, all where they are said to be")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
