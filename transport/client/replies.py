"""Which response answers what: responses of the server become `Reply`s of whoever asked."""

import secrets
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from transport.client.errors import ClientError
from transport.client.media import AudioChunk, TextChunk
from transport.client.question import Watch
from transport.client.reply import Reply

# In a response's metadata: whose answer it is.
MARK: Final = "vivant_ask"


class Replies:
    """Keeps the replies that are open.

    Args:
        cancel: asks the server to stop a response.
    """

    def __init__(self, cancel: Callable[[str], Awaitable[None]]) -> None:
        self.paced = False
        self.watch: Watch | None = None
        self._cancel = cancel
        self._marked: dict[str, Reply] = {}
        self._open: dict[str, Reply] = {}

    def expect(self, reply: Reply | None = None) -> tuple[Reply, str]:
        """Return a reply and the mark that its response will carry."""
        reply = reply or Reply(self._cancel)
        mark = secrets.token_hex(8)
        self._marked[mark] = reply
        return reply, mark

    def forget(self, reply: Reply) -> None:
        """Nobody waits for it any more."""
        self._marked = {mark: each for mark, each in self._marked.items() if each is not reply}

    def of(self, response_id: str) -> Reply | None:
        """Return the reply a response belongs to, if somebody asked for it."""
        return self._open.get(response_id)

    def created(self, response: Mapping[str, Any]) -> None:
        """A response begins."""
        mark = (response.get("metadata") or {}).get(MARK)
        reply = self._marked.pop(mark, None) if mark is not None else self._unmarked()
        if reply is not None:
            response_id = str(response["id"])
            self._open[response_id] = reply
            reply.begin(response_id)

    def add(self, chunk: TextChunk | AudioChunk) -> None:
        """A piece of text or sound has come."""
        reply = self.of(chunk.response_id)
        if reply is not None:
            reply.add(chunk)

    def done(self, response: Mapping[str, Any], *, goes_on: bool) -> None:
        """A response has been made; `goes_on`: its tools are being called."""
        reply = self.of(str(response["id"]))
        if reply is not None:
            reply.made(response, goes_on=goes_on, paced=self.paced)
            self._close_finished()

    def started(self, response_id: str) -> None:
        """The sound of a response begins."""
        reply = self.of(response_id)
        if reply is not None and reply.id == response_id:
            reply.started()

    def silent(self, response_id: str, *, cut: bool) -> None:
        """The sound of a response has ended."""
        reply = self.of(response_id)
        if reply is not None and reply.id == response_id:
            reply.silent(cut=cut)
            self._close_finished()

    def fail(self, error: ClientError) -> None:
        """Nothing more comes of any reply that is open or expected."""
        for reply in [*self._marked.values(), *self._open.values()]:
            reply.fail(error)
        if self.watch is not None:
            self.watch.fail(error)
        self._marked, self._open = {}, {}

    def _unmarked(self) -> Reply | None:
        if self.watch is None:
            return None
        reply = Reply(self._cancel)
        self.watch.answered(reply)
        return reply

    def _close_finished(self) -> None:
        self._open = {key: reply for key, reply in self._open.items() if not reply.over}
