"""`Crowd`: the viewers in a simulated room, as arrays with a row for each."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.brain.simulator.kinds import column
from agents.brain.simulator.world import World

# Most viewers at a time; who comes to a full room turns away.
ROWS: Final = 640
_COLUMNS: Final = (
    "stay_s", "buys", "thrift", "asks", "gives", "quick", "calm", "moved", "tired",
)  # fmt: skip


class Crowd:
    """Who is in the room, and what each has heard, bought and felt.

    Attributes:
        inside [n]: whether the row is a viewer.
        kind [n]: which of the world's kinds.
        taste [n, p]: what the viewer thinks of each product; 0 is middling.
        liking [n, p]: the same as a share, 0 to 1.
        heard [n, p]: seconds the viewer has heard of each product.
        bought [n, p]: whether.
        joined [n]: when, seconds.
        offers [n]: offers heard.
        thanked [n]: seconds that thanks still please.
    """

    def __init__(self, world: World) -> None:
        products = world.products
        self.world = world
        self.inside = np.zeros(ROWS, dtype=np.bool_)
        self.kind = np.zeros(ROWS, dtype=np.intp)
        self.taste = np.zeros((ROWS, products))
        self.liking = np.zeros((ROWS, products))
        self.heard = np.zeros((ROWS, products))
        self.bought = np.zeros((ROWS, products), dtype=np.bool_)
        self.joined = np.zeros(ROWS)
        self.offers = np.zeros(ROWS)
        self.thanked = np.zeros(ROWS)
        self._columns = {name: column(world.kinds, name) for name in _COLUMNS}
        self._columns["quick"] = (self._columns["quick"] + world.quick).clip(0.5, 1.6)
        self._columns["calm"] = (self._columns["calm"] + world.calm).clip(0.5, 1.6)
        self._columns["moved"] = (self._columns["moved"] * world.thanks).clip(0.0, 1.6)
        self._columns["thrift"] = self._columns["thrift"] * world.thrift
        self._columns["tired"] = self._columns["tired"] * world.tired
        self._own = {name: np.full(ROWS, values[0]) for name, values in self._columns.items()}

    def __len__(self) -> int:
        return int(self.inside.sum())

    def own(self, name: str) -> NDArray[np.float64]:
        """Return an attribute of each viewer's kind [n]."""
        return self._own[name]

    def come(self, kinds: NDArray[np.intp], scatter: NDArray[np.float64], at: float) -> int:
        """Let viewers in; return how many found room.

        Args:
            kinds [m]: of each.
            scatter [m, p]: how each differs from its kind's taste, in standard deviations.
        """
        rows = np.flatnonzero(~self.inside)[: len(kinds)]
        kinds, scatter = kinds[: len(rows)], scatter[: len(rows)]
        self.inside[rows] = True
        self.kind[rows] = kinds
        taste = self.world.tastes[kinds] + self.world.scatter * scatter
        self.taste[rows] = taste
        self.liking[rows] = 1.0 / (1.0 + np.exp(-taste))
        self.heard[rows] = 0.0
        self.bought[rows] = False
        self.joined[rows] = at
        self.offers[rows] = 0.0
        self.thanked[rows] = 0.0
        for name, values in self._columns.items():
            self._own[name][rows] = values[kinds]
        return len(rows)
