"""Drive a renderer of your own: here a table of joint angles in degrees, 25 rows a second.

python examples/custom_renderer.py "Hello, who are you?" > motion.csv
"""

import asyncio
import sys

import numpy as np

import vivant


async def main(question: str) -> None:
    async with vivant.connect(motion=True) as conversation:
        reply = await conversation.ask(question)
        pose = await anext(conversation.motion())
        print("ms", *pose.format.joints, sep=",")
        while not reply.over:
            angles = 2 * np.degrees(np.arccos(np.abs(pose.rotations[:, 0]).clip(0, 1)))
            print(round(pose.position_ms), *angles.round(1), sep=",")
            pose = await anext(conversation.motion())


asyncio.run(main(sys.argv[1]))
