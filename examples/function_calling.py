"""Let the host use a function of yours; a language model that takes tools decides when.

python examples/function_calling.py "How long is the wait for a table for four?"
"""

import asyncio
import sys

import vivant


def waiting_time(people: int) -> dict[str, int]:
    """Say how long a party waits for a table, in minutes."""
    return {"minutes": 5 * people}


async def main(question: str) -> None:
    async with vivant.connect(tools=[waiting_time]) as conversation:
        reply = await conversation.ask(question)
        print(await reply.text())


asyncio.run(main(sys.argv[1]))
