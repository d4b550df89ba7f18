"""Tells what is known of a product, in very many ways.

A sentence is a core, which states one fact or two, behind a lead and perhaps before a word after
it. Cores are templates around what the merchant wrote, so every figure stands as it does in the
shop; leads state nothing. Openings, closings and calls for questions are drawn from columns.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from agents.clause import Language
from agents.clauses import cut
from agents.rundown.leads import (
    is_aside,
    is_fragment,
    is_predicate,
    led,
    lowered,
    starts_commonly,
    telling_data,
)
from agents.rundown.placeholders import filled, places_in, values_of
from agents.shop.labels import polarity
from agents.shop.phrases import bare, capital, fill, is_plural, is_sentence, listed
from agents.shop.product import Product, Shop
from agents.shop.sheet import Entry, policies_of, sheet_of

_PLAIN: Final = 0.6  # share of sentences to be read by the merchant that have no lead
_PAIRED: Final = 0.15  # share of sentences that tell two facts
_LONGEST_PAIRED: Final[Mapping[Language, int]] = {"en": 60, "zh": 24}
_MOST_NAMED: Final = 4  # products named in one breath
_LONGEST_TOLD: Final[Mapping[Language, int]] = {"en": 150, "zh": 48}
_OF_SHOP: Final = (
    "hello", "disclosure", "programme", "teaser", "ask", "closing", "goodbye", "farewell",
)  # fmt: skip
# Topics whose statements can be joined.
_JOINED: Final = frozenset({"price", "colour", "weight", "material"})
# "[is|are]": the first for one thing, the second for several.
_NUMBERED: Final = re.compile(r"\[([^\[\]|]+)\|([^\[\]|]+)\]")


@dataclass(frozen=True, slots=True)
class Core:
    """A statement.

    Attributes:
        text: a sentence, with places where `Telling.symbolic`.
        named: whether it names the product.
        citations: ids of the facts it rests on.
        lowers: whether its first letter is small behind a lead.
    """

    text: str
    named: bool
    citations: tuple[str, ...]
    lowers: bool = True


class Telling:
    """Draws sentences about the goods of a shop at a moment.

    Args:
        now: seconds since the epoch, by which offers hold or have ended.
        symbolic: leave prices and counts as places, "{price}", to be filled when spoken.
    """

    def __init__(
        self, shop: Shop, language: Language, now: float, *, symbolic: bool = False
    ) -> None:
        self._shop = shop
        self._language = language
        self._now = now
        self._symbolic = symbolic
        self._data = telling_data(language)
        self._entries: dict[str, dict[str, Entry]] = {}

    def topics(self, product: Product) -> list[str]:
        """Return what can be told of a product in the language, its introduction first."""
        return ["name", *self._known(product)]

    def kind(self, product: Product, topic: str) -> str:
        """Return what kind of entry a topic is: "point", "attribute", "price"..."""
        return "name" if topic == "name" else self._known(product)[topic].kind

    def entry(self, product: Product, topic: str) -> Entry | None:
        """Return the entry of a topic, None for an introduction."""
        return self._known(product).get(topic)

    def policies(self) -> list[str]:
        """Return what can be told of the shop as a whole."""
        return [one.id for one in policies_of(self._shop) if one.texts.get(self._language)]

    def topics_of_shop(self) -> list[str]:
        """Return what can be told that is no product's."""
        return [*_OF_SHOP, *self.policies()]

    def about(self, product: Product, topic: str, random: Random) -> Core | None:
        """Draw a sentence about one topic of a product, None where nothing is known of it."""
        if topic == "name":
            return self._from_columns("name", random, {"name": self._name(product)})
        entry = self._known(product).get(topic)
        if entry is None:
            return None
        if entry.kind == "answered":
            return self._answered(product, entry, random)
        cores = self._cores(product, entry)
        if not cores:
            return None
        core = random.choice(cores)
        if random.random() < _PAIRED:
            core = self._paired(product, entry, core, random)
        conditions = self._conditions(product, entry, random)
        text = self._led(entry, core, random, tailed=not conditions)
        text += conditions
        return Core(_tidied(text, self._language), core.named, core.citations)

    def of_shop(self, topic: str, random: Random, products: Sequence[Product] = ()) -> Core | None:
        """Draw a sentence of a kind that is no product's: "hello", "ask", "policy:shipping"...

        Args:
            products: those a "programme" or "closing" names, or the one a "teaser" is about.
        """
        values = values_of(None, self._shop, self._language, self._now)
        if topic.startswith("policy:"):
            return self._policy(topic, random)
        if topic in ("programme", "closing"):
            if not products:
                return None
            names = [self._article(product) for product in products[:_MOST_NAMED]]
            values["names"] = listed(names, self._language)
        if topic == "teaser":
            if not products:
                return None
            values |= values_of(products[0], self._shop, self._language, self._now)
            values["name"] = self._name(products[0])
            if "before" not in values or "condition" in values:
                return None
        return self._from_columns(topic, random, values)

    def _led(self, entry: Entry, core: Core, random: Random, *, tailed: bool) -> str:
        if self._symbolic and random.random() < _PLAIN:
            return core.text
        praised = entry.kind in ("point", "description")
        return led(
            core.text, self._language, random, named=core.named, lowers=core.lowers,
            tailed=tailed and praised, colons=praised or entry.kind == "attribute",
        )  # fmt: skip

    # Facts

    def _known(self, product: Product) -> dict[str, Entry]:
        known = self._entries.get(product.id)
        if known is None:
            prefix = len(product.id) + 1
            known = {
                entry.id[prefix:]: entry
                for entry in sheet_of(product, self._now).entries
                if self._is_told(product, entry)
            }
            self._entries[product.id] = known
        return known

    def _is_told(self, product: Product, entry: Entry) -> bool:
        if not entry.texts.get(self._language):
            return False
        if entry.kind == "stock":
            return bool(product.stock)
        if entry.kind in ("price", "buy"):
            return product.price is not None and product.stock != 0
        if entry.kind == "offer":
            priced = values_of(product, self._shop, self._language, self._now)
            return product.offer is not None and "before" in priced and product.stock != 0
        if entry.kind == "answered" and not entry.question.get(self._language):
            return False
        if entry.kind == "policy":
            return False
        return len(entry.value.get(self._language, "")) <= _LONGEST_TOLD[self._language]

    def _cores(self, product: Product, entry: Entry) -> list[Core]:
        if entry.kind in ("point", "description"):
            return self._statements(product, entry)
        if entry.kind == "attribute":
            return self._attribute(product, entry)
        kind: str = entry.kind
        values = values_of(product, self._shop, self._language, self._now)
        if kind == "price" and "before" in values:
            kind = "offer" if self._in_force(product) else "price_reduced"
        values["left"] = values.get("stock", "")
        symbolic = {"price": "{price}", "before": "{before}", "left": "{stock}"}
        values |= symbolic if self._symbolic else {}
        return self._filled(self._data[kind], product, entry, values)

    def _filled(
        self, templates: Sequence[str], product: Product, entry: Entry, values: Mapping[str, str]
    ) -> list[Core]:
        places = {**values, "name": self._name(product)}
        cores = []
        for template in templates:
            text = _filled_in(template, places, self._language)
            lowers = not template.startswith("{") or template.startswith(("{label", "{Label"))
            lowers = lowers or starts_commonly(text)
            cores.append(Core(text, "{name}" in template, (entry.id,), lowers))
        return cores

    def _statements(self, product: Product, entry: Entry) -> list[Core]:
        raw = _stopped(entry.value[self._language], self._language)
        name = self._name(product)
        if self._language == "zh":
            templates = self._data["statement"] if name not in raw else ["{value}"]
            return self._filled(templates, product, entry, {"value": raw})
        article = f"The {name}"
        if raw.startswith(("It ", "They ")):
            rest = raw.split(" ", 1)[1]
            texts = [(raw, False), (f"{article} {rest}", True)]
        elif is_predicate(raw):
            subject = "They" if is_plural(name) else "It"
            texts = [(f"{subject} {lowered(raw)}", False), (f"{article} {lowered(raw)}", True)]
        elif name.lower() in raw.lower():
            texts = [(raw, True)]
        elif is_fragment(raw):
            verb = "They're" if is_plural(name) else "It's"
            texts = [(f"{verb} {lowered(raw)}", False), (f"{article}: {lowered(raw)}", True)]
        else:
            texts = [(raw, False), (raw, False), (f"{article}: {lowered(raw)}", True)]
        return [
            Core(text, named, (entry.id,), starts_commonly(text) or text.startswith("They're"))
            for text, named in texts
        ]

    def _attribute(self, product: Product, entry: Entry) -> list[Core]:
        value = entry.value[self._language]
        label = self._labels(entry)
        answer = polarity(value)
        if answer is not None:
            kind = "attribute_yes" if answer else "attribute_no"
            return self._labelled(kind, product, entry, label, "")
        plain = bare(value)
        if self._language == "en" and is_predicate(plain):
            return self._statements_of(product, entry, plain)
        generic = self._labelled("attribute", product, entry, label, lowered(plain))
        worded = entry.topic in self._data["labels"] and entry.topic in self._data
        if worded and not is_sentence(value) and not _says_so(plain, entry.topic):
            own = self._data[entry.topic]
            values = {"value": plain, "Value": capital(plain)}
            return [*self._filled(own, product, entry, values), *generic]
        return generic or self._statements(product, entry)

    def _statements_of(self, product: Product, entry: Entry, plain: str) -> list[Core]:
        name = self._name(product)
        subject = "They" if is_plural(name) else "It"
        said = lowered(_stopped(plain, self._language))
        return [
            Core(f"{subject} {said}", False, (entry.id,)),
            Core(f"The {name} {said}", True, (entry.id,)),
        ]

    def _labelled(
        self, kind: str, product: Product, entry: Entry, labels: Sequence[str], value: str
    ) -> list[Core]:
        found: list[Core] = []
        for label in labels:
            values = {"label": label, "Label": capital(label)}
            values |= {"value": value, "Value": capital(value)}
            found += self._filled(self._data[kind], product, entry, values)
        return found

    def _labels(self, entry: Entry) -> list[str]:
        known = self._data["labels"].get(entry.topic)
        if known:
            return [str(one) for one in known]
        label = entry.label.get(self._language, "")
        if self._language == "zh":
            return [label] if label and not label.isascii() else []
        return [f"the {label}"] if label and label.isascii() else []

    def _answered(self, product: Product, entry: Entry, random: Random) -> Core | None:
        answer = _stopped(entry.value[self._language], self._language)
        question = entry.question[self._language].strip()
        lead, core, reply = (random.choice(column) for column in self._data["answered"][0])
        if lead and self._language == "en":
            question = question[:1].lower() + question[1:] if question[1:2].islower() else question
        values = {
            "name": self._name(product), "question": question, "answer": capital(answer),
            "answer_low": lowered(answer),
        }  # fmt: skip
        joint = " " if self._language == "en" else ""
        text = joint.join(filter(None, (lead, core, reply)))
        return Core(_put(text, values, self._language), "{name}" in lead, (entry.id,))

    def _policy(self, topic: str, random: Random) -> Core | None:
        entry = next((one for one in policies_of(self._shop) if one.id == topic), None)
        value = entry.value.get(self._language) if entry else None
        if entry is None or not value:
            return None
        labels = self._data["labels"].get(entry.topic, [])
        sentences = _sentences(value, self._language)
        values = {"value": lowered(random.choice(sentences))}
        if labels:
            values["label"] = random.choice(labels)
        made = self._from_columns("policy", random, values)
        return None if made is None else Core(made.text, True, (entry.id,))

    def _paired(self, product: Product, entry: Entry, core: Core, random: Random) -> Core:
        """Return two facts in one sentence, or the one where no other goes with it."""
        longest = _LONGEST_PAIRED[self._language]
        if entry.topic not in _JOINED or is_aside(core.text) or len(core.text) > longest:
            return core
        others = [
            one for one in self._known(product).values()
            if one.topic in _JOINED and one.topic not in (entry.topic, "price")
        ]  # fmt: skip
        if not others or self._in_force(product):
            return core
        other = random.choice(others)
        rest = [
            one for one in self._cores(product, other)
            if not one.named and not is_aside(one.text) and len(one.text) <= longest
        ]  # fmt: skip
        if not rest:
            return core
        second = random.choice(rest).text
        stem = core.text.rstrip(".。")
        text = f"{stem}, and {lowered(second)}" if self._language == "en" else f"{stem}，{second}"
        return Core(text, core.named, (*core.citations, other.id))

    def _conditions(self, product: Product, entry: Entry, random: Random) -> str:
        """Return what must be said beside the price of an offer; empty for nothing."""
        if entry.kind not in ("price", "offer") or not self._in_force(product):
            return ""
        values = values_of(product, self._shop, self._language, self._now)
        texts = [
            random.choice(self._data[name])
            for name in ("condition", "until", "left")
            if name in values
        ]
        if not self._symbolic:
            texts = [filled(text, values) or "" for text in texts]
        joint = " " if self._language == "en" else ""
        return "".join(joint + text for text in texts)

    def _in_force(self, product: Product) -> bool:
        values = values_of(product, self._shop, self._language, self._now)
        return product.offer is not None and "before" in values and (
            bool({"left", "until", "condition"} & values.keys()) or _reduces(product, values)
        )  # fmt: skip

    def _from_columns(self, kind: str, random: Random, values: Mapping[str, str]) -> Core | None:
        patterns = [
            usable
            for pattern in self._data[kind]
            if (usable := [[t for t in column if _fits(t, values)] for column in pattern])
            and all(usable)
        ]
        if not patterns:
            return None
        sizes = [_size(pattern) ** 0.5 for pattern in patterns]
        pattern = random.choices(patterns, sizes)[0]
        drawn = [text for column in pattern if (text := random.choice(column))]
        joint = " " if self._language == "en" else ""
        text = _put(joint.join(drawn), values, self._language)
        return Core(text, "name" in values, ())

    def _name(self, product: Product) -> str:
        name = product.named(self._language)
        return name.removeprefix("The ") if self._language == "en" else name

    def _article(self, product: Product) -> str:
        name = self._name(product)
        return f"the {name}" if self._language == "en" else name


