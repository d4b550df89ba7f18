"""What a product costs at a moment: its price, or that of the offer in force."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from agents.errors import AgentValueError
from agents.shop.product import Offer, Product


@dataclass(frozen=True, slots=True)
class Price:
    """What is paid for a product at a moment.

    Attributes:
        amount, currency: what it costs, ISO 4217; under `offer.condition` where that says one.
        before: what it costs without the offer, or cost before a lasting reduction; None where
            it is not reduced.
        offer: the one in force; None where there is none.
        ends: when that offer ends, in seconds since the epoch; None where no time is set.
        left: how many are left at this amount; None where they are not counted.
    """

    amount: Decimal
    currency: str
    before: Decimal | None = None
    offer: Offer | None = None
    ends: float | None = None
    left: int | None = None

    @property
    def reduction_percent(self) -> float:
        """By how much it is cheaper than before, 0 to 100."""
        if not self.before:
            return 0.0
        return float(100 * (self.before - self.amount) / self.before)


def offer_in_force(product: Product, now: float) -> Offer | None:
    """Return a product's offer while it holds.

    It does not once its last moment has passed, once as many as it is for are sold, or where the
    product itself is not for sale.

    Args:
        now: seconds since the epoch.

    Raises:
        AgentValueError: the offer's last moment is no time.
    """
    offer = product.offer
    if offer is None or product.price is None or product.stock == 0 or offer.stock == 0:
        return None
    if offer.until is not None and now > moment(offer.until):
        return None
    return offer


def effective_price(product: Product, now: float) -> Price | None:
    """Return what a product costs now; None where it is not for sale.

    A product that is sold out still has its price.

    Args:
        now: seconds since the epoch.
    """
    if product.price is None:
        return None
    offer = offer_in_force(product, now)
    if offer is None:
        return Price(product.price, product.currency, product.list_price, left=product.stock)
    counted = [number for number in (product.stock, offer.stock) if number is not None]
    return Price(
        offer.price,
        product.currency,
        before=product.list_price or product.price,
        offer=offer,
        ends=None if offer.until is None else moment(offer.until),
        left=min(counted, default=None),
    )


def moment(text: str) -> float:
    """Return an ISO 8601 time with a zone in seconds since the epoch.

    Raises:
        AgentValueError: it is no such time.
    """
    try:
        parsed = datetime.fromisoformat(text)
        if parsed.tzinfo is not None:
            return parsed.timestamp()
    except (ValueError, OverflowError):
        pass
    raise AgentValueError(
        f"{text[:60]!r} is no time; accepted: ISO 8601 with a time zone, "
        "such as '2030-12-31T20:00:00+08:00'"
    )
