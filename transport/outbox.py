"""What waits to be sent over a WebSocket whose reader may be slow: bounded, and told."""

import asyncio
from collections import deque
from dataclasses import dataclass
from typing import Final, Literal

Kind = Literal["event", "sound", "motion", "video", "keyframe"]

# Bytes of all that waits. Beside it poses and pictures have less: they are worthless when late.
MOST_BYTES: Final = 4 << 20
MOST_LIGHT_BYTES: Final = 256 << 10
# Sound that a client has not taken for so long is not taken at all.
MOST_SOUND: Final = 500  # messages of 20 ms: 10 s


@dataclass(frozen=True, slots=True)
class Waiting:
    """A message, and what it is."""

    text: str
    kind: Kind


class Outbox:
    """Messages in order, for one writer.

    Poses are left out first, then pictures up to the next keyframe. Events and sound are never
    left out: where they pile up, `overflowed` says that the reader is too slow to be served.
    """

    def __init__(self) -> None:
        self.overflowed = False
        self._finished = False
        self.motion_left_out = 0
        self.video_left_out = 0
        self._waiting: deque[Waiting] = deque()
        self._bytes = 0
        self._sound = 0
        self._keyframe_needed = False
        self._filled = asyncio.Event()

    @property
    def waiting_bytes(self) -> int:
        """Characters that wait."""
        return self._bytes

    def put(self, text: str, kind: Kind = "event") -> bool:
        """Add a message; False where it is left out."""
        if self._finished:
            return False
        if kind in ("event", "sound"):
            full = self._bytes + len(text) > MOST_BYTES
            self.overflowed = full or (kind == "sound" and self._sound >= MOST_SOUND)
            taken = not self.overflowed
        else:
            taken = self._has_room(kind)
        if taken:
            self._add(Waiting(text, kind))
        return taken

    def close(self, farewell: str) -> None:
        """Throw away what waits, but for one last message; nothing more is taken."""
        self.overflowed = True
        self._waiting.clear()
        self._bytes = self._sound = 0
        self._add(Waiting(farewell, "event"))
        self.finish()

    def finish(self) -> None:
        """Take nothing more; what waits may still be taken out."""
        self._finished = True
        self._filled.set()

    async def get(self) -> Waiting | None:
        """Wait for the next message and take it; None after the last."""
        while not self._waiting and not self._finished:
            self._filled.clear()
            await self._filled.wait()
        if not self._waiting:
            return None
        message = self._waiting.popleft()
        self._bytes -= len(message.text)
        self._sound -= message.kind == "sound"
        return message

    def clear_sound(self) -> None:
        """Forget sound that waits: it has been cut off."""
        kept = [one for one in self._waiting if one.kind != "sound"]
        self._waiting = deque(kept)
        self._bytes = sum(len(one.text) for one in kept)
        self._sound = 0

    def left_out(self) -> tuple[int, int]:
        """Return how many poses and pictures were left out since the last time, and forget it."""
        counted = (self.motion_left_out, self.video_left_out)
        self.motion_left_out = self.video_left_out = 0
        return counted

    def _add(self, message: Waiting) -> None:
        self._waiting.append(message)
        self._bytes += len(message.text)
        self._sound += message.kind == "sound"
        self._filled.set()

    def _has_room(self, kind: Kind) -> bool:
        full = self._bytes > MOST_LIGHT_BYTES
        if kind == "motion":
            self.motion_left_out += full
            return not full
        if full or (self._keyframe_needed and kind != "keyframe"):
            self._keyframe_needed = True
            self.video_left_out += 1
            return False
        self._keyframe_needed = False
        return True
