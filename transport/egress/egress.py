"""A session's output to an RTMP ingest, an HLS playlist or a recording."""

import asyncio
from collections.abc import Callable

from pipeline.contract import EncodedPicture, PoseFrame, SoundFrame
from pipeline.events import SessionEvent
from pipeline.options import VideoFormat
from transport.egress.cadence import KeyframeCadence
from transport.egress.packets import Packet, PacketQueue
from transport.egress.states import EgressEvent, EgressState, EgressStatistics, EgressTimes
from transport.egress.supervisor import Lost, Over, Report, Running, Sent, Supervisor
from transport.egress.targets import Target

_DEFAULT_TIMES = EgressTimes()


class Egress:
    """A `SessionSink` that hands pictures on as they are and sound to be encoded as AAC-LC.

    Pictures are H264 (Annex B). No method waits for the output: what it does not take in time is
    dropped up to the next keyframe and counted. See `open_egress`.
    """

    def __init__(
        self,
        target: Target,
        size: tuple[int, int] | None,
        request_keyframe: Callable[[], None],
        told: Callable[[EgressEvent], None],
        times: EgressTimes,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._target, self._times = target, times
        self._request_keyframe, self._told = request_keyframe, told
        self._cadence = KeyframeCadence()
        self._pictures = size is not None
        self._queue = PacketQueue(pictures=self._pictures)
        self._state: EgressState = "starting"
        self._sent = self._lost = self._opened = 0
        self._error = ""
        self._closing = False
        self._over = asyncio.Event()
        self._supervisor = Supervisor(target, size, self._queue, times, self._reported)

    @property
    def target(self) -> Target:
        """Where the output goes. `str` of it shows no secret."""
        return self._target

    @property
    def process(self) -> int | None:
        """Id of the process that writes, while there is one."""
        return self._supervisor.pid

    @property
    def statistics(self) -> EgressStatistics:
        return EgressStatistics(
            state=self._state,
            sent=self._sent,
            dropped=self._queue.dropped + self._lost,
            queued=len(self._queue),
            reconnects=max(0, self._opened - 1),
            error=self._error,
        )

    def sound(self, frame: SoundFrame) -> None:
        """Take 20 ms of sound."""
        self._put(Packet(frame.samples.tobytes(), frame.position, sound=True))

    def picture(self, picture: EncodedPicture) -> None:
        """Take an H264 picture; asks for a keyframe where one is due."""
        if self._over.is_set():
            return
        if self._cadence.wants(picture.position, keyframe=picture.keyframe):
            self._request_keyframe()
        self._put(Packet(picture.data, picture.position, sound=False, keyframe=picture.keyframe))

    def event(self, event: SessionEvent) -> None:
        """Take no notice: an output holds what is seen and heard."""

    def pose(self, frame: PoseFrame) -> None:
        """Take no notice, as of events."""

    async def close(self) -> None:
        """Finish the output: its file, its playlist. Idempotent.

        What takes longer than `EgressTimes.close` is ended as it is; a recording stays playable.
        """
        self._closing = True
        self._queue.finish()
        self._supervisor.finish()
        try:
            async with asyncio.timeout(self._times.close):
                await self._over.wait()
        except TimeoutError:
            self._supervisor.kill()
            await self._over.wait()

    def _put(self, packet: Packet) -> None:
        if self._over.is_set():
            return
        dropped = self._queue.put(packet)
        if dropped > 1 and self._state == "running":
            self._tell(f"{self._target} is too slow: {dropped} packets dropped")

    def _reported(self, report: Report) -> None:
        """Hear from the supervisor's thread."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._take, report)

    def _take(self, report: Report) -> None:
        match report:
            case Sent(packets):
                self._sent += packets
            case Running(keyframe):
                self._run(keyframe)
            case Lost():
                self._lose(report)
            case Over():
                self._end()

    def _run(self, keyframe: int | None) -> None:
        self._opened += 1
        self._state = "running"
        self._cadence.start_over(keyframe)
        if keyframe is None and self._pictures:
            self._request_keyframe()
        self._tell(f"{self._target} is open")

    def _lose(self, lost: Lost) -> None:
        self._lost += lost.packets
        self._error = lost.message
        if lost.retry_s is not None:
            self._state = "reconnecting"
            self._tell(f"{lost.message}; trying again in {lost.retry_s:g} s")

    def _end(self) -> None:
        self._queue.finish()
        self._queue.clear()
        self._over.set()
        self._state = "ended" if self._closing else "failed"
        self._tell(f"{self._target} has {self._state}" + (f": {self._error}" * bool(self._error)))

    def _tell(self, message: str) -> None:
        self._told(EgressEvent(message, self.statistics))


def open_egress(
    target: Target,
    *,
    size: tuple[int, int] | None,
    request_keyframe: Callable[[], None],
    told: Callable[[EgressEvent], None],
    times: EgressTimes = _DEFAULT_TIMES,
) -> Egress:
    """Open an egress on the running event loop; returns at once, in the state "starting".

    Args:
        target: where to.
        size: (width, height) of the pictures, even numbers from 64 to 4096; None when there is
            sound alone.
        request_keyframe: called on the event loop when the source's next picture is to be a
            keyframe: every two seconds of media, and when an output begins.
        told: called on the event loop when the state changes or packets are dropped.
        times: how long to wait for what.

    Raises:
        ConfigurationError: `size` is not accepted.
    """
    if size is not None:
        VideoFormat("h264", *size)
    return Egress(target, size, request_keyframe, told, times)
