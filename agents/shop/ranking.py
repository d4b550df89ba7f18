"""Which entry of a sheet answers a question best."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from agents.clause import LANGUAGES
from agents.shop.asked import Asked
from agents.shop.features import characters, features
from agents.shop.lexicon import (
    COLOURS,
    GOODS,
    MATERIALS,
    PROPERTIES,
    SIZES,
    TOPICS,
    Reading,
    phrases,
    plain,
    read,
)
from agents.shop.owning import WRITTEN as _WRITTEN
from agents.shop.owning import is_of_another_part, kinds_of, names_sizes, own_evidence, shares_name
from agents.shop.rarity import rare_evidence
from agents.shop.sheet import Entry

# Evidence an answer needs.
LEAST = 1.2
# Entries whose words are kept: those of some hundred products.
_KEPT = 8192
# What speaks for an entry: that it is about the topic asked, or about a hint of one...
_TOPIC, _HINT = 3.0, 1.6
# ...that its label, or its words, name a property asked for...
_LABELLED, _TOLD = 2.7, 1.5
# ...that it is where values of the kind asked stand...
_VALUES = 3.2
_PART_OF_LABEL = 0.6
# What holds for all goods is asked for outright, what they are like may be a mere reason.
_ASKED_OUTRIGHT = 0.8
_OF_ALL = frozenset({"returns", "payment", "shipping", "shipping_cost", "invoice"})
# What is left of a topic for what is called something else, and of a size that states no length.
_NOT_CALLED_SO, _NO_LENGTH = 0.85, 0.5
# Hints alone, beside words that nothing explains, are little.
_ONLY_HINTS = -0.6
# What the whole is made of says nothing of its wick.
_OTHER_PART = -2.0
# ...and words in common.
_WORD, _MOST_WORDS = 0.8, 2.4
# ...and the same words for a concept: "fridge" where keeping is asked for.
_SAME, _MOST_SAME = 0.6, 1.2
# ...and what share of all that is asked these are.
_COVERED = 0.9
# A question answered in advance that is asked alike beats all else.
_ALIKE = 5.0
# Letters that words of one root begin with, and what such a word is worth.
_ROOT = 5
_ALIKE_WORD = 1.25
# Entries that are counted, not written.
_COUNTED = ("price", "offer", "stock", "buy")
# Characters in common that make two Chinese questions one.
_LOOKS = 0.65
# What holds for one product comes before what holds for all.
_POLICY = -0.3

_DATA = json.loads((resources.files("agents") / "data" / "retail_kin.json").read_text("utf-8"))
# By how much a topic is answered by what is said of another, and evidence that a property is.
_KIN: Mapping[str, Mapping[str, float]] = _DATA["kin"]
_ANSWERS: Mapping[str, Mapping[str, float]] = _DATA["answers"]


@dataclass(frozen=True, slots=True)
class Ranked:
    """An entry, and the evidence for it."""

    entry: Entry
    score: float


def rank(entries: Sequence[Entry], question: Asked, covered: frozenset[int]) -> list[Ranked]:
    """Return the entries that answer a question, best first.

    Args:
        covered: units of the question that name the product, which say nothing of what is asked.
    """
    sought = _features_beside(question, covered)
    rare = rare_evidence([e for e in entries if e.kind in _WRITTEN], question, covered)
    ranked = [
        Ranked(entry, score(entry, question, sought, covered) + rare.get(entry.id, 0.0))
        for entry in entries
    ]
    return sorted((one for one in ranked if one.score > 0), key=lambda one: -one.score)


def score(
    entry: Entry, question: Asked, sought: frozenset[str], covered: frozenset[int] = frozenset()
) -> float:
    """Return the evidence that an entry answers a question.

    Args:
        sought: what the question is about beside the product, as `features`.
        covered: units of the question that name the product.
    """
    total = _topical(entry, question) + _valued(entry, question)
    total += own_evidence(entry, question, covered) if entry.kind in _WRITTEN else 0.0
    told = _told(entry)
    for name in question.properties:
        labelled = name == entry.topic or name in _label(entry) or name in _asked_before(entry)
        own = _LABELLED * (1.0 if _is_called(entry, name, question) else _NOT_CALLED_SO)
        answered = _ANSWERS.get(name, {}).get(entry.topic, 0.0)
        tells = name in told and entry.kind != "policy"
        total += max(own if labelled else 0.0, _TOLD if tells else 0.0, answered)
    total += 0.9 * sum(name == entry.topic or name in told for name in question.weak_properties)
    shared = frozenset(key for key in sought & _words(entry) if "." not in key)
    total += min(_MOST_WORDS, sum(_WORD if key.isascii() else 0.55 for key in shared))
    if entry.kind not in _COUNTED and entry.kind != "policy":
        same = sum("=" in key for key in sought & _words(entry))
        total += min(_MOST_SAME, _SAME * same)
    if shared:
        plain_words = not (question.topics or question.properties)
        among = frozenset(k for k in sought if "." not in k) if plain_words else sought
        total += _COVERED * _mass(shared) / _mass(among)
    elif entry.kind not in _COUNTED and sought:
        total += _resembling(entry, question, sought)
    if entry.kind == "answered":
        alike = max(_likeness(entry, sought), _look_alike(entry, question))
        total = max(total * 0.9, _ALIKE * alike)
    elif entry.kind in ("point", "description"):
        total *= 0.9
    if not shared and question.only_hints and not question.stated:
        total += _ONLY_HINTS
    if entry.kind == "attribute" and is_of_another_part(entry, question):
        total += _OTHER_PART
    return total + (_POLICY if entry.kind == "policy" else 0.0)


def _topical(entry: Entry, question: Asked) -> float:
    """Return what the topics asked for say for an entry; the last one asked for counts fully."""
    best = 0.0
    for topic in question.topics:
        hinted = is_hint(topic, question)
        if topic == "price" and hinted and question.asks_amount:
            # "硬度多少" and "多少片" ask how much of something else.
            continue
        if entry.kind == "policy" and hinted and question.tells_of_goods:
            # "烧一升水要多久" asks how long something else takes.
            continue
        worth = _HINT if hinted else _TOPIC
        if topic in _OF_ALL and not hinted and question.properties:
            # "It is uncomfortable, can I return it" asks to return it.
            worth += _ASKED_OUTRIGHT
        if topic == "points" and (question.properties or question.says_more):
            # "防水怎么样" asks for the property.
            worth = _HINT * 0.5
        if topic == entry.topic:
            best = max(best, worth * _own_share(entry, topic, question))
        elif entry.topic in _KIN.get(topic, {}):
            sizes = topic == "dimensions" and entry.topic == "size" and not _is_quantity(entry)
            best = max(best, worth * _KIN[topic][entry.topic] * (_NO_LENGTH if sizes else 1.0))
        elif entry.kind == "attribute" and topic in _label(entry):
            # "Ink colour" is asked for as a colour is, if ink is.
            best = max(best, worth * _PART_OF_LABEL * shares_name(entry, question))
        elif topic in _told(entry) and entry.kind not in _COUNTED and not _is_quantity(entry):
            best = max(best, _TOLD * 0.9)
    for topic in question.hints:
        best = max(best, 0.5 if topic == entry.topic else 0.0)
    return best


def _own_share(entry: Entry, topic: str, question: Asked) -> float:
    """Return how much of a topic an attribute has: not all where it is called something else.

    A lining is a material; asked for the material, what is called so comes first.
    """
    return 1.0 if _is_called(entry, topic, question) else _NOT_CALLED_SO


def _is_called(entry: Entry, concept: str, question: Asked) -> bool:
    """Say whether an entry goes by no lesser name of a concept, or by a word of a question.

    Harvests and vintages are of one concept; asked for the one, the other is less of an answer.
    """
    if entry.kind != "attribute":
        return True
    names = {name.lower() for name in entry.label.values() if name}
    lesser = {name for lang in LANGUAGES for name in phrases(concept, lang)[2:]}
    return not names & lesser or concept in names or shares_name(entry, question)


def _is_quantity(entry: Entry) -> bool:
    """Say whether an attribute's value is a mere quantity: "14 cm" names no dimension."""
    return entry.kind == "attribute" and bool(kinds_of(entry)[0])


