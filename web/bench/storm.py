"""`vivant bench storm`: callers by the dozen come and go in every way; what is left of them."""

import asyncio
from pathlib import Path
from typing import Any, Final

from web.bench.crowd import send_crowd
from web.bench.soak import left_behind, settled
from web.command.child import own_server
from web.command.outcome import note

# Pools of threads and caches find their size.
WARMING: Final = 40
STAY_S: Final = 1.0


def run(
    *,
    clients: int = 200,
    per_second: float = 10.0,
    sessions: int = 32,
    config: Path | None = None,
) -> dict[str, Any]:
    """Let `clients` call a server of so many `sessions`; see `web.bench.crowd` for what they do.

    `leaked` counts sessions, threads, tasks and files that they left behind. A caller who loses
    the network keeps a session for a while, so the server is full before long.

    Raises:
        CommandError: the server could not be started.
        CallFailedError: sessions are left after more than a minute.
    """
    arguments = ["--voice", "light", "--sessions", str(sessions)]
    with own_server([*arguments, *(["--config", str(config)] if config else [])]) as url:
        note(f"{clients} callers, {per_second:g} a second")
        send_crowd(url, WARMING, per_second, STAY_S)
        before = asyncio.run(settled(url))
        storm = send_crowd(url, clients, per_second, STAY_S)
        after = asyncio.run(settled(url))
    left = left_behind(before, after)
    return {
        "clients": clients,
        **storm.counts(),
        "refused_s": storm.refused_s,
        "problems": storm.problems,
        "seconds": round(storm.seconds, 1),
        "client_cpu_share": round(storm.cpu_seconds / storm.seconds, 3),
        "memory_growth": round(after.memory / before.memory - 1, 4),
        "leaked": sum(max(0, count) for count in left.values()),
        "left": left,
    }
