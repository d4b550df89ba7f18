"""Answers that a room gives in writing, for the platforms that carry them to their viewers."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from typing import Any, Final

from pipeline.errors import VivantError
from pipeline.rooms.service import Rooms
from pipeline.rooms.state import RoomState

EVENT: Final = "room.answer_written"
Post = Callable[[str, Mapping[str, object]], None]

logger = logging.getLogger(__name__)


async def written_answers(rooms: Rooms, room: str) -> AsyncGenerator[dict[str, Any]]:
    """Yield each answer given in writing from now on, once: {"event", "name", "platform",
    "question", "text"}. Ends with the room.

    Raises:
        RecordNotFoundError: there is no such room.
    """
    known: dict[str, None] | None = None
    async with aclosing(rooms.watch(room)) as changes:
        async for change in changes:
            if isinstance(change, RoomState):
                told = [view.model_dump(mode="json") for view in change.chat]
            elif change.field == "chat" and isinstance(change.value, Mapping):
                told = [dict(change.value)]
            else:
                continue
            written = [each for each in told if each["status"] == "written" and each["answer"]]
            if known is None:  # what was written before is nobody's to send now
                known = {str(each["id"]): None for each in written}
                continue
            for each in written:
                if each["id"] not in known:
                    known[str(each["id"])] = None
                    yield _answer(each)
            while len(known) > 1000:  # a room's state holds 200
                del known[next(iter(known))]


class Letters:
    """Posts written answers of all rooms as webhooks.

    Args:
        rooms: the rooms.
        post: sends an event soon; must not block.
    """

    def __init__(self, rooms: Rooms, post: Post) -> None:
        self._rooms = rooms
        self._post = post
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def follow(self, room: str) -> None:
        """Post what a room writes from now on, until it is no more."""
        if room not in self._tasks or self._tasks[room].done():
            task = asyncio.create_task(self._follow(room), name=f"letters-{room}")
            self._tasks[room] = task
            task.add_done_callback(lambda done: self._ended(room, done))

    async def close(self) -> None:
        """Post nothing more."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    async def _follow(self, room: str) -> None:
        try:
            async with aclosing(written_answers(self._rooms, room)) as answers:
                async for answer in answers:
                    self._post(EVENT, {"room": room, **answer})
        except VivantError as error:
            logger.warning("written answers of room %s are not posted: %s", room, error)

    def _ended(self, room: str, task: "asyncio.Task[None]") -> None:
        if self._tasks.get(room) is task:
            del self._tasks[room]


def _answer(view: Mapping[str, Any]) -> dict[str, Any]:
    told = {name: view.get(name, "") for name in ("name", "platform")}
    return {"event": view["id"], **told, "question": view["text"], "text": view["answer"]}
