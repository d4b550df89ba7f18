"""The person's end of a call: a WebRTC client that speaks recordings and notes what comes back."""

import asyncio
import ipaddress
import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Final, Protocol, Self, TypeVar

import httpx
import numpy as np
from aiortc import RTCPeerConnection, RTCSessionDescription
from aiortc.mediastreams import MediaStreamError, MediaStreamTrack
from av.audio.frame import AudioFrame
from numpy.typing import NDArray

from pipeline.contract import WIRE_RATE
from pipeline.errors import ConfigurationError
from pipeline.options import VideoCodec
from transport.aiortc_hooks import (
    SenderReport,
    cut_off,
    replace_jitter_buffer,
    watch_reports,
)
from transport.codecs import codec_preferences
from transport.errors import CallFailedError, CallRefusedError
from transport.incoming import mono
from transport.jitter import PictureBuffer, ReceivedPicture, VoiceBuffer
from transport.measure import PictureArrival, SoundArrival, sound_bounds, timestamp_distance
from transport.microphone import Microphone
from transport.nat import DIRECT, Nat
from transport.outgoing import VIDEO_CLOCK

CONNECT_TIMEOUT_S: Final = 10.0
# A server that must build the host's figure first answers within a minute.
ANSWER_TIMEOUT_S: Final = 75.0
CALLS_PATH: Final = "/v1/realtime/calls"
CHANNEL: Final = "oai-events"

logger = logging.getLogger(__name__)

T = TypeVar("T")


class Signalling(Protocol):
    """Carries the offer to the server and the answer back."""

    async def call(self, offer_sdp: str) -> str:
        """Return the answer's SDP.

        Raises:
            CallRefusedError: the server refused.
            CallFailedError: the server could not be reached.
        """

    async def hang_up(self) -> None:
        """End the call at the server. No-op when it has ended.

        Raises:
            CallFailedError: the server could not be told.
        """


class HttpSignalling:
    """Signalling over `POST /v1/realtime/calls`.

    Args:
        url: the server, such as "http://127.0.0.1:8000". Proxies named in the environment are
            used, but for a server on this machine.
        wishes: query parameters, such as voice and size.

    Raises:
        ConfigurationError: `url` is no URL.
    """

    def __init__(self, url: str, wishes: Mapping[str, str] | None = None) -> None:
        self._url = url.rstrip("/")
        try:
            self._proxies = not _on_this_machine(httpx.URL(url).host)
        except httpx.InvalidURL as error:
            raise ConfigurationError(f"the server's URL is {url[:200]!r}: {error}") from error
        self._wishes = dict(wishes or {})
        self._location: str | None = None

    async def call(self, offer_sdp: str) -> str:
        """Post the offer; see `Signalling`."""
        headers = {"Content-Type": "application/sdp"}
        try:
            async with self._client() as client:
                response = await client.post(
                    self._url + CALLS_PATH, params=self._wishes, content=offer_sdp, headers=headers
                )
        except httpx.HTTPError as error:
            raise CallFailedError(f"{self._url} cannot be reached: {error}") from error
        if response.status_code != httpx.codes.CREATED:
            after = response.headers.get("Retry-After", "")
            raise CallRefusedError(
                f"{self._url} refused the call: {response.status_code} {response.text[:500]}",
                response.status_code,
                int(after) if after.isdigit() else None,
            )
        self._location = response.headers.get("Location")
        return response.text

    async def hang_up(self) -> None:
        """Delete the call; see `Signalling`."""
        if self._location is None:
            return
        location, self._location = self._location, None
        try:
            async with self._client() as client:
                await client.delete(httpx.URL(self._url).join(location))
        except httpx.HTTPError as error:
            raise CallFailedError(f"{self._url} cannot be reached: {error}") from error

    def _client(self) -> httpx.AsyncClient:
        timeout = httpx.Timeout(CONNECT_TIMEOUT_S, read=ANSWER_TIMEOUT_S)
        return httpx.AsyncClient(timeout=timeout, trust_env=self._proxies)


@dataclass(frozen=True, slots=True)
class TimedEvent:
    """A server event and when it came, in seconds of the event loop's clock."""

    at: float
    event: dict[str, Any]


