"""A publisher for tests: speaks, and sends pictures nobody asked for."""

from types import TracebackType
from typing import Final, Self

import numpy as np
from aiortc import RTCPeerConnection, RTCSessionDescription
from aiortc.mediastreams import VideoStreamTrack

from pipeline.contract import WIRE_RATE
from transport.aiortc_hooks import cut_off
from transport.microphone import Microphone, Utterance
from transport.nat import DIRECT

_HUM = 10_000 * np.sin(2 * np.pi * 220 * np.arange(WIRE_RATE) / WIRE_RATE)
HUM: Final = Utterance(_HUM.astype(np.int16), 0, WIRE_RATE)


class Speaker:
    """One who publishes, over a connection of its own."""

    def __init__(self, *, video: bool = False) -> None:
        self.rtc = RTCPeerConnection(DIRECT.configuration())
        self.microphone = Microphone()
        self.rtc.addTransceiver(self.microphone, "sendonly")
        if video:
            self.rtc.addTransceiver(VideoStreamTrack(), "sendonly")

    async def offer(self) -> str:
        """Return an offer with all candidates."""
        await self.rtc.setLocalDescription(await self.rtc.createOffer())
        return str(self.rtc.localDescription.sdp)

    async def take(self, answer: str) -> None:
        """Take the answer up."""
        await self.rtc.setRemoteDescription(RTCSessionDescription(answer, "answer"))

    async def vanish(self) -> None:
        """Go without a word."""
        cut_off(self.rtc)
        await self.close()

    async def close(self) -> None:
        """Free everything."""
        self.microphone.stop()
        await self.rtc.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()
