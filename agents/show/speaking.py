"""Puts what waits into words: answers that name who asked, thanks, greetings."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from agents.clause import Action, Clause, Feeling, Language
from agents.clauses import cut
from agents.rundown.document import Item
from agents.rundown.marks import marked_clauses, plain
from agents.rundown.said import Said
from agents.rundown.variation import Told, Variation
from agents.shop.product import Product, Shop
from agents.show.line import LineKind
from agents.show.waiting import ASKING, Entry
from agents.show.wording import Wording, listed, number_word

_KINDS: Final[dict[str, LineKind]] = {
    "operator": "operator", "voice": "answer", "question": "answer", "talk": "answer",
    "decision": "decision", "order": "thanks", "gift": "thanks", "follow": "thanks",
    "join": "greeting",
}  # fmt: skip
# Gestures for each kind of line, "" for none; never the same twice running.
_GESTURES: Final[dict[str, tuple[str, ...]]] = {
    "join": ("welcome", "wave", "", "nod_yes"),
    "follow": ("thanks", "heart_hands", "", "thumbs_up"),
    "gift": ("thanks", "heart_fingers", "bow", "heart_hands"),
    "order": ("thumbs_up", "thanks", "applause", "", "hand_on_heart"),
    "offer": ("offer", "price_drop", "point_product"),
    "again": ("point_product", "look_here", "emphasise"),
    "thank": ("thanks", "heart_hands", "bow"),
    "prompt": ("listen", "", "come_closer", "", "point_below"),
    "bridge": ("", "next", "", "point_product", ""),
    "name": ("point_product", "pick_present", "look_here"),
}
_FEELINGS: Final[dict[str, Feeling]] = {
    "join": Feeling("happy", 0.7), "follow": Feeling("happy", 0.7), "gift": Feeling("excited", 0.6),
    "order": Feeling("happy", 0.9), "thank": Feeling("happy", 0.7),
}  # fmt: skip


# Attributes that are told of where another of them was asked for.
_ALIKE: Final = (frozenset({"price", "offer"}), frozenset({"shipping", "shipping_cost"}))
# Colons in the first characters of an answer are heard together with that of its lead.
_OPENING: Final = 80
_COLONS: Final[dict[Language, tuple[str, str]]] = {"en": (":", "."), "zh": ("：", "。")}
# Words a sentence begins with that are no names.
_COMMON: Final = re.compile(
    r"(?:An?|The|It|They|You|We|There|Th[ei]se|Th[ai][ts]|Those|Yes|No|Not|If|In|On|At|For|From|With|"
    r"Our|Your|Its|Their|Wh(?:at|ich|en|ere|o|y)|How|Each|Every|All|Both|One|Two|Three|As|Here|"
    r"Sorry|Orders|Shipping|Delivery|Returns|And|But|So|Please|Just|Right|Sure)\b"
)


@dataclass(frozen=True, slots=True)
class Words:
    """What a line is to say."""

    kind: LineKind
    clauses: tuple[Clause, ...]
    language: Language
    product: str | None = None
    citations: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """All of it, as captions show it."""
        return "".join(clause.text for clause in self.clauses).strip()


class Gestures:
    """Chooses gestures for kinds of line, not the same one twice running."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._last = ""

    def on(self, clauses: tuple[Clause, ...], kind: str) -> tuple[Clause, ...]:
        """Return clauses, the first with a gesture and the emotion of its kind unless one has."""
        if not clauses or any(clause.action for clause in clauses):
            return clauses
        options = [one for one in _GESTURES.get(kind, ("",)) if not one or one != self._last]
        gesture = self._random.choice(options)
        first = clauses[0]
        if gesture:
            self._last = gesture
            first = replace(first, action=Action(gesture))
        felt = _FEELINGS.get(kind)
        if felt is not None and first.emotion is None:
            first = replace(first, emotion=felt.emotion, intensity=felt.intensity)
        return (first, *clauses[1:])


