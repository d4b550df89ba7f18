"""Talk to the host by microphone and loudspeaker, until Ctrl-C. Headphones keep it from hearing
itself. Needs `pip install 'vivant[microphone]'`, and on Linux the library PortAudio.

python examples/live_microphone.py
"""

import asyncio

import sounddevice

import vivant

SOUND = {"samplerate": 24_000, "channels": 1, "dtype": "int16", "blocksize": 480}


async def listen(conversation: vivant.Conversation) -> None:
    with sounddevice.RawInputStream(**SOUND) as microphone:
        while True:
            data, _ = await asyncio.to_thread(microphone.read, 480)
            await conversation.send_audio(bytes(data))


async def speak(conversation: vivant.Conversation) -> None:
    with sounddevice.RawOutputStream(**SOUND) as loudspeaker:
        async for chunk in conversation.audio():
            await asyncio.to_thread(loudspeaker.write, chunk.pcm)


async def main() -> None:
    async with vivant.connect() as conversation:
        await asyncio.gather(listen(conversation), speak(conversation))


asyncio.run(main())
