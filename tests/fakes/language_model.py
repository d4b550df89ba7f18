"""A language model that says what it is told to, when it is told to."""

import asyncio
from collections.abc import AsyncIterator, Sequence

from agents.errors import ModelError
from agents.llm import Message


class ScriptedModel:
    """Streams the words of a script, one piece a word or a Chinese character.

    Args:
        script: the reply to every request.
        fails_after: pieces after which it raises; None for never.
        stalls_after: pieces after which nothing comes any more; None for never.
    """

    def __init__(
        self, script: str = "", *, fails_after: int | None = None, stalls_after: int | None = None
    ) -> None:
        self.script = script
        self.requests: list[list[Message]] = []
        self.given = 0
        self.stopped = False
        self.temperature = -1.0
        self._fails_after = fails_after
        self._stalls_after = stalls_after

    async def stream(
        self, messages: Sequence[Message], *, max_tokens: int = 96, temperature: float = 0.0
    ) -> AsyncIterator[str]:
        """Yield the script in pieces, at most `max_tokens` of them."""
        self.requests.append(list(messages))
        self.temperature = temperature
        try:
            for piece in _pieces(self.script)[:max_tokens]:
                if self.given == self._fails_after:
                    raise ModelError("the script ends here", retry=True)
                if self.given == self._stalls_after:
                    await asyncio.Event().wait()
                self.given += 1
                yield piece
        finally:
            self.stopped = True

    async def aclose(self) -> None:
        """Do nothing."""


def _pieces(script: str) -> list[str]:
    pieces: list[str] = []
    for char in script:
        if pieces and char != " " and (pieces[-1] == " " or char.isascii()):
            pieces[-1] += char
        else:
            pieces.append(char)
    return pieces
