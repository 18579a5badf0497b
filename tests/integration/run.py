#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lists the integration tests, or runs one.

    run.py --list            one line a test: THEME NAME MARKS (joined by commas, or plain)
    run.py THEME NAME        runs test_NAME of test_THEME.py; exit 0, 1, or 77 when it was skipped
    run.py THEME             runs them all, one after the other

LATHER_BINARY names the program. With LATHER_TEST=all a skip is a failure, unless it is for want of data that is no
part of the tree, or of what the build has not.
"""

import glob
import importlib
import os
import sys
import unittest

from case import NO_DATA, NO_PART, Case

FOLDER = os.path.dirname(os.path.abspath(__file__))
SKIPPED = 77


def themes():
    return sorted(os.path.basename(path)[5:-3] for path in glob.glob(os.path.join(FOLDER, "test_*.py")))


def cases(theme):
    """{name: (class, method name, labels)} of a theme."""
    found = {}
    for kind in vars(importlib.import_module("test_" + theme)).values():
        if not (isinstance(kind, type) and issubclass(kind, Case) and kind is not Case):
            continue
        for method in unittest.TestLoader().getTestCaseNames(kind):
            name = method[5:]
            if name in found:
                sys.exit(f"{theme}: two tests are called {name}")
            found[name] = (kind, method, getattr(getattr(kind, method), "labels", ()))
    return found


def list_all():
    for theme in themes():
        for name, (_, _, labels) in sorted(cases(theme).items()):
            print(theme, name, ",".join(sorted(labels)) or "plain")


def main(arguments):
    if arguments == ["--list"]:
        list_all()
        return 0
    if len(arguments) not in (1, 2) or arguments[0] not in themes():
        sys.exit(__doc__)
    if not os.access(os.environ.get("LATHER_BINARY", ""), os.X_OK):
        sys.exit("LATHER_BINARY names no program")
    all_cases = cases(arguments[0])
    names = arguments[1:] or sorted(all_cases)
    if names[0] not in all_cases:
        sys.exit(f"{arguments[0]} has no test {names[0]}")
    suite = unittest.TestSuite(all_cases[name][0](all_cases[name][1]) for name in names)
    result = unittest.TextTestRunner(verbosity=2).run(suite)
    if not result.wasSuccessful():
        return 1
    if result.skipped and len(names) == 1:
        is_lack = not result.skipped[0][1].startswith((NO_DATA, NO_PART))
        return 1 if is_lack and os.environ.get("LATHER_TEST") == "all" else SKIPPED
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
