"""Debian's PostgreSQL as a child process on a Unix socket and a port of its own."""

import getpass
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

START_SECONDS: Final = 30.0
# It refuses to run as root.
UNPRIVILEGED: Final = "nobody"
_SETTINGS: Final = ("-c", "shared_buffers=16MB", "-c", "max_connections=40", "-c", "fsync=off")


def programs() -> Path | None:
    """Return the folder of PostgreSQL's programs, None where it is not installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if found:
        return found[-1].parent
    initdb = shutil.which("initdb")
    return None if initdb is None else Path(initdb).parent


class Cluster:
    """A throw-away cluster. `stop` and `start` are what happens to the connections of a server."""

    def __init__(self, folder: Path, binaries: Path) -> None:
        self._folder = folder
        self._binaries = binaries
        self._port = _free_port()
        self._address = ("-h", "127.0.0.1", "-p", str(self._port))
        self._process: subprocess.Popen[bytes] | None = None
        _as_owner(
            [
                binaries / "initdb",
                "-D",
                folder / "data",
                "-A",
                "trust",
                "-U",
                "vivant",
                "-E",
                "UTF8",
            ]
        )

    def url(self, database: str) -> str:
        """Return the URL of a database."""
        return f"postgresql+pg8000://vivant@127.0.0.1:{self._port}/{database}"

    def create(self, database: str) -> str:
        """Make an empty database; return its URL."""
        self.query("postgres", f'create database "{database}"')
        return self.url(database)

    def query(self, database: str, statement: str) -> str:
        """Carry out a statement; return what psql prints."""
        command: list[Path | str] = [
            self._binaries / "psql",
            "-h",
            "127.0.0.1",
            "-p",
            str(self._port),
        ]
        made = _as_owner([*command, "-U", "vivant", "-d", database, "-At", "-c", statement])
        return made.stdout.decode()

    def start(self) -> None:
        """Start, and wait until it answers."""
        folder = self._folder
        command: list[Path | str] = [
            self._binaries / "postgres",
            "-D",
            folder / "data",
            "-k",
            folder,
        ]
        command += ["-h", "127.0.0.1", "-p", str(self._port), *_SETTINGS]
        with (folder / "log").open("ab") as log:
            self._process = subprocess.Popen(_owned(command), stdout=log, stderr=log)
        deadline = time.monotonic() + START_SECONDS
        ready: list[Path | str] = [
            self._binaries / "pg_isready",
            "-h",
            "127.0.0.1",
            "-p",
            str(self._port),
        ]
        while subprocess.run(ready, stdout=subprocess.DEVNULL, check=False).returncode:
            assert self._process.poll() is None, (folder / "log").read_text()
            assert time.monotonic() < deadline, (folder / "log").read_text()

    def stop(self) -> None:
        """End it at once; connections break."""
        if self._process is not None:
            postmaster = self._folder / "data" / "postmaster.pid"
            if postmaster.exists():
                os.kill(int(postmaster.read_text().split()[0]), signal.SIGQUIT)
            self._process.wait(START_SECONDS)
            self._process = None


@contextmanager
def running() -> Iterator[Cluster]:
    """Give a running cluster; it is gone with the context."""
    binaries = programs()
    assert binaries is not None, "PostgreSQL is not installed; scripts/system-libraries test"
    with tempfile.TemporaryDirectory(prefix="vivant-pg-") as name:
        folder = Path(name)
        if os.geteuid() == 0:
            shutil.chown(folder, UNPRIVILEGED)
        cluster = Cluster(folder, binaries)
        cluster.start()
        try:
            yield cluster
        finally:
            cluster.stop()


def _owned(command: list[Path | str]) -> list[str]:
    words = [str(word) for word in command]
    return ["runuser", "-u", UNPRIVILEGED, "--", *words] if getpass.getuser() == "root" else words


def _as_owner(command: list[Path | str]) -> "subprocess.CompletedProcess[bytes]":
    made = subprocess.run(_owned(command), capture_output=True, cwd="/", check=False)
    assert not made.returncode, made.stderr.decode()
    return made


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        number: int = probe.getsockname()[1]
        return number
