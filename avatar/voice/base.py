"""The contract of a voice."""

from collections.abc import Iterator
from dataclasses import dataclass
from threading import Event
from typing import Protocol

from avatar.speech import Speech


@dataclass(frozen=True, slots=True)
class VoiceInfo:
    """What a voice is: `name` unique in the configuration, languages as "en", "zh".

    `phones`: its speech comes with them.
    """

    name: str
    backend: str
    languages: tuple[str, ...]
    licence: str
    phones: bool = True


class Voice(Protocol):
    """Turns text into speech. Safe to call from one worker thread at a time."""

    @property
    def info(self) -> VoiceInfo: ...

    def speak(
        self, text: str, language: str, *, cancelled: Event, speed: float = 1.0
    ) -> Iterator[Speech]:
        """Speak `text` as it is shown (the voice normalises it itself) in "en" or "zh".

        Blocking generator; yields chunks as soon as they exist, the first as early as it can.
        Text with nothing to say yields nothing. When `cancelled` is set the generator stops
        within 50 ms of compute where the runtime allows it, and yields nothing more.

        Raises:
            AvatarValueError: language or speed (0.5 to 2.0) not accepted.
            AvatarError: the backend failed; the message says whether a retry makes sense.
        """
