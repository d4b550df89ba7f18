"""A log of chat played into a room by the server itself, for rehearsals and demonstrations."""

import asyncio
import logging
import secrets
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from pipeline.clock import Clock, SystemClock
from pipeline.errors import VivantError
from pipeline.rooms.errors import CommandRefusedError, RecordNotFoundError
from pipeline.rooms.service import Rooms
from transport.chat.log import read_log
from transport.chat.player import Player
from transport.strict_json import shown
from web.body import read_object
from web.errors import RequestRefusedError
from web.rooms.reading import UNKEPT
from web.rooms.rooms import ROOM
from web.shipped_logs import LOGS, shipped_log

REPLAY: Final = ROOM + "/replay"
LOG_LIMIT: Final = 4 * 1024 * 1024

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class _Run:
    player: Player
    task: "asyncio.Task[None]"


class Replays:
    """The logs that are being played, one a room at most; what has ended is told until the next."""

    def __init__(self, rooms: Rooms, clock: Clock | None = None) -> None:
        self._rooms = rooms
        self._clock = clock or SystemClock()
        self._runs: dict[str, _Run] = {}

    def start(self, room: str, text: str, speed: float) -> Player:
        """Play a log into a room.

        Raises:
            CommandRefusedError: one is being played there.
            PayloadError: it is no log.
            ConfigurationError: the speed is not accepted.
        """
        if self.running(room):
            raise CommandRefusedError("a log is being played; accepted: DELETE it first")
        player = Player(
            read_log(text),
            partial(self._rooms.hear, room),
            self._clock,
            speed=speed,
            run=f"r{secrets.token_hex(4)}",
        )
        task = asyncio.create_task(self._play(room, player), name=f"replay-{room}")
        self._runs[room] = _Run(player, task)
        return player

    def running(self, room: str) -> bool:
        """Whether a log is being played into a room."""
        return room in self._runs and not self._runs[room].task.done()

    def player(self, room: str) -> Player:
        """Return what plays, or played last, into a room.

        Raises:
            RecordNotFoundError: nothing does.
        """
        if room not in self._runs:
            raise RecordNotFoundError("replay", room)
        return self._runs[room].player

    async def stop(self, room: str) -> None:
        """Stop what is played into a room, and forget it."""
        run = self._runs.pop(room, None)
        if run is not None:
            run.task.cancel()
            await asyncio.wait({run.task})

    async def close(self) -> None:
        """Stop all."""
        for room in list(self._runs):
            await self.stop(room)

    async def _play(self, room: str, player: Player) -> None:
        try:
            await player.play()
        except VivantError as error:
            logger.warning("the log played into room %s has ended: %s", room, error)


def replay_routes(rooms: Rooms, replays: Replays) -> list[Route]:
    """Return the routes of replays."""

    async def start(request: Request) -> JSONResponse:
        room = request.path_params["room"]
        await rooms.state(room)
        text, speed = _asked(await read_object(request, LOG_LIMIT))
        replays.start(room, text, speed)
        return _told(replays, room, 202)

    async def show(request: Request) -> JSONResponse:
        room = request.path_params["room"]
        await rooms.state(room)
        return _told(replays, room)

    async def stop(request: Request) -> JSONResponse:
        room = request.path_params["room"]
        await rooms.state(room)
        replays.player(room)
        await replays.stop(room)
        return JSONResponse({"id": room, "object": "replay", "status": "deleted"})

    return [
        Route(REPLAY, start, methods=["POST"]),
        Route(REPLAY, show, methods=["GET"]),
        Route(REPLAY, stop, methods=["DELETE"]),
    ]


def _told(replays: Replays, room: str, status: int = 200) -> JSONResponse:
    progress = asdict(replays.player(room).progress)
    running = replays.running(room)
    told = {"object": "replay", "room": room, "running": running, **progress}
    return JSONResponse(told, status, UNKEPT)


def _asked(body: dict[str, Any]) -> tuple[str, float]:
    for key in body:
        if key not in ("log", "speed"):
            message = f"{key[:40]} is not known; accepted: log, speed"
            raise RequestRefusedError(400, message, param=key[:40])
    log, speed = body.get("log", "sample"), body.get("speed", 1.0)
    if not isinstance(log, str) or not log.strip():
        accepted = f"{', '.join(LOGS)}, or lines of JSON"
        raise RequestRefusedError(400, f"log is {shown(log)}; accepted: {accepted}", param="log")
    if isinstance(speed, bool) or not isinstance(speed, int | float):
        raise RequestRefusedError(
            400, f"speed is {shown(speed)}; accepted: 0.1 to 1000", param="speed"
        )
    return (shipped_log(log) if log in LOGS else log), float(speed)
