#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a self-contained binary must be: one file that needs nothing of the machine it is copied to.

    check_binary.py linux|windows BINARY [FOLDER...]

It is at most 12 MB and stripped, static (Linux) or importing from libraries that Windows itself has, and does not
contain the name of a FOLDER of the machine that built it. Prints what is wrong; exit 1 when something is.
"""
import os
import re
import subprocess
import sys

SIZE_MOST = 12_000_000

# Parts of Windows since 8 and Server 2012. What is not here must not be imported.
SYSTEM_LIBRARIES = {
    "advapi32.dll", "bcrypt.dll", "crypt32.dll", "dbghelp.dll", "gdi32.dll", "iphlpapi.dll", "kernel32.dll", "msvcrt.dll",
    "normaliz.dll", "ole32.dll", "psapi.dll", "secur32.dll", "shell32.dll", "user32.dll", "userenv.dll", "winmm.dll",
    "wldap32.dll", "ws2_32.dll"}


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True, errors="replace").stdout


def check_linux(path):
    with open(path, "rb") as file:
        if file.read(5) != b"\x7fELF\x02":
            yield "is no 64-bit ELF file"
            return
    segments = output_of("readelf", "--program-headers", "--wide", path)
    for kind in ("INTERP", "DYNAMIC"):
        if re.search(rf"^\s+{kind}\b", segments, re.M):
            yield f"is not static: it has a segment {kind}"
    told = subprocess.run(["ldd", path], capture_output=True, text=True, check=False, env={**os.environ, "LC_ALL": "C"})
    if not re.search("not a dynamic executable|statically linked", told.stdout + told.stderr):
        yield f"is not static: ldd says {told.stdout.strip()}"
    if ".symtab" in output_of("readelf", "--section-headers", "--wide", path):
        yield "is not stripped"


def check_windows(path):
    with open(path, "rb") as file:
        if file.read(2) != b"MZ":
            yield "is no Windows executable"
            return
    headers = output_of("x86_64-w64-mingw32-objdump", "-p", path)
    imported = {name.lower() for name in re.findall(r"DLL Name: (\S+)", headers)}
    if not imported:
        yield "imports nothing: its headers were not understood"
    for name in sorted(imported - SYSTEM_LIBRARIES):
        yield f"imports from {name}, which is no part of Windows"
    if not re.search(r"^Subsystem\s+00000003", headers, re.M):
        yield "is no console program"
    if re.search(r"^\[\s*\d+\]\(sec", output_of("x86_64-w64-mingw32-objdump", "-t", path), re.M):
        yield "is not stripped"
    with open(path, "rb") as file:
        content = file.read()
    for word, what in ((b"<activeCodePage", "manifest"), ("OriginalFilename".encode("utf-16-le"), "version resource")):
        if word not in content:
            yield f"has no {what}"


def check_common(path, folders):
    size = os.path.getsize(path)
    if size > SIZE_MOST:
        yield f"has {size} bytes, more than {SIZE_MOST}"
    with open(path, "rb") as file:
        content = file.read()
    for folder in folders:
        if len(folder) > 1 and folder.encode() in content:
            at = content.index(folder.encode())
            yield f"names a folder of the machine that built it: {content[at:at + 120].split(chr(0).encode())[0]!r}"


def main(arguments):
    if len(arguments) < 2 or arguments[0] not in ("linux", "windows"):
        sys.exit(__doc__)
    system, path, *folders = arguments
    faults = list(check_common(path, folders))
    faults += check_linux(path) if system == "linux" else check_windows(path)
    for fault in faults:
        print(f"{path} {fault}")
    print(f"{path}: {os.path.getsize(path)} bytes, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
