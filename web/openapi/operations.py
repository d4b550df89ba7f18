"""The table of operations: everything the server answers over HTTP, chapter by chapter."""

from typing import Final

from web.openapi import access, broadcast, egress, people, status, talking
from web.openapi.operation import Operation

TAGS: Final = (
    *talking.TAGS,
    *access.TAGS,
    *broadcast.TAGS,
    *egress.TAGS,
    *people.TAGS,
    *status.TAGS,
)
OPERATIONS: Final[tuple[Operation, ...]] = (
    *talking.OPERATIONS,
    *access.OPERATIONS,
    *broadcast.OPERATIONS,
    *egress.OPERATIONS,
    *people.OPERATIONS,
    *status.OPERATIONS,
)
