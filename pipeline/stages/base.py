"""What every stage between two channels shares: one inbox, one piece of work, cancellation."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Generic, TypeVar

from agents.errors import AgentError, AgentValueError
from avatar.errors import AvatarError, AvatarValueError
from encoder.errors import EncoderError, EncoderValueError
from pipeline.channel import Channel, Envelope
from pipeline.errors import VivantError

T = TypeVar("T")

# What a stage may fail with and the session survive: the failed turn ends, the next one may work.
StageError = (
    VivantError,
    AgentError,
    AgentValueError,
    AvatarError,
    AvatarValueError,
    EncoderError,
    EncoderValueError,
)
Failed = Callable[[str, int, Exception], None]


class Stage(ABC, Generic[T]):
    """Takes envelopes from its inbox one at a time and works on them.

    `cancel(turn)` makes it drop what it holds of turns up to `turn`, stop working on them, and
    returns when it has: that is its acknowledgement.
    """

    def __init__(self, name: str, capacity: int, failed: Failed) -> None:
        self.name = name
        self.inbox: Channel[T] = Channel(capacity)
        self._failed = failed
        self._over = 0
        self._turn = 0
        self._work: asyncio.Task[None] | None = None

    @property
    def idle(self) -> bool:
        """Whether it works on nothing and nothing waits."""
        return self._work is None and not len(self.inbox)

    async def run(self) -> None:
        """Work until cancelled."""
        try:
            while True:
                envelope = await self.inbox.get()
                if envelope.turn > self._over:
                    await self._do(envelope)
        finally:
            if self._work is not None:
                self._work.cancel()
                await asyncio.wait({self._work})
                self._work = None

    def forbid(self, turn: int) -> None:
        """Take up nothing more of turns up to `turn`, from this moment."""
        self._over = max(self._over, turn)
        self.inbox.drop_through(turn)

    async def cancel(self, turn: int) -> None:
        """Forbid turns up to `turn` and wait until none of them is worked on."""
        self.forbid(turn)
        if self._work is not None and self._turn <= turn:
            self._work.cancel()
            await asyncio.wait({self._work})

    @abstractmethod
    async def work(self, envelope: Envelope[T]) -> None:
        """Work on one envelope; put what comes of it into the next stage's inbox."""

    async def _do(self, envelope: Envelope[T]) -> None:
        self._turn = envelope.turn
        self._work = asyncio.create_task(self.work(envelope), name=f"{self.name} {envelope.turn}")
        try:
            await asyncio.wait({self._work})
            if not self._work.cancelled() and (error := self._work.exception()) is not None:
                if not isinstance(error, StageError):
                    raise error
                self._failed(self.name, envelope.turn, error)
        finally:
            if self._work.done():
                self._work = None
