"""A language model that is watched: who is told when it fails, and left alone for a while then."""

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import aclosing
from typing import Final, TypeVar, cast

from agents.errors import AgentError, ModelError
from agents.llm import Exchange, LanguageModel, Message, ToolModel
from agents.tools import Tool, ToolCall, ToolChoice
from pipeline.clock import Clock

T = TypeVar("T")

# Seconds until a model that failed is asked again: at first, and at most, doubled each time.
FIRST_REST: Final = 5.0
LONGEST_REST: Final = 60.0
# A model that was given up so often, one time after another, after so many seconds without a word,
# fails: hosts wait for 0.6 s and then say it in words of their own.
GIVEN_UP: Final = 3
PATIENCE: Final = 0.5

Trouble = Callable[[str | None], None]


class WatchedModel:
    """A `LanguageModel` that tells of its trouble.

    A model that has just failed is not asked again for a while: whoever waits for an answer shall
    not wait for a dead endpoint first. Closing it leaves the model as it is, which others share.

    Args:
        trouble: called when it begins to fail, with why, and with None when it works again.
    """

    def __init__(self, model: LanguageModel, clock: Clock, trouble: Trouble) -> None:
        self._model = model
        self._clock = clock
        self._trouble = trouble
        self._failing = ""
        self._rest = FIRST_REST
        self._silences = 0
        self._again_at = 0.0

    def stream(
        self, messages: Sequence[Message], *, max_tokens: int = 96, temperature: float = 0.0
    ) -> AsyncIterator[str]:
        """See `LanguageModel.stream`."""
        return self._watched(
            lambda: self._model.stream(messages, max_tokens=max_tokens, temperature=temperature)
        )

    async def aclose(self) -> None:
        """Leave the model to those who share it."""

    async def _watched(self, ask: Callable[[], AsyncIterator[T]]) -> AsyncGenerator[T, None]:
        if self._failing and self._clock.now() < self._again_at:
            raise ModelError(f"left alone for now: {self._failing}", retry=True)
        asked, answered = self._clock.now(), False
        try:
            # What streams is a generator, which ends when it is closed.
            async with aclosing(cast(AsyncGenerator[T, None], ask())) as pieces:
                async for piece in pieces:
                    answered = True
                    self._works()
                    yield piece
        except AgentError as error:
            answered = True
            self._fails(str(error))
            raise
        finally:
            # Whoever asked has given up.
            if not answered and self._clock.now() - asked >= PATIENCE:
                self._given_up(self._clock.now() - asked)

    def _given_up(self, seconds: float) -> None:
        self._silences += 1
        if self._silences >= GIVEN_UP:
            self._fails(f"{GIVEN_UP} times it said nothing in time, the last in {seconds:.1f} s")

    def _works(self) -> None:
        self._silences = 0
        if self._failing:
            self._failing, self._rest = "", FIRST_REST
            self._trouble(None)

    def _fails(self, why: str) -> None:
        began = not self._failing
        self._failing = why
        self._again_at = self._clock.now() + self._rest
        self._rest = min(2 * self._rest, LONGEST_REST)
        if began:
            self._trouble(why)


class WatchedToolModel(WatchedModel):
    """A `ToolModel` that tells of its trouble, as `WatchedModel`."""

    def __init__(self, model: ToolModel, clock: Clock, trouble: Trouble) -> None:
        super().__init__(model, clock, trouble)
        self._talker = model

    def converse(
        self,
        messages: Sequence[Exchange],
        *,
        tools: Sequence[Tool] = (),
        tool_choice: ToolChoice = "auto",
        max_tokens: int = 96,
        temperature: float = 0.0,
    ) -> AsyncIterator[str | ToolCall]:
        """See `ToolModel.converse`."""
        return self._watched(
            lambda: self._talker.converse(
                messages,
                tools=tools,
                tool_choice=tool_choice,
                max_tokens=max_tokens,
                temperature=temperature,
            )
        )


def watched(model: LanguageModel, clock: Clock, trouble: Trouble) -> WatchedModel:
    """Return the model, watched; one that knows tools still does."""
    if isinstance(model, ToolModel):
        return WatchedToolModel(model, clock, trouble)
    return WatchedModel(model, clock, trouble)