class Speaker:
    """Words entries of the queue. All texts are drawn as they were not said within the hour."""

    def __init__(
        self, wording: Wording, variation: Variation, said: Said, language: Language,
        now: Callable[[], float], random: Random,
    ) -> None:  # fmt: skip
        self._wording = wording
        self._variation = variation
        self._said = said
        self._language = language
        self._now = now
        self._random = random
        self.gestures = Gestures(random)

    def words(self, entry: Entry, shop: Shop, item: Item) -> Words | None:
        """Return what an entry says, None where nothing is to be said of it."""
        if entry.kind == "operator":
            return self._operator(entry)
        if entry.kind in ASKING:
            return self._answer(entry)
        if entry.kind == "decision":
            return self._decision(entry, shop, item)
        return self._courtesy(entry, shop)

    def bridge(self, product: Product | None) -> Words | None:
        """Return a bridge back to the script, to a product of it or simply on; None for none."""
        text = None
        if product is not None:
            name = product.named(self._language)
            text = self._draw("bridge", self._language, product=_bare(name, self._language))
        text = text or self._draw("bridge_on", self._language)
        if text is None:
            return None
        clauses = self._clauses(text, self._language, "bridge")
        return Words("bridge", clauses, self._language, product.id if product else None)

    def prompt(self, shop: Shop) -> Words | None:
        """Return a call for questions, None where none is fresh."""
        told = self._variation.topic("ask", None, shop, self._now())
        if told is None:
            return None
        self._said.add(plain(told.text), self._now())
        return Words("more", self._clauses(told.text, self._language, "prompt"), self._language)

    def more(self, item: Item, shop: Shop) -> Words | None:
        """Return something more about an item's product, None where nothing is fresh."""
        told = self._variation.more(_product(shop, item.product), shop, self._now())
        if told is None:
            return None
        self._said.add(plain(told.text), self._now())
        clauses = self._clauses(told.text, self._language, "name")
        return Words("more", clauses, self._language, item.product, told.citations)

    def scripted(
        self, clauses: tuple[Clause, ...], item: Item, *, first: bool
    ) -> tuple[Clause, ...]:
        """Return clauses of the script, the first of an item with its gesture."""
        if not first or any(clause.action for clause in clauses):
            return clauses
        if item.action:
            return (replace(clauses[0], action=Action(item.action)), *clauses[1:])
        return self.gestures.on(clauses, "name" if item.product else "join")

    def _operator(self, entry: Entry) -> Words:
        clauses = marked_clauses(entry.text, entry.language)
        return Words("operator", clauses, entry.language, entry.product)

    def _answer(self, entry: Entry) -> Words:
        lead = self._lead(entry)
        clauses = entry.clauses
        language = clauses[0].language
        if lead:
            joint = " " if language == "en" else ""
            text = clauses[0].text.lstrip()
            if language == "en" and lead.endswith(","):
                text = _carried_on(text)
            first = replace(clauses[0], text=joint + text)
            leading = tuple(Clause(part, language) for part in cut(lead, language))
            clauses = (*leading, first, *clauses[1:])
        return Words("answer", clauses, language, entry.product, entry.citations)

    def _lead(self, entry: Entry) -> str | None:
        language = entry.clauses[0].language
        many = len(entry.names) > 1
        names = listed([name for name in entry.names.values() if name], len(entry.names), language)
        topic = self._wording.topic(told, language) if (told := _told(entry)) else None
        suffix = "_many" if many else ""
        lead = self._draw("asks" + suffix, language, names=names, topic=topic) if topic else None
        if lead is None:
            lead = self._draw("asks_plain" + suffix, language, always=True, names=names)
        colon, stop = _COLONS[language]
        opening = "".join(clause.text for clause in entry.clauses)[:_OPENING]
        if lead is not None and lead.endswith(colon) and colon in opening:
            # One colon after another makes no sentence to be heard.
            return lead[: -len(colon)] + stop
        return lead

    def _decision(self, entry: Entry, shop: Shop, item: Item) -> Words | None:
        if entry.text == "thank":
            text = self._draw("thank", self._language)
            return None if text is None else self._line(entry, text, "thank")
        product = _product(shop, entry.product or item.product)
        if entry.text == "again":
            told = self._variation.more(product, shop, self._now())
        else:
            told = self._offered(product, shop)
        if told is None:
            return None
        made = self._line(entry, told.text, entry.text)
        shown = product.id if product else None
        return replace(made, product=shown, citations=told.citations)

    def _offered(self, product: Product | None, shop: Shop) -> Told | None:
        """Tell a product's offer, or its price where there is none."""
        now = self._now()
        told = self._variation.topic("offer", product, shop, now)
        return told or self._variation.topic("price", product, shop, now)

    def _courtesy(self, entry: Entry, shop: Shop) -> Words | None:
        language = self._language
        count = len(entry.names)
        names = [name for name in entry.names.values() if name]
        values = {"names": listed(names, count, language), "n": number_word(count, language)}
        kind: str = entry.kind
        if entry.kind == "join":
            if not names:
                return None
            kind = "welcome" if count == 1 else "welcome_many"
        elif entry.kind == "gift":
            if entry.gift:
                values["gift"] = entry.gift
        elif entry.kind == "order":
            product = _product(shop, entry.product)
            if product is not None:
                values["product"] = _bare(product.named(language), language)
            many = len(entry.events) > 1
            values["n"] = number_word(len(entry.events), language)
            kind = ("order" if product else "order_any") + ("_many" if many else "")
        text = self._draw(kind, language, always=entry.kind in ("order", "gift"), **values)
        return None if text is None else self._line(entry, text, entry.kind)

    def _line(self, entry: Entry, text: str, kind: str) -> Words:
        clauses = self._clauses(text, self._language, kind)
        return Words(_KINDS[entry.kind], clauses, self._language)

    def _clauses(self, text: str, language: Language, kind: str) -> tuple[Clause, ...]:
        return self.gestures.on(marked_clauses(text, language), kind)

    def _draw(
        self, kind: str, language: Language, *, always: bool = False, **values: str
    ) -> str | None:
        now = self._now()
        text = self._wording.draw(
            kind, language, self._said, now, self._random, values, always=always
        )
        if text is not None:
            self._said.add(plain(text), now)
        return text


def _product(shop: Shop, product_id: str | None) -> Product | None:
    return next((one for one in shop if one.id == product_id), None)


def _told(entry: Entry) -> str | None:
    """Return the attribute that was asked for and is told of; None where another is told of."""
    if entry.asked is None:
        return None
    asked = entry.asked.attribute
    told = {citation.split(".")[-1].removeprefix("policy:") for citation in entry.citations}
    alike = next((kin for kin in _ALIKE if asked in kin), frozenset({asked}))
    return asked if not told or told & alike else None


def _carried_on(text: str) -> str:
    """Return an English sentence as it goes on behind a comma."""
    return text[:1].lower() + text[1:] if _COMMON.match(text) else text


def _bare(name: str, language: Language) -> str:
    """Return a name as it stands behind an article."""
    return name.removeprefix("The ") if language == "en" else name
