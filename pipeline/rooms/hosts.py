"""`RoomHosts`: makes the hosts that answer in rooms."""

from collections.abc import Callable
from functools import partial
from importlib import resources
from pathlib import Path
from typing import Final

from agents.catalogue import load_persona
from agents.clause import Language
from agents.host import Host
from agents.knowledge.store import Knowledge
from agents.shop.passages import Passage
from agents.shop.product import Shop
from pipeline.contract import Engine
from pipeline.rooms.moments import RoomClock
from pipeline.rooms.state import RoomSpec

# Who speaks in rooms where no persona is configured: somebody who sells, and knows no pizza.
ANCHOR: Final = "anchor.json"
_SOUGHT: Final = 12


class RoomHosts:
    """Makes a host for each room, all of them with the engine's models.

    Args:
        persona: a JSON file; None is the one that comes with the package.
        knowledge: what operators put there beside what shops say of their products is quoted where
            a shop has no answer.
    """

    def __init__(
        self,
        engine: Engine,
        persona: Path | None,
        clock: RoomClock,
        knowledge: Knowledge | None = None,
    ) -> None:
        self._engine = engine
        self._knowledge = knowledge
        self._persona = persona
        self._clock = clock

    def make(self, spec: RoomSpec, shop: Shop, trouble: Callable[[str | None], None]) -> Host:
        """Return the host of a room, which answers from its shop. Blocks for a moment.

        Args:
            trouble: told on the event loop when the language model fails, and when no more.
        """
        del spec
        persona = load_persona(self._persona or anchor_file())
        find = None if self._knowledge is None else partial(_passages, self._knowledge)
        return self._engine.new_host(None, persona, shop, trouble, find)


def _passages(knowledge: Knowledge, question: str, language: Language) -> list[Passage]:
    """Return what documents about products may say to a question, in its language first."""
    found = knowledge.search(question, collection="products", limit=_SOUGHT)
    # What stems from shops is answered from the shops, as they stand.
    own = [each for each in found if "shop" not in each.document.metadata]
    own.sort(key=lambda each: each.document.language != language)
    return [Passage(each.passage, str(each.citation)) for each in own]


def anchor_file() -> Path | None:
    """Return the file of who speaks in rooms where no persona is configured."""
    data = resources.files("agents") / "data" / ANCHOR
    path = Path(str(data))
    return path if path.is_file() else None
