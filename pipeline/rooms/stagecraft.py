"""`Stagecraft`: what a room's session is, and what is shown beside the host."""

from collections.abc import Mapping
from typing import Any, Final

from agents.clause import Language
from agents.shop.pricing import effective_price
from agents.shop.product import Product, Shop
from pipeline.errors import ConfigurationError
from pipeline.options import SessionOptions, TurnSettings, VideoFormat
from pipeline.rooms.pictures import Pictures
from pipeline.rooms.state import RoomSpec

# A room's host is not interrupted and answers nobody by itself: what is said to it is a viewer's
# event among others.
LISTENING: Final = TurnSettings(create_response=False, interrupt_response=False)
_SYMBOLS: Final = {"USD": "$", "CNY": "¥", "EUR": "€", "GBP": "£", "JPY": "¥", "HKD": "HK$"}
_BADGES: Final[dict[str, Mapping[Language, str]]] = {
    "sold_out": {"en": "Sold out", "zh": "已售罄"},
    "percent": {"en": "-{percent}%", "zh": "立减{percent}%"},
}
_LONGEST_NAME: Final = 40
_LONGEST_TITLE: Final = 60


class Stagecraft:
    """A `pipeline.rooms.parts.Graphics`.

    Args:
        pictures: of products.
        size: of the picture where a room has no wish, (width, height); None for sound alone.
    """

    def __init__(self, pictures: Pictures, size: tuple[int, int] | None) -> None:
        self._pictures = pictures
        self._size = size

    def options(self, spec: RoomSpec) -> SessionOptions:
        """Return the options of a room's session.

        Raises:
            ConfigurationError: the size is none.
        """
        return SessionOptions(
            voice=spec.voice,
            language=spec.language,
            avatar=spec.avatar,
            scene=spec.scene,
            style=spec.style,
            video=self._video(spec.size),
            turn=LISTENING,
        )

    def card(
        self, spec: RoomSpec, shop: Shop, product: Product | None, hook: str, now: float
    ) -> Mapping[str, object]:
        """Return a product's card and lower third, as fields of `SceneSpec`."""
        # The card says the name already.
        changes: dict[str, object] = {"lower_third": {"name": hook[:_LONGEST_NAME]}} if hook else {}
        if product is None:
            return changes
        name = product.named(spec.language)
        price = effective_price(product, now)
        if price is None:
            return {"lower_third": {"name": name[:_LONGEST_NAME], "title": hook[:_LONGEST_TITLE]}}
        card: dict[str, Any] = {
            "name": name[:80],
            "price": f"{price.amount:f}",
            "currency": _SYMBOLS.get(price.currency, price.currency)[:4],
            "strike": "" if price.before is None else f"{price.before:f}",
            "badge": _badge(product, price.reduction_percent, spec.language),
        }
        if product.picture:
            path = self._pictures.path(shop.id, product.picture)
            if path.is_file():
                card["picture"] = str(path)
        changes["card"] = card
        return changes

    def _video(self, size: str | None) -> VideoFormat | None:
        if self._size is None:
            return None
        width, height = self._size if size is None else _size_of(size)
        return VideoFormat("h264", width, height)


def _size_of(size: str) -> tuple[int, int]:
    width, _, height = size.partition("x")
    if not (width.isdigit() and height.isdigit()):
        raise ConfigurationError(f"size is {size[:20]!r}; accepted: such as '540x960'")
    return int(width[:5]), int(height[:5])


def _badge(product: Product, percent: float, language: Language) -> str:
    if product.stock == 0:
        return _BADGES["sold_out"][language]
    if percent < 1:
        return ""
    return _BADGES["percent"][language].format(percent=f"{percent:.0f}")[:12]
