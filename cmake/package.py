#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Packs a self-contained binary with what belongs to it. Run by the target `package` of the presets static and windows.

    package.py --system linux|windows --version VERSION --binary FILE --libraries PREFIX;PREFIX... --source FOLDER
               --output FOLDER

Writes lather-VERSION-linux-x86_64.tar.gz or lather-VERSION-windows-x86_64.zip, and the archive's line of SHA256SUMS.
The same files give the same bytes: names are sorted, owners and modes are fixed, and every time is the commit's (or
SOURCE_DATE_EPOCH).
"""
import argparse
import gzip
import hashlib
import io
import os
import pathlib
import subprocess
import sys
import tarfile
import time
import zipfile

# Not in a prefix of cmake/deps: compiled or linked in from these Debian packages.
COMMON_PACKAGES = {"llhttp": "node-llhttp"}
SYSTEM_PACKAGES = {
    "linux": {"musl": "musl-dev", "gcc": "libgcc-12-dev"},
    "windows": {"mingw-w64": "mingw-w64-x86-64-dev", "gcc": "libgcc-12-dev"},
}
TEXTS = ("README.md", "CHANGELOG.md", "LICENSE")
DOCUMENT_ENDINGS = (".md", ".json", ".xsd")  # the pages, and the schemas of --json and --junit
TEXT_ENDINGS = (".md", ".txt", "LICENSE")


def commit_time(source):
    told = os.environ.get("SOURCE_DATE_EPOCH")
    if not told:
        git = subprocess.run(["git", "-C", source, "log", "-1", "--format=%ct"], capture_output=True, text=True, check=False)
        told = git.stdout.strip() if git.returncode == 0 else ""
    return int(told or 315532800)  # 1980, the first year that a .zip can tell


def manual(source):
    """The man page as text, without the overstriking of terminals."""
    page = subprocess.run(["groff", "-man", "-Tascii", "-P-cbou", os.path.join(source, "docs", "lather.1")],
                          capture_output=True, check=True)
    return page.stdout


def licences(system, libraries):
    """{name: text} of all that is inside: what Debian's packages say of their sources."""
    found = {}
    for prefix in libraries:
        name = pathlib.Path(prefix).name.rsplit("-", 1)[0]
        if name != "cmocka":  # tests only
            found[name] = pathlib.Path(prefix, "copyright").read_bytes()
    for name, package in {**COMMON_PACKAGES, **SYSTEM_PACKAGES[system]}.items():
        found[name] = pathlib.Path("/usr/share/doc", package, "copyright").read_bytes()
    return found


def content(arguments):
    """{path inside the archive: (bytes, mode)}"""
    source, windows = arguments.source, arguments.system == "windows"
    files = {"lather.exe" if windows else "lather": (pathlib.Path(arguments.binary).read_bytes(), 0o755)}
    for name in TEXTS:
        files[name] = (pathlib.Path(source, name).read_bytes(), 0o644)
    for path in sorted(each for each in pathlib.Path(source, "docs").iterdir() if each.suffix in DOCUMENT_ENDINGS):
        files[f"docs/{path.name}"] = (path.read_bytes(), 0o644)
    files["lather.1.txt"] = (manual(source), 0o644)
    for name, text in licences(arguments.system, [each for each in arguments.libraries.split(";") if each]).items():
        files[f"licences/{name}.txt"] = (text, 0o644)
    for path in sorted(pathlib.Path(source, "payloads").iterdir()):
        files[f"payloads/{path.name}"] = (path.read_bytes(), 0o644)
    if windows:  # for the Notepad of older servers; payloads stay as they are, byte by byte
        for name, (data, mode) in files.items():
            if name.endswith(TEXT_ENDINGS) and not name.startswith("payloads/"):
                files[name] = (data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"), mode)
    return files


def write_tar(path, top, files, moment):
    with open(path, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=moment) as packed, \
            tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name in sorted(files):
            data, mode = files[name]
            entry = tarfile.TarInfo(f"{top}/{name}")
            entry.size, entry.mode, entry.mtime = len(data), mode, moment
            archive.addfile(entry, io.BytesIO(data))


def write_zip(path, top, files, moment):
    with zipfile.ZipFile(path, "w") as archive:
        for name in sorted(files):
            data, mode = files[name]
            entry = zipfile.ZipInfo(f"{top}/{name}", time.gmtime(moment)[:6])
            entry.compress_type, entry.create_system, entry.external_attr = zipfile.ZIP_DEFLATED, 3, mode << 16
            archive.writestr(entry, data, compresslevel=9)


def add_sum(folder, path):
    """The archive's line in SHA256SUMS; lines of other archives stay."""
    sums = folder / "SHA256SUMS"
    lines = sums.read_text().splitlines() if sums.exists() else []
    lines = [line for line in lines if not line.endswith("  " + path.name)]
    lines.append(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}")
    sums.write_text("\n".join(sorted(lines, key=lambda line: line.split("  ", 1)[1])) + "\n")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--system", required=True, choices=sorted(SYSTEM_PACKAGES))
    for name in ("version", "binary", "libraries", "source", "output"):
        parser.add_argument("--" + name, required=True)
    arguments = parser.parse_args()
    folder = pathlib.Path(arguments.output)
    folder.mkdir(parents=True, exist_ok=True)
    top = f"lather-{arguments.version}-{arguments.system}-x86_64"
    is_windows = arguments.system == "windows"
    path = folder / (top + (".zip" if is_windows else ".tar.gz"))
    (write_zip if is_windows else write_tar)(path, top, content(arguments), commit_time(arguments.source))
    add_sum(folder, path)
    print(f"{path}: {path.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
