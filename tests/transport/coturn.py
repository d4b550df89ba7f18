"""Debian's coturn as a child process on the loopback interface, as docs/network.md sets it up."""

import re
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from aioice import stun
from aioice.ice import get_host_addresses

GUIDE = Path(__file__).parents[2] / "docs" / "network.md"
ADDRESS = "127.0.0.1"
SECRET = "north-by-northwest"
START_SECONDS = 10.0

# What only a test has: one interface, a free port, its own files, no TLS, peers on this machine.
_TEST = """
listening-ip={address}
listening-port={port}
relay-ip={address}
userdb={folder}/turndb
pidfile={folder}/pid
log-file=stdout
no-tls
no-dtls
allow-loopback-peers
"""


@contextmanager
def turn_server(folder: Path) -> Iterator[int]:
    """Serve TURN and give the port; ends the child process with the context.

    Args:
        folder: for the configuration, which is the guide's and what a test needs, the log, and
            what coturn keeps.
    """
    (guide,) = re.findall(r"```ini\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL)
    assert f"static-auth-secret={SECRET}\n" in guide
    port = _free_port()
    configuration = folder / "turnserver.conf"
    own = _TEST.format(address=ADDRESS, port=port, folder=folder)
    peers = [ADDRESS, *get_host_addresses(use_ipv4=True, use_ipv6=False)]
    allowed = "".join(f"allowed-peer-ip={peer}\n" for peer in peers)
    configuration.write_text(guide + own + allowed)
    with (folder / "log").open("wb") as log:
        command = ["turnserver", "-c", str(configuration)]
        with subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT) as server:
            try:
                _await_answer(server, port)
                yield port
            finally:
                server.terminate()


def _await_answer(server: "subprocess.Popen[bytes]", port: int) -> None:
    """Ask until the server answers a STUN request (RFC 8489)."""
    request = stun.Message(stun.Method.BINDING, stun.Class.REQUEST)
    deadline = time.monotonic() + START_SECONDS
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.settimeout(0.1)
        asking.connect((ADDRESS, port))
        while server.poll() is None and time.monotonic() < deadline:
            try:
                asking.send(bytes(request))
                asking.recv(1500)
            except (TimeoutError, ConnectionRefusedError):
                continue
            return
    raise AssertionError("turnserver did not answer; its words are in the log beside its settings")


def _free_port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind((ADDRESS, 0))
        number: int = probe.getsockname()[1]
        return number