def is_hint(topic: str, question: Asked) -> bool:
    """Say whether nothing but hints ask for a topic: "how much" for a price."""
    senses = [s for s in question.reading.of(TOPICS) if s.name == topic]
    return topic not in question.implied and all(sense.weak for sense in senses)


def _valued(entry: Entry, question: Asked) -> float:
    """Return what colours, sizes and materials named say for an entry."""
    total = 0.0
    if question.colours:
        total += _VALUES if entry.topic == "colour" else 0.0
        total += 0.7 if entry.topic != "colour" and _told(entry) & question.colours else 0.0
    if question.sizes or question.size_number:
        total += _VALUES if names_sizes(entry) else 0.0
    if question.materials and not question.topics:
        named = 1.0 if question.properties else 2.5
        total += named if entry.topic == "material" else 0.0
        total += 1.4 if entry.topic != "material" and _told(entry) & question.materials else 0.0
    return total


def _likeness(entry: Entry, sought: frozenset[str]) -> float:
    """Return how alike what is asked and a question answered in advance are, 0 to 1."""
    best = 0.0
    for text in entry.question.values():
        there = features(read(text))
        if there and sought:
            shared = _mass(sought & there)
            best = max(best, 2 * shared / (_mass(sought) + _mass(there)))
    return best


def _look_alike(entry: Entry, question: Asked) -> float:
    """Return how many characters a question has in common with one answered in advance."""
    text = entry.question.get("zh", "")
    here, there = characters(question.reading), characters(read(text)) if text else frozenset()
    shared = len(here & there)
    alike = 2 * shared / (len(here) + len(there)) if shared > 1 else 0.0
    return 0.9 * alike if alike >= _LOOKS else 0.0


