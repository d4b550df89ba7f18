"""`Meter`: what is sent of a room, measured: loudness and pictures; and how long answers took."""

import math
from collections import deque
from collections.abc import Callable
from typing import Final

from pipeline.contract import PICTURES_PER_SECOND, EncodedPicture, PoseFrame, SoundFrame
from pipeline.events import SessionEvent

QUIET_DB: Final = -60.0
NOTHING_DB: Final = -90.0
WAITS_S: Final = 300.0  # answers are counted for so long
_FULL: Final = 32768.0


class Meter:
    """A `pipeline.contract.SessionSink` that only measures.

    Args:
        now: seconds since the epoch by the room's clock.
        told: takes what the session tells.
    """

    def __init__(self, now: Callable[[], float], told: Callable[[SessionEvent], None]) -> None:
        self._now = now
        self._told = told
        self._peak = 0
        self._pictures = 0
        self._since = now()
        self._loud_at = now()
        self._waits: deque[tuple[float, float]] = deque(maxlen=2000)

    def sound(self, frame: SoundFrame) -> None:
        peak = max(int(frame.samples.max()), -int(frame.samples.min()))
        self._peak = max(self._peak, peak)
        if decibels(peak) > QUIET_DB:
            self._loud_at = self._now()

    def picture(self, picture: EncodedPicture) -> None:
        del picture
        self._pictures += 1

    def pose(self, frame: PoseFrame) -> None:
        """Poses are not measured."""

    def event(self, event: SessionEvent) -> None:
        self._told(event)

    @property
    def quiet_s(self) -> float:
        """Seconds since anything was to be heard."""
        return self._now() - self._loud_at

    def make_loud(self) -> None:
        """Count silence from now on."""
        self._loud_at = self._now()

    def waited(self, seconds: float) -> None:
        """Count an answer that began `seconds` after its question."""
        self._waits.append((self._now(), seconds))

    @property
    def answer_p95_s(self) -> float | None:
        """95 % of the answers of the last 5 minutes began within this; None where none did."""
        since = self._now() - WAITS_S
        waits = sorted(seconds for at, seconds in self._waits if at >= since)
        return waits[math.ceil(0.95 * len(waits)) - 1] if waits else None

    def read(self) -> tuple[float, float, float]:
        """Return the loudest 20 ms in dB of full scale, pictures a second, and which share of the
        pictures due were sent, since this was called before.
        """
        elapsed = max(self._now() - self._since, 1e-3)
        rate = self._pictures / elapsed
        told = decibels(self._peak), rate, min(1.0, rate / PICTURES_PER_SECOND)
        self._peak = self._pictures = 0
        self._since = self._now()
        return told


def decibels(peak: int) -> float:
    """Return a peak, 0 to 32768, in dB of full scale, -90 at least."""
    return max(NOTHING_DB, 20 * math.log10(peak / _FULL)) if peak > 0 else NOTHING_DB
