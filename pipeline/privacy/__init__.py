"""What is kept of people: nothing, unless the configuration switches it on.

`transcripts` stores what was said and heard, `recordings` notes who is in a recording, `scribe`
follows a session, `holdings` exports and deletes all there is of a person, `keeper` runs it beside
the sessions.
"""

from pipeline.privacy.holdings import Deleted, Holdings, open_holdings
from pipeline.privacy.keeper import Keeper, open_keeper
from pipeline.privacy.person import check_person
from pipeline.privacy.scribe import Scribe
from pipeline.privacy.transcripts import Line, TranscriptStore

__all__ = [
    "Deleted",
    "Holdings",
    "Keeper",
    "Line",
    "Scribe",
    "TranscriptStore",
    "check_person",
    "open_holdings",
    "open_keeper",
]
