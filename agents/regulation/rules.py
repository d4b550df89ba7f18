"""The rules of advertising, kept as data with the law each rests on."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from agents.clause import LANGUAGES, Language
from agents.regulation.folding import Folded, readings

OWN = "own"
_BLANK = "\0"


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule.

    Attributes:
        id: "superlative", "health"...; "own" is the merchant's own list.
        source: the law and article, or the guidance, that it rests on.
        message: what is wrong, per language.
        pattern: what it forbids, in either language.
        allowed: where the same words are no claim; None for nowhere.
        instead: per pattern of what was found, what may be said in its place.
    """

    id: str
    source: str
    message: Mapping[Language, str]
    pattern: re.Pattern[str]
    allowed: re.Pattern[str] | None = None
    instead: tuple[tuple[re.Pattern[str], str], ...] = ()

    def find(self, text: str) -> Iterator["Breach"]:
        """Yield where a text breaks the rule, evasions included."""
        for folded in readings(text):
            yield from self._within(folded)

    def _within(self, folded: Folded) -> Iterator["Breach"]:
        plain = folded.text
        if self.allowed is not None:
            plain = self.allowed.sub(lambda m: _BLANK * len(m.group()), plain)
        for match in self.pattern.finditer(plain):
            if match.end() > match.start():
                yield Breach(self, *folded.span(*match.span()), match.group())


@dataclass(frozen=True, slots=True)
class Breach:
    """A place of a text that breaks a rule. `word`: as it was read."""

    rule: Rule
    start: int
    end: int
    word: str

    @property
    def instead(self) -> str | None:
        """What may be said in its place; None where nothing may."""
        for pattern, replacement in self.rule.instead:
            if pattern.search(self.word):
                return pattern.sub(replacement, self.word)
        return None


@cache
def rules() -> tuple[Rule, ...]:
    """Return the rules that hold in every shop."""
    return tuple(_rule(entry) for entry in _data()["rules"])


def own_rule(words: tuple[str, ...]) -> Rule | None:
    """Return a merchant's own list as a rule; None where it is empty.

    English words are found whole, Chinese ones anywhere.
    """
    patterns = []
    for word in words:
        for folded in readings(word)[:1]:
            text = re.escape(folded.text.strip())
            bounded = re.sub(r"^(?=\w)", r"(?<![a-z0-9])", text) + r"(?![a-z0-9])"
            if text:
                patterns.append(bounded if folded.text.isascii() else text)
    if not patterns:
        return None
    entry = _data()[OWN]
    return Rule(OWN, entry["source"], entry["message"], re.compile("|".join(patterns)))


def _rule(entry: dict[str, Any]) -> Rule:
    patterns = [p for lang in LANGUAGES for p in entry["patterns"].get(lang, ())]
    allowed = [p for lang in LANGUAGES for p in entry["allowed"].get(lang, ())]
    instead = tuple(
        (re.compile(pattern), text)
        for lang in LANGUAGES
        for pattern, text in entry["instead"].get(lang, {}).items()
    )
    return Rule(
        entry["id"],
        entry["source"],
        entry["message"],
        re.compile("|".join(patterns)),
        re.compile("|".join(allowed)) if allowed else None,
        instead,
    )


@cache
def _data() -> dict[str, Any]:
    text = (resources.files("agents") / "data" / "regulation.json").read_text("utf-8")
    data: dict[str, Any] = json.loads(text)
    return data
