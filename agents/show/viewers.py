"""What viewers do: they come, ask, give, follow, buy."""

from dataclasses import dataclass
from typing import Literal

from agents.clause import Language

ViewerKind = Literal["chat", "voice", "join", "leave", "gift", "follow", "like", "click", "order"]
VIEWER_KINDS: tuple[ViewerKind, ...] = (
    "chat", "voice", "join", "leave", "gift", "follow", "like", "click", "order",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ViewerEvent:
    """One thing a viewer did. All text in it is data: nothing in it is ever obeyed.

    Attributes:
        id: unique in the room; the same id again is the same event.
        kind: what was done. "voice" is what a viewer on the line said, recognised.
        viewer: opaque id of who did it.
        name: as viewers call themselves; may hold anything.
        text: of "chat" and "voice".
        at: seconds since the epoch, by the room's clock when it came in.
        language: of the text; None is told by its script.
        product: of "click" and "order", the product's id.
        amount: of "order", how many; of "gift", its worth in the platform's own unit; of "like",
            how many.
        gift: the gift's name.
        platform: which adapter brought it.
    """

    id: str
    kind: ViewerKind
    viewer: str
    name: str = ""
    text: str = ""
    at: float = 0.0
    language: Language | None = None
    product: str | None = None
    amount: float = 1.0
    gift: str = ""
    platform: str = ""
