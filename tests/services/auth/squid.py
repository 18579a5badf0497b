# SPDX-License-Identifier: Apache-2.0
"""squid: as a proxy for clients, and in front of a service with NTLM, judged by ntlm_auth and winbindd.

winbindd's socket can only be in /run/samba/winbindd, so it wants root and to be the only one on the machine; elsewhere
squid's ntlm_fake_auth speaks NTLM and takes any password. The user is one that every Debian has (games), with a
password in a store of the test's own.
"""

import os
import pathlib
import time

from server import Folder, find, free_port

PACKAGES = "squid"
NTLM_PACKAGES = "squid winbind samba-common-bin"
NTLM_USER = r"ORDERSRV\games"
PIPE = pathlib.Path("/run/samba/winbindd/pipe")
HELPERS = 20


def missing():
    return "" if find("squid") else PACKAGES


def missing_ntlm():
    tools = all(find(name) for name in ("squid", "winbindd", "ntlm_auth", "smbpasswd", "wbinfo"))
    return "" if tools else NTLM_PACKAGES


def has_winbindd():
    """Whether winbindd can run here: passwords are judged. Else squid's own helper takes any."""
    return os.geteuid() == 0 and not PIPE.exists()


class Squid:
    """Use as a context."""

    def __init__(self, settings):
        self._settings = settings

    def __enter__(self):
        self.folder = Folder()
        try:
            self.prepare()
            self._start()
        except Exception:
            self.__exit__()
            raise
        return self

    def prepare(self):
        """What has to be there before squid starts."""

    def _start(self):
        folder = self.folder
        folder.make("squid")
        folder.give("proxy", "squid")
        for _ in range(5):
            self.port = free_port()
            conf = folder.render("squid.conf", PORT=self.port, **self._settings)
            # -n: the name of its shared memory
            if folder.launch("squid", self.port, find("squid"), "-N", "-n", f"lather{self.port}", "-f", conf):
                return
        raise AssertionError("squid did not start\n" + folder.output())

    def address(self):
        return f"127.0.0.1:{self.port}"

    def __exit__(self, *_):
        self.folder.close()


class ForwardProxy(Squid):
    """Passes everything on, and gives tunnels to any port."""

    def __init__(self):
        super().__init__({"MODE": "", "AUTH": "", "ACCESS": "http_access allow all", "PEER": ""})


class NtlmFront(Squid):
    """In front of the service on the port `backend`; with `judges` only NTLM_USER with the password `secret` gets
    through, else whoever speaks NTLM."""

    def __init__(self, backend, judges):
        self._judges = judges
        super().__init__({
            "MODE": "accel defaultsite=localhost no-vhost",
            "ACCESS": "acl known proxy_auth REQUIRED\nhttp_access allow known\nhttp_access deny all",
            "PEER": f"cache_peer 127.0.0.1 parent {backend} 0 no-query originserver name=service\n"
                    "cache_peer_access service allow all\nnever_direct allow all",
        })

    def _use(self, helper):
        self._settings["AUTH"] = (f"auth_param ntlm program {helper}\nauth_param ntlm keep_alive on\n"
                                  f"auth_param ntlm children {HELPERS} startup={HELPERS} idle=1")

    def prepare(self):
        if self._judges:
            self._prepare_winbindd()
        else:
            self._use(find("ntlm_fake_auth"))

    def _prepare_winbindd(self):
        folder = self.folder
        folder.make("smb")
        for name in ("private", "lock", "state", "cache", "pid", "ncalrpc"):
            folder.make("smb/" + name)
        conf = folder.render("smb.conf")
        self._use(f"{find('ntlm_auth')} --configfile={conf} --helper-protocol=squid-2.5-ntlmssp")
        folder.feed("secret\nsecret\n", find("smbpasswd"), "-c", conf, "-s", "-a", NTLM_USER.split("\\")[1])
        PIPE.parent.parent.mkdir(parents=True, exist_ok=True)
        folder.launch("winbindd", None, find("winbindd"), "-F", "--no-process-group", "-s", conf)
        deadline = time.monotonic() + 20
        while not (PIPE.exists() and folder.works(find("wbinfo"), "-p")):
            if time.monotonic() > deadline:
                raise AssertionError("winbindd does not answer\n" + folder.output())
            time.sleep(0.05)
        os.chown(folder.path / "smb/state/winbindd_privileged", -1, folder.group("proxy"))

    def __exit__(self, *_):
        if not self._judges:
            self.folder.close()
            return
        helper = self.folder.path / "smb/pid/samba-dcerpcd.pid"  # in a session of its own
        pid = int(helper.read_text()) if helper.exists() else 0
        self.folder.close()
        if pid:
            try:
                if b"samba-dcerpcd" in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes():
                    os.kill(pid, 15)
            except OSError:
                pass
        PIPE.unlink(missing_ok=True)
