"""Rundowns, as JSON documents."""

from typing import Final

from pipeline.store.documents import Documents

RUNDOWNS: Final = Documents("rundowns")
