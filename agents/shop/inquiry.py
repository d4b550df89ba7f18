"""`Inquiry`: a question about goods with what it may refer to; `Answer`: what is said to it."""

import math
from dataclasses import dataclass

from agents.clause import Language
from agents.shop.asked import Asked
from agents.shop.naming import Named


@dataclass(frozen=True, slots=True)
class Context:
    """What a question may refer to.

    Attributes:
        focus: id of the product on air; None for none.
        told: ids of products told of lately, the newest first.
    """

    focus: str | None = None
    told: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Inquiry:
    """A question as a shop takes it.

    Attributes:
        query: what is asked beside the names in it.
        language: of the question, and of the answer where the merchant wrote in it.
        named: which products are named.
    """

    query: Asked
    language: Language
    context: Context
    named: Named

    @property
    def focus(self) -> str | None:
        """Id of the product on air."""
        return self.context.focus


@dataclass(frozen=True, slots=True)
class Answer:
    """Something to say in answer.

    Attributes:
        texts: ways to say it, one at least.
        language: of the texts; not the one asked in where the merchant wrote in the other alone.
        citations: ids of what it rests on, "p1.price"; empty where it asks back or does not know.
        gesture, anchor: a semantic action and the word it lands on; empty for none.
        knows: whether the question is answered, rather than met with another.
        evidence: how much the words of the question say for it, see `agents.shop.ranking`; infinite
            where it is not a matter of degree.
    """

    texts: tuple[str, ...]
    language: Language
    citations: tuple[str, ...] = ()
    gesture: str = ""
    anchor: str = ""
    knows: bool = True
    evidence: float = math.inf
