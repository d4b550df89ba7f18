"""`Brief`: what a session lets its host do and asks of it."""

from dataclasses import dataclass

from agents.errors import AgentValueError
from agents.tools import CHOICES, Tool, ToolChoice

_LONGEST_INSTRUCTIONS = 16384
_MOST_TOOLS = 64
_LONGEST_TOOLS = 65536


@dataclass(frozen=True, slots=True)
class Brief:
    """The instructions and tools of one reply.

    Attributes:
        instructions: the operator's, for a host that follows any (`Host.follows_instructions`);
            at most 16384 characters. They never lift the guard of `agents.grounding`.
        tools: what the host may call, at most 64, names once each.
        tool_choice: "auto" lets the host decide, "none" forbids calls, "required" demands one, a
            tool's name demands that one. Once a tool has answered, a demand is met.
        max_tokens: bound of a model's reply, at least 1; None leaves the host's own. Ready words
            and facts are short and not bounded by it.

    Raises:
        AgentValueError: names the field, the value found and what is accepted.
    """

    instructions: str = ""
    tools: tuple[Tool, ...] = ()
    tool_choice: ToolChoice = "auto"
    max_tokens: int | None = None

    def __post_init__(self) -> None:
        if len(self.instructions) > _LONGEST_INSTRUCTIONS:
            raise AgentValueError(
                f"instructions: {len(self.instructions)} characters, at most "
                f"{_LONGEST_INSTRUCTIONS} are accepted"
            )
        if self.max_tokens is not None and self.max_tokens < 1:
            raise AgentValueError(f"max_tokens {self.max_tokens}; accepted is 1 or more")
        self._check_tools()

    def _check_tools(self) -> None:
        names = [tool.name for tool in self.tools]
        if len(names) > _MOST_TOOLS:
            raise AgentValueError(f"tools: {len(names)} of them, at most {_MOST_TOOLS} accepted")
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise AgentValueError(f"tools: the name {twice!r} twice; accepted is each name once")
        size = sum(len(tool.description) + len(str(tool.parameters)) for tool in self.tools)
        if size > _LONGEST_TOOLS:
            raise AgentValueError(
                f"tools: {size} characters in all, at most {_LONGEST_TOOLS} are accepted"
            )
        accepted = [*CHOICES[:2], *((CHOICES[2], *names) if names else ())]
        if self.tool_choice not in accepted:
            raise AgentValueError(
                f"tool_choice {self.tool_choice!r}; accepted are {', '.join(accepted)}"
            )

    @property
    def may_call(self) -> bool:
        """Whether the host may ask for a tool at all."""
        return bool(self.tools) and self.tool_choice != "none"

    @property
    def demands(self) -> bool:
        """Whether a tool must be called."""
        return self.tool_choice not in ("auto", "none")

    @property
    def callable_tools(self) -> tuple[Tool, ...]:
        """The tools that may be called: all, or the one that is demanded."""
        if not self.may_call:
            return ()
        named = tuple(tool for tool in self.tools if tool.name == self.tool_choice)
        return named or self.tools


# Answers as the host does by itself.
PLAIN = Brief()
