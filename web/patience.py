"""How long the server waits for somebody who has connected to say what they want."""

import asyncio
from typing import Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

# A request's first lines are there in one packet or two.
HEAD_S: Final = 10.0


class PatientProtocol(H11Protocol):
    """HTTP as uvicorn speaks it, to clients that say what they want within `HEAD_S`, and who do not
    go on for longer than that once they are answered.

    uvicorn itself waits for ever, so that a few hundred connections that say nothing, or a word
    now and then, would use up the sockets of the server.
    """

    head_s: float = HEAD_S
    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Take what has come; a request that has begun may not take for ever to be said."""
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE and not self._is_answered():
            self._stop_waiting()
        elif self._waiting is None:
            self._wait()

    def on_response_complete(self) -> None:
        """Give a client that has its answer time to end what it was saying."""
        super().on_response_complete()
        if self._is_answered() and self._waiting is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _is_answered(self) -> bool:
        """Whether the client has its answer already, and goes on with its request."""
        return self.conn.our_state is h11.DONE and self.conn.their_state is h11.SEND_BODY

    def _wait(self) -> None:
        self._waiting = self.loop.call_later(self.head_s, self._give_up)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _give_up(self) -> None:
        self._waiting = None
        self.transport.abort()
