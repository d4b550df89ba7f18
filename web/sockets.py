"""WebSockets as uvicorn speaks them, bounded for clients that do not read or never finish."""

from typing import Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

# Of one message. They may be empty, and then no limit of size ends them.
MOST_PIECES: Final = 4096
TOO_BIG: Final = 1009
# For what has been said last to be read, by a client that has been let go.
FAREWELL_S: Final = 10.0


class BoundedProtocol(WebSocketsSansIOProtocol):
    """Keeps nothing more for a client that does not read, and cuts it off in the end.

    uvicorn itself answers every ping, read or not, so that pings alone would fill the memory; and
    it closes a connection only when all that was written to it has been read, which may be never.
    """

    def handle_ping(self) -> None:
        """Answer, unless answers are not read: the newest alone needs one (RFC 6455, 5.5.3)."""
        if self.writable.is_set():
            super().handle_ping()
        else:
            self.conn.data_to_send()

    def handle_cont(self, event: Frame) -> None:
        """Take a further piece of a message."""
        if self.close_sent:
            return
        if len(self.frames) < MOST_PIECES:
            super().handle_cont(event)
        else:
            self.conn.fail(TOO_BIG, f"more than {MOST_PIECES} pieces")
            self.handle_parser_exception()

    def keepalive_timeout(self) -> None:
        """Give up a client that gives no sign of life."""
        super().keepalive_timeout()
        self.transport.abort()

    async def run_asgi(self) -> None:
        """Serve the client, and then let the connection go, read or not."""
        await super().run_asgi()
        self.loop.call_later(FAREWELL_S, self.transport.abort)
