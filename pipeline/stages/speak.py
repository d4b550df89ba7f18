"""speak: clauses become speech."""

from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from agents.clause import Clause
from agents.tools import ToolCall
from avatar.speech import Speech
from avatar.voice import Voice
from pipeline.channel import Channel, Envelope
from pipeline.mouthing import speak_mouthed
from pipeline.stages.base import Failed, Stage
from pipeline.stages.think import End
from pipeline.worker import Worker


@dataclass(frozen=True, slots=True)
class Spoken:
    """Speech of a clause. `first`: it is the first of its clause, so the text comes with it.

    `mouth`: as `SpokenPassage.mouth`, where the voice gives no phones.
    """

    clause: Clause
    speech: Speech
    first: bool
    mouth: NDArray[np.float32] | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Speaker:
    """A voice, the worker it runs on, and how fast it speaks (1.0 is its own pace)."""

    voice: Voice
    worker: Worker
    speed: float = 1.0


class SpeakStage(Stage[Clause | ToolCall | End]):
    """Speaks clause by clause; chunks go on as soon as they exist, then `End`.

    `speaker(turn, language)` is asked at each clause, so that a change of voice takes effect
    between two of them. A clause that has nothing to say, or nobody to say it (None), goes on as
    empty speech: its text is shown.
    """

    def __init__(
        self,
        speaker: Callable[[int, str], Speaker | None],
        out: Channel[Spoken | ToolCall | End],
        failed: Failed,
    ) -> None:
        super().__init__("speak", 4, failed)
        self._speaker = speaker
        self._out = out

    async def work(self, envelope: Envelope[Clause | ToolCall | End]) -> None:
        clause = envelope.payload
        if isinstance(clause, End | ToolCall):
            await self._out.put(Envelope(envelope.turn, clause))
            return
        speaker = self._speaker(envelope.turn, clause.language)
        if speaker is None:
            await self._silent(envelope.turn, clause)
        else:
            await self._speak(envelope.turn, clause, speaker)

    async def _speak(self, turn: int, clause: Clause, speaker: Speaker) -> None:
        stream = speaker.worker.stream(
            lambda cancelled: speak_mouthed(
                speaker.voice,
                clause.text,
                clause.language,
                cancelled=cancelled,
                speed=speaker.speed,
            )
        )
        first = True
        async with aclosing(stream):
            async for made in stream:
                spoken = Spoken(clause, made.speech, first, made.mouth)
                first = False
                if not await self._out.put(Envelope(turn, spoken)):
                    return
        if first:
            await self._silent(turn, clause)

    async def _silent(self, turn: int, clause: Clause) -> None:
        silent = Spoken(clause, Speech(np.zeros(0, np.float32)), first=True)
        await self._out.put(Envelope(turn, silent))
