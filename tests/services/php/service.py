#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The parcel service on PHP's SoapServer as the test suite uses it: service.py start|stop DIR (../engine.py)."""

import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import engine  # noqa: E402  pylint: disable=wrong-import-position

PACKAGES = "php8.2-cli php8.2-soap"
WORKERS = 4  # PHP's own server does one request at a time in each


def prepare(folder):
    """Nothing to compile; the extension must be there, and the books begin empty."""
    modules = subprocess.run(["php", "-m"], check=True, capture_output=True, text=True).stdout.split()
    if "soap" not in modules:
        engine.skip(ENGINE, "PHP has no soap extension")
    (folder / "calls").write_bytes(b"")


ENGINE = engine.Engine("PHP SoapServer", PACKAGES, ["php"], prepare,
                       lambda folder, port: ["env", f"PARCELS_CALLS={folder}/calls", "php", "-d", "variables_order=EGPCS",
                                             "-S", f"127.0.0.1:{port}", str(HERE / "parcels.php")],
                       {"PHP_CLI_SERVER_WORKERS": str(WORKERS)})

if __name__ == "__main__":
    sys.exit(engine.main(ENGINE, sys.argv[1:]))
