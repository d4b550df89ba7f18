"""Which voices fail just now: they rest, are tried aside, and others speak for them."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Final

from avatar.errors import AvatarError, AvatarValueError
from avatar.voice import Voice
from pipeline.bounded import within
from pipeline.clock import Clock
from pipeline.mouthing import Mouthed, speak_mouthed
from pipeline.tasks import Tasks
from pipeline.worker import Worker, WorkerBusyError

# What a voice fails with; a TimeoutError is one that is too slow.
VoiceFailure: Final = (AvatarError, AvatarValueError, WorkerBusyError, TimeoutError)
# Seconds a voice that others can stand in for may take to its first sound, and to each after it.
PATIENCE: Final = 2.5
# Seconds until a voice that failed is tried again: at first, and at most, doubled each time.
FIRST_REST: Final = 5.0
LONGEST_REST: Final = 120.0
_WORDS: Final = {"en": "One, two.", "zh": "一，二。"}


@dataclass(frozen=True, slots=True)
class Speaker:
    """A voice, the worker it runs on, and how fast it speaks (1.0 is its own pace).

    Attributes:
        spare: who speaks in its place when it fails; None for nobody.
        health: told how it does, where there is a spare.
    """

    voice: Voice
    worker: Worker
    speed: float = 1.0
    spare: "Speaker | None" = None
    health: "VoiceHealth | None" = None

    def speech(self, text: str, language: str) -> AsyncGenerator[Mouthed, None]:
        """Speak on the worker; closing it stops the voice."""
        return self.worker.stream(
            lambda cancelled: speak_mouthed(
                self.voice, text, language, cancelled=cancelled, speed=self.speed
            )
        )


@dataclass(slots=True)
class Outage:
    """A voice that fails. `number`: of all outages, so that each is told of once."""

    number: int
    why: str
    rest: float
    again_at: float
    trying: bool = False


class VoiceHealth:
    """What one engine knows of its voices. Runs on the event loop."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self._outages: dict[str, Outage] = {}
        self._count = 0
        self._tasks = Tasks()

    def outage(self, name: str) -> Outage | None:
        """Return the outage of a voice; None where it works as far as is known."""
        return self._outages.get(name)

    def fails(self, name: str, why: str) -> Outage:
        """Note that a voice has failed; it rests."""
        outage = self._outages.get(name)
        now = self.clock.now()
        if outage is None:
            self._count += 1
            outage = Outage(self._count, why, FIRST_REST, now + FIRST_REST)
            self._outages[name] = outage
        else:
            outage.rest = min(2 * outage.rest, LONGEST_REST)
            outage.why, outage.again_at = why, now + outage.rest
        return outage

    def try_again(self, speaker: Speaker, language: str) -> None:
        """Try a voice that has rested enough with a few words that nobody hears."""
        outage = self._outages.get(speaker.voice.info.name)
        if outage is None or outage.trying or self.clock.now() < outage.again_at:
            return
        outage.trying = True
        self._tasks.start(self._try(speaker, outage, language), "try a voice again")

    async def close(self) -> None:
        """Stop what is being tried. Idempotent."""
        await self._tasks.close()

    async def _try(self, speaker: Speaker, outage: Outage, language: str) -> None:
        name = speaker.voice.info.name
        try:
            async with aclosing(speaker.speech(_WORDS[language], language)) as speech:
                await within(_first(speech), self.clock, PATIENCE)
        except VoiceFailure as error:
            self.fails(name, reason(error))
        else:
            self._outages.pop(name, None)
        finally:
            outage.trying = False


async def _first(speech: AsyncGenerator[Mouthed, None]) -> None:
    await anext(speech, None)


def reason(error: Exception) -> str:
    """Return in words why a voice failed."""
    return str(error) or f"no sound within {PATIENCE} s"
