"""`World`: one merchant's goods, audience and day, drawn from a seed."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.brain.simulator.kinds import KINDS, ViewerKind, alike

PRODUCTS: Final = 8
DAY_S: Final = 86_400.0
# Arrivals a second at the quietest and the busiest hour, before the merchant's own size.
_QUIET, _BUSY = 0.15, 0.7


@dataclass(frozen=True, slots=True, eq=False)
class World:
    """All that is true of a room and hidden from policies, but for prices, offers and stock.

    Attributes:
        kinds: of viewers; k of them.
        tastes: what each kind thinks of each product [k, p]; 0 is middling, 1 a standard deviation.
        scatter: how far viewers of a kind differ in taste, as a standard deviation.
        prices: from 0, the cheapest, to 1, the dearest [p].
        discounts: of each product's offer, 0 for none, below 1 [p].
        stocks: how many there are [p]; -1 where they are not counted.
        size: factor on arrivals.
        peak_s: second of the day when most come.
        leaning, phases: how the mix of kinds moves over the day [k].
        waves: a wave is a few minutes in which many of one kind come, an hour.
        learning_s: seconds in which viewers take in most of what is said of a product [p].
        allure: how much a product is clicked for what it is wanted [p]; 1 is usual.
        patience: factor on how long viewers hear of one thing before they have had enough.
        quick, calm: what is added to the kinds' liking of a pace here.
        thanks: factor on how far thanks keep those they are meant for.
        bored: chance that another viewer leaves while others are thanked.
        thrift: factor on how much prices matter.
        urgency: what an offer adds to the wish to buy besides its discount.
        spoils: how much those who heard offers wait for the next one.
        tired: factor on how much selling points said again are minded.
        checkout_s: mean seconds from deciding to buy to the order.
    """

    kinds: tuple[ViewerKind, ...]
    tastes: NDArray[np.float64]
    scatter: float
    prices: NDArray[np.float64]
    discounts: NDArray[np.float64]
    stocks: NDArray[np.int64]
    size: float
    peak_s: float
    leaning: NDArray[np.float64]
    phases: NDArray[np.float64]
    waves: float
    learning_s: NDArray[np.float64]
    allure: NDArray[np.float64]
    patience: float
    quick: float
    calm: float
    thanks: float
    bored: float
    thrift: float
    urgency: float
    spoils: float
    tired: float
    checkout_s: float

    @property
    def products(self) -> int:
        """How many products there are."""
        return len(self.prices)

    def arrivals(self, at: float) -> float:
        """Return how many viewers come a second at a moment of the day."""
        day = 0.5 + 0.5 * np.cos(2.0 * np.pi * (at - self.peak_s) / DAY_S)
        return float(self.size * (_QUIET + (_BUSY - _QUIET) * day))

    def mix(self, at: float) -> NDArray[np.float64]:
        """Return the share of each kind among those who come at a moment [k]."""
        turn = np.cos(2.0 * np.pi * (at / DAY_S - self.phases) * 3.0)
        weights = np.exp(self.leaning + 0.9 * turn)
        return np.asarray(weights / weights.sum(), dtype=np.float64)


def draw_world(seed: int, *, uniform: bool = False, plain: bool = False) -> World:
    """Return the world of a seed.

    Args:
        uniform: viewers are all of one kind with one taste, and only scatter around it; the
            ablation in which there is little left to learn about who watches.
        plain: the room has no ways of its own; the ablation in which there is little left to learn
            about the room. Only goods, audience and day differ.
    """
    random = np.random.default_rng([seed, 1])
    kinds = alike() if uniform else KINDS
    quality = random.normal(0.0, 0.5, PRODUCTS)
    tastes = quality + random.normal(0.0, 0.9, (len(KINDS), PRODUCTS))
    if uniform:
        tastes = np.tile(quality, (len(KINDS), 1))
    discounts = random.choice([0.0, 0.1, 0.15, 0.2, 0.3, 0.6], PRODUCTS)

    def around(spread: float, count: int | None = None) -> NDArray[np.float64]:
        """Return factors around 1, drawn from a log-normal distribution."""
        return np.exp(random.normal(0.0, spread, count))

    stocks = np.where(random.random(PRODUCTS) < 0.25, random.integers(40, 160, PRODUCTS), -1)
    world = World(
        kinds=kinds,
        tastes=tastes,
        scatter=0.6,
        prices=np.sort(random.random(PRODUCTS))[random.permutation(PRODUCTS)],
        discounts=discounts,
        stocks=stocks,
        size=float(random.uniform(0.6, 1.4)),
        peak_s=float(random.normal(20.5, 1.0) * 3600.0),
        leaning=random.normal(0.0, 0.4, len(KINDS)),
        phases=random.random(len(KINDS)),
        waves=1.5,
        learning_s=45.0 * around(0.6, PRODUCTS),
        allure=around(0.7, PRODUCTS),
        patience=float(around(0.5)),
        quick=float(random.normal(0.0, 0.08)),
        calm=float(random.normal(0.0, 0.08)),
        thanks=float(random.uniform(0.0, 1.5)),
        bored=float(random.uniform(0.0, 0.03)),
        thrift=float(around(0.4)),
        urgency=float(random.uniform(-0.2, 0.5)),
        spoils=0.15 * float(around(0.6)),
        tired=float(around(0.6)),
        checkout_s=float(random.uniform(10.0, 60.0)),
    )
    return _plain(world) if plain else world


def _plain(world: World) -> World:
    """Return a world whose own ways are all at the middle of what they are drawn from."""
    return replace(
        world,
        learning_s=np.full(world.products, 45.0),
        allure=np.ones(world.products),
        patience=1.0,
        quick=0.0,
        calm=0.0,
        thanks=0.75,
        bored=0.015,
        thrift=1.0,
        urgency=0.15,
        spoils=0.15,
        tired=1.0,
        checkout_s=35.0,
    )
