# SPDX-License-Identifier: Apache-2.0
"""A core that never sleeps, and a process that nothing keeps from it: what takes the system's scheduling out of a measurement.

An idle core halts, and to be woken costs the more the rarer it is needed, on a virtual machine above all. So a child spins on it,
in the class of processes that run only when nobody else would (SCHED_IDLE), and ends with its parent at the latest.
"""
import contextlib
import os
import subprocess
import sys

FIRST_IN_LINE = ("chrt", "-f", "10")  # before a command: no ordinary process runs while it could


@contextlib.contextmanager
def awake(core):
    """The core spins as long as this lasts."""
    spinner = subprocess.Popen(["taskset", "-c", str(core), sys.executable, "-B", __file__], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    try:
        if spinner.stdout.readline() != "spinning\n" or os.sched_getscheduler(spinner.pid) != os.SCHED_IDLE:
            sys.exit(f"core {core} could not be kept awake")
        yield
    finally:
        spinner.kill()
        spinner.communicate()


def spin():
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    parent = os.getppid()
    print("spinning", flush=True)
    while os.getppid() == parent:
        for _ in range(100_000):
            pass


if __name__ == "__main__":
    spin()
