"""Recordings over HTTP: a list, and films that a player may fetch piece by piece."""

import asyncio
import hmac
import secrets
import time
from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from pipeline.rooms.errors import RecordNotFoundError
from transport.access.errors import MISSING, CredentialError
from transport.recordings import Recording, Recordings
from web.access import TICKET, grant_of, prefix_of
from web.rooms.reading import UNKEPT, answer_deleted, answer_list

RECORDINGS: Final = "/v1/recordings"
RECORDING: Final = RECORDINGS + "/{name}"
# A film is watched, with pauses; the address is good for one film alone.
TICKET_S: Final = 6 * 3600


class Tickets:
    """Signs addresses of films, since the players of browsers show no key.

    Args:
        wall: seconds since 1970 UTC.
    """

    def __init__(self, wall: Callable[[], float] = time.time) -> None:
        self._wall = wall
        self._secret = secrets.token_bytes(32)

    def make(self, name: str) -> tuple[str, int]:
        """Return a ticket for a film, and until when it holds."""
        until = int(self._wall()) + TICKET_S
        return f"{until}.{self._sign(name, until)}", until

    def admit(self, name: str, ticket: str) -> bool:
        """Whether a ticket is good for a film now."""
        until, _, signature = ticket.partition(".")
        if not (until.isascii() and until.isdigit() and len(until) <= 12):
            return False
        good = hmac.compare_digest(self._sign(name, int(until)).encode(), signature.encode())
        return good and self._wall() < int(until)

    def _sign(self, name: str, until: int) -> str:
        return hmac.new(self._secret, f"{until}.{name}".encode(), "sha256").hexdigest()


def recording_routes(recordings: Recordings, tickets: Tickets) -> list[Route]:
    """Return the routes of recordings."""

    async def list_recordings(request: Request) -> JSONResponse:
        found = await asyncio.to_thread(recordings.all)
        root = prefix_of(request)
        return answer_list([_told(recording, root) for recording in found])

    async def show(request: Request) -> Response:
        name = request.path_params["name"]
        allowed = grant_of(request).allows("operate")
        if not allowed and not tickets.admit(name, request.query_params.get(TICKET, "")):
            raise CredentialError(MISSING, "the ticket is not, or no longer, good for this film")
        path = await _path(name)
        return FileResponse(
            path, headers={"Cache-Control": "private, no-cache"}, media_type="video/mp4"
        )

    async def link(request: Request) -> JSONResponse:
        name = request.path_params["name"]
        await _path(name)
        ticket, until = tickets.make(name)
        url = f"{prefix_of(request)}{RECORDINGS}/{name}?{TICKET}={ticket}"
        return JSONResponse({"object": "link", "url": url, "expires_at": until}, headers=UNKEPT)

    async def delete(request: Request) -> JSONResponse:
        name = request.path_params["name"]
        if not await asyncio.to_thread(recordings.delete, name):
            raise RecordNotFoundError("recording", name)
        return answer_deleted("recording", name)

    async def _path(name: str) -> Path:
        path = await asyncio.to_thread(recordings.path, name)
        if path is None:
            raise RecordNotFoundError("recording", name)
        return path

    return [
        Route(RECORDINGS, list_recordings, methods=["GET"]),
        Route(RECORDING, show, methods=["GET"]),
        Route(RECORDING, delete, methods=["DELETE"]),
        Route(RECORDING + "/link", link, methods=["POST"]),
    ]


def _told(recording: Recording, root: str) -> dict[str, Any]:
    made = datetime.fromtimestamp(recording.made, UTC).isoformat(timespec="seconds")
    return {**asdict(recording), "made": made, "url": f"{root}{RECORDINGS}/{recording.name}"}
