"""`Watch`: counts what viewers do in a room, and gives the brain its figures."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from agents.brain.figures import CHANGE_S, RATE_S, Figures, Good, Pace, Situation
from agents.brain.outcome import REWARD_S, Outcome, stay_worth
from agents.rundown.document import Rundown
from agents.shop.product import Product, Shop
from agents.show.viewers import ViewerEvent

# Clicks and orders of a product are counted over five minutes; offers over an hour.
PRODUCT_S: Final = 300.0
_HOUR: Final = 3600.0
# What is remembered of events is bounded, however busy a room is.
_MOST: Final = 20_000
_LEAST_AIR_S: Final = 60.0


@dataclass(slots=True)
class _Aired:
    """How a product did while it was on air in this show."""

    seconds: float = 0.0
    clicks: float = 0.0
    orders: float = 0.0
    left_at: float | None = None
    offered_at: float | None = None


@dataclass(slots=True)
class _Since:
    """When things were last done; None where they were not."""

    offer: float | None = None
    thank: float | None = None
    repeat: float | None = None
    pace: float | None = None


@dataclass(frozen=True, slots=True)
class _Seen:
    at: float
    kind: str
    product: str | None = None
    discount: float = 0.0


@dataclass(slots=True)
class _Stage:
    """What is on air, since when, and until when its time has been counted."""

    product: str | None = None
    item: str | None = None
    since: float | None = None
    counted: float | None = None


class Watch:
    """Fed with viewers' events and what the host does, it tells `Figures` and `Situation`.

    Args:
        now: seconds since the epoch by the room's clock.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._events: deque[_Seen] = deque(maxlen=_MOST)
        self._heads: deque[tuple[float, int]] = deque(maxlen=_MOST)
        self._inside: dict[str, float] = {}
        self._told: int | None = None
        self._aired: dict[str, _Aired] = {}
        self._offers: deque[float] = deque(maxlen=256)
        self._since = _Since()
        self._stage = _Stage()
        self.pace: Pace = "usual"
        self.thanks_due = 0
        self._ordered = self._left = 0

    def hear(self, event: ViewerEvent, discount_percent: float = 0.0) -> None:
        """Count what a viewer did.

        Args:
            discount_percent: of an order, what it was reduced by.
        """
        now = self._now()
        kind = "question" if event.kind in ("chat", "voice") else event.kind
        self._events.append(_Seen(now, kind, event.product, discount_percent / 100.0))
        if kind == "join" and len(self._inside) < _MOST:
            self._inside.setdefault(event.viewer, now)
        elif kind == "leave":
            self._inside.pop(event.viewer, None)
        if kind in ("join", "leave"):
            self._heads.append((now, self.viewers))
        self._ordered += kind == "order"
        self._left += kind == "leave"
        if kind in ("gift", "follow", "order"):
            self.thanks_due += 1
        self._credit(event.product, kind)

    def count(self, viewers: int) -> None:
        """Take the number of viewers from the platform, which knows it better than joins tell."""
        self._told = max(viewers, 0)
        self._heads.append((self._now(), self._told))

    def shown(self, product: str | None, item: str | None) -> None:
        """Note what is on air from now on; the same again changes nothing."""
        now, stage = self._now(), self._stage
        self._elapse(now)
        if product != stage.product and stage.product is not None:
            self._of(stage.product).left_at = now
        if item != stage.item or product != stage.product:
            stage.since = now
        stage.product, stage.item = product, item

    def offered(self, product: str) -> None:
        """Note that a product's offer is announced, whoever asked for it."""
        now = self._now()
        self._offers.append(now)
        self._since.offer = now
        self._of(product).offered_at = now

    def thanked(self) -> None:
        """Note that viewers are thanked."""
        self._since.thank = self._now()
        self.thanks_due = 0

    def courteous(self, people: int) -> None:
        """Note that some were thanked in their turn, for what they gave or bought."""
        self.thanks_due = max(0, self.thanks_due - people)

    def repeated(self) -> None:
        """Note that a selling point is said again."""
        self._since.repeat = self._now()

    def paced(self, pace: Pace) -> None:
        """Note how fast the host speaks from now on."""
        self._since.pace = self._now()
        self.pace = pace

    @property
    def viewers(self) -> int:
        """How many are in the room: what the platform told, or joins less leaves."""
        return len(self._inside) if self._told is None else self._told

    @property
    def offers_in_hour(self) -> int:
        """Offers announced within the last hour."""
        since = self._now() - _HOUR
        return sum(at > since for at in self._offers)

    def figures(self, waiting: int = 0) -> Figures:
        """Return the room's figures now.

        Args:
            waiting: questions that wait for an answer.
        """
        now = self._now()
        return Figures(
            at=now,
            viewers=self.viewers,
            viewers_before=self._before(now - CHANGE_S),
            dwell_s=self._dwell(now),
            joins=self._rate("join", RATE_S),
            questions=self._rate("question", RATE_S),
            clicks=self._rate("click", RATE_S),
            orders=self._rate("order", RATE_S),
            gifts=self._rate("gift", RATE_S),
            waiting=waiting,
            item_s=_since(self._stage.since, now) or 0.0,
            since_offer_s=_since(self._since.offer, now),
            since_thank_s=_since(self._since.thank, now),
            since_repeat_s=_since(self._since.repeat, now),
            since_pace_s=_since(self._since.pace, now),
            pace=self.pace,
        )

    def situation(
        self,
        shop: Shop,
        rundown: Rundown,
        *,
        held: bool = False,
        cut: bool = False,
        taken_over: bool = False,
        pinned: bool = False,
    ) -> Situation:
        """Return what could be done now: products of the shop, reached by the rundown's items."""
        self._elapse(self._now())
        product = self._stage.product
        items = {item.product: item.id for item in reversed(rundown.items) if item.product}
        on_air = next((found for found in shop if found.id == product), None)
        points = max((len(lines) for lines in on_air.points.values()), default=0) if on_air else 0
        return Situation(
            product=product,
            item=self._stage.item,
            goods=tuple(self._good(found, items.get(found.id)) for found in shop),
            offers_in_hour=self.offers_in_hour,
            thanks_due=self.thanks_due,
            points=points,
            held=held,
            cut=cut,
            taken_over=taken_over,
            pinned=pinned,
        )

    def outcome(self, since: float) -> Outcome:
        """Return what came of a decision made at `since`, within its window (`REWARD_S`)."""
        seen = [event for event in self._events if since < event.at <= since + REWARD_S]
        orders = [event for event in seen if event.kind == "order"]
        return Outcome(
            orders=float(len(orders)),
            discounts=sum(event.discount for event in orders),
            left=float(sum(event.kind == "leave" for event in seen)),
            viewers=max(self._before(since), 1),
            stay_worth=stay_worth(self._ordered, self._left),
        )

    def _of(self, product: str) -> _Aired:
        return self._aired.setdefault(product, _Aired())

    def _credit(self, product: str | None, kind: str) -> None:
        """Count clicks and orders of the product on air as drawn by its time there."""
        if product is None or product != self._stage.product:
            return
        aired = self._of(product)
        aired.clicks += kind == "click"
        aired.orders += kind == "order"

    def _elapse(self, now: float) -> None:
        stage = self._stage
        if stage.product is not None and stage.counted is not None:
            self._of(stage.product).seconds += max(now - stage.counted, 0.0)
        stage.counted = now

    def _rate(self, kind: str, window: float, product: str | None = None) -> float:
        """Return how often it happened a minute, over a window in seconds."""
        since, found = self._now() - window, 0
        for event in reversed(self._events):
            if event.at <= since:
                break
            found += event.kind == kind and product in (None, event.product)
        return 60.0 * found / window

    def _before(self, moment: float) -> int:
        """Return how many were in the room at a moment."""
        for at, viewers in reversed(self._heads):
            if at <= moment:
                return viewers
        return self._heads[0][1] if self._heads else self.viewers

    def _dwell(self, now: float) -> float:
        if not self._inside:
            return 0.0
        return max(now - sum(self._inside.values()) / len(self._inside), 0.0)

    def _good(self, product: Product, item: str | None) -> Good:
        now, aired = self._now(), self._aired.get(product.id, _Aired())
        minutes = aired.seconds / 60.0
        known = aired.seconds >= _LEAST_AIR_S
        offer = product.offer
        return Good(
            product=product.id,
            name=product.name,
            item=item,
            clicks=self._rate("click", PRODUCT_S, product.id),
            orders=self._rate("order", PRODUCT_S, product.id),
            draws=aired.clicks / minutes if known else None,
            sells=aired.orders / minutes if known else None,
            off_air_s=0.0 if product.id == self._stage.product else _since(aired.left_at, now),
            price=None if product.price is None else float(product.price),
            discount_percent=_discount(product),
            offer_until=_moment(offer.until) if offer else None,
            offer_stock=offer.stock if offer else None,
            since_offer_s=_since(aired.offered_at, now),
            stock=product.stock,
        )


def _since(moment: float | None, now: float) -> float | None:
    return None if moment is None else max(now - moment, 0.0)


def _discount(product: Product) -> float:
    """Return what the offer lowers the price by, 0 to 100 %; 0 where nothing is for sale."""
    if product.offer is None or not product.price or product.offer.price < 0:
        return 0.0
    return max(float(100 * (product.price - product.offer.price) / product.price), 0.0)


def _moment(text: str | None) -> float | None:
    """Return seconds since the epoch of an ISO 8601 moment; what is not read has passed."""
    if text is None:
        return None
    try:
        return max(datetime.fromisoformat(text).timestamp(), 0.0)
    except ValueError:
        return 0.0
