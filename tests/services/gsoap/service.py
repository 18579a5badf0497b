#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The parcel service on gSOAP as the test suite uses it: service.py start|stop DIR (../engine.py)."""

import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import engine  # noqa: E402  pylint: disable=wrong-import-position

GSOAP = pathlib.Path("/usr/share/gsoap")
PACKAGES = "gsoap libgsoap-dev libssl-dev zlib1g-dev gcc"
# Those the library was built with (gsoapssl.pc): the layout of struct soap depends on them.
DEFINES = ["-DWITH_IPV6", "-DWITH_OPENSSL", "-DWITH_GZIP", "-DWITH_DOM"]


def build(folder):
    """Compiles DIR/parcels when a source is newer."""
    program = folder / "parcels"
    sources = [HERE / "parcels.h", HERE / "server.c", HERE / "service.py"]
    if program.exists() and program.stat().st_mtime > max(source.stat().st_mtime for source in sources):
        return
    subprocess.run(["soapcpp2", "-c", "-S", "-x", f"-d{folder}", f"-I{GSOAP}/import:{GSOAP}", str(HERE / "parcels.h")],
                   check=True, stdout=subprocess.DEVNULL)
    generated = [str(folder / name) for name in ("soapC.c", "soapServer.c")]
    plugins = [f"{GSOAP}/{name}.c" for name in ("plugin/wsaapi", "plugin/wsseapi", "plugin/smdevp", "plugin/mecevp",
                                                "plugin/threads", "custom/struct_timeval")]
    subprocess.run(["gcc", "-O1", "-w", *DEFINES, f"-I{folder}", f"-I{GSOAP}/plugin", "-o", str(program),
                    str(HERE / "server.c"), *generated, *plugins, "-lgsoapssl", "-lssl", "-lcrypto", "-lz",
                    "-lpthread"], check=True)


ENGINE = engine.Engine("gSOAP", PACKAGES, ["soapcpp2", "gcc"], build,
                       lambda folder, port: [str(folder / "parcels"), str(port)])

if __name__ == "__main__":
    sys.exit(engine.main(ENGINE, sys.argv[1:]))