class Caller:
    """A client of one call. All it receives is noted with its time of arrival.

    Sound is decoded as it comes; pictures are kept encoded and decoded by whoever wants to see
    them, so that measuring costs the machine little.

    Args:
        microphone: what the server hears.
        video: whether to ask for pictures.
        codec: the only video codec to offer; None offers all.
        keep_media: keep samples and pictures for `recording`, 0.3 MB a second.
        nat: how this end is reached through NAT.

    Attributes:
        events, sounds, pictures: what came, in order.
        samples: (first sample, int16 [n]) of the sound received, at 48 kHz, when kept.
        coded: the encoded pictures, when kept.
        sound_points, picture_points: (sender's wall clock, media time) of each sender report.
    """

    def __init__(
        self,
        microphone: Microphone,
        *,
        video: bool = True,
        codec: VideoCodec | None = None,
        keep_media: bool = False,
        nat: Nat = DIRECT,
    ) -> None:
        self.microphone = microphone
        self.events: list[TimedEvent] = []
        self.sounds: list[SoundArrival] = []
        self.pictures: list[PictureArrival] = []
        self.samples: list[tuple[int, NDArray[np.int16]]] = []
        self.coded: list[ReceivedPicture] = []
        self.sound_points: list[tuple[float, float]] = []
        self.picture_points: list[tuple[float, float]] = []
        self.codec: VideoCodec | None = codec
        self._keep = keep_media
        self._voice_buffer = VoiceBuffer()
        self._first_picture: int | None = None
        self._changed = asyncio.Event()
        self._failure: str | None = None
        self._listening: asyncio.Task[None] | None = None
        self._signalling: Signalling | None = None
        self._connection = RTCPeerConnection(nat.configuration())
        self._channel = self._connection.createDataChannel(CHANNEL)
        self._channel.on("message", self._event_came)
        self._connection.on("track", self._track_came)
        self._connection.on("connectionstatechange", self._state_changed)
        self._prepare(video)

    async def connect(self, signalling: Signalling) -> None:
        """Call, and wait for `session.created`.

        Raises:
            CallFailedError: the server refused, or no connection came about in time.
        """
        answer = await self.offer(signalling)
        await self._connection.setRemoteDescription(RTCSessionDescription(answer, "answer"))
        if "H264/90000" in answer:
            self.codec = "h264"
        elif "VP8/90000" in answer:
            self.codec = "vp8"
        await self.event("session.created", CONNECT_TIMEOUT_S)

    async def offer(self, signalling: Signalling) -> str:
        """Make the offer and return the answer's SDP, without taking it up.

        Raises:
            CallFailedError: the server refused.
        """
        self._signalling = signalling
        await self._connection.setLocalDescription(await self._connection.createOffer())
        return await signalling.call(self._connection.localDescription.sdp)

    @property
    def broken(self) -> bool:
        """Whether the connection has failed or ended."""
        return self._failure is not None

    def send(self, event: Mapping[str, Any]) -> None:
        """Send a client event."""
        self._channel.send(json.dumps(event))

    def send_text(self, message: str) -> None:
        """Send a message as it is, JSON or not."""
        self._channel.send(message)

    async def until(self, condition: Callable[[], T | None], timeout_s: float, what: str) -> T:
        """Return what `condition` gives once it is not None, asked whenever something came.

        Raises:
            CallFailedError: it stayed None for `timeout_s`, or the call broke.
        """
        try:
            async with asyncio.timeout(timeout_s):
                while (value := condition()) is None:
                    if self._failure is not None:
                        raise CallFailedError(f"waiting for {what}: {self._failure}")
                    self._changed.clear()
                    await self._changed.wait()
                return value
        except TimeoutError as error:
            raise CallFailedError(f"{what} did not come within {timeout_s:g} s") from error

    async def event(self, kind: str, timeout_s: float, start: int = 0) -> dict[str, Any]:
        """Return the first event of a kind from index `start` on, when it has come."""

        def found() -> dict[str, Any] | None:
            for timed in self.events[start:]:
                if timed.event["type"] == kind:
                    return timed.event
            return None

        return await self.until(found, timeout_s, kind)

    async def close(self) -> None:
        """Hang up and free everything. Idempotent.

        A server that cannot be told is logged: it notices the end of the connection.
        """
        signalling, self._signalling = self._signalling, None
        try:
            if signalling is not None:
                await signalling.hang_up()
        except CallFailedError as error:
            logger.warning("the call could not be hung up: %s", error)
        finally:
            self.microphone.stop()
            await self._connection.close()
            if self._listening is not None:
                self._listening.cancel()
                await asyncio.gather(self._listening, return_exceptions=True)

    async def vanish(self) -> None:
        """Free everything without a word to the server, as a machine that loses its network."""
        self._signalling = None
        cut_off(self._connection)
        await self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    def _prepare(self, video: bool) -> None:
        audio = self._connection.addTransceiver(self.microphone, "sendrecv")
        audio.setCodecPreferences(codec_preferences("audio", "opus"))
        replace_jitter_buffer(audio.receiver, self._voice_buffer)
        watch_reports(audio.receiver, self._sound_reported)
        if video:
            picture = self._connection.addTransceiver("video", "recvonly")
            if self.codec is not None:
                picture.setCodecPreferences(codec_preferences("video", self.codec))
            replace_jitter_buffer(picture.receiver, PictureBuffer(self._picture_came))
            watch_reports(picture.receiver, self._picture_reported)

    def _state_changed(self) -> None:
        if self._connection.connectionState in ("failed", "closed"):
            self._failure = f"the connection has {self._connection.connectionState}"
            self._changed.set()

    def _track_came(self, track: MediaStreamTrack) -> None:
        if track.kind == "audio":
            self._listening = asyncio.create_task(self._listen(track), name="caller-listen")

    async def _listen(self, track: MediaStreamTrack) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                frame = await track.recv()
            except MediaStreamError:
                return
            assert isinstance(frame, AudioFrame)
            assert frame.pts is not None
            arrival = loop.time()
            sound = mono(frame)
            bounds = sound_bounds(sound, WIRE_RATE) or (None, None)
            self.sounds.append(SoundArrival(arrival, frame.pts / WIRE_RATE, *bounds))
            if self._keep:
                pcm = (sound * 32_768).clip(-32_768, 32_767).astype(np.int16)
                self.samples.append((frame.pts, pcm))
            self._changed.set()

    def _picture_came(self, picture: ReceivedPicture) -> None:
        if self._first_picture is None:
            self._first_picture = picture.timestamp
        media = timestamp_distance(picture.timestamp, self._first_picture) / VIDEO_CLOCK
        self.pictures.append(PictureArrival(asyncio.get_running_loop().time(), media))
        if self._keep:
            self.coded.append(picture)
        self._changed.set()

    def _event_came(self, message: str) -> None:
        self.events.append(TimedEvent(asyncio.get_running_loop().time(), json.loads(message)))
        self._changed.set()

    def _sound_reported(self, report: SenderReport) -> None:
        _note(self.sound_points, report, self._voice_buffer.origin, WIRE_RATE)

    def _picture_reported(self, report: SenderReport) -> None:
        _note(self.picture_points, report, self._first_picture, VIDEO_CLOCK)


def _on_this_machine(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _note(
    points: list[tuple[float, float]], report: SenderReport, origin: int | None, clock: int
) -> None:
    if origin is not None:
        points.append((report.wall, timestamp_distance(report.timestamp, origin) / clock))


async def connect(
    url: str,
    microphone: Microphone,
    *,
    wishes: Mapping[str, str] | None = None,
    codec: VideoCodec | None = None,
    keep_media: bool = False,
) -> Caller:
    """Call a server and return the connected client; see `Caller` and `HttpSignalling`.

    Raises:
        CallFailedError: the server refused, or no connection came about in time.
    """
    caller = Caller(microphone, codec=codec, keep_media=keep_media)
    connected = False
    try:
        await caller.connect(HttpSignalling(url, wishes))
        connected = True
    finally:
        if not connected:
            await caller.close()
    return caller