def _reduces(product: Product, values: Mapping[str, str]) -> bool:
    """Say whether the price paid is the offer's."""
    return product.offer is not None and values.get("price") != values.get("before")


def _fits(text: str, values: Mapping[str, str]) -> bool:
    return all(place in values for place in places_in(text))


def _size(pattern: Sequence[Sequence[str]]) -> int:
    size = 1
    for column in pattern:
        size *= len(column)
    return size


def _put(text: str, values: Mapping[str, str], language: Language) -> str:
    return _tidied(_filled_in(text, values, language), language)


def _filled_in(template: str, values: Mapping[str, str], language: Language) -> str:
    """Return a template with the forms that go with the name, and its places filled."""
    several = is_plural(values.get("name", ""))
    text = _NUMBERED.sub(lambda match: match[2 if several else 1], template)
    return fill([text], language, **values)[0]


def _tidied(text: str, language: Language) -> str:
    return capital(text) if language == "en" else text


def _stopped(text: str, language: Language) -> str:
    plain = text.strip()
    return (
        plain
        if plain[-1:] in ".!?。！？…"
        else plain + (". " if language == "en" else "。").strip()
    )


def _sentences(text: str, language: Language) -> list[str]:
    """Return the sentences of a merchant's text, one at least."""
    found: list[str] = []
    for clause in cut(text, language):
        if found and found[-1].rstrip()[-1:] not in ".!?。！？":
            found[-1] += clause
        else:
            found.append(clause)
    return [_stopped(one, language) for one in found if one.strip()]


def _says_so(value: str, topic: str) -> bool:
    """Say whether a value brings its own verb: "made of linen", "woven in Porto"."""
    first = value.split(" ", 1)[0].lower()
    return topic in ("material", "origin", "colour") and first in (
        "made", "woven", "sewn", "knitted", "handmade", "grown", "available", "comes",
    )  # fmt: skip


def iterate(telling: Telling, product: Product, random: Random) -> Iterator[Core]:
    """Yield sentences about a product for ever, topic after topic by chance."""
    topics = [one for one in telling.topics(product) if one != "name"]
    while topics:
        core = telling.about(product, random.choice(topics), random)
        if core is not None:
            yield core
