"""Asks a host and gathers what it says."""

from agents.brief import PLAIN, Brief
from agents.clause import Clause, Language
from agents.history import History
from agents.host import Host
from agents.tools import ToolCall


async def replied(
    host: Host,
    question: str,
    language: Language = "en",
    history: History | None = None,
    brief: Brief = PLAIN,
) -> list[Clause | ToolCall]:
    """Return all that a host replies."""
    return [part async for part in host.reply(question, language, history or History(), brief)]


async def clauses(
    host: Host,
    question: str,
    language: Language = "en",
    history: History | None = None,
    brief: Brief = PLAIN,
) -> list[Clause]:
    """Return what a host says; it may call no tool."""
    said = await replied(host, question, language, history, brief)
    for part in said:
        assert isinstance(part, Clause), part
    return [part for part in said if isinstance(part, Clause)]


def text(said: list[Clause]) -> str:
    """Return the text of clauses."""
    return "".join(clause.text for clause in said)
