"""Ask what somebody says in a WAV file, and keep the answer.

python examples/ask_a_file.py question.wav answer.wav
"""

import asyncio
import sys

import vivant


async def main(question: str, answer: str) -> None:
    async with vivant.connect() as conversation:
        reply = await conversation.ask_file(question)
        print(await reply.text())
        await reply.save(answer)


asyncio.run(main(*sys.argv[1:]))
