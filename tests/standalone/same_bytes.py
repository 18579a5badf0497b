#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds and packs the binary a second time, in a folder of its own, and compares the two archives byte by byte. What
a compiler cache made is built twice anew.

    same_bytes.py SOURCE BUILD PRESET
"""
import hashlib
import pathlib
import shutil
import subprocess
import sys
import tempfile


def pack(preset, source, build):
    subprocess.run(["cmake", "--build", build, "--target", "package"], cwd=source, check=True, stdout=subprocess.DEVNULL)
    archives = [path for path in pathlib.Path(build, "package").iterdir() if path.name != "SHA256SUMS"]
    if len(archives) != 1:
        sys.exit(f"{preset}: one archive was expected: {archives}")
    digest = hashlib.sha256(archives[0].read_bytes()).hexdigest()
    told = pathlib.Path(build, "package", "SHA256SUMS").read_text()
    if told != f"{digest}  {archives[0].name}\n":
        sys.exit(f"SHA256SUMS says {told!r}")
    return archives[0].name, digest


def build_anew(preset, source):
    """In a folder of its own, by the compiler itself."""
    with tempfile.TemporaryDirectory(prefix="lather-again-") as again:
        subprocess.run(["cmake", "--preset", preset, "-B", again, "-DBUILD_TESTING=OFF", "-DCMAKE_C_COMPILER_LAUNCHER="],
                       cwd=source, check=True, stdout=subprocess.DEVNULL)
        return pack(preset, source, again)


def comes_from_a_compiler_cache(build):
    """Such objects may be those of another folder, whose name is in them."""
    return "CMAKE_C_COMPILER_LAUNCHER:" in pathlib.Path(build, "CMakeCache.txt").read_text()


def main(arguments):
    if len(arguments) != 3:
        sys.exit(__doc__)
    source, build, preset = arguments
    shutil.rmtree(pathlib.Path(build, "package"), ignore_errors=True)
    first = pack(preset, source, build)
    if comes_from_a_compiler_cache(build):
        first = build_anew(preset, source)
    second = build_anew(preset, source)
    print(first, second, sep="\n")
    return 0 if first == second else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
