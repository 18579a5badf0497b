#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The committed man page and options page are what the option table makes of them today, and the
man page and --help speak of the same options. Usage: check_manual.py PRINT_MANUAL SOURCE_DIR"""
import pathlib
import re
import subprocess
import sys


def page(tool, name):
    return subprocess.run([tool, name], check=True, capture_output=True, text=True).stdout


def main():
    tool, source = sys.argv[1], pathlib.Path(sys.argv[2])
    failures = []
    for name, path in (("roff", "docs/lather.1"), ("markdown", "docs/OPTIONS.md")):
        committed = source / path
        if not committed.is_file() or committed.read_text() != page(tool, name):
            failures.append(f"{path} is not what the option table makes: print_manual {name} > {path}")

    help_text = page(tool, "help")
    in_help = set(re.findall(r"^ +(?:-\w, )?--([a-z0-9-]+)", help_text, re.M))
    in_man = {name.replace("\\-", "-")
              for name in re.findall(r"\\fB\\-\\-([a-z0-9\\-]+)\\fR", page(tool, "roff"))}
    if not in_help or in_help != in_man:
        failures.append(f"--help and the man page differ: {sorted(in_help ^ in_man)}")
    failures += [f"--help: line longer than 80 columns: {line}"
                 for line in help_text.splitlines() if len(line) > 80]

    for failure in failures:
        print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
