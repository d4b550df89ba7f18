"""Reads the claims a text makes: free, cheapest, halal, guaranteed, and their kind."""

import json
import re
from dataclasses import dataclass
from importlib import resources
from typing import Any

from agents.amounts import normalise
from agents.clause import LANGUAGES
from agents.tokens import stem

_DATA = json.loads((resources.files("agents") / "data" / "claims.json").read_text("utf-8"))


def _rules(section: dict[str, Any]) -> dict[str, re.Pattern[str]]:
    # Both languages are read in every text: a reply in one may borrow words of the other.
    return {
        kind: re.compile("|".join(p for language in LANGUAGES for p in patterns[language]))
        for kind, patterns in section.items()
    }


_KINDS = _rules(_DATA["kinds"])
_TERMS = _rules(_DATA["terms"])
_TALK = _rules(_DATA["talk"])
_FOODS = frozenset(stem(word) for word in _DATA["foods"]["en"].split())
_FOOD = re.compile("[a-z]+|" + "|".join(_DATA["foods"]["zh"].split()))
_EXCEPTIONS = re.compile("|".join(p for lang in LANGUAGES for p in _DATA["exceptions"][lang]))
# "gluten free" is not "free".
_COMPOUNDS = ("gluten_free", "free_from", "guaranteed")
_DENIED = re.compile(
    r"(?:\b(?:not|no|never|without|hardly|cannot|neither|nor|none|nothing)\b|n't\b)(?:\s[\w']+){0,3}\s*$"
    r"|(?:不|没|沒|无|無|非|未|别)[^，。！？]{0,3}$"
)

KINDS = frozenset(_KINDS)


@dataclass(frozen=True, slots=True)
class Claim:
    """A kind of claim, and whether the text makes or denies it."""

    kind: str
    denied: bool = False


def find_claims(text: str) -> frozenset[Claim]:
    """Return every claim of a text in English or Chinese."""
    plain = _EXCEPTIONS.sub(_blank, normalise(text))
    claims: set[Claim] = set()
    for kind in (*_COMPOUNDS, *(k for k in _KINDS if k not in _COMPOUNDS)):
        claims |= _matches(kind, _KINDS[kind], plain)
        if kind in _COMPOUNDS:
            plain = _KINDS[kind].sub(_blank, plain)
    return frozenset(claims)


def find_terms(text: str) -> frozenset[Claim]:
    """Return what narrows, widens or fills a statement of fact.

    "Only", "not", "all sizes", a yes or a no, sizes, means of payment, foods: true of one fact and
    false of another, so a sentence may hold those of its facts alone.
    """
    plain = normalise(text)
    claims = {c for kind, rule in _TERMS.items() for c in _matches(kind, rule, plain)}
    for match in _FOOD.finditer(plain):
        food = stem(match.group())
        if food in _FOODS or not food.isascii():
            claims.add(Claim(food, bool(_DENIED.search(plain[: match.start()]))))
    return frozenset(claims)


def find_talk(text: str) -> frozenset[Claim]:
    """Return what a text says of the shop, which talk without facts knows nothing of."""
    plain = normalise(text)
    return frozenset(c for kind, rule in _TALK.items() for c in _matches(kind, rule, plain))


def opens_with_answer(text: str) -> bool:
    """Say whether a text opens with a yes or a no."""
    return _TERMS["affirms"].search(normalise(text)) is not None


def _matches(kind: str, rule: re.Pattern[str], plain: str) -> set[Claim]:
    return {
        Claim(kind, bool(_DENIED.search(plain[: match.start()]))) for match in rule.finditer(plain)
    }


def _blank(match: re.Match[str]) -> str:
    return "\0" * len(match.group())
