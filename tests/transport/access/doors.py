"""A door whose time the test moves."""

from pathlib import Path

from tests.fakes.clock import VirtualClock
from transport.access.access import Access
from transport.access.audit import Audit
from transport.access.keys import KeyFile, Keys
from transport.access.leases import Observer
from transport.access.secret import Secret

BEGIN = 1_800_000_000.0 - 1_800_000_000 % 86_400  # a midnight UTC


class Door:
    """Keys in a folder, and an `Access` over them; `wall` follows the virtual clock."""

    def __init__(self, folder: Path, *, single: str = "", observer: Observer | None = None) -> None:
        self.clock = VirtualClock()
        self.file = KeyFile(folder / "keys.json", self.wall)
        self.audit = Audit(folder / "audit.jsonl", self.wall)
        self._single = single
        self._observer = observer
        self.access = self.reopened()

    def wall(self) -> float:
        return BEGIN + self.clock.now() - 1000.0

    def reopened(self) -> Access:
        """Return the door of a server that starts now."""
        return Access(
            Keys(self.file, self._single, self.clock, self.wall),
            Secret(bytes(range(32))),
            clock=self.clock,
            wall=self.wall,
            audit=self.audit,
            observer=self._observer,
        )
