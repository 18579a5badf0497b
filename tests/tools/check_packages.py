#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds what is said of packages to what is used: README's list to cmake/packages.txt, and the archives to the pages of docs.

    check_packages.py [ROOT]   prints one sentence for each difference; exit 1 when there is one
"""
import importlib.util
import pathlib
import re
import sys


def wanted(root):
    """The packages of the groups build and test."""
    lines = (root / "cmake/packages.txt").read_text(encoding="utf-8").splitlines()
    return {name for line in lines if line.startswith(("build:", "test:")) for name in line.split(":", 1)[1].split()}


def told(root):
    """The packages of README's command."""
    command = re.search(r"apt-get install ((?:.*\\\n)*.*)\n", (root / "README.md").read_text(encoding="utf-8"))
    return set(command.group(1).replace("\\", " ").split()) if command else set()


def packed(root):
    """The names of docs/ that an archive is given, by the endings of cmake/package.py."""
    spec = importlib.util.spec_from_file_location("package", root / "cmake/package.py")
    package = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(package)
    return {path.name for path in (root / "docs").iterdir() if path.suffix in package.DOCUMENT_ENDINGS}


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2]
    found = [f"README.md lacks the package {name}" for name in sorted(wanted(root) - told(root))]
    found += [f"README.md names {name}, which cmake/packages.txt does not" for name in sorted(told(root) - wanted(root))]
    # The manual goes in as text, under a name of its own.
    pages = {path.name for path in (root / "docs").iterdir()} - {"lather.1"}
    found += [f"cmake/package.py leaves out docs/{name}" for name in sorted(pages - packed(root))]
    print("\n".join(found) or "packages: nothing found")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
