"""`Tally`: what was counted of a simulated room over the last minutes."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

# Ticks that are remembered: more than the longest window that is asked for.
_ROWS: Final = 96
COUNTED: Final = ("joins", "left", "questions", "gifts", "orders", "discounts")


class Tally:
    """Sums over windows of the last ticks; a row is written each tick.

    Args:
        products: how many there are.
        viewers: in the room before the first tick.
    """

    def __init__(self, products: int, viewers: int = 0) -> None:
        self._products = products
        self._sums = np.zeros((_ROWS, len(COUNTED) + 2 * products))
        self._viewers = np.full(_ROWS, viewers)
        self._tick = 0
        self.totals = np.zeros(len(COUNTED))

    def add(
        self,
        counts: NDArray[np.float64],
        clicks: NDArray[np.float64],
        orders: NDArray[np.float64],
        viewers: int,
    ) -> None:
        """Write a tick.

        Args:
            counts: in the order of `COUNTED`.
            clicks, orders [p]: by product.
        """
        before = self._sums[self._tick % _ROWS]
        self._tick += 1
        self._sums[self._tick % _ROWS] = before + np.concatenate([counts, clicks, orders])
        self._viewers[self._tick % _ROWS] = viewers
        self.totals += counts

    def window(self, ticks: int) -> dict[str, float]:
        """Return what was counted over the last ticks, by the names of `COUNTED`."""
        return dict(zip(COUNTED, self._over(ticks)[: len(COUNTED)].tolist(), strict=True))

    def products(self, ticks: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return clicks and orders of each product over the last ticks, [p] each."""
        rest = self._over(ticks)[len(COUNTED) :]
        return rest[: self._products], rest[self._products :]

    def viewers(self, ticks: int) -> int:
        """Return how many were in the room so many ticks ago."""
        return int(self._viewers[(self._tick - min(ticks, self._tick)) % _ROWS])

    def _over(self, ticks: int) -> NDArray[np.float64]:
        first = self._tick - min(ticks, self._tick)
        return np.asarray(self._sums[self._tick % _ROWS] - self._sums[first % _ROWS])
