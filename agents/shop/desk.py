"""`ShopDesk`: what a host asks of a shop, which changes while it is asked."""

from collections.abc import Callable, Iterable, Sequence

from agents.catalogue import Fact
from agents.clause import Language
from agents.history import History
from agents.meaning import Embedder
from agents.shop.answering import Clerk
from agents.shop.asked import asked
from agents.shop.assortment import Assortment
from agents.shop.inquiry import Answer, Context
from agents.shop.likeness import Likeness
from agents.shop.product import Shop

# Products that a conversation is remembered to have been about.
_REMEMBERED = 6
# Evidence of words beside which meanings are not compared.
_SURE = 2.7


def is_sure(answers: Iterable[Answer]) -> bool:
    """Say whether words alone show that these answers are meant: no meanings need be compared."""
    return all(answer.evidence >= _SURE for answer in answers)


def is_remedy(question: str, answers: Iterable[Answer]) -> bool:
    """Say whether it is told what is done about what arrives broken, which is then no mere grief.

    Where the shop says nothing of it, whoever complains is to be met with more than goods.
    """
    if not asked(question).matches("broken"):
        return False
    return any(
        citation.startswith("policy:") and asked(answer.texts[0]).matches("damage")
        for answer in answers
        for citation in answer.citations
    )


class ShopDesk:
    """Answers from a shop as it is at the moment of the question.

    Args:
        now: seconds since the epoch; by it offers begin to hold and end.
        embedder: see `agents.shop.likeness.Likeness`; None compares no meanings.
    """

    def __init__(
        self, shop: Shop, now: Callable[[], float], embedder: Embedder | None = None
    ) -> None:
        self._now = now
        self._likeness = Likeness(embedder) if embedder else None
        self._assortment = Assortment(shop, now())
        self._clerk = Clerk(self._assortment)

    @property
    def shop(self) -> Shop:
        """The shop answered from."""
        return self._assortment.shop

    def restock(self, shop: Shop) -> None:
        """Answer from a changed shop from now on. What has not changed is not read again."""
        self._assortment = Assortment(shop, self._now(), self._assortment)
        self._clerk = Clerk(self._assortment)

    def prepare(self) -> None:
        """Read every product, which otherwise the first question that needs it waits for.

        Blocks; longest for an embedder, a second or two.
        """
        self._assortment.prepare()
        if self._likeness is not None:
            self._likeness.prepare()

    def read_ahead(self, product_id: str) -> None:
        """Embed what is told of a product, which otherwise the first question about it waits for.

        Blocks for a second or two where it has not been read.

        Raises:
            AgentValueError: there is no product of that id.
        """
        if self._likeness is not None:
            self._clerk.read_ahead(product_id, self._likeness)

    @property
    def compares_meanings(self) -> bool:
        """Whether `resembling` may find anything."""
        return self._likeness is not None

    def resembling(
        self, question: str, language: Language, history: History, focus: str | None
    ) -> list[Answer]:
        """Return what is nearest in meaning to a question; nothing where nothing is near enough.

        Blocks for some tenths of a second. Arguments as those of `answers`.
        """
        if self._likeness is None:
            return []
        context = Context(focus, self._told(history))
        return self._clerk.resembling(question, language, context, self._likeness)

    def answers(
        self, question: str, language: Language, history: History, focus: str | None
    ) -> list[Answer]:
        """Return what answers a question, in order; nothing where the shop says nothing of it.

        Args:
            focus: id of the product on air, which "it" means; None for none.
        """
        self._renew()
        return self._clerk.answer(question, language, Context(focus, self._told(history)))

    def facts(self, citations: Iterable[str]) -> list[Fact]:
        """Return the facts that citations such as "p1.price" are of, each once."""
        ids = dict.fromkeys(citation.partition(".")[0] for citation in citations)
        return [self._assortment.fact(one) for one in ids if self._assortment.holds(one)]

    def names(self, language: Language) -> Sequence[str]:
        """Return what the products are called."""
        return [product.named(language) for product in self.shop]

    def _renew(self) -> None:
        """Let go of an offer that has ended."""
        ends = self._assortment.changes_at
        if ends is not None and self._now() > ends:
            self.restock(self.shop)

    def _told(self, history: History) -> tuple[str, ...]:
        """Return the products told of last, the newest first."""
        found: dict[str, None] = {}
        for item in reversed(list(history)):
            if item.role == "assistant":
                found.update(dict.fromkeys(c.partition(".")[0] for c in item.citations))
        return tuple(one for one in found if one in self._assortment)[:_REMEMBERED]
