"""`Receipt`: what became of an event that was brought to a room."""

from dataclasses import dataclass
from typing import Literal

# Kept and looked at; kept before under the same id; not kept.
Taken = Literal["taken", "known", "refused"]


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of one `ViewerEvent`. What is taken or known is on disk.

    Attributes:
        id: of the event.
        status: see `Taken`.
        message: why it was refused; empty otherwise.
    """

    id: str
    status: Taken = "taken"
    message: str = ""
