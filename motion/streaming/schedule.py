"""The lower-triangular schedule: a window of chunks, each noisier than the one before it.

Slot w of W has the time (W - 1 - w + k/K) / W at micro-step k of K: 0 is noise, 1 is data. Slot
w + 1 at k = K equals slot w at k = 0, so when the first chunk is done the window moves on by one
and nothing jumps (the rolling scheme of Ruhe et al., "Rolling Diffusion Models", 2024, made exact
for flow matching).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from motion.errors import MotionValueError


@dataclass(frozen=True, slots=True)
class Schedule:
    """Sizes of the window.

    Attributes:
        chunk: poses in a chunk; 10 are 0.4 s.
        slots: chunks in the making.
        anchors: finished chunks that are looked back on.
        steps: micro-steps, each one evaluation, that finish a chunk.

    Raises:
        MotionValueError: a size below 1.
    """

    chunk: int = 10
    slots: int = 4
    anchors: int = 4
    steps: int = 3

    def __post_init__(self) -> None:
        for name in ("chunk", "slots", "anchors", "steps"):
            if (value := getattr(self, name)) < 1:
                raise MotionValueError(f"Schedule.{name}: {value}; accepted: 1 or more")

    @property
    def active(self) -> int:
        """Poses in the making."""
        return self.chunk * self.slots

    @property
    def anchored(self) -> int:
        """Poses that are looked back on."""
        return self.chunk * self.anchors

    @property
    def window(self) -> int:
        """Poses the network sees."""
        return self.anchored + self.active

    def times(self, share: float | NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the times of the slots, [..., slots], at `share` (k / K, 0 to 1) of a commit."""
        slots = np.arange(self.slots, dtype=np.float64)
        done = np.asarray(share, np.float64)[..., None]
        return np.asarray((self.slots - 1 - slots + done) / self.slots, np.float64)

    @property
    def stride(self) -> float:
        """How far one micro-step carries every slot's time."""
        return 1.0 / (self.slots * self.steps)
