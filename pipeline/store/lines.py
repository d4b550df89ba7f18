"""Lines that were spoken: `LineView`s."""

from typing import Final

from pipeline.store.tables import Journal

LINES: Final = Journal("lines")
