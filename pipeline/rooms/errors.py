"""Why something of a live room is not found, kept or done."""

from pipeline.errors import VivantError


class RecordNotFoundError(VivantError, LookupError):
    """There is no room, shop, product, rundown, document, event... of that id.

    Attributes:
        kind: what was looked for, such as "room".
    """

    def __init__(self, kind: str, record_id: str) -> None:
        super().__init__(f"there is no {kind} {record_id[:60]!r}")
        self.kind = kind


class RecordTakenError(VivantError):
    """There is a record of that id already."""

    def __init__(self, kind: str, record_id: str) -> None:
        super().__init__(f"there is a {kind} {record_id[:60]!r}; accepted: another id")
        self.kind = kind


class RecordInUseError(VivantError):
    """A record cannot go or change while something needs it; the message names what."""


class CommandRefusedError(VivantError):
    """A room cannot do that as it stands now; the message says why, and what it can do."""
