"""see: what the person's camera or screen shows. Nothing looks yet; the place is kept."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sight:
    """A note of what is seen, at second `at` of the session's input."""

    at: float
    note: str


class SeeStage:
    """Sees nothing."""

    @property
    def notes(self) -> tuple[Sight, ...] | None:
        """What was seen, oldest first; None where nothing looks."""
        return None
