"""Let the host use a function of yours when a question needs it.

python examples/function_calling.py "How long is the wait for four people?"
"""

import asyncio
import sys

import vivant


def waiting_time(people: int) -> str:
    """Say how long a party waits for a table, in minutes."""
    return f"A party of {people} waits {5 * people} minutes."


async def main(question: str) -> None:
    async with vivant.connect(tools=[waiting_time]) as conversation:
        reply = await conversation.ask(question)
        print(await reply.text())


asyncio.run(main(sys.argv[1]))
