"""What operators are shown of lines, items, products and viewers."""

from decimal import Decimal

from agents.clause import Language
from agents.rundown.document import Item
from agents.shop.pricing import effective_price
from agents.shop.product import Product, Shop
from agents.show.line import Line
from agents.show.viewers import ViewerEvent
from pipeline.rooms.state import ChatView, ItemView, LineView, ProductView

LONGEST_TEXT = 2000  # characters of a viewer's words that are kept
LONGEST_NAME = 80


def line_view(line: Line, at: float) -> LineView:
    """Return a line that begins."""
    return LineView(
        id=line.id,
        kind=line.kind,
        text=line.text,
        language=line.language,
        item=line.item,
        sentence=line.sentence,
        product=line.product,
        events=line.events,
        citations=line.citations,
        began_at=at,
    )


def item_view(item: Item, shop: Shop, language: Language, seconds: float = 0.0) -> ItemView:
    """Return an item of the rundown that has been on air for `seconds`."""
    return ItemView(
        id=item.id,
        kind=item.kind,
        title=item.hook or _title(item, shop, language),
        product=item.product,
        seconds=round(seconds, 1),
        lasts=item.duration,
        sentences=len(item.script),
    )


def _title(item: Item, shop: Shop, language: Language) -> str:
    found = next((each for each in shop if each.id == item.product), None)
    return found.named(language) if found is not None else item.id


def product_view(
    product: Product, language: Language, now: float, counts: tuple[int, int] = (0, 0)
) -> ProductView:
    """Return a product as it is sold now. `now`: as the machine's clock has it; `counts`: clicks
    and orders.
    """
    price = effective_price(product, now)
    offered = price is not None and price.offer is not None
    return ProductView(
        id=product.id,
        name=product.named(language),
        price=_text(product.price),
        list_price=_text(product.list_price),
        offer_price=_text(price.amount) if price is not None and offered else None,
        currency=product.currency,
        stock=product.stock,
        picture=product.picture,
        clicks=counts[0],
        orders=counts[1],
    )


def chat_view(event: ViewerEvent) -> ChatView:
    """Return what a viewer did, as it comes in."""
    return ChatView(
        id=event.id,
        kind=event.kind,
        name=event.name[:LONGEST_NAME],
        text=event.text[:LONGEST_TEXT],
        at=event.at,
        platform=event.platform,
        product=event.product,
        amount=event.amount,
        gift=event.gift,
    )


def _text(amount: Decimal | None) -> str | None:
    return None if amount is None else f"{amount:f}"
