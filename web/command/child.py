"""A server of one's own in a child process, for commands that need one to talk to."""

import os
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from web.command.outcome import CommandError
from web.command.serve import READY

START_SECONDS = 300.0  # models load, and the body is built where its cache is missing
STOP_SECONDS = 15.0


@contextmanager
def own_server(arguments: Sequence[str] = ()) -> Iterator[str]:
    """Serve on a free port while the context lasts, and give its URL.

    Args:
        arguments: further arguments of `vivant serve`.

    Raises:
        CommandError: the server ended, or was not ready in time; its own words are on stderr.
    """
    command = [sys.executable, "-m", "web.command", "serve", "--port", "0", *arguments]
    with (
        tempfile.TemporaryDirectory(prefix="vivant-") as settings,
        subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, bufsize=1, env=without_keys(settings)
        ) as server,
    ):
        try:
            yield _await_ready(server)
        finally:
            _stop(server)


def without_keys(settings: str) -> dict[str, str]:
    """Return an environment in which the user's keys are not asked for, and the user's rooms are
    left alone: the server is on loopback and lasts as long as the command.
    """
    from pipeline.configuration import RoomsSettings
    from pipeline.folders import SETTINGS_VARIABLE

    environment = {**os.environ, SETTINGS_VARIABLE: settings}
    environment[RoomsSettings().url_variable] = f"sqlite:///{settings}/rooms.db"
    environment.pop("VIVANT_API_KEY", None)
    return environment


def _await_ready(server: "subprocess.Popen[str]") -> str:
    assert server.stdout is not None
    deadline = time.monotonic() + START_SECONDS
    with selectors.DefaultSelector() as selector:
        selector.register(server.stdout, selectors.EVENT_READ)
        while selector.select(max(0.0, deadline - time.monotonic())):
            line = server.stdout.readline()
            if line.startswith(READY):
                return line.removeprefix(READY).split()[0]
            if not line:
                code = server.wait()
                raise CommandError(f"the server ended with exit code {code} before it was ready")
    raise CommandError(f"the server was not ready within {START_SECONDS:g} seconds")


def _stop(server: "subprocess.Popen[str]") -> None:
    if server.poll() is None:
        server.send_signal(signal.SIGTERM)
    try:
        server.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        server.kill()
