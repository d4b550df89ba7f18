"""Lets nothing be spoken that advertising law, or the shop, forbids."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import replace

from agents.clause import Clause
from agents.regulation.regulation import Regulation
from agents.sifting import ends_sentence
from agents.tools import ToolCall


async def lawful(
    replies: AsyncGenerator[Clause | ToolCall, None],
    regulation: Regulation,
    instead: Callable[[], Sequence[Clause]],
) -> AsyncGenerator[Clause | ToolCall, None]:
    """Yield a reply without what may not be said.

    Args:
        instead: what is said where nothing of it may be.
    """
    said, held = False, list[Clause]()
    async with aclosing(replies):
        async for part in replies:
            if isinstance(part, ToolCall):
                yield part
                continue
            held = [*held, part] if held and not ends_sentence(held[-1].text) else [part]
            allowed = mended(held, regulation)
            if allowed is not None:
                said = True
                yield allowed
    if held and not said:
        for clause in instead():
            yield clause


def mended(sentence: Sequence[Clause], regulation: Regulation) -> Clause | None:
    """Return the last clause of a sentence as it may be said; None where it may not be.

    Words that are forbidden only together with the clauses before are its own fault.
    """
    *before, last = sentence
    earlier = "".join(clause.text for clause in before)
    if not regulation.check(earlier + last.text, last.language):
        return last
    text = regulation.mend(last.text, last.language)
    if text is None:
        return None
    broken = len(regulation.check(earlier, last.language)) if earlier else 0
    if len(regulation.check(earlier + text, last.language)) > broken:
        return None
    return replace(last, text=text)