def _resembling(entry: Entry, question: Asked, sought: frozenset[str]) -> float:
    """Return the evidence of words that are of one root, "Japanese" and "Japan"."""
    roots = {key[:_ROOT] for key in _words(entry) if _is_root(key)}
    if any(_is_root(key) and key[:_ROOT] in roots for key in sought):
        return _ALIKE_WORD
    here = characters(question.reading)
    there = frozenset(c for text in entry.value.values() for c in text)
    shared = len(here & there)
    return _ALIKE_WORD if shared > 1 and shared >= _LOOKS * len(here) else 0.0


def _is_root(key: str) -> bool:
    return len(key) >= _ROOT and key.isascii() and key.isalpha()


def _mass(found: frozenset[str]) -> float:
    weights = {"=": 0.7, ".": 0.6}
    return sum(
        next((weight for mark, weight in weights.items() if mark in key), 0.0)
        or (0.8 if key.isascii() else 0.5)
        for key in found
    )


def _features_beside(question: Asked, covered: frozenset[int]) -> frozenset[str]:
    """Return what a question is about, without the words that name the product."""
    reading = question.reading
    if not covered:
        return features(reading)
    senses = tuple(s for s in reading.senses if not set(range(s.first, s.last + 1)) <= covered)
    units = tuple(u for at, u in enumerate(reading.units) if at not in covered)
    places = {old: new for new, old in enumerate(
        at for at in range(len(reading.units)) if at not in covered
    )}  # fmt: skip
    moved = tuple(
        type(s)(s.group, s.name, places[s.first], places[s.last], s.weak)
        for s in senses
        if s.first in places and s.last in places
    )
    return features(Reading(reading.text, units, moved))


@lru_cache(maxsize=16384)
def _features_of(text: str) -> frozenset[str]:
    return features(read(text))


def _texts(entry: Entry) -> list[str]:
    if entry.kind in _COUNTED:
        return []
    return [text for text in (*entry.value.values(), *entry.question.values()) if text]


@lru_cache(maxsize=_KEPT)
def _told(entry: Entry) -> frozenset[str]:
    """Return the concepts that an entry's words name."""
    return frozenset(
        name
        for text in _texts(entry)
        for name in read(text).names(TOPICS, PROPERTIES, COLOURS, MATERIALS, SIZES, GOODS)
    )


@lru_cache(maxsize=_KEPT)
def _label(entry: Entry) -> frozenset[str]:
    return frozenset(
        name for text in entry.label.values() for name in read(text).names(TOPICS, PROPERTIES)
    )


@lru_cache(maxsize=_KEPT)
def _asked_before(entry: Entry) -> frozenset[str]:
    """Return the properties that a question answered in advance asks for."""
    return frozenset(
        name for text in entry.question.values() for name in read(text).names(PROPERTIES)
    )


@lru_cache(maxsize=_KEPT)
def _words(entry: Entry) -> frozenset[str]:
    texts = [
        *_texts(entry),
        *(entry.label.values() if entry.kind in ("attribute", "policy") else ()),
    ]
    return frozenset(key for text in texts for key in _features_of(text))


def mentions(entry: Entry, question: Asked) -> bool:
    """Say whether an entry has a word of a question that no concept explains."""
    units = question.reading.units
    goods = {at for s in question.reading.of(GOODS) for at in range(s.first, s.last + 1)}
    rest = sorted({*question.rest(), *(goods - question.named)})
    words = {units[at].key for at in rest if not units[at].is_han}
    free = [at for at in range(len(units)) if at not in question.neutral | question.named]
    pairs = {units[at].text + units[at + 1].text for at in free if at + 1 in free}
    pairs = {pair for pair in pairs if not pair.isascii()}
    texts = [plain(text) for text in (*entry.value.values(), *entry.label.values()) if text]
    keys = {unit.key for text in texts for unit in read(text).units}
    return bool(words & keys) or any(pair in text for pair in pairs for text in texts)


def read_entry(entry: Entry) -> None:
    """Read the words of an entry, so that ranking it later takes no time."""
    _told(entry)
    _words(entry)
    for text in entry.question.values():
        features(read(text))
