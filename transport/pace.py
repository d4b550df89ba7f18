"""Whether a viewer keeps up with a stream that is encoded once for all of them.

The stream does not follow one viewer. Whoever cannot take it gets keyframes alone, every few
seconds, and all of it again after a while of quiet, which is the only way to find out: a receiver
that is sent little estimates little.
"""

from collections import deque
from typing import Final

# A part of the packets lost beyond which even a loss-based sender would give way
# (draft-ietf-rmcat-gcc-02, 6), in two reports running.
LOSS: Final = 0.1
LOSSY_REPORTS: Final = 2
# An estimate is believed when it is this part of what is sent, and has not risen for so long. A
# receiver cannot estimate much more than comes in, so that a low one that rises is no trouble.
NARROW: Final = 0.5
NARROW_S: Final = 2.0
# A figure that stands still sends less than this, and an estimate of so little says nothing.
MIN_RATE: Final = 400_000
# Keyframes that one viewer may ask for in so long; who asks for more has pictures lost all along.
REPAIRS: Final = 4
REPAIRS_S: Final = 10.0
# One loss may be told several times.
REPAIR_S: Final = 0.5
# Browsers report every second or so. Who says nothing does not read either.
MUTE_S: Final = 5.0
# Quiet before the whole stream is tried again; doubled when it went wrong at once.
HOLD_S: Final = 2.0
MAX_HOLD_S: Final = 32.0
STEADY_S: Final = 10.0
# Between the keyframes of a slow viewer; doubled when even these are too much.
SPACING_S: Final = 2.0
MAX_SPACING_S: Final = 16.0


class Pace:
    """One viewer's reports, and what follows from them. Times are media seconds of the stream.

    Args:
        now: when the viewer came.

    Attributes:
        slow: whether it is to have keyframes alone.
        reason: why it was slow last, in words.
        spacing: seconds between its keyframes while it is slow.
    """

    def __init__(self, now: float) -> None:
        self.slow = False
        self.reason = ""
        self.spacing = SPACING_S
        self._heard_at = now
        self._lossy = 0
        self._narrow: tuple[float, int] | None = None
        self._repairs: deque[float] = deque(maxlen=REPAIRS)
        self._hold = HOLD_S
        self._trouble_at = self._spaced_at = self._whole_since = now

    def lost(self, part: float, now: float) -> None:
        """Take a report that `part` of the packets was lost, 0 to 1."""
        self._heard_at = now
        self._lossy = self._lossy + 1 if part > LOSS else 0
        if self._lossy >= LOSSY_REPORTS:
            self._lossy = 0
            self._give_way(f"{part:.0%} of the packets were lost", now)

    def estimated(self, bits_per_second: int, rate: float, now: float) -> None:
        """Take an estimate of the viewer's link; `rate` bits per second are sent to it."""
        self._heard_at = now
        if self.slow or rate < MIN_RATE or bits_per_second >= NARROW * rate:
            self._narrow = None
        elif self._narrow is None or bits_per_second > self._narrow[1]:
            self._narrow = (now, bits_per_second)
        elif now - self._narrow[0] >= NARROW_S:
            self._narrow = None
            what = f"{bits_per_second / 1000:.0f} kbit/s were estimated of {rate / 1000:.0f}"
            self._give_way(what, now)

    def repair(self, now: float) -> bool:
        """Take a request for a keyframe; return whether the stream is to make one for it."""
        self._heard_at = now
        if self.slow:
            return False
        if self._repairs and now - self._repairs[-1] < REPAIR_S:
            return True
        many = len(self._repairs) == REPAIRS and now - self._repairs[0] < REPAIRS_S
        self._repairs.append(now)
        if many:
            self._give_way(f"{REPAIRS} keyframes were asked for within {REPAIRS_S:g} s", now)
        return not self.slow

    def fell_behind(self, now: float) -> None:
        """Take it that what was to be sent has piled up."""
        self._give_way("what was to be sent piled up", now)

    def look(self, now: float) -> None:
        """Let time pass: a viewer that has said nothing for long is not watching."""
        if now - self._heard_at > MUTE_S:
            if not self.slow:
                self._give_way(f"nothing was reported for {MUTE_S:g} s", now)
            self._trouble_at = now

    def recovers(self, now: float) -> bool:
        """Whether to try the whole stream, from a keyframe that is sent now; it is tried then."""
        if self.slow and now - self._trouble_at >= self._hold:
            self.slow = False
            self.spacing = SPACING_S
            self._whole_since = now
            self._lossy = 0
            self._repairs.clear()
        return not self.slow

    def _give_way(self, reason: str, now: float) -> None:
        if self.slow:
            if now - self._spaced_at >= self.spacing:
                self.spacing = min(MAX_SPACING_S, 2 * self.spacing)
                self._spaced_at = now
            self._trouble_at = now
            return
        steady = now - self._whole_since >= STEADY_S
        self._hold = HOLD_S if steady else min(MAX_HOLD_S, 2 * self._hold)
        self.slow = True
        self.reason = reason
        self._trouble_at = self._spaced_at = now
