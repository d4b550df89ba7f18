"""When the machine is short: picture quality gives way, and comes back."""

from typing import Final

FRAME_SECONDS: Final = 0.04
TOO_SLOW: Final = 0.8 * FRAME_SECONDS
FAST_ENOUGH: Final = 0.45 * FRAME_SECONDS
WINDOW: Final = 25  # pictures, one second
PATIENCE: Final = 10  # windows that must be fast before quality comes back


class QualityLadder:
    """Chooses a level from measured drawing times: 0 is the best of `levels`.

    One second of pictures that take more than 80 % of their time on the mean goes one level down;
    ten seconds below 45 % go one level up.
    """

    def __init__(self, levels: int) -> None:
        self.level = 0
        self._levels = max(1, levels)
        self._times: list[float] = []
        self._fast = 0

    def note(self, seconds: float) -> bool:
        """Take the time one batch took; return whether the level changed."""
        self._times.append(seconds)
        if len(self._times) < WINDOW:
            return False
        mean = sum(self._times) / len(self._times)
        self._times.clear()
        self._fast = self._fast + 1 if mean < FAST_ENOUGH else 0
        return self._move(mean)

    def _move(self, mean: float) -> bool:
        if mean > TOO_SLOW and self.level < self._levels - 1:
            self.level += 1
        elif self._fast >= PATIENCE and self.level > 0:
            self.level -= 1
            self._fast = 0
        else:
            return False
        return True
