"""What the operations brain decided, why, and what came of it: `DecisionView`s."""

from typing import Final

from pipeline.store.tables import Journal

DECISIONS: Final = Journal("decisions")
