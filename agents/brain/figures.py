"""What the operations brain sees of a room: `Figures`, and what it could do in it: `Situation`."""

import math
from dataclasses import dataclass, field
from typing import Final, Literal

from agents.errors import AgentValueError
from agents.shop.product import Words

Pace = Literal["calm", "usual", "quick"]
PACES: tuple[Pace, ...] = ("calm", "usual", "quick")
# Rates are counted over the last minute, the change of viewers over two.
RATE_S: Final = 60.0
CHANGE_S: Final = 120.0


def _check(measured: "Figures | Good | Situation") -> None:
    """Raise AgentValueError where a number of it is negative, infinite or none."""
    for name in measured.__slots__:
        value = getattr(measured, name)
        if isinstance(value, (int, float)) and not 0 <= value < math.inf:
            raise AgentValueError(f"{name} is {value}; a figure is a number from 0")


@dataclass(frozen=True, slots=True)
class Figures:
    """What is measured of a room at one moment. Nothing in it can be negative.

    Attributes:
        at: seconds since the epoch, by the room's clock.
        viewers: in the room now.
        viewers_before: in the room two minutes (`CHANGE_S`) before.
        dwell_s: mean time viewers have been in the room, seconds.
        joins, questions, clicks, orders, gifts: a minute, over the last minute (`RATE_S`).
        waiting: questions that wait for an answer.
        item_s: seconds the item on air has been on air.
        since_offer_s, since_thank_s, since_repeat_s, since_pace_s: seconds since that was last
            done; None where it was not.
        pace: how fast the host speaks now.

    Raises:
        AgentValueError: a figure is negative or no number.
    """

    at: float
    viewers: int = 0
    viewers_before: int = 0
    dwell_s: float = 0.0
    joins: float = 0.0
    questions: float = 0.0
    clicks: float = 0.0
    orders: float = 0.0
    gifts: float = 0.0
    waiting: int = 0
    item_s: float = 0.0
    since_offer_s: float | None = None
    since_thank_s: float | None = None
    since_repeat_s: float | None = None
    since_pace_s: float | None = None
    pace: Pace = "usual"

    def __post_init__(self) -> None:
        _check(self)
        if self.pace not in PACES:
            raise AgentValueError(f"pace is {self.pace!r}; known are {', '.join(PACES)}")

    @property
    def change(self) -> float:
        """Change of viewers in two minutes as a share of those before; -1 to 10, 0 from nobody."""
        if not self.viewers_before:
            return 0.0
        return min((self.viewers - self.viewers_before) / self.viewers_before, 10.0)


@dataclass(frozen=True, slots=True)
class Good:
    """A product as the brain sees it.

    Attributes:
        product: its id.
        name: in one language at least.
        item: the rundown's item a switch to it goes to; None where it can only be offered.
        clicks, orders: of it, a minute, over the last five minutes, on air or not.
        draws, sells: clicks and orders a minute of its time on air in this show; None before it
            was on air for a minute.
        off_air_s: seconds since it was last on air; 0 while it is, None before it ever was.
        price: what it costs now, in any one unit for all products; None where it is unknown.
        discount_percent: what its offer lowers the price by, 0 to 100; 0 where it has no offer.
        offer_until: the offer's last moment, seconds since the epoch; None while it stands.
        offer_stock: how many are left at the offer's price; None where they are not counted.
        since_offer_s: seconds since its offer was last announced; None where it was not.
        stock: how many there are; None where they are not counted, 0 where it is sold out.

    Raises:
        AgentValueError: a figure is negative or no number, or a discount is over 100 %.
    """

    product: str
    name: Words = field(default_factory=dict)
    item: str | None = None
    clicks: float = 0.0
    orders: float = 0.0
    draws: float | None = None
    sells: float | None = None
    off_air_s: float | None = None
    price: float | None = None
    discount_percent: float = 0.0
    offer_until: float | None = None
    offer_stock: int | None = None
    since_offer_s: float | None = None
    stock: int | None = None

    def __post_init__(self) -> None:
        _check(self)
        if self.discount_percent > 100.0:
            raise AgentValueError(f"discount_percent is {self.discount_percent}; it is 0 to 100")

    @property
    def is_sold_out(self) -> bool:
        """Whether none is left."""
        return self.stock is not None and self.stock <= 0


@dataclass(frozen=True, slots=True)
class Situation:
    """What could be done in a room now.

    Attributes:
        product: the id of the product on air; None for none.
        item: the item on air; None before the first.
        goods: what is sold here and may be switched to or offered, that on air among them.
        offers_in_hour: offers announced within the last hour, whoever asked for them.
        thanks_due: gifts, follows and orders nobody has been thanked for.
        points: selling points of the product on air that can be said again.
        held, cut, taken_over: whether the rundown stands still, the holding card is shown, an
            operator speaks.
        pinned: whether an operator keeps a product shown.

    Raises:
        AgentValueError: a count is negative.
    """

    product: str | None = None
    item: str | None = None
    goods: tuple[Good, ...] = ()
    offers_in_hour: int = 0
    thanks_due: int = 0
    points: int = 1
    held: bool = False
    cut: bool = False
    taken_over: bool = False
    pinned: bool = False

    def __post_init__(self) -> None:
        _check(self)

    def good(self, product: str | None) -> Good | None:
        """Return what is known of a product; None where it is not sold here."""
        return next((good for good in self.goods if good.product == product), None)

    @property
    def on_air(self) -> Good | None:
        """The product on air."""
        return self.good(self.product)
