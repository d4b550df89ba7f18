"""The contract of a language model."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

from agents.tools import Tool, ToolCall, ToolChoice


@dataclass(frozen=True, slots=True)
class Message:
    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class CallMessage:
    """The host asked for a tool; the `OutputMessage` of the same `call_id` follows it."""

    call_id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class OutputMessage:
    """What a tool answered: data, whatever it says."""

    call_id: str
    output: str


Exchange = Message | CallMessage | OutputMessage


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


@runtime_checkable
class ToolModel(LanguageModel, Protocol):
    """A language model that knows tools by itself."""

    def converse(
        self,
        messages: Sequence[Exchange],
        *,
        tools: Sequence[Tool] = (),
        tool_choice: ToolChoice = "auto",
        max_tokens: int = 96,
        temperature: float = 0.0,
    ) -> AsyncIterator[str | ToolCall]:
        """Yield the reply in pieces, and the calls it makes, each whole, after the text.

        Raises:
            AgentError: as `stream`; also where a call names none of `tools` or its arguments are
                no JSON object.
        """
