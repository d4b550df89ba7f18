"""`Reply`: what the host answers, as text and sound, while it comes and as a whole."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from transport.client.errors import ClientError, RequestRefusedError
from transport.client.media import AudioChunk, TextChunk
from transport.client.sound import write_wav
from transport.client.streams import SoundStream

IN_PROGRESS: Final = "in_progress"


class Reply:
    """One answer. Where the host calls tools, it is all that is said until nothing is open.

    Iterate over it for text and sound as they come, or over `audio` for the sound alone; 120 s of
    sound wait for a slow reader. Use one of them, once.

    Attributes:
        id: of the response that is being made; "" before it begins.
        status: "in_progress", "completed", "cancelled", "failed" or "incomplete".
        transcript: the text so far.
        interrupted: it was cut off while it sounded.
    """

    def __init__(self, cancel: Callable[[str], Awaitable[None]]) -> None:
        self.id = ""
        self.status = IN_PROGRESS
        self.interrupted = False
        self._cancel = cancel
        self._parts: SoundStream[TextChunk | AudioChunk] = SoundStream()
        self._texts: list[str] = [""]
        self._begun = asyncio.Event()
        self._made = asyncio.Event()
        self._over = asyncio.Event()
        self._sound_due = False
        self._error: ClientError | None = None

    @property
    def transcript(self) -> str:
        return "".join(self._texts)

    @property
    def audio(self) -> "SoundOf":
        """Its sound, an async iterator of `AudioChunk`."""
        return SoundOf(self._parts)

    @property
    def over(self) -> bool:
        """Whether all of it has been said."""
        return self._over.is_set()

    def __aiter__(self) -> SoundStream[TextChunk | AudioChunk]:
        return self._parts

    async def text(self) -> str:
        """Wait until all text is made and return it; it may still be spoken.

        Raises:
            RequestRefusedError: the host could not answer.
            ReplyLostError: the connection broke.
        """
        await self._made.wait()
        self._check()
        return self.transcript

    async def finished(self) -> Self:
        """Wait until all of it has been spoken.

        Raises:
            RequestRefusedError, ReplyLostError: as `text`.
        """
        await self._over.wait()
        self._check()
        return self

    async def sound(self) -> NDArray[np.int16]:
        """Return all of its sound: int16 [n], mono, 24 kHz.

        Raises:
            RequestRefusedError, ReplyLostError: as `text`.
            SlowConsumerError: it was longer than what is kept, and was not read from its start.
        """
        chunks = [chunk.samples async for chunk in self.audio]
        return np.concatenate([np.zeros(0, np.int16), *chunks])

    async def save(self, path: Path | str) -> None:
        """Write all of its sound as a WAV file.

        Raises:
            ClientValueError: the file cannot be written.
            ClientError: as `sound`.
        """
        write_wav(path, await self.sound())

    async def cancel(self) -> None:
        """Have the host stop; no-op where it has finished."""
        if not self.over:
            await self._cancel(self.id)

    async def begun(self) -> Self:
        """Wait until the host begins to answer.

        Raises:
            RequestRefusedError, ReplyLostError: it will not.
        """
        await self._begun.wait()
        if not self.id:
            self._check()
        return self

    def begin(self, response_id: str) -> None:
        """A response that belongs to it begins."""
        self.id = response_id
        self._texts.append("")
        self._sound_due = False
        self._begun.set()

    def add(self, chunk: TextChunk | AudioChunk) -> None:
        """More text, or more sound."""
        if isinstance(chunk, TextChunk):
            self._texts[-1] += chunk.text
        else:
            self._sound_due = True
        self._parts.put(chunk)

    def made(self, response: Mapping[str, Any], *, goes_on: bool, paced: bool) -> None:
        """A response has been made.

        Args:
            response: as `response.done` has it.
            goes_on: another one will follow that belongs here too.
            paced: the server tells when its sound is over.
        """
        spoken = _spoken(response)
        if spoken is not None:
            self._texts[-1] = spoken
        if goes_on:
            return
        self.status = str(response.get("status"))
        if self.status == "failed":
            self.fail(_failure(response))
            return
        self._made.set()
        sounds = paced and self.status == "completed" and _has_sound(response)
        if not (sounds or (self._sound_due and paced)):
            self.end()

    def started(self) -> None:
        """Its sound begins."""
        self._sound_due = True

    def silent(self, *, cut: bool) -> None:
        """Its sound has ended, or was `cut`."""
        self._sound_due = False
        self.interrupted = self.interrupted or cut
        if cut:
            self._parts.clear()
        if self._made.is_set():
            self.end()

    def end(self) -> None:
        """Nothing more comes."""
        for event in (self._begun, self._made, self._over):
            event.set()
        self._parts.end(self._error)

    def fail(self, error: ClientError) -> None:
        """Let whoever waits for it know; no-op where it has finished."""
        if not self.over:
            self.status = "failed"
            self._error = error
            self.end()

    def _check(self) -> None:
        if self._error is not None:
            raise self._error


class SoundOf:
    """The sound among the parts of a reply."""

    def __init__(self, parts: SoundStream[TextChunk | AudioChunk]) -> None:
        self._parts = parts

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> AudioChunk:
        """Return the next piece of sound.

        Raises:
            SlowConsumerError: sound was lost before it; reading again goes on after the gap.
        """
        while True:
            part = await anext(self._parts)
            if isinstance(part, AudioChunk):
                return part


def _contents(response: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [part for item in response.get("output") or [] for part in item.get("content") or []]


def _spoken(response: Mapping[str, Any]) -> str | None:
    texts = [part.get("transcript") or part.get("text") or "" for part in _contents(response)]
    return "".join(texts) if texts else None


def _has_sound(response: Mapping[str, Any]) -> bool:
    return any(part.get("transcript") for part in _contents(response))


def _failure(response: Mapping[str, Any]) -> RequestRefusedError:
    error = (response.get("status_details") or {}).get("error") or {}
    message = str(error.get("message") or "the host could not answer")
    kind = str(error.get("type") or "server_error")
    return RequestRefusedError(message, kind=kind, code=error.get("code"))
