"""The contract of a language model."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol


@dataclass(frozen=True, slots=True)
class Message:
    role: Literal["system", "user", "assistant"]
    content: str


class LanguageModel(Protocol):
    """Streams text. Cancelling the consuming task (or `aclose`) stops the work at once."""

    def stream(
        self, messages: Sequence[Message], *, max_tokens: int = 96, temperature: float = 0.0
    ) -> AsyncIterator[str]:
        """Yield the reply in pieces as they are made.

        Raises:
            AgentError: the model failed; the message says whether a retry makes sense.
        """

    async def aclose(self) -> None:
        """Free the model. Idempotent."""
