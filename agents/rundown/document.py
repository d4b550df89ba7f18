"""`Rundown`: the running order of a live room."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from agents.clause import Language
from agents.errors import AgentValueError

Kind = Literal["opening", "product", "offer", "questions", "closing"]
KINDS: tuple[Kind, ...] = ("opening", "product", "offer", "questions", "closing")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a script.

    Attributes:
        wordings: ways to say it, one at least. Marks in a wording ask for a gesture or an
            emotion where they stand, as in texts of `vivant say`: "[point_product]", "[happy:0.6]".
        fixed: said in the same words whenever it comes, even within the hour.
    """

    wordings: tuple[str, ...]
    fixed: bool = False


@dataclass(frozen=True, slots=True)
class Item:
    """One item of a rundown.

    Attributes:
        id: unique in the rundown; as a product's.
        kind: what it is there for.
        script: what is said, in order; empty where the brief says it.
        brief: what the item is to bring across, worded anew each time from the product's facts.
        product: the id of the product shown meanwhile; needed for "product" and "offer".
        action: the gesture the item begins with; empty for none.
        duration: seconds it is to last, 5 to 3600; None lasts as long as its script. What is left
            when the script has been said is for questions, and for more about the product.
        hook: shown on the lower third meanwhile; empty for the product's name and price.
    """

    id: str
    kind: Kind
    script: tuple[Sentence, ...] = ()
    brief: str = ""
    product: str | None = None
    action: str = ""
    duration: float | None = None
    hook: str = ""


@dataclass(frozen=True, slots=True)
class Rundown:
    """The running order of a room.

    Attributes:
        id: as a product's.
        title: what the merchant calls it.
        language: what is spoken, when nobody asks in another one.
        items: in order; at least one.
        loops: whether the first item follows the last.
    """

    id: str
    title: str
    language: Language
    items: tuple[Item, ...]
    loops: bool = True

    def __iter__(self) -> Iterator[Item]:
        return iter(self.items)

    def item(self, item_id: str) -> Item:
        """Return an item.

        Raises:
            AgentValueError: there is none of that id.
        """
        for item in self.items:
            if item.id == item_id:
                return item
        known = ", ".join(item.id for item in self.items)
        raise AgentValueError(f"no item {item_id[:60]!r} in the rundown; known are {known}")
