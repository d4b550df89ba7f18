"""How many viewers one encode feeds: WHEP viewers of one stream, more and more of them."""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Final, Self

import httpx
from aiortc import RTCPeerConnection, RTCSessionDescription

from transport.aiortc_hooks import replace_jitter_buffer
from transport.codecs import codec_preferences
from transport.errors import CallFailedError
from transport.jitter import PictureBuffer, ReceivedPicture
from transport.measure import PictureArrival, on_time_share, timestamp_distance
from transport.nat import DIRECT
from transport.outgoing import VIDEO_CLOCK

STREAM: Final = "bench"
WHEP: Final = f"/v1/whep/{STREAM}"
COUNTS: Final = (1, 2, 4, 8, 12, 16, 24, 32, 48, 64)
# What the host says while it is watched, so that it moves as it does when it talks.
SPEECH: Final = (
    "Good morning! Our pizza of the week comes with grilled vegetables and fresh basil. "
    "We bake from eleven in the morning until ten at night, every day but Monday."
)
FIRST_PICTURE_S: Final = 10.0
SAY_EVERY_S: Final = 6.0
# After viewers have come: connections are made, and the first words have been spoken.
SETTLE_S: Final = 2.0
ANSWER_S: Final = 15.0


class Viewer:
    """Watches a stream. Pictures are noted and not decoded, sound is let pass.

    Attributes:
        pictures: what came, in order.
    """

    def __init__(self) -> None:
        self.pictures: list[PictureArrival] = []
        self._first: int | None = None
        self._came = asyncio.Event()
        self._place: str | None = None
        self._client: httpx.AsyncClient | None = None
        self._rtc = RTCPeerConnection(DIRECT.configuration())
        sound = self._rtc.addTransceiver("audio", "recvonly")
        sound.setCodecPreferences(codec_preferences("audio", "opus"))
        picture = self._rtc.addTransceiver("video", "recvonly")
        picture.setCodecPreferences(codec_preferences("video", "h264"))
        replace_jitter_buffer(picture.receiver, PictureBuffer(self._picture_came))

    async def watch(self, client: httpx.AsyncClient) -> None:
        """Join, and wait for the first picture.

        Raises:
            CallFailedError: the server refused, or sent nothing.
        """
        await self._rtc.setLocalDescription(await self._rtc.createOffer())
        headers = {"Content-Type": "application/sdp"}
        offer = self._rtc.localDescription.sdp
        response = await client.post(WHEP, content=offer, headers=headers)
        if response.status_code != httpx.codes.CREATED:
            raise CallFailedError(f"no viewer more: {response.status_code} {response.text[:300]}")
        self._client, self._place = client, response.headers["Location"]
        await self._rtc.setRemoteDescription(RTCSessionDescription(response.text, "answer"))
        try:
            async with asyncio.timeout(FIRST_PICTURE_S):
                await self._came.wait()
        except TimeoutError as error:
            raise CallFailedError(f"no picture came within {FIRST_PICTURE_S:g} s") from error

    def on_time(self, since: float) -> float:
        """Return the share of pictures on time among those that came after `since`."""
        late = [picture for picture in self.pictures if picture.arrival >= since]
        return on_time_share(late) or 0.0

    def _picture_came(self, picture: ReceivedPicture) -> None:
        if self._first is None:
            self._first = picture.timestamp
        media = timestamp_distance(picture.timestamp, self._first) / VIDEO_CLOCK
        self.pictures.append(PictureArrival(asyncio.get_running_loop().time(), media))
        self._came.set()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._client is not None and self._place is not None:
            await self._client.delete(self._place)
        await self._rtc.close()


async def watch_more(
    url: str, size: tuple[int, int], counts: Sequence[int], step_s: float, enough: float
) -> list[tuple[int, float]]:
    """Let more and more viewers watch one stream until it does not hold.

    Args:
        url: a server with a session free.
        size: of the stream's picture.
        counts: how many viewers to try, rising.
        step_s: how long each number of them watches.
        enough: the share of pictures on time that every viewer must have.

    Returns:
        (viewers, least share of pictures on time among them) of each step; the last may be below
        `enough`.

    Raises:
        CallFailedError: there is no stream, or a viewer saw nothing.
    """
    steps: list[tuple[int, float]] = []
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(
            httpx.AsyncClient(base_url=url, timeout=ANSWER_S, trust_env=False)
        )
        wish = {"name": STREAM, "size": f"{size[0]}x{size[1]}"}
        response = await client.post("/v1/streams", json=wish)
        if response.status_code != httpx.codes.CREATED:
            raise CallFailedError(f"no stream: {response.status_code} {response.text[:300]}")
        talking = asyncio.create_task(_keep_talking(client), name="talking")
        stack.callback(talking.cancel)
        viewers: list[Viewer] = []
        for count in counts:
            while len(viewers) < count:
                viewers.append(await stack.enter_async_context(Viewer()))
                await viewers[-1].watch(client)
            await asyncio.sleep(SETTLE_S)
            began = asyncio.get_running_loop().time()
            await asyncio.sleep(step_s)
            steps.append((count, min(viewer.on_time(began) for viewer in viewers)))
            if steps[-1][1] < enough:
                break
    return steps


async def _keep_talking(client: httpx.AsyncClient) -> None:
    said = {"text": SPEECH, "language": "en", "interrupt": False}
    while True:
        await client.post(f"/v1/streams/{STREAM}/say", json=said)
        await asyncio.sleep(SAY_EVERY_S)
