"""The table of operations: everything the server answers over HTTP, chapter by chapter."""

from typing import Final

from web.openapi import (
    access,
    broadcast,
    egress,
    merchandise,
    people,
    rooms,
    status,
    studio,
    talking,
)
from web.openapi.operation import Operation

TAGS: Final = (
    *talking.TAGS,
    *access.TAGS,
    *broadcast.TAGS,
    *egress.TAGS,
    *rooms.TAGS,
    *merchandise.TAGS,
    *studio.TAGS,
    *people.TAGS,
    *status.TAGS,
)
OPERATIONS: Final[tuple[Operation, ...]] = (
    *talking.OPERATIONS,
    *access.OPERATIONS,
    *broadcast.OPERATIONS,
    *egress.OPERATIONS,
    *rooms.OPERATIONS,
    *merchandise.OPERATIONS,
    *studio.OPERATIONS,
    *people.OPERATIONS,
    *status.OPERATIONS,
)
