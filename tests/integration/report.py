# SPDX-License-Identifier: Apache-2.0
"""Reads the text report the way a script written for ab does: by its labels and nothing else."""

import re


class Report:
    """The figures of one text report."""

    def __init__(self, text):
        self.text = text

    @property
    def is_there(self):
        """Whether a report was printed at all."""
        return self.has("Complete requests") and self.has("Failed requests")

    def has(self, label):
        return re.search(rf"^{re.escape(label)}:", self.text, re.M) is not None

    def words(self, label):
        """What stands behind a label, or None."""
        found = re.search(rf"^{re.escape(label)}:[ \t]*(.*?)[ \t]*$", self.text, re.M)
        return found.group(1) if found else None

    def figure(self, label, default=None):
        """The number behind a label; an int when it is written as one."""
        found = re.search(rf"^{re.escape(label)}:\s+(-?[\d.]+)", self.text, re.M)
        if not found:
            return default
        return float(found.group(1)) if "." in found.group(1) else int(found.group(1))

    @property
    def complete(self):
        return self.figure("Complete requests")

    @property
    def failed(self):
        return self.figure("Failed requests")

    @property
    def brackets(self):
        """ab's four, which stand below Failed requests when there are any."""
        found = re.search(r"^   \(Connect: (\d+), Receive: (\d+), Length: (\d+), Exceptions: (\d+)\)$",
                          self.text, re.M)
        names = ("Connect", "Receive", "Length", "Exceptions")
        return dict(zip(names, map(int, found.groups()))) if found else dict.fromkeys(names, 0)

    @property
    def time_per_request_ms(self):
        """Both lines: of one client, and across all."""
        return [float(number) for number in re.findall(r"^Time per request:\s+([\d.]+)", self.text, re.M)]

    @property
    def rates_kb(self):
        """received, sent and total in KB/s, as far as they are printed."""
        found = re.findall(r"([\d.]+) (?:\[Kbytes/sec\] received|kb/s sent|kb/s total)", self.text)
        return [float(number) for number in found]

    def times(self, row):
        """min, mean, deviation, median and max of a row of Connection Times, in ms; None without it."""
        found = re.search(rf"^{row}:((?:\s+[\d.]+){{5}})\s*$", self.text, re.M)
        return [float(number) for number in found.group(1).split()] if found else None

    @property
    def percentiles(self):
        """{50: ms, ... 100: ms}, in ms."""
        found = re.findall(r"^ +(\d+)%\s+([\d.]+)(?: \(longest request\))?$", self.text, re.M)
        return {int(percent): float(number) for percent, number in found}
