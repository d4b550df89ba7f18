"""What operations brains have learnt, as JSON documents by name."""

from typing import Final

from pipeline.store.documents import Documents

POLICIES: Final = Documents("policies")
