"""speak: clauses become speech."""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from agents.clause import Clause
from agents.tools import ToolCall
from avatar.speech import Speech, Word
from pipeline.bounded import within
from pipeline.channel import Channel, Envelope
from pipeline.mouthing import Mouthed
from pipeline.stages.base import Failed, Stage
from pipeline.stages.think import End
from pipeline.voice_health import PATIENCE, Speaker, VoiceFailure, VoiceHealth, reason


@dataclass(frozen=True, slots=True)
class Spoken:
    """Speech of a clause. `first`: it is the first of its clause, so the text comes with it.

    `mouth`: as `SpokenPassage.mouth`, where the voice gives no phones.
    """

    clause: Clause
    speech: Speech
    first: bool
    mouth: NDArray[np.float32] | None = field(default=None, compare=False, repr=False)


@dataclass(slots=True)
class _Said:
    """How far a clause has been spoken: whether at all, and up to which character."""

    first: bool = True
    characters: int = 0

    def add(self, text: str, words: tuple[Word, ...]) -> None:
        self.first = False
        for word in words:
            at = text.find(word.text, self.characters)
            if at >= 0:
                self.characters = at + len(word.text)


class SpeakStage(Stage[Clause | ToolCall | End]):
    """Speaks clause by clause; chunks go on as soon as they exist, then `End`.

    `speaker(turn, language)` is asked at each clause, so that a change of voice takes effect
    between two of them. A clause that has nothing to say, or nobody to say it (None), goes on as
    empty speech: its text is shown. When a voice fails that has a spare, this one speaks what is
    left of the clause; `fallen(name, spare, why)` is told once of each time a voice is out, and
    with an empty `why` when it speaks again.
    """

    def __init__(
        self,
        speaker: Callable[[int, str], Speaker | None],
        out: Channel[Spoken | ToolCall | End],
        failed: Failed,
        fallen: Callable[[str, str, str], None] = lambda *_: None,
    ) -> None:
        super().__init__("speak", 4, failed)
        self._speaker = speaker
        self._out = out
        self._fallen = fallen
        self._told: dict[str, int] = {}  # the newest outage of a voice that was told

    async def work(self, envelope: Envelope[Clause | ToolCall | End]) -> None:
        clause = envelope.payload
        if isinstance(clause, End | ToolCall):
            await self._out.put(Envelope(envelope.turn, clause))
            return
        speaker = self._speaker(envelope.turn, clause.language)
        said = _Said()
        if speaker is not None:
            await self._speak(envelope.turn, clause, speaker, said)
        if said.first:
            silent = Spoken(clause, Speech(np.zeros(0, np.float32)), first=True)
            await self._out.put(Envelope(envelope.turn, silent))

    async def _speak(self, turn: int, clause: Clause, speaker: Speaker, said: _Said) -> None:
        health, spare = speaker.health, speaker.spare
        if health is None or spare is None:
            await self._voice(turn, clause, speaker, said)
            return
        name = speaker.voice.info.name
        if health.outage(name) is None:
            try:
                await self._voice(turn, clause, speaker, said, health)
            except VoiceFailure as error:
                health.fails(name, reason(error))
            else:
                self._recovered(speaker, spare)
                return
        health.try_again(speaker, clause.language)
        self._tell(health, speaker, spare)
        await self._voice(turn, clause, spare, said)

    async def _voice(
        self,
        turn: int,
        clause: Clause,
        speaker: Speaker,
        said: _Said,
        health: VoiceHealth | None = None,
    ) -> None:
        """Speak what is left of a clause; `health` bounds how long the voice may be silent."""
        text = clause.text[said.characters :]
        async with aclosing(speaker.speech(text, clause.language)) as speech:
            while (made := await _next(speech, health)) is not None:
                spoken = Spoken(clause, made.speech, said.first, made.mouth)
                said.add(clause.text, made.speech.words)
                if not await self._out.put(Envelope(turn, spoken)):
                    return

    def _tell(self, health: VoiceHealth, speaker: Speaker, spare: Speaker) -> None:
        name = speaker.voice.info.name
        outage = health.outage(name)
        if outage is not None and self._told.get(name) != outage.number:
            self._told[name] = outage.number
            self._fallen(name, spare.voice.info.name, outage.why)

    def _recovered(self, speaker: Speaker, spare: Speaker) -> None:
        name = speaker.voice.info.name
        if self._told.pop(name, None) is not None:
            self._fallen(name, spare.voice.info.name, "")


async def _next(
    speech: AsyncGenerator[Mouthed, None], health: VoiceHealth | None
) -> Mouthed | None:
    if health is None:
        return await anext(speech, None)
    return await within(_one(speech), health.clock, PATIENCE)


async def _one(speech: AsyncGenerator[Mouthed, None]) -> Mouthed | None:
    return await anext(speech, None)
