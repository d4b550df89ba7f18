"""The guard: nothing is said that states an amount or a claim the facts do not hold."""

import re
from collections.abc import Sequence

from agents.amounts import held_amounts
from agents.catalogue import Catalogue, Condition, Fact
from agents.claims import Claim, find_claims, find_talk, find_terms, opens_with_answer
from agents.clause import LANGUAGES
from agents.errors import AgentValueError
from agents.figures import Figures, find_amounts
from agents.outcome import readable
from agents.output_figures import dated, is_among, numbers_in


class Guard:
    """Checks sentences against facts.

    Args:
        facts: what may be said; none means that no amount and no claim may, and nothing about
            what the shop has, uses or does.
        outputs: what tools answered, which may be said too. A number there may be said with any
            unit, for outputs seldom name theirs.
        done: whether tools have just done what was asked, which may then be said: "it's booked".
    """

    def __init__(
        self, facts: Sequence[Fact], outputs: Sequence[str] = (), *, done: bool = False
    ) -> None:
        told = [readable(output) for output in outputs]
        texts = [*(text for fact in facts for text in _texts(fact)), *told]
        self._held = held_amounts(m for text in texts for m in find_amounts(text))
        self._held |= frozenset(amount for text in told for amount in dated(text))
        self._numbers = numbers_in(told)
        self._claims = frozenset(claim for text in texts for claim in _stated(text))
        self._claims |= frozenset({Claim("deed")} if done else ())
        self._talks = not facts and not outputs
        self._conditions = [condition for fact in facts for condition in fact.claims]
        self._figures = [Figures(fact) for fact in facts]

    def problems(self, sentence: str, said: str = "") -> list[str]:
        """Return what a sentence states that the facts do not hold; nothing when it may be said.

        `said`: what was said before it in the same reply.
        """
        mentions = find_amounts(sentence)
        unheld = [m for m in mentions if not m.is_held_by(self._held)]
        found = [m.text for m in unheld if not is_among(m, self._numbers)]
        claims = find_claims(sentence) | find_talk(sentence) if self._talks else _stated(sentence)
        found.extend(_shown(claim) for claim in claims if claim not in self._claims)
        found.extend(
            f"{c.claim} without its condition"
            for c in self._conditions
            if Claim(c.claim) in claims and not _fulfilled(c, sentence)
        )
        for figures in self._figures:
            found.extend(figures.mistaken(sentence, said))
        return found


def is_sensitive(text: str) -> bool:
    """Say whether a text states any amount or claim at all."""
    return bool(find_amounts(text) or _stated(text) or find_talk(text))


def check_catalogue(catalogue: Catalogue) -> None:
    """Make sure that a catalogue knowingly makes each of its claims.

    Raises:
        AgentValueError: a fact makes a claim it does not list, or lists one it does not make; or
            a text opens with a yes or a no, which answers some question wrongly.
    """
    for fact in catalogue:
        for text in _texts(fact):
            if not fact.own and opens_with_answer(text):
                raise AgentValueError(
                    f"catalogue fact {fact.id!r}: {text!r} opens with a yes or a no, and nobody "
                    "knows the question it will answer; state the fact alone"
                )
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


def _texts(fact: Fact) -> list[str]:
    return [text for language in LANGUAGES for text in fact.sentences(language)]


def _stated(text: str) -> frozenset[Claim]:
    return find_claims(text) | find_terms(text)


def _fulfilled(condition: Condition, sentence: str) -> bool:
    """Say whether the words a claim needs stand in a sentence, and none of those that bar it."""
    plain = sentence.lower()
    if any(word in plain for language in condition.bars for word in condition.bars[language]):
        return False
    if not condition.needs:
        return True
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
