"""Makes a plausible log of a room's chat for a shop: who comes, what they ask, give and buy."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from random import Random
from typing import Any, Final

from agents.clause import LANGUAGES, Language
from agents.shop.product import Product, Shop
from agents.show.viewers import ViewerEvent, ViewerKind
from transport.chat.log import Entry

# How often other things happen for each question.
_BESIDE: Final[dict[str, float]] = {
    "small_talk": 0.7, "join": 1.2, "like": 0.5, "follow": 0.12, "gift": 0.1,
    "click": 0.35, "order": 0.08, "injection": 0.05,
}  # fmt: skip
_UNANSWERABLE: Final = 0.12
_REPEATED: Final = 0.18  # many ask what somebody has just asked
_TYPO: Final = 0.15
_FLOOD_EVERY_S: Final = 150.0
_FLOOD: Final = 12
_STAY_S: Final = 150.0  # on average


@dataclass(frozen=True, slots=True)
class Chatter:
    """What a log is to be like.

    Attributes:
        minutes: how long it lasts.
        rate: questions a second, on average.
        chinese: share of Chinese among questions, 0 to 1.
        seed: the same seed gives the same log.
        floods: whether one viewer asks the same over and over every few minutes.
    """

    minutes: float = 10.0
    rate: float = 2.0
    chinese: float = 0.5
    seed: int = 1
    floods: bool = True


def make_log(shop: Shop, chatter: Chatter) -> list[Entry]:
    """Return a log in the order of time; ids of questions begin with "q"."""
    return sorted(_Maker(shop, chatter).entries(), key=lambda entry: entry.at)


class _Maker:
    def __init__(self, shop: Shop, chatter: Chatter) -> None:
        self._shop = shop
        self._chatter = chatter
        self._draw = Random(f"chatter-{chatter.seed}-{shop.id}")
        self._words = _words()
        self._count = 0
        self._asked: list[tuple[str, Language]] = []

    def entries(self) -> Iterator[Entry]:
        """Yield everything that happens."""
        seconds = 60 * self._chatter.minutes
        at = self._draw.expovariate(self._chatter.rate)
        while at < seconds:
            yield self._event(at, "chat", text=self._question(), prefix="q")
            at += self._draw.expovariate(self._chatter.rate)
        for what, often in _BESIDE.items():
            at = self._draw.expovariate(self._chatter.rate * often)
            while at < seconds:
                entry = self._beside(at, what)
                yield entry
                if what == "join":
                    yield from self._left(entry, seconds)
                at += self._draw.expovariate(self._chatter.rate * often)
        if self._chatter.floods:
            yield from self._floods(seconds)

    def _question(self) -> str:
        if self._asked and self._draw.random() < _REPEATED:
            return self._worn(*self._pick(self._asked[-8:]))
        language: Language = "zh" if self._draw.random() < self._chatter.chinese else "en"
        text = self._new(language)
        self._asked = [*self._asked[-20:], (text, language)]
        return self._worn(text, language)

    def _new(self, language: Language) -> str:
        if self._draw.random() < _UNANSWERABLE:
            return str(self._pick(self._words["unanswerable"][language]))
        if self._draw.random() < 0.2:
            known = [name for name in self._words["policies"] if name in self._shop.policies]
            if known:
                return str(self._pick(self._words["policies"][self._pick(known)][language]))
        product = self._pick(self._shop.products)
        about = self._pick(["price", "this", *_asked_of(product, self._words["about"])])
        text = str(self._pick(self._words["about"][about][language]))
        return text.format(name=product.named(language))

    def _worn(self, text: str, language: Language) -> str:
        """Return a text as people type it: without its marks, in small letters, with a slip."""
        if self._draw.random() < 0.3:
            text = text.rstrip("?？")
        if language == "en" and self._draw.random() < 0.4:
            text = text.lower()
        if self._draw.random() < 0.1:
            text += self._pick(["?", "!!", "???"] if language == "en" else ["？？", "呀", "呢"])
        if language == "en" and self._draw.random() < _TYPO and len(text) > 12:
            at = self._draw.randrange(3, len(text) - 3)
            if text[at].isalpha() and text[at + 1].isalpha():
                text = text[:at] + text[at + 1] + text[at] + text[at + 2 :]
        return text

    def _beside(self, at: float, what: str) -> Entry:
        language: Language = self._pick(LANGUAGES)
        product = self._pick(self._shop.products).id
        match what:
            case "small_talk":
                return self._event(at, "chat", text=self._pick(self._words[what][language]))
            case "injection":
                return self._event(at, "chat", text=self._pick(self._words["injections"][language]))
            case "gift":
                gift, worth = self._pick(self._words["gifts"])
                return self._event(at, "gift", gift=gift, amount=float(worth))
            case "click":
                return self._event(at, "click", product=product)
            case "order":
                return self._event(
                    at, "order", product=product, amount=self._pick([1.0, 1.0, 1.0, 2.0])
                )
            case "like":
                return self._event(at, "like", amount=float(self._draw.randint(1, 20)))
            case "join":
                return self._event(at, "join")
            case _:
                return self._event(at, "follow")

    def _left(self, joined: Entry, seconds: float) -> Iterator[Entry]:
        """Yield how somebody leaves who has come, if they do before the end."""
        at = round(joined.at + self._draw.expovariate(1 / _STAY_S), 3)
        if at < seconds:
            event = joined.event
            yield Entry(at, replace(event, id=f"{event.id}-left", kind="leave"))

    def _floods(self, seconds: float) -> Iterator[Entry]:
        at = _FLOOD_EVERY_S / 2
        while at < seconds:
            text, who = self._new(self._pick(LANGUAGES)), f"flood{round(at)}"
            for number in range(_FLOOD):
                moment = round(at + 0.4 * number, 3)
                event = ViewerEvent(f"f{round(at)}-{number}", "chat", who, who, text)
                yield Entry(moment, event)
            at += _FLOOD_EVERY_S

    def _event(self, at: float, kind: ViewerKind, *, prefix: str = "e", **fields: Any) -> Entry:
        self._count += 1
        number = self._draw.randrange(4000)
        name = self._words["names"][number % len(self._words["names"])]
        event = ViewerEvent(
            f"{prefix}{self._count}", kind, f"v{number}", name, platform="", **fields
        )
        return Entry(round(at, 3), event)

    def _pick(self, choices: Any) -> Any:
        return self._draw.choice(choices)


def _asked_of(product: Product, about: dict[str, Any]) -> list[str]:
    """Return what can be asked of a product that it has an answer to."""
    known = [name for name in about if name in product.attributes]
    return [*known, "stock"] if product.stock is not None else known


@cache
def _words() -> dict[str, Any]:
    text = (resources.files("web.bench") / "data" / "viewers.json").read_text("utf-8")
    words: dict[str, Any] = json.loads(text)
    return words
