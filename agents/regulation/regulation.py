"""`Regulation`: says which words may not be spoken, and how a text is said without them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from agents.clause import Language
from agents.regulation.rules import Breach, own_rule, rules
from agents.shop.product import Shop

_SENTENCE = re.compile(r".+?(?:[.!?]+[\"'”’)]*(?=\s|$)|[。！？\n]+[”’」]*|$)\s*", re.DOTALL)
_MOST_ROUNDS = 4


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that may not be said.

    Attributes:
        word: as it stands in the text.
        rule: which rule it breaks, and the law that one rests on.
        message: what is wrong, in the language asked for.
    """

    word: str
    rule: str
    message: str
    source: str = ""

    def __str__(self) -> str:
        return f"{self.word!r}: {self.message}"


class Regulation:
    """Advertising law for one shop, and the shop's own words.

    Args:
        banned: words the merchant does not want said, beside what the law forbids.
    """

    def __init__(self, banned: tuple[str, ...] = ()) -> None:
        own = own_rule(tuple(banned))
        self._rules = (*rules(), own) if own else rules()

    @classmethod
    def of(cls, shop: Shop | None) -> "Regulation":
        """Return what holds in a shop."""
        return cls(shop.banned if shop else ())

    def check(self, text: str, language: Language) -> list[Problem]:
        """Return what of a text may not be said, in order; nothing where it may be.

        Both languages are looked for, whichever the text is in.
        """
        return [
            Problem(text[b.start : b.end], b.rule.id, b.rule.message[language], b.rule.source)
            for b in self._breaches(text)
        ]

    def problems(self, text: str, language: Language) -> list[str]:
        """Return what `check` does, in words."""
        return [str(problem) for problem in self.check(text, language)]

    def mend(self, text: str, language: Language) -> str | None:  # noqa: ARG002
        """Return a text of a language as it may be said; None where nothing of it is left.

        A word with a lawful counterpart gives way to it; otherwise the part of the sentence that
        holds it is left out, or all of the sentence.
        """
        mended = text
        for _ in range(_MOST_ROUNDS):
            breaches = self._breaches(mended)
            if not breaches:
                return mended if re.search(r"\w", mended) else None
            mended = self._replaced(mended, breaches)
        return self._cut(mended)

    def _breaches(self, text: str) -> list[Breach]:
        found: list[Breach] = []
        every = (breach for rule in self._rules for breach in rule.find(text))
        for breach in sorted(every, key=lambda b: (b.start, -b.end)):
            if not found or breach.start >= found[-1].end:
                found.append(breach)
        return found

    def _replaced(self, text: str, breaches: list[Breach]) -> str:
        """Put the lawful words in; leave out what has none."""
        for breach in reversed(breaches):
            instead = breach.instead
            if instead is None:
                return self._cut_at(text, breach)
            if text[breach.start].isupper():
                instead = instead[:1].upper() + instead[1:]
            text = text[: breach.start] + instead + text[breach.end :]
        return text

    def _cut_at(self, text: str, breach: Breach) -> str:
        start, end = _sentence_around(text, breach.start)
        return text[:start] + text[end:]

    def _cut(self, text: str) -> str | None:
        kept = [s for s in _sentences(text) if not self._breaches(s)]
        rest = "".join(kept)
        return rest if re.search(r"\w", rest) and not self._breaches(rest) else None


def _sentence_around(text: str, place: int) -> tuple[int, int]:
    at = 0
    for sentence in _sentences(text):
        if at <= place < at + len(sentence):
            return at, at + len(sentence)
        at += len(sentence)
    return 0, len(text)


def _sentences(text: str) -> Iterator[str]:
    return (match.group() for match in _SENTENCE.finditer(text) if match.group())
