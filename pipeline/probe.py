"""A flash and a click at the same media time: the source that measures sound against picture.

The click voice and the flash renderer take the places of a voice and a renderer, so both go
through the same stages, clocks, encoders and wire as speech and figure do.
"""

from collections.abc import Iterator, Sequence
from threading import Event
from typing import Final

import numpy as np

from avatar.errors import AvatarValueError
from avatar.renderer import Picture, Size
from avatar.renderer.base import Handle
from avatar.spec import AvatarSpec, SceneSpec
from avatar.speech import SPEECH_RATE, Phone, Speech, Word
from avatar.voice import VoiceInfo
from motion.bodies import Body
from motion.pose import Pose
from motion.skeleton import face_index
from motion.speech import Posture, SpokenPassage
from motion.style import StyleSpec

CLICK_SECONDS: Final = 0.08
EVERY_SECONDS: Final = 1.0
CLICKS: Final = 6
_JAW: Final = face_index("jawOpen")
_DARK, _BRIGHT = 40, 210


class ClickVoice:
    """Says every text as clicks: bursts of 1 kHz, 80 ms long, one a second, each a phone "a"."""

    @property
    def info(self) -> VoiceInfo:
        return VoiceInfo("click", "click", ("en", "zh"), "Apache-2.0")

    def speak(
        self, text: str, language: str, *, cancelled: Event, speed: float = 1.0
    ) -> Iterator[Speech]:
        """Yield one chunk with all clicks; `text`, `language` and `speed` change nothing."""
        del language, speed
        if not text.strip() or cancelled.is_set():
            return
        samples = np.zeros(round(CLICKS * EVERY_SECONDS * SPEECH_RATE), np.float32)
        times = np.arange(round(CLICK_SECONDS * SPEECH_RATE)) / SPEECH_RATE
        burst = (0.5 * np.sin(2 * np.pi * 1000 * times)).astype(np.float32)
        phones = []
        for index in range(CLICKS):
            start = (index + 0.5) * EVERY_SECONDS
            first = round(start * SPEECH_RATE)
            samples[first : first + len(burst)] = burst
            phones.append(Phone("a", start, start + CLICK_SECONDS, 1))
        word = Word(text.strip(), phones[0].start, phones[-1].end)
        yield Speech(samples, (word,), tuple(phones))


class FlashMover:
    """Opens the jaw fully while a phone sounds, and not otherwise: no easing, no anticipation."""

    def __init__(self) -> None:
        self._spans: list[tuple[float, float]] = []

    @property
    def hears(self) -> bool:
        """A flash hears nothing."""
        return False

    def passage(self, passage: SpokenPassage) -> None:
        self._spans += [(phone.start, phone.end) for phone in passage.phones]

    def posture(self, posture: Posture, at: float) -> None:
        """A flash has no posture."""

    def embody(self, body: Body) -> None:
        """A flash has no body."""

    def restyle(self, style: StyleSpec) -> None:
        """A flash has no style."""

    def cut(self, at: float) -> None:
        self._spans = [(start, min(end, at)) for start, end in self._spans if start < at]

    def pose(self, at: float) -> Pose:
        self._spans = [span for span in self._spans if span[1] > at - 1]
        pose = Pose.rest()
        pose.face[_JAW] = float(any(start <= at < end for start, end in self._spans))
        return pose


class FlashRenderer:
    """Draws a bright picture while the jaw is open, and a dark one otherwise."""

    levels = 1

    def __init__(self) -> None:
        self.quality = 0
        self._sizes: dict[Handle, Size] = {}
        self._next = 0

    def open(self, spec: AvatarSpec, scene: SceneSpec, size: Size) -> Handle:
        """Open a plain picture; who and where do not matter."""
        del spec, scene
        self._next += 1
        handle = Handle(self._next)
        self._sizes[handle] = size
        return handle

    def draw(self, handles: Sequence[Handle], poses: Pose, at: float) -> list[Picture]:
        """Draw each handle's brightness."""
        del at
        return [
            self._picture(self._size(handle), float(poses.face[index, _JAW]))
            for index, handle in enumerate(handles)
        ]

    def update(self, handle: Handle, scene: SceneSpec) -> None:
        """A plain picture is the same in every scene."""
        del scene
        self._size(handle)

    def close(self, handle: Handle) -> None:
        self._size(handle)
        del self._sizes[handle]

    def _size(self, handle: Handle) -> Size:
        try:
            return self._sizes[handle]
        except KeyError:
            raise AvatarValueError(f"handle {handle} is not open") from None

    def _picture(self, size: Size, jaw: float) -> Picture:
        planes = np.full((size.height * 3 // 2, size.width), 128, np.uint8)
        planes[: size.height] = _BRIGHT if jaw > 0.5 else _DARK
        return Picture(planes, size)
