"""A question that is spoken: heard at the pace of speech, as from somebody who is there."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

PIECE_S: Final = 0.1
# How far the sound may run ahead of the time it takes: what is late is not missed.
AHEAD_S: Final = 0.3


async def speak(
    samples: NDArray[np.float32],
    rate: int,
    send: Callable[[NDArray[np.float32], int], Awaitable[None]],
) -> None:
    """Send sound, float32 [n], at the pace of speech."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    length = max(1, round(PIECE_S * rate))
    for start in range(0, len(samples), length):
        await send(samples[start : start + length], rate)
        due = began + (start + length) / rate - AHEAD_S
        await asyncio.sleep(max(0.0, due - loop.time()))


def server_answers(session: Mapping[str, Any]) -> bool:
    """Return whether the server answers by itself when somebody has spoken."""
    source = (session.get("audio") or {}).get("input") or {}
    detection = source.get("turn_detection")
    return detection is not None and bool(detection.get("create_response", True))
