"""The guard: nothing is said that states an amount or a claim the facts do not hold."""

import re
from collections.abc import Sequence
from functools import lru_cache

from agents.amounts import Amount, Mention, Scanner, held_amounts, normalise
from agents.amounts_en import scan_english, scan_telephone
from agents.amounts_zh import scan_chinese
from agents.catalogue import Aspect, Catalogue, Condition, Fact
from agents.claims import Claim, find_claims
from agents.clause import LANGUAGES
from agents.errors import AgentValueError


class Guard:
    """Checks sentences against facts.

    Args:
        facts: what may be said; none means that no amount and no claim may.
    """

    def __init__(self, facts: Sequence[Fact]) -> None:
        texts = [text for fact in facts for text in _texts(fact)]
        self._held = held_amounts(m for text in texts for m in find_amounts(text))
        self._claims = frozenset(claim for text in texts for claim in find_claims(text))
        self._conditions = [condition for fact in facts for condition in fact.claims]
        self._labels = [_Labels(fact) for fact in facts if fact.aspects]

    def problems(self, sentence: str) -> list[str]:
        """Return what a sentence states that the facts do not hold; nothing when it may be said."""
        mentions = find_amounts(sentence)
        found = [m.text for m in mentions if not m.is_held_by(self._held)]
        claims = find_claims(sentence)
        found.extend(_shown(claim) for claim in claims if claim not in self._claims)
        found.extend(
            f"{c.claim} without its condition"
            for c in self._conditions
            if Claim(c.claim) in claims and not _fulfilled(c, sentence)
        )
        for labels in self._labels:
            found.extend(labels.mistaken(sentence))
        return found


def is_sensitive(text: str) -> bool:
    """Say whether a text states any amount or claim at all."""
    return bool(find_amounts(text) or find_claims(text))


@lru_cache(maxsize=1024)
def find_amounts(text: str) -> tuple[Mention, ...]:
    """Return every amount a text states, in English, Chinese or figures."""
    scanner = Scanner(normalise(text))
    scan_telephone(scanner)
    scan_chinese(scanner)
    scan_english(scanner)
    return tuple(scanner.mentions)


def check_catalogue(catalogue: Catalogue) -> None:
    """Make sure that a catalogue knowingly makes each of its claims.

    Raises:
        AgentValueError: a fact makes a claim it does not list, or lists one it does not make.
    """
    for fact in catalogue:
        made = {c.kind for text in _texts(fact) for c in find_claims(text) if not c.denied}
        listed = {condition.claim for condition in fact.claims}
        if made != listed:
            raise AgentValueError(
                f"catalogue fact {fact.id!r}: claims lists {sorted(listed)}, but its texts claim "
                f"{sorted(made)}; both must agree"
            )
        for condition in fact.claims:
            for text in _texts(fact):
                if Claim(condition.claim) in find_claims(text) and not _said_so(condition, text):
                    raise AgentValueError(
                        f"catalogue fact {fact.id!r}: {text!r} claims {condition.claim} without "
                        "the words its needs ask for"
                    )


class _Labels:
    """The amounts that belong to one side of a fact and not to another: 12 to the medium size."""

    def __init__(self, fact: Fact) -> None:
        # Only sides that are named by a word of their own texts can be told apart.
        self._sides = [(name, _held(a)) for a in fact.aspects if (name := _name(a))]
        self._owned = frozenset().union(*(held for _, held in self._sides))

    def mistaken(self, sentence: str) -> list[str]:
        """Return the amounts of a sentence that stand by the name of another side."""
        plain = normalise(sentence)
        found: list[str] = []
        for part in re.split(r"[,;，；。、]|\band\b", plain):
            named = [held for name, held in self._sides if name.search(part)]
            if len(named) == 1:
                found.extend(
                    one.text
                    for one in find_amounts(part)
                    if one.is_held_by(self._owned) and not one.is_held_by(named[0])
                )
        return found


def _name(aspect: Aspect) -> re.Pattern[str] | None:
    """Return a pattern for the anchor words of an aspect, the words that name it."""
    words = [re.escape(word.lower()) for word in aspect.anchors.values()]
    return re.compile("|".join(words)) if words else None


def _held(aspect: Aspect) -> frozenset[Amount]:
    texts = [text for language in LANGUAGES for text in aspect.texts[language]]
    return held_amounts(m for text in texts for m in find_amounts(text))


def _texts(fact: Fact) -> list[str]:
    return [text for language in LANGUAGES for text in fact.sentences(language)]


def _fulfilled(condition: Condition, sentence: str) -> bool:
    """Say whether the words a claim needs stand in a sentence, in one language or the other."""
    if not condition.needs:
        return True
    plain = sentence.lower()
    return any(
        all(any(word in plain for word in group) for group in condition.needs[language])
        for language in LANGUAGES
    )


def _said_so(condition: Condition, text: str) -> bool:
    sentences = re.split(r"(?<=[.!?。！？])\s*(?=\D)", text)
    return all(
        _fulfilled(condition, sentence)
        for sentence in sentences
        if Claim(condition.claim) in find_claims(sentence)
    )


def _shown(claim: Claim) -> str:
    return f"not {claim.kind}" if claim.denied else claim.kind
