"""A question that is spoken: heard at the pace of speech, as from somebody who is there."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from transport.client.errors import ClientError, RequestRefusedError
from transport.client.reply import Reply

PIECE_S: Final = 0.1
# How far the sound may run ahead of the time it takes: what is late is not missed.
AHEAD_S: Final = 0.3
# For the server to notice speech in a question that has ended.
NOTICED_S: Final = 3.0


class Watch:
    """What becomes of what the person says, while somebody waits for the answer to it."""

    def __init__(self) -> None:
        self.committed = False
        self._reply: Reply | None = None
        self._error: ClientError | None = None
        self._noticed = asyncio.Event()
        self._settled = asyncio.Event()
        self._answered = asyncio.Event()

    async def heard(self) -> None:
        """Wait until what was said has become an item of the conversation.

        Raises:
            RequestRefusedError: there was nothing to hear in it.
            ClientError: nobody will know.
        """
        try:
            async with asyncio.timeout(NOTICED_S):
                await self._noticed.wait()
        except TimeoutError:
            raise _unheard() from None
        await self._settled.wait()
        if self._error is not None:
            raise self._error
        if not self.committed:
            raise _unheard()

    async def answer(self) -> Reply:
        """Wait for the answer to what was said last.

        Raises:
            ClientError: there will be none.
        """
        await self._answered.wait()
        if self._reply is None:
            raise self._error or _unheard()
        return self._reply

    def spoken_on(self) -> None:
        """The person speaks, or speaks again: what was answered was not all."""
        self.committed = False
        self._reply = None
        self._settled.clear()
        self._answered.clear()
        self._noticed.set()

    def settled(self, *, committed: bool) -> None:
        """What was said has become an item, or had no words in it."""
        self.committed = committed
        self._noticed.set()
        self._settled.set()

    def answered(self, reply: Reply) -> None:
        """An answer begins."""
        self._reply = reply
        self._answered.set()

    def refused(self, error: ClientError) -> None:
        """The server does not end the turn: it has found its end before, or heard nothing."""
        if not self.committed:
            self.fail(error)

    def fail(self, error: ClientError) -> None:
        """There will be no answer."""
        self._error = error
        for event in (self._noticed, self._settled, self._answered):
            event.set()


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


def _unheard() -> RequestRefusedError:
    return RequestRefusedError(
        "nothing was heard in what was asked; accepted: speech",
        kind="invalid_request_error",
        code="nothing_heard",
    )
