"""Whether a question is about a thing the shop does not have."""

import re

from agents.shop.asked import Asked, asked
from agents.shop.lexicon import GOODS, PROPERTIES, TOPICS, Sense
from agents.shop.naming import Named, Names

_DETERMINERS = frozenset(
    {"the", "your", "a", "an", "those", "these", "any", "some", "that", "this"}
)
_BEFORE = frozenset({
    "much", "is", "are", "for", "of", "does", "do", "have", "sell", "buy", "about", "got", "get",
    "cost", "price", "on", "want", "carry", "offer", "stock", "order", "many",
})  # fmt: skip
_HAVING = ("卖", "有", "买", "要")
_ASKING_END = frozenset("吗么嘛不没呢?？")
_CLAUSES = re.compile(r"[,，。;；?？!！]|\band\b|(?<=[\u3400-\u9fff])\s+(?=[\u3400-\u9fff])")
_SOUGHT = re.compile(r"(?:有|卖)(?P<thing>[\u3400-\u9fff]{2,8}?)(?:卖)?(?:[吗么嘛没不]|$)")
# What may be asked of a part of a thing: "how long is the cord".
_OF_PARTS = frozenset({"colour", "material", "size", "dimensions", "weight", "care"})
_COUNTED = re.compile(r"\d{1,3}|one|two|three|four|five|six|per|each|[一两三四五六几]")
# Characters before a name that leave the thing the same.
_DESCRIBING = frozenset("黑白红蓝绿黄灰粉紫棕橙金银大中小新旧长短厚薄男女一两三的款")
_SELLING = frozenset({"price", "stock", "offer", "buy"})


def names_another_thing(query: Asked, names: Names) -> bool:
    """Say whether what is asked is asked of a thing that none of the products is.

    "How much is the umbrella" among bags; not "how much is it for my mother".
    """
    # "Do you sell kayaks and what do they cost": one clause names what the other asks of.
    clauses = [part for part in _CLAUSES.split(query.reading.text) if part.strip()]
    if len(clauses) > 1 and any(_is_foreign(asked(clause), names) for clause in clauses):
        return True
    return _is_foreign(query, names)


def names_a_relative(query: Asked, named: Named, names: Names) -> bool:
    """Say whether a part of a product's name ends the name of another thing: "电钢琴".

    Where thumb pianos, "拇指钢琴", are sold.
    """
    if not named.ids or named.whole or not named.units:
        return False
    units = query.reading.units
    first = min(named.units)
    last = next(at for at in range(first, len(units) + 1) if at not in named.units) - 1
    if not first or not all(units[at].is_han for at in (first - 1, first, last)):
        return False
    if units[first - 1].end != units[first].start or units[first - 1].text in _DESCRIBING:
        return False
    text = "".join(unit.text for unit in units[first : last + 1])
    unknown = first - 1 not in query.neutral and first - 1 not in query.known
    return unknown and names.ends_with(text) and not names.holds(units[first - 1].text + text[:1])


def _is_foreign(query: Asked, names: Names) -> bool:
    if _foreign_goods(query, names):
        return True
    if query.matches("pronoun") or query.matches("which"):
        return False
    return _foreign_word(query) or _foreign_run(query) or _sought_in_vain(query)


def _foreign_goods(query: Asked, names: Names) -> bool:
    """Say whether a kind of thing is named that no product is, and that is what is asked for."""
    for sense in query.reading.of(GOODS):
        if names.of_kind(sense.name) or _serves_as_property(query, sense):
            continue
        if sense.first and _COUNTED.fullmatch(query.reading.units[sense.first - 1].text):
            # "How much for 3 bottles" counts what is on air.
            continue
        if _is_subject(query, sense):
            return True
    return False


def _serves_as_property(query: Asked, sense: Sense) -> bool:
    """Say whether the same words may ask for a property: "does a laptop fit"."""
    span = set(range(sense.first, sense.last + 1))
    return any(
        other.group in (PROPERTIES, TOPICS)
        and not other.weak
        and span & set(range(other.first, other.last + 1))
        for other in query.reading.senses
    )


def _is_subject(query: Asked, sense: Sense) -> bool:
    """Say whether a thing is what is asked about, not what another is used with."""
    units = query.reading.units
    if query.matches("pronoun"):
        return False
    if units[sense.first].is_han:
        return bool(set(query.topics) & _SELLING) or query.matches("have") or not query.topics
    before = units[sense.first - 1].text if sense.first else ""
    earlier = units[sense.first - 2].text if sense.first > 1 else ""
    if before in _DETERMINERS and (earlier in _BEFORE or not earlier):
        return True
    selling = bool(set(query.topics) & _SELLING) or query.matches("have") or query.matches("list")
    return before in _BEFORE or not before or selling


def _foreign_word(query: Asked) -> bool:
    """Say whether an unknown English word stands where the thing asked about does."""
    units = query.reading.units
    for at in query.rest():
        unit = units[at]
        if unit.is_han or len(unit.text) < 3 or unit.text[0].isdigit():
            continue
        before = units[at - 1].text if at else ""
        earlier = units[at - 2].text if at > 1 else ""
        selling = bool(set(query.topics) & _SELLING)
        part = query.parts and (query.kinds or set(query.topics) & _OF_PARTS)
        if before in _DETERMINERS and earlier in _BEFORE and (selling or not part):
            return True
        if before in ("sell", "have", "carry", "stock", "got", "any") and query.matches("have"):
            return True
        if selling and (before in ("of", "for", "is", "are", "does", "do") or not at):
            return True
    return False


def _sought_in_vain(query: Asked) -> bool:
    """Say whether it is asked in Chinese whether there is a thing that no word here explains."""
    match = _SOUGHT.search(query.reading.text)
    if match is None or query.topics:
        return False
    start, end = match.span("thing")
    places = {at for at, unit in enumerate(query.reading.units) if start <= unit.start < end}
    return bool(places & set(query.rest())) and not places & query.neutral


def _foreign_run(query: Asked) -> bool:
    """Say whether unknown Chinese characters stand where the thing asked about does."""
    units = query.reading.units
    rest = query.rest()
    runs: list[list[int]] = []
    for at in rest:
        if not units[at].is_han:
            continue
        if runs and runs[-1][-1] == at - 1:
            runs[-1].append(at)
        else:
            runs.append([at])
    for run in runs:
        if len(run) < 2:
            continue
        after = run[-1] + 1
        following = [s for s in query.reading.of(TOPICS) if s.first == after and not s.weak]
        if any(sense.name in _SELLING for sense in following):
            return True
        before = units[run[0] - 1].text if run[0] else ""
        end = units[after].text if after < len(units) else ""
        if before in _HAVING and (not end or end in _ASKING_END) and not query.topics:
            return True
        if not run[0] and end == "有" and not query.topics:
            return True
    return False
