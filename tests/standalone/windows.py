#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What only lather.exe does, under Wine.

    LATHER_BINARY=... windows.py
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "integration"))
import lather  # noqa: E402  pylint: disable=wrong-import-position


class Windows(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="lather-windows-")
        self.addCleanup(shutil.rmtree, self.folder)

    def put(self, name):
        shutil.copy(lather.ORDER_11, os.path.join(self.folder, name))

    def run_here(self, *arguments):
        return subprocess.run([lather.binary(), *arguments], capture_output=True, timeout=60, check=False, cwd=self.folder)

    def test_wildcards_stand_for_files(self):
        for name in ("a.xml", "bé.xml", "c.txt"):
            self.put(name)
        result = self.run_here("judge", "*.xml")
        judged = re.findall(r"^(.+?\.xml): ", result.stdout.decode("utf-8"), re.M)
        self.assertEqual(sorted(judged), ["a.xml", "bé.xml"], result)

    def test_a_wildcard_without_files_stays_as_it_is(self):
        result = self.run_here("judge", "*.xml")
        self.assertIn(b"*.xml", result.stdout + result.stderr)
        self.assertNotEqual(result.returncode, 0, result)

    def test_output_has_the_line_ends_that_were_written(self):
        result = self.run_here("--version")
        self.assertEqual(result.returncode, 0, result)
        self.assertNotIn(b"\r", result.stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2)
