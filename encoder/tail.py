"""The audio kept while listening: windows numbered from the start of the session."""

from collections import deque
from itertools import islice

import numpy as np
from numpy.typing import NDArray


class AudioTail:
    """Windows of equal size, the newest at the end, the oldest dropped on request."""

    def __init__(self) -> None:
        self._kept: deque[NDArray[np.float32]] = deque()
        self._first = 0

    def append(self, window: NDArray[np.float32]) -> None:
        """Keep a copy of `window`, float32 [n]."""
        self._kept.append(window.copy())

    def drop_before(self, number: int) -> None:
        """Forget all windows before the one of this number."""
        while self._kept and self._first < number:
            self._kept.popleft()
            self._first += 1

    def between(self, start: int, end: int) -> NDArray[np.float32]:
        """Return the windows start <= number < end that are still kept, joined: float32 [n]."""
        chosen = islice(self._kept, max(start - self._first, 0), max(end - self._first, 0))
        return np.concatenate([np.zeros(0, np.float32), *chosen])

    def __len__(self) -> int:
        return len(self._kept)
