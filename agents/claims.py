"""Reads the claims a text makes: free, cheapest, halal, guaranteed, and their kind."""

import json
import re
from dataclasses import dataclass
from importlib import resources

from agents.amounts import normalise
from agents.clause import LANGUAGES

_DATA = json.loads((resources.files("agents") / "data" / "claims.json").read_text("utf-8"))
# Both languages are read in every text: a reply in one may borrow words of the other.
_KINDS = {
    kind: re.compile("|".join(p for language in LANGUAGES for p in patterns[language]))
    for kind, patterns in _DATA["kinds"].items()
}
_EXCEPTIONS = re.compile("|".join(p for lang in LANGUAGES for p in _DATA["exceptions"][lang]))
# "gluten free" is not "free".
_COMPOUNDS = ("gluten_free", "free_from", "guaranteed")
_DENIED = re.compile(
    r"(?:\b(?:not|no|never|without|hardly|cannot|neither|nor)\b|n't\b)(?:\s[\w']+){0,3}\s*$"
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
        for match in _KINDS[kind].finditer(plain):
            claims.add(Claim(kind, bool(_DENIED.search(plain[: match.start()]))))
        if kind in _COMPOUNDS:
            plain = _KINDS[kind].sub(_blank, plain)
    return frozenset(claims)


def _blank(match: re.Match[str]) -> str:
    return "\0" * len(match.group())
